"""A step of the tour: a small card over the window, with an arrow to what it is about."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import text_button

ARROW, RADIUS, EDGE = 10, 8, 8
"""Logical pixels of the arrow's length, of the corners, and between the card and the window's edge."""
WIDTH = 340


class BubbleSide(StrEnum):
    """Where the card stands beside what it is about."""

    RIGHT = "right"
    LEFT = "left"
    BELOW = "below"
    ABOVE = "above"
    INSIDE = "inside"


def place_bubble(anchor: QRect, size: QSize, room: QRect) -> tuple[QPoint, BubbleSide]:
    """The top left corner of a card of `size` beside the anchor, inside `room`: on the first side that has the place,
    else over the anchor's middle. All in one coordinate space, logical pixels."""
    free = {
        BubbleSide.RIGHT: room.right() - anchor.right() - size.width(),
        BubbleSide.LEFT: anchor.left() - room.left() - size.width(),
        BubbleSide.BELOW: room.bottom() - anchor.bottom() - size.height(),
        BubbleSide.ABOVE: anchor.top() - room.top() - size.height(),
    }
    flat = anchor.width() > 2 * anchor.height()
    sides = list(free) if not flat else [BubbleSide.BELOW, BubbleSide.ABOVE, BubbleSide.RIGHT, BubbleSide.LEFT]
    side = next((one for one in sides if free[one] >= 0), BubbleSide.INSIDE)
    middle = anchor.center() - QPoint(size.width() // 2, size.height() // 2)
    corner = {
        BubbleSide.RIGHT: QPoint(anchor.right() + 1, middle.y()),
        BubbleSide.LEFT: QPoint(anchor.left() - size.width(), middle.y()),
        BubbleSide.BELOW: QPoint(middle.x(), anchor.bottom() + 1),
        BubbleSide.ABOVE: QPoint(middle.x(), anchor.top() - size.height()),
        BubbleSide.INSIDE: middle,
    }[side]
    x = min(max(corner.x(), room.left()), max(room.right() - size.width() + 1, room.left()))
    y = min(max(corner.y(), room.top()), max(room.bottom() - size.height() + 1, room.top()))
    return QPoint(x, y), side


class TourBubble(QWidget):
    """`next_wanted`, `back_wanted`, `left`. It takes no keys that it was not given by Tab or F6."""

    next_wanted = Signal()
    back_wanted = Signal()
    left = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("tour")
        self.hide()
        self._side, self._tip = BubbleSide.INSIDE, QPoint()
        self._count, self._title, self._words = QLabel(self), QLabel(self), QLabel(self)
        self._count.setProperty("role", "tiny")
        self._title.setProperty("role", "title")
        self._words.setWordWrap(True)
        self.back, self.next, self.leave = text_button("Back"), text_button("Next", primary=True), text_button("Leave")
        self.leave.setProperty("ghost", True)
        self.leave.setToolTip("Leave the tour (Esc); it goes on here the next time")
        for button, signal in ((self.back, self.back_wanted), (self.next, self.next_wanted), (self.leave, self.left)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setProperty("small", True)
            button.clicked.connect(signal)
        head, foot = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._count)
        foot.setSpacing(6)
        foot.addWidget(self.leave)
        foot.addStretch(1)
        foot.addWidget(self.back)
        foot.addWidget(self.next)
        column = QVBoxLayout(self)
        column.setContentsMargins(ARROW + 14, ARROW + 12, ARROW + 14, ARROW + 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._words)
        column.addLayout(foot)
        theme.notifier().changed.connect(self.update)

    def show_step(self, number: int, total: int, title: str, words: str) -> None:
        """Show a step and have it said; where it points is told by `point_at`."""
        self._count.setText(f"{number} of {total}")
        self._title.setText(title)
        self._words.setText(words)
        self.back.setEnabled(number > 1)
        self.next.setText("Finish" if number == total else "Next")
        self.setAccessibleName(f"Tour, step {number} of {total}: {title}")
        self.setAccessibleDescription(words)
        self._say()

    @property
    def words(self) -> str:
        return self._words.text()

    @property
    def side(self) -> BubbleSide:
        """On which side of its anchor it stands."""
        return self._side

    def point_at(self, anchor: QRect | None) -> None:
        """Stand beside this part of the window (in its coordinates, logical pixels), or, where that is not shown, at
        the lower edge without an arrow."""
        room = self._window.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        width = min(WIDTH + 2 * ARROW, room.width())
        size = QSize(width, self.heightForWidth(width))
        if anchor is None or anchor.isEmpty():
            corner = QPoint(room.center().x() - width // 2, room.bottom() - size.height())
            self._side = BubbleSide.INSIDE
        else:
            corner, self._side = place_bubble(anchor, size, room)
        self.setGeometry(QRect(corner, size))
        inside = self.rect().adjusted(ARROW + RADIUS + 8, ARROW + RADIUS + 8, -ARROW - RADIUS - 8, -ARROW - RADIUS - 8)
        tip = (anchor or QRect(corner, size)).center() - corner
        self._tip = QPoint(
            min(max(tip.x(), inside.left()), inside.right()), min(max(tip.y(), inside.top()), inside.bottom())
        )
        self.show()
        self.raise_()
        self.update()

    def _say(self) -> None:
        from PySide6.QtGui import QAccessible, QAccessibleEvent

        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focus = QApplication.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus, QAbstractButton):
            focus.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        card = QRectF(self.rect()).adjusted(ARROW, ARROW, -ARROW, -ARROW).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(card, RADIUS, RADIUS)
        path = path.united(self._arrow(card))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.selection_line), 1.5))
        painter.setBrush(QColor(colours.raised))
        painter.drawPath(path)
        painter.end()

    def _arrow(self, card: QRectF) -> QPainterPath:
        x, y, half = float(self._tip.x()), float(self._tip.y()), float(ARROW)
        left, right, top, bottom = card.left(), card.right(), card.top(), card.bottom()
        corners = {
            BubbleSide.RIGHT: ((left - ARROW, y), (left + 1, y - half), (left + 1, y + half)),
            BubbleSide.LEFT: ((right + ARROW, y), (right - 1, y - half), (right - 1, y + half)),
            BubbleSide.BELOW: ((x, top - ARROW), (x - half, top + 1), (x + half, top + 1)),
            BubbleSide.ABOVE: ((x, bottom + ARROW), (x - half, bottom - 1), (x + half, bottom - 1)),
        }.get(self._side, ())
        path = QPainterPath()
        for number, corner in enumerate(corners):
            (path.lineTo if number else path.moveTo)(QPointF(*corner))
        path.closeSubpath()
        return path
