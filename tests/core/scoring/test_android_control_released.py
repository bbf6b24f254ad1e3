"""The released scorers against what their own code says: `released_verdicts.jsonl` has for each step the verdict and
whether the kind was right, as the authors' code gave them (`qwen_vl`'s from UI-S1's copy of it, its swipes from
InfiGUI-R1's, since the first is not in a repository)."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import Finish, FinishStatus, LongPress, OpenApp, Scroll, Tap, Target, Type, Wait
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Box, Direction, Ellipse, Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.scoring.android_control import AndroidControlScorer
from stepscope.core.scoring.android_control_records import read_record, released_by
from stepscope.core.scoring.android_control_released import COUNTED, GENESIS_LIMIT, RELEASED, gui_r1_f1, infigui_size
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records

SCORER = AndroidControlScorer()
SIZE = Size(1000, 2000)
CASES = [json.loads(line) for line in Path(__file__).with_name("released_verdicts.jsonl").read_text().splitlines()]
NO_TREE = Observation(SIZE)


def record(case: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"episode": 1, "step": 0, "size": [1000, 2000], **case, **more}


@pytest.mark.parametrize("scorer", RELEASED)
def test_verdicts_are_those_of_the_released_code(scorer: str) -> None:
    compared = 0
    for case in CASES:
        if scorer not in case["released"]:
            continue
        form = read_record(1, record({key: value for key, value in case.items() if key != "released"}))
        found = released_by(scorer, form.reference, form.prediction, form.screen, form.instruction)
        assert not isinstance(found, str), (case, found)
        assert [found.right, found.same_kind] == case["released"][scorer], (case, found)
        compared += 1
    assert compared > 130


def scored(rule: str, *records: dict[str, Any]) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, {"rule": rule}))


def test_each_scorer_counts_its_own_steps_and_says_what_it_leaves_out() -> None:
    """By hand: of these four, all right, GUI-R1 counts two, Qwen three, AgentCPM three others."""
    steps = [{"kind": "tap", "point": [5, 5]}, {"kind": "open_app", "text": "Clock"}, {"kind": "wait"},
             {"kind": "finish", "status": "complete"}]  # fmt: skip
    records = [record({"reference": one, "prediction": one}) for one in steps]
    counts = {rule: scored(rule, *records).metrics.n for rule in RELEASED}
    assert counts == {"os_atlas": 4, "qwen_vl": 3, "infigui_r1": 3, "ui_s1": 3, "agentcpm": 3, "gui_r1": 2,
                      "os_genesis": 4}  # fmt: skip
    found = scored("agentcpm", *records)
    assert (found.metrics.as_dict()["step_accuracy"], found.metrics.unscored) == (1.0, 1)
    assert found.details[1]["why"] == "AgentCPM-GUI's scorer does not count open_app steps."
    assert found.extra["by_rule"]["agentcpm"] == {"n": 3, "step_accuracy": 1.0}
    assert [*found.details[0]["rules"]] == ["smallest_box", "enlarged_box", "nearest5", "radius14", "agentcpm"]


def test_metrics_of_gui_r1_by_hand() -> None:
    """A place under a wrong kind counts, and so does one that is not answered at all, as a miss."""
    tap, press = {"kind": "tap", "point": [500, 1000]}, {"kind": "long_press", "point": [510, 1000]}
    found = scored("gui_r1", record({"reference": tap, "prediction": press}),
                   record({"reference": tap, "prediction": None}), record({"reference": {"kind": "wait"},
                                                                           "prediction": tap}))  # fmt: skip
    metrics = found.metrics.as_dict()
    assert (metrics["step_accuracy"], metrics["type_accuracy"], metrics["grounding_accuracy"]) == (0.5, 0.0, 0.5)
    assert (found.metrics.n, found.metrics.unscored, found.metrics.null) == (2, 1, 1)


@pytest.mark.parametrize(
    ("text", "other", "value"),
    [
        ("Chrome", "chrom", 1.0),  # one word each, one of them part of the other
        ("a b", "b c", 0.5),
        ("input", "no input text", 0.5),  # what the model writes for no text shares a word
        ("", "a", 0.0),
        ("[Clock]", "clock", 1.0),
    ],
)
def test_word_overlap_of_gui_r1(text: str, other: str, value: float) -> None:
    assert gui_r1_f1(text, other) == gui_r1_f1(other, text) == value


def test_infigui_measures_on_the_resized_picture() -> None:
    assert infigui_size(Size(1080, 2400)) == Size(1092, 2408)
    assert infigui_size(Size(4000, 3000)).width % 28 == 0
    assert infigui_size(Size(10, 4000)) == Size(10, 4000)  # refused by the rule: as it is


def answer(action: Any) -> Prediction:
    return Prediction("e", 0, ActionAnswer(action))


def test_steps_of_an_evaluation_are_scored_as_records_are() -> None:
    at = Point(500, 1000, SIZE)
    target = Target(Box(400, 980, 600, 1020, SIZE))
    step = Step(0, NO_TREE, Tap(at, target))
    score = SCORER.score_step(step, answer(Tap(Point(618, 1000, SIZE))), {"rule": "qwen_vl"})
    assert (score.right, score.why, dict(score.parts)) == (True, "Inside a candidate box.", {"type": 1, "ground": 1})
    press = Step(0, NO_TREE, LongPress(at))
    assert SCORER.score_step(press, answer(Tap(at)), {"rule": "agentcpm"}).right
    assert not SCORER.score_step(press, answer(LongPress(at)), {"rule": "agentcpm"}).right
    opened = Step(0, NO_TREE, OpenApp("Clock"))
    left_out = SCORER.score_step(opened, answer(OpenApp("Clock")), {"rule": "agentcpm"})
    assert (left_out.value, left_out.why) == (None, "AgentCPM-GUI's scorer does not count open_app steps.")
    typed = Step(0, NO_TREE, Type("hello world"))
    assert SCORER.score_step(typed, answer(Type("Hello there")), {"rule": "os_atlas"}).right
    assert not SCORER.score_step(typed, answer(Type("Hello there")), {"rule": "radius14"}).right
    scroll = Step(0, NO_TREE, Scroll(Direction.DOWN))
    assert SCORER.score_step(scroll, answer(Scroll(Direction.LEFT)), {"rule": "ui_s1"}).right
    done = Step(0, NO_TREE, Finish(FinishStatus.COMPLETE))
    assert SCORER.score_step(done, answer(Wait()), {"rule": "agentcpm"}).right


@pytest.mark.parametrize("scorer", RELEASED)
def test_the_region_is_where_taps_are_right(scorer: str) -> None:
    at, target = Point(500, 1000, SIZE), Target(Box(400, 980, 600, 1020, SIZE))
    step = Step(0, NO_TREE, Tap(at, target))
    region = SCORER.region(step, {"rule": scorer})
    assert region is not None
    for x in range(5, 1000, 45):
        for y in range(5, 2000, 45):
            point = Point(x, y, SIZE)
            right = SCORER.score_step(step, answer(Tap(point)), {"rule": scorer}).right
            assert right == any(shape.contains(point) for shape in region.shapes), (scorer, point)


def test_os_atlas_s_region_lies_around_the_whole_thousandth() -> None:
    """On a screen of 1000 × 2000 (500.4, 1000.9) is (500, 500) in thousandths, so (500, 1000) in pixels. A tap at 360.2
    is at 360, 140 away, which is right; around 500.4 it would have been 140.2 pixels away."""
    step = Step(0, NO_TREE, Tap(Point(500.4, 1000.9, SIZE)))
    region = SCORER.region(step, {"rule": "os_atlas"})
    assert region is not None and region.shapes == (Ellipse(Point(500, 1000, SIZE), 140, 280),)
    tap = Point(360.2, 1000, SIZE)
    assert SCORER.score_step(step, answer(Tap(tap)), {"rule": "os_atlas"}).right and region.contains(tap)


def test_limits_and_kinds_are_the_published_ones() -> None:
    assert round(GENESIS_LIMIT, 1) == 368.5
    assert "open_app" not in COUNTED["agentcpm"] and not {"wait", "press_key"} & COUNTED["gui_r1"]


def test_what_gui_r1_prints_leaves_out_kinds_of_which_nothing_is_right() -> None:
    """By hand: of two taps one is right, both texts are wrong: a half of the taps, and of all four a quarter."""
    tap, far, text = (
        {"kind": "tap", "point": [5, 5]},
        {"kind": "tap", "point": [900, 2000]},
        {"kind": "type", "text": "a b"},
    )
    pairs = [(tap, tap), (tap, far), (text, {"kind": "type", "text": "c d"}), (text, None)]
    found = scored("gui_r1", *(record({"reference": one, "prediction": other}) for one, other in pairs))
    assert found.extra["by_rule"]["gui_r1"] == {"n": 4, "step_accuracy": 0.25, "all_step": 0.5, "all_gr": 0.5}
    nothing = scored("gui_r1", record({"reference": tap, "prediction": far}))
    assert nothing.extra["by_rule"]["gui_r1"] == {"n": 1, "step_accuracy": 0.0, "all_step": None, "all_gr": None}
