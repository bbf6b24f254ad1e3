"""What lies over the live picture: element boxes, labels, marks of predictions, the agent's proposal.

It changes far less often than the picture below it: it is drawn once and then only copied.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.layers import Layer, Layers, run_layer
from stepscope.core.domain.mark import LabelMark, Mark, TreeMark
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.palette import TREE
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.sketch import PicturePlacement, sketch
from stepscope.widgets.live.mirror.mirror_frame import Proposal
from stepscope.widgets.live.mirror.proposal_painter import paint_proposal
from stepscope.widgets.live.mirror.walk import stops
from stepscope.widgets.screen.qt_rect import qrect
from stepscope.widgets.screen.sketch_painter import SketchPainter, measure_with
from stepscope.widgets.screen.viewport import Viewport

DEFAULT_LAYERS = Layers(frozenset(Layer) - {Layer.TREE, Layer.LABELS})
_STALE_OPACITY = 0.5
_SAME_SHAPE = 0.02
"""A tree of a screen whose proportions differ by more is one of the screen before it was turned."""


@dataclass(frozen=True)
class Overlay:
    """`stale`: the picture has changed since the tree was read. `marks` are those of predictions."""

    tree: UITree | None = None
    stale: bool = False
    marks: tuple[Mark, ...] = ()
    proposal: Proposal | None = None
    layers: Layers = field(default=DEFAULT_LAYERS)

    def fits(self, size: Size) -> bool:
        """Whether the tree is one of a screen of this shape."""
        return self.tree is not None and _is_same_shape(self.tree.size, size)

    def drawn(self, size: Size) -> tuple[Mark, ...]:
        """All marks that are seen over a screen of `size`, from the bottom up."""
        tree = self.tree if self.fits(size) else None
        below = tuple(tree_marks(tree, size, self.layers, self.stale)) if tree is not None else ()
        return (*below, *(mark for mark in self.marks if mark.layer in self.layers))

    def shown_proposal(self, size: Size) -> Proposal | None:
        """The agent's, where its layer is on; of one for a screen that has turned since only the question."""
        one = self.proposal
        if one is None or run_layer(one.run) not in self.layers:
            return None
        boxes = [box for box in (one.target, *(choice.box for choice in one.choices)) if box is not None]
        fits = all(_is_same_shape(box.size, size) for box in boxes)
        return one if fits else replace(one, target=None, choices=())


def _is_same_shape(one: Size, other: Size) -> bool:
    return abs(one.width * other.height / (one.height * other.width) - 1) < _SAME_SHAPE


def tree_marks(tree: UITree, size: Size, layers: Layers, stale: bool) -> Iterator[Mark]:
    """Boxes of all visible elements (not of a stale tree: those are dashed), words of those that can be meant."""
    if Layer.TREE in layers and not stale:
        yield TreeMark(tree_boxes(tree, size))
    if Layer.LABELS in layers:
        for element in stops(tree):
            box = element.box.rescaled(size).clipped()
            if box is not None and element.label:
                yield LabelMark(" ".join(element.label.split()), box)


def tree_boxes(tree: UITree, size: Size) -> tuple[Box, ...]:
    """Boxes of the visible elements on a screen of `size`."""
    boxes = (element.box.rescaled(size).clipped() for element in tree if element.visible)
    return tuple(box for box in boxes if box is not None)


class OverlayPainter:
    """Keeps the overlay as it was last drawn. `free` is the part of the view that nothing else lies on."""

    def __init__(self) -> None:
        self._sketches = SketchPainter()
        self._kept: tuple[tuple[object, ...], QImage | None] | None = None

    def paint(
        self, painter: QPainter, overlay: Overlay, size: Size, viewport: Viewport, font: QFont, free: QRectF
    ) -> None:
        """`size` is the device's screen."""
        made_for = (overlay, size, viewport, font.key(), free.getRect())
        if self._kept is None or self._kept[0] != made_for:
            self._kept = (made_for, self._image(overlay, size, viewport, font, free))
        image = self._kept[1]
        if image is not None:
            painter.drawImage(QPointF(0, 0), image)

    def _image(self, overlay: Overlay, size: Size, viewport: Viewport, font: QFont, free: QRectF) -> QImage | None:
        """None where there is nothing to show."""
        marks, proposal = overlay.drawn(size), overlay.shown_proposal(size)
        dashed = overlay.tree if overlay.stale and Layer.TREE in overlay.layers and overlay.fits(size) else None
        if not marks and proposal is None and dashed is None:
            return None
        image = _clear_image(viewport)
        painter = QPainter(image)
        if dashed is not None:
            _dashed_boxes(painter, dashed, viewport)
        seen = Rect(0.0, 0.0, viewport.width, viewport.height)
        frame = PicturePlacement(viewport.left, viewport.top, viewport.zoom, 1.0, viewport.size, seen)
        drawn = sketch(marks, frame, measure_with(font.family()))
        self._sketches.paint(painter, drawn, viewport.picture, font.family())
        if proposal is not None:
            paint_proposal(painter, proposal, viewport, font, free)
        painter.end()
        return image


def _clear_image(viewport: Viewport) -> QImage:
    """An empty image as large as the view."""
    width, height = math.ceil(viewport.width * viewport.ratio), math.ceil(viewport.height * viewport.ratio)
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(viewport.ratio)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _dashed_boxes(painter: QPainter, tree: UITree, viewport: Viewport) -> None:
    """Boxes of a tree that is older than the picture."""
    colour = QColor(TREE)
    colour.setAlphaF(_STALE_OPACITY)
    pen = QPen(colour, 1)
    pen.setDashPattern([3, 3])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    view = Rect(0.0, 0.0, viewport.width, viewport.height)
    for box in tree_boxes(tree, viewport.size):
        place = viewport.rect_of(box)
        if place.touches(view):
            snapped = replace(place, left=round(place.left) + 0.5, top=round(place.top) + 0.5)
            painter.drawRect(qrect(snapped))
