"""The items of a run for feasibility by what their answers say: the class that each is of, and what weighed most in it.

Evidence is what spoke for infeasible: P(infeasible) falls without it. Knows no selections.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.store.answer_columns import NOTHING, REASONS
from stepscope.core.store.column_reading import CodeArray
from stepscope.core.store.columns import RunColumns

NO_REASON, NO_ANSWER = "no reason", "no answer"
CLASSES = (FeasibilityLabel.FEASIBLE.value, *REASONS)
SAID = (*CLASSES, NO_REASON, NO_ANSWER)
"""Feasible; the reasons of an infeasible one, or that it gives none; what makes no sense, or is no answer."""
FIRST, LAST, BETWEEN, NO_EVIDENCE = "whole first screen", "whole last screen", "whole screen between", "none"
OTHERS = "other texts"
MOST_TEXTS = 30
"""Texts that are groups of their own, those of most items; the rest is one group."""

_evidence: WeakKeyDictionary[RunColumns, tuple[CodeArray, tuple[str, ...]]] = WeakKeyDictionary()


def said_classes(columns: RunColumns) -> CodeArray:
    """The class of each answer, as a place in `SAID`."""
    infeasible, feasible = (
        columns.predicted == (columns.kinds.index(name.value) if name.value in columns.kinds else -2)
        for name in (FeasibilityLabel.INFEASIBLE, FeasibilityLabel.FEASIBLE)
    )
    reason = columns.said.reason.astype(np.int32)
    found = np.full(columns.n, SAID.index(NO_ANSWER), np.int32)
    found[feasible] = 0
    found[infeasible] = np.where(reason == NOTHING, SAID.index(NO_REASON), reason + 1)[infeasible]
    found[columns.malformed] = SAID.index(NO_ANSWER)
    return found


def evidence_of(columns: RunColumns) -> tuple[CodeArray, tuple[str, ...]]:
    """What weighed most in each answer as an index into names: the words of an element, which of its episode's screens
    where it is a whole one, or NO_EVIDENCE. Found once, then kept."""
    if columns not in _evidence:
        _evidence[columns] = _find_evidence(columns)
    return _evidence[columns]


def _find_evidence(columns: RunColumns) -> tuple[CodeArray, tuple[str, ...]]:
    said = columns.said
    counts = np.bincount(said.piece[said.piece != NOTHING], minlength=len(said.pieces))
    most = np.argsort(-counts, kind="stable")[:MOST_TEXTS]
    screens = (NO_EVIDENCE, FIRST, LAST, BETWEEN)
    names = (*screens, *(f"“{said.pieces[one]}”" for one in most.tolist()), OTHERS)
    place = np.full(len(said.pieces) + 1, len(names) - 1, np.int32)
    place[most] = np.arange(len(most)) + len(screens)
    length = columns.steps[columns.episode]
    whole = np.select([said.step == NOTHING, said.step == 0, said.step == length - 1], [0, 1, 2], 3)
    found: CodeArray = np.where(said.piece == NOTHING, whole, place[said.piece]).astype(np.int32)
    return found, names
