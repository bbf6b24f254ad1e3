"""Words that wrap, measured and painted alike; every paragraph runs in the direction of its own script."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextLayout, QTextOption

MOST_LETTERS = 4000
"""Of a text that is longer the beginning is shown; all of it can be copied."""
LINE_SHARE = 1.5
"""Of the letters' size from one line to the next."""


class TextBlock:
    """`text` in lines of at most `width` logical pixels; `size` is what they need."""

    def __init__(self, text: str, font: QFont, width: float, *, centred: bool = False) -> None:
        shown = text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} …"
        self._option = QTextOption(Qt.AlignmentFlag.AlignHCenter if centred else Qt.AlignmentFlag.AlignLeft)
        self._option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        self._layouts = [QTextLayout(paragraph, font) for paragraph in shown.splitlines() or [""]]
        self._set_width(max(1.0, width))
        natural = math.ceil(max(self._natural(layout) for layout in self._layouts)) + 1
        if natural < width and not centred:
            self._set_width(natural)

    @property
    def size(self) -> QSizeF:
        return self._size

    @property
    def line_height(self) -> float:
        """Height of the first line."""
        return max(self._layouts[0].lineAt(0).height(), LINE_SHARE * self._layouts[0].font().pixelSize())

    def paint(self, painter: QPainter, place: QPointF, colour: str) -> None:
        """Paint the text with its top left at `place`."""
        painter.setPen(QColor(colour))
        for layout, top in zip(self._layouts, self._tops, strict=True):
            layout.draw(painter, place + QPointF(0, top))

    def _set_width(self, width: float) -> None:
        self._tops: list[float] = []
        top = 0.0
        for layout in self._layouts:
            self._tops.append(top)
            top += self._lay_out(layout, width)
        self._size = QSizeF(width, top)

    def _lay_out(self, layout: QTextLayout, width: float) -> float:
        """The paragraph's height."""
        layout.setTextOption(self._option)
        pitch = LINE_SHARE * layout.font().pixelSize()
        layout.beginLayout()
        high = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, high + max(0.0, pitch - line.height()) / 2))
            high += max(line.height(), pitch)
        layout.endLayout()
        return high

    def _natural(self, layout: QTextLayout) -> float:
        return max((layout.lineAt(line).naturalTextWidth() for line in range(layout.lineCount())), default=0.0)
