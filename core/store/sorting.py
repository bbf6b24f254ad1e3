"""The list of episodes as a person wants it: what a filter leaves, in an order, under headings.

What the store cannot order by itself is ordered on the columns in memory that filters work on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.store.filter_search import (
    AS_IT_IS,
    DATA_ALONE,
    FilterInputs,
    FilterResult,
    Sort,
    SortKey,
    find,
    in_order,
)
from stepscope.core.store.tables import EpisodeRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stepscope.core.store.column_cache import ColumnCache
    from stepscope.core.store.filters import ScoringsRead
    from stepscope.core.store.index_columns import IndexColumns
    from stepscope.core.store.run_items import RunItems
    from stepscope.core.store.texts import EncodedTexts

    FloatArray = NDArray[np.float64]
    Places = NDArray[np.int64]
else:
    np = lazy_module("numpy")

GroupKey = Literal["app", "split", "label", "reason", "platform"]
ListKey = Literal["position", "goal", "app", "steps", "split", "label", "first_wrong", "confidence", "disagreement"]

_IN_STORE: dict[str, SortKey] = {"position": "position", "goal": "goal", "app": "app", "steps": "steps"}
"""Orders that the store makes by itself."""


@dataclass(frozen=True, slots=True)
class ListSort:
    """`runs` are ids: the one by which `first_wrong` and `confidence` (the lowest) go, or those that disagree. Episodes
    without a value come last in either direction, equal ones stay in the data's order."""

    key: ListKey = "position"
    descending: bool = False
    runs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SortedEpisodes:
    """Ids of episodes, in order. `groups` are the values under which they stand and how many each has, in the order of
    the ids; "" collects what has none. Empty without groups. `found` tells the steps that were meant."""

    ids: tuple[str, ...]
    groups: tuple[tuple[str, int], ...]
    found: FilterResult


def listing(
    db: Session,
    source_id: int,
    query: Query = EVERYTHING,
    sort: ListSort = ListSort(),  # noqa: B008 - frozen
    inputs: FilterInputs = DATA_ALONE,
    group: GroupKey | None = None,
) -> SortedEpisodes:
    """The episodes of the source that pass the filter; orders by verdicts go by the same scores. Raises
    FilterError."""
    by_store = sort.key in _IN_STORE
    stored = Sort(_IN_STORE.get(sort.key, "position"), sort.descending and by_store)
    of_all = query == EVERYTHING
    found = FilterResult([])
    if not of_all or (by_store and group is None):
        found = find(db, source_id, query, stored, inputs)
        if (by_store and group is None) or not found.ids:
            return SortedEpisodes(tuple(found.ids), (), found)
    from stepscope.core.store.column_cache import shared_column_cache

    store = shared_column_cache(db)
    with store.turn:
        columns = store.columns(db, source_id)
        places = _all_places(db, columns, stored) if of_all else _places(db, columns, found.ids)
        if not by_store:
            places = places[_order(_values(db, store, columns, sort, inputs.under)[places], sort.descending)]
        groups: tuple[tuple[str, int], ...] = ()
        if group is not None:
            places, groups = _grouped(places, columns.coded(db, group), group)
        return SortedEpisodes(tuple(columns.ids(db)[places].tolist()), groups, found)


def _all_places(db: Session, columns: IndexColumns, sort: Sort) -> Places:
    """Every episode of the source, in an order that the store makes."""
    if sort == AS_IT_IS:
        return np.arange(len(columns.ids(db)))
    wanted = in_order(select(EpisodeRow.episode), columns.source_id, sort)
    return columns.order(db, repr(sort), lambda: db.scalars(wanted).all())


def _places(db: Session, columns: IndexColumns, ids: Sequence[str]) -> Places:
    place_of = columns.place_of(db)
    return np.fromiter(map(place_of.__getitem__, ids), np.int64, len(ids))


def _order(values: FloatArray, descending: bool) -> Places:
    """Places by value, NaN last, equal ones as they were."""
    return np.argsort(-values if descending else values, kind="stable")


def _grouped(places: Places, coded: EncodedTexts, group: GroupKey) -> tuple[Places, tuple[tuple[str, int], ...]]:
    """Places group by group, groups in alphabetical order, what has none last; and the groups' names and sizes."""
    rank, names = _ranks(coded, group)
    ranks = rank[coded.code[places]]
    sizes = np.bincount(ranks, minlength=len(names))
    groups = tuple((names[at], int(sizes[at])) for at in np.flatnonzero(sizes))
    return places[np.argsort(ranks, kind="stable")], groups


def _ranks(coded: EncodedTexts, group: GroupKey) -> tuple[NDArray[Any], list[str]]:
    """The place of each text of a column in alphabetical order, what is empty last, and the names in this order;
    several splits stand side by side in one name."""
    said = [", ".join(filter(None, text.split("\n"))) if group == "split" else text for text in coded.names.texts]
    names = sorted(set(said), key=lambda name: (not name, name.casefold(), name))
    place = {name: at for at, name in enumerate(names)}
    return np.array([place[name] for name in said], np.int64), names


def _values(
    db: Session, store: ColumnCache, columns: IndexColumns, sort: ListSort, under: ScoringsRead | None
) -> FloatArray:
    """What the order goes by, for every episode of the source; NaN where there is nothing."""
    if sort.key in ("split", "label"):
        group: GroupKey = "split" if sort.key == "split" else "label"
        coded = columns.coded(db, group)
        rank, names = _ranks(coded, group)
        values = rank[coded.code].astype(np.float64)
        values[values == (names.index("") if "" in names else -1)] = np.nan
        return values
    place_of = columns.place_of(db)
    first = sort.key == "first_wrong"
    judged = under is None or sort.key == "confidence"
    runs = [
        store.items(db, run, (under or {}).get(run))
        for run in sort.runs
        if judged or (under is not None and run in under)
    ]
    if sort.key == "disagreement":
        return _disagreements(place_of, runs)
    found = np.full(len(place_of), np.inf)
    for items in runs[:1]:
        number = items.step.astype(np.float64) if first else items.confidence(db)
        wanted = items.value < 1.0 if first else ~np.isnan(number)
        episode = _episodes(place_of, items)
        wanted &= episode >= 0
        np.minimum.at(found, episode[wanted], number[wanted])
    return np.where(np.isinf(found), np.nan, found)


def _disagreements(place_of: Mapping[str, int], runs: Sequence[RunItems]) -> FloatArray:
    """The number of steps of each episode on which one of the runs is right and another wrong; NaN for an
    episode on no step of which two have a score."""
    keys, right = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for items in runs:
        episode = _episodes(place_of, items)
        scored = (episode >= 0) & ~np.isnan(items.value)
        keys.append(episode[scored].astype(np.int64) << 32 | (items.step[scored].astype(np.int64) + 1))
        right.append((items.value[scored] == 1.0).astype(np.int64))
    steps, of_step = np.unique(np.concatenate(keys), return_inverse=True)
    judged = np.bincount(of_step, minlength=len(steps))
    rights = np.bincount(of_step, weights=np.concatenate(right), minlength=len(steps))
    found = np.full(len(place_of), np.nan)
    both = judged > 1
    found[steps[both] >> 32] = 0
    np.add.at(found, steps[both & (rights > 0) & (rights < judged)] >> 32, 1)
    return found


def _episodes(place_of: Mapping[str, int], items: RunItems) -> NDArray[Any]:
    """The place of each item's episode, -1 where the source does not have it."""
    known = np.fromiter((place_of.get(name, -1) for name in items.episodes), np.int64, len(items.episodes))
    return known[items.episode]
