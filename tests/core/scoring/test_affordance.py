"""`affordance`: counts and metrics by hand, average precision as scikit-learn has it, records and items alike."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.affordance import (
    KINDS,
    Affordance,
    AffordanceAnswer,
    ElementAffordance,
    affordance_from_json,
    affordance_to_json,
    certain,
)
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.errors import UserError
from stepscope.core.scoring.affordance import AffordanceScorer
from stepscope.core.scoring.affordance_match import AllowedActions, average_precision, screen_f1, screen_parts
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem

TAP, LONG, TYPE, SCROLL, CHECK = KINDS
SCORER = AffordanceScorer()

FIRST = {
    "episode": "a", "step": 0, "done": [0, "tap"],
    "reference": {"0": ["tap"], "1": ["tap", "long_press"], "2": [], "3": ["scroll"]},
    "prediction": {"0": {"tap": 0.9}, "1": {"tap": 0.4, "long_press": 0.7}, "2": {"tap": 0.6}, "3": {"scroll": 0.8}},
}  # fmt: skip
SECOND = {
    "episode": "a", "step": 1, "done": [1, "type"],
    "reference": {"0": ["tap"], "1": ["tap", "type"]},
    "prediction": {"0": ["tap"], "1": ["tap", "type"]},
}  # fmt: skip
SILENT = {"episode": "b", "step": 0, "reference": {"0": ["tap"], "1": []}, "prediction": None, "told": ["tap"]}


def score(*records: dict[str, Any], **how: Any) -> Any:
    return score_records(SCORER, Records.of(records), {}, **how)


def test_the_example_of_the_page() -> None:
    """docs/protocols/affordance.md: tap right 3, missing 2, extra 2; long press, type and scroll 1 of 1; no check."""
    found = score(FIRST, SECOND, SILENT, {**SILENT, "step": 1, "reference": None})
    values = found.metrics.as_dict()
    assert (values["tap_precision"], values["tap_recall"]) == (3 / 5, 3 / 5)
    assert values["tap_f1"] == pytest.approx(6 / 10)
    assert values["long_press_f1"] == values["type_f1"] == values["scroll_f1"] == 1.0
    assert values["macro_f1"] == pytest.approx((0.6 + 1 + 1 + 1) / 4), "check does not occur"
    assert values["check_f1"] is values["check_precision"] is values["check_ap"] is None
    assert values["micro_f1"] == pytest.approx(12 / 16)
    assert (values["micro_precision"], values["micro_recall"]) == (6 / 8, 6 / 8)
    # ranked for tap: 0.9 right, 0.6 wrong, 0.4 right (2 of 3): (1 + 2/3) / 2; then 1; then behind all: 1/2
    assert values["tap_ap"] == pytest.approx(((1 + 2 / 3) / 2 + 1 + 1 / 2) / 3)
    assert values["screen_accuracy"] == pytest.approx(1 / 3) and values["done_recall"] == 1.0
    assert (found.metrics.n, found.metrics.unscored, found.metrics.null, found.metrics.malformed) == (3, 1, 1, 1)
    assert found.extra == {"elements": 8}
    assert dict(found.metrics.counts)["tap_recall"] == 5 and dict(found.metrics.counts)["tap_ap"] == 3
    assert [one["score"] for one in found.details] == [pytest.approx(6 / 8), 1.0, 0.0, None]
    assert found.details[0]["why"] == "4 elements: 1 tap missed, 1 tap too many."
    assert found.details[1]["why"] == "2 elements: all right."


def test_what_is_not_said_of_an_element_is_wrong_in_every_kind() -> None:
    known = AllowedActions({0: (TAP,), 1: ()}, (TAP, CHECK))
    assert screen_parts(known, {}) == {
        "elements": 2.0,
        "right_tap": 0.0, "missing_tap": 1.0, "extra_tap": 1.0, "ap_tap": 0.5,
        "right_check": 0.0, "missing_check": 0.0, "extra_check": 2.0,
    }  # fmt: skip
    said = {0: certain(0, (TAP,)).scores, 1: certain(1, ()).scores, 9: certain(9, (TAP,)).scores}
    parts = screen_parts(known, said)
    assert screen_f1(parts) == 1.0, "what is said of others does not count"
    assert screen_f1(screen_parts(AllowedActions({0: ()}), {0: certain(0, ()).scores})) == 1.0


def test_kinds_that_are_not_told_are_left_out() -> None:
    known = AllowedActions({0: (TAP,)}, (TAP,))
    assert screen_f1(screen_parts(known, {0: certain(0, KINDS).scores})) == 1.0


@pytest.mark.needs("sklearn")
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=30))
def test_average_precision_is_that_of_scikit_learn(rows: list[tuple[bool, int]]) -> None:
    from sklearn.metrics import average_precision_score

    truth, scores = np.array([one for one, _ in rows]), np.array([one / 4 for _, one in rows])
    truth[0] = True
    assert average_precision(truth, scores) == pytest.approx(average_precision_score(truth, scores), abs=1e-12)


@pytest.mark.needs("sklearn")
@given(st.lists(st.tuples(st.sets(st.sampled_from(KINDS)), st.sets(st.sampled_from(KINDS))), min_size=1, max_size=12))
def test_f1_is_that_of_scikit_learn(rows: list[tuple[set[Affordance], set[Affordance]]]) -> None:
    from sklearn.metrics import f1_score

    record = {
        "episode": "e", "step": 0,
        "reference": {str(n): sorted(one) for n, (one, _) in enumerate(rows)},
        "prediction": {str(n): sorted(one) for n, (_, one) in enumerate(rows)},
    }  # fmt: skip
    truth, said = (np.array([[kind in row[side] for kind in KINDS] for row in rows], int) for side in (0, 1))
    values = score(record).metrics.as_dict()
    if truth.any() or said.any():
        assert values["micro_f1"] == pytest.approx(f1_score(truth, said, average="micro", zero_division=0))
    occurs = truth.any(axis=0)
    by_kind = f1_score(truth, said, average=None, zero_division=0)
    assert values["macro_f1"] == (pytest.approx(by_kind[occurs].mean()) if occurs.any() else None)


def test_records_and_items_give_the_same_numbers_and_episodes_are_drawn_whole() -> None:
    items = []
    for record in (FIRST, SECOND, SILENT):
        allowed = {int(key): tuple(map(Affordance, kinds)) for key, kinds in record["reference"].items()}
        told = tuple(map(Affordance, record.get("told", KINDS)))
        done = record.get("done")
        known = AllowedActions(allowed, told, None if done is None else (done[0], Affordance(done[1])))
        answer = None if record["prediction"] is None else affordance_from_json(record["prediction"])
        status = PredictionStatus.OK if answer else PredictionStatus.EMPTY
        prediction = Prediction(record["episode"], record["step"], answer, status)
        items.append(ScoredItem(record["episode"], record["step"], SCORER.score_item(known, prediction, {})))
    of_records = score(FIRST, SECOND, SILENT, bootstrap=200)
    of_items = step_metrics(SCORER, items, {}, bootstrap=200)
    assert of_items.values == of_records.metrics.values
    assert of_items.intervals == of_records.metrics.intervals
    # of two episodes a draw has the silent one alone a quarter of the time: F1 of taps 0 to 6/7
    assert dict(of_items.intervals)["tap_f1"] == (0.0, pytest.approx(6 / 8))
    assert (of_items.null, of_items.malformed) == (1, 1)


def test_what_cannot_be_compared_is_unscored() -> None:
    said = Prediction("a", 0, AffordanceAnswer(()))
    found = SCORER.score_item(AllowedActions({}, why="The screen has no UI tree."), said, {})
    assert found.value is None and found.why == "The screen has no UI tree."
    told_of_none = score({**FIRST, "told": []})
    assert told_of_none.metrics.unscored == 1 and set(told_of_none.metrics.as_dict().values()) == {None}


def test_what_is_beyond_the_most_is_told() -> None:
    known = AllowedActions({0: (TAP,)}, left_out=4_700)
    found = SCORER.score_item(known, Prediction("a", 0, AffordanceAnswer((certain(0, (TAP,)),))), {})
    assert found.why == "1 element: all right. Only the first 1 of 4,701 elements are looked at."


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reference": ["tap"]}, "reference is no answer"),
        ({"reference": {"a": []}}, "'a' is no index"),
        ({"reference": {"01": []}}, "'01' is no index"),
        ({"prediction": {"0": ["fly"]}}, "'fly' is none of tap"),
        ({"prediction": {"0": {"tap": 1.5}}}, "affordance.0.tap must be a number from 0 to 1"),
        ({"prediction": {"0": {"tap": True}}}, "affordance.0.tap must be a number"),
        ({"prediction": {"0": "tap"}}, "must be a list of kinds"),
        ({"told": "tap"}, "told must be a list"),
        ({"done": [0]}, "done must be"),
        ({"step": "0"}, "step must be a whole number"),
    ],
)
def test_bad_fields_are_named_with_their_line(change: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as caught:
        score(FIRST, {**FIRST, **change})
    assert words in caught.value.message and caught.value.record == "2"


@given(st.lists(st.tuples(*[st.floats(0, 1)] * 5), max_size=6))
def test_an_answer_is_written_and_read_again(rows: list[tuple[float, ...]]) -> None:
    answer = AffordanceAnswer(tuple(ElementAffordance(place, scores) for place, scores in enumerate(rows)))
    assert affordance_from_json(affordance_to_json(answer)) == answer
