"""A metric's dot with its interval on a scale from 0 to 1, and the paper's number as a tick, dim where it is about
other data."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from widgets import theme
from widgets.common.row_delegate import paint_row_ground
from widgets.results.metrics_item_model import MetricRole
from widgets.results.values import MetricRow

Index = QModelIndex | QPersistentModelIndex
WIDTH = 200
DOT = 4.5
LEAST_WIDTH = 80
"""On a narrower scale nothing is drawn: values a few pixels apart would mislead."""


class IntervalDelegate(QStyledItemDelegate):
    """`run` is the run whose colour the dot has (0 is A), `baseline` that of the square (None: there is none)."""

    run = 0
    baseline: int | None = None
    paper = True

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(WIDTH, 30)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        paint_row_ground(painter, option)
        row: MetricRow = index.data(MetricRole)
        colours = theme.current()
        scale = QRectF(option.rect).adjusted(12, 4, -12, -4)
        if scale.width() < LEAST_WIDTH:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.line2), 1))
        for share in (0, 0.25, 0.5, 0.75, 1):
            painter.drawLine(_at(scale, share, scale.top()), _at(scale, share, scale.bottom()))
        middle = scale.center().y()
        colour = QColor(colours.run_colour(self.run))
        if row.interval is not None and _on_scale(*row.interval):
            faint = QColor(colour)
            faint.setAlphaF(0.45)
            painter.setPen(QPen(faint, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(_at(scale, row.interval[0], middle), _at(scale, row.interval[1], middle))
        if self.paper and row.paper is not None and _on_scale(row.paper):
            painter.setPen(QPen(QColor(colours.dim if row.paper_elsewhere else colours.reference), 2.5))
            painter.drawLine(_at(scale, row.paper, scale.top()), _at(scale, row.paper, scale.bottom()))
        if self.baseline is not None and row.baseline is not None and _on_scale(row.baseline):
            painter.setPen(QPen(QColor(colours.run_colour(self.baseline)), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            place = _at(scale, row.baseline, middle)
            painter.drawRect(QRectF(place.x() - DOT, place.y() - DOT, 2 * DOT, 2 * DOT))
        if row.value is not None and _on_scale(row.value):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(_at(scale, row.value, middle), DOT, DOT)
        painter.restore()


def _at(scale: QRectF, share: float, y: float) -> QPointF:
    return QPointF(scale.left() + share * scale.width(), y)


def _on_scale(*values: float) -> bool:
    """Metrics beyond 0..1 (edit distances) have no place on this scale."""
    return all(0 <= value <= 1 for value in values)
