"""A page view of a known size with a page whose pixels are known, for the tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QImage, QInputMethodEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Box, Size
from stepscope.widgets.screen.picture import memory_of
from stepscope.widgets.webtask import PageFieldMark, PageView

VIEW = (632, 432)
"""Margins of 16 leave a page of 600 × 400 at 100 %, whose first pixel is at (16, 16)."""
PAGE = Size(600, 1500)
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
Pixels = NDArray[np.uint8]


def blank(width: int = 600, height: int = 400, grey: int = 255) -> Pixels:
    return np.full((height, width, 4), grey, np.uint8)


def noise(width: int = 600, height: int = 400) -> Pixels:
    return np.random.default_rng(5).integers(0, 255, (height, width, 4), np.uint8)


def box(left: float, top: float, right: float, bottom: float) -> Box:
    """In pixels of the document."""
    return Box(left, top, right, bottom, PAGE)


def marks() -> list[PageFieldMark]:
    """Two fields that are seen and one further down."""
    return [
        PageFieldMark(1, "sentence", box(100, 50, 500, 110)),
        PageFieldMark(2, "reasons", box(100, 200, 300, 240)),
        PageFieldMark(3, "sure", box(100, 900, 300, 940)),
    ]


def shown(qtbot: QtBot, widget: QWidget, size: tuple[int, int] = VIEW) -> None:
    qtbot.addWidget(widget)
    widget.resize(*size)
    with qtbot.waitExposed(widget):
        widget.show()


def page_view(qtbot: QtBot, pixels: Pixels | None = None, size: tuple[int, int] = VIEW) -> PageView:
    view = PageView()
    shown(qtbot, view, size)
    view.show_picture(blank() if pixels is None else pixels)
    view.set_marks(marks())
    return view


def seen(view: QWidget) -> Pixels:
    """The view's pixels: height × width × blue, green, red, –."""
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    view.render(image)
    return memory_of(image).copy()


def colour_at(pixels: Pixels, x: int, y: int) -> str:
    blue, green, red = (int(value) for value in pixels[y, x, :3])
    return f"#{red:02X}{green:02X}{blue:02X}"


def heard(signal: object) -> list[tuple[object, ...]]:
    """All that a signal says from now on."""
    said: list[tuple[object, ...]] = []
    signal.connect(lambda *values: said.append(values))  # type: ignore[attr-defined]
    return said


def hands(view: PageView) -> list[object]:
    """All that goes to the page from now on."""
    said: list[object] = []
    view.hand.connect(said.append)
    return said


def mouse(
    view: QWidget, kind: QEvent.Type, x: float, y: float, button: Qt.MouseButton = LEFT,
    modifiers: Qt.KeyboardModifier = PLAIN,
) -> None:  # fmt: skip
    held = NONE if kind == QEvent.Type.MouseButtonRelease else button
    told = NONE if kind == QEvent.Type.MouseMove else button
    place = QPointF(x, y)
    QApplication.sendEvent(view, QMouseEvent(kind, place, view.mapToGlobal(place), told, held, modifiers))


def click(view: QWidget, x: float, y: float, button: Qt.MouseButton = LEFT) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, x, y, button)
    mouse(view, QEvent.Type.MouseButtonRelease, x, y, button)


def move(view: QWidget, x: float, y: float, button: Qt.MouseButton = NONE) -> None:
    mouse(view, QEvent.Type.MouseMove, x, y, button)


def key(view: QWidget, code: int, text: str = "", modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyPress, code, modifiers, text))


def let_go(view: QWidget, code: int, text: str = "", modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyRelease, code, modifiers, text))


def compose(view: QWidget, so_far: str = "", committed: str = "") -> None:
    event = QInputMethodEvent(so_far, [])
    event.setCommitString(committed)
    QApplication.sendEvent(view, event)


def is_kept(view: QWidget, code: int, modifiers: Qt.KeyboardModifier = PLAIN, text: str = "") -> bool:
    """Whether the view keeps a key from the window's shortcuts."""
    event = QKeyEvent(QEvent.Type.ShortcutOverride, code, modifiers, text)
    event.ignore()
    QApplication.sendEvent(view, event)
    return event.isAccepted()


@contextmanager
def clipboard(text: str) -> Iterator[None]:
    board = QApplication.clipboard()
    before = board.text()
    board.setText(text)
    yield
    board.setText(before)
