"""The `rollout` protocol: whether a predictor that walks alone reaches the goal, and why not, for record files and for
evaluations.

Source: MoTIF (Burns et al., ECCV 2022) has the environment (section 5.1, offline state-action graphs); it tells what
goes wrong in words only (section 5.3). The classes are ours: docs/protocols/rollout.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from stepscope.core.domain.action import FinishStatus
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.domain.walk import WalkAnswer, WalkEnd, World
from stepscope.core.frozen import dataclass
from stepscope.core.scoring import fields
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
from stepscope.core.scoring.statistics import FloatArray, Statistic, ratio
from stepscope.core.scoring.tally import IntArray, Tally


class WalkClass(StrEnum):
    """How a walk came out: two ways to reach the goal, and why it was not reached."""

    DIRECT = "direct"
    DETOUR = "detour"
    WRONG_ELEMENT = "wrong_element"
    NEVER_FINISHED = "never_finished"
    LOOP = "loop"
    DEAD_END = "dead_end"
    FINISHED_EARLY = "finished_early"
    LEFT_GRAPH = "left_graph"
    NO_ANSWER = "no_answer"

    @property
    def success(self) -> bool:
        return self in (WalkClass.DIRECT, WalkClass.DETOUR)


CLASSES = tuple(WalkClass)
ENDS, WORLD, STOP_AFTER = "ends", "world", "stop_after"
"""Options of a roll-out; the last two are about the walking itself."""

INFO = ProtocolInfo(
    name="rollout",
    title="Goal reached alone",
    task=Task.ROLLOUT,
    version="1",
    source="MoTIF (Burns et al., ECCV 2022) sections 5.1 and 5.3 for the environment; classes of this project",
    options=(
        Option(ENDS, "said", "whether the predictor must say that it is done, or standing on the goal's screen is "
               "enough", "ours", ("said", "reached")),
        Option(WORLD, "graph", "where it walks: the screens of the app's demonstrations, or the simulated phone "
               "(goals of the sample)", "paper", tuple(World), of_run=True),
        Option(STOP_AFTER, 3.0, "a walk ends after so many times the person's actions", "ours", low=1.0, high=100.0,
               of_run=True),
    ),
    metrics=(
        "success", "feasible_success", "infeasible_success", "goal_seen", "extra_actions",
        *(one.value for one in CLASSES),
    ),
    main="success",
    lower_is_better=frozenset({"extra_actions", "detour", *(one.value for one in CLASSES if not one.success)}),
    rules=(
        Rule("The agent moves through recorded screens; an action with no recorded edge leaves the state as it is.",
             "paper"),
        Rule("A feasible goal is reached when the goal's own check holds at the end and the predictor has said that it "
             "is done; without a check, when it stands on the screen on which the demonstration ended (where nothing "
             "was recorded after its last action: with that action done). ends=reached: when that was so at any time, "
             "and what came after is not counted.", "ours"),
        Rule("An infeasible goal is reached when the predictor says that it is impossible.", "ours"),
        Rule("direct and detour are successes with at most, and with more than, the actions of the person; "
             "extra_actions is the mean over successes of how many more.", "ours"),
        Rule("Of a failure the first class that fits counts: no_answer: it ended with answers that were none; "
             "finished_early: it said that it ended, and the goal was not reached; never_finished: it stood on the "
             "goal's screen and did not say so; loop: for the third time the same action on the same screen; "
             "dead_end: it ended where no recorded action leads to the goal; wrong_element: it stood on one of the "
             "person's screens and its last three actions led nowhere; left_graph: the same on another screen, so "
             "that nobody knows where they would have led; never_finished: it walked to the limit.", "ours"),
        Rule("goal_seen is the share of feasible goals whose check held at any time.", "ours"),
    ),
)  # fmt: skip


class WalkFacts(NamedTuple):
    """What of a walk the verdict hangs on. `on_path`: it ended on one of the person's screens."""

    actions: int
    end: WalkEnd
    said: FinishStatus | None
    goal_at: int | None
    reached: bool
    on_path: bool
    way_on: bool | None

    @classmethod
    def of(cls, walk: WalkAnswer) -> WalkFacts:
        on_path = walk.last in walk.human
        return cls(walk.actions, walk.end, walk.said, walk.goal_at, walk.reached, on_path, walk.way_on)


class WalkVerdict(NamedTuple):
    """`extra` are the actions beyond the person's, of a success."""

    kind: WalkClass
    extra: int | None
    why: str


@dataclass(frozen=True, slots=True)
class WalkReference:
    """What a walk is compared with; `label` None: nobody said whether the goal is feasible, and it counts as one."""

    feasibility: Feasibility

    @property
    def infeasible(self) -> bool:
        return self.feasibility.label is FeasibilityLabel.INFEASIBLE


def verdict(walk: WalkFacts, human: int, infeasible: bool, ends: str) -> WalkVerdict:
    """The class of a walk beside `human` actions of a person."""
    counted = walk.actions
    if infeasible:
        success = walk.said is FinishStatus.IMPOSSIBLE
    elif ends == "reached":
        success = walk.goal_at is not None
        counted = walk.goal_at if walk.goal_at is not None else counted
    else:
        success = walk.reached and walk.said is FinishStatus.COMPLETE
    if success:
        extra = max(0, counted - human)
        kind = WalkClass.DETOUR if extra else WalkClass.DIRECT
        return WalkVerdict(kind, extra, f"Reached with {counted} actions, the person with {human}.")
    kind = _failure(walk, infeasible)
    return WalkVerdict(kind, None, _WHY[kind])


def _failure(walk: WalkFacts, infeasible: bool) -> WalkClass:
    if walk.end is WalkEnd.FAILED:
        return WalkClass.NO_ANSWER
    if walk.said is not None:
        return WalkClass.FINISHED_EARLY
    if walk.goal_at is not None and not infeasible:
        return WalkClass.NEVER_FINISHED
    if walk.end is WalkEnd.LOOP:
        return WalkClass.LOOP
    if walk.way_on is False and not infeasible:
        return WalkClass.DEAD_END
    if walk.end is WalkEnd.STUCK:
        return WalkClass.WRONG_ELEMENT if walk.on_path else WalkClass.LEFT_GRAPH
    return WalkClass.NEVER_FINISHED


_WHY = {
    WalkClass.WRONG_ELEMENT: "On a screen of the person's way its actions led nowhere: the person acted elsewhere.",
    WalkClass.NEVER_FINISHED: "It never said at the goal that it was done.",
    WalkClass.LOOP: "It did the same on the same screen for the third time.",
    WalkClass.DEAD_END: "No recorded action leads from where it ended to the goal.",
    WalkClass.FINISHED_EARLY: "It said that it ended, and the goal was not reached.",
    WalkClass.LEFT_GRAPH: "Off the person's way its actions led to nothing that is known.",
    WalkClass.NO_ANSWER: "It gave no usable answer.",
}


def _statistics() -> dict[str, Statistic]:
    """Columns: n, successes, feasible, of these successes, infeasible, of these successes, seen, extra; the classes."""
    return {
        "success": ratio(1, 0),
        "feasible_success": ratio(3, 2),
        "infeasible_success": ratio(5, 4),
        "goal_seen": ratio(6, 2),
        "extra_actions": ratio(7, 1),
        **{one.value: ratio(8 + place, 0) for place, one in enumerate(CLASSES)},
    }


class RolloutScorer(RecordScorer, AggregatingScorer):
    """Scorer of `rollout`, for records and for evaluations."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        found = list(records.each(lambda line, form: _read(line, form, str(options[ENDS]))))
        scored = [one for one in found if one.scored]
        part = np.array([one.scored for one in found], dtype=np.bool_)
        null = sum(one.null for one in scored)
        sums = _sums(
            np.array([CLASSES.index(one.verdict.kind) for one in scored], dtype=np.int64),
            np.array([one.infeasible for one in scored], dtype=np.float64),
            np.array([one.seen for one in scored], dtype=np.float64),
            np.array([one.verdict.extra or 0 for one in scored], dtype=np.float64),
        )
        return RecordScores(
            tally=_tally(sums, np.where(part, np.cumsum(part) - 1, -1)),
            n=len(scored),
            unscored=len(found) - len(scored),
            malformed=null,
            null=null,
            details=LazyDetails(len(found), lambda row: _detail(found[row])),
            counts=_counts(sums),
        )

    def score_item(self, reference: WalkReference, prediction: Prediction, options: Options) -> Score:
        """The parts hold the place of the walk's class in `CLASSES` (`class`), whether the goal is infeasible, whether
        its check held at any time (`seen`) and the actions beyond the person's (`extra`)."""
        infeasible = float(reference.infeasible)
        walk = prediction.answer
        if not isinstance(walk, WalkAnswer):
            none = float(CLASSES.index(WalkClass.NO_ANSWER))
            return unusable(prediction, **{"class": none, "infeasible": infeasible, "seen": 0.0})
        found = verdict(WalkFacts.of(walk), walk.human_actions, reference.infeasible, str(options[ENDS]))
        parts = {
            "class": float(CLASSES.index(found.kind)),
            "infeasible": infeasible,
            "seen": float(walk.goal_at is not None),
        }
        if found.extra is not None:
            parts["extra"] = float(found.extra)
        return Score(ScoreStatus.SCORED, float(found.kind.success), found.why, parts=tuple(parts.items()))

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """Every item is a unit."""
        sums = _sums(
            items.part("class").astype(np.int64),
            items.part("infeasible"),
            items.part("seen"),
            np.nan_to_num(items.part("extra")),
        )
        return _tally(sums, np.arange(len(items))), _counts(sums)


def _sums(classes: IntArray, infeasible: FloatArray, seen: FloatArray, extra: FloatArray) -> FloatArray:
    """The columns of `_statistics`, a row for each walk."""
    success = np.isin(classes, [place for place, one in enumerate(CLASSES) if one.success]).astype(np.float64)
    feasible = 1.0 - infeasible
    columns = (
        np.ones(len(classes)), success, feasible, feasible * success, infeasible, infeasible * success,
        feasible * seen, extra,
    )  # fmt: skip
    return np.concatenate([np.stack(columns, axis=1), np.eye(len(CLASSES))[classes]], axis=1)


def _tally(sums: FloatArray, unit_of: IntArray) -> Tally:
    classes = {one.value: sums[:, 8 + place] for place, one in enumerate(CLASSES)}
    return Tally(sums, _statistics(), unit_of, yes_no={"success": sums[:, 1], **classes})


def _counts(sums: FloatArray) -> dict[str, int]:
    """Over how many walks the metrics are that are no mean over all."""
    total = sums.sum(axis=0).astype(int).tolist()
    feasible = {"feasible_success": total[2], "infeasible_success": total[4], "goal_seen": total[2]}
    return {**feasible, "extra_actions": total[1]}


@dataclass(frozen=True, slots=True)
class _WalkRecord:
    line: int
    id: fields.Identity
    scored: bool
    null: bool
    infeasible: bool
    seen: bool
    verdict: WalkVerdict


_UNSCORED = WalkVerdict(WalkClass.NO_ANSWER, None, "The record does not say how many actions the person took.")
_NULL = WalkVerdict(WalkClass.NO_ANSWER, None, NO_PREDICTION)


def _read(line: int, record: Mapping[str, Any], ends: str) -> _WalkRecord:
    """The format, field by field. Raises UserError with the line and the bad field."""
    identity = fields.identity(record, "id", line)
    human = fields.required(record, "human", line)
    given = fields.required(record, "walk", line)
    infeasible = record.get("feasible") is not None and not fields.flag(record["feasible"], "feasible", line)
    if human is None:
        return _WalkRecord(line, identity, False, False, infeasible, False, _UNSCORED)
    if given is None:
        return _WalkRecord(line, identity, True, True, infeasible, False, _NULL)
    walk = _walk(given, line)
    found = verdict(walk, _count(human, "human", line), infeasible, ends)
    return _WalkRecord(line, identity, True, False, infeasible, walk.goal_at is not None, found)


def _walk(form: Any, line: int) -> WalkFacts:
    if not isinstance(form, Mapping):
        raise fields.bad_field(line, "walk", f"must be an object or null, not {fields.quoted_value(form)}")
    said, goal_at, way_on = form.get("said"), form.get("goal_at"), form.get("way_on")
    statuses = tuple(status.value for status in FinishStatus)
    return WalkFacts(
        actions=_count(fields.required(form, "actions", line), "actions", line),
        end=WalkEnd(fields.one_of(fields.required(form, "end", line), tuple(WalkEnd), "end", line)),
        said=None if said is None else FinishStatus(fields.one_of(said, statuses, "said", line)),
        goal_at=None if goal_at is None else _count(goal_at, "goal_at", line),
        reached=fields.flag(fields.required(form, "reached", line), "reached", line),
        on_path=fields.flag(form.get("on_path", False), "on_path", line),
        way_on=None if way_on is None else fields.flag(way_on, "way_on", line),
    )


def _count(value: object, name: str, line: int) -> int:
    number = fields.number(value, name, line)
    if number < 0 or number != int(number):
        raise fields.bad_field(line, name, f"must be a whole number from 0 on, not {fields.quoted_value(value)}")
    return int(number)


def _detail(record: _WalkRecord) -> Mapping[str, Any]:
    found = record.verdict
    return {
        "record": record.line,
        "id": record.id,
        "status": "scored" if record.scored else "unscored",
        "score": float(found.kind.success) if record.scored else None,
        "class": found.kind.value if record.scored else None,
        "extra_actions": found.extra,
        "malformed": record.null,
        "null": record.null,
        "why": found.why,
    }
