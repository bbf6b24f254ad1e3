"""Changes since the step before, as marks and as strokes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.mark import ChangeMark, ChangeSign
from stepscope.core.domain.tree_diff import ChangeKind, TreeDiff
from stepscope.core.imaging.palette import CASING, CHANGE, INK, WHITE
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.strokes import Fill, Ink, Oval, Polyline, RoundedRect, Stroke

_SIGN = 7.0
"""Radius, in units, of the disc with the sign."""
_ARM = 3.6
"""Half the length of a sign's strokes."""
_REGION_OPACITY = 0.16
LARGEST_REGION = 0.9
"""Share of the screen above which a changed region is not tinted (ours)."""


def change_marks(
    diff: TreeDiff | None, trees: tuple[UITree | None, UITree | None], regions: Iterable[Box], size: Size
) -> tuple[ChangeMark, ...]:
    """Marks of what is other than on the step before: regions of the picture, then elements. `trees` are those before
    and after, between which the diff is; `size` is that of the step. On another screen what is gone is not marked, and
    a region that takes nearly all of the picture nowhere: they would only cover it."""
    placed = [box.rescaled(size) for box in regions]
    most = LARGEST_REGION * size.width * size.height
    marks = [ChangeMark(ChangeSign.REGION, box) for box in placed if box.area <= most]
    before, after = trees
    changes = diff.changes if diff is not None else ()
    if diff is not None and diff.is_another_screen:
        changes = tuple(change for change in changes if change.kind is not ChangeKind.VANISHED)
    for change in changes:
        tree, index = (after, change.after) if change.after is not None else (before, change.before)
        if tree is not None and index is not None and (box := tree.elements[index].box.rescaled(size).clipped()):
            marks.append(ChangeMark(ChangeSign(change.kind), box))
    return tuple(marks)


def change_inks(mark: ChangeMark, rect: Rect, unit: float) -> Iterator[Ink]:
    """A frame with a sign at its upper right corner: plus and a whole line for what appeared, minus and dashes for what
    is gone, a wave and dots for what changed. Changed pixels are only tinted."""
    outline = (RoundedRect(rect, 2 * unit),)
    if mark.sign is ChangeSign.REGION:
        yield Fill(outline, CHANGE, _REGION_OPACITY, clipped=True)
        yield Stroke(outline, CHANGE, unit, 0.55, dash=(unit, 3 * unit), clipped=True)
        return
    dash = {ChangeSign.VANISHED: (6 * unit, 4 * unit), ChangeSign.CHANGED: (2 * unit, 3 * unit)}.get(mark.sign, ())
    yield Stroke(outline, CASING, 4 * unit, 0.75)
    yield Stroke(outline, CHANGE, 2 * unit, dash=dash)
    x, y = rect.right, rect.top
    yield Fill((Oval(x, y, (_SIGN + 1.5) * unit, (_SIGN + 1.5) * unit),), CASING)
    gone = mark.sign is ChangeSign.VANISHED
    yield Fill((Oval(x, y, _SIGN * unit, _SIGN * unit),), INK if gone else CHANGE)
    yield Stroke(tuple(_sign(mark.sign, x, y, _ARM * unit)), WHITE, 1.9 * unit)


def _sign(sign: ChangeSign, x: float, y: float, arm: float) -> Iterator[Polyline]:
    if sign is ChangeSign.CHANGED:
        wave = ((-1.0, 0.25), (-0.5, -0.4), (0.0, 0.0), (0.5, 0.4), (1.0, -0.25))
        yield Polyline(tuple((x + dx * arm, y + dy * arm) for dx, dy in wave))
        return
    yield Polyline(((x - arm, y), (x + arm, y)))
    if sign is ChangeSign.APPEARED:
        yield Polyline(((x, y - arm), (x, y + arm)))
