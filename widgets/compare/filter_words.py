"""The line over a list that says by which filter its rows were found, in the words of the filter language."""

from __future__ import annotations

import re

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import icon_button
from stepscope.widgets.common.fonts import monospace
from stepscope.widgets.common.plain_words import straight, tip_words

LETTERS = re.compile(r"(?<=[:,])([A-H])(?=[ ,]|$)")


class FilterWords(QWidget):
    """`use` is the button that takes the filter to the list of episodes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "tool")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._words = _FilterLine()
        self._count = QLabel()
        self._count.setProperty("role", "dim")
        self.use = icon_button("filter", "Filter the episodes by this")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 6, 0)
        row.setSpacing(6)
        row.addWidget(self._words, 1)
        row.addWidget(self._count)
        row.addWidget(self.use)

    def set_words(self, words: str, count: str) -> None:
        self._words.set_words(words)
        self._count.setText(straight(count))

    def words(self) -> str:
        return self._words.words

    def count(self) -> str:
        return self._count.text()


class _FilterLine(QWidget):
    """A filter in one line, its letters of runs in their colours."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_words(self, words: str) -> None:
        self.words = words
        self.setAccessibleName(f"Filter {words}")
        self.setToolTip(tip_words(words))
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(monospace(self.font()))
        return QSize(metrics.horizontalAdvance(self.words), metrics.height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, painter = theme.current(), QPainter(self)
        painter.setFont(monospace(self.font()))
        left = 0
        for part in LETTERS.split(self.words):
            is_letter = len(part) == 1 and "A" <= part <= "H"
            painter.setPen(QColor(colours.run_colour(ord(part) - ord("A")) if is_letter else colours.text))
            width = painter.fontMetrics().horizontalAdvance(part)
            painter.drawText(QRect(left, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, part)
            left += width
        painter.end()
