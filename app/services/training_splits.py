"""Which episodes of a data set are learned from, chosen by and measured on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from stepscope.app.services.library import passing
from stepscope.app.services.splits import demonstrations, in_split, is_dealt
from stepscope.core.domain.filter import Query
from stepscope.core.domain.partitions import TEST, TRAIN, part_of_partition, set_aside, shares_unseen
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_SAMPLE = "com.stepscope.sample."
_SHARES = (0.7, 0.15)
"""Of apps (or episodes) for training and validation, where the data names no splits."""
_ASIDE = 0.1
"""Of the pairs of app and task that are learned from, for validation where no split is named for it."""


@dataclass(slots=True)
class EpisodeSplits:
    """Ids of episodes. `dealt`: the data named no splits; `sample`: all are about this project's own apps; `known` are
    the names of its splits; `left_out` episodes of further data show what must not be learned from."""

    train: list[str] = field(default_factory=list)
    validation: list[str] = field(default_factory=list)
    held_out: list[str] = field(default_factory=list)
    dealt: bool = False
    sample: bool = False
    known: tuple[str, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class SplitNames:
    """What the splits are called that are learned from, chosen by and measured on."""

    train: str = "train"
    validation: str = "validation"
    held_out: str = "app_unseen"


def splits_of(database: Database, source: Source, source_id: int, wanted: SplitNames, query: Query) -> EpisodeSplits:
    """Which episodes are for what: those of the named splits, else whole apps dealt out to three parts. A partition's
    name alone is its part for training, or for tests where it is measured on; of one that is dealt out nothing is
    chosen by that is no part of its training. Raises UsageError when there is none to learn from."""
    with database.reading() as db:
        chosen = passing(db, source_id, query)
        names = queries.splits(db, source_id)
        app_of = queries.names_of(db, source_id, "app")
        own_parts = is_dealt(db, source_id, wanted.train)
        if own_parts or part_of_partition(wanted.train, TRAIN) in names:
            asked = ((wanted.train, TRAIN), (wanted.validation, TRAIN), (wanted.held_out, TEST))
            parts = [_named(db, source_id, names, *one) for one in asked]
            if own_parts:
                parts = [parts[0] - parts[1], parts[1] & parts[0], parts[2] - parts[0]]
            train, validation, held_out = ([one for one in chosen if one in part] for part in parts)
            found = EpisodeSplits(train, validation, held_out)
        else:
            found = dealt(chosen, app_of)
    found.sample = _is_sample(chosen, app_of)
    found.known = tuple(names)
    if not found.train:
        raise no_episode("training", source, found)
    return found


def set_validation_aside(database: Database, source_id: int, splits: EpisodeSplits) -> None:
    """A share of what would be learned from is chosen by: whole pairs of app and task, by a hash of their names."""
    with database.reading() as db:
        learned = set(splits.train)
        aside = set_aside([one for one in demonstrations(db, source_id) if one.id in learned], _ASIDE)
    splits.validation = [one for one in splits.train if one in aside]
    splits.train = [one for one in splits.train if one not in aside]


def further_split(
    database: Database, source_id: int, own: Sequence[tuple[int, EpisodeSplits]], query: Query
) -> EpisodeSplits:
    """All of a further data set is learned from, but for what shows an app, a task or a pair of both that a data set of
    `own` (by source id) has and does not learn from or choose by."""
    with database.reading() as db:
        chosen, every = passing(db, source_id, query), demonstrations(db, source_id)
        hidden: set[str] = set()
        for own_id, splits in own:
            seen = {*splits.train, *splits.validation}
            hidden |= shares_unseen(demonstrations(db, own_id), seen, every)
    train = [one for one in chosen if one not in hidden]
    sample = _is_sample(train, {one.id: one.app for one in every})
    return EpisodeSplits(train, sample=sample, left_out=len(chosen) - len(train))


def _named(db: Session, source_id: int, names: Sequence[str], split: str, part: str) -> set[str]:
    """Ids of a split, none where there is none of that name."""
    there = part_of_partition(split, part) in names or is_dealt(db, source_id, split)
    return in_split(db, source_id, split, part) if there else set()


def _is_sample(units: Sequence[str], app_of: Mapping[str, str]) -> bool:
    return all(app_of.get(unit, "").startswith(_SAMPLE) for unit in units)


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
