"""A run's scores as columns in memory: one number an item and array, so that a view of a million of them is an instant.

`load_columns` reads what every view needs; single parts of scores, latencies and goals are read when they are asked
for. How the columns come out of the database is in `column_reading`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from sys import intern
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Outcome
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.store import column_packing, column_reading
from stepscope.core.store.answer_columns import FeasibilityColumns, feasibility_columns
from stepscope.core.store.column_reading import BoolArray, CodeArray, FloatArray, IntArray, Items, TextCodes
from stepscope.core.store.engine import Database
from stepscope.core.store.kept_columns import Columns, joined, kept, scoring_state, separated
from stepscope.core.store.repositories import outcomes as outcome_rows
from stepscope.core.store.repositories import runs as run_rows
from stepscope.core.store.repositories import sources
from stepscope.core.store.repositories.sources import IN_PIECES, StoredSource
from stepscope.core.store.score_joins import with_scores
from stepscope.core.store.tables import EpisodeRow, PredictionRow, ScoreRow, ScoringRow

SCORED, UNSCORED, ERROR = range(3)
"""Codes of `RunColumns.status`."""

_MANY_MORE = 10


@dataclass(frozen=True, eq=False)
class RunColumns:
    """The items of a run that have a score under one rule, in the order in which they were done.

    Arrays with one entry an item (n): `row` is the prediction's id (`rows` fetches it), `episode` an index into
    `episodes` (in order of first appearance), `step` counts from 0 and is -1 for a whole episode, `status` is SCORED,
    UNSCORED or ERROR, `value` is NaN without a score, `right` tells whether it is 1. `malformed` had no usable
    prediction, `null` of these none at all. `reference` and `predicted` are indices into `kinds`: kinds of action, or
    feasible and infeasible, "" for none. `confidence` is NaN where there is none.

    Arrays with one entry an episode: `app`, `label` and `reason` are indices into `apps`, `labels` and `reasons` (""
    is unknown), `steps` its length, -1 where the index of the run's data does not have it.
    """

    run_id: str
    scoring_id: int
    task: Task
    row: IntArray
    episode: CodeArray
    step: CodeArray
    status: NDArray[np.int8]
    value: FloatArray
    right: BoolArray
    malformed: BoolArray
    null: BoolArray
    reference: CodeArray
    predicted: CodeArray
    confidence: FloatArray
    episodes: tuple[str, ...]
    kinds: tuple[str, ...]
    app: CodeArray
    label: CodeArray
    reason: CodeArray
    steps: CodeArray
    apps: tuple[str, ...]
    labels: tuple[str, ...]
    reasons: tuple[str, ...]
    _database: Database = field(repr=False)
    _source_id: int | None = field(repr=False)
    _kept: dict[str, FloatArray] = field(repr=False, default_factory=dict)
    _by_name: tuple[IntArray, CodeArray] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "episodes", tuple(map(intern, self.episodes)))
        object.__setattr__(self, "_by_name", _ordered_names(self.episodes))

    @property
    def n(self) -> int:
        return len(self.row)

    def part(self, name: str) -> FloatArray:
        """The rule's intermediate value of this name for each item, NaN where there is none. Read once, then kept.

        Raises StoreError when the store cannot be read any more."""
        key = f"part {name}"
        if key not in self._kept:
            with self._database.reading() as db:
                self._kept[key] = self._aligned(*score_part(db, self.scoring_id, name))
        return self._kept[key]

    @cached_property
    def latency(self) -> FloatArray:
        """Milliseconds that the model took for each item, NaN where nothing says so. Raises StoreError as `part`."""
        with self._database.reading() as db:
            state = scoring_state(db, self.scoring_id)
            found = kept(db, state, "latency", lambda: _by_id(*column_reading.latencies(db, self.scoring_id)))
        return self._aligned(*_ids_and_values(found))

    @cached_property
    def said(self) -> FeasibilityColumns:
        """What answers on feasibility say beyond their label. Raises StoreError as `part`."""
        with self._database.reading() as db:
            return feasibility_columns(db, self.scoring_id, self.row, self.episodes, self._source_id)

    def goal(self, episode: int) -> str:
        """The goal of `episodes[episode]`, "" where the index does not have it. Raises StoreError as `part`."""
        if self._source_id is None:
            return ""
        name = self.episodes[episode]
        here = EpisodeRow.source_id == self._source_id, EpisodeRow.episode == name
        with self._database.reading() as db:
            return db.scalar(select(EpisodeRow.goal).where(*here)) or ""

    def episodes_in(self, other: RunColumns) -> CodeArray:
        """The index in another run's episodes for each of `episodes`, -1 where it is not there."""
        if self.episodes == other.episodes:
            return np.arange(len(self.episodes), dtype=np.int32)
        if not other.episodes:
            return np.full(len(self.episodes), -1, np.int32)
        (mine, order), (theirs, their_order) = self._by_name, other._by_name
        at = np.minimum(np.searchsorted(theirs, mine), len(theirs) - 1)
        found = np.empty(len(mine), np.int32)
        found[order] = np.where(theirs[at] == mine, their_order[at], np.int32(-1))
        return found

    @cached_property
    def first_items(self) -> IntArray | None:
        """The first item of each of `episodes`, whose items stand together up to the next one's first; None where the
        items of an episode do not stand together."""
        begins = np.flatnonzero(self.episode[1:] != self.episode[:-1]) + 1
        first = np.concatenate(([0], begins)) if self.n else begins
        return first if np.array_equal(self.episode[first], np.arange(len(self.episodes))) else None

    def _aligned(self, ids: IntArray, values: FloatArray) -> FloatArray:
        """Values by prediction, put where the items of these predictions are; what came later is left out."""
        found = np.full(self.n, np.nan)
        if not len(ids) or not self.n:
            return found
        order = np.argsort(self.row, kind="stable")
        place = np.minimum(np.searchsorted(self.row, ids, sorter=order), self.n - 1)
        known = self.row[order[place]] == ids
        found[order[place[known]]] = values[known]
        return found


def load_columns(database: Database, run_id: str, scoring_id: int | None = None, *, index: bool = True) -> RunColumns:
    """The columns of a run under its own protocol, or under another scoring of it. What cannot be found in the index of
    the run's data (it was never opened here, or the episode is gone from it) is unknown; so is all of it without
    `index`, which metrics do not need.

    Raises UsageError for an unknown run, and for a scoring that is not one of the run's.
    """
    with database.reading() as db:
        run = run_rows.get(db, run_id)
        chosen = _scoring(db, run_id, scoring_id)
        items = _items(db, chosen)
        source = sources.find(db, run.spec.source)
        known = column_reading.described_episodes(items.places, _index(db, source if index else None, items.places))
    return RunColumns(
        run_id=run_id,
        scoring_id=chosen,
        task=run.spec.task,
        row=items.row,
        episode=items.episode,
        step=items.step,
        status=items.status,
        value=items.value,
        right=items.value == 1.0,
        malformed=items.malformed,
        null=items.null,
        reference=items.reference,
        predicted=items.predicted,
        confidence=items.confidence,
        episodes=tuple(items.places),
        kinds=items.kinds,
        app=known.app,
        label=known.label,
        reason=known.reason,
        steps=known.steps,
        apps=known.apps,
        labels=known.labels,
        reasons=known.reasons,
        _database=database,
        _source_id=None if source is None else source.id,
    )


def _ordered_names(episodes: tuple[str, ...]) -> tuple[IntArray, CodeArray]:
    """A number for each of these texts that is the same in all runs, namely where the one interned text lies, in
    ascending order, and which of the episodes has it. To look up numbers is many times as fast as to look up texts."""
    names = np.fromiter(map(id, episodes), np.int64, len(episodes))
    order = np.argsort(names).astype(np.int32)
    return names[order], order


def rows(db: Session, run_id: str, row_ids: Sequence[int], scoring_id: int | None = None) -> list[Outcome]:
    """The items of these predictions in this order, with their scores; for the page that a list paints. Predictions
    that are gone are left out. Under the run's own protocol unless another scoring of it is named."""
    chosen: ColumnElement[bool] | None = None if scoring_id is None else ScoreRow.scoring_id == scoring_id
    query = with_scores(select(PredictionRow, ScoreRow), chosen).where(PredictionRow.run_id == run_id)
    found: dict[int, Outcome] = {}
    wanted = [int(row) for row in row_ids]
    for start in range(0, len(wanted), IN_PIECES):
        some = query.where(PredictionRow.id.in_(wanted[start : start + IN_PIECES]))
        found |= {item.id: outcome_rows.outcome_of(item, score) for item, score in db.execute(some)}
    return [found[row] for row in wanted if row in found]


def _scoring(db: Session, run_id: str, scoring_id: int | None) -> int:
    """The scoring's id; -1, which no score has, for a run that was not begun."""
    query = select(ScoringRow.id).where(ScoringRow.run_id == run_id)
    if scoring_id is None:
        return db.scalar(query.where(ScoringRow.own)) or -1
    if db.scalar(query.where(ScoringRow.id == scoring_id)) is None:
        raise UsageError(f"Run {run_id} has no scoring {scoring_id}.", hint="Score the run under that rule first.")
    return scoring_id


def _index(db: Session, source: StoredSource | None, places: TextCodes) -> Sequence[Sequence[Any]]:
    """What the source's index says, of all its episodes unless it has many more than the run."""
    if source is None:
        return [[], [], [], [], []]
    if len(places) * _MANY_MORE < source.episodes:
        return column_reading.index(db, source.id, list(places))
    found: Sequence[Sequence[Any]] = _reader(db).index(db, source.id)
    return found


def score_part(db: Session, scoring_id: int, name: str) -> tuple[IntArray, FloatArray]:
    """Predictions with this part in their score under the scoring, and the parts."""
    read = lambda: _by_id(*_reader(db).part(db, scoring_id, name))  # noqa: E731
    return _ids_and_values(kept(db, scoring_state(db, scoring_id), f"part {name}", read))


def _items(db: Session, scoring_id: int) -> Items:
    def read() -> Columns:
        found: Items = _reader(db).items(db, scoring_id)
        return {**vars(found), "kinds": joined(found.kinds), "places": joined(list(found.places))}

    found: dict[str, Any] = dict(kept(db, scoring_state(db, scoring_id), "items", read))
    found["kinds"] = tuple(separated(found["kinds"]))
    found["places"] = TextCodes(*separated(found["places"]))
    return Items(**found)


def _by_id(ids: IntArray, values: FloatArray) -> Columns:
    return {"ids": ids, "values": values}


def _ids_and_values(found: Columns) -> tuple[IntArray, FloatArray]:
    return np.asarray(found["ids"]), np.asarray(found["values"])


def _reader(db: Session) -> ModuleType:
    """What reads items and parts of this database."""
    return column_packing if db.get_bind().dialect.name == "sqlite" else column_reading
