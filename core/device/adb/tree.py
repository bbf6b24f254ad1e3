"""The UI tree by Android's `uiautomator dump`.

The tool waits until the screen rests and gives up after some ten seconds ("could not get idle state"); it writes into a
file, or through `/dev/tty` straight to us, with a sentence of its own behind the XML.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from stepscope.core.device.adb.link import AdbConnection, quoted
from stepscope.core.device.device import DeviceTimeout, UITreeUnavailableError
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError

Parse = Callable[[bytes, Size], UITree]
"""The tree out of a dump's XML, for a screen of the given size. Raises UserError for what is none."""

SECONDS = 20.0
LIMIT = 16 << 20
TRIES = 3
_PAUSE = 0.4
_FILE = "/data/local/tmp/stepscope-window.xml"
_START, _END = b"<?xml", b"</hierarchy>"
_NEVER_RESTS = (
    "The screen does not come to rest: something on it moves all the time. Pause the video or the animation, or work "
    "from the picture alone."
)
_NO_ROOT = "The app in front gives no UI tree (a game, a video, a protected window). Work from the picture alone."


class Dumper:
    """Dumps of one device; one at a time."""

    def __init__(self, link: AdbConnection, parse: Parse, closed: threading.Event, seconds: float = SECONDS) -> None:
        self._link, self._parse, self._closed, self._seconds = link, parse, closed, seconds
        self._by_file = False

    def tree(self, size: Size) -> UITree:
        """Raises NoTree when there is none after some tries, DeviceTimeout, DeviceLost."""
        problem = ""
        for attempt in range(TRIES):
            if attempt:
                self._closed.wait(_PAUSE)
            output = self._dump()
            start, end = output.find(_START), output.rfind(_END)
            if 0 <= start < end:
                return self._parsed(output[start : end + len(_END)], size)
            problem = self._complaint(output)
        raise UITreeUnavailableError(problem)

    def _parsed(self, xml: bytes, size: Size) -> UITree:
        try:
            return self._parse(xml, size)
        except UserError as error:
            raise UITreeUnavailableError(
                f"the UI tree that the device sends cannot be read: {error.message}"
            ) from error

    def _dump(self) -> bytes:
        if not self._by_file:
            output = self._run(quoted("uiautomator", "dump", "/dev/tty"))
            if _START in output or b"ERROR" in output:
                return output
            self._by_file = b"/dev/tty" in output  # it wrote, but not to us
        words = self._run(quoted("uiautomator", "dump", _FILE))
        if b"ERROR" in words or _FILE.encode() not in words:
            return words
        return self._run(f"{quoted('cat', _FILE)}; {quoted('rm', '-f', _FILE)}")

    def _run(self, command: str) -> bytes:
        try:
            return self._link.run(command, seconds=self._seconds, limit=LIMIT)
        except DeviceTimeout as error:
            raise DeviceTimeout(f"no UI tree came within {self._seconds:g} s") from error

    def _complaint(self, output: bytes) -> str:
        if b"idle state" in output:
            return _NEVER_RESTS
        if b"null root node" in output:
            return _NO_ROOT
        if _START in output:
            return "The UI tree that the device sends is cut off."
        lines = output[-500:].decode("utf-8", "replace").strip().splitlines()
        return f"The device gives no UI tree: {lines[-1] if lines else 'it says nothing'}"
