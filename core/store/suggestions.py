"""Values that a field of the filter has in a source, for whoever is writing one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import Session

from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np

    from stepscope.core.store import texts as store_texts
    from stepscope.core.store.index_columns import IndexColumns
    from stepscope.core.store.texts import IntArray, Texts
else:
    store_texts = lazy_module("stepscope.core.store.texts")
    np = lazy_module("numpy")

OF_EPISODES = ("app", "platform", "label", "reason", "split")
OF_STEPS = ("action", "key", "typed", "target", "text")


@dataclass(frozen=True, slots=True)
class ValueSuggestion:
    """A value as the data has it, and how many episodes or steps have it."""

    value: str
    count: int


def suggestions(db: Session, source_id: int, field: str, prefix: str = "", limit: int = 50) -> list[ValueSuggestion]:
    """Values of the field that begin with `prefix` in any case of letters, then those that have it inside; of both the
    most frequent first, `limit` in all. Nothing for fields that are not in `OF_EPISODES` or `OF_STEPS`."""
    if field not in (*OF_EPISODES, *OF_STEPS):
        return []
    from stepscope.core.store.column_cache import shared_column_cache

    store = shared_column_cache(db)
    with store.turn:
        columns = store.columns(db, source_id)
        texts, counts = _of_episodes(db, columns, field) if field in OF_EPISODES else _of_steps(db, columns, field)
        return _fitting(texts, counts, prefix, limit)


def goals(db: Session, source_id: int, limit: int = 500) -> list[str]:
    """Goals of a source's episodes, each once, in alphabetical order."""
    from stepscope.core.store.tables import EpisodeRow

    wanted = select(EpisodeRow.goal).where(EpisodeRow.source_id == source_id, EpisodeRow.goal != "").distinct()
    return list(db.scalars(wanted.order_by(EpisodeRow.goal).limit(limit)))


def _of_episodes(db: Session, columns: IndexColumns, field: str) -> tuple[Texts, IntArray]:
    coded = columns.coded(db, field)
    totals: Counter[str] = Counter()
    for text, number in zip(coded.names.texts, coded.counts().tolist(), strict=True):
        for part in filter(None, text.split("\n")):  # an episode may be in several splits
            totals[part] += number
    return store_texts.Texts(list(totals)), np.array(list(totals.values()), np.int64)


def _of_steps(db: Session, columns: IndexColumns, field: str) -> tuple[Texts, IntArray]:
    steps = columns.steps(db)
    if field == "action":
        return store_texts.Texts(steps.kinds), np.bincount(steps.kind, minlength=len(steps.kinds))
    texts = columns.step_texts(db)
    if field == "text":
        return texts, columns.text_counts(db)
    column = {"key": steps.key, "typed": steps.typed, "target": steps.target}[field]
    return texts, np.bincount(column, minlength=len(texts))


def _fitting(texts: Texts, counts: IntArray, prefix: str, limit: int) -> list[ValueSuggestion]:
    begins, has = texts.having(prefix)
    wanted = np.flatnonzero(has & (counts > 0))
    order = np.lexsort((wanted, -counts[wanted], ~begins[wanted]))
    found = (wanted[place] for place in order[: limit + 1].tolist())
    return [ValueSuggestion(texts.texts[place], int(counts[place])) for place in found if texts.texts[place]][:limit]
