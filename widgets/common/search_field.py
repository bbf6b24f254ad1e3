"""A line in which one searches: icon, words, a cross that empties it, the shortcut while it is empty."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import tip_words

SETTLE_MS = 150
"""Typing has settled when nothing came for this long."""


class SearchField(QLineEdit):
    """`settled` fires with the text once typing rests, at once on Enter and when it is emptied; never twice alike."""

    settled = Signal(str)
    left_downwards = Signal()
    """Down was pressed: the person wants to go on in the list below."""

    def __init__(
        self, placeholder: str, *, icon: str = "search", hint: str = "", name: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._hint = hint
        self._told = ""
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name or placeholder)
        self.setToolTip(tip_words(f"{name or placeholder} ({hint})" if hint else name or placeholder))
        self.setClearButtonEnabled(False)
        self.addAction(icons.icon(icon, _dim), QLineEdit.ActionPosition.LeadingPosition)
        self._clear = self.addAction(icons.icon("clear", _dim), QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setToolTip("Clear (Esc)")
        self._clear.setVisible(False)
        self._clear.triggered.connect(self.empty)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self._tell)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        self.textEdited.connect(lambda _text: self._timer.start())
        self.returnPressed.connect(self._tell_again)

    def empty(self) -> None:
        """Clear the text and say so at once."""
        self.clear()
        self._tell()

    def show_text(self, text: str) -> None:
        """Put a text that is already in force: nothing is told."""
        self._timer.stop()
        self._told = text
        if text != self.text():
            self.setText(text)

    def _tell(self) -> None:
        if self.text() != self._told:
            self._tell_again()

    def _tell_again(self) -> None:
        self._timer.stop()
        self._told = self.text()
        self.settled.emit(self._told)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.empty()
        elif event.key() == Qt.Key.Key_Down:
            self._tell()
            self.left_downwards.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        metrics = self.fontMetrics()
        needed = metrics.horizontalAdvance(self.placeholderText()) + metrics.horizontalAdvance(self._hint) + 56
        if self._hint and not self.text() and needed <= self.width():
            painter = QPainter(self)
            paint_key_hint(painter, self.width() - 8, self.height() / 2, self._hint)
            painter.end()


def paint_key_hint(painter: QPainter, right: float, middle: float, keys: str) -> float:
    """A small framed shortcut that ends at `right`; gives its left edge."""
    colours = theme.current()
    painter.setFont(derived(painter.font(), 10.5))
    metrics = painter.fontMetrics()
    width, height = metrics.horizontalAdvance(keys) + 8, metrics.height() + 2
    place = QRectF(right - width, middle - height / 2, width, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.setBrush(QColor(colours.chrome))
    painter.drawRoundedRect(place, 4, 4)
    painter.setPen(QColor(colours.dim))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, keys)
    return place.left()


def _dim() -> str:
    return theme.current().dim
