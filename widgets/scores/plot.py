"""Axes in the colours and fonts of the window, on which the results' plots draw.

pyqtgraph takes about half a second to import: modules that need this one are imported when a plot is first shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import tip_words

Ticks = Sequence[tuple[float, str]]
QUARTERS: Ticks = ((0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1, "1"))
TICK_PIXELS, LABEL_PIXELS = 10.5, 11


class Plot(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Fixed axes: no menu, no zoom by wheel or mouse, so a page of plots scrolls as a page.

    Subclasses draw in `renew`, which also runs when theme or text size change, and say what lies under the pointer in
    `words_at`.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, enableMenu=False)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setFrameShape(pg.PlotWidget.Shape.NoFrame)
        self.setMinimumHeight(120)
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.plotItem.ctrlMenu.setParent(self)  # so that it ends with the plot, whoever holds its items
        self.plotItem.ctrlMenu.hide()
        self.plotItem.setContentsMargins(0, 6, 8, 0)
        self.plotItem.vb.setDefaultPadding(0)
        self._grid: list[pg.InfiniteLine] = []
        self._label = ""
        self._x_words: list[str] = []
        self._y_words: list[str] = []
        theme.notifier().changed.connect(self._restyle)

    def sizeHint(self) -> QSize:
        """Little: a card gives a plot what there is, and a page scrolls only where that is not enough. A graphics view
        would ask for as much as it has shown before."""
        return QSize(240, 120)

    def set_axes(self, x: Ticks, y: Ticks, x_range: tuple[float, float], y_range: tuple[float, float]) -> None:
        """Ticks with their words; a faint line crosses the plot at each of `y`."""
        self.plotItem.setRange(xRange=x_range, yRange=y_range, padding=0, disableAutoRange=True)
        self._x_words, self._y_words = [words for _at, words in x], [words for _at, words in y]
        self.getAxis("bottom").setTicks([list(x)])
        self.getAxis("left").setTicks([list(y)])
        for line in self._grid:
            self.removeItem(line)
        self._grid = [pg.InfiniteLine(place, angle=0) for place, _words in y]
        for line in self._grid:
            line.setZValue(-10)
            self.addItem(line, ignoreBounds=True)
        self._style_axes()

    def set_label(self, words: str) -> None:
        """Set what the horizontal axis means."""
        self._label = words
        self._style_axes()

    def pixel(self, x: float, y: float) -> QPointF:
        """Where a point of the axes stands in the widget."""
        return QPointF(self.mapFromScene(self.plotItem.vb.mapViewToScene(QPointF(x, y))))

    def value(self, place: QPointF) -> QPointF:
        """The point of the axes that stands there in the widget."""
        return QPointF(self.plotItem.vb.mapSceneToView(self.mapToScene(place.toPoint())))

    def renew(self) -> None:
        """Draw the contents anew in the theme of now."""

    def words_at(self, _place: QPointF) -> str:
        """What lies there, in words; "" where there is nothing."""
        return ""

    def paint_marks(self, painter: QPainter) -> None:
        """Paint in pixels of the widget above everything else."""

    # Qt

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self.words_at(QPointF(event.pos()))
            if words:
                QToolTip.showText(event.globalPos(), tip_words(words), self)
            else:
                QToolTip.hideText()
            return True
        return bool(super().viewportEvent(event))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_grid"):
            self._restyle()

    def drawForeground(self, painter: QPainter, _rect: QRectF) -> None:
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_marks(painter)
        painter.restore()

    def _restyle(self) -> None:
        self._style_axes()
        self.renew()
        self.viewport().update()

    def _style_axes(self) -> None:
        colours = theme.current()
        self.setBackground(QColor(colours.panel))
        font = derived(self.font(), TICK_PIXELS)
        metrics = QFontMetricsF(font)
        none = QPen(Qt.PenStyle.NoPen)
        for name in ("left", "bottom"):
            axis = self.getAxis(name)
            axis.setPen(none)
            axis.setTickPen(QColor(colours.panel))  # ticks of no length would still be dots
            axis.setTextPen(QColor(colours.dim))
            axis.setStyle(tickFont=font, tickLength=0, tickTextOffset=4, hideOverlappingLabels=False)
        self.getAxis("left").setWidth(max(map(metrics.horizontalAdvance, self._y_words), default=0) + 8)
        lines = 1 + max((words.count("\n") for words in self._x_words), default=0)
        height = lines * metrics.lineSpacing() + 6
        if self._label:
            pixels = derived(self.font(), LABEL_PIXELS).pixelSize()
            self.getAxis("bottom").setLabel(escape(self._label), color=colours.dim, **{"font-size": f"{pixels}px"})
            height += pixels + 8
        self.getAxis("bottom").setHeight(height)
        for line in self._grid:
            line.setPen(QPen(QColor(colours.line2), 0))


def paint_ring(painter: QPainter, place: QRectF, radius: float = 4) -> None:
    """The accent outline of what is chosen or has the keyboard."""
    painter.setPen(QPen(QColor(theme.current().selection_line), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place, radius, radius)


def solid(colour: str, alpha: float = 1.0) -> QColor:
    """A hex colour with this opacity."""
    result = QColor(colour)
    result.setAlphaF(alpha)
    return result


def dashes(colour: QColor, width: float, on: float, off: float) -> QPen:
    """A pen whose dashes are measured in pixels, whatever its width."""
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    pen.setDashPattern([on / width, off / width])
    return pen
