"""The curve of a fine-tuning: its drawing, and where its numbers lie."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import straight, window_title

_LEAST, _USUAL = 300, 560


class CurveDrawing(QWidget):
    """An SVG as large as there is room, its shape kept; `words` say for who does not see it what it shows."""

    def __init__(self, svg: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing = QSvgRenderer(QByteArray(svg.encode()), self)
        self.setAccessibleName("Curve")
        self.setAccessibleDescription(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(_LEAST, _LEAST // 2)

    def sizeHint(self) -> QSize:
        whole = self._drawing.defaultSize()
        return whole * max(1.0, _USUAL / max(whole.width(), 1))

    def paintEvent(self, _event: QPaintEvent) -> None:
        whole, size = self._drawing.defaultSize(), self.size()
        scale = min(size.width() / max(whole.width(), 1), size.height() / max(whole.height(), 1))
        wide, high = whole.width() * scale, whole.height() * scale
        painter = QPainter(self)
        self._drawing.render(painter, QRectF((size.width() - wide) / 2, (size.height() - high) / 2, wide, high))
        painter.end()


class CurveDialog(QDialog):
    """`words` stand below the drawing: what was measured, and where the files are."""

    def __init__(self, title: str, svg: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(window_title(title))
        self.drawing = CurveDrawing(svg, words)
        self._words = QLabel(straight(words))
        self._words.setWordWrap(True)
        self._words.setProperty("role", "dim")
        self.close_button = text_button("Close", primary=True)
        self.close_button.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.drawing, 1)
        column.addWidget(self._words)
        column.addLayout(buttons)

    def words(self) -> str:
        """What stands below."""
        return self._words.text()
