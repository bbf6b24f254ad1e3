"""What a filter finds: episodes, in an order, and the steps that made them pass.

Filters are worked out on columns in memory (`core.store.filters`), the same way for every database; a list without a
filter is the database's alone, so that it is there before any column is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import ColumnElement, Select, exists, func, select
from sqlalchemy.orm import Session

from stepscope.core.domain.filter import EVERYTHING, And, Query, needs_details, terms
from stepscope.core.domain.price import TokenPrice
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.store.repositories.index_claims import data_path
from stepscope.core.store.tables import EpisodeRow, RunRow, ScoreRow, ScoringRow, SourceRow

if TYPE_CHECKING:
    import numpy as np

    from stepscope.core.store import filters
    from stepscope.core.store.column_cache import ColumnCache
    from stepscope.core.store.step_table import StepTable
    from stepscope.core.store.texts import BoolArray
else:
    filters = lazy_module("stepscope.core.store.filters")

Rules = Mapping[str, tuple[str, str]]
"""Rules by the names that a filter may call them: protocol, and options as the store writes them."""

Prices = Mapping[str, TokenPrice]
"""Prices by the names of models."""


@dataclass(frozen=True, slots=True)
class FilterInputs:
    """What a filter may ask about besides the data: run ids by letter, rules that `flips` may name (None: nobody knows
    of any), prices for `cost`, causes for `cause`. `under` are the scores by which runs are right or wrong; a run that
    is not in it has no verdict. None: each run under its own rule."""

    runs: Mapping[str, str] = field(default_factory=dict)
    rules: Rules | None = None
    prices: Prices = field(default_factory=dict)
    causes: filters.Causes = field(default_factory=dict)
    under: filters.ScoringsRead | None = None


DATA_ALONE = FilterInputs()

SortKey = Literal["position", "id", "goal", "app", "platform", "split", "steps", "screens", "label", "asks", "problems"]


@dataclass(frozen=True, slots=True)
class Sort:
    """Order of episodes by what their index says; equal ones stay in the source's order. (Orders by what runs say are
    in `core.store.sorting`.)"""

    key: SortKey = "position"
    descending: bool = False


AS_IT_IS = Sort()
"""The source's own order."""


@dataclass(frozen=True, slots=True)
class StepHits:
    """Steps that a filter meant, one entry each, in the order of the source: the place of the episode in it, and the
    step's index."""

    episode: np.ndarray[Any, np.dtype[np.int32]]
    index: np.ndarray[Any, np.dtype[np.int32]]
    places: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class FilterResult:
    """`ids` of the episodes that pass, in order. `steps` is how many of their steps the filter's step terms meant, 0
    for a filter that asks about no step. `unread` episodes could not be told, for their steps are not in the index yet:
    they pass only what asks for something not to be there."""

    ids: list[str]
    steps: int = 0
    unread: int = 0
    _hits: StepHits | None = field(default=None, repr=False, compare=False)

    def steps_of(self, episode: str) -> tuple[int, ...]:
        """The indices of the steps that made this episode pass, ascending; none where that was no step."""
        hits = self._hits
        place = hits.places.get(episode) if hits is not None else None
        if hits is None or place is None:
            return ()
        first, end = (int(hits.episode.searchsorted(place, side)) for side in ("left", "right"))
        return tuple(hits.index[first:end].tolist())

    def hits(self) -> Iterator[tuple[str, int]]:
        """Every step that was meant, episode by episode in the order of `ids`."""
        for episode in self.ids:
            for step in self.steps_of(episode):
                yield episode, step


def find(
    db: Session,
    source_id: int,
    query: Query = EVERYTHING,
    sort: Sort = AS_IT_IS,
    inputs: FilterInputs = DATA_ALONE,
) -> FilterResult:
    """The episodes of the source that pass the filter, sorted, and their steps that it means. Raises FilterError."""
    if isinstance(query, And) and not query.parts:
        return FilterResult(list(db.scalars(in_order(select(EpisodeRow.episode), source_id, sort))))
    from stepscope.core.store.column_cache import shared_column_cache

    store = shared_column_cache(db)
    with store.turn:
        lookup = _lookup(db, query, inputs)
        board = _board(db, store, source_id, query, lookup)
        episodes, rows = _finder(db, store, board, source_id, lookup).find(query)
        return _found(db, board, source_id, sort, query, episodes, rows)


def in_order(query: Select[*tuple[Any, ...]], source_id: int, sort: Sort) -> Select[*tuple[Any, ...]]:
    """The query about episodes of a source, in that order."""
    column = _sort_column(sort)
    order = column.desc() if sort.descending else column.asc()
    return query.where(EpisodeRow.source_id == source_id).order_by(order.nulls_last(), EpisodeRow.position)


def _finder(db: Session, store: ColumnCache, board: StepTable, source_id: int, lookup: filters.Lookup) -> Any:
    path = db.scalar(select(SourceRow.path).where(SourceRow.id == source_id)) or ""
    return filters.Finder(db, board, lookup, data_path(path), lambda run: store.items(db, run))


def _board(db: Session, store: ColumnCache, source_id: int, query: Query, lookup: filters.Lookup) -> StepTable:
    """What the query is worked out on: without steps and runs where it asks for neither."""
    from stepscope.core.store.alternatives import asks_for_steps

    if asks_for_steps(query):
        return store.board(db, source_id, filters.runs_asked_for(query, lookup), lookup.under or {})
    return store.board_of_episodes(db, source_id)


def _found(
    db: Session, board: StepTable, source_id: int, sort: Sort, query: Query, episodes: BoolArray, rows: BoolArray
) -> FilterResult:
    import numpy as np

    columns = board.columns
    if sort.key == "position" and not sort.descending:
        ids = columns.ids(db)[episodes].tolist()
    else:
        by_sort = in_order(select(EpisodeRow.episode), source_id, sort)
        order = columns.order(db, repr(sort), lambda: list(db.scalars(by_sort)))
        ids = columns.ids(db)[order[episodes[order]]].tolist()
    unread = int(np.count_nonzero(~columns.steps(db).read)) if needs_details(query) else 0
    meant = np.flatnonzero(rows)
    episode, index = board.episode[meant], board.index[meant]
    if not board.ordered:
        of_step = index >= 0  # neither about a whole episode nor only counted
        episode, index = episode[of_step], index[of_step]
        order = np.lexsort((index, episode))
        episode, index = episode[order], index[order]
    return FilterResult(ids, len(episode), unread, StepHits(episode, index, columns.place_of(db)))


def _lookup(db: Session, query: Query, inputs: FilterInputs) -> filters.Lookup:
    """What the query may name; the scorings of the runs by rule, without those that judged nothing yet, and the prices
    of their models are looked up if it asks."""
    fields, runs, rules = {term.field for term in terms(query)}, inputs.runs, inputs.rules
    of_run = _prices_of(db, runs, inputs.prices) if "cost" in fields else {}
    lookup = filters.Lookup(runs, None if rules is None else {}, of_run, inputs.causes, inputs.under)
    if rules is None or "flips" not in fields:
        return lookup
    shown = ScoringRow.run_id.in_(list(runs.values()))
    judged_something = exists().where(ScoreRow.scoring_id == ScoringRow.id)
    found: dict[tuple[str, str], dict[str, list[tuple[int, int]]]] = {}
    for row in db.scalars(select(ScoringRow).where(shown, judged_something)):
        by_run = found.setdefault((row.scorer, row.options), {})
        by_run.setdefault(row.run_id, []).append((row.id, row.changed))
    return replace(lookup, rules={name.casefold(): found.get(rule, {}) for name, rule in rules.items()})


def _prices_of(db: Session, runs: Mapping[str, str], prices: Prices) -> dict[str, TokenPrice]:
    query = select(RunRow.id, RunRow.model).where(RunRow.id.in_(list(runs.values())))
    return {run: prices[model] for run, model in db.execute(query) if model in prices}


def _sort_column(sort: Sort) -> ColumnElement[Any]:
    columns: dict[str, ColumnElement[Any]] = {
        "id": func.lower(EpisodeRow.episode),
        "goal": func.lower(EpisodeRow.goal),
        "app": func.lower(EpisodeRow.app),
        "problems": EpisodeRow.problem_count + 0,
    }
    return columns[sort.key] if sort.key in columns else EpisodeRow.__table__.c[sort.key]
