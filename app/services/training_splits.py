"""Which episodes of a data set are learned from, chosen by and measured on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from stepscope.app.services.library import passing
from stepscope.core.domain.filter import Query
from stepscope.core.errors import UsageError
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database

_SAMPLE = "com.stepscope.sample."
_SHARES = (0.7, 0.15)
"""Of apps (or episodes) for training and validation, where the data names no splits."""


@dataclass(slots=True)
class EpisodeSplits:
    """Ids of episodes. `dealt`: the data named no splits; `sample`: all are about this project's own apps; `known` are
    the names of its splits."""

    train: list[str] = field(default_factory=list)
    validation: list[str] = field(default_factory=list)
    held_out: list[str] = field(default_factory=list)
    dealt: bool = False
    sample: bool = False
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SplitNames:
    """What the splits are called that are learned from, chosen by and measured on."""

    train: str = "train"
    validation: str = "validation"
    held_out: str = "app_unseen"


def splits_of(database: Database, source: Source, source_id: int, wanted: SplitNames, query: Query) -> EpisodeSplits:
    """Which episodes are for what: those of the named splits, else whole apps dealt out to three parts. Raises
    UsageError when there is none to learn from."""
    with database.reading() as db:
        chosen = passing(db, source_id, query)
        names = queries.splits(db, source_id)
        app_of = queries.names_of(db, source_id, "app")
        if wanted.train in names:
            asked = (wanted.train, wanted.validation, wanted.held_out)
            parts = [queries.in_split(db, source_id, name) if name in names else set() for name in asked]
            train, validation, held_out = ([one for one in chosen if one in part] for part in parts)
            found = EpisodeSplits(train, validation, held_out)
        else:
            found = dealt(chosen, app_of)
    found.sample = all(app_of.get(unit, "").startswith(_SAMPLE) for unit in chosen)
    found.known = tuple(names)
    if not found.train:
        raise no_episode("training", source, found)
    return found


def no_episode(word: str, source: Source, splits: EpisodeSplits) -> UsageError:
    """The error about a split without episodes."""
    hint = f"Its splits: {', '.join(splits.known) or 'none'}. Name others, or open data with more apps."
    return UsageError(f"There is no episode for {word}.", place=source.path, hint=hint)


def dealt(units: Sequence[str], app_of: dict[str, str]) -> EpisodeSplits:
    """Whole apps to the three parts, by a hash of their names; whole episodes where there are fewer than three apps."""
    groups = {app_of.get(unit, "") for unit in units}
    by_app = len(groups) >= 3
    keys = sorted(groups if by_app else set(units), key=lambda key: hashlib.sha256(key.encode()).digest())
    first = max(1, min(round(len(keys) * _SHARES[0]), len(keys) - 2))  # one at least for each of the others
    second = max(1, min(round(len(keys) * _SHARES[1]), len(keys) - first - 1))
    part_of = {key: 0 if place < first else 1 if place < first + second else 2 for place, key in enumerate(keys)}
    parts: tuple[list[str], list[str], list[str]] = ([], [], [])
    for unit in units:
        parts[part_of[app_of.get(unit, "") if by_app else unit]].append(unit)
    return EpisodeSplits(*parts, dealt=True)
