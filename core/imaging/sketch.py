"""From marks to strokes: where each mark lies on a drawing, at what zoom, and what was hit there.

The same sketch is drawn into pixels (exports) and with Qt (the window).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stepscope.core.domain.geometry import Box, Ellipse, Patch, Point, Region, Shape, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import (
    AffordanceMark,
    ArrowMark,
    AttachedMark,
    AttentionHeat,
    AttentionMark,
    BoxMark,
    BubbleKind,
    BubbleMark,
    CandidateMark,
    ChangeMark,
    EvidenceMark,
    FlagMark,
    LabelMark,
    Mark,
    MissLine,
    NumberMark,
    PillKind,
    PillMark,
    PointMark,
    RegionMark,
    TreeMark,
)
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging import glyphs, labels
from stepscope.core.imaging.affordances import affordance_inks
from stepscope.core.imaging.attached_pictures import laid_over
from stepscope.core.imaging.attention_heat import heat
from stepscope.core.imaging.changes import change_inks
from stepscope.core.imaging.glyphs import shape
from stepscope.core.imaging.labels import LabelLayout, Measure
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.palette import (
    ASK,
    CASING,
    INK,
    OTHERS_OPACITY,
    REFERENCE,
    RUN_STYLES,
    TOLERANCE_OPACITY,
    TREE,
    TREE_OPACITY,
    WHITE,
    layer_colour,
)
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.strokes import (
    Fill,
    Grid,
    Ink,
    Outline,
    Oval,
    Pair,
    Polyline,
    Raster,
    RoundedRect,
    Stroke,
    TextStroke,
    polygon,
)
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = lazy_module("numpy")

_LABEL_SIZE = 10.0
_LABEL_LEAST = 24.0
"""Narrowest box, in units, that is given its label."""
_AROUND = 6
"""Glyphs that find room around another in one ring."""
_LETTER = 7.0
"""Radius, in units, of a run's letter with the dot that could cover it."""
_ARROWS_APART = 7.0
"""How far, in units, arrows over the same way are beside each other."""
_NUMBER_ROOM = 23.0
"""How far a label keeps right of a number in the same box."""


@dataclass(frozen=True, slots=True)
class PicturePlacement:
    """The place of the picture on the drawing.

    `left`, `top`: its corner; `scale`: drawing pixels for one of its pixels; `unit`: drawing pixels for one unit of a
    glyph; `visible`: the part of the drawing that is seen; `size`: the picture's.
    """

    left: float
    top: float
    scale: float
    unit: float
    size: Size
    visible: Rect

    def at(self, point: Point) -> Pair:
        place = point.rescaled(self.size)
        return self.left + place.x * self.scale, self.top + place.y * self.scale

    def rect(self, box: Box) -> Rect:
        place = box.rescaled(self.size)
        s = self.scale
        return Rect(
            self.left + place.left * s,
            self.top + place.top * s,
            self.left + place.right * s,
            self.top + place.bottom * s,
        )

    @property
    def picture(self) -> Rect:
        """The whole picture on the drawing."""
        width, height = self.size.width * self.scale, self.size.height * self.scale
        return Rect(self.left, self.top, self.left + width, self.top + height)


@dataclass(frozen=True, slots=True)
class HitRegion:
    """A part of the drawing that answers to the pointer for a layer."""

    layer: Layer
    rect: Rect


@dataclass(frozen=True, slots=True)
class Sketch:
    """Strokes from the bottom up, and the spots that can be clicked, in the same order."""

    inks: tuple[Ink, ...]
    spots: tuple[HitRegion, ...]

    def layer_at(self, x: float, y: float) -> Layer | None:
        """The layer of the topmost mark at a place of the drawing."""
        return next((spot.layer for spot in reversed(self.spots) if spot.rect.contains(x, y)), None)


def sketch(
    marks: Sequence[Mark], frame: PicturePlacement, measure: Measure, strengths: Mapping[Layer, float] | None = None
) -> Sketch:
    """Strokes for marks. `strengths` weakens layers (0..1). Words come last and keep clear of glyphs and each other."""
    work = _SketchPass(marks, frame, measure)
    inks: list[Ink] = []
    for draw in (work.shape, work.words):
        for mark in marks:
            strength = (strengths or {}).get(mark.layer, 1.0)
            inks += (faded(ink, strength) if strength < 1 else ink for ink in draw(mark))
    return Sketch(tuple(inks), tuple(work.spots))


def faded(ink: Ink, strength: float) -> Ink:
    """The stroke at a share of its opacity."""
    return replace(ink, opacity=ink.opacity * strength)


class _SketchPass:
    """One pass over the marks, which collects spots and the places that are taken."""

    def __init__(self, marks: Sequence[Mark], frame: PicturePlacement, measure: Measure) -> None:
        self._numbered = {mark.box for mark in marks if isinstance(mark, NumberMark)}
        self.frame, self.measure, self.unit = frame, measure, frame.unit
        self.spots: list[HitRegion] = []
        self._runs: list[Pair] = []
        self._arrows: list[tuple[Pair, Pair]] = []
        self._labels: list[Rect] = []
        self._candidates: list[Rect] = []
        self._kinds: list[Rect] = []
        seen = frame.picture.shared(frame.visible) or frame.picture
        self.shelf = LabelLayout(seen.grown(-6 * self.unit))
        self._shapes: dict[type, Callable[..., Iterator[Ink]]] = {
            AttachedMark: self._attached,
            AttentionHeat: self._heat,
            AttentionMark: self._weighed,
            TreeMark: self._tree,
            ChangeMark: self._change,
            RegionMark: self._region,
            BoxMark: self._box,
            LabelMark: self._label,
            NumberMark: self._number,
            EvidenceMark: self._weighed,
            AffordanceMark: self._affordance,
            CandidateMark: self._candidate,
            MissLine: self._line,
            ArrowMark: self._arrow,
            PointMark: self._point,
        }
        self._words: dict[type, Callable[..., Iterator[Ink]]] = {
            MissLine: self._distance,
            PillMark: self._pill,
            BubbleMark: self._bubble,
            FlagMark: self._flag,
        }

    def shape(self, mark: Mark) -> Iterator[Ink]:
        draw = self._shapes.get(type(mark))
        return draw(mark) if draw else iter(())

    def words(self, mark: Mark) -> Iterator[Ink]:
        draw = self._words.get(type(mark))
        return draw(mark) if draw else iter(())

    def _attached(self, mark: AttachedMark) -> Iterator[Ink]:
        """The attached picture, in the run's colour where it is a map. One that cannot be decoded is left out: its file
        was checked."""
        rect = self.frame.rect(mark.box)
        if rect.touches(self.frame.visible):
            with suppress(SourceError):
                yield Raster(laid_over(mark.picture, RUN_STYLES[mark.run].colour), rect)

    def _heat(self, mark: AttentionHeat) -> Iterator[Ink]:
        frame = self.frame
        yield Raster(heat(mark.cells, frame.size, RUN_STYLES[mark.run].colour), frame.picture)

    def _tree(self, mark: TreeMark) -> Iterator[Ink]:
        if not mark.boxes:
            return
        size, frame = mark.boxes[0].size, self.frame
        stretch = np.array([frame.size.width / size.width, frame.size.height / size.height] * 2) * frame.scale
        boxes = np.frombuffer(mark.corners).reshape(-1, 4) * stretch
        yield Grid(boxes, frame.left, frame.top, mark, frame.scale, TREE, TREE_OPACITY)

    def _region(self, mark: RegionMark) -> Iterator[Ink]:
        frame = self.frame
        yield from region_inks(mark.region, frame.picture, frame.size, frame.visible, self.unit)

    def _change(self, mark: ChangeMark) -> Iterator[Ink]:
        rect = self.frame.rect(mark.box)
        if rect.touches(self.frame.visible):
            yield from change_inks(mark, rect, self.unit)

    def _box(self, mark: BoxMark) -> Iterator[Ink]:
        outline = (RoundedRect(self.frame.rect(mark.box), 3 * self.unit),)
        yield Stroke(outline, CASING, 4 * self.unit, 0.75)
        yield Stroke(outline, REFERENCE, 2 * self.unit)

    def _label(self, mark: LabelMark) -> Iterator[Ink]:
        rect, unit = self.frame.rect(mark.box), self.unit
        if mark.box in self._numbered:
            rect = replace(rect, left=min(rect.left + _NUMBER_ROOM * unit, rect.right))
        if rect.width < _LABEL_LEAST * unit or rect.height < 14 * unit or not rect.touches(self.frame.visible):
            return
        size = _LABEL_SIZE * unit
        text = labels.shortened(mark.text, rect.width - 6 * unit, size, self.measure)
        width = self.measure(text, size, 600) + 6 * unit
        ground = Rect(rect.left, rect.top, rect.left + width, rect.top + 14 * unit)
        if any(ground.touches(other) for other in self._labels):
            return
        self._labels.append(ground)
        yield Fill((RoundedRect(ground, 2 * unit),), INK, 0.82)
        yield TextStroke(text, rect.left + 3 * unit, rect.top + 10.5 * unit, size, 600, WHITE)

    def _number(self, mark: NumberMark) -> Iterator[Ink]:
        rect, unit = self.frame.rect(mark.box), self.unit
        if not rect.touches(self.frame.visible):
            return
        text, size = str(mark.number), 10.5 * unit
        width = max(15 * unit, self.measure(text, size, 700) + 7 * unit)
        ground = Rect(rect.left, rect.top, rect.left + width, rect.top + 15 * unit)
        yield Stroke((RoundedRect(ground, 3 * unit),), CASING, 2 * unit)
        yield Fill((RoundedRect(ground, 3 * unit),), ASK)
        yield TextStroke(text, rect.left + width / 2, rect.top + 11.2 * unit, size, 700, CASING, centred=True)

    def _weighed(self, mark: EvidenceMark | AttentionMark) -> Iterator[Ink]:
        """A frame in the run's colour, the thicker and fuller the heavier; of attention the fainter the lighter too: it
        has hardly anything to say of most elements."""
        rect, unit, colour = self.frame.rect(mark.box), self.unit, RUN_STYLES[mark.run].colour
        if not rect.touches(self.frame.visible):
            return
        outline, width = (RoundedRect(rect, 3 * unit),), (1.2 + 2.8 * mark.strength) * unit
        yield Fill(outline, colour, 0.34 if mark.lit else 0.05 + 0.13 * mark.strength, clipped=True)
        dense = 1.0 if mark.lit or isinstance(mark, EvidenceMark) else 0.35 + 0.65 * mark.strength
        yield Stroke(outline, WHITE if mark.lit else CASING, width + (4 if mark.lit else 2) * unit, 0.8 * dense)
        yield Stroke(outline, colour, width, dense)

    def _affordance(self, mark: AffordanceMark) -> Iterator[Ink]:
        rect = self.frame.rect(mark.box)
        if rect.touches(self.frame.visible):
            inks, ground = affordance_inks(mark, rect, self._kinds, self.shelf, self.unit)
            self._kinds.append(ground)
            yield from inks

    def _candidate(self, mark: CandidateMark) -> Iterator[Ink]:
        frame = self.frame
        rect = frame.rect(mark.box)
        if rect.grown(DISC * self.unit).touches(frame.visible):
            x, y = candidate_place(rect, self.unit)
            tag = candidate_tag(mark, x, y, frame.picture, self.unit, self.measure)
            while any(tag.touches(other) for other in self._candidates):
                tag = tag.moved(0, tag.height + self.unit)
            self._candidates.append(self.shelf.take(tag))
            yield from candidate_inks(mark, rect, x, tag, self.unit)

    def _line(self, mark: MissLine) -> Iterator[Ink]:
        start, end = self.frame.at(mark.start), self.frame.at(mark.end)
        yield from glyphs.miss_line(start, end, self.unit, layer_colour(mark.layer))

    def _arrow(self, mark: ArrowMark) -> Iterator[Ink]:
        start, end = self._beside_other_arrows(self.frame.at(mark.start), self.frame.at(mark.end))
        self._taken(mark.layer, *end, 10)
        yield from glyphs.arrow(start, end, self.unit, layer_colour(mark.layer), mark.kind)

    def _beside_other_arrows(self, start: Pair, end: Pair) -> tuple[Pair, Pair]:
        """Where an arrow is free of those before it: at its place, else beside it, to one side and the other."""
        length = math.dist(start, end) or 1.0
        across = (start[1] - end[1]) / length, (end[0] - start[0]) / length
        apart = _ARROWS_APART * self.unit
        moved = start, end
        for number in range(1, len(self._arrows) + 2):
            if not any(_is_beside(moved, other, apart) for other in self._arrows):
                break
            far = apart * ((number + 1) // 2) * (1 if number % 2 else -1)
            dx, dy = across[0] * far, across[1] * far
            moved = (start[0] + dx, start[1] + dy), (end[0] + dx, end[1] + dy)
        self._arrows.append(moved)
        return moved

    def _point(self, mark: PointMark) -> Iterator[Ink]:
        x, y = self.frame.at(mark.point)
        run = mark.layer.run
        if run is None:
            self._taken(mark.layer, x, y, glyphs.REACH)
            yield from glyphs.reference(x, y, self.unit, double=mark.double)
            return
        covers_letter = any(math.dist((x, y), other) < _LETTER * self.unit for other in self._runs)
        glyph_x, glyph_y = self._beside_other_runs(x, y)
        self._taken(mark.layer, glyph_x, glyph_y, glyphs.RADIUS + 2)
        if (glyph_x, glyph_y) != (x, y):
            colour = layer_colour(mark.layer)
            yield from glyphs.leader((x, y), (glyph_x, glyph_y), self.unit, colour, dot=not covers_letter)
        style = RUN_STYLES[run]
        yield from glyphs.run_point(style, glyph_x, glyph_y, self.unit, mark.verdict, double=mark.double)

    def _beside_other_runs(self, x: float, y: float) -> Pair:
        """Where a run's glyph is free of those before it: at its place, else around it, with a leader back."""
        near = 15 * self.unit
        place = (x, y)
        for step in range(1 + 2 * _AROUND):
            if step > 0:
                turn, far = math.radians(-360 / _AROUND * (step - 1)), 25 * self.unit * (1 + (step - 1) // _AROUND)
                place = (x + far * math.cos(turn), y + far * math.sin(turn))
            if all(math.dist(place, other) >= near for other in self._runs):
                break
        self._runs.append(place)
        return place

    def _taken(self, layer: Layer, x: float, y: float, radius: float) -> None:
        reach = radius * self.unit
        rect = Rect(x - reach, y - reach, x + reach, y + reach)
        self.spots.append(HitRegion(layer, self.shelf.take(rect)))

    def _distance(self, mark: MissLine) -> Iterator[Ink]:
        if not mark.text:
            return
        (ax, ay), (bx, by) = self.frame.at(mark.start), self.frame.at(mark.end)
        x, y, unit = (ax + bx) / 2, (ay + by) / 2, self.unit
        width, height = labels.tag_size(mark.text, unit, self.measure)
        right, below = Rect(x + 12 * unit, y + 12 * unit, x + 12 * unit + width, y + 12 * unit + height), 24 * unit
        wishes = [
            right,
            right.moved(-24 * unit - width, -below - height),
            right.moved(-24 * unit - width, 0),
            right.moved(0, -below - height),
        ]
        rect = self._placed(mark.layer, wishes, height + 3 * unit)
        yield from labels.tag(rect, mark.text, layer_colour(mark.layer), unit)

    def _pill(self, mark: PillMark) -> Iterator[Ink]:
        sign = "triangle" if mark.kind is PillKind.MALFORMED else ""
        yield from self._hung(mark, self._pill_text(mark), sign, mark.at)

    def _pill_text(self, mark: PillMark) -> str:
        before = {PillKind.KEY: "key ", PillKind.APP: "open ", PillKind.CHOSEN: "choose "}.get(mark.kind, "")
        return before + mark.text

    def _flag(self, mark: FlagMark) -> Iterator[Ink]:
        yield from self._hung(mark, f"finish: {mark.status.value}", "flag", None)

    def _hung(self, mark: PillMark | FlagMark, words: str, sign: str, at: Box | None) -> Iterator[Ink]:
        """A pill under a box, or at the bottom of what is seen of the picture."""
        unit = self.unit
        room = max(80 * unit, min(labels.PILL_LIMIT * unit, self.shelf.bounds.width) - 60 * unit)
        text = labels.shortened(words, room, 11.5 * unit, self.measure)
        width, height = labels.pill_size(text, mark.layer, sign, unit, self.measure)
        if at is None:
            rect = self._at_bottom(mark.layer, width, height)
        else:
            box, gap = self.frame.rect(at), labels.GAP * unit
            below = Rect(box.left, box.bottom + gap, box.left + width, box.bottom + gap + height)
            above = below.moved(0, -(box.height + 2 * gap + height))
            rect = self._placed(mark.layer, [below, above, below], height + gap)
        yield from labels.pill(rect, text, mark.layer, mark.verdict, sign, unit)

    def _bubble(self, mark: BubbleMark) -> Iterator[Ink]:
        unit = self.unit
        room = max(80 * unit, min(labels.BUBBLE_LIMIT * unit, self.shelf.bounds.width - 40 * unit))
        lines = labels.wrapped(mark.text, room, 11.5 * unit, self.measure)
        ask = mark.kind is BubbleKind.ASK
        width, height = labels.bubble_size(lines, ask, unit, self.measure)
        rect = self._at_bottom(mark.layer, width, height + 8 * unit)
        body = Rect(rect.left, rect.top, rect.right, rect.bottom - 8 * unit)
        yield from labels.bubble(body, lines, mark.layer, mark.verdict, ask, unit)

    def _at_bottom(self, layer: Layer, width: float, height: float) -> Rect:
        bounds, unit = self.shelf.bounds, self.unit
        middle, foot = (bounds.left + bounds.right) / 2, bounds.bottom - 4 * unit
        wish = Rect(middle - width / 2, foot - height, middle + width / 2, foot)
        return self._placed(layer, [wish], -(labels.PILL_HEIGHT + 6) * unit)

    def _placed(self, layer: Layer, wishes: list[Rect], step: float) -> Rect:
        rect = self.shelf.place([wish.grown(2 * self.unit) for wish in wishes], step).grown(-2 * self.unit)
        self.spots.append(HitRegion(layer, rect))
        return rect


DISC = 8.0
"""Radius, in units, of the shape with the number."""
_ROOMY = 60.0
"""Width, in units, from which on the number stands inside its box."""
_SCORE = 9.5
"""Size of the score's digits."""
_HIGH = 13.0


def candidate_place(rect: Rect, unit: float) -> Pair:
    """Where a candidate's number stands by itself: at the left in its box, at the corner of a small one, where a glyph
    in its middle leaves it free, or on the bare point."""
    small = 0 < rect.width < _ROOMY * unit
    x = rect.left if small else rect.left + min(rect.width / 2, 12 * unit)
    return x, rect.bottom if small else (rect.top + rect.bottom) / 2


def candidate_tag(mark: CandidateMark, x: float, y: float, picture: Rect, unit: float, measure: Measure) -> Rect:
    """What the number at this place takes with its score: that stands at its right, at its left where the picture
    ends."""
    reach = (DISC + 1.5) * unit
    number = Rect(x - reach, y - reach, x + reach, y + reach)
    if mark.score is None:
        return number
    room = (DISC + 7) * unit + measure(f"{mark.score:.2f}", _SCORE * unit, 600)
    return replace(number, right=x + room) if x + room <= picture.right else replace(number, left=x - room)


def candidate_inks(mark: CandidateMark, rect: Rect, x: float, tag: Rect, unit: float) -> Iterator[Ink]:
    """The candidate's outline; in its `tag` the number at `x`, and the score on a dark ground that begins behind it."""
    style, y = RUN_STYLES[mark.run], (tag.top + tag.bottom) / 2
    if mark.box.area > 0:
        outline = (RoundedRect(rect, 3 * unit),)
        yield Stroke(outline, CASING, 3.4 * unit, 0.75)
        yield Stroke(outline, style.colour, 1.4 * unit)
    if mark.score is not None:
        right, high = tag.right - x > x - tag.left, _HIGH / 2 * unit
        ground = Rect(x if right else tag.left, y - high, tag.right if right else x, y + high)
        yield Fill((RoundedRect(ground, 3 * unit),), INK, 0.88)
        left = x + (DISC + 3) * unit if right else tag.left + 4 * unit
        yield TextStroke(f"{mark.score:.2f}", left, y + 3.4 * unit, _SCORE * unit, 600, style.colour)
    yield Fill((shape(style.shape, x, y, (DISC + 1.5) * unit),), CASING)
    yield Fill((shape(style.shape, x, y, DISC * unit),), style.colour)
    if style.double:
        yield Stroke((shape(style.shape, x, y, (DISC + 2.6) * unit),), style.colour, unit)
    yield TextStroke(str(mark.number), x, y + 3.9 * unit, 11 * unit, 700, CASING, centred=True)


def _is_beside(one: tuple[Pair, Pair], other: tuple[Pair, Pair], apart: float) -> bool:
    """Whether both ends of two arrows are nearer to each other than `apart`."""
    return all(math.dist(a, b) < apart - 1e-6 for a, b in zip(one, other, strict=True))


_FINE = 2
"""A patch's outline is found on a grid this much finer than the drawing."""
_SHIFT = 4
"""Bits of a place's fraction that OpenCV is given."""


def region_inks(region: Region, place: Rect, size: Size, seen: Rect, unit: float) -> Iterator[Ink]:
    """The target's shape with tint and dashed outline; below it what the rule accepts besides, faintly and as one area.
    `place`: where the picture of `size` lies on the drawing; `seen`: what is seen of the drawing, outside of which a
    patch may be left out."""
    near = seen.grown(8 * unit)
    target = region.shapes[region.target]
    others = [part for number, part in enumerate(region.shapes) if number != region.target]
    united = _united(others, place, size, near)
    if united:
        yield Fill(united, REFERENCE, OTHERS_OPACITY, clipped=True, even_odd=True)
        yield Stroke(united, CASING, 2 * unit, 0.2, clipped=True)
        yield Stroke(united, REFERENCE, unit, 0.6, dash=(2 * unit, 4 * unit), clipped=True)
    outlines = _shape_outlines(target, place, size, near)
    if outlines:
        yield Fill(outlines, REFERENCE, TOLERANCE_OPACITY, clipped=True, even_odd=isinstance(target, Patch))
        yield Stroke(outlines, CASING, 3 * unit, 0.55, clipped=True)
        yield Stroke(outlines, REFERENCE, 1.6 * unit, dash=(5 * unit, 4 * unit), clipped=True)


def _shape_outlines(part: Shape, place: Rect, size: Size, seen: Rect) -> tuple[Outline, ...]:
    if isinstance(part, Ellipse):
        return (_oval(part, place),)
    if isinstance(part, Patch):
        return tuple(_outlines(_pieces(part, place), seen))
    box = part.rescaled(size)
    left, top = _at(Point(box.left, box.top, size), place)
    return (RoundedRect(Rect(left, top, *_at(Point(box.right, box.bottom, size), place))),)


def _united(parts: Sequence[Shape], place: Rect, size: Size, seen: Rect) -> tuple[Outline, ...]:
    """The outline of all that the shapes cover together."""
    if len(parts) == 1:
        return _shape_outlines(parts[0], place, size, seen)
    pieces: list[NDArray[np.float64]] = []
    for part in parts:
        if isinstance(part, Patch):
            pieces += _pieces(part, place)
        else:
            pieces += (np.array(polygon(outline)) for outline in _shape_outlines(part, place, size, seen))
    return tuple(_outlines(pieces, seen))


def _at(point: Point, place: Rect) -> Pair:
    x, y = point.fraction
    return place.left + x * place.width, place.top + y * place.height


def _oval(ellipse: Ellipse, place: Rect) -> Oval:
    x, y = _at(ellipse.centre, place)
    size = ellipse.centre.size
    return Oval(x, y, ellipse.radius_x * place.width / size.width, ellipse.radius_y * place.height / size.height)


def _pieces(patch: Patch, place: Rect) -> list[NDArray[np.float64]]:
    """Corners of the patch's pieces on the drawing."""
    scale = np.array([place.width / patch.size.width, place.height / patch.size.height])
    return [np.array(piece) * scale + (place.left, place.top) for piece in patch.pieces]


def _outlines(pieces: Sequence[NDArray[np.float64]], seen: Rect) -> list[Outline]:
    """Closed lines around convex pieces together: they are filled on a grid and the grid's contours are followed, since
    the lines between pieces are not to be seen. Lines inside others go around holes."""
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
