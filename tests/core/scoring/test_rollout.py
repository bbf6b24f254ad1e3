"""`rollout`: walks with classes worked out by hand, and the same numbers from records and from items."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import Finish, FinishStatus, PressKey, Tap
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.domain.walk import (
    StepCourse,
    WalkAnswer,
    WalkEnd,
    WalkStep,
    courses,
    place_name,
    place_of_name,
)
from stepscope.core.errors import UserError
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records, step_metrics
from stepscope.core.scoring.rollout import CLASSES, RolloutScorer, WalkClass, WalkFacts, WalkReference, verdict
from stepscope.core.scoring.rule import ScoredItem

SCORER = RolloutScorer()
SIZE = Size(100, 200)
TAP = Tap(Point(5, 5, SIZE))
FEASIBLE = WalkReference(Feasibility(FeasibilityLabel.FEASIBLE))
INFEASIBLE = WalkReference(Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.IMPOSSIBLE))

REACHED: dict[str, Any] = {
    "actions": 3, "end": "finished", "said": "complete", "goal_at": 3, "reached": True, "on_path": True, "way_on": True,
}  # fmt: skip
ASTRAY: dict[str, Any] = {
    "actions": 4, "end": "stuck", "said": None, "goal_at": None, "reached": False, "on_path": True, "way_on": True,
}  # fmt: skip


def record(walk: Any, human: Any = 3, **more: Any) -> dict[str, Any]:
    return {"id": "a", "human": human, "walk": walk, **more}


def score(*records: dict[str, Any], ends: str = "said", **how: Any) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, {"ends": ends}), **how)


@pytest.mark.parametrize(
    ("walk", "said", "reached"),
    [
        (REACHED, "direct", "direct"),
        (REACHED | {"actions": 5, "goal_at": 3}, "detour", "direct"),  # it went on after it was there
        (REACHED | {"actions": 2, "goal_at": 2}, "direct", "direct"),  # shorter than the person's
        (REACHED | {"said": "impossible"}, "finished_early", "direct"),
        (REACHED | {"said": None, "end": "limit"}, "never_finished", "direct"),
        (REACHED | {"reached": False}, "finished_early", "direct"),  # it has left again
        (ASTRAY, "wrong_element", "wrong_element"),
        (ASTRAY | {"on_path": False}, "left_graph", "left_graph"),
        (ASTRAY | {"on_path": False, "way_on": False}, "dead_end", "dead_end"),
        (ASTRAY | {"on_path": False, "way_on": None}, "left_graph", "left_graph"),  # a phone knows no ways
        (ASTRAY | {"end": "loop", "way_on": False}, "loop", "loop"),
        (ASTRAY | {"end": "limit"}, "never_finished", "never_finished"),
        (ASTRAY | {"end": "failed"}, "no_answer", "no_answer"),
        (ASTRAY | {"end": "finished", "said": "complete"}, "finished_early", "finished_early"),
        (None, "no_answer", "no_answer"),
    ],
)
def test_classes_of_feasible_goals(walk: Any, said: str, reached: str) -> None:
    assert score(record(walk)).details[0]["class"] == said
    assert score(record(walk), ends="reached").details[0]["class"] == reached


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        (ASTRAY | {"end": "finished", "said": "impossible"}, "detour"),  # four actions, the person took three
        (REACHED | {"said": "impossible", "actions": 1}, "direct"),
        (REACHED, "finished_early"),  # it believed that it was done
        (ASTRAY | {"goal_at": 0}, "wrong_element"),  # the screen where the person gave up is no goal
        (ASTRAY | {"way_on": False}, "wrong_element"),
    ],
)
def test_an_infeasible_goal_is_reached_by_saying_so(walk: Any, expected: str) -> None:
    for ends in ("said", "reached"):
        assert score(record(walk, feasible=False), ends=ends).details[0]["class"] == expected


def test_metrics_worked_out_by_hand() -> None:
    found = score(
        record(REACHED),  # direct
        record(REACHED | {"actions": 8}),  # detour, five more
        record(ASTRAY | {"goal_at": 2}),  # it was there, and went on
        record(ASTRAY),
        record(ASTRAY | {"end": "finished", "said": "impossible"}, human=4, feasible=False),  # right
        record(REACHED, feasible=False),  # wrong
        record(None),
        record(REACHED, human=None),  # unscored
    )
    values = found.metrics.as_dict()
    assert (found.metrics.n, found.metrics.unscored, found.metrics.malformed, found.metrics.null) == (7, 1, 1, 1)
    assert values["success"] == pytest.approx(3 / 7)
    assert values["feasible_success"] == pytest.approx(2 / 5)
    assert values["infeasible_success"] == pytest.approx(1 / 2)
    assert values["goal_seen"] == pytest.approx(3 / 5)
    assert values["extra_actions"] == pytest.approx(5 / 3)
    shares = {name: values[name] for name in (one.value for one in CLASSES) if values[name]}
    assert shares == pytest.approx({
        "direct": 2 / 7, "detour": 1 / 7, "never_finished": 1 / 7, "wrong_element": 1 / 7, "finished_early": 1 / 7,
        "no_answer": 1 / 7,
    })  # fmt: skip
    assert dict(found.metrics.counts) == {
        "feasible_success": 5, "infeasible_success": 2, "goal_seen": 5, "extra_actions": 3,
    }  # fmt: skip
    assert all(value is None for value in score().metrics.as_dict().values())


@pytest.mark.parametrize(
    ("walk", "words"),
    [
        (3, "walk"), (REACHED | {"end": "bored"}, "end"), (REACHED | {"said": "yes"}, "said"),
        (REACHED | {"actions": -1}, "actions"), (REACHED | {"actions": 1.5}, "actions"),
        (REACHED | {"reached": 1}, "reached"), (REACHED | {"goal_at": "3"}, "goal_at"),
        ({name: value for name, value in REACHED.items() if name != "end"}, "end"),
    ],
)  # fmt: skip
def test_bad_records_name_line_and_field(walk: Any, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        score(record(REACHED), record(walk))
    assert caught.value.record == "2" or caught.value.record == 2


def walked(*places: str, end: WalkEnd = WalkEnd.STUCK, done: bool = False, **more: Any) -> WalkAnswer:
    """A walk along these screens; with `done` it says at the last that it is."""
    steps = [WalkStep(place, TAP, led=True) for place in places[:-1]]
    if done:
        steps.append(WalkStep(places[-1], Finish()))
        end = WalkEnd.FINISHED
    usual: dict[str, Any] = {
        "human": ("e/0", "e/1", "e/2", "e/3"), "human_actions": 3, "reached": False, "goal_at": None, "way_on": True,
    }  # fmt: skip
    return WalkAnswer(tuple(steps), end, places[-1], **(usual | more))


def test_items_and_records_say_the_same() -> None:
    walks = [
        walked("e/0", "e/1", "e/2", "e/3", done=True, reached=True, goal_at=3),
        walked("e/0", "x/1", "e/0", "e/1", "e/2", "e/3", done=True, reached=True, goal_at=5),
        walked("e/0", "x/1", end=WalkEnd.STUCK, way_on=False),
    ]
    options = parse_options(SCORER.info, {})
    scores = [SCORER.score_item(FEASIBLE, Prediction(str(n), None, walk), options) for n, walk in enumerate(walks)]
    lost = Prediction("3", None, None, PredictionStatus.FAILED, why="gone")
    scores.append(SCORER.score_item(INFEASIBLE, lost, options))
    items = [ScoredItem(str(number), -1, one) for number, one in enumerate(scores)]
    forms = [
        {
            "id": number, "human": walk.human_actions, "walk": {
                "actions": walk.actions, "end": walk.end.value, "said": walk.said.value if walk.said else None,
                "goal_at": walk.goal_at, "reached": walk.reached, "on_path": walk.last in walk.human,
                "way_on": walk.way_on,
            },
        }
        for number, walk in enumerate(walks)
    ]  # fmt: skip
    forms.append({"id": 3, "human": 3, "walk": None, "feasible": False})
    assert step_metrics(SCORER, items, options).as_dict() == score(*forms).metrics.as_dict()
    assert [CLASSES[int(dict(one.parts)["class"])].value for one in scores] == [
        "direct", "detour", "dead_end", "no_answer",
    ]  # fmt: skip
    assert walks[1].actions == 5 and scores[1].why == "Reached with 5 actions, the person with 3."


def test_steps_beside_the_persons_way() -> None:
    there = walked("e/0", "x/0", "e/0", "e/2", "y/0", "e/3", done=True, reached=True, goal_at=5)
    assert [one.value for one in courses(there)] == [
        "detour",  # off the way
        "loop",  # back where it was
        "short cut",  # to the third screen without the second
        "detour",
        "short cut",  # further on than it ever was, by another way
        "reached",
    ]  # fmt: skip
    stuck = WalkAnswer(
        (WalkStep("e/0", TAP, True), WalkStep("e/1", PressKey("back"), False), WalkStep("e/1", None)),
        WalkEnd.FAILED, "e/1", ("e/0", "e/1"), 1, False, None, None,
    )  # fmt: skip
    assert courses(stuck) == (StepCourse.ON_PATH, StepCourse.NOWHERE, StepCourse.NOWHERE)
    assert (stuck.actions, stuck.said, stuck.places) == (3, None, ("e/0", "e/1", "e/1", "e/1"))


def test_names_of_screens() -> None:
    assert place_of_name(place_name("a/b", 3)) == ("a/b", 3)
    assert place_of_name("unrecorded/1") is place_of_name("a") is place_of_name("a/b") is None


@given(
    st.integers(0, 9), st.sampled_from(WalkEnd), st.sampled_from([None, *FinishStatus]),
    st.none() | st.integers(0, 9), st.booleans(), st.booleans(), st.sampled_from([None, True, False]),
    st.integers(0, 9), st.booleans(), st.sampled_from(["said", "reached"]),
)  # fmt: skip
def test_every_walk_has_one_class(
    actions: int, end: WalkEnd, said: Any, goal_at: int | None, reached: bool, on_path: bool, way_on: Any,
    human: int, infeasible: bool, ends: str,
) -> None:  # fmt: skip
    found = verdict(WalkFacts(actions, end, said, goal_at, reached, on_path, way_on), human, infeasible, ends)
    assert found.kind in CLASSES and found.why
    assert (found.extra is not None) == found.kind.success
    assert found.kind is not WalkClass.DIRECT or found.extra == 0
