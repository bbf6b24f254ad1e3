from __future__ import annotations

from dataclasses import replace

import pytest

from stepscope.core.domain.action import (
    Action,
    AskUser,
    Direction,
    DoubleTap,
    Drag,
    Finish,
    FinishStatus,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import FeasibilityLabel, Observation, Step
from stepscope.core.domain.geometry import Box, Ellipse, Point, Region, Size
from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer, Layers, layers_named, run_layer
from stepscope.core.domain.mark import (
    ArrowKind,
    ArrowMark,
    BoxMark,
    BubbleKind,
    BubbleMark,
    CandidateMark,
    EvidenceMark,
    FlagMark,
    LabelMark,
    Mark,
    MarkVerdict,
    MissLine,
    NumberMark,
    PillKind,
    PillMark,
    PointMark,
    RegionMark,
    TreeMark,
)
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    Candidate,
    Evidence,
    FeasibilityAnswer,
    GoalAnswer,
    Prediction,
    PredictionStatus,
)
from stepscope.core.domain.score import Score
from stepscope.core.errors import UsageError
from stepscope.core.imaging.overlay import RunMarks, bounds_of, build_marks, distance_text

SCREEN = Size(1080, 2400)
HIT, MISS = Score.scored(1, "right"), Score.scored(0, "wrong")


def at(x: float, y: float, size: Size = SCREEN) -> Point:
    return Point(x, y, size)


def step(action: Action | None, tree: UITree | None = None) -> Step:
    return Step(2, Observation(SCREEN, tree=tree), action)


def run(index: int, action: Action, score: Score | None = HIT) -> RunMarks:
    return RunMarks(index, Prediction("18", 2, ActionAnswer(action)), score)


def login_tree() -> UITree:
    whole = UIElement(0, Box(0, 0, 1080, 2400, SCREEN))
    name = UIElement(1, Box(100, 300, 980, 420, SCREEN), 0, 1, text="Name", editable=True, clickable=True)
    word = UIElement(2, Box(100, 500, 980, 620, SCREEN), 0, 1, editable=True, focused=True, password=True)
    hidden = UIElement(3, Box(0, 0, 50, 50, SCREEN), 0, 1, visible=False)
    return UITree((whole, name, word, hidden), TreeOrigin.DUMP, SCREEN)


def only(marks: tuple[Mark, ...], kind: type[Mark]) -> list[Mark]:
    return [mark for mark in marks if isinstance(mark, kind)]


def test_a_reference_tap_is_a_point_that_nobody_judges() -> None:
    assert build_marks(step(Tap(at(506, 867))), []) == (PointMark(Layer.REFERENCE, at(506, 867)),)


def test_a_tap_without_a_place_is_told_in_words() -> None:
    unplaced = Tap(None, Target(None, "Submit", "[7]"))
    assert build_marks(step(unplaced), []) == (
        PillMark(Layer.REFERENCE, PillKind.ELEMENT, "tap Submit", None, MarkVerdict.NONE),
    )
    assert only(build_marks(step(LongPress(None, Target(None, "", "[7]"))), []), PillMark)[0].text == "long press [7]"


def test_places_measured_on_another_size_come_out_in_pixels_of_the_screenshot() -> None:
    (mark,) = build_marks(step(Tap(Point(204, 170, Size(320, 720)))), [])
    assert isinstance(mark, PointMark)
    assert (mark.point.x, mark.point.y) == pytest.approx((688.5, 566.667), abs=1e-3)
    assert mark.point.size == SCREEN


def test_a_miss_has_a_line_to_the_reference_with_its_distance() -> None:
    marks = build_marks(step(Tap(at(506, 867))), [run(0, Tap(at(542, 682))), run(1, Tap(at(969, 436)), MISS)])
    assert only(marks, MissLine) == [MissLine(Layer.RUN_B, at(969, 436), at(506, 867), "0.46 away")]
    assert [mark.verdict for mark in only(marks, PointMark)] == [MarkVerdict.NONE, MarkVerdict.HIT, MarkVerdict.MISS]


@pytest.mark.parametrize(
    ("end", "text"), [((0, 240), "0.10 away"), ((1080, 2400), "1.41 away"), ((90.72, 0), "0.084 away")]
)
def test_distance_is_told_in_shares_of_the_screen(end: tuple[float, float], text: str) -> None:
    assert distance_text(at(0, 0), at(*end)) == text


def test_a_miss_at_the_right_place_has_no_line() -> None:
    assert not only(build_marks(step(Tap(at(5, 5))), [run(0, LongPress(at(5, 5)), MISS)]), MissLine)


@pytest.mark.parametrize("score", [None, Score.unscored("no reference"), Score.error("broke")])
def test_without_a_verdict_a_run_is_neither_hit_nor_miss(score: Score | None) -> None:
    (mark,) = build_marks(step(None), [run(3, Tap(at(1, 1)), score)])
    assert mark == PointMark(Layer.RUN_D, at(1, 1), MarkVerdict.UNSCORED)


@pytest.mark.parametrize("kind", [LongPress, DoubleTap])
def test_long_press_and_double_tap_have_a_second_ring(kind: type[LongPress] | type[DoubleTap]) -> None:
    (mark,) = build_marks(step(kind(at(9, 9))), [])
    assert mark == PointMark(Layer.REFERENCE, at(9, 9), double=True)


def test_a_swipe_points_the_way_of_the_finger() -> None:
    arrow, start = build_marks(step(Swipe(at(500, 1900), at(500, 900))), [])
    assert arrow == ArrowMark(Layer.REFERENCE, ArrowKind.SWIPE, at(500, 1900), at(500, 900))
    assert start == PointMark(Layer.REFERENCE, at(500, 1900))


def test_a_drag_is_told_from_a_swipe() -> None:
    arrow = build_marks(step(Drag(at(1, 1), at(900, 1))), [])[0]
    assert isinstance(arrow, ArrowMark)
    assert arrow.kind is ArrowKind.DRAG


def test_a_scroll_without_a_place_goes_through_the_middle_of_the_screen() -> None:
    arrow, point, pill = build_marks(step(Scroll(Direction.DOWN)), [])
    assert arrow == ArrowMark(Layer.REFERENCE, ArrowKind.SCROLL, at(540, 900), at(540, 1500))
    assert point == PointMark(Layer.REFERENCE, at(540, 1200))
    assert isinstance(pill, PillMark)
    assert pill.text == "scroll down"


def test_typed_text_hangs_at_the_recorded_target() -> None:
    box = Box(100, 300, 980, 420, SCREEN)
    marks = build_marks(step(Type("hello\nworld", target=Target(box))), [])
    assert marks == (BoxMark(box), PillMark(Layer.REFERENCE, PillKind.TYPED, "“hello world”", box))


def test_typed_text_without_a_place_hangs_at_the_focused_field_and_a_password_is_dots() -> None:
    marks = build_marks(step(Type("secret", None), login_tree()), [run(0, Type("guess"), MISS)])
    pills = only(marks, PillMark)
    assert [pill.text for pill in pills] == ["●●●●●●●●", "●●●●●●●●"]
    assert {pill.at for pill in pills} == {Box(100, 500, 980, 620, SCREEN)}


def test_typed_text_with_a_point_shows_the_point_and_the_field_under_it() -> None:
    marks = build_marks(step(Type("Ada", at(300, 350)), login_tree()), [])
    assert PointMark(Layer.REFERENCE, at(300, 350)) in marks
    assert only(marks, PillMark) == [
        PillMark(Layer.REFERENCE, PillKind.TYPED, "“Ada”", Box(100, 300, 980, 420, SCREEN))
    ]


def test_long_text_is_cut() -> None:
    (pill,) = build_marks(step(Type("x" * 500)), [])
    assert isinstance(pill, PillMark)
    assert len(pill.text) == 62
    assert pill.text.endswith("…”")


@pytest.mark.parametrize(
    ("action", "mark"),
    [
        (PressKey("back"), PillMark(Layer.REFERENCE, PillKind.KEY, "back")),
        (OpenApp("Spotify"), PillMark(Layer.REFERENCE, PillKind.APP, "Spotify")),
        (Wait(), PillMark(Layer.REFERENCE, PillKind.WAIT, "wait")),
        (Select("Two"), PillMark(Layer.REFERENCE, PillKind.CHOSEN, "“Two”")),
        (AskUser("Which one?"), BubbleMark(Layer.REFERENCE, BubbleKind.ASK, "Which one?")),
        (Say("The first."), BubbleMark(Layer.REFERENCE, BubbleKind.SAY, "The first.")),
        (Finish(FinishStatus.IMPOSSIBLE), FlagMark(Layer.REFERENCE, FinishStatus.IMPOSSIBLE)),
    ],
)
def test_actions_without_a_place_are_words(action: Action, mark: Mark) -> None:
    assert build_marks(step(action), []) == (mark,)


def test_a_malformed_answer_is_told_at_the_bottom() -> None:
    lost = Prediction("18", 2, None, PredictionStatus.MALFORMED, why="not JSON")
    assert build_marks(step(None), [RunMarks(1, lost, MISS)]) == (
        PillMark(Layer.RUN_B, PillKind.MALFORMED, "malformed", None, MarkVerdict.MISS),
    )


def test_an_asking_model_has_a_bubble_and_a_silent_one_nothing() -> None:
    asks = RunMarks(0, Prediction("18", 2, AskAnswer("Which?")), HIT)
    silent = RunMarks(1, Prediction("18", 2, AskAnswer(None)), HIT)
    assert build_marks(step(None), [asks, silent]) == (
        BubbleMark(Layer.RUN_A, BubbleKind.ASK, "Which?", MarkVerdict.HIT),
    )


def test_marks_lie_in_the_order_tree_tolerance_target_lines_reference_runs() -> None:
    region = Region((Ellipse(at(500, 350), 151.2, 336), Box(0, 0, 9, 9, SCREEN)), "aitw")
    taps = [run(1, Tap(at(900, 2000)), MISS), run(0, Tap(at(300, 350)))]
    marks = build_marks(step(Tap(at(500, 350)), login_tree()), taps, region, Layers.all())
    kinds = [type(mark) for mark in marks]
    assert kinds == [
        TreeMark, RegionMark, BoxMark, LabelMark, NumberMark, NumberMark, MissLine, PointMark, PointMark, PointMark,
    ]  # fmt: skip
    assert [mark.layer for mark in marks[-3:]] == [Layer.REFERENCE, Layer.RUN_B, Layer.RUN_A]


def test_the_tree_leaves_out_what_is_not_seen() -> None:
    (tree,) = build_marks(step(None, login_tree()), [], layers=Layers.of(Layer.TREE))
    assert isinstance(tree, TreeMark)
    assert len(tree.boxes) == 3
    assert list(tree.corners[:4]) == [0, 0, 1080, 2400]


def test_the_target_is_the_element_under_the_reference() -> None:
    marks = build_marks(step(Tap(at(300, 350)), login_tree()), [])
    assert only(marks, BoxMark) == [BoxMark(Box(100, 300, 980, 420, SCREEN))]


def test_a_layer_that_is_off_leaves_no_marks() -> None:
    everything = step(Tap(at(300, 350)), login_tree())
    for layer in Layer:
        marks = build_marks(everything, [run(0, Tap(at(9, 9)), MISS)], None, Layers.all().toggled(layer))
        assert layer not in {mark.layer for mark in marks}


def test_what_covers_much_of_the_screen_is_off_at_first() -> None:
    off = {layer for layer in Layer if layer not in DEFAULT_LAYERS}
    assert off == {Layer.SALIENCY, Layer.ATTENTION, Layer.TREE, Layer.DIFF, Layer.LABELS, Layer.NUMBERS}


def test_layers_by_the_names_of_the_command_line() -> None:
    assert layers_named(["gold", "tolerance"]) == Layers.of(Layer.REFERENCE, Layer.TARGET, Layer.TOLERANCE)
    assert len(layers_named(["pred"]).shown) == 8
    with pytest.raises(UsageError, match="no layer 'golden'"):
        layers_named(["golden"])


def test_runs_have_the_letters_a_to_h() -> None:
    assert [run_layer(index).value for index in range(8)] == list("ABCDEFGH")
    assert [layer.run for layer in (Layer.RUN_A, Layer.RUN_H, Layer.REFERENCE)] == [0, 7, None]
    with pytest.raises(ValueError, match="not 8"):
        run_layer(8)


def test_the_bounds_of_marks_hold_what_actions_touch() -> None:
    marks = build_marks(step(Swipe(at(500, 1900), at(100, 900))), [run(0, Tap(at(700, 1000)))])
    assert bounds_of(marks) == Box(100, 900, 700, 1900, SCREEN)
    assert bounds_of(build_marks(step(Wait()), [])) is None


def test_marks_of_a_step_do_not_depend_on_its_picture() -> None:
    bare = step(Tap(at(3, 4)))
    assert build_marks(bare, []) == build_marks(replace(bare, instruction="tap it"), [])


def test_evidence_is_shown_on_its_own_step_with_its_share_of_the_heaviest() -> None:
    here = Evidence(2, 0.4, "Log  in", Box(10, 20, 30, 40, SCREEN))
    evidence = (here, Evidence(2, 0.1), Evidence(1, 0.05, "Elsewhere"))
    answer = FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.9, (), evidence)
    said = RunMarks(1, Prediction("18", None, answer))
    marks = build_marks(step(None), [said], lit=here)
    assert marks == (
        EvidenceMark(1, Box(10, 20, 30, 40, SCREEN), 1.0, "Log in, weight 0.40", lit=True),
        EvidenceMark(1, Box(0, 0, 1080, 2400, SCREEN), 0.25, "the whole screen, weight 0.10"),
        PillMark(run_layer(1), PillKind.GUESS, "infeasible, P(infeasible) 0.90", None, MarkVerdict.UNSCORED),
    )
    assert len(build_marks(step(None), [said], layers=DEFAULT_LAYERS.without(Layer.EVIDENCE))) == 1


def test_a_guess_at_feasibility_tells_how_it_stood_at_each_step() -> None:
    answer = FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.9, (0.2, 0.55, 0.9))
    run = RunMarks(1, Prediction("e", None, answer), Score.scored(True, ""))
    layers = Layers.of(run_layer(1))
    told = [build_marks(Step(index, Observation(SCREEN)), [run], layers=layers) for index in range(4)]
    assert [mark.text for (mark,) in told] == [
        "P(infeasible) 0.20 so far", "P(infeasible) 0.55 so far", "infeasible, P(infeasible) 0.90",
        "infeasible, P(infeasible) 0.90",
    ]  # fmt: skip
    (mark,) = told[0]
    assert isinstance(mark, PillMark) and mark.kind is PillKind.GUESS and mark.verdict is MarkVerdict.HIT
    bare = RunMarks(0, Prediction("e", None, FeasibilityAnswer(FeasibilityLabel.FEASIBLE)))
    (mark,) = build_marks(Step(0, Observation(SCREEN)), [bare], layers=Layers.of(run_layer(0)))
    assert mark.text == "feasible"


def test_a_guess_at_the_goal_is_said_on_every_step() -> None:
    run = RunMarks(0, Prediction("e", None, GoalAnswer("Buy a\nkettle")), Score.scored(False, ""))
    for index in range(2):
        (mark,) = build_marks(Step(index, Observation(SCREEN)), [run], layers=Layers.of(run_layer(0)))
        assert mark == BubbleMark(run_layer(0), BubbleKind.SAY, "Buy a kettle", MarkVerdict.MISS)


def test_candidates_take_the_numbers_from_the_elements() -> None:
    box = Box(100, 300, 980, 420, SCREEN)
    candidates = (Candidate(Tap(at(300, 350), Target(box)), 0.7), Candidate(Tap(at(5, 6)), 0.2),
                  Candidate(PressKey("back"), 0.1))  # fmt: skip
    said = RunMarks(0, Prediction("18", 2, ActionAnswer(candidates[0].action, candidates)))
    numbers = build_marks(step(None), [said], layers=Layers.of(Layer.NUMBERS, Layer.RUN_A))
    assert only(numbers, CandidateMark) == [
        CandidateMark(0, 1, box, "1: tap, 0.70", 0.7),
        CandidateMark(0, 2, Box(5, 6, 5, 6, SCREEN), "2: tap, 0.20", 0.2),
    ]
    where = step(None, login_tree())
    assert only(build_marks(where, [said], layers=Layers.of(Layer.NUMBERS, Layer.RUN_A)), NumberMark) == []
    assert only(build_marks(where, [], layers=Layers.of(Layer.NUMBERS)), NumberMark)


def test_an_agent_that_may_ask_shows_what_it_does() -> None:
    said = RunMarks(0, Prediction("18", 2, AskAnswer(None, 0.1, Tap(at(9, 9)))), HIT)
    assert build_marks(step(None), [said]) == (PointMark(Layer.RUN_A, at(9, 9), MarkVerdict.UNSCORED),)
