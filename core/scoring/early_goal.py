"""The `early_goal` protocol: how early a goal that is guessed after every step is right, for record files and for
evaluations.

Source: the observer of User goals from UI trajectories (2024), figure 1, who understands a task while it happens;
convergence, its point, precision and recall as goal recognition has them (Blaylock and Allen, IJCAI 2003). What is
right is told by words, or by a judge's verdicts: docs/protocols/early_goal.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.prediction import GoalAnswer, Prediction, Task
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.scoring import fields
from stepscope.core.scoring.goal_text_match import TextSimilarity, likeness
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import (
    NO_PREDICTION,
    AggregatingScorer,
    LazyDetails,
    Options,
    ProtocolInfo,
    RecordScorer,
    RecordScores,
    Rule,
    unusable,
)
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.statistics import ratio
from stepscope.core.scoring.tally import IntArray, Tally

METRICS = ("earliness", "convergence", "convergence_point", "precision", "recall")
INFO = ProtocolInfo(
    name="early_goal",
    title="Goals while they happen",
    task=Task.GOAL,
    version="1",
    source="User goals from UI trajectories (2024), figure 1; metrics after Blaylock and Allen, IJCAI 2003",
    options=(
        Option("measure", "rouge_l", "what tells a guess as right: the likeness of goal_text", "ours",
               ("rouge_l", "exact", "token_f1")),
        Option("at", 0.7, "a guess is right from this value of the measure on", "ours", high=1.0),
    ),
    metrics=METRICS,
    main="earliness",
    rules=(
        Rule("The goal is guessed after every step, from the screens and actions up to it; the last guess has seen the "
             "whole trajectory.", "paper"),
        Rule("A guess is right when its measure is at least `at`, or by the verdicts of a record. Words tell no "
             "meaning: \"Turn the Wi-Fi on\" and \"off\" are nearly one text.", "ours"),
        Rule("A trajectory has converged when its last guess is right, at the first step from which all guesses are "
             "right. convergence is the share of trajectories that have; convergence_point the mean over those of that "
             "step over the number of steps. (After Blaylock and Allen.)", "ours"),
        Rule("earliness is the mean over trajectories of the share of steps at which the guess is right and stays so "
             "to the end: 1 where the first one is, 0 where the last one is not.", "ours"),
        Rule("precision is the share of right guesses among the guesses that were made, recall that among all steps. "
             "(After Blaylock and Allen.)", "ours"),
        Rule("A null guess is wrong, and none was made. A trajectory without a guess is malformed. No reference: "
             "unscored.", "ours"),
        Rule("In an evaluation a step is an item, a trajectory what intervals resample; a step on which the model "
             "failed has no part.", "ours"),
    ),
    lower_is_better=frozenset({"convergence_point"}),
    after_each_step=True,
)  # fmt: skip
_STATISTICS = {
    "earliness": ratio(0, 6), "convergence": ratio(1, 6), "convergence_point": ratio(2, 1), "precision": ratio(3, 4),
    "recall": ratio(3, 5),
}  # fmt: skip
_NOTHING = TextSimilarity(0.0, 0.0, 0.0)

BoolArray = NDArray[np.bool_]


class Convergence(NamedTuple):
    """Of one trajectory: its steps, and from which of them, counted from 1, all guesses are right; None: never."""

    steps: int
    since: int | None

    @property
    def earliness(self) -> float:
        return 0.0 if self.since is None else (self.steps - self.since + 1) / self.steps


def convergence(right: Sequence[bool]) -> Convergence:
    """Of guesses in the order of their steps."""
    wrong = [place for place, one in enumerate(right, 1) if not one]
    since = wrong[-1] + 1 if wrong else 1
    return Convergence(len(right), since if since <= len(right) else None)


class EarlyGoalRecord(NamedTuple):
    """`made` and `right` have an entry for each step. `scored` False: nobody says what is right."""

    line: int
    id: fields.Identity
    scored: bool
    made: tuple[bool, ...]
    right: tuple[bool, ...]


class EarlyGoalScorer(RecordScorer, AggregatingScorer):
    """Scorer of `early_goal`, for records and for evaluations."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        found = list(records.each(lambda line, form: read_record(line, form, options)))
        scored = [one for one in found if one.scored]
        part = np.array([one.scored for one in found], dtype=np.bool_)
        unit = np.repeat(np.arange(len(scored)), [len(one.made) for one in scored])
        made = np.array([flag for one in scored for flag in one.made], dtype=np.bool_)
        right = np.array([flag for one in scored for flag in one.right], dtype=np.bool_)
        null = sum(not any(one.made) for one in scored)
        return RecordScores(
            tally=_tally(unit, made, right, len(scored), np.where(part, np.cumsum(part) - 1, -1)),
            n=len(scored),
            unscored=len(found) - len(scored),
            malformed=null,
            null=null,
            details=LazyDetails(len(found), lambda row: _detail(found[row])),
        )

    def score_item(self, reference: str, prediction: Prediction, options: Options) -> Score:
        """The guess after a step; the parts are the measures. The value is 1 where it is right, else its measure."""
        if not reference.strip():
            return Score.unscored("The episode has no goal.")
        if not isinstance(prediction.answer, GoalAnswer):
            return unusable(prediction, **_NOTHING._asdict(), made=0.0)
        found = likeness(reference, prediction.answer.text)
        name, at = str(options["measure"]), float(options["at"])
        value = getattr(found, name)
        right = value >= at
        why = f"{'Right' if right else 'Not right'}: {name} {value:.2f}, where {at:g} is enough."
        parts = tuple({**found._asdict(), "made": 1.0}.items())
        return Score(ScoreStatus.SCORED, 1.0 if right else float(value), why, parts=parts)

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """The trajectories are the units."""
        order = np.lexsort((items.step, items.unit))
        unit, made, right = items.unit[order], items.part("made")[order] == 1.0, items.right[order]
        tally = _tally(unit, made, right, items.episodes, items.unit)
        converged = int(tally.sums[:, 1].sum())
        return tally, {
            "earliness": items.episodes, "convergence": items.episodes, "convergence_point": converged,
            "precision": int(made.sum()), "recall": len(items),
        }  # fmt: skip


def read_record(line: int, record: Mapping[str, Any], options: Options) -> EarlyGoalRecord:
    """Raises UserError with the line and the bad field."""
    name = fields.identity(record, "id", line)
    if "right" in record:
        verdicts = fields.list_of(record["right"], "right", line)
        flags = [None if one is None else fields.flag(one, "right", line) for one in verdicts]
        made = tuple(one is not None for one in flags)
        return EarlyGoalRecord(line, name, bool(flags), made, tuple(one is True for one in flags))
    reference = fields.required(record, "reference", line)
    wanted = "" if reference is None else fields.text(reference, "reference", line).strip()
    guesses = fields.list_of(fields.required(record, "guesses", line), "guesses", line)
    texts = [None if one is None else fields.text(one, "guesses", line) for one in guesses]
    measure, at = str(options["measure"]), float(options["at"])
    right = [bool(wanted) and one is not None and getattr(likeness(wanted, one), measure) >= at for one in texts]
    scored = bool(wanted) and bool(texts)
    return EarlyGoalRecord(line, name, scored, tuple(one is not None for one in texts), tuple(right))


def _tally(unit: IntArray, made: BoolArray, right: BoolArray, units: int, unit_of: IntArray) -> Tally:
    """`unit`, `made` and `right` have an entry a step, the steps of a unit in order; a unit has one at least."""
    ends = np.cumsum(np.bincount(unit, minlength=units)) if units else np.zeros(0, np.int64)
    rows = np.zeros((units, 7))
    for place, stop in enumerate(ends.tolist()):
        here = slice(int(ends[place - 1]) if place else 0, stop)
        found = convergence(right[here].tolist())
        point = found.since / found.steps if found.since else 0.0
        steps, guesses = found.steps, made[here].sum()
        rows[place] = found.earliness, found.since is not None, point, right[here].sum(), guesses, steps, 1.0
    return Tally(rows, _STATISTICS, unit_of, yes_no={"convergence": rows[:, 1]})


def _detail(record: EarlyGoalRecord) -> Mapping[str, Any]:
    found = convergence(record.right)
    null = record.scored and not any(record.made)
    return {
        "record": record.line,
        "id": record.id,
        "status": "scored" if record.scored else "unscored",
        "malformed": null,
        "null": null,
        "steps": found.steps,
        "since": found.since if record.scored else None,
        "earliness": found.earliness if record.scored else None,
        "why": _why(record, found, null),
    }


def _why(record: EarlyGoalRecord, found: Convergence, null: bool) -> str:
    if not record.scored:
        return "No reference goal." if found.steps else "No steps."
    if null:
        return NO_PREDICTION
    if found.since is None:
        return "The last guess is not right."
    return f"Right from step {found.since} of {found.steps} on."
