"""The field in the menu row that opens the palette: looks like a line to search in, acts like a button."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import PaintedButton
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.search_field import paint_key_hint

_ICON, _MARGIN, _GAP = 14, 10, 8


class PaletteField(PaintedButton):
    """`keys` is the palette's shortcut; the words stand as far as there is room for them."""

    def __init__(self, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setAccessibleName("Command palette")
        self.setToolTip(tip_words(f"Command palette ({keys})"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.notifier().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        small = QFontMetrics(derived(self.font(), 12))
        return QSize(self.width_with(self.text()), max(26, small.height() + 10))

    def width_with(self, words: str) -> int:
        """Pixels that it takes with these words; without words it is a sign alone, and its tip tells the keys."""
        small = QFontMetrics(derived(self.font(), 12))
        beside = small.horizontalAdvance(words) + small.horizontalAdvance(self._keys) + 3 * _GAP if words else 0
        return 2 * _MARGIN + _ICON + beside

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = 2.0 if self.hasFocus() else 1.0
        painter.setPen(QPen(QColor(colours.accent if self.hasFocus() else colours.line), ring))
        painter.setBrush(QColor(colours.hover if self.underMouse() else colours.inset))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(ring / 2, ring / 2, -ring / 2, -ring / 2), 6, 6)
        middle = self.height() // 2
        icons.icon("search", colours.dim).paint(painter, QRect(_MARGIN, middle - _ICON // 2, _ICON, _ICON))
        if not self.text():
            painter.end()
            return
        painter.setFont(self.font())
        right = paint_key_hint(painter, self.width() - _GAP, self.height() / 2, self._keys)
        painter.setFont(derived(self.font(), 12))
        painter.setPen(QColor(colours.secondary))
        left = _MARGIN + _ICON + _GAP
        room = QRect(left, 0, round(right) - _GAP - left, self.height())
        words = painter.fontMetrics().elidedText(straight(self.text()), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.end()
