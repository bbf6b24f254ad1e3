"""What a pretraining did to a batch, as it is drawn in the Train dock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.models.ordering.pretraining_objectives import TITLES, Objective
from stepscope.widgets.training.drawn_batch import DrawnBatch, DrawnPatch, DrawnPiece, DrawnStep

if TYPE_CHECKING:
    from stepscope.models.training.drawn_steps import DrawnSteps

_SPACE = "\N{LATIN CAPITAL LETTER G WITH DOT ABOVE}"
"""What stands for a space before a piece in RoBERTa's words."""
_PART = "##"
"""What stands before a piece of BERT's that goes on with the word before."""


def drawn_batch(drawn: DrawnSteps) -> DrawnBatch:
    """The batch with what was asked in words."""
    asked = TITLES[Objective(drawn.objective)]
    if drawn.swapped is not None:
        asked += ", swapped" if drawn.swapped else ", left as they were"
    return DrawnBatch(asked, tuple(_step(drawn, place) for place in range(len(drawn.words))))


def _step(drawn: DrawnSteps, place: int) -> DrawnStep:
    masked = set(drawn.masked_words[place])
    pieces = [
        DrawnPiece(piece.removeprefix(_SPACE).removeprefix(_PART), at in masked)
        for at, piece in enumerate(drawn.words[place])
    ]
    out = set(drawn.masked_patches[place])
    came = {at: step for at, step, _from in drawn.moved_patches[place]}
    patches = [DrawnPatch(at in out, came.get(at)) for at in range(drawn.places[place])]
    return DrawnStep(tuple(pieces), tuple(patches))
