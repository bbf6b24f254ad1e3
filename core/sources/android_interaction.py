"""AndroidInteraction: AndroidControl's records with a message to the person where a step needs one.

A message becomes an ask; what the person answered is not recorded. The kind "infeasible" makes the episode infeasible.
Checked on a fixture only. Facts: github.com/google-research/google-research, folder android_interaction (README).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from stepscope.core.domain.episode import Ask, Feasibility, FeasibilityLabel
from stepscope.core.sources.android_control import AndroidControlAnnotation, Dialect, load, outline
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.android_control import INTERACTION
from stepscope.core.sources.sniffers.android_interaction import FORMAT, locate
from stepscope.core.sources.tfrecord_fields import Fields

_INFEASIBLE = "infeasible"


def annotate(fields: Fields, steps: int, note: Callable[[str, str], None]) -> AndroidControlAnnotation:
    """An ask for each step that has a message or names a kind of interaction, and whether one is "infeasible"."""
    lists = [[text.strip() for text in fields.texts(name)] for name in INTERACTION]
    for name, texts in zip(INTERACTION, lists, strict=True):
        if len(texts) not in (steps, max(steps - 1, 0)):
            note(name, f"{len(texts)} {name} for {steps} steps")
    messages, kinds = ([*texts, *[""] * steps][:steps] for texts in lists)
    asks = tuple(
        Ask(index, message, "", kind)
        for index, (message, kind) in enumerate(zip(messages, kinds, strict=True))
        if message or kind
    )
    infeasible = _INFEASIBLE in kinds
    return AndroidControlAnnotation(asks, Feasibility(FeasibilityLabel.INFEASIBLE) if infeasible else Feasibility())


DIALECT = Dialect(FORMAT.name, annotate)


def open_android_interaction(path: Path) -> ShardSource:
    """All shards or one of them; ids are the episodes' numbers as text."""
    return ShardSource(
        DIALECT.format, path, locate=locate, outline=partial(outline, DIALECT), load=partial(load, DIALECT)
    )
