"""`android_control` as a judge of the steps of an evaluation."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
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
from stepscope.core.domain.geometry import Box, Direction, Ellipse, Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.scoring.android_control import AndroidControlScorer
from stepscope.core.scoring.android_control_match import RULE_NAMES
from stepscope.core.scoring.named_rules import RULES
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import step_metrics
from stepscope.core.scoring.rule import ScoredItem

SCORER = AndroidControlScorer()
W, H = 1000, 2000
BUTTON, ROW = [400, 980, 600, 1020], [0, 900, 1000, 1100]
SIZE = Size(W, H)


def at(x: float, y: float) -> Point:
    return Point(x, y, SIZE)


def seen(*edges: Sequence[float], words: Sequence[str] = ()) -> Observation:
    texts = [*words, *[""] * len(edges)]
    elements = tuple(UIElement(i, Box(*e, SIZE), text=texts[i]) for i, e in enumerate(edges))  # type: ignore[call-arg,arg-type]
    return Observation(SIZE, tree=UITree(elements, TreeOrigin.ACCESSIBILITY, SIZE) if edges else None)


def by_rule(step: Step, answer: Action) -> list[Score]:
    prediction = Prediction("e", 0, ActionAnswer(answer))
    return [SCORER.score_step(step, prediction, {"rule": rule}) for rule in RULE_NAMES]


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        (Tap(at(500, 1000)), Tap(at(610, 1000)), [0, 1, 1, 1]),
        (Tap(at(500, 1000)), Tap(Point(305, 500, Size(500, 1000))), [0, 1, 1, 1]),  # on a smaller picture
        (LongPress(at(500, 1000)), LongPress(at(500, 1000)), [1, 1, 1, 1]),
        (LongPress(at(500, 1000)), Tap(at(500, 1000)), [0, 0, 0, 0]),
        (DoubleTap(at(500, 1000)), DoubleTap(at(500, 1000)), [1, 1, 1, 1]),
        (Scroll(Direction.DOWN), Swipe(at(500, 1500), at(500, 500)), [1, 1, 1, 1]),
        (Scroll(Direction.RIGHT), Drag(at(900, 500), at(100, 500)), [1, 1, 1, 1]),
        (Scroll(Direction.DOWN), Scroll(Direction.UP), [0, 0, 0, 0]),
        (Type("Pizza"), Type("pizza"), [0, 1, 1, 1]),
        (OpenApp("Clock"), Tap(at(500, 1000)), [1, 0, 0, 0]),
        (Tap(at(500, 1000)), OpenApp("clock"), [1, 0, 0, 0]),
        (PressKey("back"), PressKey(" Back"), [1, 1, 1, 1]),
        (Finish(), Finish(FinishStatus.IMPOSSIBLE), [0, 0, 0, 0]),
        (Wait(), Wait(), [1, 1, 1, 1]),
        (AskUser("a"), AskUser("b"), [1, 1, 1, 1]),
    ],
)
def test_steps(reference: Action, answer: Action, expected: list[float]) -> None:
    step = Step(0, seen(BUTTON, words=["Clock"]), reference)
    assert [found.value for found in by_rule(step, answer)] == expected


def test_the_candidate_of_an_evaluation_is_the_target() -> None:
    wide = Tap(at(500, 1000), Target(Box(*ROW, SIZE)))  # type: ignore[arg-type]
    small = Tap(at(500, 1000), Target(Box(*BUTTON, SIZE)))  # type: ignore[arg-type]
    assert by_rule(Step(0, seen(BUTTON, ROW), wide), Tap(at(950, 1000)))[1].value == 1
    assert by_rule(Step(0, seen(BUTTON, ROW), small), Tap(at(950, 1000)))[1].value == 0


def test_a_rule_without_what_it_needs_says_so() -> None:
    found = by_rule(Step(0, seen(), Tap(at(500, 1000))), Tap(at(500, 1000)))
    assert [each.value for each in found] == [None, 1, 1, 1]
    assert found[0].why == "The data has no boxes, which this rule needs for a tap."
    unplaced = Tap(None, Target(None, "Submit", "[7]"))
    for each in by_rule(Step(0, seen(BUTTON), unplaced), Tap(at(1, 1))):
        assert each.status is ScoreStatus.UNSCORED and "not where it is" in each.why
    for each in by_rule(Step(0, seen(BUTTON), Tap(at(500, 1000))), unplaced):
        assert (each.value, each.why, dict(each.parts)) == (
            0,
            "The prediction names no place.",
            {"type": 1, "ground": 0},
        )
    bad = Prediction("e", 0, None, PredictionStatus.MALFORMED, why="not JSON")
    found_bad = SCORER.score_step(Step(0, seen(BUTTON), Tap(at(500, 1000))), bad, {"rule": "radius14"})
    assert (found_bad.value, found_bad.malformed, found_bad.why) == (0, True, "not JSON")
    assert SCORER.score_step(Step(0, seen()), bad, {"rule": "radius14"}).status is ScoreStatus.UNSCORED
    for rule in RULE_NAMES:
        for action in (unplaced, Wait(), None):
            assert SCORER.region(Step(0, seen(BUTTON), action), {"rule": rule}) is None
    assert SCORER.region(Step(0, seen(), Tap(at(1, 1))), {"rule": "smallest_box"}) is None


def test_regions() -> None:
    step = Step(0, seen(BUTTON), Tap(at(500, 1000)))
    for rule, radii, edges in (
        ("smallest_box", None, (400, 980, 600, 1020)),
        ("enlarged_box", (80, 80), (380, 976, 620, 1024)),
        ("nearest5", (40, 80), (380, 976, 620, 1024)),
        ("radius14", (140, 280), None),
    ):
        region = SCORER.region(step, {"rule": rule})
        assert region is not None
        discs = [(s.radius_x, s.radius_y) for s in region.shapes if isinstance(s, Ellipse)]
        boxes = [(s.left, s.top, s.right, s.bottom) for s in region.shapes if isinstance(s, Box)]
        assert discs == ([pytest.approx(radii)] if radii else []) and boxes == ([pytest.approx(edges)] if edges else [])


spot = st.builds(at, st.floats(0, W), st.floats(0, H))
element = st.tuples(st.floats(0, 900), st.floats(0, 1900), st.floats(1, 500), st.floats(1, 900)).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)


@settings(max_examples=settings().max_examples * 2, deadline=None)
@given(spot, st.lists(element, max_size=8), st.sampled_from(RULE_NAMES), st.booleans(), st.integers(0, 10**6))
def test_the_region_holds_exactly_the_right_taps(
    wanted: Point, edges: list[tuple[float, ...]], rule: str, named: bool, seed: int
) -> None:
    target = Target(Box(*edges[0], SIZE)) if named and edges else None  # type: ignore[call-arg]
    step = Step(0, seen(*edges), Tap(wanted, target))
    region = SCORER.region(step, {"rule": rule})
    seeded_random = random.Random(seed)
    for _ in range(8):
        place = at(seeded_random.uniform(0, W), seeded_random.uniform(0, H))
        found = SCORER.score_step(step, Prediction("e", 0, ActionAnswer(Tap(place))), {"rule": rule})
        if region is None:
            assert not found.right
            continue
        inside = region.contains(place)
        near = [region.contains(at(place.x + dx, place.y + dy)) for dx in (-1e-6, 1e-6) for dy in (-1e-6, 1e-6)]
        if all(held is inside for held in near):  # not on the border itself
            assert found.right is inside


def test_stored_scores_are_aggregated() -> None:
    items = [
        ScoredItem("a", 0, Score.scored(1, "", type=1.0, ground=1.0)),
        ScoredItem("a", 1, Score.scored(0, "", type=1.0, ground=0.0)),
        ScoredItem("b", 0, Score.scored(1, "", type=1.0)),
        ScoredItem("b", 1, Score.scored(1, "", type=0.0)),
        ScoredItem("c", 0, Score.unscored("")),
    ]
    found = step_metrics(SCORER, items, {"rule": "smallest_box"}, bootstrap=20)
    assert found.as_dict() == pytest.approx({
        "step_accuracy": 3 / 4, "type_accuracy": 3 / 4, "grounding_accuracy": 1 / 2, "partial_match": 3 / 4,
        "complete_match": 1 / 2,
    })  # fmt: skip
    assert (found.n, found.unscored, found.n_of("grounding_accuracy"), found.n_of("complete_match")) == (4, 1, 2, 2)
    assert step_metrics(SCORER, [], {"rule": "radius14"}).as_dict() == dict.fromkeys(SCORER.info.metrics)


def test_each_rule_has_a_name_for_filters() -> None:
    by_id = {rule.id: rule for rule in RULES}
    for name in RULE_NAMES:
        assert (by_id[name].protocol, dict(by_id[name].options)) == ("android_control", {"rule": name})
    assert by_id["aitz"].protocol == "aitz"


def test_os_genesis_takes_the_way_that_the_prompt_asks_for() -> None:
    """By hand, after the released code: the reference scrolls down, the model up, and the prompt says so in words."""
    options = parse_options(SCORER.info, {"rule": "os_genesis"})
    other = Prediction("e", 0, ActionAnswer(Scroll(Direction.UP)))
    way = Direction.UP.value
    verdicts = [
        SCORER.score_step(Step(0, seen(), Scroll(Direction.DOWN), instruction), other, options).value
        for instruction in (f"Scroll {way} to the end", f"scroll {way}", "Scroll left", None)
    ]
    assert verdicts == [1.0, 0.0, 0.0, 0.0], "capitals count"
