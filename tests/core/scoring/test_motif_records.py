"""`stepscope score motif`: hand-worked sequences, and an obvious implementation."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.scoring.motif import MotifScorer
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records

SCORER = MotifScorer()
NAMES = SCORER.info.metrics


def step(action: str = "click", object: int | None = None, box: Any = None, point: Any = None) -> dict[str, Any]:
    return {"action": action, "object": object, "box": box, "point": point}


def record(reference: Any, prediction: Any) -> dict[str, Any]:
    return {"id": "r", "reference": reference, "prediction": prediction}


def score(*records: dict[str, Any], bootstrap: int = 0, **options: str) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, options), bootstrap=bootstrap)


def values(reference: Any, prediction: Any, **options: str) -> list[float]:
    return list(score(record(reference, prediction), **options).metrics.as_dict().values())


def grounded(reference: dict[str, Any], prediction: dict[str, Any], **options: str) -> bool:
    return values([reference], [prediction], **options)[2] == 1.0


def test_a_sequence_by_hand() -> None:
    reference = [step("click", 3), step("type", 5), step("swipe"), step("click", 9)]
    prediction = [step("click", 4), step("click", 5), step("swipe"), step("click", 2)]
    # action: right, wrong, right, right; ground: right (1 off), right, right (neither), wrong.
    assert values(reference, prediction) == [0, 0.75, 0, 0.75, 0, 0.5]
    assert values(reference, prediction, partial="prefix") == [0, 0.25, 0, 0.75, 0, 0.25]
    assert values(reference, prediction, object_tolerance="0") == [0, 0.75, 0, 0.5, 0, 0.25]
    assert values(reference, prediction, object_tolerance="7") == [0, 0.75, 1, 1, 0, 0.75]


def test_lengths() -> None:
    one = [step("click", 1)]
    assert values(one, one) == [1] * 6
    assert values(one, one * 2) == [0, 1] * 3  # further steps cost nothing in partial
    assert values(one * 2, one) == [0, 0.5] * 3
    assert values(one * 2, []) == [0] * 6


def test_null_is_malformed_and_an_empty_list_only_wrong() -> None:
    one = [step("click", 1)]
    result = score(record(one, None), record(one, []), record(one, one), record([], None), record(None, one))
    assert (result.metrics.n, result.metrics.unscored, result.metrics.malformed) == (3, 2, 1)
    assert result.metrics.as_dict() == pytest.approx(dict.fromkeys(NAMES, 1 / 3))
    assert [row["status"] for row in result.details] == ["scored"] * 3 + ["unscored"] * 2
    assert [row["malformed"] for row in result.details] == [True, False, False, False, False]
    assert result.details[3]["both_partial"] is None


def test_nothing_scored_is_null() -> None:
    assert score().metrics.as_dict() == dict.fromkeys(NAMES)
    assert score(record([], []), bootstrap=5).metrics.intervals == ()


def test_point_in_box_edges_included() -> None:
    reference = step(box=[10, 20, 30, 40])
    for point, right in (
        ([10, 20], True),
        ([30, 40], True),
        ([20, 30], True),
        ([30.001, 30], False),
        ([20, 19], False),
    ):
        assert grounded(reference, step(point=point), grounding="point") is right


def test_boxes_must_overlap_by_more_than_a_half() -> None:
    reference = step(box=[0, 0, 10, 10])
    assert grounded(reference, step(box=[0, 0, 10, 10]), grounding="box")
    assert not grounded(reference, step(box=[0, 0, 10, 5]), grounding="box")  # exactly a half
    assert grounded(reference, step(box=[0, 0, 10, 5.01]), grounding="box")
    assert not grounded(reference, step(box=[20, 20, 30, 30]), grounding="box")
    assert not grounded(step(box=[1, 1, 1, 1]), step(box=[1, 1, 1, 1]), grounding="box")  # no area


@pytest.mark.parametrize("rule", ["object", "point", "box"])
def test_without_a_place_right_only_when_the_prediction_has_none(rule: str) -> None:
    full = step("click", 1, [0, 0, 2, 2], [1, 1])
    assert grounded(step(), step(), grounding=rule)
    assert not grounded(step(), full, grounding=rule)
    assert not grounded(full, step(), grounding=rule)
    assert grounded(full, full, grounding=rule)
    assert grounded({"action": "click"}, {"action": "click"}, grounding=rule)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": None}, "id"),
        ({"id": 1.5}, "id"),
        ({"reference": {}}, "reference"),
        ({"prediction": "x"}, "prediction"),
        ({"prediction": [None]}, "prediction[0]"),
        ({"prediction": [step(), {"object": 1}]}, "prediction[1].action"),
        ({"prediction": [step("click", True)]}, "prediction[0].object"),
        ({"prediction": [{"action": "click", "object": 1.0}]}, "prediction[0].object"),
        ({"reference": [step(box=[0, 0, 1])]}, "reference[0].box"),
        ({"reference": [step(box=[5, 0, 1, 1])]}, "reference[0].box"),
        ({"reference": [step(point=[0, float("nan")])]}, "reference[0].point"),
    ],
)
def test_a_bad_field_is_named_with_its_line(change: dict[str, Any], field: str) -> None:
    good = record([step("click", 1)], [step("click", 1)])
    with pytest.raises(UserError) as caught:
        score(good, {**good, **change})
    assert caught.value.record == "2"
    assert caught.value.message.startswith(f"{field} ")


@pytest.mark.parametrize("field", ["id", "reference", "prediction"])
def test_a_missing_field_is_not_null(field: str) -> None:
    form = record([step()], [step()])
    del form[field]
    with pytest.raises(UserError, match=f"{field} is missing"):
        score(form)


# --- the obvious implementation -------------------------------------------------------------------------------------


def obvious(reference: Any, prediction: Any, partial: str, rule: str, tolerance: int) -> list[float]:
    answered = prediction or []
    found = []
    for aspect in ("action", "ground", "both"):
        marks = []
        for r, p in zip(reference, answered, strict=False):
            action = r["action"] == p["action"]
            if rule == "object":
                have_r, have_p = r["object"] is not None, p["object"] is not None
                near = have_r and have_p and abs(r["object"] - p["object"]) <= tolerance
            elif rule == "point":
                have_r, have_p = r["box"] is not None, p["point"] is not None
                near = have_r and have_p and (
                    r["box"][0] <= p["point"][0] <= r["box"][2] and r["box"][1] <= p["point"][1] <= r["box"][3]
                )  # fmt: skip
            else:
                have_r, have_p = r["box"] is not None, p["box"] is not None
                near = have_r and have_p and overlap(r["box"], p["box"]) > 0.5
            ground = near if have_r else not have_p
            marks.append({"action": action, "ground": ground, "both": action and ground}[aspect])
        found.append(float(len(answered) == len(reference) and False not in marks))
        right = 0
        for mark in marks:
            if partial == "prefix" and not mark:
                break
            right += mark
        found.append(right / len(reference))
    return found


def overlap(a: list[int], b: list[int]) -> float:
    """By counting unit squares."""
    squares = [{(x, y) for x in range(c[0], c[2]) for y in range(c[1], c[3])} for c in (a, b)]
    union = squares[0] | squares[1]
    return len(squares[0] & squares[1]) / len(union) if union else 0.0


corner, extent = st.integers(-2, 3), st.integers(0, 3)
boxes = st.tuples(corner, corner, extent, extent).map(lambda c: [c[0], c[1], c[0] + c[2], c[1] + c[3]])
steps = st.builds(
    step,
    st.sampled_from(["click", "type"]),
    st.none() | st.integers(0, 3),
    st.none() | boxes,
    st.none() | st.tuples(corner, corner).map(list),
)


@given(
    st.lists(st.tuples(st.lists(steps, max_size=4), st.none() | st.lists(steps, max_size=4)), max_size=6),
    st.sampled_from(["position", "prefix"]),
    st.sampled_from(["object", "point", "box"]),
    st.integers(0, 2),
)
def test_agrees_with_the_obvious_implementation(pairs: Any, partial: str, rule: str, tolerance: int) -> None:
    check_against_the_obvious(pairs, partial, rule, tolerance)


@pytest.mark.parametrize("partial", ["position", "prefix"])
@pytest.mark.parametrize("rule", ["object", "point", "box"])
def test_agrees_on_thousands_of_records_in_one_file(partial: str, rule: str) -> None:
    """Small whole numbers: points on edges and corners, overlaps of exactly a half, boxes without area."""
    seeded_random = random.Random(f"{partial} {rule}")

    def one() -> dict[str, Any]:
        left, top = seeded_random.randrange(-1, 3), seeded_random.randrange(-1, 3)
        box = [left, top, left + seeded_random.randrange(3), top + seeded_random.randrange(3)]
        return step(
            seeded_random.choice(["click", "type"]),
            seeded_random.choice([None, 0, 1, 3, -1]),
            seeded_random.choice([None, box, box]),
            seeded_random.choice(
                [None, [seeded_random.randrange(-1, 5), seeded_random.randrange(-1, 5)], box[:2], box[2:]]
            ),
        )

    pairs = []
    for _ in range(3000):
        reference = [one() for _ in range(seeded_random.randrange(6))]
        prediction = [one() if seeded_random.random() < 0.4 else kept for kept in reference] + [
            one()
        ] * seeded_random.choice([0, 0, 1])
        pairs.append((reference, seeded_random.choice([None, [], prediction[1:], prediction, prediction, prediction])))
    check_against_the_obvious(pairs, partial, rule, 1)


def check_against_the_obvious(pairs: Any, partial: str, rule: str, tolerance: int) -> None:
    result = score(*(record(*pair) for pair in pairs), partial=partial, grounding=rule, object_tolerance=str(tolerance))
    wanted = [obvious(r, p, partial, rule, tolerance) for r, p in pairs if r]
    got = [[row[name] for name in NAMES] for row in result.details if row["status"] == "scored"]
    assert got == [pytest.approx(row) for row in wanted]
    for column, name in enumerate(NAMES):
        mean = sum(row[column] for row in wanted) / len(wanted) if wanted else None
        assert result.metrics.as_dict()[name] == pytest.approx(mean)
