"""`aitz` as a judge of the steps of an evaluation."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Finish,
    FinishStatus,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.scoring.aitz import AitzScorer
from stepscope.core.scoring.registry import step_metrics
from stepscope.core.scoring.rule import ScoredItem
from stepscope.core.sources.aitz import read_episode

SCORER = AitzScorer()
SIZE = Size(1000, 2000)


def at(x: float, y: float) -> Point:
    return Point(x, y, SIZE)


def seen(*edges: Sequence[float]) -> Observation:
    elements = tuple(UIElement(i, Box(*e, SIZE)) for i, e in enumerate(edges))  # type: ignore[call-arg,arg-type]
    return Observation(SIZE, tree=UITree(elements, TreeOrigin.DETECTOR, SIZE) if edges else None)


def step_score(reference: Action | None, answer: Action, *edges: Sequence[float]) -> Score:
    return SCORER.score_step(Step(0, seen(*edges), reference), Prediction("e", 0, ActionAnswer(answer)), {})


@pytest.mark.parametrize(
    ("reference", "answer", "value"),
    [
        (Tap(at(500, 1000)), Tap(at(500, 1280)), 1),  # 0.14 of the height
        (Tap(at(500, 1000)), Tap(at(500, 1281)), 0),
        (Tap(at(500, 1000)), Tap(at(900, 1900), Target(Box(400, 900, 490, 1100, SIZE))), 0),
        (Tap(at(500, 1000)), Tap(at(445, 1000), Target(Box(400, 900, 491.7, 1100, SIZE))), 1),
        (LongPress(at(500, 1000)), DoubleTap(at(500, 1000)), 1),
        (Swipe(at(500, 1500), at(500, 500)), Scroll(Direction.DOWN), 1),  # the finger goes up
        (Swipe(at(500, 1500), at(500, 500)), Scroll(Direction.UP), 0),
        (Swipe(at(100, 1000), at(200, 1185)), Swipe(at(500, 500), at(500, 600)), 1),  # 0.0925 down, 0.1 right: down
        (Swipe(at(100, 1000), at(200, 1175)), Swipe(at(500, 500), at(500, 600)), 0),  # 0.0875 down: right
        (Type("weather"), Type("wheather"), 1),
        (PressKey("back"), PressKey("BACK"), 1),
        (PressKey("back"), PressKey("home"), 0),
        (Finish(), Finish(FinishStatus.IMPOSSIBLE), 1),
        (Wait(), Wait(), 1),
        (OpenApp("a"), Tap(at(1, 1)), 0),
    ],
)
def test_steps(reference: Action, answer: Action, value: float) -> None:
    assert step_score(reference, answer).value == value


def test_steps_say_why_and_keep_their_parts() -> None:
    found = step_score(Tap(at(500, 1000)), Tap(at(500, 1940)))
    assert (found.why, dict(found.parts)) == ("0.47 away, limit 0.14. No shared box.", {"type": 1, "distance": 0.47})
    found = step_score(Tap(at(500, 1000)), Wait())
    assert (found.why, dict(found.parts)) == ("Kind differs: wait, reference tap.", {"type": 0})
    assert step_score(PressKey("back"), PressKey("home")).why == "Both are press, but the key differs."


def test_what_has_no_place_no_reference_or_no_answer() -> None:
    unplaced = Tap(None, Target(None, "Submit", "[7]"))
    assert step_score(unplaced, Tap(at(1, 1))).status is ScoreStatus.UNSCORED
    assert step_score(None, Tap(at(1, 1))).status is ScoreStatus.UNSCORED
    found = step_score(Tap(at(1, 1)), unplaced)
    assert (found.value, found.why) == (0, "The prediction names no place.")
    bad = Prediction("e", 0, None, PredictionStatus.MALFORMED, why="not JSON")
    found = SCORER.score_step(Step(0, seen(), Tap(at(1, 1))), bad, {})
    assert (found.value, found.malformed, found.null) == (0, True, False)
    assert SCORER.score_step(Step(0, seen()), bad, {}).status is ScoreStatus.UNSCORED
    assert SCORER.region(Step(0, seen(), unplaced), {}) is None
    assert SCORER.region(Step(0, seen(), Wait()), {}) is None


spot = st.builds(at, st.floats(0, 1000), st.floats(0, 2000))
element = st.tuples(st.floats(0, 900), st.floats(0, 1900), st.floats(1, 500), st.floats(1, 900)).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)


@settings(max_examples=settings().max_examples * 3 // 2, deadline=None)
@given(spot, st.lists(element, max_size=5), st.integers(0, 10**6))
def test_the_region_holds_exactly_the_right_taps(wanted: Point, edges: list[tuple[float, ...]], seed: int) -> None:
    step = Step(0, seen(*edges), Tap(wanted))
    region = SCORER.region(step, {})
    assert region is not None
    seeded_random = random.Random(seed)
    for _ in range(8):
        tap = at(seeded_random.uniform(0, 1000), seeded_random.uniform(0, 2000))
        inside = region.contains(tap)
        near = [region.contains(at(tap.x + dx, tap.y + dy)) for dx in (-1e-6, 1e-6) for dy in (-1e-6, 1e-6)]
        if all(held is inside for held in near):  # not on the border itself
            assert SCORER.score_step(step, Prediction("e", 0, ActionAnswer(Tap(tap))), {}).right is inside


def test_stored_scores_are_aggregated_in_the_order_of_their_steps() -> None:
    right, wrong = Score.scored(1, "", type=1.0), Score.scored(0, "", type=0.0)
    items = [ScoredItem("a", 2, wrong), ScoredItem("a", 0, right), ScoredItem("a", 1, right),
             ScoredItem("b", 0, Score.scored(0, "", type=1.0)), ScoredItem("b", 1, right),
             ScoredItem("c", 0, Score.unscored(""))]  # fmt: skip
    found = step_metrics(SCORER, items, {}, bootstrap=20)
    assert found.as_dict() == pytest.approx(
        {"step_accuracy": 3 / 5, "type_accuracy": 4 / 5, "goal_progress": (2 / 3 + 0) / 2, "complete_match": 0}
    )
    assert (found.n, found.unscored, found.n_of("goal_progress")) == (5, 1, 2)
    assert step_metrics(SCORER, [], {}).as_dict() == dict.fromkeys(SCORER.info.metrics)


def test_a_real_episode_is_right_when_predicted_as_recorded(real_data: Path) -> None:
    path = next((real_data / "aitz_coat").glob("*/*.json"))
    episode = read_episode(path, "e")
    scores = [
        SCORER.score_step(s, Prediction("e", s.index, ActionAnswer(s.action)), {}) for s in episode.steps if s.action
    ]
    assert [found.value for found in scores] == [1, 1, 1, 1]
    swipe = next(s for s in episode.steps if isinstance(s.action, Swipe))
    up = Prediction("e", swipe.index, ActionAnswer(Scroll(Direction.DOWN)))  # its words are "scroll up": the finger's
    assert SCORER.score_step(swipe, up, {}).right
