"""The simulated phone as a device that runs by itself: its clock goes on, touches take their time, and whoever watches
is told of every repaint. Nothing here waits in a loop of its own: work is written as steps (see `steps`).

Call `phone.prepare_environment` before the first Qt object of the process.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt, QTimer, QUrl, QUrlQuery, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QRegion
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QWidget

from stepscope.core.device.frames import Pixels
from stepscope.core.domain.geometry import Size
from stepscope.resources.sample.browser import SampleProfile
from stepscope.resources.sample.phone import APPS, CSS_WIDTH, SIZE, PhoneError, PhoneTimeoutError
from stepscope.resources.sample.steps import Steps, Wait

POLL_MS = 4
MOVE_MS = 12
"""Between two places of a moving finger: more often than any screen shows."""
PATIENCE_SECONDS = 20.0
_MARK_SECONDS = 0.5
_BEACON_PIXELS = 6
_BEACON_BLUE = 254
_KEY_TEXTS = {Qt.Key.Key_Return: "\r", Qt.Key.Key_Tab: "\t"}
_INSTALL = """(() => {
  const w = window.__watch = {down: 0, up: 0, key: 0, at: 0};
  addEventListener('pointerdown', () => { w.down++; w.at = performance.now(); }, true);
  addEventListener('pointerup', () => { w.up++; }, true);
  addEventListener('keyup', () => { w.key++; }, true);
  w.beacon = document.createElement('i');
  w.beacon.style = 'position:fixed;left:0;top:0;width:2px;height:2px;z-index:99;pointer-events:none';
  document.body.append(w.beacon);
  return true;
})()"""


class LivePhone(QObject):
    """A phone of 1080 × 2400 pixels, upright at first. `repainted` is called when there may be a new picture.

    `size` is that of the screen as it is turned, `on` whether it is lit. Methods that return `Steps` are run one at a
    time by the caller; they raise PhoneError in words.
    """

    left = Signal()
    """The page gives way to another one: `settle`, and there are pictures again."""
    crashed = Signal()
    """The page's process has ended, and whoever waits for its answer waits in vain: `open` another one."""

    def __init__(self, repainted: Callable[[], object]) -> None:
        super().__init__()
        self.size, self.on = SIZE, True
        self._repainted = repainted
        self._scale = SIZE.width / CSS_WIDTH
        self._loading = True
        self._dead = self._drawing = False
        self._beacon = 0
        self._on_paint: list[Callable[[Any], None]] = []
        self._view = QWebEngineView()
        self._profile = SampleProfile(APPS)
        self._page = self._profile.new_page(self._view)
        self._view.setPage(self._page)
        self._view.resize(SIZE.width, SIZE.height)
        self._page.loadStarted.connect(self._on_load_started)
        self._page.renderProcessTerminated.connect(self._on_crash)
        self._page.loadFinished.connect(lambda _ok: self._view.setZoomFactor(self._scale))
        self._watched: QWidget | None = None
        self._view.show()

    # --- what is on the screen -----------------------------------------------------------------------------------

    @property
    def drawable(self) -> bool:
        """Whether a page stands there at its size; between two pages there is nothing worth a picture."""
        return not self._loading

    def draw(self, pixels: Pixels) -> None:
        """The picture now, into height × width × 4 bytes (blue, green, red, unused)."""
        if not self.on:
            pixels[:] = (0, 0, 0, 255)
            return
        self._render(pixels, QRect(0, 0, self.size.width, self.size.height))
        # The mark that tells how fresh a picture is goes under what lies beside it.
        pixels[:_BEACON_PIXELS, :_BEACON_PIXELS] = pixels[:_BEACON_PIXELS, _BEACON_PIXELS : 2 * _BEACON_PIXELS]

    def freshen(self) -> Steps:
        """Wait until `draw` gives a picture no older than the call: a mark in the corner is changed, and seen."""
        yield from self.settle()
        if self.on:
            yield from self._drawn()

    def tree(self) -> Steps:
        """The page's account of itself (see `core.device.dom`)."""
        yield from self.settle()
        return (yield from self._json("stepscope.dump()"))

    def state(self) -> Steps:
        """The app's own account of itself: page, dialog, keyboard, data."""
        yield from self.settle()
        return (yield from self._json("stepscope.state()"))

    def foreground(self) -> Steps:
        yield from self.settle()
        return (yield from self._json("Shell.pkg + '/' + Shell.page.name"))

    def apps(self) -> Steps:
        """Pairs of package and title."""
        yield from self.settle()
        apps = yield from self._json("APPS")
        return [[f"com.stepscope.sample.{name}", app["title"]] for name, app in apps.items()]

    # --- the phone itself ----------------------------------------------------------------------------------------

    def open(self, app: str = "launcher", **parameters: object) -> Steps:
        """Load the page of `app` anew, with its URL parameters (`seed`, `theme`, `page`)."""
        url, query = QUrl.fromLocalFile(str(APPS / app / "index.html")), QUrlQuery()
        for name, value in {**parameters, "live": 1}.items():
            query.addQueryItem(name, str(value))
        url.setQuery(query)
        if not self._dead:  # else no answer would come
            yield self._script("window.stepscope && (stepscope.ready = false)")
        self._loading, self._dead = True, False
        self._view.load(url)
        yield from self._until_in(app)

    def launch(self, app: str) -> Steps:
        """Bring up `app` by its short name, as adb would start it; the phone's clock runs on."""
        yield self._script(f"Shell.launch({json.dumps(app)})")
        yield from self._until_in(app)

    def rotate(self) -> Steps:
        """By a quarter, or back upright."""
        yield from self.settle()
        self.size = Size(self.size.height, self.size.width)
        self._loading = True
        self._view.resize(self.size.width, self.size.height)
        yield from self.settle()

    def power(self, on: bool) -> None:
        self.on = on
        self._repainted()

    # --- touching it ---------------------------------------------------------------------------------------------

    def press(self, x: float, y: float, milliseconds: int = 0) -> Steps:
        """A finger down at a place in pixels, and up after `milliseconds`."""
        yield from self._touch([(x, y)], milliseconds, hold=0)

    def move(self, start: tuple[float, float], end: tuple[float, float], milliseconds: int, hold: int = 0) -> Steps:
        """A finger down, at rest for `hold`, then moving in a straight line for `milliseconds`, and up."""
        yield from self._touch([start, end], milliseconds, hold)

    def type_text(self, text: str) -> Steps:
        """Into the field with the focus, behind what is in it, as the keyboard would."""
        yield from self.settle()
        if not (yield self._script(f"stepscope.type({json.dumps(text)})")):
            raise PhoneError("No field has the focus. Tap a field first.")

    def call(self, code: str) -> Steps:
        """Run `code` in the page that stands there, and give its value."""
        yield from self.settle()
        return (yield self._script(code))

    def key(self, key: Qt.Key) -> Steps:
        """A key of a keyboard, pressed and let go; it goes to the field with the focus."""
        yield from self.settle()
        before = yield self._script("__watch.key")
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            text = _KEY_TEXTS.get(key, "")
            QApplication.sendEvent(self._target(), QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))
        yield from self._until(f"!window.__watch || __watch.key !== {before}", "the key to arrive")

    def pause(self, milliseconds: int) -> Steps:
        yield self._pause(milliseconds)

    def settle(self) -> Steps:
        """Wait until a page stands there, loaded and at its size, and is drawn."""
        yield from self._until_ready()
        if self._watched is not (target := self._target()):
            self._watched = target
            target.installEventFilter(self)
        if self._loading:
            yield from self._drawn()
            self._loading = False
            self._repainted()

    def close(self) -> None:
        """Page before profile, or the browser complains."""
        self._view.hide()
        self._page.deleteLater()
        self._view.deleteLater()

    # --- inside ----------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Every picture that the browser has finished is painted by this widget once; but not onto a window that
        nobody sees."""
        if event.type() != QEvent.Type.Paint or self._drawing:
            return False
        waiting, self._on_paint = self._on_paint, []
        for resume in waiting:
            QTimer.singleShot(0, lambda resume=resume: resume(None))
        self._repainted()
        return True

    def _touch(self, places: list[tuple[float, float]], milliseconds: int, hold: int) -> Steps:
        yield from self.settle()
        (start, end), moving = (places[0], places[-1]), len(places) > 1
        down, up = yield from self._json("[__watch.down, __watch.up]")
        self._mouse(QEvent.Type.MouseButtonPress, start)
        if moving or milliseconds:  # the time counts from when the page has felt the finger
            yield from self._until(f"!window.__watch || __watch.down > {down}", "the touch to arrive")
        if hold:
            yield self._pause(hold)
            yield from self._counted(hold)
        begun = time.monotonic()
        while (share := (time.monotonic() - begun) * 1000 / max(milliseconds, 1)) < 1:
            if moving:
                self._mouse(QEvent.Type.MouseMove, _between(start, end, share))
            yield self._pause(MOVE_MS if moving else max(1, round((1 - share) * milliseconds)))
        if moving:
            self._mouse(QEvent.Type.MouseMove, end)
        elif milliseconds:
            yield from self._counted(milliseconds)
        self._mouse(QEvent.Type.MouseButtonRelease, end)
        yield from self._until(f"!window.__watch || __watch.up !== {up}", "the touch to end")

    def _counted(self, milliseconds: int) -> Steps:
        """Wait until the page's own clock, by which it knows a long press, says that the finger is down for so long."""
        held = f"performance.now() - __watch.at >= {milliseconds}"
        yield from self._until(f"!window.__watch || {held}", "the touch to be counted")

    def _mouse(self, kind: QEvent.Type, place: tuple[float, float]) -> None:
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        button = none if kind == QEvent.Type.MouseMove else left
        buttons = none if kind == QEvent.Type.MouseButtonRelease else left
        point, target = QPointF(*place), self._target()
        event = QMouseEvent(
            kind, point, QPointF(target.mapToGlobal(point)), button, buttons, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(target, event)

    def _target(self) -> QWidget:
        return self._view.focusProxy() or self._view

    def _on_load_started(self) -> None:
        self._loading = True
        self.left.emit()

    def _on_crash(self) -> None:
        self._loading = self._dead = True
        self.crashed.emit()

    def _until_ready(self) -> Steps:
        width = self.size.width / self._scale
        ready = f"window.stepscope && stepscope.ready && Math.abs(innerWidth - {width}) < 1"
        yield from self._until(f"{ready} && Boolean(window.__watch || {_INSTALL})", "the page to be ready")

    def _drawn(self) -> Steps:
        """Change the mark in the corner, and wait until it is seen: then all is that was there before. Another page may
        have taken the mark away with it: then it is set again."""
        self._beacon = self._beacon % 250 + 1
        colour = f"rgb({self._beacon},2,{_BEACON_BLUE})"
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            yield from self._until_ready()
            yield self._script(f"window.__watch && (__watch.beacon.style.background = {json.dumps(colour)})")
            again = time.monotonic() + _MARK_SECONDS
            while time.monotonic() < again:
                if self._beacon_seen() == self._beacon:
                    return
                yield self._paint_or(20)
        raise PhoneTimeoutError("the page was not drawn in time")

    def _until_in(self, app: str) -> Steps:
        here = f"document.documentElement?.dataset.app === {json.dumps(app)} && window.stepscope && stepscope.ready"
        yield from self._until(here, f"{app} to load")
        yield from self.settle()

    def _until(self, condition: str, what: str) -> Steps:
        end = time.monotonic() + PATIENCE_SECONDS
        while (yield self._script(f"Boolean({condition})")) is not True:
            if time.monotonic() > end:
                raise PhoneTimeoutError(f"waited {PATIENCE_SECONDS:g} s for {what}")
            yield self._pause(POLL_MS)

    def _json(self, code: str) -> Steps:
        text = yield self._script(f"JSON.stringify({code})")
        if not isinstance(text, str):
            raise PhoneTimeoutError("the page did not answer")
        return json.loads(text)

    def _script(self, code: str) -> Wait:
        """The value of `code` in the page; None while it is between two pages."""
        return lambda resume: self._page.runJavaScript(code, 0, resume)

    def _pause(self, milliseconds: int) -> Wait:
        return lambda resume: QTimer.singleShot(milliseconds, lambda: resume(None))

    def _paint_or(self, milliseconds: int) -> Wait:
        """The next paint, or so long."""

        def wait(resume: Callable[[Any], None]) -> None:
            self._on_paint.append(resume)
            QTimer.singleShot(milliseconds, lambda: resume(None))

        return wait

    def _beacon_seen(self) -> int:
        """What the mark in the corner tells, -1 without one."""
        import numpy as np

        pixel = np.zeros((1, 1, 4), np.uint8)
        self._render(pixel, QRect(1, 1, 1, 1))
        blue, green, red = (int(value) for value in pixel[0, 0, :3])
        return red if (green, blue) == (2, _BEACON_BLUE) else -1

    def _render(self, pixels: Pixels, part: QRect) -> None:
        height, width = pixels.shape[:2]
        image = QImage(pixels.data.cast("B"), width, height, width * 4, QImage.Format.Format_RGB32)
        self._drawing = True
        try:
            self._view.render(image, QPoint(), QRegion(part), QWidget.RenderFlag.DrawChildren)
        finally:
            self._drawing = False


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
