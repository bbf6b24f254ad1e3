"""The `mind2web` protocol: element, operation and step as Mind2Web reports them, for record files and for evaluations.

Rules and their sources: `mind2web_match` (code), `mind2web_actions` (code, ours), docs/protocols/mind2web.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.action import Action, action_point, action_target
from stepscope.core.domain.areas import rectangle
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Patch, Region
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.fields import Identity, quoted_value
from stepscope.core.scoring.mind2web_actions import (
    bearers,
    chosen_element,
    element_id,
    has_no_positive,
    places_that_choose,
    predicted_operation,
    wanted_operation,
)
from stepscope.core.scoring.mind2web_match import BoolArray, Mind2WebColumns, judge, right
from stepscope.core.scoring.mind2web_records import NO_RECORDS, read_parts
from stepscope.core.scoring.names import action_name
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import (
    NO_PREDICTION,
    NO_REFERENCE,
    LazyDetails,
    Options,
    ProtocolInfo,
    RecordScorer,
    RecordScores,
    Rule,
    StepScorer,
    unusable,
)
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.statistics import FloatArray, Statistic, group_sums, ratio
from stepscope.core.scoring.tally import IntArray, Tally

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
_REGION = "where a click chooses the reference element"


class Mind2WebScorer(RecordScorer, StepScorer):
    """Record scorer and step scorer of `mind2web`."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        sheet = _read(records, skip=options["empty_positives"] == "skip")
        tally = _tally(sheet.tasks, sheet.scored, sheet.element, sheet.f1)
        n, null = int(sheet.scored.sum()), int(sheet.null.sum())
        return RecordScores(
            tally=tally,
            n=n,
            unscored=len(sheet.scored) - n,
            malformed=null,
            null=null,
            details=LazyDetails(len(sheet.scored), sheet.detail),
            counts=dict.fromkeys(_OVER_TASKS, tally.units),
        )

    def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
        if step.action is None:
            return Score.unscored(NO_REFERENCE)
        target, identity = action_target(step.action), element_id(step.action)
        if target is None or identity is None:
            return _without_element(step.action, step.observation, prediction, options)
        if bearers(step.observation.tree, identity) > 1:
            return Score.unscored(f"Several elements of the screen bear the reference's id {identity}.")
        if prediction.action is None:
            return _unusable(prediction)
        chosen = chosen_element(prediction.action, step.observation, target)
        if chosen is None:
            return _scored(False, 0.0, _why_no_element(prediction.action))
        reference, answer = wanted_operation(step.action), predicted_operation(prediction.action)
        found = judge(Mind2WebColumns([(identity,)], [reference], [chosen], [answer]))
        element, f1 = bool(found.element[0]), float(found.f1[0])
        return _scored(element, f1, f"{_why_element(element, chosen, identity)} {_why_f1(f1, reference, answer)}")

    def region(self, step: Step, options: Options) -> Region | None:
        """Where a click chooses the reference element: its box where no other element takes the click, without a UI
        tree that holds it all of its box."""
        target = action_target(step.action) if step.action is not None else None
        if target is None or target.box is None or not target.id or bearers(step.observation.tree, target.id) > 1:
            return None
        seen, own = step.observation, target.box.rescaled(step.observation.size)
        if seen.tree is None or not bearers(seen.tree, target.id):
            return Region((own,), _REGION)
        wide, tall = seen.size.width / seen.tree.size.width, seen.size.height / seen.tree.size.height
        pieces = tuple(
            tuple((x * wide, y * tall) for x, y in piece) for piece in places_that_choose(seen.tree, target.id)
        )
        if not pieces:
            return None
        whole = len(pieces) == 1 and set(pieces[0]) == set(rectangle((own.left, own.top, own.right, own.bottom)))
        return Region((own if whole else Patch(pieces, seen.size),), _REGION)

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, dict[str, int]]:
        every = np.ones(len(items), dtype=np.bool_)
        tally = _tally(items.unit, every, items.part("element") == 1.0, np.nan_to_num(items.part("f1")))
        return tally, dict.fromkeys(_OVER_TASKS, tally.units)


@dataclass(frozen=True, slots=True)
class _Mind2WebColumns:
    """The columns that are kept of the records, one entry each. `tasks` numbers the tasks by `names`; `null` are scored
    records without prediction."""

    lines: IntArray
    names: Sequence[Identity]
    tasks: IntArray
    steps: IntArray
    referenced: BoolArray
    named: BoolArray
    scored: BoolArray
    null: BoolArray
    chose: BoolArray
    element: BoolArray
    f1: FloatArray

    def detail(self, row: int) -> Mapping[str, Any]:
        scored, null = bool(self.scored[row]), bool(self.null[row])
        element, f1 = bool(self.element[row]), float(self.f1[row])
        return {
            "record": int(self.lines[row]),
            "task": self.names[self.tasks[row]],
            "step": int(self.steps[row]),
            "status": "scored" if scored else "unscored",
            "element_accuracy": float(element) if scored else None,
            "operation_f1": f1 if scored else None,
            "step_success": float(element and f1 == 1.0) if scored else None,
            "malformed": null,
            "null": null,
            "why": self._why(row, element, f1),
        }

    def _why(self, row: int, element: bool, f1: float) -> str:
        if not self.referenced[row]:
            return NO_REFERENCE
        if self.null[row]:
            return NO_PREDICTION
        if not self.named[row]:
            return _NO_POSITIVES
        if not self.chose[row]:
            return _NO_ELEMENT
        return f"Element {'right' if element else 'wrong'}, operation F1 {_digits(f1)}."


def _read(records: Records, *, skip: bool) -> _Mind2WebColumns:
    numbers: dict[Identity, int] = {}
    parts = []
    for part in chain((NO_RECORDS,), read_parts(records)):
        found = judge(part.columns)
        tasks = [numbers.setdefault(task, len(numbers)) for task in part.tasks]
        whole = [np.array(column, dtype=np.int64) for column in (part.lines, tasks, part.steps)]
        there = [np.array(column, dtype=np.bool_) for column in (part.referenced, part.answered)]
        parts.append((*whole, *there, *found))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    lines, task_of, steps, referenced, answered, element, f1, named, chose = columns
    scored = referenced & named if skip else referenced
    return _Mind2WebColumns(
        lines=lines,
        names=tuple(numbers),
        tasks=task_of,
        steps=steps,
        referenced=referenced,
        named=named,
        scored=scored,
        null=scored & ~answered,
        chose=chose,
        element=element,
        f1=f1,
    )


def _tally(tasks: IntArray, scored: BoolArray, element: BoolArray, f1: FloatArray) -> Tally:
    """All arrays have one entry a step; `tasks` numbers the tasks, `element` and `f1` count where `scored`."""
    step = right(element, f1)
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


def _task_sums(units: IntArray, scores: Sequence[NDArray[Any]], count: int) -> FloatArray:
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
    return _unusable(prediction) if prediction.action is None else _scored(False, 0.0, _NO_POSITIVES)


def _unusable(prediction: Prediction) -> Score:
    return unusable(prediction, element=0.0, f1=0.0)


def _scored(element: bool, f1: float, why: str) -> Score:
    return Score.scored(element and f1 == 1.0, why, malformed=False, element=float(element), f1=f1)


def _why_element(element: bool, chosen: str, identity: str) -> str:
    if element:
        return f"Element {identity}."
    return f"Element differs: {chosen or 'one without an id'}, reference {identity}."


def _why_f1(f1: float, reference: str, answer: str) -> str:
    if f1 == 1.0:
        return "Operation right."
    return f"Operation F1 {_digits(f1)}: {quoted_value(answer)}, reference {quoted_value(reference)}."


def _why_no_element(action: Action) -> str:
    if action_point(action) is not None:
        return "No element under the point."
    return f"{_NO_ELEMENT[:-1]}: {action_name(action)}."


def _digits(f1: float) -> str:
    """Two digits, more where two would look like a right operation."""
    return f"{f1:.2g}" if f1 == 1.0 or f"{f1:.2g}" != "1" else f"{f1:.4g}"
