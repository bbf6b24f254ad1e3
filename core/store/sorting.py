"""The list of episodes as a person wants it: what a filter leaves, in an order, under headings.

Orders by what runs say are made here from one pass over the runs' items, not by a look for each episode.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session

from core.domain.filter import EVERYTHING, Query
from core.store.judged import judged
from core.store.queries import Rules, Sort, SortKey, matching
from core.store.tables import EpisodeRow, PredictionRow, ScoreRow

GroupKey = Literal["app", "split", "label", "reason", "platform"]
ListKey = Literal["position", "goal", "app", "steps", "split", "label", "first_wrong", "confidence", "disagreement"]

IN_STORE: dict[str, SortKey] = {"position": "position", "goal": "goal", "app": "app", "steps": "steps"}
"""Orders that the store makes by itself."""


@dataclass(frozen=True, slots=True)
class ListSort:
    """`runs` are ids: the one by which `first_wrong` and `confidence` (the lowest) go, or those that disagree. Episodes
    without a value come last in either direction, equal ones stay in the data's order."""

    key: ListKey = "position"
    descending: bool = False
    runs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Ids of episodes, in order. `groups` are the values under which they stand and how many each has, in the order of
    the ids; "" collects what has none. Empty without groups."""

    ids: tuple[str, ...]
    groups: tuple[tuple[str, int], ...] = ()


def listing(
    db: Session,
    source_id: int,
    query: Query = EVERYTHING,
    sort: ListSort = ListSort(),
    runs: Mapping[str, str] | None = None,
    rules: Rules | None = None,
    group: GroupKey | None = None,
) -> Listing:
    """The episodes of the source that pass the filter. `runs` and `rules` as in `queries.matching`. Raises
    FilterError."""
    stored = IN_STORE.get(sort.key, "position")
    descending = sort.descending and sort.key in IN_STORE
    ids = matching(db, source_id, query, Sort(stored, descending), runs, rules)
    if sort.key not in IN_STORE:
        ids = in_order(ids, _values(db, source_id, sort), sort.descending)
    if group is None:
        return Listing(tuple(ids))
    return grouped(ids, _texts(db, source_id, group))


def in_order(ids: Sequence[str], values: Mapping[str, float | str], descending: bool = False) -> list[str]:
    """The ids by their values, those without one last, equal ones as they were."""
    having = [name for name in ids if name in values]
    having.sort(key=values.__getitem__, reverse=descending)
    return [*having, *(name for name in ids if name not in values)]


def grouped(ids: Sequence[str], names: Mapping[str, str]) -> Listing:
    """The ids under their names, in the names' alphabetical order; those without one last."""
    buckets: dict[str, list[str]] = {}
    for one in ids:
        buckets.setdefault(names.get(one, ""), []).append(one)
    order = sorted(buckets, key=lambda name: (not name, name.casefold(), name))
    return Listing(
        tuple(one for name in order for one in buckets[name]), tuple((name, len(buckets[name])) for name in order)
    )


def _values(db: Session, source_id: int, sort: ListSort) -> dict[str, float | str]:
    """What the order goes by, for the episodes that have it."""
    if sort.key in ("split", "label"):
        texts = _texts(db, source_id, "split" if sort.key == "split" else "label")
        return {name: text.casefold() for name, text in texts.items()}
    if not sort.runs:
        return {}
    if sort.key == "disagreement":
        return dict(disagreements(db, sort.runs))
    episode = PredictionRow.episode
    if sort.key == "first_wrong":
        query = judged(select(episode, func.min(PredictionRow.step))).where(ScoreRow.value < 1.0)
    else:
        query = select(episode, func.min(PredictionRow.confidence)).where(PredictionRow.confidence.is_not(None))
    return dict(db.execute(query.where(PredictionRow.run_id == sort.runs[0]).group_by(episode)).tuples().all())


def disagreements(db: Session, runs: Sequence[str]) -> dict[str, float]:
    """By episode, on how many of its steps one of the runs is right and another wrong, each under its own rule."""
    right = case((ScoreRow.value == 1.0, 1), else_=0)
    places = PredictionRow.episode, PredictionRow.step
    query = judged(select(*places)).where(PredictionRow.run_id.in_(runs), ScoreRow.value.is_not(None))
    differing = query.group_by(*places).having(func.min(right) != func.max(right)).subquery()
    counted = select(differing.c.episode, func.count()).group_by(differing.c.episode)
    return {episode: float(number) for episode, number in db.execute(counted)}


def _texts(db: Session, source_id: int, what: GroupKey) -> dict[str, str]:
    """A column of the source's episodes that have something in it; several splits stand side by side."""
    column = _column(what)
    rows = db.execute(select(EpisodeRow.episode, column).where(EpisodeRow.source_id == source_id, column != ""))
    if what == "split":
        return {episode: ", ".join(filter(None, text.split("\n"))) for episode, text in rows}
    return dict(rows.tuples().all())


def _column(what: GroupKey) -> ColumnElement[str]:
    columns: dict[GroupKey, ColumnElement[str]] = {
        "app": func.coalesce(EpisodeRow.app, ""),
        "split": EpisodeRow.__table__.c.split,
        "label": EpisodeRow.__table__.c.label,
        "reason": EpisodeRow.__table__.c.reason,
        "platform": EpisodeRow.__table__.c.platform,
    }
    return columns[what]


def value_counts(db: Session, source_id: int, what: GroupKey) -> list[tuple[str, int]]:
    """The values of a column and how many episodes of the source have each, the most frequent first; each of several
    splits counts."""
    column = _column(what)
    query = select(column, func.count()).where(EpisodeRow.source_id == source_id, column != "").group_by(column)
    totals: Counter[str] = Counter()
    for text, number in db.execute(query):
        for part in filter(None, text.split("\n")) if what == "split" else (text,):
            totals[part] += number
    return sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))
