"""Text typed on a device, in any script.

Android's `input text` knows the keys of a virtual keyboard alone, which are those of ASCII. Other text is pasted by
scrcpy's clipboard message, or handed to ADBKeyBoard, a keyboard that takes text over adb, where a person installed it.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator

from stepscope.core.device.adb import keys
from stepscope.core.device.adb.link import AdbConnection, quoted
from stepscope.core.device.adb.scrcpy import Scrcpy
from stepscope.core.device.adb.scrcpy_file import INSTALL
from stepscope.core.device.adb.scrcpy_messages import TEXT_BYTES
from stepscope.core.device.device import DeviceError

KEYBOARD = "com.android.adbkeyboard/.AdbIME"
LENGTH_LIMIT = 20_000
_PART = 120
"""Characters of one `input text`; more take long enough to look like a hang."""
_KEYBOARD_TRIES = 20
_KEYBOARD_PAUSE = 0.1
_IN_FRONT = ("settings", "get", "secure", "default_input_method")
_NO_WAY_HINT = (
    "Install scrcpy's server on this computer (" + INSTALL + "), or the app ADBKeyBoard on the device and choose it "
    "there once."
)


def pieces(text: str) -> Iterator[str]:
    """Lines, tabs and line ends apart, in order: "\\n" and "\\t" are pieces of their own."""
    line = ""
    for character in text.replace("\r\n", "\n").replace("\r", "\n"):
        if character in "\n\t":
            if line:
                yield line
            yield character
            line = ""
        else:
            line += character
    if line:
        yield line


def input_words(text: str, longest: int = _PART) -> Iterator[str]:
    """Arguments of `input text` that together type the ASCII `text`. That program turns "%s" into a space and knows no
    escape, so a space is sent as that, and a "%s" that is meant is divided between two arguments."""
    part, characters = "", 0
    for character in text:
        if characters >= longest or (character == "s" and part.endswith("%") and not part.endswith("%s")):
            yield part
            part, characters = "", 0
        part += "%s" if character == " " else character
        characters += 1
    if part:
        yield part


class TextInjector:
    """Types on one device; `control` gives scrcpy's control channel, or None: where it runs (False), or started for the
    purpose (True)."""

    def __init__(
        self,
        link: AdbConnection,
        control: Callable[[bool], Scrcpy | None],
        press: Callable[[str], object],
        run_input: Callable[..., object],
        closed: threading.Event,
    ) -> None:
        self._link, self._control, self._press, self._input, self._closed = link, control, press, run_input, closed

    def type(self, text: str) -> None:
        """Into the field that has the focus. Raises DeviceError for characters no key and no clipboard can give."""
        if len(text) > LENGTH_LIMIT:
            raise DeviceError(
                f"the text has {len(text)} characters, more than {LENGTH_LIMIT}", hint="Type less at once."
            )
        lines = list(pieces(text))
        strange = next((c for line in lines if line not in "\n\t" for c in line if c < " " or c == "\x7f"), "")
        if strange or any(0xD800 <= ord(c) < 0xE000 for c in text):
            raise DeviceError(f"the character {strange!r} cannot be typed" if strange else "the text is no whole text")
        for line in lines:
            if line == "\n":
                self._press("enter")
            elif line == "\t":
                self._press("tab")
            elif line.isascii():
                self._type_ascii(line)
            else:
                self._type_any(line)

    def _type_ascii(self, line: str) -> None:
        control = self._control(False)
        if control is not None:
            for start in range(0, len(line), TEXT_BYTES):
                control.text(line[start : start + TEXT_BYTES])
            return
        for words in input_words(line):
            self._input("text", words)

    def _type_any(self, line: str) -> None:
        control = self._control(True)
        if control is not None:
            control.paste(line)
            return
        if KEYBOARD not in self._link.text(quoted("ime", "list", "-s")).split():
            raise DeviceError("only ASCII text can be typed on this device as it is", hint=_NO_WAY_HINT)
        before = self._link.text(quoted(*_IN_FRONT))
        self._choose(KEYBOARD)
        try:
            message = base64.b64encode(line.encode()).decode()
            self._link.text(quoted("am", "broadcast", "-a", "ADB_INPUT_B64", "--es", "msg", message))
        finally:
            if before not in ("", "null", KEYBOARD):
                self._choose(before)

    def _choose(self, keyboard: str) -> None:
        """Put a keyboard in front and wait until it is there."""
        self._link.text(quoted("ime", "enable", keyboard))
        self._link.text(quoted("ime", "set", keyboard))
        for _ in range(_KEYBOARD_TRIES):
            if self._link.text(quoted(*_IN_FRONT)) == keyboard:
                return
            self._closed.wait(_KEYBOARD_PAUSE)
        raise DeviceError(f"the device does not change its keyboard to {keyboard}", hint=keys.ALLOW_HINT)
