"""What scrcpy's server 3.3.4 does on a phone, at the wire: a video socket with framed packets and a control socket.

After scrcpy's doc/develop.md. Only the forward tunnel, video and control; text of INJECT_TEXT is ASCII, as the keys of
a phone's virtual keyboard are; a touch that was meant for another size of the video is ignored.
"""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from stepscope.core.domain.action import LongPress, PressKey, Scroll, Swipe, Tap, Type
from stepscope.core.domain.geometry import Direction, Point, Size
from tests.device_side.keys import key_name
from tests.device_side.phone import Phone
from tests.device_side.screen_programs import LONG_PRESS_MS
from tests.device_side.shell import Run
from tests.device_side.transport import Stream, StreamClosedError
from tests.device_side.video import Meter, limited, pictures

VERSION = "3.3.4"
_CONFIG, _KEY = 1 << 63, 1 << 62
_H264 = int.from_bytes(b"h264", "big")
(
    _KEYCODE, _TEXT, _TOUCH, _SCROLL, _BACK, _NOTIFICATIONS, _QUICK_SETTINGS, _COLLAPSE, _GET_CLIPBOARD, _SET_CLIPBOARD,
    _DISPLAY_POWER, _ROTATE, _UHID_CREATE, _UHID_INPUT, _UHID_DESTROY, _HARD_KEYBOARD, _START_APP, _RESET_VIDEO,
) = range(18)  # fmt: skip
_DOWN, _UP = 0, 1
_SLOP = 16
"""Pixels within which a finger has not moved."""


def app_process(run: Run, words: list[str]) -> int:
    """`CLASSPATH=… app_process / com.genymobile.scrcpy.Server 3.3.4 name=value …`; other classes end at once."""
    if "com.genymobile.scrcpy.Server" not in words or run.variables.get("CLASSPATH") not in run.phone.files:
        run.complain("Error: could not find or load main class")
        return 1
    rest = words[words.index("com.genymobile.scrcpy.Server") + 1 :]
    if rest[:1] != [VERSION]:
        run.complain(f"[server] ERROR: The server version ({VERSION}) does not match the client ({rest[:1]})")
        return 1
    if run.phone.faults.no_scrcpy:
        run.complain("[server] ERROR: Could not create a virtual display for the mirror")
        return 1
    run.say(f"[server] INFO: Device: [Stepscope] stepscope {run.phone.model} (Android {run.phone.release})")
    return _Server(run, dict(word.partition("=")[::2] for word in rest[1:])).run()


class _Server:
    def __init__(self, run: Run, options: dict[str, str]) -> None:
        self._run, self._phone, self._options = run, run.phone, options
        scid = options.get("scid", "")
        self._name = f"scrcpy_{scid}" if scid and scid != "-1" else "scrcpy"
        self._accepted: list[Stream] = []
        self._over = threading.Event()
        self._size = Size(2, 2)
        self._again = False

    def run(self) -> int:
        wanted = [name for name in ("video", "audio", "control") if self._options.get(name, "true") == "true"]
        self._phone.sockets[self._name] = self._accept
        try:
            while len(self._accepted) < len(wanted):
                if self._run.gone():
                    return 1
                self._run.pause(0.05)
            del self._phone.sockets[self._name]
            self._serve(dict(zip(wanted, self._accepted, strict=False)))
        except StreamClosedError:
            pass
        finally:
            self._phone.sockets.pop(self._name, None)
            self._over.set()
        return 0

    def _accept(self, stream: Stream) -> None:
        """A connection to the abstract socket: held open until the server ends."""
        if not self._accepted and self._options.get("send_dummy_byte", "true") == "true":
            stream.write(b"\0")
        self._accepted.append(stream)
        self._phone.touch()
        self._over.wait()

    def _serve(self, streams: dict[str, Stream]) -> None:
        if self._options.get("send_device_meta", "true") == "true":
            name = self._phone.model.encode()[:63]
            next(iter(streams.values())).write(name.ljust(64, b"\0"))
        if "control" in streams:
            control = _Control(self._phone, streams["control"], self._run, lambda: self._size, self._reset)
            threading.Thread(target=control.run, daemon=True).start()
        if "video" in streams:
            self._video(streams["video"])
        else:
            while not self._run.gone() and not streams["control"].closed.is_set():
                self._run.pause(0.1)

    def _reset(self) -> None:
        self._again = True
        self._phone.touch()

    def _video(self, stream: Stream) -> None:
        meta = self._options.get("send_codec_meta", "true") == "true"
        framed = self._options.get("send_frame_meta", "true") == "true"
        rate, longest = int(self._options.get("video_bit_rate", 8_000_000)), int(self._options.get("max_size", 0))
        meter = Meter(self._phone)
        if self._phone.faults.scrcpy_says is not None:
            stream.write(self._phone.faults.scrcpy_says)
            return
        if self._phone.faults.video_garbage:
            self._garbage(stream)
            return
        while not stream.closed.is_set() and not self._run.gone():
            self._size, self._again = limited(self._phone.size, longest), False
            if meta:
                stream.write(struct.pack(">III", _H264, self._size.width, self._size.height))
                meta = False
            stop = lambda: stream.closed.is_set() or self._run.gone() or self._again  # noqa: E731
            for packet in pictures(self._phone, self._size, stop, rate, False):
                flags = _CONFIG if packet.is_config else packet.microseconds | (_KEY if packet.is_key else 0)
                head = struct.pack(">QI", flags, len(packet.data)) if framed else b""
                data, over = meter.pass_on(head + packet.data)
                stream.write(data)
                if over:
                    return

    def _garbage(self, stream: Stream) -> None:
        stream.write(struct.pack(">III", _H264, 1080, 2400))
        while True:
            stream.write(struct.pack(">QI", 0, 4096) + b"\0\0\0\1\x65" + b"\xa5" * 4091)


@dataclass
class _Finger:
    x: int
    y: int
    at: float = field(default_factory=time.monotonic)


class _Control:
    """Reads control messages and does what they say."""

    def __init__(
        self, phone: Phone, stream: Stream, run: Run, size: Callable[[], Size], reset: Callable[[], None]
    ) -> None:
        self._phone, self._stream, self._log, self._size, self._reset = phone, stream, run, size, reset
        self._fingers: dict[int, _Finger] = {}

    def run(self) -> None:
        try:
            while True:
                self._message(self._stream.read_exactly(1)[0])
        except (StreamClosedError, ValueError):
            return

    def _message(self, kind: int) -> None:
        phone = self._phone
        if kind == _KEYCODE:
            action, code, _repeat, _meta = self._numbers(">BIII")
            if action == _DOWN:
                phone.perform(PressKey(key_name(code)))
        elif kind == _TEXT:
            self._text(self._sized(">I").decode())
        elif kind == _TOUCH:
            self._touch(*self._numbers(">BQiiHHHII")[:6])
        elif kind == _SCROLL:
            self._scroll(*self._numbers(">iiHHhhI")[:6])
        elif kind == _BACK:
            if self._numbers(">B")[0] == _DOWN:
                phone.perform(PressKey("back") if phone.on else PressKey("power"))
        elif kind == _GET_CLIPBOARD:
            self._numbers(">B")
            self._tell_clipboard()
        elif kind == _SET_CLIPBOARD:
            self._set_clipboard()
        elif kind == _DISPLAY_POWER:
            self._numbers(">B")
        elif kind == _ROTATE:
            phone.rotate(0 if phone.turned else 1)
        elif kind == _START_APP:
            phone.start(self._sized(">B").decode())
        elif kind == _RESET_VIDEO:
            self._reset()
        elif kind not in (_NOTIFICATIONS, _QUICK_SETTINGS, _COLLAPSE, _HARD_KEYBOARD):
            raise ValueError(f"unknown control message {kind}")

    def _numbers(self, form: str) -> tuple[int, ...]:
        return struct.unpack(form, self._stream.read_exactly(struct.calcsize(form)))

    def _sized(self, form: str) -> bytes:
        return self._stream.read_exactly(self._numbers(form)[0])

    def _text(self, text: str) -> None:
        typed = "".join(c for c in text if c.isascii())
        for c in text:
            if not c.isascii():
                self._log.complain(f"[server] WARN: Could not inject char u+{ord(c):04x}")
        if typed:
            self._phone.perform(Type(typed))

    def _set_clipboard(self) -> None:
        sequence, paste = self._numbers(">QB")
        self._phone.clipboard = self._sized(">I").decode()
        if paste:
            self._phone.perform(Type(self._phone.clipboard))
        if sequence:
            self._stream.write(struct.pack(">BQ", 1, sequence))

    def _tell_clipboard(self) -> None:
        data = self._phone.clipboard.encode()
        self._stream.write(struct.pack(">BI", 0, len(data)) + data)

    def _touch(self, action: int, pointer: int, x: int, y: int, width: int, height: int) -> None:
        if (width, height) != (self._size().width, self._size().height):
            self._log.complain(
                f"[server] WARN: Ignore touch event, it was generated for a different device size {width}"
            )
            return
        if action == _DOWN:
            self._fingers[pointer] = _Finger(x, y)
        elif action == _UP and pointer in self._fingers:
            finger = self._fingers.pop(pointer)
            start, end = self._place(finger.x, finger.y), self._place(x, y)
            if abs(x - finger.x) + abs(y - finger.y) > _SLOP:
                self._phone.perform(Swipe(start, end))
            elif 1000 * (time.monotonic() - finger.at) >= LONG_PRESS_MS:
                self._phone.perform(LongPress(start))
            else:
                self._phone.perform(Tap(start))

    def _place(self, x: int, y: int) -> Point:
        video, screen = self._size(), self._phone.size
        return self._phone.point(x * screen.width / video.width, y * screen.height / video.height)

    def _scroll(self, x: int, y: int, _width: int, _height: int, horizontal: int, vertical: int) -> None:
        if abs(vertical) >= abs(horizontal):
            direction = Direction.UP if vertical > 0 else Direction.DOWN
        else:
            direction = Direction.LEFT if horizontal < 0 else Direction.RIGHT
        self._phone.perform(Scroll(direction, self._place(x, y)))
