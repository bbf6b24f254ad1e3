"""What was predicted where something else was right: counts of references and predictions."""

from __future__ import annotations

import numpy as np

from stepscope.core.domain.prediction import ASKS, ASKS_NOT, Task
from stepscope.core.evaluation.breakdown.selection import (
    FEASIBLE,
    INFEASIBLE,
    Field,
    ItemSelection,
    code_of,
    counted_infeasible,
)
from stepscope.core.frozen import dataclass
from stepscope.core.store.column_reading import BoolArray
from stepscope.core.store.columns import SCORED, RunColumns

CLOSED = {Task.ASK: (ASKS, ASKS_NOT)}
"""Tasks whose answers are of known classes, each of which has its row and its column; feasibility has a way of its
own, since there what is unusable counts as the wrong class."""


@dataclass(frozen=True, slots=True)
class ConfusionEntry:
    """`count` items, `right` of them right. `share` is that of all items, `row_share` that of the row's. `name` is TP,
    FN, FP or TN where there are two classes (positive is infeasible), else "". Shares of nothing are 0."""

    reference: str
    predicted: str
    count: int
    right: int
    share: float
    row_share: float
    name: str
    selection: ItemSelection


@dataclass(frozen=True, slots=True)
class ConfusionMatrix:
    """Scored items by reference (rows) and prediction (columns), the most frequent first, "" for no action last. Where
    there are only two classes, both are there though nothing is of one, the positive first: infeasible, ask. `rows` and
    `right` are totals of each row."""

    references: tuple[str, ...]
    predictions: tuple[str, ...]
    cells: tuple[tuple[ConfusionEntry, ...], ...]
    rows: tuple[int, ...]
    right: tuple[int, ...]
    total: int


def confusion(columns: RunColumns, mask: BoolArray | None = None) -> ConfusionMatrix:
    """Kinds against kinds, or for feasibility the four outcomes: there a prediction that is not usable counts as the
    wrong class. Of grounding there is none: text and icon are no answers."""
    scored = columns.status == SCORED if mask is None else (columns.status == SCORED) & mask
    if columns.task is Task.GROUNDING:
        scored = np.zeros_like(scored)
    if columns.task is Task.FEASIBILITY:
        return _of_two(columns, scored)
    closed = CLOSED.get(columns.task, ())
    kinds = (*columns.kinds, *(kind for kind in closed if kind not in columns.kinds))
    counts, right = _counts(columns.reference, columns.predicted, scored, columns.right, len(kinds))
    references, predictions = (_order(counts.sum(axis=axis), kinds, closed) for axis in (1, 0))
    return _confusion(counts, right, kinds, references, predictions)


def _of_two(columns: RunColumns, scored: BoolArray) -> ConfusionMatrix:
    positive = columns.reference == code_of(columns.kinds, INFEASIBLE)
    scored = scored & (positive | (columns.reference == code_of(columns.kinds, FEASIBLE)))
    counts, right = _counts(~positive, ~counted_infeasible(columns), scored, columns.right, 2)
    return _confusion(counts, right, (INFEASIBLE, FEASIBLE), [0, 1], [0, 1], (("TP", "FN"), ("FP", "TN")))


def _counts(
    reference: np.ndarray, predicted: np.ndarray, scored: BoolArray, right: BoolArray, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """Items and right items of each pair: two arrays (size, size). What is not scored is counted in a place of its
    own, which is then cut off: that is faster than taking the scored ones out first."""
    pairs = reference.astype(np.intp)
    pairs *= size
    pairs += predicted
    pairs *= 2
    pairs += right
    pairs[~scored] = 2 * size * size
    found = np.bincount(pairs, minlength=2 * size * size + 1)[:-1].reshape(size, size, 2)
    return found.sum(axis=2), found[:, :, 1]


def _order(totals: np.ndarray, kinds: tuple[str, ...], closed: tuple[str, ...] = ()) -> list[int]:
    """The kinds that occur, the most frequent first, after those that are always shown."""
    always = [kinds.index(kind) for kind in closed]
    seen = [code for code in np.flatnonzero(totals).tolist() if code not in always]
    return always + sorted(seen, key=lambda code: (kinds[code] == "", -totals[code], kinds[code]))


def _confusion(
    counts: np.ndarray,
    right: np.ndarray,
    kinds: tuple[str, ...],
    references: list[int],
    predictions: list[int],
    names: tuple[tuple[str, str], ...] = (),
) -> ConfusionMatrix:
    total = int(counts.sum())
    rows = counts.sum(axis=1)

    def cell(reference: int, predicted: int) -> ConfusionEntry:
        count = int(counts[reference, predicted])
        field: Field = "counted" if names else "predicted"
        return ConfusionEntry(
            kinds[reference],
            kinds[predicted],
            count,
            int(right[reference, predicted]),
            count / total if total else 0.0,
            float(count / rows[reference]) if rows[reference] else 0.0,
            names[reference][predicted] if names else "",
            ItemSelection.of(("reference", kinds[reference]), (field, kinds[predicted])),
        )

    return ConfusionMatrix(
        tuple(kinds[code] for code in references),
        tuple(kinds[code] for code in predictions),
        tuple(tuple(cell(reference, predicted) for predicted in predictions) for reference in references),
        tuple(int(rows[code]) for code in references),
        tuple(int(right[code].sum()) for code in references),
        total,
    )
