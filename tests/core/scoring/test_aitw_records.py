"""`stepscope score aitw`: the rule on records, against hand-worked numbers and an obvious implementation."""

import json
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.scoring.aitw import AitwScorer
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import result_json, score_records

SCORER = AitwScorer()


def point(y: float, x: float) -> dict[str, Any]:
    return {"type": 4, "touch": [y, x], "lift": [y, x]}


def drag(*places: float) -> dict[str, Any]:
    return {"type": 4, "touch": list(places[:2]), "lift": list(places[2:])}


def other(kind: int, text: str = "") -> dict[str, Any]:
    return {"type": kind, "text": text}


def record(reference: Any, prediction: Any, boxes: Any = (), episode: str = "e", step: int = 0) -> dict[str, Any]:
    return {"episode": episode, "step": step, "reference": reference, "prediction": prediction, "boxes": list(boxes)}


def score(*records: dict[str, Any], bootstrap: int = 0, **options: str) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, options), bootstrap=bootstrap)


def is_right(reference: Any, prediction: Any, boxes: Any = (), **options: str) -> bool:
    return score(record(reference, prediction, boxes), **options).metrics.as_dict()["step_accuracy"] == 1.0


# --- the obvious implementation -------------------------------------------------------------------------------------


def obvious(reference: Any, prediction: Any, boxes: Any, text: str, direction: str) -> bool:
    if prediction is None:
        return False
    if reference["type"] != 4 or prediction["type"] != 4:
        same = reference["type"] == prediction["type"]
        return same and (text == "ignore" or reference["text"] == prediction["text"])
    (ry, rx), (rv, ru) = reference["touch"], reference["lift"]
    (py, px), (pv, pu) = prediction["touch"], prediction["lift"]
    tap_r = math.sqrt((rv - ry) ** 2 + (ru - rx) ** 2) <= 0.04
    tap_p = math.sqrt((pv - py) ** 2 + (pu - px) ** 2) <= 0.04
    if tap_r != tap_p:
        return False
    if not tap_r:
        axis_r = "y" if abs(rv - ry) >= abs(ru - rx) else "x"
        axis_p = "y" if abs(pv - py) >= abs(pu - px) else "x"
        if axis_r != axis_p:
            return False
        gone_r, gone_p = (rv - ry, pv - py) if axis_r == "y" else (ru - rx, pu - px)
        return direction == "axis" or (gone_r > 0) == (gone_p > 0)
    if math.sqrt((py - ry) ** 2 + (px - rx) ** 2) <= 0.14:
        return True
    for y, x, h, w in boxes:
        top, left = max(0, y - 0.7 * h), max(0, x - 0.7 * w)
        bottom, right = top + min(1, 2.4 * h), left + min(1, 2.4 * w)
        if all(top <= a <= bottom and left <= b <= right for a, b in ((ry, rx), (py, px))):
            return True
    return False


# Places on a grid of 0.02 meet both limits and box edges exactly, and often.
fraction = st.one_of(st.integers(-2, 52).map(lambda k: k / 50), st.floats(0, 1))
place = st.tuples(fraction, fraction).map(list)
extent = st.one_of(st.integers(-5, 20).map(lambda k: k / 50), st.floats(0, 0.5))
box = st.tuples(fraction, fraction, extent, extent).map(list)


@st.composite
def action(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from([4, 4, 4, 4, 3, 5, 10]))
    if kind != 4:
        return {"type": kind, "text": draw(st.sampled_from(["", "a", "A"]))}
    touch = draw(place)
    lift = touch if draw(st.booleans()) else draw(place)
    return {"type": 4, "touch": touch, "lift": lift}


@st.composite
def rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    return [
        record(
            draw(st.none() | action()),
            draw(st.none() | action()),
            draw(st.lists(box, max_size=4)),
            draw(st.sampled_from("abc")),
        )
        for _ in range(draw(st.integers(0, 12)))
    ]


@settings(max_examples=settings().max_examples // 2)
@given(rows(), st.sampled_from(["ignore", "exact"]), st.sampled_from(["axis", "exact"]))
def test_agrees_with_the_obvious_implementation(records: list[Any], text: str, direction: str) -> None:
    check_against_the_obvious(records, text, direction)


class Dice:
    """Random records, half of their numbers on a grid of 0.02, many of their pairs on a limit or on a box's edge."""

    def __init__(self, seed: str) -> None:
        self.seeded_random = random.Random(seed)

    def record(self) -> dict[str, Any]:
        boxes = [self.box() for _ in range(self.seeded_random.choice([0, 0, 1, 3, 20]))]
        reference, prediction = self.side(), self.side()
        if (
            reference
            and prediction
            and reference["type"] == prediction["type"] == 4
            and self.seeded_random.random() < 0.6
        ):
            prediction = self.near(reference["touch"], boxes)
        return record(reference, prediction, boxes, f"e{self.seeded_random.randrange(4000)}")

    def side(self) -> Any:
        if self.seeded_random.random() < 0.2:
            return (
                None
                if self.seeded_random.random() < 0.3
                else other(self.seeded_random.choice([3, 5, 10]), self.seeded_random.choice(["", "a"]))
            )
        y, x = self.spot(), self.spot()
        if self.seeded_random.random() < 0.3:
            return drag(
                y, x, *self.moved(y, x, 0.04) if self.seeded_random.random() < 0.5 else (self.spot(), self.spot())
            )
        return point(y, x)

    def near(self, touch: list[float], boxes: list[list[float]]) -> dict[str, Any]:
        """A tap 0.14 away as exactly as floats allow, or on an edge of an enlarged box."""
        if not boxes or self.seeded_random.random() < 0.3:
            return point(*self.moved(*touch, 0.14))
        y, x, h, w = self.seeded_random.choice(boxes)
        top, left = max(0.0, y - 0.7 * h), max(0.0, x - 0.7 * w)
        return point(
            self.seeded_random.choice([top, top + min(1.0, 2.4 * h), math.nextafter(top, -1), touch[0]]),
            self.seeded_random.choice([left, left + min(1.0, 2.4 * w), math.nextafter(left, -1), touch[1]]),
        )

    def moved(self, y: float, x: float, by: float) -> tuple[float, float]:
        by *= self.seeded_random.choice([-1, 1])
        return self.seeded_random.choice(
            [(y + by, x), (y, x + by), (y + by * 0.6, x + by * 0.8), (math.nextafter(y + by, 9), x)]
        )

    def box(self) -> list[float]:
        """Extents may be 0 or negative: the rule has an answer for these too."""
        return [self.spot(), self.spot(), self.spot(-0.1, 0.3), self.spot(-0.1, 0.5)]

    def spot(self, low: float = -0.1, high: float = 1.1) -> float:
        value = self.seeded_random.uniform(low, high)
        return round(value * 50) / 50 if self.seeded_random.random() < 0.5 else value


@pytest.mark.parametrize("text", ["ignore", "exact"])
@pytest.mark.parametrize("direction", ["axis", "exact"])
def test_agrees_on_thousands_of_records_in_one_file(text: str, direction: str) -> None:
    """More than the rule takes at once."""
    seeded_random = Dice(f"{text} {direction}")
    records = [seeded_random.record() for _ in range(20_000)]
    check_against_the_obvious(records, text, direction)


def check_against_the_obvious(records: list[Any], text: str, direction: str) -> None:
    result = score(*records, text=text, direction=direction)
    wanted = [
        None if r["reference"] is None else float(obvious(r["reference"], r["prediction"], r["boxes"], text, direction))
        for r in records
    ]
    assert [row["score"] for row in result.details] == wanted
    by_episode: dict[str, list[float]] = {}
    for r, value in zip(records, wanted, strict=True):
        if value is not None:
            by_episode.setdefault(r["episode"], []).append(value)
    shares = [sum(v) / len(v) for v in by_episode.values()]
    scored = [v for v in wanted if v is not None]
    expected = {
        "step_accuracy": sum(scored) / len(scored) if scored else None,
        "partial_match": sum(shares) / len(shares) if shares else None,
        "complete_match": sum(s == 1 for s in shares) / len(shares) if shares else None,
    }
    assert result.metrics.as_dict() == pytest.approx(expected)
    assert result.metrics.n == len(scored)
    assert result.metrics.unscored == len(records) - len(scored)


# --- hand-worked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("away", "right"), [(0.0, True), (0.084, True), (0.14, True), (0.1400001, False), (0.47, False)]
)
def test_taps_match_up_to_a_distance_of_0_14(away: float, right: bool) -> None:
    assert is_right(point(0.0, 0.0), point(away, 0.0)) is right
    assert is_right(point(0.5, 0.0), point(0.5, away)) is right


def test_a_gesture_of_0_04_is_a_tap_and_a_longer_one_a_drag() -> None:
    assert is_right(drag(0, 0, 0, 0.04), point(0, 0))
    assert not is_right(drag(0, 0, 0, 0.0401), point(0, 0))


def test_a_shared_box_is_enlarged_about_its_centre() -> None:
    # y 0.5, h 0.1: from 0.5 - 0.07 = 0.43 to 0.43 + 0.24 = 0.67; x 0.2, w 0.4: from max(0, -0.08) to 0.96.
    boxes = [[0.5, 0.2, 0.1, 0.4]]
    assert is_right(point(0.45, 0.1), point(0.66, 0.95), boxes)
    assert not is_right(point(0.42, 0.1), point(0.66, 0.95), boxes)
    assert not is_right(point(0.45, 0.1), point(0.45, 0.97), boxes)


def test_a_box_at_the_edge_is_shifted_not_cut() -> None:
    # y 0, h 0.25: the top stays 0, the height becomes 0.6 all the same.
    assert is_right(point(0.0, 0.5), point(0.6, 0.5), [[0, 0.45, 0.25, 0.1]])
    # A box as high as the screen has the height 1, not 2.4.
    assert is_right(point(0.0, 0.5), point(1.0, 0.5), [[0, 0.45, 1, 0.1]])


def test_both_touches_must_lie_in_one_same_box() -> None:
    two = [[0.0, 0.0, 0.1, 0.1], [0.8, 0.8, 0.1, 0.1]]
    assert not is_right(point(0.05, 0.05), point(0.85, 0.85), two)


@pytest.mark.parametrize(
    ("reference", "prediction", "axis", "exact"),
    [
        (drag(0.8, 0.5, 0.2, 0.5), drag(0.6, 0.1, 0.3, 0.2), True, True),
        (drag(0.8, 0.5, 0.2, 0.5), drag(0.2, 0.5, 0.8, 0.5), True, False),
        (drag(0.8, 0.5, 0.2, 0.5), drag(0.5, 0.1, 0.5, 0.9), False, False),
        (drag(0.0, 0.0, 0.5, 0.5), drag(0.1, 0.3, 0.9, 0.3), True, True),  # a tie is y
        (drag(0.0, 0.0, 0.5, 0.5), drag(0.3, 0.1, 0.3, 0.9), False, False),
    ],
)
def test_drags_match_by_their_main_axis(reference: Any, prediction: Any, axis: bool, exact: bool) -> None:
    assert is_right(reference, prediction) is axis
    assert is_right(reference, prediction, direction="exact") is exact


def test_other_types_match_by_type_and_on_wish_by_text() -> None:
    assert is_right(other(5), other(5))
    assert not is_right(other(5), other(6))
    assert not is_right(other(3, "a"), point(0, 0))
    assert is_right(other(3, "a"), other(3, "b"))
    assert not is_right(other(3, "a"), other(3, "b"), text="exact")
    assert is_right(other(3, "a"), other(3, "a"), text="exact")
    assert is_right({**point(0, 0), "text": "x"}, point(0, 0), text="exact")


def test_metrics_over_episodes_by_hand() -> None:
    good, bad = (other(5), other(5)), (other(5), other(6))
    result = score(
        record(*good, episode="a"), record(*good, episode="a"), record(*bad, episode="b"), record(*good, episode="b"),
        record(other(5), None, episode="c"), record(None, other(5), episode="c"), record(None, None, episode="d"),
        bootstrap=200,
    )  # fmt: skip
    assert result.metrics.as_dict() == pytest.approx(
        {"step_accuracy": 3 / 5, "partial_match": (1 + 0.5 + 0) / 3, "complete_match": 1 / 3}
    )
    assert (result.metrics.n, result.metrics.unscored, result.metrics.malformed) == (5, 2, 1)
    assert [row["malformed"] for row in result.details] == [False] * 4 + [True, False, False]
    for name, (low, high) in result.metrics.intervals:
        assert 0 <= low <= result.metrics.as_dict()[name] <= high <= 1


def test_nothing_scored_is_null_and_not_zero() -> None:
    result = score(record(None, other(5)), bootstrap=10)
    assert result_json(SCORER.info, parse_options(SCORER.info, {}), result, bootstrap=10) == {
        "protocol": "aitw",
        "options": {"text": "ignore", "direction": "axis"},
        "n": 0,
        "unscored": 1,
        "malformed": 0,
        "null": 0,
        "errors": 0,
        "metrics": {"step_accuracy": None, "partial_match": None, "complete_match": None},
        "ci": {"step_accuracy": None, "partial_match": None, "complete_match": None},
    }
    assert score().metrics.n == 0


def test_fields_that_may_be_absent() -> None:
    bare = {"episode": 7, "step": 0, "reference": {**point(0, 0), "text": None}, "prediction": point(0, 0)}
    nulls = {"type": 10, "touch": None, "lift": None, "text": ""}
    assert score(bare, {**bare, "boxes": None}, record(nulls, {"type": 10, "text": ""})).metrics.as_dict() == {
        "step_accuracy": 1.0,
        "partial_match": 1.0,
        "complete_match": 1.0,
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reference": {"type": 4, "touch": None, "lift": [0, 0]}}, "reference.touch"),
        ({"prediction": {"type": 4, "touch": [0, 0]}}, "prediction.lift"),
        ({"prediction": {"type": 4, "touch": [0], "lift": [0, 0]}}, "prediction.touch"),
        ({"prediction": {"type": 4, "touch": [0, True], "lift": [0, 0]}}, "prediction.touch"),
        ({"prediction": {"type": 4, "touch": [0, math.inf], "lift": [0, 0]}}, "prediction.touch"),
        ({"prediction": {"type": 4, "touch": [0, 10**400], "lift": [0, 0]}}, "prediction.touch"),
        ({"prediction": {"type": True, "text": ""}}, "prediction.type"),
        ({"prediction": {"type": 4.0, "text": ""}}, "prediction.type"),
        ({"prediction": {"type": 10**30, "text": ""}}, "prediction.type"),
        ({"prediction": {"text": ""}}, "prediction.type"),
        ({"prediction": {"type": 3}}, "prediction.text"),
        ({"prediction": {"type": 3, "text": 4}}, "prediction.text"),
        ({"prediction": {"type": 5, "text": "", "touch": "x"}}, "prediction.touch"),
        ({"prediction": [1]}, "prediction"),
        ({"reference": 3}, "reference"),
        ({"boxes": {}}, "boxes"),
        ({"boxes": [[0, 0, 1, 1], [0, 0, 1]]}, "boxes[1]"),
        ({"boxes": [[0, 0, 1, math.nan]]}, "boxes[0]"),
        ({"episode": None}, "episode"),
        ({"episode": True}, "episode"),
        ({"step": "0"}, "step"),
        ({"step": False}, "step"),
    ],
)
def test_a_bad_field_is_named_with_its_line(change: dict[str, Any], field: str) -> None:
    good = record(point(0, 0), point(0, 0))
    with pytest.raises(UserError) as caught:
        score(good, good, {**good, **change})
    assert caught.value.record == "3"
    assert caught.value.message.startswith(f"{field} ")


@pytest.mark.parametrize("field", ["episode", "step", "reference", "prediction"])
def test_a_missing_field_is_not_null(field: str) -> None:
    form = record(point(0, 0), point(0, 0))
    del form[field]
    with pytest.raises(UserError, match=f"{field} is missing"):
        score(form)


def test_details_tell_why() -> None:
    tap = point(0.5, 0.5)
    result = score(
        record(tap, point(0.584, 0.5), [[0.1, 0.1, 0.01, 0.01]]),
        record(tap, point(0.97, 0.5)),
        record(tap, point(0.8, 0.5), [[0.45, 0.4, 0.3, 0.2]]),
        record(tap, drag(0.5, 0.5, 0.9, 0.5)),
        record(other(5), tap),
        record(other(3, "a"), other(3, "b")),
        record(drag(0.5, 0.5, 0.9, 0.5), drag(0.5, 0.5, 0.5, 0.9)),
        record(tap, None),
        record(None, tap),
        record(tap, point(0.64001, 0.5)),
    )
    assert [row["why"] for row in result.details] == [
        "0.084 away, limit 0.14. Not inside a shared box.",
        "0.47 away, limit 0.14. No shared box.",
        "0.3 away, limit 0.14, but inside a shared box.",
        "One is a tap, the other a swipe.",
        "Type differs: tap, reference press_key back.",
        "Both are type.",
        "Main axis differs: horizontal, reference vertical.",
        "No usable prediction.",
        "No reference action.",
        "0.14001 away, limit 0.14. No shared box.",
    ]
    assert len(result.details[2:4]) == 2
    json.dumps(list(result.details))
