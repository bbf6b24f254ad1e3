"""The whole screen of one tile with its marks, as large as there is room."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.sketch import PicturePlacement, Sketch, sketch
from stepscope.widgets import theme
from stepscope.widgets.grid.grid_values import Tile
from stepscope.widgets.screen.sketch_painter import SketchPainter, measure_with

_ROUND = 8.0
_SMALL, _USUAL = 0.35, 1.0
_USUAL_WIDTH = 250.0
"""Pixels of width from which on marks have their usual size."""


class LargeTile(QWidget):
    """Shows nothing until it has a tile; without its picture the screen's place is grey."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Screen of the step")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.is_over_others = False
        """what lies under it is dimmed"""
        self.tile: Tile | None = None
        self.image: QImage | None = None
        self._marks = SketchPainter()
        self._sketch: Sketch | None = None
        self._sketched = (0.0, 0.0)
        """the size for which it was made"""

    def sizeHint(self) -> QSize:
        return QSize(150, 300)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 80)

    def show_tile(self, tile: Tile | None, image: QImage | None) -> None:
        self.tile, self.image, self._sketch = tile, image, None
        self.setAccessibleDescription(tile.words if tile is not None else "")
        self.update()

    def place_of(self, size: Size) -> QRectF:
        """Where a screen of this size is drawn."""
        scale = min(self.width() / size.width, self.height() / size.height)
        wide, high = size.width * scale, size.height * scale
        return QRectF((self.width() - wide) / 2, (self.height() - high) / 2, wide, high)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tile = self.tile
        if tile is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self.is_over_others:
            shade = QColor(theme.current().window)
            shade.setAlphaF(0.8)
            painter.fillRect(self.rect(), shade)
        place = self.place_of(tile.size)
        path = QPainterPath()
        path.addRoundedRect(place, _ROUND, _ROUND)
        painter.save()
        painter.setClipPath(path)
        if self.image is not None and not self.image.isNull():
            painter.drawImage(place, self.image)
        else:
            painter.fillRect(place, QColor(theme.current().inset))
            if not tile.has_picture:
                painter.setPen(QColor(theme.current().dim))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "No picture")
        painter.restore()
        painter.translate(QPointF(place.left(), place.top()))
        whole = Rect(0.0, 0.0, place.width(), place.height())
        if self._sketch is None or self._sketched != (place.width(), place.height()):
            unit = min(max(place.width() / _USUAL_WIDTH, _SMALL), _USUAL)
            frame = PicturePlacement(0.0, 0.0, place.width() / tile.size.width, unit, tile.size, whole)
            self._sketch = sketch(tile.marks, frame, measure_with(self.font().family()))
            self._sketched = place.width(), place.height()
        self._marks.paint(painter, self._sketch, whole, self.font().family())
        painter.end()
