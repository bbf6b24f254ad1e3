"""Cards and rows of the start page that can be pressed as a whole."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.common.buttons import PaintedButton, name_button, paint_focus_ring

RADIUS, SIGN = 8, 18


class CardButton(PaintedButton):
    """A button with a layout of its own parts; `row` is where they go. As a `line` it has a ground only while the
    pointer is over it, and a thin line below."""

    def __init__(self, words: str, *, line: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = line
        self.setText(words)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(14, 6 if line else 11, 14, 6 if line else 11)
        self.row.setSpacing(12)

    def sizeHint(self) -> QSize:
        return self.row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.row.minimumSize()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = self.isEnabled() and (self.underMouse() or self.isDown())
        if self._line:
            if lit:
                painter.fillRect(self.rect(), QColor(colours.hover))
            painter.setPen(QPen(QColor(colours.line2), 1))
            painter.drawLine(self.rect().bottomLeft(), self.rect().bottomRight())
        else:
            painter.setPen(QPen(QColor(colours.line2), 1))
            painter.setBrush(QColor(colours.hover if lit else colours.raised))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()


class Sign(QLabel):
    """An icon in the colour that `colour` names (a field of the theme), in every theme."""

    def __init__(self, name: str, colour: str = "secondary", side: int = SIGN, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._colour, self._side = name, colour, side
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.notifier().changed.connect(self._draw)
        self._draw()

    def show_sign(self, name: str, colour: str) -> None:
        self._name, self._colour = name, colour
        self._draw()

    def _draw(self) -> None:
        colour = getattr(theme.current(), self._colour)
        self.setPixmap(icons.icon(self._name, colour).pixmap(QSize(self._side, self._side)))


def through(label: QWidget) -> QWidget:
    """A part that leaves the mouse to the card it lies on."""
    label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return label


def two_lines(
    title: str, detail: str, parent: QWidget, *, dim: bool = False, label: type[ElidedLabel] = ElidedLabel
) -> tuple[QVBoxLayout, ElidedLabel]:
    """A title, as a `label` that cuts it, over a line in the second colour; `dim` for what is not there."""
    column = QVBoxLayout()
    column.setSpacing(1)
    head, below = label(title, "dim" if dim else "title", parent), ElidedLabel(detail, "secondary", parent)
    for part in (head, below):
        column.addWidget(through(part))
    return column, below


class ActionCard(CardButton):
    """What can be done first: sign, words, what it means, and its key."""

    def __init__(self, sign: str, title: str, detail: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent=parent)
        self.setAccessibleDescription(detail)
        self.row.addWidget(Sign(sign, "accent", parent=self))
        self.row.addLayout(two_lines(title, detail, self)[0], 1)
        self._key = QLabel(self)
        self._key.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._key.setProperty("kbd", True)
        self._key.hide()
        self._arrow = Sign("chevron_right", "dim", 13, self)
        self.row.addWidget(through(self._key))
        self.row.addWidget(self._arrow)

    def show_key(self, key: str) -> None:
        """The key that does the same, "" for none."""
        name_button(self, self.text(), key)
        self._key.setText(key)
        self._key.setVisible(bool(key))
        self._arrow.setVisible(not key)
