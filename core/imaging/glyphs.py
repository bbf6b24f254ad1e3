"""The shapes of marks: each is a few strokes around a place, sized in units (one unit is a logical pixel on the glass).

A tap's glyph is 22 units wide at any zoom. Everything has a dark casing below it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from stepscope.core.domain.mark import ArrowKind, MarkVerdict
from stepscope.core.imaging.palette import CASING, INK, REFERENCE, WHITE, RunShape, RunStyle
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.strokes import Fill, Ink, Outline, Oval, Pair, Polyline, RoundedRect, Stroke, TextStroke

RADIUS = 11.0
"""Half the width of a run's glyph."""
REFERENCE_RADIUS = 12.0
REACH = 18.0
"""Half the width of the reference with its ticks."""
SECOND_RING = 16.5
"""Radius of the ring that a long press or double tap has around it."""
_CASING = 5.5
_LINE = 2.4
_RUN_LINE = 2.2
_SQUARE = 0.92
"""Half a square's side over half a circle's width: they then look equally large."""
_HEAD = 9.0
"""Length of an arrow head's side."""


def reference(x: float, y: float, unit: float, *, double: bool = False) -> Iterator[Ink]:
    """Ring, four ticks and a dot; a second ring pushes the ticks out."""
    near, far = (SECOND_RING - 1, REACH + 4.5) if double else (REFERENCE_RADIUS - 1, REACH)
    ring = REFERENCE_RADIUS * unit
    lines: list[Outline] = [Oval(x, y, ring, ring)]
    if double:
        lines.append(Oval(x, y, SECOND_RING * unit, SECOND_RING * unit))
    for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        lines.append(
            Polyline(((x + dx * near * unit, y + dy * near * unit), (x + dx * far * unit, y + dy * far * unit)))
        )
    yield Stroke(tuple(lines), CASING, _CASING * unit)
    yield Stroke(tuple(lines), REFERENCE, _LINE * unit)
    yield Fill((Oval(x, y, 4.35 * unit, 4.35 * unit),), CASING)
    yield Fill((Oval(x, y, 3.6 * unit, 3.6 * unit),), REFERENCE)


def run_point(
    style: RunStyle, x: float, y: float, unit: float, verdict: MarkVerdict, *, double: bool = False
) -> Iterator[Ink]:
    """A run's shape with its letter: filled for a hit, hollow else, a white cross beside it for a miss."""
    if double:
        ring = (shape(style.shape, x, y, SECOND_RING * unit),)
        yield Stroke(ring, CASING, _CASING * unit)
        yield Stroke(ring, style.colour, _RUN_LINE * unit)
    outer = shape(style.shape, x, y, RADIUS * unit)
    if verdict is MarkVerdict.HIT:
        yield from _filled(style, outer, x, y, unit)
    else:
        yield from _hollow(style, outer, x, y, unit)
    colour = CASING if verdict is MarkVerdict.HIT else style.colour
    size = (10.0 if style.double else 12.0) * unit
    yield TextStroke(style.letter, x, y + 0.36 * size, size, 700, colour, centred=True)
    if verdict is MarkVerdict.MISS:
        yield from cross(x + 11.2 * unit, y - 11.2 * unit, unit)


def _filled(style: RunStyle, outer: Outline, x: float, y: float, unit: float) -> Iterator[Ink]:
    yield Stroke((outer,), CASING, 4 * unit)
    yield Fill((outer,), style.colour)
    if style.double:
        yield Stroke((shape(style.shape, x, y, (RADIUS - 2.6) * unit),), CASING, 1.4 * unit)


def _hollow(style: RunStyle, outer: Outline, x: float, y: float, unit: float) -> Iterator[Ink]:
    yield Stroke((outer,), CASING, 5 * unit)
    yield Fill((outer,), INK)
    yield Stroke((outer,), style.colour, (1.5 if style.double else _RUN_LINE) * unit)
    if style.double:
        yield Stroke((shape(style.shape, x, y, (RADIUS - 3.2) * unit),), style.colour, 1.3 * unit)


def shape(kind: RunShape, x: float, y: float, radius: float) -> Outline:
    """A run's shape around a place."""
    if kind is RunShape.CIRCLE:
        return Oval(x, y, radius, radius)
    if kind is RunShape.SQUARE:
        half = radius * _SQUARE
        return RoundedRect(Rect(x - half, y - half, x + half, y + half), radius * 0.23)
    corners, turn, reach = (4, 0.0, 1.18) if kind is RunShape.DIAMOND else (6, math.pi / 6, 1.06)
    angles = (turn + 2 * math.pi * i / corners for i in range(corners))
    return Polyline(
        tuple((x + reach * radius * math.cos(angle), y + reach * radius * math.sin(angle)) for angle in angles),
        closed=True,
    )


def cross(x: float, y: float, unit: float) -> Iterator[Ink]:
    """The white cross of a miss."""
    arm = 4 * unit
    lines = (
        Polyline(((x - arm, y - arm), (x + arm, y + arm))),
        Polyline(((x + arm, y - arm), (x - arm, y + arm))),
    )
    yield Stroke(lines, CASING, _CASING * unit)
    yield Stroke(lines, WHITE, _RUN_LINE * unit)


def arrow(start: Pair, end: Pair, unit: float, colour: str, kind: ArrowKind) -> Iterator[Ink]:
    """A dot, a line and an arrow head at the end; dashed while something is dragged, two heads for a scroll."""
    lines: list[Outline] = [Polyline((start, end)), _head(start, end, unit)]
    if kind is ArrowKind.SCROLL:
        lines.append(_head(start, _towards(end, start, 6 * unit), unit))
    yield Stroke(tuple(lines), CASING, _CASING * unit)
    if kind is ArrowKind.DRAG:
        yield Stroke((lines[0],), colour, _LINE * unit, dash=(7 * unit, 5 * unit))
        yield Stroke(tuple(lines[1:]), colour, _LINE * unit)
    else:
        yield Stroke(tuple(lines), colour, _LINE * unit)
    if kind is not ArrowKind.SCROLL:
        yield Fill((Oval(*start, 5.2 * unit, 5.2 * unit),), CASING)
        yield Fill((Oval(*start, 3.6 * unit, 3.6 * unit),), colour)


def miss_line(start: Pair, end: Pair, unit: float, colour: str) -> Iterator[Ink]:
    """A dashed line over its dark casing from `start` to `end`; `unit` is a unit's length in the drawing."""
    line = (Polyline((start, end)),)
    yield Stroke(line, CASING, 3.4 * unit, 0.55)
    yield Stroke(line, colour, 1.8 * unit, dash=(4 * unit, 4 * unit))


def leader(place: Pair, glyph: Pair, unit: float, colour: str, *, dot: bool) -> Iterator[Ink]:
    """A line from a touched place to the glyph that had to stand beside it; without `dot` it begins beside the place,
    where another run's letter is."""
    line = (Polyline((place if dot else _towards(place, glyph, RADIUS * unit), glyph)),)
    yield Stroke(line, CASING, 4 * unit)
    yield Stroke(line, colour, 1.6 * unit)
    if dot:
        yield Fill((Oval(*place, 4.6 * unit, 4.6 * unit),), CASING)
        yield Fill((Oval(*place, 3 * unit, 3 * unit),), colour)


def _head(start: Pair, end: Pair, unit: float) -> Polyline:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    sides = (angle + math.pi - 0.5, angle + math.pi + 0.5)
    left, right = ((end[0] + _HEAD * unit * math.cos(a), end[1] + _HEAD * unit * math.sin(a)) for a in sides)
    return Polyline((left, end, right))


def _towards(place: Pair, goal: Pair, length: float) -> Pair:
    distance = math.hypot(goal[0] - place[0], goal[1] - place[1]) or 1.0
    share = min(1.0, length / distance)
    return place[0] + (goal[0] - place[0]) * share, place[1] + (goal[1] - place[1]) * share


def badge(kind: str, x: float, y: float, unit: float, colour: str, background: str) -> Iterator[Ink]:
    """A small sign inside a pill, 12 units wide: ring, triangle, flag, question or scroll."""
    u = unit
    if kind == "ring":
        yield Stroke((Oval(x, y, 4 * u, 4 * u),), colour, 1.8 * u)
        yield Fill((Oval(x, y, 1.8 * u, 1.8 * u),), colour)
    elif kind == "triangle":
        yield Fill((Polyline(((x, y - 5.5 * u), (x + 6 * u, y + 5 * u), (x - 6 * u, y + 5 * u)), closed=True),), colour)
        yield TextStroke("!", x, y + 4 * u, 9 * u, 700, background, centred=True)
    elif kind == "flag":
        yield Stroke((Polyline(((x - 4 * u, y - 5.5 * u), (x - 4 * u, y + 5.5 * u))),), colour, 1.6 * u)
        pennant = ((x - 4 * u, y - 5 * u), (x + 5 * u, y - 5 * u), (x + 2.5 * u, y - 2 * u), (x + 5 * u, y + u))
        yield Fill((Polyline((*pennant, (x - 4 * u, y + u)), closed=True),), colour)
    elif kind == "question":
        yield Fill((Oval(x, y, 6 * u, 6 * u),), colour)
        yield TextStroke("?", x, y + 3.6 * u, 10 * u, 700, background, centred=True)
