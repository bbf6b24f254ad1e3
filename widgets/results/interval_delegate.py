"""A metric's dot with its interval, the baseline's square, and the paper's number as a tick, dim where it is about
other data. Numbers from 0 to 1 stand on the scale that the header names; others have a scale of their own with its ends
beside it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_delegate import paint_row_ground
from stepscope.widgets.results.metrics_item_model import PLOT, MetricRole, MetricsItemModel
from stepscope.widgets.results.result_rows import MetricRow

Index = QModelIndex | QPersistentModelIndex
Span = tuple[float, float]
WIDTH, SIDE = 200, 12
DOT = 4.5
LEAST_WIDTH = 80
"""On a narrower scale nothing is drawn: values a few pixels apart would mislead."""
UNIT = (0.0, 1.0)
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
"""First digits of a scale's end."""


def span_of(row: MetricRow, *, paper: bool = True) -> Span:
    """Ends of the scale on which all that the row shows has a place: 0 to 1, −1 to 1, or up to a round number."""
    shown = [row.value, row.baseline, *(row.interval or ()), row.paper if paper else None]
    numbers = [number for number in shown if number is not None and math.isfinite(number)]
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    if low >= 0:
        return UNIT if high <= 1 else (0.0, _round_up(high))
    end = _round_up(max(-low, high, 1.0))
    return (-end, end)


def common_span(rows: Sequence[MetricRow], *, paper: bool = True) -> Span:
    """The scale of most rows."""
    return Counter(span_of(row, paper=paper) for row in rows).most_common(1)[0][0] if rows else UNIT


class IntervalDelegate(QStyledItemDelegate):
    """`run` is the run whose colour the dot has (0 is A), `baseline` that of the square (None: there is none). `span`
    is the scale that the header names."""

    run = 0
    baseline: int | None = None
    paper = True
    span: Span = UNIT

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(WIDTH, 30)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        paint_row_ground(painter, option)
        row: MetricRow = index.data(MetricRole)
        scale = scale_in(option.rect).adjusted(0, 4, 0, -4)
        if scale.width() < LEAST_WIDTH:
            return
        if row.value is None and row.why:
            _paint_why(painter, option.rect, row.why, option.font)
            return
        span = span_of(row, paper=self.paper)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if span == self.span:
            painter.setPen(QPen(QColor(theme.current().line2), 1))
            for share in QUARTERS:
                _line(painter, scale, scale.left() + share * scale.width())
        else:
            scale = _paint_ends(painter, scale, span, option.font)
        self._paint_marks(painter, scale, span, row)
        painter.restore()

    def _paint_marks(self, painter: QPainter, scale: QRectF, span: Span, row: MetricRow) -> None:
        colours, middle = theme.current(), scale.center().y()
        colour = QColor(colours.run_colour(self.run))
        if row.interval is not None:
            faint = QColor(colour)
            faint.setAlphaF(0.45)
            painter.setPen(QPen(faint, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            low, high = (QPointF(_at(scale, span, end), middle) for end in row.interval)
            painter.drawLine(low, high)
        if self.paper and row.paper is not None:
            painter.setPen(QPen(QColor(colours.dim if row.paper_elsewhere else colours.reference), 2.5))
            _line(painter, scale, _at(scale, span, row.paper))
        if self.baseline is not None and row.baseline is not None:
            painter.setPen(QPen(QColor(colours.run_colour(self.baseline)), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            left = _at(scale, span, row.baseline) - DOT
            painter.drawRect(QRectF(left, middle - DOT, 2 * DOT, 2 * DOT))
        if row.value is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(_at(scale, span, row.value), middle), DOT, DOT)


class MetricsHeader(QHeaderView):
    """Above the plot stand the numbers of its scale."""

    def __init__(self, plot: IntervalDelegate, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._plot = plot
        self.setHighlightSections(False)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def paintSection(self, painter: QPainter, rect: QRect, column: int) -> None:
        painter.save()
        super().paintSection(painter, rect, column)
        painter.restore()
        model = self.model()
        scale = scale_in(rect)
        if not isinstance(model, MetricsItemModel) or model.shows(column) != PLOT or scale.width() < LEAST_WIDTH:
            return
        font = axis_font(self.font())
        painter.setFont(font)
        painter.setPen(QColor(theme.current().dim))
        for share, words in ticks(self._plot.span, font, scale.width()):
            middle = scale.left() + share * scale.width()
            place = QRectF(middle - 50, rect.top(), 100, rect.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)


def ticks(span: Span, font: QFont, width: float) -> list[tuple[float, str]]:
    """Numbers of a scale and where they stand on it, 0 to 1: five, or as many as have room."""
    metrics = QFontMetricsF(font)
    for shares in (QUARTERS, (0.0, 0.5, 1.0), (0.0, 1.0)):
        found = [(share, _number(span[0] + share * (span[1] - span[0]))) for share in shares]
        widest = max(metrics.horizontalAdvance(words) for _share, words in found)
        if (widest + 8) * (len(found) - 1) <= width:
            return found
    return []


def _paint_why(painter: QPainter, place: QRect, words: str, font: QFont) -> None:
    """Why there is nothing to draw."""
    painter.save()
    painter.setFont(derived(font, 11.5))
    painter.setPen(QColor(theme.current().dim))
    room = place.adjusted(SIDE, 0, -SIDE, 0)
    cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, cut)
    painter.restore()


def axis_font(font: QFont) -> QFont:
    return derived(font, 10.5)


def scale_in(place: QRect) -> QRectF:
    """Where the scale lies in a cell, or in the header above it."""
    return QRectF(place).adjusted(SIDE, 0, -SIDE, 0)


def _paint_ends(painter: QPainter, scale: QRectF, span: Span, font: QFont) -> QRectF:
    """A row's own scale: its ends in numbers at both sides; what is left between them."""
    colours = theme.current()
    painter.setFont(axis_font(font))
    painter.setPen(QColor(colours.dim))
    low, high = map(_number, span)
    metrics, middle = painter.fontMetrics(), Qt.AlignmentFlag.AlignVCenter
    painter.drawText(scale, middle | Qt.AlignmentFlag.AlignLeft, low)
    painter.drawText(scale, middle | Qt.AlignmentFlag.AlignRight, high)
    gap = 2 * DOT
    left, right = metrics.horizontalAdvance(low) + gap, metrics.horizontalAdvance(high) + gap
    inside = scale.adjusted(left, 0, -right, 0)
    painter.setPen(QPen(QColor(colours.line), 1))
    for end in (inside.left(), inside.right()):
        _line(painter, inside, end)
    return inside


def _line(painter: QPainter, scale: QRectF, x: float) -> None:
    painter.drawLine(QPointF(x, scale.top()), QPointF(x, scale.bottom()))


def _at(scale: QRectF, span: Span, number: float) -> float:
    return scale.left() + (number - span[0]) / (span[1] - span[0]) * scale.width()


def _round_up(number: float) -> float:
    """The next round number: 7 as 10, 23 as 25."""
    power = 10.0 ** math.floor(math.log10(number))
    return next(digit * power for digit in ROUND if digit * power >= number * (1 - 1e-12))


def _number(value: float) -> str:
    return f"{value:,g}".replace("-", "−")
