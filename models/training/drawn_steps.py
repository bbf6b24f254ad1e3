"""What a pretraining masked and swapped in a batch, to be looked at. Imports nothing."""

from __future__ import annotations

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class DrawnSteps:
    """What was done to the first procedure of a batch. Of each step the pieces of its words as they were read (the
    special ones too) and which of them stand in the place of masked ones; which patches of its picture were put out,
    and which stand elsewhere than they did, as (place, step, place it came from). `places` of each picture, row by
    row. `swapped`: whether there was a swap, which is what was to be told; None where nothing is swapped."""

    objective: str
    words: tuple[tuple[str, ...], ...]
    masked_words: tuple[tuple[int, ...], ...]
    masked_patches: tuple[tuple[int, ...], ...]
    moved_patches: tuple[tuple[tuple[int, int, int], ...], ...]
    places: tuple[int, ...]
    swapped: bool | None = None
