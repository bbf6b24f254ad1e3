"""The steps of episodes as filters search them, packed into one row an episode.

A step is eight whole numbers: its index, the numbers of its kind, key, typed text, target and target's name in
`step_text` (0: none), whether an ask is due, and how many texts it has; the numbers of these stand apart. So a million
steps are read as two columns, and a text that stands on a thousand screens is kept and searched once.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from core.domain.step_summary import StepSummary
from core.store.tables import EpisodeRow, SourceRow, StepsRow, StepTextRow, storable, table_of

FACTS = ("index", "kind", "key", "typed", "target", "name", "ask", "texts")
"""What the numbers of a step are, in their order."""

_IN_PIECES = 500


def put(db: Session, source_id: int, details: Mapping[str, Sequence[StepSummary]]) -> None:
    """Put the steps of these episodes in the place of what is there (in a writing transaction)."""
    if not details:
        return
    rows = _row_ids(db, source_id, list(map(storable, details)))
    numbers = _numbers(db, source_id, {text for steps in details.values() for text in _texts(steps)})
    packed = [
        {"episode_id": rows[storable(name)], **_packed(steps, numbers)}
        for name, steps in details.items()
        if storable(name) in rows
    ]
    for first in range(0, len(packed), _IN_PIECES):
        some = packed[first : first + _IN_PIECES]
        db.execute(delete(StepsRow).where(StepsRow.episode_id.in_([row["episode_id"] for row in some])))
        db.execute(insert(table_of(StepsRow)), some)


def _texts(steps: Sequence[StepSummary]) -> Iterator[str]:
    for step in steps:
        for text in (step.kind, step.key, step.typed, step.target, step.name, *step.texts):
            if text:
                yield storable(text)


def _packed(steps: Sequence[StepSummary], numbers: Mapping[str, int]) -> dict[str, bytes]:
    facts: list[int] = []
    texts: list[int] = []
    for step in steps:
        words = (step.kind, step.key, step.typed, step.target, step.name)
        told = [numbers[storable(text)] if text else 0 for text in words]
        facts += (step.index, *told, step.ask, len(step.texts))
        texts += [numbers[storable(text)] for text in step.texts]
    return {"facts": _bytes(facts), "texts": _bytes(texts)}


def _bytes(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


def _row_ids(db: Session, source_id: int, episodes: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    query = select(EpisodeRow.episode, EpisodeRow.id).where(EpisodeRow.source_id == source_id)
    for first in range(0, len(episodes), _IN_PIECES):
        some = query.where(EpisodeRow.episode.in_(episodes[first : first + _IN_PIECES]))
        found.update((episode, row) for episode, row in db.execute(some))
    return found


def _numbers(db: Session, source_id: int, texts: set[str]) -> dict[str, int]:
    """The texts' numbers; those that the source did not have yet are entered."""
    found: dict[str, int] = {}
    query = select(StepTextRow.text, StepTextRow.number).where(StepTextRow.source_id == source_id)
    every = list(texts)
    for first in range(0, len(every), _IN_PIECES):
        some = query.where(StepTextRow.text.in_(every[first : first + _IN_PIECES]))
        found.update((text, number) for text, number in db.execute(some))
    new = [text for text in every if text not in found]
    if new:
        source = db.get_one(SourceRow, source_id)
        found.update((text, source.texts + n) for n, text in enumerate(new, 1))
        source.texts += len(new)
        entered = [{"source_id": source_id, "text": text, "number": found[text]} for text in new]
        db.execute(insert(table_of(StepTextRow)), entered)
    return found
