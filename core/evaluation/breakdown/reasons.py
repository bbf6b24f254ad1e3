"""Why goals are infeasible: reasons predicted where others are recorded, and the items with a question."""

from __future__ import annotations

from typing import Literal

import numpy as np

from stepscope.core.evaluation.breakdown.confusions import ConfusionEntry, ConfusionMatrix
from stepscope.core.evaluation.breakdown.feasibility_answers import CLASSES, NO_REASON, SAID, said_classes
from stepscope.core.evaluation.breakdown.selection import FEASIBLE, INFEASIBLE, Criterion, ItemSelection, code_of
from stepscope.core.scoring.infeasible_details import COS_SIM, METEOR
from stepscope.core.store.answer_columns import REASONS
from stepscope.core.store.column_reading import BoolArray, CodeArray, FloatArray, IntArray
from stepscope.core.store.columns import SCORED, RunColumns

QuestionOrder = Literal["app", "reason", "cos_sim", "meteor"]
MEANT = (*CLASSES, NO_REASON)
"""What a reference can be: infeasible ones for which nobody says why are the last."""


def reason_confusion(columns: RunColumns, mask: BoolArray | None = None) -> ConfusionMatrix:
    """Scored items by label and reason: feasible and the three reasons are always there, in that order, NO_REASON and
    NO_ANSWER where something is so. Reasons of references are those of the data's index. `right` counts the items
    whose class is the same on both sides; a reason that only one side gives is no mistake."""
    meant, said = meant_classes(columns), said_classes(columns)
    counted = (columns.status == SCORED) & (meant >= 0)
    if mask is not None:
        counted &= mask
    size = len(SAID)
    counts = np.bincount(meant[counted] * size + said[counted], minlength=len(MEANT) * size).reshape(len(MEANT), size)
    rows, total = counts.sum(axis=1), int(counts.sum())
    always = len(CLASSES)
    references = [*range(always), *(code for code in range(always, len(MEANT)) if rows[code])]
    predictions = [*range(always), *(code for code in range(always, size) if counts[:, code].any())]

    def cell(reference: int, predicted: int) -> ConfusionEntry:
        count = int(counts[reference, predicted])
        right = count if agrees(MEANT[reference], SAID[predicted]) else 0
        return ConfusionEntry(
            MEANT[reference],
            SAID[predicted],
            count,
            right,
            count / total if total else 0.0,
            float(count / rows[reference]) if rows[reference] else 0.0,
            "",
            _meant_as(MEANT[reference]).with_(ItemSelection.of(("said", SAID[predicted]))),
        )

    cells = tuple(tuple(cell(reference, predicted) for predicted in predictions) for reference in references)
    return ConfusionMatrix(
        tuple(MEANT[code] for code in references),
        tuple(SAID[code] for code in predictions),
        cells,
        tuple(int(rows[code]) for code in references),
        tuple(sum(one.right for one in row) for row in cells),
        total,
    )


def agrees(meant: str, said: str) -> bool:
    """Whether a predicted class is right as far as both sides say: the same, or infeasible with one that says no
    more."""
    infeasible = (*REASONS, NO_REASON)
    return meant == said or (meant in infeasible and said in infeasible and NO_REASON in (meant, said))


def meant_classes(columns: RunColumns) -> CodeArray:
    """The class of each reference, as a place in `MEANT`; -1 for one that is neither feasible nor infeasible."""
    place = np.array([MEANT.index(name) if name in REASONS else MEANT.index(NO_REASON) for name in columns.reasons])
    found = np.full(columns.n, -1, np.int32)
    found[columns.reference == code_of(columns.kinds, FEASIBLE)] = 0
    infeasible = columns.reference == code_of(columns.kinds, INFEASIBLE)
    found[infeasible] = place[columns.reason][columns.episode][infeasible]
    return found


def _meant_as(name: str) -> ItemSelection:
    if name == FEASIBLE:
        return ItemSelection.of(("reference", FEASIBLE))
    reason = Criterion("reason", "" if name == NO_REASON else name)
    return ItemSelection.of(("reference", INFEASIBLE)).with_(ItemSelection((reason,)))


def question_items(columns: RunColumns, mask: BoolArray | None = None) -> IntArray:
    """Places of the scored items for which the model asks something, or the annotators of an infeasible goal did."""
    infeasible = columns.reference == code_of(columns.kinds, INFEASIBLE)
    found = columns.said.asks | (infeasible & columns.said.annotated[columns.episode])
    found &= columns.status == SCORED
    return np.flatnonzero(found if mask is None else found & mask)


def sorted_questions(columns: RunColumns, places: IntArray, order: QuestionOrder, *, descending: bool) -> IntArray:
    """The places by app, reason or likeness; equal ones as they were done, those without a value at the end either
    way."""
    if order in (COS_SIM, METEOR):
        keys = columns.part(order)[places]
    else:
        codes, names = (columns.app, columns.apps) if order == "app" else (columns.reason, columns.reasons)
        keys = _alphabetical(names)[codes[columns.episode[places]]]
    return places[np.argsort(-keys if descending else keys, kind="stable")]


def _alphabetical(names: tuple[str, ...]) -> FloatArray:
    """The rank of each name, NaN for the unknown one."""
    ranks = np.empty(len(names))
    ranks[sorted(range(len(names)), key=lambda code: names[code].casefold())] = np.arange(len(names))
    ranks[[code for code, name in enumerate(names) if not name]] = np.nan
    return ranks
