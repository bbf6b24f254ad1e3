"""The region in which a rule calls a tap right, as strokes: in its true shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.geometry import Ellipse, Patch, Point, Region, Size
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.palette import CASING, REFERENCE, TOLERANCE_OPACITY
from stepscope.core.imaging.strokes import Fill, Ink, Outline, Oval, Pair, Polyline, Rect, Rounded, Stroke

_FINE = 2
"""A patch's outline is found on a grid this much finer than the drawing."""
_SHIFT = 4
"""Bits of a place's fraction that OpenCV is given."""


def region_inks(region: Region, place: Rect, size: Size, seen: Rect, unit: float) -> Iterator[Ink]:
    """Tint and dashed outlines. `place`: where the picture of `size` lies on the drawing; `seen`: what is seen of the
    drawing, outside of which a patch may be left out."""
    ovals: list[Outline] = []
    boxes: list[Outline] = []
    patches: list[Outline] = []
    for part in region.shapes:
        if isinstance(part, Ellipse):
            ovals.append(_oval(part, place))
        elif isinstance(part, Patch):
            patches += _outlines(part, place, seen.grown(8 * unit))
        else:
            box = part.rescaled(size)
            left, top = _at(Point(box.left, box.top, size), place)
            boxes.append(Rounded(Rect(left, top, *_at(Point(box.right, box.bottom, size), place))))
    if ovals or boxes:
        yield Fill((*ovals, *boxes), REFERENCE, TOLERANCE_OPACITY, clipped=True)
    if patches:
        yield Fill(tuple(patches), REFERENCE, TOLERANCE_OPACITY, clipped=True, even_odd=True)
    boxes += patches
    yield Stroke(tuple(ovals), CASING, 3 * unit, 0.55, clipped=True)
    yield Stroke(tuple(boxes), CASING, 2.4 * unit, 0.3, clipped=True)
    yield Stroke(tuple(ovals), REFERENCE, 1.6 * unit, dash=(5 * unit, 4 * unit), clipped=True)
    yield Stroke(tuple(boxes), REFERENCE, 1.6 * unit, dash=(3 * unit, 3 * unit), clipped=True)


def _at(point: Point, place: Rect) -> Pair:
    x, y = point.fraction
    return place.left + x * place.width, place.top + y * place.height


def _oval(ellipse: Ellipse, place: Rect) -> Oval:
    x, y = _at(ellipse.centre, place)
    size = ellipse.centre.size
    return Oval(x, y, ellipse.radius_x * place.width / size.width, ellipse.radius_y * place.height / size.height)


def _outlines(patch: Patch, place: Rect, seen: Rect) -> list[Outline]:
    """Closed lines around a patch: its pieces are filled on a grid and the grid's contours are followed, since the
    lines between pieces are not to be seen. Lines inside others go around holes."""
    scale = np.array([place.width / patch.size.width, place.height / patch.size.height])
    pieces = [np.array(piece) * scale + (place.left, place.top) for piece in patch.pieces]
    area = _around(pieces).shared(seen) if pieces else None
    if area is None:
        return []
    corner = np.floor([area.left, area.top]) - 1
    wide, tall = (np.ceil([area.right, area.bottom]) + 1 - corner).astype(int) * _FINE
    mask = np.zeros((tall, wide), np.uint8)
    for piece in pieces:
        places = np.clip((piece - corner) * _FINE - 0.5, -_FINE * 2, (wide + _FINE, tall + _FINE))
        cv2.fillConvexPoly(mask, np.round(places * (1 << _SHIFT)).astype(np.int32), (1,), cv2.LINE_8, _SHIFT)
    contours, _tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    return list(_lines(contours, corner))


def _lines(contours: Iterable[NDArray[Any]], corner: NDArray[np.float64]) -> Iterator[Polyline]:
    for contour in contours:
        smooth = cv2.approxPolyDP(contour, 0.75, True).reshape(-1, 2)
        if len(smooth) > 2:
            points = (smooth + 0.5) / _FINE + corner
            yield Polyline(tuple(map(tuple, points.tolist())), closed=True)


def _around(pieces: Sequence[NDArray[np.float64]]) -> Rect:
    corners = np.concatenate(pieces)
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return Rect(left, top, right, bottom)
