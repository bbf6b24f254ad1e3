"""The steps of episodes as filters search them, packed into one row an episode.

A step is eight whole numbers: its index, the numbers of its kind, key, typed text, target and target's name in
`step_text` (0: none), whether an ask is due, and how many texts it has; the numbers of these stand apart. So a million
steps are read as two columns, and a text that stands on a thousand screens is kept and searched once.
"""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Pool, delete, insert, select
from sqlalchemy.orm import Session

from stepscope.core.domain.step_summary import StepSummary
from stepscope.core.store.tables import EpisodeRow, SourceRow, StepsRow, StepTextRow, storable, table_of

FACTS = ("index", "kind", "key", "typed", "target", "name", "ask", "texts")
"""What the numbers of a step are, in their order."""

MOST_REMEMBERED = 1_000_000
"""Texts whose numbers a writer remembers from one piece to the next (some 150 MB): looking them up takes longer than
everything else."""

_IN_PIECES = 500


@dataclass(slots=True)
class _TextNumbers:
    """Numbers of some or all texts of a source, true as long as its `changed` is `state`."""

    source_id: int = 0
    state: int = 0
    of: dict[str, int] = field(default_factory=dict)


_remembered: WeakKeyDictionary[Pool, _TextNumbers] = WeakKeyDictionary()
_turn = threading.Lock()


def put(db: Session, source_id: int, details: Mapping[str, Sequence[StepSummary]]) -> None:
    """Put the steps of these episodes in the place of what is there, and note that the index has changed (in a writing
    transaction)."""
    source = db.get_one(SourceRow, source_id)
    rows = _row_ids(db, source_id, list(map(storable, details)))
    numbers = _numbers(db, source, {text for steps in details.values() for text in _texts(steps)})
    packed = [
        {"episode_id": rows[storable(name)], **_packed(steps, numbers)}
        for name, steps in details.items()
        if storable(name) in rows
    ]
    for first in range(0, len(packed), _IN_PIECES):
        some = packed[first : first + _IN_PIECES]
        db.execute(delete(StepsRow).where(StepsRow.episode_id.in_([row["episode_id"] for row in some])))
    if packed:
        db.execute(insert(table_of(StepsRow)), packed)


def forget(db: Session) -> None:
    """Writing is over for now: give back what is remembered of this store's texts."""
    engine: Any = db.get_bind().engine
    with _turn:
        _remembered.pop(engine.pool, None)


def _texts(steps: Sequence[StepSummary]) -> Iterator[str]:
    for step in steps:
        yield from (step.kind, step.key, step.typed, step.target, step.name)
        yield from step.texts


def _packed(steps: Sequence[StepSummary], numbers: Mapping[str, int]) -> dict[str, bytes]:
    facts: list[int] = []
    texts: list[int] = []
    number = numbers.__getitem__
    for step in steps:
        words = step.kind, step.key, step.typed, step.target, step.name
        facts += (step.index, *map(number, words), step.ask, len(step.texts))
        texts += map(number, step.texts)
    return {"facts": _bytes(facts), "texts": _bytes(texts)}


def _bytes(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


def _row_ids(db: Session, source_id: int, episodes: Sequence[str]) -> dict[str, int]:
    query = select(EpisodeRow.episode, EpisodeRow.id).where(EpisodeRow.source_id == source_id)
    return dict(_in_pieces(db, query, EpisodeRow.episode, episodes))


def _numbers(db: Session, source: SourceRow, texts: set[str]) -> Mapping[str, int]:
    """The texts' numbers; those that the source did not have yet are entered. "" has 0."""
    engine: Any = db.get_bind().engine
    stored = {text: storable(text) for text in texts}
    with _turn:
        remembered = _remembered.setdefault(engine.pool, _TextNumbers())
        if (remembered.source_id, remembered.state) != (source.id, source.changed):
            remembered.source_id, remembered.of = source.id, {"": 0}
        missing = set(stored.values()) - remembered.of.keys()
        known = {} if len(remembered.of) == source.texts + 1 else _stored(db, source.id, list(missing))
        new = {text: source.texts + place for place, text in enumerate(missing - known.keys(), 1)}
        if new:
            source.texts += len(new)
            entered = [{"source_id": source.id, "text": text, "number": number} for text, number in new.items()]
            db.execute(insert(table_of(StepTextRow)), entered)
        found = remembered.of
        found.update(known)
        found.update(new)
        source.changed = remembered.state = time.time_ns()
        if len(found) > MOST_REMEMBERED:
            remembered.of = {"": 0}
    odd = {text: found[kept] for text, kept in stored.items() if kept != text}
    return found | odd if odd else found


def _stored(db: Session, source_id: int, texts: Sequence[str]) -> dict[str, int]:
    query = select(StepTextRow.text, StepTextRow.number).where(StepTextRow.source_id == source_id)
    return dict(_in_pieces(db, query, StepTextRow.text, texts))


def _in_pieces(db: Session, query: Any, column: Any, values: Sequence[str]) -> Iterator[tuple[str, int]]:
    for first in range(0, len(values), _IN_PIECES):
        yield from db.execute(query.where(column.in_(values[first : first + _IN_PIECES])))
