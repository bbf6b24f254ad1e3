"""Talking to the adb server and, through it, to one device.

The server's own protocol on loopback: a request is four hexadecimal digits of length and the words, the answer OKAY, or
FAIL with a reason. adbutils speaks it too, but starts a server of its own choice, waits for minutes and reads without a
limit; a device that sends garbage or never ends is cut off here by size and by time.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import selectors
import shlex
import socket
import struct
import threading
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO, cast

from stepscope.core.device.device import DeviceError, DeviceLost, DeviceTimeout
from stepscope.core.errors import UnavailableError

HOST = "127.0.0.1"
PORT_VARIABLE = "ANDROID_ADB_SERVER_PORT"
USUAL_PORT = 5037
HOST_SECONDS = 5.0
COMMAND_SECONDS = 10.0
OUTPUT_LIMIT = 4 << 20
"""Bytes that the output of a command may have; `dumpsys` is the longest."""
_CHUNK = 1 << 18
_SYNC_CHUNK = 64 << 10
"""The most that the sync service takes at once."""
_GONE = ("not found", "offline", "unauthorized", "no devices", "authorizing", "no permissions")
LOST_HINT = "Check the cable or the network, and unlock the phone."


def server_port() -> int:
    """The port of the adb server, as adb itself finds it. Raises UnavailableError for one that is no number."""
    words = os.environ.get(PORT_VARIABLE, "")
    if words and not (words.isdecimal() and 0 < int(words) < 65536):
        raise UnavailableError(f"{PORT_VARIABLE} is {words!r}, which is no port.", hint="Give a number up to 65535.")
    return int(words or USUAL_PORT)


def quoted(*words: str) -> str:
    """A command for the device's shell: every word reaches the program as it is, whatever stands in it."""
    return shlex.join(words)


class AdbStream:
    """A connection to a service. One thread reads; `write` and `close` are called from any."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._closed = False

    def fileno(self) -> int:
        return self._socket.fileno()

    @property
    def closed(self) -> bool:
        return self._closed

    def waiting(self, seconds: float) -> bool:
        """Whether something can be read (the end too) before the time is up."""
        return self._closed or _ready(self._socket, seconds)

    def read(self, seconds: float, limit: int = _CHUNK) -> bytes:
        """What is there, b"" at the end. Raises DeviceTimeout."""
        if not self.waiting(seconds):
            raise DeviceTimeout(f"no answer from the device for {seconds:g} s", hint=LOST_HINT)
        try:
            return self._socket.recv(limit)
        except BlockingIOError:
            return self.read(seconds, limit)
        except OSError:  # closed by another thread, or cut
            return b""

    def read_exactly(self, count: int, seconds: float) -> bytes:
        """Raises DeviceTimeout, and DeviceError when it ends before."""
        until = time.monotonic() + seconds
        parts = bytearray()
        while len(parts) < count:
            chunk = self.read(until - time.monotonic(), count - len(parts))
            if not chunk:
                raise DeviceError("the connection ended in the middle of an answer")
            parts += chunk
        return bytes(parts)

    def read_all(self, seconds: float, limit: int = OUTPUT_LIMIT) -> bytes:
        """Read all bytes to the end. Raises DeviceTimeout, and DeviceError when it is longer than `limit`."""
        until = time.monotonic() + seconds
        parts = bytearray()
        while chunk := self.read(until - time.monotonic()):
            parts += chunk
            if len(parts) > limit:
                raise DeviceError(f"the device sends more than {limit >> 20} MB where less was due; it was cut off")
        return bytes(parts)

    def write(self, data: bytes, seconds: float = COMMAND_SECONDS) -> None:
        """Raises DeviceLost when the other side has gone, DeviceTimeout when it takes nothing."""
        view = memoryview(data)
        until = time.monotonic() + seconds
        while view:
            try:
                if not _ready(self._socket, until - time.monotonic(), write=True):
                    raise DeviceTimeout("the device takes no more data", hint=LOST_HINT)
                view = view[self._socket.send(view) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise DeviceLost("the connection to the device was cut", hint=LOST_HINT) from error

    def close(self) -> None:
        """Close the stream; a read that waits in another thread ends, too."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def _ready(connection: socket.socket, seconds: float, *, write: bool = False) -> bool:
    """Whether one can read (or write) before the time is up; an error counts as ready, the next call tells it."""
    seconds = max(seconds, 0.0)
    try:
        if not hasattr(select, "poll"):  # Windows
            reading, writing = ([], [connection]) if write else ([connection], [])
            return any(select.select(reading, writing, [], seconds))
        poll = select.poll()  # select() fails above 1024 open files
        poll.register(connection, select.POLLOUT if write else select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    except (OSError, ValueError):  # closed by another thread
        return True


def any_waiting(streams: Sequence[AdbStream], seconds: float) -> list[AdbStream]:
    """The streams that can be read (ended ones too), as soon as there is one; none when the time is up."""
    if len(streams) == 1:
        return list(streams) if streams[0].waiting(seconds) else []
    with selectors.DefaultSelector() as selector:
        try:
            for stream in streams:
                selector.register(stream, selectors.EVENT_READ)
            return [cast("AdbStream", key.fileobj) for key, _events in selector.select(max(seconds, 0.0))]
        except (OSError, ValueError):
            return [stream for stream in streams if stream.closed or stream.waiting(0)]


def ask(port: int, request: str, seconds: float = HOST_SECONDS) -> AdbStream:
    """The connection after the server said OKAY to `request`.

    Raises UnavailableError when no server runs, DeviceLost when the device it names is not usable, DeviceError for
    another refusal.
    """
    stream = _connected(port)
    try:
        _request(stream, request, seconds)
    except BaseException:
        stream.close()
        raise
    return stream


def answer(port: int, request: str, seconds: float = HOST_SECONDS) -> str:
    """The words that the server gives to `request`."""
    stream = ask(port, request, seconds)
    try:
        return read_words(stream, seconds)
    finally:
        stream.close()


def answers(port: int) -> bool:
    """Whether an adb server runs there."""
    try:
        return bool(answer(port, "host:version", 1.0))
    except (UnavailableError, DeviceError):
        return False


def read_words(stream: AdbStream, seconds: float) -> str:
    """A text with its length before it, behind a second OKAY in some services. Raises DeviceError behind a FAIL."""
    length = stream.read_exactly(4, seconds)
    if length == b"OKAY":
        length = stream.read_exactly(4, seconds)
    elif length == b"FAIL":
        raise DeviceError(read_words(stream, seconds).strip())
    try:
        count = int(length, 16)
    except ValueError:
        raise DeviceError("what answers is no adb server") from None
    return stream.read_exactly(count, seconds).decode("utf-8", "replace")


def _connected(port: int) -> AdbStream:
    try:
        connection = socket.create_connection((HOST, port), HOST_SECONDS)
    except OSError as error:
        reason = os.strerror(error.errno or errno.ECONNREFUSED).lower()
        raise UnavailableError(f"the adb server cannot be reached on port {port}: {reason}.") from error
    connection.setblocking(False)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return AdbStream(connection)


def _request(stream: AdbStream, request: str, seconds: float) -> None:
    words = request.encode("utf-8", "surrogateescape")
    stream.write(b"%04x" % len(words) + words, seconds)
    verdict = stream.read_exactly(4, seconds)
    if verdict == b"OKAY":
        return
    if verdict != b"FAIL":
        raise DeviceError("what answers is no adb server")
    reason = read_words(stream, seconds).strip()
    lost = any(word in reason for word in _GONE) or "device still" in reason
    kind = DeviceLost if lost else DeviceError
    raise kind(reason or "the adb server refused", hint=LOST_HINT if lost else "")


class AdbConnection:
    """One device by its serial. Every method may be called from any thread; `close` ends what they wait for."""

    def __init__(self, serial: str, port: int, revive: Callable[[], object] = lambda: None) -> None:
        """`revive` starts the adb server again, should it have ended."""
        self.serial = serial
        self._port, self._revive = port, revive
        self._open: set[AdbStream] = set()
        self._lock = threading.Lock()
        self._closed = False

    def open(self, service: str, seconds: float = COMMAND_SECONDS) -> AdbStream:
        """A connection to a service of the device. Raises DeviceLost, DeviceTimeout, DeviceError when it refuses."""
        self._check()
        try:
            stream = ask(self._port, f"host:transport:{self.serial}", seconds)
        except UnavailableError:
            self._revive()
            stream = ask(self._port, f"host:transport:{self.serial}", seconds)
        with self._lock:
            self._open = {known for known in self._open if not known.closed} | {stream}
        try:
            self._check()
            _request(stream, service, seconds)
        except BaseException as error:
            self.drop(stream)
            self._check()  # closed meanwhile: that is why
            if isinstance(error, DeviceError) and not isinstance(error, DeviceTimeout):
                self.check_there()  # a refusal may be the first sign of a loss
            raise
        return stream

    def drop(self, stream: AdbStream) -> None:
        stream.close()
        with self._lock:
            self._open.discard(stream)

    def run(self, command: str, *, seconds: float = COMMAND_SECONDS, limit: int = OUTPUT_LIMIT) -> bytes:
        """Output (errors among it) of a command of the device's shell; `quoted` makes one."""
        stream = self.open(f"exec:{command}", seconds)
        try:
            output = stream.read_all(seconds, limit)
        finally:
            self.drop(stream)
        self._check()
        if not output:  # nothing was said, or nobody is there to say it
            self.check_there()
        return output

    def text(self, command: str, *, seconds: float = COMMAND_SECONDS) -> str:
        """Output of a command as text, without the white space around it."""
        return self.run(command, seconds=seconds).decode("utf-8", "replace").strip()

    def state(self) -> str:
        """The server's word for the device: "device" is ready. Raises DeviceLost."""
        try:
            return answer(self._port, f"host-serial:{self.serial}:get-state")
        except UnavailableError as error:
            raise DeviceLost(error.message) from error

    def check_there(self) -> None:
        """Raise DeviceLost where the server has lost the device."""
        state = self.state()
        if state != "device":
            raise DeviceLost(f"the device is {state or 'gone'}", hint=LOST_HINT)

    def push(self, data: BinaryIO, path: str, progress: Callable[[int], object] = lambda sent: None) -> None:
        """Write a file of the device; `progress` is told the bytes that have gone."""
        stream = self.open("sync:")
        try:
            target = f"{path},{0o100644}".encode()
            stream.write(b"SEND" + struct.pack("<I", len(target)) + target)
            sent = 0
            while chunk := data.read(_SYNC_CHUNK):
                stream.write(b"DATA" + struct.pack("<I", len(chunk)) + chunk)
                sent += len(chunk)
                progress(sent)
            stream.write(b"DONE" + struct.pack("<I", int(time.time())))
            self._check_sent(stream, path)
        finally:
            self.drop(stream)

    def _check_sent(self, stream: AdbStream, path: str) -> None:
        verdict, length = struct.unpack("<4sI", stream.read_exactly(8, COMMAND_SECONDS))
        if verdict != b"OKAY":
            words = stream.read_exactly(min(length, 1024), COMMAND_SECONDS).decode("utf-8", "replace")
            raise DeviceError(f"the device does not take the file: {words}", place=path)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            streams, self._open = self._open, set()
        for stream in streams:
            stream.close()

    def _check(self) -> None:
        if self._closed:
            raise DeviceLost("the device was closed")
