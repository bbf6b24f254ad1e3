"""A source's steps and the items of the shown runs side by side: what a filter is worked out on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from stepscope.core.domain.action import ACTION_TYPES
from stepscope.core.frozen import dataclass
from stepscope.core.store.index_columns import UNKNOWN_STEP, IndexColumns, Steps, step_keys
from stepscope.core.store.run_items import RunItems
from stepscope.core.store.texts import BoolArray, EncodedTexts, IntArray


@dataclass(frozen=True, eq=False)
class PlacedItems:
    """Items of a run beside the steps of an index: for each the row of its step, UNKNOWN_STEP where the index has none;
    and the key of this step, UNKNOWN_STEP where the index does not have the episode. `reference` are the kinds of the
    references, None where the index has all steps."""

    items: RunItems
    row: IntArray
    key: IntArray
    reference: EncodedTexts | None

    @property
    def further(self) -> IntArray:
        """Keys of steps that the index does not have, of episodes that it has."""
        return self.key[(self.row < 0) & (self.key >= 0)]

    def rows(self, base: int, further: IntArray) -> IntArray:
        """The row of each item where these further steps, in order, stand behind `base` rows of the index."""
        if not len(further):
            return self.row
        return np.where((self.row < 0) & (self.key >= 0), base + np.searchsorted(further, self.key), self.row)


def placed_items(db: Session, columns: IndexColumns, items: RunItems) -> PlacedItems:
    """The items beside the steps of the source."""
    place_of = columns.place_of(db)
    episode = np.fromiter(map(place_of.get, items.episodes, repeat(-1)), np.int32, len(items.episodes))[items.episode]
    row = columns.steps(db).places(episode, items.step)
    row[episode < 0] = UNKNOWN_STEP
    key = np.where(episode < 0, UNKNOWN_STEP, step_keys(episode, items.step))
    further = bool(((row < 0) & (key >= 0)).any())
    return PlacedItems(items, row, key, items.reference(db) if further else None)


class StepTable:
    """Rows are the steps of the index (`steps`), in its order, and behind them `further` ones that only runs have: of
    episodes that were not read for filters yet, and items about whole episodes, whose step is -1.

    `episode`, `index` and `kind` have an entry a row, as those of `Steps`; `kinds` are those of both.
    """

    def __init__(self, columns: IndexColumns, episodes: int, steps: Steps, runs: Mapping[str, PlacedItems]) -> None:
        self.columns = columns
        self.episodes = episodes
        self.steps = steps
        self.runs = {run: placed.items for run, placed in runs.items()}
        keys = [placed.further for placed in runs.values()]
        further = np.unique(np.concatenate(keys)) if keys else np.zeros(0, np.int64)
        base = len(steps.episode)
        self.rows = base + len(further)
        self.known = self.longer(self.steps.known)
        self.episode = np.concatenate((self.steps.episode, (further >> 32).astype(np.int32)))
        here = further & 0xFFFFFFFF
        self.index = np.concatenate((self.steps.index, (here + _first_index()).astype(np.int32)))
        self._row = {run: placed.rows(base, further) for run, placed in runs.items()}
        self.kind, self.kinds = self._kinds(runs)
        self.acting = np.array([name in ACTION_TYPES for name in self.kinds])[self.kind]
        """whether a step has a reference action"""
        self.base = np.arange(self.rows) < base
        """whether a row is one of the index"""
        self.ordered = not len(further) and bool((np.diff(step_keys(self.episode, self.index)) > 0).all())
        """whether rows are in the order of episodes and steps"""
        self._masks: dict[tuple[str, str], BoolArray] = {}

    def on_rows(self, run: str, items: BoolArray | None = None) -> BoolArray:
        """The rows of these items of the run, of all of them without any."""
        row = self._row[run] if items is None else self._row[run][items]
        found = np.zeros(self.rows, np.bool_)
        found[row[row >= 0]] = True
        return found

    def verdict(self, run: str, name: str) -> BoolArray:
        """The rows on which the run is right, wrong, malformed or unscored; with `has` all that it has."""
        key = run, name
        if key not in self._masks:
            self._masks[key] = self.on_rows(run, _verdict(self.runs[run], name))
        return self._masks[key]

    def longer(self, of_steps: BoolArray) -> BoolArray:
        """What holds on steps of the index, for all rows; it never holds on further ones."""
        return np.concatenate((of_steps, np.zeros(self.rows - len(of_steps), np.bool_)))

    def of_rows(self, rows: BoolArray) -> BoolArray:
        """The episodes that have one of these rows."""
        found = np.zeros(self.episodes, np.bool_)
        found[self.episode[rows]] = True
        return found

    def _kinds(self, runs: Mapping[str, PlacedItems]) -> tuple[NDArray[np.int16], tuple[str, ...]]:
        """The kinds of all rows; those of further ones as the runs noted them."""
        base = len(self.steps.kind)
        kinds = {name: place for place, name in enumerate(self.steps.kinds)}
        found = np.concatenate((self.steps.kind, np.zeros(self.rows - base, np.int16)))
        for run, placed in runs.items():
            if placed.reference is not None:
                code = np.array([kinds.setdefault(name, len(kinds)) for name in placed.reference.names.texts], np.int16)
                new = self._row[run] >= base
                found[self._row[run][new]] = code[placed.reference.code[new]]
        return found, tuple(kinds)


def _first_index() -> int:
    """What is added to the lower half of a key to make it an index again."""
    return -int(step_keys(np.zeros(1, np.int32), np.zeros(1, np.int32))[0])


def _verdict(items: RunItems, name: str) -> BoolArray | None:
    """The items of this verdict, None for all."""
    match name:
        case "right":
            return np.equal(items.value, 1.0)
        case "wrong":
            return np.less(items.value, 1.0)
        case "has":
            return None
    return items.malformed if name == "malformed" else items.unscored
