"""The `mind2web` protocol: element, operation and step as Mind2Web reports them, for record files and for evaluations.

Rules and their sources: `mind2web_match` (code), `mind2web_actions` (code, ours), docs/protocols/mind2web.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.action import Action, action_point, action_target
from core.domain.episode import Observation, Step
from core.domain.geometry import Region
from core.domain.prediction import Prediction, Task
from core.domain.score import Score
from core.scoring.fields import Identity, shown
from core.scoring.grouping import numbered
from core.scoring.mind2web_actions import (
    bearers,
    chosen_elements,
    element_id,
    has_no_positive,
    predicted_operation,
    wanted_operation,
)
from core.scoring.mind2web_match import NOTHING_RIGHT, StepVerdict, judge_step
from core.scoring.mind2web_records import Mind2WebRecord, read_record
from core.scoring.names import action_name
from core.scoring.records import Records
from core.scoring.rule import (
    NO_PREDICTION,
    NO_REFERENCE,
    Judged,
    Lazy,
    Option,
    Options,
    ProtocolInfo,
    Rule,
    ScoredItem,
    unusable,
)
from core.scoring.statistics import FloatArray, Statistic, group_sums, ratio
from core.scoring.tally import IntArray, Tally

_STATISTICS: dict[str, Statistic] = {
    "micro_element_accuracy": ratio(0, 3),
    "micro_operation_f1": ratio(1, 3),
    "micro_step_success": ratio(2, 3),
    "macro_element_accuracy": ratio(4, 8),
    "macro_operation_f1": ratio(5, 8),
    "macro_step_success": ratio(6, 8),
    "task_success": ratio(7, 8),
}
"""By metric; the columns are those of `_task_sums`."""
_OVER_TASKS = tuple(_STATISTICS)[3:]

INFO = ProtocolInfo(
    name="mind2web",
    title="Mind2Web element and operation",
    task=Task.AUTOMATION,
    version="1",
    source="Mind2Web (Deng et al. 2023), released action evaluation with macro averages",
    options=(
        Option("empty_positives", "fail", "steps whose reference has no positive element: all wrong, or unscored",
               "code", ("fail", "skip")),
    ),
    metrics=tuple(_STATISTICS),
    unit="task",
    main="macro_step_success",
    rules=(
        Rule("The element is right when the chosen one is among the reference's positives, ids compared as text.",
             "code"),
        Rule("No element chosen: element, operation F1 and step are all 0, even if the operation is right.", "code"),
        Rule("The operation is the text 'OPERATION value'; the value of a CLICK reference is dropped, a value "
             "predicted with CLICK stays.", "code"),
        Rule("operation_f1 is the F1 over the two sets of white-space tokens, case kept; both empty 1, one empty 0.",
             "code"),
        Rule("A step is right when its element is right and its operation F1 is 1.", "code"),
        Rule("empty_positives=fail: a reference without positives scores 0 throughout; skip leaves it out.", "code"),
        Rule("micro_* is the mean over steps, macro_* the mean over tasks of the task's mean.", "code"),
        Rule("task_success is the share of tasks whose every step is right.", "paper"),
        Rule("A null operation or value is empty.", "ours"),
        Rule("A null prediction is wrong and malformed; a prediction without element is wrong and not malformed.",
             "ours"),
        Rule("A null reference is unscored; unscored steps are left out of their task, and a task without a scored "
             "step out of all means.", "ours"),
    ),
)  # fmt: skip

_NO_POSITIVES = "The reference has no positive element."
_NO_ELEMENT = "No element chosen."
_NOT_NAMED = "The data does not name the element of the reference."


class _Case(IntEnum):
    """What became of a record; from UNSCORED on it has no scores."""

    JUDGED = 0
    NO_ELEMENT = 1
    NO_POSITIVES = 2
    NO_PREDICTION = 3
    UNSCORED = 4
    SKIPPED = 5


_WHY = {
    _Case.NO_ELEMENT: _NO_ELEMENT,
    _Case.NO_POSITIVES: _NO_POSITIVES,
    _Case.NO_PREDICTION: NO_PREDICTION,
    _Case.UNSCORED: NO_REFERENCE,
    _Case.SKIPPED: _NO_POSITIVES,
}


class Mind2WebScorer:
    """Record scorer and step scorer of `mind2web`."""

    info = INFO

    def judge(self, records: Records, options: Options) -> Judged:
        sheet = _Sheet()
        skip = options["empty_positives"] == "skip"
        for record in records.each(read_record):
            sheet.add(record, *_judged(record, skip))
        cases = np.array(sheet.cases, dtype=np.int8)
        scored = cases < _Case.UNSCORED
        tally = _tally(
            np.array(sheet.tasks, dtype=np.int64),
            scored,
            np.array(sheet.elements, dtype=np.float64),
            np.array(sheet.f1, dtype=np.float64),
        )
        n, null = int(scored.sum()), int((cases == _Case.NO_PREDICTION).sum())
        return Judged(
            tally=tally,
            n=n,
            unscored=len(cases) - n,
            malformed=null,
            null=null,
            details=Lazy(len(cases), sheet.detail),
            counts=dict.fromkeys(_OVER_TASKS, tally.units),
        )

    def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
        if step.action is None:
            return Score.unscored(NO_REFERENCE)
        identity = element_id(step.action)
        if identity is None:
            return _without_element(step.action, step.observation, prediction, options)
        if bearers(step.observation.tree, identity) > 1:
            return Score.unscored(f"Several elements of the screen bear the reference's id {identity}.")
        if prediction.action is None:
            return _unusable(prediction)
        chosen = chosen_elements(prediction.action, step.observation)
        reference, answer = wanted_operation(step.action), predicted_operation(prediction.action)
        verdict = judge_step((identity,), chosen or (), reference, answer)
        if chosen is None:
            return _scored(verdict, _why_no_element(prediction.action))
        return _scored(verdict, f"{_why_element(verdict, chosen, identity)} {_why_f1(verdict, reference, answer)}")

    def region(self, step: Step, options: Options) -> Region | None:
        """The reference element's box. Where another element that can be clicked lies on it, a point is that one's."""
        target = action_target(step.action) if step.action is not None else None
        if target is None or target.box is None or not target.id:
            return None
        return Region((target.box.rescaled(step.observation.size),), "on the reference element")

    def tally(self, items: Sequence[ScoredItem], options: Options) -> tuple[Tally, dict[str, int]]:
        groups, _ = numbered(item.episode for item in items)
        parts = [dict(item.score.parts) for item in items]
        tally = _tally(
            groups,
            np.ones(len(items), dtype=np.bool_),
            np.array([part.get("element", 0.0) for part in parts], dtype=np.float64),
            np.array([part.get("f1", 0.0) for part in parts], dtype=np.float64),
        )
        return tally, dict.fromkeys(_OVER_TASKS, tally.units)


class _Sheet:
    """What is kept of the records, one entry each; numbers, for there may be millions."""

    def __init__(self) -> None:
        self.lines, self.steps, self.tasks = array("q"), array("q"), array("q")
        self.cases, self.elements, self.f1 = array("b"), array("b"), array("d")
        self._numbers: dict[Identity, int] = {}
        self._names: list[Identity] = []

    def add(self, record: Mind2WebRecord, case: _Case, verdict: StepVerdict) -> None:
        self.lines.append(record.line)
        self.steps.append(record.step)
        number = self._numbers.setdefault(record.task, len(self._numbers))
        if number == len(self._names):
            self._names.append(record.task)
        self.tasks.append(number)
        self.cases.append(case)
        self.elements.append(verdict.element)
        self.f1.append(verdict.f1)

    def detail(self, row: int) -> Mapping[str, Any]:
        case, verdict = _Case(self.cases[row]), StepVerdict(bool(self.elements[row]), self.f1[row])
        scored, null = case < _Case.UNSCORED, case is _Case.NO_PREDICTION
        return {
            "record": self.lines[row],
            "task": self._names[self.tasks[row]],
            "step": self.steps[row],
            "status": "scored" if scored else "unscored",
            "element_accuracy": float(verdict.element) if scored else None,
            "operation_f1": verdict.f1 if scored else None,
            "step_success": float(verdict.right) if scored else None,
            "malformed": null,
            "null": null,
            "why": _WHY.get(case) or _why_judged(verdict),
        }


def _judged(record: Mind2WebRecord, skip: bool) -> tuple[_Case, StepVerdict]:
    wanted, answer = record.reference, record.prediction
    if wanted is None:
        return _Case.UNSCORED, NOTHING_RIGHT
    if skip and not wanted.elements:
        return _Case.SKIPPED, NOTHING_RIGHT
    if answer is None:
        return _Case.NO_PREDICTION, NOTHING_RIGHT
    if not wanted.elements:
        return _Case.NO_POSITIVES, NOTHING_RIGHT
    if answer.element is None:
        return _Case.NO_ELEMENT, NOTHING_RIGHT
    return _Case.JUDGED, judge_step(wanted.elements, (answer.element,), wanted.operation, answer.operation)


def _tally(tasks: IntArray, scored: NDArray[np.bool_], element: FloatArray, f1: FloatArray) -> Tally:
    """All arrays have one entry a step; `tasks` numbers the tasks, `element` is 0 or 1 and counts where `scored`."""
    step = element * (f1 == 1.0)
    present = np.bincount(tasks[scored], minlength=1) > 0
    unit_of = np.full(len(tasks), -1, dtype=np.int64)
    unit_of[scored] = (np.cumsum(present) - 1)[tasks[scored]]
    sums = _task_sums(unit_of[scored], [one[scored] for one in (element, f1, step)], int(present.sum()))
    yes_no = {
        "micro_element_accuracy": np.where(scored, element, np.nan),
        "micro_step_success": np.where(scored, step, np.nan),
        "task_success": sums[:, 7],
    }
    return Tally(sums, _STATISTICS, unit_of, yes_no=yes_no)


def _task_sums(units: IntArray, scores: Sequence[FloatArray], count: int) -> FloatArray:
    """One row a task, each with a step at least: sums of element, F1 and step, steps, their three means, whether all
    steps are right, 1."""
    steps = group_sums(units, np.ones(len(units)), count)
    found = [group_sums(units, one, count) for one in scores]
    means = [one / steps for one in found]
    return np.stack([*found, steps, *means, found[2] == steps, np.ones(count)], axis=1)


def _without_element(action: Action, seen: Observation, prediction: Prediction, options: Options) -> Score:
    """The score of a step whose reference names no element: the data's own loss falls under the option, and of an
    action that is not about a named element this protocol cannot speak (ours)."""
    if not has_no_positive(action, seen):
        return Score.unscored(_NOT_NAMED)
    if options["empty_positives"] == "skip":
        return Score.unscored(_NO_POSITIVES)
    return _unusable(prediction) if prediction.action is None else _scored(NOTHING_RIGHT, _NO_POSITIVES)


def _unusable(prediction: Prediction) -> Score:
    return unusable(prediction, element=0.0, f1=0.0)


def _scored(verdict: StepVerdict, why: str) -> Score:
    return Score.scored(verdict.right, why, malformed=False, element=float(verdict.element), f1=verdict.f1)


def _why_judged(verdict: StepVerdict) -> str:
    return f"Element {'right' if verdict.element else 'wrong'}, operation F1 {_digits(verdict.f1)}."


def _why_element(verdict: StepVerdict, chosen: Sequence[str], identity: str) -> str:
    if verdict.element:
        return f"Element {identity}."
    return f"Element differs: {chosen[0] or 'one without an id'}, reference {identity}."


def _why_f1(verdict: StepVerdict, reference: str, answer: str) -> str:
    if verdict.f1 == 1.0:
        return "Operation right."
    return f"Operation F1 {_digits(verdict.f1)}: {shown(answer)}, reference {shown(reference)}."


def _why_no_element(action: Action) -> str:
    if action_point(action) is not None:
        return "No element under the point."
    return f"{_NO_ELEMENT[:-1]}: {action_name(action)}."


def _digits(f1: float) -> str:
    """Two digits, more where two would look like a right operation."""
    return f"{f1:.2g}" if f1 == 1.0 or f"{f1:.2g}" != "1" else f"{f1:.4g}"
