"""Splits of a data set for both faces: those that it names, and MoTIF's partitions dealt out where it names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.app.services.provenance import UNSEEN_APPS
from stepscope.core.domain.partitions import (
    FEASIBILITY,
    PARTITIONS,
    TEST,
    TRAIN,
    EpisodeTask,
    dealt_by_app,
    dealt_fold,
    dealt_parts,
    fold_of,
    part_of_partition,
    partition_of,
)
from stepscope.core.errors import UsageError
from stepscope.core.store import queries

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


def demonstrations(db: Session, source_id: int) -> list[EpisodeTask]:
    """Every episode of a source with its app and goal, in its order."""
    return [EpisodeTask(episode, app, goal) for episode, app, goal, _ in queries.labels_of(db, source_id)]


def is_dealt(db: Session, source_id: int, split: str) -> bool:
    """Whether the split is of a partition that is dealt out here: the data does not name it, or (of the four that go
    together) none of them."""
    partition = partition_of(split)
    named = {partition_of(one) for one in queries.splits(db, source_id)}
    return bool(partition) and named.isdisjoint(PARTITIONS if partition in PARTITIONS else {partition})


def in_split(db: Session, source_id: int, split: str, part: str = TEST) -> set[str]:
    """Ids of the episodes in the split: as `queries.in_split`, or of a partition that is dealt out. A partition's name
    alone means its `part`."""
    wanted = part_of_partition(split, part)
    if not is_dealt(db, source_id, wanted):
        return queries.in_split(db, source_id, wanted)
    partition, place = partition_of(wanted), wanted.partition("/")[2].lower()
    if partition == FEASIBILITY:
        return {episode for episode, one in dealt_by_app(*_apps_held_out(db, source_id)).items() if one == place}
    if (fold := fold_of(partition)) is not None:
        return {episode for episode, one in dealt_fold(demonstrations(db, source_id), *fold).items() if one == place}
    of = {TRAIN: TRAIN, TEST: partition}.get(place)
    return {episode for episode, one in _dealt(db, source_id) if one == of}


def split_names(db: Session, source_id: int) -> tuple[str, ...]:
    """The splits that can be asked for: those of the data, then parts of partitions that are dealt out and not empty,
    where there are two apps or more."""
    own = queries.splits(db, source_id)
    if len(set(queries.names_of(db, source_id, "app").values())) < 2:
        return tuple(own)
    names = []
    if is_dealt(db, source_id, PARTITIONS[0]):
        there = {part for _, part in _dealt(db, source_id)}
        names += [one for one in PARTITIONS if one in there and TRAIN in there]
    if is_dealt(db, source_id, FEASIBILITY) and any(label for *_, label in queries.labels_of(db, source_id)):
        names.append(FEASIBILITY)
    return (*own, *(f"{one}/{part}" for one in names for part in (TEST, TRAIN)))


def goals_by_split(db: Session, source_id: int) -> dict[str, int]:
    """How many episodes with a goal each split has that can be asked for; "" stands for all, and comes first."""
    with_goal = {one.id for one in demonstrations(db, source_id) if one.goal.strip()}
    named = {name: len(with_goal & in_split(db, source_id, name)) for name in split_names(db, source_id)}
    return {"": len(with_goal), **named}


def no_split(db: Session, source_id: int, split: str) -> UsageError:
    """The error about a split without episodes: none of that name, or a partition that came to nothing."""
    if is_dealt(db, source_id, split):
        hint = "docs/formats/splits.md says how apps and tasks are dealt out. It needs two apps or more, with goals."
        return UsageError(f"The partition {split} of this data is empty.", hint=hint)
    names = ", ".join(split_names(db, source_id)) or "none"
    return UsageError(f"The data has no split {split!r}.", hint=f"It has: {names}.")


def _dealt(db: Session, source_id: int) -> list[tuple[str, str]]:
    return list(dealt_parts(*_apps_held_out(db, source_id)).items())


def _apps_held_out(db: Session, source_id: int) -> tuple[list[EpisodeTask], set[str]]:
    """Every episode, and the apps that the data itself keeps unseen."""
    every = demonstrations(db, source_id)
    named = queries.in_split(db, source_id, UNSEEN_APPS)
    return every, {one.app for one in every if one.id in named}
