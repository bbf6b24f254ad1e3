"""Control messages of scrcpy 3.3, as its server reads them: big-endian, a byte of kind first."""

from __future__ import annotations

import struct

from stepscope.core.domain.geometry import Size

TOUCH_DOWN, TOUCH_UP, TOUCH_MOVE = 0, 1, 2
KEY_DOWN, KEY_UP = 0, 1
TEXT_BYTES = 300
CLIPBOARD_BYTES = (1 << 18) - 14
ACK_CLIPBOARD = 1
_KEYCODE, _TEXT, _TOUCH, _SET_CLIPBOARD = 0, 1, 2, 9
RESET_VIDEO = b"\x11"
"""The encoder begins anew, with parameters and a key picture."""
_FINGER = -2 & 0xFFFFFFFFFFFFFFFF
"""The pointer that stands for a finger of no number."""


def touch(action: int, x: float, y: float, size: Size) -> bytes:
    """A finger at (x, y) in pixels of a video of `size`; the server drops it when its video has another size."""
    pressure = 0 if action == TOUCH_UP else 0xFFFF
    return struct.pack(
        ">BBQiiHHHII", _TOUCH, action, _FINGER, round(x), round(y), size.width, size.height, pressure, 0, 0
    )


def key(code: int) -> bytes:
    """A key of Android's number pressed and let go."""
    return b"".join(struct.pack(">BBIII", _KEYCODE, action, code, 0, 0) for action in (KEY_DOWN, KEY_UP))


def text(words: str) -> bytes:
    """Characters that the phone's virtual keyboard has, at most `TEXT_BYTES` of UTF-8."""
    data = words.encode()
    if len(data) > TEXT_BYTES:
        raise ValueError(f"{len(data)} bytes are too many for one message")
    return struct.pack(">BI", _TEXT, len(data)) + data


def clipboard(sequence: int, words: str, *, paste: bool) -> bytes:
    """Text into the clipboard and, with `paste`, out of it into the field that has the focus. The server answers with
    `sequence` unless that is 0."""
    data = words.encode()
    if len(data) > CLIPBOARD_BYTES:
        raise ValueError(f"{len(data)} bytes are too many for the clipboard")
    return struct.pack(">BQ?I", _SET_CLIPBOARD, sequence, paste, len(data)) + data
