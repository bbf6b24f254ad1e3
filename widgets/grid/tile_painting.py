"""How a tile is painted: its cut of the screen with marks, the words below, and whether it is chosen."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from stepscope.core.imaging.palette import layer_colour
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.sketch import PicturePlacement, Sketch, sketch
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.item_painting import paint_cut
from stepscope.widgets.grid.grid_values import Tile
from stepscope.widgets.grid.tile_layout import Placed
from stepscope.widgets.icons import icon
from stepscope.widgets.screen.sketch_painter import SketchPainter, measure_with

PAD = 8
UNIT = 0.72
"""Size of marks on tiles beside those on the screen."""
_MOST_KEPT = 400


class TilePainter:
    """Keeps the sketches of the tiles that it painted last."""

    def __init__(self) -> None:
        self._sketches: OrderedDict[tuple[Tile, int, int], Sketch] = OrderedDict()
        self._marks = SketchPainter()

    def forget(self) -> None:
        self._sketches.clear()

    def paint(
        self, painter: QPainter, place: Placed, tile: Tile, image: QImage | None, font: QFont, *,
        chosen: bool, current: bool, hovered: bool,
    ) -> None:  # fmt: skip
        """The tile at its place, whose top is that on the painter."""
        colours = theme.current()
        whole = QRectF(place.left, place.top, place.width, place.height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(whole, 6, 6)
        painter.fillPath(path, QColor(colours.selection if chosen else colours.hover if hovered else colours.raised))
        painter.save()
        painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
        self._screen(painter, place, tile, image, font)
        painter.restore()
        self._words(painter, place, tile, font)
        if chosen or current:
            painter.setPen(QPen(QColor(colours.selection_line), 2.0 if chosen else 1.4))
            painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 6, 6)
        if current:
            painter.setPen(QPen(QColor(colours.text), 1.0, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(whole.adjusted(-2, -2, 2, 2), 8, 8)
        if chosen:
            _tick(painter, place)
        painter.restore()

    def _screen(self, painter: QPainter, place: Placed, tile: Tile, image: QImage | None, font: QFont) -> None:
        colours = theme.current()
        area = QRectF(place.left, place.top, place.width, place.picture)
        painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        scale = place.width / tile.size.width
        shift = cut_from(tile, scale, place.picture)
        if image is not None and not image.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            share = image.height() / (tile.size.height * scale)
            source = QRectF(0, shift * share, image.width(), place.picture * share)
            painter.drawImage(area, image, source)
        else:
            painter.fillRect(area, QColor(colours.inset))
            if not tile.has_picture:
                painter.setPen(QColor(colours.dim))
                painter.setFont(derived(font, 12))
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "No picture")
        painter.translate(QPointF(place.left, place.top - shift))
        drawn = self._sketch(tile, place, shift, font.family())
        whole = Rect(0.0, 0.0, float(place.width), tile.size.height * scale)
        self._marks.paint(painter, drawn, whole, font.family())
        painter.translate(-QPointF(place.left, place.top - shift))

    def _sketch(self, tile: Tile, place: Placed, shift: float, family: str) -> Sketch:
        key = (tile, place.width, place.picture)
        found = self._sketches.get(key)
        if found is None:
            seen = Rect(0.0, shift, float(place.width), shift + place.picture)
            frame = PicturePlacement(0.0, 0.0, place.width / tile.size.width, UNIT, tile.size, seen)
            found = self._sketches[key] = sketch(tile.marks, frame, measure_with(family))
            while len(self._sketches) > _MOST_KEPT:
                self._sketches.popitem(last=False)
        self._sketches.move_to_end(key)
        return found

    def _words(self, painter: QPainter, place: Placed, tile: Tile, font: QFont) -> None:
        colours, left = theme.current(), place.left + PAD
        top, width = place.top + place.picture + 6, place.width - 2 * PAD
        high = round(QFontMetricsF(font).height())
        small = derived(font, 12)
        number = round(QFontMetricsF(small).horizontalAdvance(tile.number)) + 6
        bold = derived(font, 13)
        bold.setWeight(QFont.Weight.DemiBold)
        signs = [name for name, shown in (("note", tile.by_hand), ("tag", bool(tile.tags))) if shown]
        room = 20 * len(signs)
        paint_cut(painter, QRect(left, top, width - number - room, high), tile.title, bold, colours.text)
        painter.setFont(small)
        painter.setPen(QColor(colours.secondary))
        side = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRect(left, top, width, high), side, tile.number)
        for ordinal, name in enumerate(signs, start=1):
            at = left + width - number + 6 - 20 * ordinal
            icon(name).paint(painter, QRect(at, top + (high - 13) // 2, 13, 13))
        below = QRect(left, top + high + 2, width, high)
        far = round(QFontMetricsF(small).horizontalAdvance(tile.distance)) + 6
        arrow = layer_colour(tile.marks[-1].layer) if tile.marks else colours.secondary
        painter.setPen(QColor(arrow if theme.current().is_dark else colours.secondary))
        painter.drawText(below, int(Qt.AlignmentFlag.AlignVCenter), "→")
        said = below.adjusted(18, 0, -far, 0)
        paint_cut(painter, said, tile.taken, small, colours.secondary)
        painter.setPen(QColor(colours.secondary))
        painter.drawText(below, side, tile.distance)


def caption_height(font: QFont) -> int:
    """Pixels of the words below a picture."""
    return 2 * round(QFontMetricsF(font).height()) + 16


def cut_from(tile: Tile, scale: float, height: int) -> float:
    """How many pixels of the scaled screen are cut off above, so that its middle is in the picture's."""
    tall = tile.size.height * scale
    return min(max(tile.middle * tall - height / 2, 0.0), max(tall - height, 0.0))


def _tick(painter: QPainter, place: Placed) -> None:
    colours = theme.current()
    box = QRectF(place.left + PAD, place.top + PAD, 20, 20)
    painter.setPen(QPen(QColor(colours.panel), 1.5))
    painter.setBrush(QColor(colours.accent_background))
    painter.drawRoundedRect(box, 4, 4)
    painter.setPen(QPen(QColor(colours.accent_text), 2.0))
    x, y = box.left(), box.top()
    painter.drawLine(QPointF(x + 5, y + 10), QPointF(x + 8.5, y + 14))
    painter.drawLine(QPointF(x + 8.5, y + 14), QPointF(x + 15, y + 6))
