"""Tooltips of the marks under the pointer."""

from __future__ import annotations

from collections.abc import Iterable

from stepscope.core.domain.mark import AffordanceMark, AttentionMark, CandidateMark, EvidenceMark, Mark
from stepscope.widgets.common.run_glyph import run_letter
from stepscope.widgets.screen.viewport import Viewport

REACH = 10
"""Logical pixels around a box that still count as on it: a candidate may be a bare point."""


def tip_at(marks: Iterable[Mark], viewport: Viewport, x: float, y: float) -> str:
    """A line for each weighed element, each piece of evidence, each candidate and each element that allows something at
    a place of the view, the smallest box first."""
    told = [mark for mark in marks if isinstance(mark, (AttentionMark, EvidenceMark, AffordanceMark, CandidateMark))]
    there = [mark for mark in told if viewport.rect_of(mark.box).grown(REACH).contains(x, y)]
    there.sort(key=lambda mark: mark.box.area)
    return "\n".join(f"{run_letter(mark.run)}: {mark.text}" for mark in there)
