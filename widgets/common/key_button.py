"""A button that shows its shortcut beside its words."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import name_button
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.search_field import paint_key_hint

ICON, GAP, MARGIN = 14, 7, 11


class KeyButton(QPushButton):
    """Icon, words, key in a small frame. Where there is no room (`set_compact`) only the icon stays, or, without one,
    the words; the tooltip tells all of it."""

    def __init__(self, words: str, key: str, icon: str = "", *, ghost: bool = False, primary: bool = False) -> None:
        """`primary` is the one that the view is for."""
        super().__init__()
        self._words, self._key, self._compact = words, key, False
        self._primary = primary
        self._sign = icons.icon(icon, self._ink) if icon else QIcon()
        self.setProperty("primary", primary)
        self.setProperty("ghost", ghost)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        name_button(self, words, key)

    def set_compact(self, compact: bool) -> None:
        if compact != self._compact:
            self._compact = compact
            self.updateGeometry()
            self.update()

    def full_width(self) -> int:
        """Logical pixels that all of it needs."""
        words, key = self._fonts()
        sign = 0 if self._sign.isNull() else ICON + GAP
        key_width = QFontMetrics(key).horizontalAdvance(self._key) + 8
        return 2 * MARGIN + sign + QFontMetrics(words).horizontalAdvance(self._words) + GAP + key_width

    def compact_width(self) -> int:
        words = QFontMetrics(self._fonts()[0]).horizontalAdvance(self._words)
        return 2 * MARGIN + (words if self._sign.isNull() else ICON)

    def sizeHint(self) -> QSize:
        height = max(28, QFontMetrics(self._fonts()[0]).height() + 10)
        return QSize(self.compact_width() if self._compact else self.full_width(), height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)  # of a button without words and icon: its ground
        painter = QPainter(self)
        words, _key = self._fonts()
        left = MARGIN
        if not self._sign.isNull():
            self._sign.paint(painter, QRect(left, (self.height() - ICON) // 2, ICON, ICON))
            left += ICON + GAP
        if not (self._compact and not self._sign.isNull()):
            painter.setFont(words)
            painter.setPen(QColor(self._ink()))
            width = painter.fontMetrics().horizontalAdvance(self._words) + 2
            painter.drawText(QRect(left, 0, width, self.height()), Qt.AlignmentFlag.AlignVCenter, self._words)
        if not self._compact:
            painter.setFont(self.font())
            paint_key_hint(painter, self.width() - MARGIN + 2, self.height() / 2, self._key)
        painter.end()

    def _ink(self) -> str:
        """The colour of words and sign now."""
        colours = theme.current()
        if not self.isEnabled():
            return colours.dim
        if self._primary:
            return colours.accent_text
        return colours.secondary if self.property("ghost") and not self.underMouse() else colours.text

    def _fonts(self) -> tuple[QFont, QFont]:
        return derived(self.font(), 13, weight=QFont.Weight.Medium), derived(self.font(), 10.5)
