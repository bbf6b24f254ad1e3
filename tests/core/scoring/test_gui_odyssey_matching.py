"""`gui_odyssey` against what the authors' code says of the steps in `gui_odyssey_verdicts.jsonl`, and by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import AskUser, Finish, Tap, Target
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.scoring.gui_odyssey import GuiOdysseyScorer, text_matches
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records

SCORER = GuiOdysseyScorer()
SIZE = Size(1000, 2000)
CASES = [json.loads(line) for line in Path(__file__).with_name("gui_odyssey_verdicts.jsonl").read_text().splitlines()]


def record(reference: Any, prediction: Any, episode: Any = 1, **more: Any) -> dict[str, Any]:
    return {"episode": episode, "step": 0, "size": [1000, 2000], "reference": reference, "prediction": prediction,
            **more}  # fmt: skip


def score(*records: dict[str, Any]) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, {}))


def test_verdicts_are_those_of_the_released_code() -> None:
    found = score(*(record(case["reference"], case["prediction"], candidates=case.get("candidates"))
                    for case in CASES))  # fmt: skip
    assert len(CASES) > 130
    for case, detail in zip(CASES, found.details, strict=True):
        assert [detail["score"], detail["type"]] == case["released"], (case, detail)


@pytest.mark.parametrize(
    ("reference", "prediction", "expected"),
    [
        ("abcd", "abxx", (True, 0.5)),  # two of four letters differ
        ("abcde", "abxxx", (False, 0.4)),
        ("Pizza", "pizza", (True, 0.8)),  # case counts as a letter
        (" hi", "hi there ", (True, None)),
        ("", "", (True, None)),
    ],
)
def test_texts_by_hand(reference: str, prediction: str, expected: tuple[bool, float | None]) -> None:
    right, share = text_matches(reference, prediction)
    assert (right, None if share is None else round(share, 3)) == expected


def test_averages_by_hand() -> None:
    """Episode 1 is all right, of 2 the half, of 3 nothing: AMS 3 of 5, SR 1 of 3; by category (1, 1/3) and (1, 0)."""
    tap, wait = {"kind": "tap", "point": [5, 5]}, {"kind": "wait"}
    found = score(
        record(tap, tap, 1, category="Web_Shopping"), record(wait, wait, 1, category="Web_Shopping"),
        record(tap, tap, 2, category="General_Tool"), record(tap, wait, 2, category="General_Tool"),
        record(tap, None, 3, category="General_Tool"), record(None, tap, 3, category="General_Tool"),
    )  # fmt: skip
    values = found.metrics.as_dict()
    assert (values["step_accuracy"], values["complete_match"]) == (3 / 5, 1 / 3)
    assert values["type_accuracy"] == 3 / 5
    assert found.extra["by_category"]["General_Tool"] == {"n": 3, "step_accuracy": 1 / 3, "complete_match": 0.0}
    assert found.extra["macro"] == {"step_accuracy": (1 + 1 / 3) / 2, "complete_match": 0.5}
    assert (found.metrics.n, found.metrics.unscored, found.metrics.null) == (5, 1, 1)
    assert score(record(tap, tap)).extra == {}


def test_steps_and_their_region() -> None:
    step = Step(0, Observation(SIZE), Tap(Point(500, 1000, SIZE), Target(Box(0, 0, 1000, 1100, SIZE))))
    region = SCORER.region(step, {})
    assert region is not None
    for x in range(5, 1000, 90):
        for y in range(5, 2000, 90):
            point = Point(x, y, SIZE)
            found = SCORER.score_step(step, Prediction("e", 0, ActionAnswer(Tap(point))), {})
            assert found.right == any(shape.contains(point) for shape in region.shapes), point
    assert SCORER.region(Step(0, Observation(SIZE), Finish()), {}) is None
    nothing = Prediction("e", 0, None, status=PredictionStatus.MALFORMED, why="Cut off.")
    assert SCORER.score_step(step, nothing, {}).malformed
    unplaced = Step(0, Observation(SIZE), Tap(None, Target(None, text="OK")))
    assert SCORER.score_step(unplaced, nothing, {}).value is None
    assert SCORER.score_step(Step(0, Observation(SIZE), AskUser("Which?")), nothing, {}).value == 0
