"""The simulated phone: the sample apps drawn by QtWebEngine at phone size and touched by real mouse and key events.

Call `prepare_environment` before the first Qt object of the process: the flags that keep the pages off the network and
their pictures free of chance are read once, when the browser starts.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.device.dom import tree_from_dump
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from PySide6 import QtCore, QtTest
else:
    QtCore = lazy_module("PySide6.QtCore")
    QtTest = lazy_module("PySide6.QtTest")

APPS = Path(__file__).resolve().parent / "apps"
SIZE = Size(1080, 2400)
"""The screen of the shipped episodes; a phone may have another one of the same shape."""
CSS_WIDTH = 412
SYSTEM = "com.android.systemui:id/"
HOLD_MS = 650
SWIPE_MOVES = 10
TYPING_MS = 180
"""What one typed character takes on the phone's own clock."""

_FLAGS = (
    # An interceptor alone is no wall: preconnect and WebRTC go round it.
    "--proxy-server=127.0.0.1:9 --proxy-bypass-list=<-loopback> "
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp "
    # The same letters on every machine with the same libraries.
    "--font-render-hinting=none --disable-lcd-text --force-color-profile=srgb "
    # Drawing only what changed into an older picture shades slanted edges differently now and then.
    "--disable-partial-raster"
)
_MARK_COLOUR = "#01fe02"
_MARK = f"position:fixed;left:0;top:0;width:4px;height:4px;z-index:99;background:{_MARK_COLOUR}"
_WATCH = """(() => {
  const w = window.__watch = {down: 0, move: 0, up: 0, key: 0, at: 0};
  addEventListener('pointerdown', () => { w.down++; w.at = performance.now(); }, true);
  addEventListener('pointermove', () => { w.move++; }, true);
  addEventListener('pointerup', () => { w.up++; }, true);
  addEventListener('keyup', () => { w.key++; }, true);
})()"""


class PhoneError(RuntimeError):
    """The simulated phone did not do what was asked, or not in time."""


class PhoneTimeoutError(PhoneError):
    """Not in time: the page hangs, or the machine is very busy."""


def prepare_environment() -> None:
    """Browser flags, the offscreen platform when none is chosen, and no sandbox for root, who cannot have one."""
    flags = os.environ.get("QTWEBENGINE_CHROMIUM_FLAGS", "")
    if "--proxy-server" not in flags:
        os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = f"{flags} {_FLAGS}".strip()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_SCALE_FACTOR", "1")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")


class SimulatedPhone:
    """One phone with a screen of `size` pixels. Every method returns when the page has drawn what came of it.

    Whatever the size, the pages are laid out on 412 CSS pixels of width. Needs a QApplication. `close` it before the
    application ends.
    """

    def __init__(self, size: Size = SIZE) -> None:
        from PySide6.QtWebEngineWidgets import QWebEngineView

        from stepscope.resources.sample.browser import SampleProfile

        self.size = size
        self._scale = size.width / CSS_WIDTH
        self._view = QWebEngineView()
        self._profile = SampleProfile(APPS)
        self._page = self._profile.new_page(self._view)
        self._view.setPage(self._page)
        self._view.resize(size.width, size.height)
        self._view.loadFinished.connect(lambda _ok: self._view.setZoomFactor(self._scale))
        self._view.show()

    def close(self) -> None:
        """Page before profile, or the browser complains."""
        self._view.hide()
        self._page.deleteLater()
        self._view.deleteLater()
        _pump(0.05)
        self._profile.deleteLater()
        _pump(0.05)

    # --- what is on the screen -----------------------------------------------------------------------------------

    def open(self, app: str, **parameters: object) -> None:
        """Load the page of `app` (`clock`, `launcher`, …) with its URL parameters (`seed`, `theme`, `page`)."""
        url = QtCore.QUrl.fromLocalFile(str(APPS / app / "index.html"))
        query = QtCore.QUrlQuery()
        for name, value in parameters.items():
            query.addQueryItem(name, str(value))
        url.setQuery(query)
        self._script("window.stepscope && (window.stepscope.ready = false)")
        self._view.load(url)
        self._until_ready(app)

    def look(self) -> tuple[dict[str, Any], UITree]:
        """The app's own account of itself (page, dialog, keyboard, data, the phone's clock `elapsed` in ms), and what
        is on the screen, boxes in whole pixels of the screenshot."""
        state, dump = self._json("[stepscope.state(), stepscope.dump()]")
        return state, tree_from_dump(dump, self.size)

    def screenshot(self) -> bytes:
        """RGB pixels, row by row, of the picture of `size`.

        A mark is drawn into the corner and taken out again, and both must be seen: so the picture is no older than the
        call, whatever frames are still under way.
        """
        mark = f"Object.assign(document.createElement('i'), {{id: '__mark', style: '{_MARK}'}})"
        self._script(f"document.body.append({mark})")
        self._until_marked(True)
        self._script("document.getElementById('__mark').remove()")
        self._until_marked(False)
        return self._grab()

    # --- touching it ---------------------------------------------------------------------------------------------

    def tap(self, point: Point) -> None:
        self._touch(lambda: self._mouse("press", point), lambda: self._mouse("release", point))

    def long_press(self, point: Point) -> None:
        """Press and let go when the page itself has counted `HOLD_MS`, however busy the machine is."""

        def hold() -> None:
            self._until(f"performance.now() - __watch.at > {HOLD_MS}", "the long press to be counted")
            self._mouse("release", point)

        self._touch(lambda: self._mouse("press", point), hold, holds=True)

    def swipe(self, start: Point, end: Point) -> None:
        """A finger from `start` to `end`; each move waits until the page has seen the one before."""

        def move() -> None:
            for part in range(1, SWIPE_MOVES + 1):
                share = part / SWIPE_MOVES
                place = Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share, self.size)
                before = self._script("__watch.move")
                self._mouse("move", place)
                self._until(f"__watch.move > {before or 0}", "the finger to move")
            self._mouse("release", end)

        self._touch(lambda: self._mouse("press", start), move)

    def type_text(self, text: str, *, replace: bool = False) -> None:
        """Type into the focused field; `replace` takes out first what is in it."""
        if replace and not self._script("stepscope.clearText()"):
            raise PhoneError("no field has the focus")
        field = "(document.activeElement && document.activeElement.value)"
        before = self._script(field)
        if not isinstance(before, str):
            raise PhoneError("no field has the focus")
        if text.isascii():  # QTest ends the process at anything else
            QtTest.QTest.keyClicks(self._target(), text)
        else:
            self._script(f"stepscope.type({json.dumps(text)})")
        self._until(f"{field} === {json.dumps(before + text)}", f"{text!r} to be typed")
        self.pass_time(TYPING_MS * len(text))

    def enter(self) -> None:
        """The enter key of the keyboard."""
        before = self._script("__watch.key")
        QtTest.QTest.keyClick(self._target(), QtCore.Qt.Key.Key_Return)
        self._until(f"!window.__watch || __watch.key > {before}", "the key to arrive")
        self.settle()

    def back(self) -> None:
        self.tap(self._centre(SYSTEM + "back"))

    def home(self) -> None:
        self.tap(self._centre(SYSTEM + "home_button"))
        self._until_ready("launcher")

    def open_app(self, app: str) -> None:
        """Bring up `app` from wherever the phone is, as `adb` would start it; the clock runs on."""
        self._script(f"Shell.launch({json.dumps(app)})")
        self._until_ready(app)

    def pass_time(self, milliseconds: int) -> None:
        """Let the phone's own clock run on."""
        self._script(f"stepscope.tick({milliseconds})")

    def settle(self) -> None:
        """Wait until the page is loaded at its size; it then is what state and tree say, drawn or not."""
        ready = f"window.stepscope && stepscope.ready && innerWidth === {CSS_WIDTH}"
        self._until(f"{ready} && (window.__watch || {_WATCH} || true)", "the page to be ready")

    # --- inside ----------------------------------------------------------------------------------------------------

    def _touch(self, press: Callable[[], None], release: Callable[[], None], *, holds: bool = False) -> None:
        """Press, wait for the page to see it, release, wait again. A touch may bring up another page.

        Unless it `holds`, it is no long press even where the machine takes its time over it.
        """
        down, up, _ = self._json(f"[__watch.down, __watch.up, stepscope.holds = {json.dumps(holds)}]")
        press()
        self._until(f"__watch.down > {down}", "the touch to arrive")
        release()
        self._until(f"!window.__watch || __watch.up !== {up}", "the touch to end")
        self.settle()

    def _mouse(self, what: str, point: Point) -> None:
        place, target = QtCore.QPoint(round(point.x), round(point.y)), self._target()
        if what == "move":
            QtTest.QTest.mouseMove(target, place)
            return
        act = QtTest.QTest.mousePress if what == "press" else QtTest.QTest.mouseRelease
        act(target, QtCore.Qt.MouseButton.LeftButton, QtCore.Qt.KeyboardModifier.NoModifier, place)

    def _target(self) -> Any:
        return self._view.focusProxy() or self._view

    def _centre(self, resource_id: str) -> Point:
        place = self._json(f"stepscope.center({json.dumps(resource_id)})")
        if not place:
            raise PhoneError(f"{resource_id} is not on the screen")
        return Point(place[0] * self._scale, place[1] * self._scale, self.size)

    def _until_ready(self, app: str) -> None:
        self._until(
            f"document.documentElement?.dataset.app === {json.dumps(app)} && window.stepscope && stepscope.ready",
            f"{app} to load",
        )
        self.settle()

    def _until(self, condition: str, what: str, seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while self._script(f"Boolean({condition})") is not True:
            if time.monotonic() > end:
                raise PhoneTimeoutError(f"waited {seconds:g} s for {what}")
            _pump(0.004)

    def _until_marked(self, wanted: bool) -> None:
        end = time.monotonic() + 20
        while (self._view.grab(QtCore.QRect(1, 1, 1, 1)).toImage().pixelColor(0, 0).name() == _MARK_COLOUR) != wanted:
            if time.monotonic() > end:
                raise PhoneTimeoutError("waited 20 s for the page to be drawn")
            _pump(0.01)

    def _grab(self) -> bytes:
        from PySide6.QtGui import QImage

        image = self._view.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
        if (image.width(), image.height()) != (self.size.width, self.size.height):
            raise PhoneError(f"the picture has {image.width()} × {image.height()} pixels, not {self.size}")
        row, padded = self.size.width * 3, image.bytesPerLine()
        data = bytes(image.constBits())
        if padded == row:
            return data
        return b"".join(data[start : start + row] for start in range(0, len(data), padded))

    def _json(self, code: str) -> Any:
        text = self._script(f"JSON.stringify({code})")
        if not isinstance(text, str):
            raise PhoneTimeoutError(f"the page did not answer {code}")
        return json.loads(text)

    def _script(self, code: str, seconds: float = 10.0) -> Any:
        """The value of `code` in the page; None while it is between two pages."""
        loop, answer = QtCore.QEventLoop(), []

        def arrived(value: object) -> None:
            answer.append(value)
            loop.quit()

        self._page.runJavaScript(code, 0, arrived)
        if not answer:
            QtCore.QTimer.singleShot(int(seconds * 1000), loop, loop.quit)
            loop.exec()
        return answer[0] if answer else None


def _pump(seconds: float) -> None:
    """Let the event loop run for a while; nothing sleeps."""
    loop = QtCore.QEventLoop()
    QtCore.QTimer.singleShot(max(1, int(seconds * 1000)), loop.quit)
    loop.exec()
