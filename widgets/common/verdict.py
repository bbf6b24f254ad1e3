"""What a rule says of one item, and the small cells by which lists and timelines show it."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from stepscope.widgets import theme


class ShownVerdict(StrEnum):
    """A verdict as it is shown, one word each; `null`: the predictor gave no answer, `malformed`: one that makes no
    sense; `error`: the predictor or the rule broke on this item."""

    HIT = "hit"
    MISS = "miss"
    UNSCORED = "unscored"
    MALFORMED = "malformed"
    NULL = "null"
    ERROR = "error"

    @property
    def badge(self) -> str:
        """Kind of the badge that carries the word."""
        kinds = {"hit": "hit", "miss": "miss", "malformed": "warn", "null": "warn", "error": "miss"}
        return kinds.get(self.value, "neutral")

    @property
    def word(self) -> str:
        """What a person reads."""
        return "no answer" if self is ShownVerdict.NULL else self.value

    @property
    def words(self) -> str:
        """The badge's text: a sign doubles the colour."""
        sign = {"hit": "✓ ", "miss": "✕ ", "malformed": "⚠ ", "null": "⚠ ", "error": "⚠ "}.get(self.value, "")
        return sign + self.word


def paint_verdict_cell(painter: QPainter, cell: QRectF, verdict: ShownVerdict) -> None:
    """One cell of a verdict row: dot hit, hollow square miss, grey square unscored, triangle malformed or broken,
    hollow triangle without an answer."""
    colours = theme.current()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if verdict is ShownVerdict.HIT:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.hit))
        painter.drawEllipse(cell)
    elif verdict is ShownVerdict.MISS:
        painter.setPen(QPen(QColor(colours.miss), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cell.adjusted(0.75, 0.75, -0.75, -0.75), 0.5, 0.5)
    elif verdict is ShownVerdict.UNSCORED:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.line))
        painter.drawRoundedRect(cell, 1, 1)
    else:
        colour = QColor(colours.miss if verdict is ShownVerdict.ERROR else colours.warn)
        hollow = verdict is ShownVerdict.NULL
        painter.setPen(QPen(colour, 1.2) if hollow else Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush if hollow else colour)
        top = QPointF(cell.center().x(), cell.top())
        painter.drawPolygon(QPolygonF([top, cell.bottomRight(), cell.bottomLeft()]))
