"""Small buttons: icons without words, links without a frame."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy, QToolButton, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import plain_label, straight, tip_words

ICON_SIDE = 15
BUTTON_SIDE = 26


def icon_button(name: str, words: str, *, shortcut: str = "", checkable: bool = False) -> QToolButton:
    """A flat 26 px button; `words` become its accessible name and, with the shortcut, its tooltip."""
    button = QToolButton()
    button.setIcon(icons.icon(name))
    button.setIconSize(QSize(ICON_SIDE, ICON_SIDE))
    button.setFixedSize(BUTTON_SIDE, BUTTON_SIDE)
    button.setAutoRaise(True)
    button.setCheckable(checkable)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    name_button(button, words, shortcut)
    return button


def name_button(button: QAbstractButton, words: str, shortcut: str = "") -> None:
    """Give a button its accessible name and a tooltip that shows the shortcut."""
    button.setAccessibleName(words)
    button.setToolTip(tip_words(f"{words} ({shortcut})" if shortcut else words))


def text_button(
    words: str, *, primary: bool = False, icon: str = "", tip: str = "", parent: QWidget | None = None
) -> QPushButton:
    """A push button with a verb; `primary` is the one that the view is for."""
    button = QPushButton(words, parent)
    if primary:
        button.setProperty("primary", True)
    if icon:
        button.setIcon(icons.icon(icon, _accent_text if primary else None))
        button.setIconSize(QSize(13, 13))
    button.setAutoDefault(False)
    button.setToolTip(tip_words(tip))
    return button


def _accent_text() -> str:
    return theme.current().accent_text


class PaintedButton(QAbstractButton):
    """A button that paints its words itself; no letter of them becomes its shortcut."""

    _plain_text = ""

    def setText(self, text: str) -> None:
        self._plain_text = straight(text)
        super().setText(plain_label(text))  # this is what screen readers are told

    def text(self) -> str:
        return self._plain_text


class LinkButton(PaintedButton):
    """Words in the accent colour that do something; reached and pressed with the keyboard like any button."""

    def __init__(self, words: str = "", *, pixels: float = 12, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pixels = pixels
        self.setText(words)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font())
        return QSize(metrics.horizontalAdvance(self.text()) + 4, metrics.height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        font = self._font()
        font.setUnderline(self.underMouse() and self.isEnabled())
        painter.setFont(font)
        painter.setPen(QColor(colours.accent if self.isEnabled() else colours.dim))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _font(self) -> QFont:
        return derived(self.font(), self._pixels, weight=QFont.Weight.Medium)


def paint_focus_ring(painter: QPainter, place: QRect) -> None:
    """The accent ring of whatever has the keyboard."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.current().selection_line), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 4, 4)
