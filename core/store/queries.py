"""What tables and plots ask for: pages, lists of ids, verdicts, columns. Everything is counted here, nothing is stored.

A list asks for ids first (`matching`, or `finding.find` for the steps too) and for the rows it paints (`episodes`). A
query never opens a data set.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Generic, Literal, TypeVar

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select
from sqlalchemy.orm import Session, aliased

from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.filter import EVERYTHING, Query, Term, Text
from stepscope.core.domain.prediction import PredictionStatus, Task
from stepscope.core.domain.run import Outcome, Run
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.frozen import dataclass
from stepscope.core.store.filter_search import AS_IT_IS, DATA_ALONE, FilterInputs, Sort, find
from stepscope.core.store.repositories import outcomes as outcome_rows
from stepscope.core.store.repositories import runs as run_rows
from stepscope.core.store.repositories import scorings as scoring_rows
from stepscope.core.store.repositories import sources
from stepscope.core.store.repositories.scorings import StoredScoring
from stepscope.core.store.score_joins import beside_own, is_flip, is_null, with_scores
from stepscope.core.store.tables import EpisodeRow, PredictionRow, RunRow, ScoreRow, ScoringRow

Row = TypeVar("Row")


class ItemVerdict(StrEnum):
    """The verdict of one item of a run. hit: right; miss: wrong, though readable; null: no answer at all; the others
    are what they say."""

    HIT = "hit"
    MISS = "miss"
    MALFORMED = "malformed"
    NULL = "null"
    UNSCORED = "unscored"
    ERROR = "error"


ItemFilter = Literal["all", "wrong", "right", "unscored", "malformed", "null", "error", "flips"]
"""`malformed` includes `null`: no prediction at all. `flips`: right under one rule and wrong under the other."""


@dataclass(frozen=True, slots=True)
class ResultPage(Generic[Row]):
    """`rows` from `offset` on, out of `total`."""

    rows: tuple[Row, ...]
    offset: int
    total: int


@dataclass(frozen=True, slots=True)
class RunCounts:
    """A run in a list. `scored` of its `run.done` items have a value, `right` have 1; `malformed` are scored too, and
    `null` of these have no prediction at all."""

    run: Run
    scored: int = 0
    right: int = 0
    errors: int = 0
    unscored: int = 0
    malformed: int = 0
    null: int = 0


@dataclass(frozen=True, slots=True)
class StepVerdict:
    step: int
    verdict: ItemVerdict
    value: float | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class ConfusionCount:
    """`count` items with this kind of reference and of predicted action ("" : none), `right` of them right."""

    reference: str
    predicted: str
    count: int
    right: int


def matching(
    db: Session,
    source_id: int,
    query: Query = EVERYTHING,
    sort: Sort = AS_IT_IS,
    inputs: FilterInputs = DATA_ALONE,
) -> list[str]:
    """Ids of all episodes of the source that pass the filter, sorted. Raises FilterError."""
    return find(db, source_id, query, sort, inputs).ids


def episodes(db: Session, source_id: int, ids: Sequence[str]) -> list[EpisodeSummary]:
    """The rows of these episodes, in this order."""
    return sources.summaries(db, source_id, ids)


def run_list(db: Session, *, task: Task | None = None, source: str | None = None) -> list[RunCounts]:
    """Runs with their counts, the latest first."""
    query = select(RunRow, run_rows.done_count())
    if task is not None:
        query = query.where(RunRow.task == task.value)
    if source is not None:
        query = query.where(RunRow.source == source)
    counts = _counts(db)
    found = db.execute(query.order_by(RunRow.created.desc(), RunRow.id))
    return [RunCounts(run_rows.value(row, done), *counts.get(row.id, ())) for row, done in found]


def run_counts(db: Session, run_id: str) -> RunCounts:
    """One run with its counts. Raises UsageError when there is none."""
    return RunCounts(run_rows.get(db, run_id), *_counts(db, run_id).get(run_id, ()))


def items(
    db: Session,
    run_id: str,
    *,
    show: ItemFilter = "all",
    episodes: Collection[str] | None = None,
    offset: int = 0,
    limit: int | None = 100,
    scoring_id: int | None = None,
) -> ResultPage[Outcome]:
    """Items of a run in the order they were done, with their scores; `limit` None: all.

    Under the run's own protocol unless another scoring of it is named, to which `flips` then refers.
    """
    wanted = _items(run_id, show, scoring_id)
    if episodes is not None:
        wanted = wanted.where(PredictionRow.episode.in_(episodes))
    total = db.scalar(select(func.count()).select_from(wanted.subquery())) or 0
    rows = db.execute(wanted.order_by(PredictionRow.id).offset(offset).limit(limit))
    return ResultPage(tuple(outcome_rows.outcome_of(*row) for row in rows), offset, total)


def each_item(db: Session, run_id: str, show: ItemFilter = "all", scoring_id: int | None = None) -> Iterator[Outcome]:
    """All items of a run one after the other, without holding them all: for exports."""
    rows = db.execute(_items(run_id, show, scoring_id).order_by(PredictionRow.id).execution_options(yield_per=500))
    for prediction, score in rows:
        yield outcome_rows.outcome_of(prediction, score)


def item_rows(
    db: Session, run_id: str, show: ItemFilter = "all", scoring_id: int | None = None
) -> list[tuple[int, str]]:
    """Id and episode of the prediction of every such item, in the order they were done."""
    rows = db.execute(_items(run_id, show, scoring_id).with_only_columns(PredictionRow.id, PredictionRow.episode)
                      .order_by(PredictionRow.id))  # fmt: skip
    return [(row, episode) for row, episode in rows]


def verdicts(
    db: Session, run_ids: Sequence[str], episodes: Sequence[str], scorings: Mapping[str, int] | None = None
) -> dict[str, dict[str, tuple[StepVerdict, ...]]]:
    """Verdicts by episode, then by run, in order of steps; for the episodes of a visible page.

    Under each run's own protocol, or under the scoring of it that `scorings` names by its id.
    """
    others = scorings or {}
    chosen = or_(and_(ScoringRow.own, ScoringRow.run_id.not_in(others)), ScoringRow.id.in_(others.values()))
    found: dict[str, dict[str, list[StepVerdict]]] = {}
    columns = PredictionRow.episode, PredictionRow.run_id, PredictionRow.step, *_verdict_columns()
    query = (
        with_scores(select(*columns, PredictionRow.status, PredictionRow.confidence), chosen)
        .where(PredictionRow.run_id.in_(run_ids), PredictionRow.episode.in_(episodes))
        .order_by(PredictionRow.episode, PredictionRow.run_id, PredictionRow.step)
    )
    for episode, run, step, status, value, malformed, prediction, confidence in db.execute(query):
        null = prediction != PredictionStatus.MALFORMED.value
        verdict = StepVerdict(step, verdict_of(status, value, malformed, null), value, confidence)
        found.setdefault(episode, {}).setdefault(run, []).append(verdict)
    return {episode: {run: tuple(row) for run, row in by_run.items()} for episode, by_run in found.items()}


def scores(db: Session, run_id: str, scoring_id: int | None = None) -> list[tuple[str, int, Score]]:
    """(episode, step, score) of every item, for aggregation: without the words of `why`.

    Under the run's own protocol unless another scoring of it is named. In the order the items were done.
    """
    null = PredictionRow.status != PredictionStatus.MALFORMED.value
    columns = PredictionRow.episode, PredictionRow.step, *_verdict_columns(), ScoreRow.parts, null
    chosen: ColumnElement[bool] = ScoringRow.own.is_(True) if scoring_id is None else ScoringRow.id == scoring_id
    query = (
        select(*columns)
        .join(ScoreRow, ScoreRow.prediction_id == PredictionRow.id)
        .join(ScoringRow, and_(ScoringRow.id == ScoreRow.scoring_id, chosen))
        .where(PredictionRow.run_id == run_id, ScoringRow.run_id == run_id)
        .order_by(PredictionRow.id)
    )
    found: list[tuple[str, int, Score]] = []
    for rows in db.execute(query).partitions(_AT_ONCE):
        parts = json.loads(f"[{','.join(row[5] for row in rows)}]")  # one call for many: a third of the time
        found.extend(
            (episode, step, _score(status, value, malformed, part, null))
            for (episode, step, status, value, malformed, _, null), part in zip(rows, parts, strict=True)
        )
    return found


def scorings(db: Session, run_id: str) -> list[StoredScoring]:
    """The rules under which the run has scores, its own first."""
    return scoring_rows.of_run(db, run_id)


def confusion(db: Session, run_id: str) -> list[ConfusionCount]:
    """Scored items by the kinds of reference and predicted action, the most frequent first."""
    right = func.sum(case((ScoreRow.value == 1.0, 1), else_=0))
    query = (
        with_scores(select(PredictionRow.reference, PredictionRow.kind, func.count(), right))
        .where(PredictionRow.run_id == run_id, ScoreRow.status == ScoreStatus.SCORED.value)
        .group_by(PredictionRow.reference, PredictionRow.kind)
        .order_by(func.count().desc(), PredictionRow.reference, PredictionRow.kind)
    )
    return [ConfusionCount(*row) for row in db.execute(query)]


def verdict_of(status: str, value: float | None, malformed: bool, null: bool) -> ItemVerdict:
    """The verdict of one score's columns; `null`: what is malformed is no answer at all."""
    if status != ScoreStatus.SCORED:
        return ItemVerdict.ERROR if status == ScoreStatus.ERROR else ItemVerdict.UNSCORED
    if malformed:
        return ItemVerdict.NULL if null else ItemVerdict.MALFORMED
    return ItemVerdict.HIT if value == 1.0 else ItemVerdict.MISS


_AT_ONCE = 1000
_STATUS = {status.value: status for status in ScoreStatus}


def _score(status: str, value: float | None, malformed: bool, parts: list[list[Any]], null: bool) -> Score:
    found = tuple(map(_part, parts)) if parts else ()
    return Score(_STATUS[status], value, "", malformed, found, malformed and null)


def _part(pair: list[Any]) -> tuple[str, float]:
    return pair[0], pair[1]


def _verdict_columns() -> tuple[Any, Any, Any]:
    return ScoreRow.status, ScoreRow.value, ScoreRow.malformed


def _items(run_id: str, show: ItemFilter, scoring_id: int | None = None) -> Select[*tuple[Any, ...]]:
    chosen = None if scoring_id is None else ScoreRow.scoring_id == scoring_id
    query = with_scores(select(PredictionRow, ScoreRow), chosen).where(PredictionRow.run_id == run_id)
    if show == "all":
        return query
    if show == "flips":
        before = aliased(ScoreRow)
        return beside_own(query, before, ScoreRow.prediction_id).where(is_flip(before, ScoreRow))
    conditions: dict[str, ColumnElement[bool]] = {
        "wrong": ScoreRow.value < 1.0,
        "right": ScoreRow.value == 1.0,
        "unscored": ScoreRow.status == ScoreStatus.UNSCORED.value,
        "malformed": ScoreRow.malformed.is_(True),
        "null": is_null(),
        "error": ScoreRow.status == ScoreStatus.ERROR.value,
    }
    return query.where(conditions[show])


def _counts(db: Session, run_id: str | None = None) -> dict[str, tuple[int, int, int, int, int, int]]:
    """scored, right, errors, unscored, malformed, null of each run under its own protocol."""

    def number(of: ColumnElement[bool]) -> ColumnElement[int]:
        return func.coalesce(func.sum(case((of, 1), else_=0)), 0)

    query = select(
        ScoringRow.run_id,
        number(ScoreRow.status == ScoreStatus.SCORED.value),
        number(ScoreRow.value == 1.0),
        number(ScoreRow.status == ScoreStatus.ERROR.value),
        number(ScoreRow.status == ScoreStatus.UNSCORED.value),
        number(ScoreRow.malformed.is_(True)),
        number(is_null()),
    ).join(ScoreRow, ScoreRow.scoring_id == ScoringRow.id)
    query = query.join(PredictionRow, PredictionRow.id == ScoreRow.prediction_id)
    if run_id is not None:
        query = query.where(ScoringRow.run_id == run_id)
    rows = db.execute(query.where(ScoringRow.own.is_(True)).group_by(ScoringRow.run_id))
    return {row[0]: (row[1], row[2], row[3], row[4], row[5], row[6]) for row in rows}


def in_split(db: Session, source_id: int, name: str) -> set[str]:
    """Ids of the episodes in the split of that name, in any case of letters: `partition/split`, or either part."""
    return set(matching(db, source_id, Term("split", ":", (Text(name),))))


def names_of(db: Session, source_id: int, what: Literal["app", "goal"]) -> dict[str, str]:
    """App or goal of each episode of a source that has one."""
    column = EpisodeRow.app if what == "app" else EpisodeRow.goal
    query = select(EpisodeRow.episode, column).where(EpisodeRow.source_id == source_id, column.is_not(None))
    return {episode: name for episode, name in db.execute(query) if name}


def labels_of(db: Session, source_id: int) -> list[tuple[str, str, str, str]]:
    """Id, app, goal and feasibility label of every episode of a source, in its order; "" for what it does not have."""
    query = select(EpisodeRow.episode, EpisodeRow.app, EpisodeRow.goal, EpisodeRow.label)
    rows = db.execute(query.where(EpisodeRow.source_id == source_id).order_by(EpisodeRow.position))
    return [(episode, app or "", goal, label) for episode, app, goal, label in rows]


def splits(db: Session, source_id: int) -> list[str]:
    """The names of all splits of a source."""
    found = db.scalars(select(EpisodeRow.split).where(EpisodeRow.source_id == source_id).distinct())
    return sorted({name for several in found for name in several.split("\n") if name})


def goals_and_steps(db: Session, source_id: int) -> dict[str, tuple[str, int]]:
    """Goal and number of steps of every episode of a source, in its order."""
    query = select(EpisodeRow.episode, EpisodeRow.goal, EpisodeRow.steps).where(EpisodeRow.source_id == source_id)
    return {episode: (goal, steps) for episode, goal, steps in db.execute(query.order_by(EpisodeRow.position))}
