"""aitw and motif as judges of the steps of an evaluation."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    ACTION_TYPES,
    Action,
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
from stepscope.core.scoring.aitw import AitwScorer
from stepscope.core.scoring.aitw_actions import OWN_KINDS, encode
from stepscope.core.scoring.motif import MotifScorer
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import step_metrics
from stepscope.core.scoring.rule import ScoredItem

SIZE = Size(1000, 2000)
AITW, MOTIF = AitwScorer(), MotifScorer()


def at(x: float, y: float) -> Point:
    return Point(x, y, SIZE)


def seen(*edges: Sequence[float]) -> Observation:
    elements = tuple(UIElement(i, Box(*e, SIZE)) for i, e in enumerate(edges))  # type: ignore[call-arg,arg-type]
    return Observation(SIZE, tree=UITree(elements, TreeOrigin.DETECTOR, SIZE) if edges else None)


def predicted(action: Action) -> Prediction:
    return Prediction("e", 0, ActionAnswer(action))


def aitw(reference: Action, answer: Action, *edges: Sequence[float], **options: str) -> Score:
    return AITW.score_step(Step(0, seen(*edges), reference), predicted(answer), parse_options(AITW.info, options))


def motif(reference: Action, answer: Action, *edges: Sequence[float], **options: str) -> Score:
    return MOTIF.score_step(Step(0, seen(*edges), reference), predicted(answer), parse_options(MOTIF.info, options))


# --- aitw -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "value", "why"),
    [
        (Tap(at(500, 1168)), 1, "0.084 away, limit 0.14. Not inside a shared box."),
        (Tap(at(500, 1940)), 0, "0.47 away, limit 0.14. No shared box."),
        (Swipe(at(500, 1000), at(500, 500)), 0, "One is a tap, the other a swipe."),
        (PressKey("back"), 0, "Type differs: press_key back, reference tap."),
        (LongPress(at(500, 1000)), 1, "0 away, limit 0.14. Not inside a shared box."),
    ],
)
def test_aitw_judges_a_tap_and_says_why(answer: Action, value: float, why: str) -> None:
    score = aitw(Tap(at(500, 1000)), answer)
    assert (score.value, score.why) == (value, why)


def test_aitw_takes_of_a_dump_what_a_detector_would_find() -> None:
    """Two taps 0.4 apart: only a box of a text or icon may join them, never a bare or a screen-filling leaf."""
    wide = Box(300, 950, 1000, 1050, SIZE)
    for leaf, value in (
        (UIElement(0, wide), 0),
        (UIElement(0, wide, text="Alarm"), 1),
        (UIElement(0, wide, class_name="android.widget.ImageView"), 1),
        (UIElement(0, wide, clickable=True), 1),
        (UIElement(0, Box(0, 0, 1000, 2000, SIZE), text="Wallpaper", clickable=True), 0),
    ):
        tree = UITree((leaf,), TreeOrigin.DUMP, SIZE)
        step = Step(0, Observation(SIZE, tree=tree), Tap(at(500, 1000)))
        assert AITW.score_step(step, predicted(Tap(at(900, 1000))), parse_options(AITW.info, {})).value == value


def test_aitw_takes_boxes_from_the_leaves_of_the_tree() -> None:
    score = aitw(Tap(at(500, 1000)), Tap(at(900, 1000)), (300, 950, 1000, 1050))
    assert score.value == 1
    assert score.why == "0.4 away, limit 0.14, but inside a shared box."
    assert dict(score.parts) == pytest.approx({"distance": 0.4, "in_box": 1})


@pytest.mark.parametrize(
    ("reference", "answer", "axis", "exact"),
    [
        (Scroll(Direction.DOWN), Swipe(at(500, 1500), at(500, 500)), 1, 1),  # the finger goes up
        (Scroll(Direction.DOWN), Swipe(at(500, 500), at(500, 1500)), 1, 0),
        (Scroll(Direction.RIGHT), Drag(at(900, 500), at(100, 500)), 1, 1),
        (Scroll(Direction.LEFT), Scroll(Direction.RIGHT), 1, 0),
        (Scroll(Direction.UP), Scroll(Direction.LEFT), 0, 0),
        (DoubleTap(at(1, 1)), Tap(at(1, 1)), 1, 1),
        (Swipe(at(500, 500), at(510, 500)), Tap(at(500, 500)), 1, 1),  # too short for a swipe
        (PressKey("back"), PressKey("Back"), 1, 1),
        (PressKey("back"), PressKey("home"), 0, 0),
        (PressKey("volume_up"), PressKey("volume_up"), 1, 1),
        (PressKey("volume_up"), PressKey("volume_down"), 0, 0),
        (Finish(), Finish(FinishStatus.IMPOSSIBLE), 0, 0),
        (Wait(), Wait(), 1, 1),
        (OpenApp("a"), OpenApp("b"), 1, 1),
        (OpenApp("a"), Wait(), 0, 0),
    ],
)
def test_aitw_on_other_kinds(reference: Action, answer: Action, axis: float, exact: float) -> None:
    assert aitw(reference, answer).value == axis
    assert aitw(reference, answer, direction="exact").value == exact


def test_aitw_types_are_those_of_the_data_set() -> None:
    codes = {
        Type("x"): 3, Tap(at(1, 1)): 4, PressKey("back"): 5, PressKey("home"): 6, PressKey("enter"): 7, Finish(): 10,
        Finish(FinishStatus.IMPOSSIBLE): 11,
    }  # fmt: skip
    assert {action: encode(action).type for action in codes} == codes
    assert len(set(OWN_KINDS.values())) == len(OWN_KINDS) and min(OWN_KINDS.values()) >= 100
    assert encode(PressKey("recents")).type >= 1000
    placed = {"tap", "long_press", "double_tap", "swipe", "drag", "scroll", "type", "press_key", "finish"}
    assert set(ACTION_TYPES) == placed | set(OWN_KINDS)


def test_aitw_compares_text_on_wish() -> None:
    assert aitw(Type("a"), Type("b")).value == 1
    wrong = aitw(Type("a"), Type("b"), text="exact")
    assert (wrong.value, wrong.why) == (0, "Both are type, but the text differs.")


@pytest.mark.parametrize("scorer", [AITW, MOTIF])
def test_no_answer_is_wrong_and_malformed_and_no_reference_unscored(scorer: AitwScorer | MotifScorer) -> None:
    options = parse_options(scorer.info, {})
    screen = seen((0, 0, 100, 100))
    for status in (PredictionStatus.MALFORMED, PredictionStatus.REFUSED, PredictionStatus.FAILED):
        bad = Prediction("e", 0, None, status, why="not JSON")
        score = scorer.score_step(Step(0, screen, Tap(at(1, 1))), bad, options)
        assert (score.value, score.malformed, score.why) == (0, True, "not JSON")
        assert scorer.score_step(Step(0, screen), bad, options).status is ScoreStatus.UNSCORED


def test_aitw_region_is_disc_and_enlarged_boxes() -> None:
    step = Step(0, seen((400, 900, 600, 1100), (0, 0, 100, 100)), Tap(at(500, 1000)))
    region = AITW.region(step, parse_options(AITW.info, {}))
    assert region is not None
    disc, box = region.shapes
    assert isinstance(disc, Ellipse) and (disc.radius_x, disc.radius_y) == pytest.approx((140, 280))
    assert isinstance(box, Box)
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx((260, 760, 740, 1240))
    assert AITW.region(Step(0, seen(), Wait()), {}) is None
    assert AITW.region(Step(0, seen()), {}) is None


spot = st.builds(at, st.floats(0, 1000), st.floats(0, 2000))
edge_box = st.tuples(st.floats(-50, 900), st.floats(-50, 1900), st.floats(1, 500), st.floats(1, 900)).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)


@settings(max_examples=settings().max_examples * 3 // 2, deadline=None)
@given(spot, st.lists(edge_box, max_size=5), st.integers(0, 10**6))
def test_aitw_region_holds_exactly_the_right_taps(reference: Point, edges: list[tuple[float, ...]], seed: int) -> None:
    step = Step(0, seen(*edges), Tap(reference))
    options = parse_options(AITW.info, {})
    region = AITW.region(step, options)
    assert region is not None
    seeded_random = random.Random(seed)
    for _ in range(8):
        tap = at(seeded_random.uniform(0, 1000), seeded_random.uniform(0, 2000))
        inside = region.contains(tap)
        near = [region.contains(at(tap.x + dx, tap.y + dy)) for dx in (-1e-6, 1e-6) for dy in (-1e-6, 1e-6)]
        if all(held is inside for held in near):  # not on the border itself
            assert AITW.score_step(step, predicted(Tap(tap)), options).right is inside


def test_aitw_aggregates_stored_scores() -> None:
    def item(episode: str, step: int, score: Score) -> ScoredItem:
        return ScoredItem(episode, step, score)

    right, wrong = Score.scored(1, ""), Score.scored(0, "", malformed=True)
    items = [item("a", 0, right), item("a", 1, right), item("b", 0, wrong), item("b", 1, right),
             item("b", 2, Score.unscored("")), item("c", 0, Score.error("")), item("d", 0, wrong)]  # fmt: skip
    found = step_metrics(AITW, items, {}, bootstrap=50)
    assert found.as_dict() == pytest.approx({"step_accuracy": 0.6, "partial_match": 0.5, "complete_match": 1 / 3})
    assert (found.n, found.unscored, found.malformed, found.errors) == (5, 1, 2, 1)
    assert [name for name, _ in found.intervals] == list(AITW.info.metrics)
    assert step_metrics(AITW, [], {}).as_dict() == dict.fromkeys(AITW.info.metrics)


# --- motif ----------------------------------------------------------------------------------------------------------

DIFFERS = "Action differs: {}, reference click."
ROW = [(0.0, 200.0 * i, 1000.0, 200.0 * i + 200) for i in range(5)]


@pytest.mark.parametrize(
    ("answer", "action", "ground", "why"),
    [
        (Tap(at(500, 500)), 1, 1, "Both click. Object 2, reference 2: 0 off, limit 1."),
        (Tap(at(500, 700)), 1, 1, "Both click. Object 3, reference 2: 1 off, limit 1."),
        (Tap(at(500, 900)), 1, 0, "Both click. Object 4, reference 2: 2 off, limit 1."),
        (Type("x", at(500, 500)), 0, 1, f"{DIFFERS.format('type')} Object 2, reference 2: 0 off, limit 1."),
        (Scroll(Direction.UP), 0, 0, f"{DIFFERS.format('swipe')} The reference has a place, the prediction none."),
        (Tap(at(500, 1900)), 1, 0, "Both click. Object 4, reference 2: 2 off, limit 1."),  # under none: the nearest
    ],
)  # fmt: skip
def test_motif_by_object(answer: Action, action: float, ground: float, why: str) -> None:
    score = motif(Tap(at(500, 500)), answer, *ROW)
    assert dict(score.parts) == {"action": action, "ground": ground, "both": action * ground}
    assert (score.value, score.why) == (action * ground, why)


def test_motif_takes_the_leaf_with_the_nearest_midpoint_among_those_under_the_point() -> None:
    large, small, near = (0, 0, 1000, 1000), (0, 0, 200, 200), (210, 0, 230, 100)
    # (190, 50) lies in the first two; the third's midpoint is nearest of all, but it is not under the point.
    reference = Tap(at(100, 100))
    assert motif(reference, Tap(at(190, 50)), large, small, near, object_tolerance="0").value == 1
    assert motif(reference, Tap(at(450, 450)), large, small, near, object_tolerance="0").value == 0


def test_motif_by_point_and_by_box_uses_the_target_where_there_is_one() -> None:
    target = Target(Box(0, 400, 1000, 500, SIZE))
    assert motif(Tap(at(500, 450), target), Tap(at(500, 550)), *ROW, grounding="point").value == 0
    assert motif(Tap(at(500, 450)), Tap(at(500, 550)), *ROW, grounding="point").value == 1
    outside = motif(Tap(at(500, 450), target), Tap(at(500, 530)), *ROW, grounding="point")
    assert outside.why == "Both click. Outside the reference box, 30 px from its edge."
    half = motif(Tap(at(500, 450), target), Tap(at(500, 450)), *ROW, grounding="box")
    assert (half.value, half.why) == (0, "Both click. Boxes overlap by 0.5, needed: more than 0.5.")


def test_motif_on_actions_without_a_place() -> None:
    assert motif(Scroll(Direction.UP), Swipe(at(1, 1), at(1, 900)), *ROW).value == 1
    assert motif(PressKey("back"), PressKey("home"), *ROW).why.startswith("Action differs: press_key home, reference")
    assert motif(PressKey("back"), PressKey("Back"), *ROW).value == 1
    assert motif(Finish(), Finish(FinishStatus.IMPOSSIBLE), *ROW).value == 0
    assert motif(PressKey("back"), Tap(at(500, 500)), *ROW).value == 0
    assert motif(Finish(), Finish(), *ROW).why == "Both finish complete. Neither has a place."


def test_motif_without_a_tree_is_unscored_where_the_rule_needs_it() -> None:
    assert motif(Tap(at(5, 5)), Tap(at(5, 5))).status is ScoreStatus.UNSCORED
    target = Target(Box(0, 0, 10, 10, SIZE))
    assert motif(Tap(at(5, 5), target), Tap(at(5, 5)), grounding="point").value == 1
    assert motif(Wait(), Wait()).value == 1


def test_motif_regions() -> None:
    step = Step(0, seen(*ROW), Tap(at(500, 100)))

    def boxes(**settings: str) -> list[tuple[float, ...]] | None:
        region = MOTIF.region(step, parse_options(MOTIF.info, settings))
        return region and [(b.left, b.top, b.right, b.bottom) for b in region.shapes if isinstance(b, Box)]  # type: ignore[return-value]

    def objects(**settings: str) -> list[int]:
        """Numbers of the leaves in whose midpoints a tap is right."""
        region = MOTIF.region(step, parse_options(MOTIF.info, settings))
        assert region is not None
        return [i for i, (l, t, r, b) in enumerate(ROW) if region.contains(at((l + r) / 2, (t + b) / 2))]  # noqa: E741

    assert objects() == [0, 1]
    assert objects(object_tolerance="0") == [0]
    assert boxes(grounding="point") == ROW[:1]
    assert boxes(grounding="box") is None
    assert MOTIF.region(Step(0, seen(*ROW), Wait()), parse_options(MOTIF.info, {})) is None
    assert MOTIF.region(Step(0, seen(), Tap(at(1, 1))), parse_options(MOTIF.info, {})) is None


def test_motif_aggregates_stored_scores() -> None:
    def verdict(action: int, ground: int) -> Score:
        return Score.scored(action * ground, "", malformed=False, action=action, ground=ground, both=action * ground)

    marks = {"a": [(1, 1), (1, 1)], "b": [(1, 0), (1, 1), (0, 1), (1, 1)]}
    items = [ScoredItem(name, i, verdict(*mark)) for name, each in marks.items() for i, mark in enumerate(each)]
    random.Random(0).shuffle(items)
    items += [ScoredItem("b", 9, Score.unscored("")), ScoredItem("c", 0, Score.error(""))]
    found = step_metrics(MOTIF, items, parse_options(MOTIF.info, {}))
    assert list(found.as_dict().values()) == [0.5, (1 + 3 / 4) / 2, 0.5, (1 + 3 / 4) / 2, 0.5, (1 + 2 / 4) / 2]
    assert (found.n, found.unscored, found.malformed, found.errors) == (6, 1, 0, 1)
    prefix = step_metrics(MOTIF, items, parse_options(MOTIF.info, {"partial": "prefix"}))
    assert list(prefix.as_dict().values()) == [0.5, (1 + 2 / 4) / 2, 0.5, 0.5, 0.5, 0.5]
    assert step_metrics(MOTIF, [], parse_options(MOTIF.info, {})).as_dict() == dict.fromkeys(MOTIF.info.metrics)


def test_aitw_says_nothing_of_a_reference_without_a_place_and_no_to_such_an_answer() -> None:
    unplaced = Tap(None, Target(None, "Submit", "[7]"))
    score = aitw(unplaced, Tap(at(0.5, 0.5)))
    assert score.status is ScoreStatus.UNSCORED and "not where it is" in score.why
    score = aitw(Tap(at(0.5, 0.5)), unplaced)
    assert (score.status, score.value) == (ScoreStatus.SCORED, 0) and "no place" in score.why
    assert AitwScorer().region(Step(0, seen(), unplaced), parse_options(AitwScorer().info, {})) is None


def test_no_answer_to_a_reference_that_cannot_be_judged_is_not_malformed() -> None:
    """What the rule cannot speak of is unscored, whatever was answered."""
    step = Step(0, Observation(Size(100, 200)), Tap(None, Target(None, "OK", "7")))
    nothing = Prediction("e", 0, None, PredictionStatus.EMPTY)
    for answer in (nothing, predicted(PressKey("back"))):
        score = AITW.score_step(step, answer, parse_options(AITW.info, {}))
        assert (score.status.value, score.malformed, score.null) == ("unscored", False, False)
