"""Words beside marks: pills, bubbles, flags, distances. None covers another: each takes the first free place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import MarkVerdict
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.glyphs import badge, cross, shape
from stepscope.core.imaging.palette import ASK, CASING, INK, REFERENCE, RUN_STYLES, layer_colour
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.strokes import Fill, Ink, Polyline, RoundedRect, Stroke, TextStroke

Measure = Callable[[str, float, int], float]
"""Width of a text of a font size (both in the drawing's pixels) and weight (400, 600, 700)."""

GAP = 4.0
PILL_HEIGHT = 20.0
PILL_LIMIT = 300.0
"""Widest pill."""
BUBBLE_LIMIT = 240.0
BUBBLE_LINES = 4
_PAD = 7.0
_BADGE = 12.0
_SIGN_GAP = 5.5
_TEXT = 11.5
_LINE_HEIGHT = 16.0
_BOLD = 600
_TRIES = 40


class LabelLayout:
    """Remembers what is taken and finds free places inside `bounds`."""

    def __init__(self, bounds: Rect) -> None:
        self.bounds = bounds
        self._taken: list[Rect] = []

    def take(self, rect: Rect) -> Rect:
        self._taken.append(rect)
        return rect

    def free(self, rect: Rect) -> bool:
        return not any(rect.touches(other) for other in self._taken)

    def place(self, wishes: Sequence[Rect], step: float) -> Rect:
        """The first wish that is free once pushed into the bounds; else the last one moved on by `step` until it is."""
        inside = [self._pushed_in(wish) for wish in wishes]
        for rect in inside:
            if self.free(rect):
                return self.take(rect)
        rect = inside[-1]
        for _ in range(_TRIES):
            rect = rect.moved(0, step)
            if self.free(rect):
                break
        return self.take(rect)

    def _pushed_in(self, rect: Rect) -> Rect:
        """Moved by as little as brings it inside; what is too large keeps its left and bottom inside."""
        area = self.bounds
        dx = max(area.left - rect.left, 0.0) or min(area.right - rect.right, 0.0)
        dy = min(area.bottom - rect.bottom, 0.0) or max(area.top - rect.top, 0.0)
        return rect.moved(dx, dy)


@dataclass(frozen=True, slots=True)
class PillColors:
    """Colours of a pill: those of a hit are turned round."""

    ground: str
    edge: str
    text: str

    @classmethod
    def of(cls, layer: Layer, verdict: MarkVerdict) -> PillColors:
        colour = layer_colour(layer)
        return cls(colour, CASING, CASING) if verdict is MarkVerdict.HIT else cls(INK, colour, colour)


def shortened(text: str, width: float, size: float, measure: Measure) -> str:
    """The text, or as much of its beginning as `width` holds, with an ellipsis."""
    if measure(text, size, _BOLD) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if measure(text[:middle].rstrip() + "…", size, _BOLD) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def wrapped(text: str, width: float, size: float, measure: Measure) -> list[str]:
    """Lines of at most `width`, at most BUBBLE_LINES of them; the last one is shortened."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < BUBBLE_LINES - 1:
        line = words.pop(0)
        while words and measure(f"{line} {words[0]}", size, _BOLD) <= width:
            line = f"{line} {words.pop(0)}"
        lines.append(shortened(line, width, size, measure))
    if words:
        lines.append(shortened(" ".join(words), width, size, measure))
    return lines or [""]


def pill_size(text: str, layer: Layer, sign: str, unit: float, measure: Measure) -> tuple[float, float]:
    """Width and height of a pill with the layer's badge and a further sign ("" for none)."""
    signs = (1 + bool(sign)) * (_BADGE + _SIGN_GAP)
    return (2 * _PAD + signs) * unit + measure(text, _TEXT * unit, _BOLD), PILL_HEIGHT * unit


def pill(rect: Rect, text: str, layer: Layer, verdict: MarkVerdict, sign: str, unit: float) -> Iterator[Ink]:
    """A rounded box: the layer's badge, a sign, words; a cross at its corner for a miss."""
    look = PillColors.of(layer, verdict)
    yield from _ground(rect, PILL_HEIGHT / 2, look, unit)
    middle = (rect.top + rect.bottom) / 2
    x = rect.left + (_PAD + _BADGE / 2) * unit
    yield from _layer_badge(layer, x, middle, look, unit)
    if sign:
        x += (_BADGE + _SIGN_GAP) * unit
        yield from badge(sign, x, middle, unit, _sign_colour(sign, look), look.ground)
    x += (_BADGE / 2 + _SIGN_GAP) * unit
    yield TextStroke(text, x, middle + 0.36 * _TEXT * unit, _TEXT * unit, _BOLD, look.text)
    if verdict is MarkVerdict.MISS:
        yield from cross(rect.right - 2 * unit, rect.top + 1 * unit, 0.8 * unit)


def bubble_size(lines: Sequence[str], ask: bool, unit: float, measure: Measure) -> tuple[float, float]:
    """Width and height of a bubble, with room for the layer's badge and a further sign."""
    widest = max(measure(line, _TEXT * unit, _BOLD) for line in lines)
    return widest + (2 * _PAD + _signs(ask)) * unit, (len(lines) * _LINE_HEIGHT + 10) * unit


def _signs(ask: bool) -> float:
    return (_BADGE + GAP) * (1 + ask)


def bubble(
    rect: Rect, lines: Sequence[str], layer: Layer, verdict: MarkVerdict, ask: bool, unit: float
) -> Iterator[Ink]:
    """A speech bubble with the layer's badge; a question carries the question sign beside it."""
    look = PillColors.of(layer, verdict)
    x, foot = rect.left + 16 * unit, rect.bottom
    tail = Polyline(((x, foot - unit), (x + 9 * unit, foot - unit), (x - 2 * unit, foot + 7 * unit)), closed=True)
    yield Stroke((tail,), CASING, 4 * unit)
    yield from _ground(rect, 8, look, unit)
    yield Fill((tail,), look.ground if verdict is MarkVerdict.HIT else look.edge)
    left, top = rect.left + (_PAD + _BADGE / 2) * unit, rect.top + (5 + _LINE_HEIGHT / 2) * unit
    yield from _layer_badge(layer, left, top, look, unit)
    if ask:
        sign = left + (_BADGE + GAP) * unit
        yield from badge("question", sign, top, unit, _sign_colour("question", look), look.ground)
    for row, line in enumerate(lines):
        baseline = top + row * _LINE_HEIGHT * unit + 0.36 * _TEXT * unit
        yield TextStroke(line, rect.left + (_PAD + _signs(ask)) * unit, baseline, _TEXT * unit, _BOLD, look.text)
    if verdict is MarkVerdict.MISS:
        yield from cross(rect.right - 2 * unit, rect.top + unit, 0.8 * unit)


def tag_size(text: str, unit: float, measure: Measure) -> tuple[float, float]:
    """Width and height of a distance label."""
    return 10 * unit + measure(text, 11 * unit, _BOLD), 17 * unit


def tag(rect: Rect, text: str, colour: str, unit: float) -> Iterator[Ink]:
    """A distance in a box of the run's colour."""
    yield Fill((RoundedRect(rect, 3 * unit),), colour)
    yield TextStroke(text, rect.left + 5 * unit, rect.bottom - 4.5 * unit, 11 * unit, _BOLD, CASING)


def _ground(rect: Rect, radius: float, look: PillColors, unit: float) -> Iterator[Ink]:
    outline = (RoundedRect(rect, radius * unit),)
    yield Stroke(outline, CASING, 4.5 * unit, 0.85)
    yield Fill(outline, look.ground)
    if look.edge != CASING:
        yield Stroke(outline, look.edge, 1.6 * unit)


def _sign_colour(sign: str, look: PillColors) -> str:
    """Triangle and question have their own colour, unless they lie on a filled ground."""
    return ASK if sign in ("triangle", "question") and look.ground == INK else look.text


def _layer_badge(layer: Layer, x: float, y: float, look: PillColors, unit: float) -> Iterator[Ink]:
    if layer.run is None:
        yield from badge("ring", x, y, unit, REFERENCE, look.ground)
        return
    style = RUN_STYLES[layer.run]
    outline = (shape(style.shape, x, y, 6 * unit),)
    yield Fill(outline, look.text)
    yield TextStroke(style.letter, x, y + 3.1 * unit, 8.5 * unit, 700, look.ground, centred=True)
    if style.double:
        yield Stroke((shape(style.shape, x, y, 7.6 * unit),), look.text, 0.9 * unit)
