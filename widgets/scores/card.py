"""The cards in which the results' plots stand: a title line and what it is about."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight

MARGIN, RADIUS = 12, 8
WRAPPED = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap)


class ResultCard(QWidget):
    """A title, dim words beside it, `tools` at the right, and `body` (a layout) for the rest."""

    def __init__(self, title: str, *tools: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self.title = QLabel(straight(title))
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

    def set_title(self, title: str) -> None:
        self.title.setText(straight(title))
        self.setAccessibleName(title)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.line2), 1))
        painter.setBrush(QColor(colours.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()


class LinkText(PaintedButton):
    """A sentence that can be pressed; breaks into lines where there is no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_words(self, words: str, can_press: bool) -> None:
        self.setText(words)
        self.setEnabled(can_press)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if can_press else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if can_press else Qt.CursorShape.ArrowCursor)
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font())
        return QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        font = self._font()
        lit = self.isEnabled() and self.underMouse()
        font.setUnderline(lit)
        painter.setFont(font)
        painter.setPen(QColor(colours.accent if lit else colours.secondary))
        painter.drawText(self.rect(), WRAPPED, self.text())
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _fit(self) -> None:
        """Take the height that the lines need at this width; a layout left to ask for that gives too little in tight
        places."""
        metrics = QFontMetrics(self._font())
        room = QRect(0, 0, max(self.width(), 40), 10_000)
        self.setFixedHeight(metrics.boundingRect(room, WRAPPED, self.text() or " ").height() + 4)

    def _font(self) -> QFont:
        return derived(self.font(), 12)


def mix(colour: str, share: float, ground: str) -> QColor:
    """`share` of a colour (0 to 1) over an opaque ground, both hex."""
    return QColor(*_mixed(colour, share, ground))


@lru_cache(maxsize=1024)
def _mixed(colour: str, share: float, ground: str) -> tuple[int, ...]:
    upper, lower = QColor(colour), QColor(ground)
    return tuple(
        round(share * a + (1 - share) * b)
        for a, b in zip(upper.getRgb()[:3], lower.getRgb()[:3], strict=True)  # type: ignore[index]
    )
