"""scrcpy's server on the phone: video in framed packets, touch and text without a program started for each.

Form of version 3.3, read from its source: the server listens at an abstract socket of a random name (`tunnel_forward`),
one connection for video, then one for control. The first carries a zero byte; video then has codec, width and height
(4 bytes each), and before every packet 8 bytes of time (highest bit: parameters only, next: key frame) and 4 of length.
adb reaches the socket directly, so no port of this machine is opened.
"""

from __future__ import annotations

import io
import secrets
import struct
import threading
import time
from collections.abc import Iterator
from itertools import pairwise

from stepscope.core.device.adb import scrcpy_messages as messages
from stepscope.core.device.adb.annexb import UNIT_LIMIT
from stepscope.core.device.adb.link import AdbConnection, AdbStream, quoted
from stepscope.core.device.adb.packets import Backlog, Packet, UnsupportedVideoError
from stepscope.core.device.adb.scrcpy_file import ServerFile
from stepscope.core.device.device import DeviceError, DeviceLost, DeviceTimeout
from stepscope.core.domain.geometry import Size

REMOTE_PATH = "/data/local/tmp/stepscope-scrcpy-server.jar"
BIT_RATE = 12_000_000
START_SECONDS = 8.0
_RETRY_SECONDS = 0.05
_READ_SECONDS = 1.0
_ANSWER_SECONDS = 3.0
_BODY_SECONDS = 10.0
_STEP_SECONDS = 0.012
_H264 = 0x68323634
_CONFIG = 1 << 63
_MOST_BEGINNINGS = 100
"""Parameters one after the other without a picture between them; a turned screen sends them once."""


class Scrcpy:
    """One run of the server. A source of packets, when started with video; control at the same time from any thread."""

    def __init__(self, link: AdbConnection, *, video: bool = True, bit_rate: int = BIT_RATE, max_fps: int = 60) -> None:
        self._link, self._wants_video = link, video
        self._options = [f"video_bit_rate={bit_rate}", f"max_fps={max_fps}"] if video else ["video=false"]
        self._closed = threading.Event()
        self._server: AdbStream | None = None
        self._video: AdbStream | None = None
        self._control: AdbStream | None = None
        self._control_lock = threading.Lock()
        self._sequence = 0
        self.video_size: Size | None = None
        """Of the pictures as they come now; touches are placed in it."""
        self.restarts = 0
        """New beginnings because this computer was too slow."""

    def start(self, file: ServerFile) -> None:
        """Raises NotPossible when the server does not come up, DeviceLost."""
        try:
            self._link.push(io.BytesIO(file.data), REMOTE_PATH)
            number = secrets.randbelow(1 << 31)
            self._server = self._link.open(f"exec:CLASSPATH={REMOTE_PATH} {self._command(file.version, number)}")
            first = self._connected(f"localabstract:scrcpy_{number:08x}")
            if self._wants_video:
                self._video = first
                self._control = self._link.open(f"localabstract:scrcpy_{number:08x}")
                self._read_header(first)
            else:
                self._control = first
            if self._closed.is_set():
                raise UnsupportedVideoError("it was closed while it started")
        except BaseException as error:
            self.close()
            if isinstance(error, DeviceError) and not isinstance(error, DeviceLost | UnsupportedVideoError):
                raise UnsupportedVideoError(f"scrcpy's server does not start: {error.message}") from error
            raise

    def _command(self, version: str, number: int) -> str:
        options = [f"scid={number:08x}", "log_level=warn", "audio=false", "tunnel_forward=true", "control=true"]
        options += ["clipboard_autosync=false", "power_on=false", "send_device_meta=false", *self._options]
        return quoted("app_process", "/", "com.genymobile.scrcpy.Server", version, *options)

    def _connected(self, service: str) -> AdbStream:
        """The first connection, as soon as the server listens."""
        until = time.monotonic() + START_SECONDS
        while True:
            self._check_runs()
            stream = None
            try:
                stream = self._link.open(service)
                if stream.read_exactly(1, START_SECONDS) == b"\0":
                    return stream
                raise UnsupportedVideoError("what answers is not scrcpy's server")
            except (DeviceLost, UnsupportedVideoError, DeviceTimeout):
                raise
            except DeviceError as error:
                if stream is not None:
                    self._link.drop(stream)
                if time.monotonic() >= until or self._closed.wait(_RETRY_SECONDS):
                    raise UnsupportedVideoError("scrcpy's server does not start") from error

    def _check_runs(self) -> None:
        """Raise NotPossible with the server's own words when it has ended."""
        words = b""
        while self._server is not None and self._server.waiting(0) and len(words) < 4000:
            chunk = self._server.read(0)
            if not chunk:
                lines = words.decode("utf-8", "replace").strip().splitlines()
                raise UnsupportedVideoError(
                    f"scrcpy's server does not start: {lines[-1] if lines else 'it ends at once'}"
                )
            words += chunk

    def _read_header(self, stream: AdbStream) -> None:
        codec, width, height = struct.unpack(">III", stream.read_exactly(12, START_SECONDS))
        if codec != _H264 or not (0 < width < 65536 and 0 < height < 65536):
            raise UnsupportedVideoError("scrcpy's server cannot record this screen")
        self.video_size = Size(width, height)

    # Video ------------------------------------------------------------------------------------------------------------

    def packets(self) -> Iterator[Packet]:
        """The packets until the server is closed. Raises NotPossible when the server ends, DeviceLost when the device
        is gone."""
        stream, parameters, begun = self._video, b"", 0
        backlog, late = Backlog(), False
        while stream is not None and not self._closed.is_set():
            if backlog.is_late(stream.waiting(0)):
                late = self._begin_anew() or late
            if not stream.waiting(_READ_SECONDS):
                continue
            try:
                flags, length = struct.unpack(">QI", stream.read_exactly(12, _BODY_SECONDS))
                if length > UNIT_LIMIT:
                    raise UnsupportedVideoError("scrcpy's server sends no video: a packet without end")
                data = stream.read_exactly(length, _BODY_SECONDS)
            except DeviceError as error:
                self._explain(error)
                return
            if flags & _CONFIG:
                parameters, late, begun = data, False, begun + 1
                if begun > _MOST_BEGINNINGS:
                    raise UnsupportedVideoError("scrcpy's server sends no video: it only begins, again and again")
                continue
            begun = 0
            if late:  # what lies between is not worth decoding
                continue
            yield Packet(parameters + data, time.monotonic(), begins=bool(parameters))
            parameters = b""

    def _begin_anew(self) -> bool:
        """Whether the server was asked for a new beginning: not while a finger is down, which would have to wait."""
        if not self.alive or not self._control_lock.acquire(blocking=False):
            return False
        try:
            self._send(messages.RESET_VIDEO)
            self.restarts += 1
        finally:
            self._control_lock.release()
        return True

    def _explain(self, error: DeviceError) -> None:
        """Raise why the video has ended; nothing where it was closed."""
        if self._closed.is_set():
            return
        self._link.check_there()
        if isinstance(error, DeviceTimeout):
            raise DeviceLost("the device stopped in the middle of a picture") from error
        raise UnsupportedVideoError(f"scrcpy's server has ended: {error.message}") from error

    # Control ----------------------------------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """Whether control messages still go somewhere."""
        control = self._control
        return control is not None and not control.closed and not self._closed.is_set()

    def finger(self, path: list[tuple[float, float]], seconds: float) -> None:
        """A finger put down at the first place, moved along the others in `seconds` and lifted; places are fractions
        of the screen. Raises DeviceLost."""
        size = self.video_size
        if size is None:
            raise UnsupportedVideoError("there is no video to touch")
        places = [(x * size.width, y * size.height) for x, y in path]
        with self._control_lock:
            started = time.monotonic()
            self._send(messages.touch(messages.TOUCH_DOWN, *places[0], size))
            steps = _along(places, max(1, round(seconds / _STEP_SECONDS)))
            for number, place in enumerate(steps, 1):
                self._closed.wait(max(0.0, started + seconds * number / len(steps) - time.monotonic()))
                if len(places) > 1:
                    self._send(messages.touch(messages.TOUCH_MOVE, *place, size))
            self._send(messages.touch(messages.TOUCH_UP, *places[-1], size))

    def key(self, code: int) -> None:
        with self._control_lock:
            self._send(messages.key(code))

    def text(self, words: str) -> None:
        """ASCII typed as keys."""
        with self._control_lock:
            self._send(messages.text(words))

    def paste(self, text: str) -> None:
        """Text of any script into the field that has the focus, by way of the phone's clipboard. Raises DeviceError
        when the server does not confirm it."""
        with self._control_lock:
            self._sequence += 1
            try:
                message = messages.clipboard(self._sequence, text, paste=True)
            except ValueError as error:
                raise DeviceError(f"the text is too long: {error}", hint="Type it in parts.") from error
            self._send(message)
            until = time.monotonic() + _ANSWER_SECONDS
            while self._answered(until) != self._sequence:
                if time.monotonic() > until:  # other messages without end
                    raise DeviceTimeout("scrcpy's server does not confirm the text")

    def _answered(self, until: float) -> int:
        """The number in the next confirmation; other messages of the device are read over."""
        control = self._control
        if control is None:
            raise DeviceLost("the device was closed")
        kind = control.read_exactly(1, until - time.monotonic())[0]
        if kind == messages.ACK_CLIPBOARD:
            return int.from_bytes(control.read_exactly(8, _ANSWER_SECONDS), "big")
        if kind == 0:  # the text of the phone's clipboard: not ours to keep
            length = int.from_bytes(control.read_exactly(4, _ANSWER_SECONDS), "big")
            if length <= messages.CLIPBOARD_BYTES:
                control.read_exactly(length, _ANSWER_SECONDS)
                return 0
        raise DeviceError("scrcpy's server answers what nobody asked")

    def _send(self, message: bytes) -> None:
        if self._control is None or not self.alive:
            raise DeviceLost("the connection to scrcpy's server was cut")
        self._control.write(message)

    def close(self) -> None:
        self._closed.set()
        for stream in (self._control, self._video, self._server):
            if stream is not None:
                self._link.drop(stream)


def _along(places: list[tuple[float, float]], count: int) -> list[tuple[float, float]]:
    """`count` places evenly along each line between the given ones, the ends of the lines among them."""
    if len(places) == 1:
        return places
    return [
        (ax + (bx - ax) * step / count, ay + (by - ay) * step / count)
        for (ax, ay), (bx, by) in pairwise(places)
        for step in range(1, count + 1)
    ]
