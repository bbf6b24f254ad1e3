"""What a person does to a screen, for its tests: real events to the real widget."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from stepscope.core.domain.geometry import Point
from stepscope.widgets.screen import ScreenView

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
PLAIN = Qt.KeyboardModifier.NoModifier


def grabbed(view: ScreenView) -> QImage:
    return view.grab().toImage()


def colour(view: ScreenView, point: Point, dx: int = 0, dy: int = 0) -> QColor:
    x, y = view.viewport.to_view(point)
    return grabbed(view).pixelColor(round(x) + dx, round(y) + dy)


def mouse(view: ScreenView, kind: QEvent.Type, place: QPointF, button: Qt.MouseButton) -> None:
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    pressed = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
    QApplication.sendEvent(view, QMouseEvent(kind, place, view.mapToGlobal(place), pressed, held, PLAIN))


def point_at(view: ScreenView, place: QPointF) -> None:
    mouse(view, QEvent.Type.MouseMove, place, Qt.MouseButton.NoButton)


def click(view: ScreenView, place: QPointF) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, place, LEFT)
    mouse(view, QEvent.Type.MouseButtonRelease, place, LEFT)


def drag(view: ScreenView, start: QPointF, end: QPointF, button: Qt.MouseButton) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, start, button)
    mouse(view, QEvent.Type.MouseMove, end, button)
    mouse(view, QEvent.Type.MouseButtonRelease, end, button)


def turn_wheel(view: ScreenView, place: QPointF, notches: int, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    event = QWheelEvent(
        place, view.mapToGlobal(place), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def press(view: ScreenView, code: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyPress, code, modifiers))


def let_go(view: ScreenView, code: Qt.Key) -> None:
    QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyRelease, code, PLAIN))


def is_kept(view: ScreenView, code: Qt.Key) -> bool:
    """Whether the view keeps a key from the window's shortcuts."""
    event = QKeyEvent(QEvent.Type.ShortcutOverride, code, PLAIN)
    event.ignore()
    QApplication.sendEvent(view, event)
    return event.isAccepted()
