"""The cards in which the results' plots stand: a title line and what it is about."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from widgets import theme
from widgets.common import ElidedLabel

MARGIN, RADIUS = 12, 8


class Card(QWidget):
    """A title, dim words beside it, `tools` at the right, and `body` (a layout) for the rest."""

    def __init__(self, title: str, *tools: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self.title = QLabel(title)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setProperty("role", "title")
        self.detail = ElidedLabel("", "dim")
        self.head = head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.detail, 1)
        for tool in tools:
            head.addWidget(tool)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self.body.setSpacing(8)
        self.body.addLayout(head)
        theme.notifier().changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.line2), 1))
        painter.setBrush(QColor(colours.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()


def mix(colour: str, share: float, ground: str) -> QColor:
    """`share` of a colour (0 to 1) over an opaque ground, both hex."""
    upper, lower = QColor(colour), QColor(ground)
    parts = [
        round(share * a + (1 - share) * b)
        for a, b in zip(upper.getRgb()[:3], lower.getRgb()[:3], strict=True)  # type: ignore[index]
    ]
    return QColor(*parts)
