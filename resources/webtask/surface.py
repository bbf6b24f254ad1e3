"""The page as it is drawn, and the hands and keys that go to it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QImage, QInputMethodEvent, QKeyEvent, QMouseEvent, QRegion, QWheelEvent
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QWidget

from stepscope.core.device.frames import Pixels
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.opencv import cv2
from stepscope.resources.sample.steps import Steps, Wait
from stepscope.resources.webtask.hand_ledger import HandLedger
from stepscope.resources.webtask.request_blocker import SCHEME, BlockedRequests, PageFiles, RequestBlocker
from stepscope.resources.webtask.webpage import PageProfile, WebPage

POLL_MS = 15
SETTLED_FRAMES = 2
LOADED_FRAMES = 1
"""After a page is loaded: what its scripts asked for in its first frame is done then, and all is in its place. Who
wants it drawn waits for that."""
DRAWN_FRAMES = 5
"""Where a page hides the mark by which a new picture is known: a frame is asked for, drawn, handed on and painted by
one after the other. Of 128 pictures of a busy machine 112 were stale after 2 frames, 1 after 3 and none after 4; one
more for good measure."""
MARK_MS = 500
"""So long the mark is waited for (ours): it takes 10 on a quiet machine, and 60 on a busy one."""
_Event = QEvent.Type
_MOUSE = {
    "press": _Event.MouseButtonPress,
    "release": _Event.MouseButtonRelease,
    "move": _Event.MouseMove,
    "double": _Event.MouseButtonDblClick,
}
_Button = Qt.MouseButton
_BUTTONS = {
    "left": _Button.LeftButton,
    "middle": _Button.MiddleButton,
    "right": _Button.RightButton,
    "none": _Button.NoButton,
}
_WHEEL_LINES = 6
"""A line of a wheel is 20 pixels to the browser, and 120 units of Qt are so many lines: then a unit is a pixel."""


class SurfaceError(RuntimeError):
    """What was asked could not be done; the words are for whoever asked."""


class Surface(QObject):
    """One view, and one page after the other in it. `viewport` is the picture's size in pixels; a CSS pixel is `scale`
    of them. Methods that return `Steps` are run one at a time by the caller."""

    repainted = Signal()
    """There may be a new picture."""
    pointing = Signal(str)
    told = Signal(dict)
    asked = Signal(str)
    left = Signal()
    crashed = Signal()

    def __init__(
        self, files: PageFiles, wall: RequestBlocker, refusals: BlockedRequests, viewport: Size, scale: float
    ) -> None:
        super().__init__()
        self.viewport, self.scale = viewport, scale
        self._files, self._wall, self._refusals = files, wall, refusals
        self._profile = PageProfile(refusals)
        self._profile.installUrlSchemeHandler(SCHEME.encode(), files)
        self._profile.setUrlRequestInterceptor(wall)
        self._view = QWebEngineView()
        QApplication.setWheelScrollLines(_WHEEL_LINES)
        self._view.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._page: WebPage | None = None
        self._pages = self._marks = 0
        self._loaded = self._drawing = self._marked = self._seen = False
        self._colour: int | None = None
        self._stands_until = 0.0
        self._buttons = _Button.NoButton
        self._hands = HandLedger()
        self._waiting: dict[int, Callable[[Any], None] | None] = {}
        self._on_load: Callable[[Any], None] | None = None
        self._on_paint: Callable[[], None] | None = None
        self._target: QWidget = self._view
        self._view.installEventFilter(self)
        self._view.resize(viewport.width, viewport.height)
        self._view.show()

    # --- pages ---------------------------------------------------------------------------------------------------

    def open(self, html: str, load_seconds: float) -> Steps:
        """A page of its own origin, so that it finds nothing that another one has left behind, at `viewport` and
        `scale`. Returns when it is loaded and has had a frame; one that still loads after `load_seconds` may do so."""
        if (old := self._page) is not None:
            old.retire()
        self._pages += 1
        address = QUrl(f"{SCHEME}://page{self._pages}/")
        self._wall.page, self._files.html = address, html.encode("utf-8", "replace")
        self._loaded = self._marked = False
        self._colour = None
        self._hands.clear()
        self._waiting.clear()
        page = self._page = WebPage(self._profile, address, self._refusals, self._view)
        page.told.connect(self._hear)
        page.asked.connect(self.asked)
        page.left.connect(self.left)
        page.loadFinished.connect(self._on_loaded)
        page.renderProcessTerminated.connect(lambda *_: self.crashed.emit())
        self._view.resize(self.viewport.width, self.viewport.height)
        self._view.setPage(page)
        page.setZoomFactor(self.scale)
        if old is not None:
            old.deleteLater()
        page.open()
        yield lambda resume: self._once_loaded(resume, load_seconds)
        self._loaded = True
        page.setZoomFactor(self.scale)
        self._find_target()
        if self.scale != 1:  # as which every page begins
            yield from self.call("setScale", self.scale)
        yield from self.settle(LOADED_FRAMES)

    def resize(self, viewport: Size, scale: float) -> Steps:
        self.viewport, self.scale = viewport, scale
        self._view.resize(viewport.width, viewport.height)
        if self._page is not None:
            self._page.setZoomFactor(scale)
            yield from self.call("setScale", scale)
            yield from self.settle()

    def call(self, name: str, argument: object = None) -> Steps:
        """A function of `page/calls.js`. Raises SurfaceError, in its words where it has any."""
        page = self._page
        if page is None:
            raise SurfaceError("There is no page.")
        answer = yield lambda resume: page.ask(name, argument, resume)
        if answer is None:
            raise SurfaceError("The page is not there.")
        if "error" in answer:
            raise SurfaceError(answer["error"] if answer["known"] else f"The page did not do it: {answer['error']}.")
        return answer["value"]

    def settle(self, frames: int = SETTLED_FRAMES) -> Steps:
        """Wait until the page has taken in what was done before the call: so many frames."""
        self._marks += 1
        mark = self._marks
        self._waiting[mark] = None  # it may be told before the call is answered
        try:
            yield from self.call("painted", {"number": mark, "frames": frames})
            if mark in self._waiting:
                yield lambda resume: self._waiting.__setitem__(mark, resume)
        finally:
            self._waiting.pop(mark, None)

    def drawn(self, how: dict[str, Any] | None = None, corner: tuple[int, int] | None = None) -> Steps:
        """Wait until the picture shows the page as it is at the call, or later. `how` is done to it before, by `show`
        in `page/picture.js`; returned is where the page then stands. What is done to a page is drawn in its order: a
        picture with a mark that is set now has all that was before, and one that has lost the mark again is whole. Who
        wants `corner` of the page for the first pixel waits for that one only where the page stands there; else
        `unmark`. Where a page hides the mark, it is `DRAWN_FRAMES`."""
        colour = self._colour = secrets.randbelow(1 << 24)
        self._marked, self._seen = True, False
        try:
            answer = yield from self.call("show", {**(how or {}), "colour": f"#{colour:06x}"})
        except SurfaceError:  # whether it has the mark is not known: pictures of it are told as they come
            self._marked, self._colour = False, None
            raise
        seen = self._seen = answer["marked"] and (yield from self._corner(lambda now: now == colour))
        x, y = answer["at"]
        if seen and corner not in (None, (round(x), round(y))):
            return x, y
        yield from self.unmark()
        if not (seen and (yield from self._corner(lambda now: now != colour))):
            yield from self.settle(DRAWN_FRAMES)
        self._colour = None
        self.repainted.emit()
        return x, y

    def unmark(self) -> Steps:
        self._unmarked()
        yield from self.call("mark", None)

    def heard(self) -> Steps:
        """Wait until the page has heard of all clicks and keys that were sent before the call."""
        yield from self._hands.heard(lambda: self.call("counts"), self.pause(POLL_MS))

    def pause(self, milliseconds: int) -> Wait:
        return lambda resume: QTimer.singleShot(milliseconds, lambda: resume(None))

    # --- pictures ------------------------------------------------------------------------------------------------

    @property
    def drawable(self) -> bool:
        return self._page is not None and self._loaded and not self._marked and not self._shows_mark()

    def draw(self, pixels: Pixels) -> None:
        """What is on the screen, into height × width × 4 bytes (blue, green, red, unused)."""
        height, width = pixels.shape[:2]
        image = QImage(pixels.data.cast("B"), width, height, width * 4, QImage.Format.Format_RGB32)
        self._drawing = True
        try:
            self._view.render(image, QPoint(), QRegion(QRect(0, 0, width, height)), QWidget.RenderFlag.DrawChildren)
        finally:
            self._drawing = False

    def screen(self) -> Pixels:
        pixels = np.zeros((self.viewport.height, self.viewport.width, 4), np.uint8)
        self.draw(pixels)
        return pixels

    # --- hands ---------------------------------------------------------------------------------------------------

    def mouse(self, what: str, x: float, y: float, button: str = "left", modifiers: int = 0) -> None:
        one = _BUTTONS[button] if what != "move" else _Button.NoButton
        if what in ("press", "double"):
            self._buttons |= one
        elif what == "release":
            self._buttons &= ~one
        self._view.setFocus()
        point = QPointF(x, y)
        keys = Qt.KeyboardModifier(modifiers)
        if what == "release":
            self._hands.sent("up")
        self._send(QMouseEvent(_MOUSE[what], point, self._global(point), one, self._buttons, keys))

    def wheel(self, x: float, y: float, dx: float, dy: float, modifiers: int = 0) -> None:
        point, way = QPointF(x, y), QPoint(round(-dx), round(-dy))
        keys, phase = Qt.KeyboardModifier(modifiers), Qt.ScrollPhase.NoScrollPhase
        self._hands.sent_as_one("wheel")
        self._send(QWheelEvent(point, self._global(point), way, way, _Button.NoButton, keys, phase, False))

    def key(self, what: str, key: int, text: str = "", modifiers: int = 0) -> None:
        self._view.setFocus()
        kind = _Event.KeyPress if what == "press" else _Event.KeyRelease
        if what == "release":
            self._hands.sent("key")
        self._send(QKeyEvent(kind, key, Qt.KeyboardModifier(modifiers), text))

    def write(self, text: str) -> None:
        """As an input method commits it: keys know no other letters than their own. It ends as there with the release
        of a key that has no name, by which it is known that the page has the text."""
        self._view.setFocus()
        event = QInputMethodEvent()
        event.setCommitString(text)
        self._send(event)
        self.key("release", int(Qt.Key.Key_unknown))

    # --- inside ----------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Every picture that the browser has finished is painted by the target once; but not onto a window that
        nobody sees."""
        if watched is self._view:
            if event.type() == _Event.CursorChange:
                self.pointing.emit(self._view.cursor().shape().name)
            return False
        if event.type() != _Event.Paint or self._drawing:
            return False
        if self._on_paint is not None:
            QTimer.singleShot(0, self._on_paint)  # no page is told anything from within its painting
        if not self._marked:
            self.repainted.emit()
        return True

    def _corner(self, fact: Callable[[int], bool]) -> Steps:
        """Wait until the picture's first pixel is as `fact` says. False if it is not in time."""

        def wait(resume: Callable[[Any], None]) -> None:
            def look() -> None:
                if fact(self._shade()):
                    resume(True)

            self._on_paint = look
            QTimer.singleShot(MARK_MS, lambda: resume(False))
            look()  # it may be there already

        try:
            return (yield wait)
        finally:
            self._on_paint = None

    def _unmarked(self) -> None:
        self._marked, self._stands_until = False, time.monotonic() + MARK_MS / 1000

    def _shows_mark(self) -> bool:
        """Whether the picture still has the mark that was taken away, or may get it: it loses it a picture or two
        later."""
        lost = self._seen and self._shade() != self._colour
        if lost or time.monotonic() > self._stands_until:
            self._colour = None
        return self._colour is not None

    def _shade(self) -> int:
        """Of the picture's first pixel, as 0xRRGGBB."""
        pixel = np.zeros((1, 1, 4), np.uint8)
        self.draw(pixel)
        blue, green, red = (int(part) for part in pixel[0, 0, :3])
        return red << 16 | green << 8 | blue

    def _hear(self, what: dict[str, Any]) -> None:
        if self.sender() is not self._page:
            return
        if "painted" in what:
            if resume := self._waiting.pop(what["painted"], None):
                resume(None)
        else:
            self.told.emit(what)

    def _once_loaded(self, resume: Callable[[Any], None], seconds: float) -> None:
        self._on_load = resume
        QTimer.singleShot(round(seconds * 1000), lambda: resume(None))

    def _on_loaded(self) -> None:
        if self.sender() is self._page and self._on_load is not None:
            resume, self._on_load = self._on_load, None
            resume(None)

    def _find_target(self) -> None:
        target = self._view.focusProxy() or self._view
        if target is not self._target:
            self._target = target
            target.installEventFilter(self)

    def _global(self, point: QPointF) -> QPointF:
        return QPointF(self._target.mapToGlobal(point))

    def _send(self, event: QEvent) -> None:
        QApplication.sendEvent(self._target, event)


def png(pixels: Pixels) -> bytes:
    """Height × width × 4 bytes (blue, green, red, unused) as a PNG file. Of web pages, level 1 without filters takes
    two fifths of the time of Qt's writer at the same level, and a tenth fewer bytes."""
    how = (cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE)
    done, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), how)
    if not done:
        raise SurfaceError("The picture could not be written.")
    return data.tobytes()
