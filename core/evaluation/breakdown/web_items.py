"""The items of a run over web tasks as columns: the task of each page, and what its fields scored by type."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from stepscope.core.domain.webtask import FieldType, task_of
from stepscope.core.frozen import dataclass
from stepscope.core.store.column_reading import BoolArray, CodeArray, FloatArray, TextCodes
from stepscope.core.store.columns import SCORED, RunColumns

TYPES = tuple(kind.value for kind in FieldType)
COUNT = "{}_fields"
"""Name of the part of a score that counts the fields of a type (`core.scoring.web_fields`)."""


@dataclass(frozen=True, eq=False)
class WebItems:
    """One entry an item: `task` is an index into `tasks` (in order of first appearance), `sums` and `counts` have a
    column for each of `TYPES` with the sum of its fields' scores and their number, 0 where there are none. `total` and
    `fields` are these over all types. `scored`: it has a field with a score."""

    tasks: tuple[str, ...]
    task: CodeArray
    sums: FloatArray
    counts: FloatArray
    total: FloatArray
    fields: FloatArray
    scored: BoolArray


_tasks: WeakKeyDictionary[RunColumns, tuple[CodeArray, tuple[str, ...]]] = WeakKeyDictionary()
_items: WeakKeyDictionary[RunColumns, WebItems] = WeakKeyDictionary()


def tasks_of(columns: RunColumns) -> tuple[CodeArray, tuple[str, ...]]:
    """An index into the names of tasks for each of `columns.episodes`, and these names. Found once, then kept."""
    if columns not in _tasks:
        names = TextCodes()
        codes = names.of([task_of(episode) for episode in columns.episodes])
        _tasks[columns] = codes, tuple(names)
    return _tasks[columns]


def web_items(columns: RunColumns) -> WebItems:
    """Read once, then kept as long as the columns are. Raises StoreError when the store cannot be read any more."""
    if columns not in _items:
        codes, names = tasks_of(columns)
        counts = _parts(columns, [COUNT.format(kind) for kind in TYPES])
        sums = _parts(columns, [kind if counts[:, place].any() else "" for place, kind in enumerate(TYPES)])
        fields = counts.sum(axis=1)
        scored = (columns.status == SCORED) & (fields > 0)
        _items[columns] = WebItems(names, codes[columns.episode], sums, counts, sums.sum(axis=1), fields, scored)
    return _items[columns]


def _parts(columns: RunColumns, names: list[str]) -> FloatArray:
    """Parts of scores side by side, 0 where a score has none; "" is a part that no score has."""
    found = np.zeros((columns.n, len(names)), order="F")  # they are read column by column
    for place, name in enumerate(names):
        if name:
            found[:, place] = np.nan_to_num(columns.part(name), nan=0.0)
    return found
