"""The actions that a run weighed, as strokes: a number in the run's shape, with its score beside it."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.core.domain.mark import CandidateMark
from stepscope.core.imaging.glyphs import shape
from stepscope.core.imaging.labels import Measure
from stepscope.core.imaging.palette import CASING, INK, RUN_STYLES
from stepscope.core.imaging.strokes import Fill, Ink, Rect, Rounded, Stroke, TextStroke

DISC = 8.0
"""Radius, in units, of the shape with the number."""
_ROOMY = 60.0
"""Width, in units, from which on the number stands inside its box."""
_SCORE = 9.5
"""Size of the score's digits."""
_HIGH = 13.0


def candidate_inks(mark: CandidateMark, rect: Rect, picture: Rect, unit: float, measure: Measure) -> Iterator[Ink]:
    """The number at the left in the candidate's box, at the corner of a small one, where a glyph in its middle leaves
    it free, or on the bare point; the score at its right, at its left where the picture ends."""
    style = RUN_STYLES[mark.run]
    if mark.box.area > 0:
        outline = (Rounded(rect, 3 * unit),)
        yield Stroke(outline, CASING, 3.4 * unit, 0.75)
        yield Stroke(outline, style.colour, 1.4 * unit)
    small = 0 < rect.width < _ROOMY * unit
    x = rect.left if small else rect.left + min(rect.width / 2, 12 * unit)
    y = rect.bottom if small else (rect.top + rect.bottom) / 2
    if mark.score is not None:
        yield from _score(f"{mark.score:.2f}", x, y, picture, style.colour, unit, measure)
    yield Fill((shape(style.shape, x, y, (DISC + 1.5) * unit),), CASING)
    yield Fill((shape(style.shape, x, y, DISC * unit),), style.colour)
    if style.double:
        yield Stroke((shape(style.shape, x, y, (DISC + 2.6) * unit),), style.colour, unit)
    yield TextStroke(str(mark.number), x, y + 3.9 * unit, 11 * unit, 700, CASING, centred=True)


def _score(text: str, x: float, y: float, picture: Rect, colour: str, unit: float, measure: Measure) -> Iterator[Ink]:
    """A dark tag that begins behind the number."""
    width, room = measure(text, _SCORE * unit, 600), (DISC + 3) * unit
    right = x + room + width + 4 * unit <= picture.right
    left = x if right else x - room - width - 4 * unit
    tag = Rect(left, y - _HIGH / 2 * unit, left + room + width + 4 * unit, y + _HIGH / 2 * unit)
    yield Fill((Rounded(tag, 3 * unit),), INK, 0.88)
    yield TextStroke(text, x + room if right else left + 4 * unit, y + 3.4 * unit, _SCORE * unit, 600, colour)
