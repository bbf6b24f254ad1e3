"""`aitz` on records and as a judge of steps, against hand-worked numbers and an obvious implementation."""

import io
import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.scoring.aitz import AitzScorer
from stepscope.core.scoring.aitz_match import text_ratio
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import result_json, score_records

SCORER = AitzScorer()


def click(x: float, y: float) -> dict[str, Any]:
    return {"kind": "click", "point": [x, y]}


def boxed(*edges: float) -> dict[str, Any]:
    return {"kind": "click", "box": list(edges)}


def typed(text: Any) -> dict[str, Any]:
    return {"kind": "type", "text": text}


def record(reference: Any, prediction: Any, boxes: Any = (), episode: Any = "e", step: int = 0) -> dict[str, Any]:
    return {"episode": episode, "step": step, "reference": reference, "prediction": prediction, "boxes": list(boxes)}


def score(*records: dict[str, Any], **how: Any) -> Any:
    return score_records(SCORER, Records.of(records), {}, **how)


def judged(reference: Any, prediction: Any, boxes: Any = ()) -> tuple[float, str]:
    detail = score(record(reference, prediction, boxes)).details[0]
    return detail["score"], detail["why"]


# --- by hand --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "boxes", "value", "why"),
    [
        # 100 wide, enlarged by 10 on either side: 390..510 holds 500.
        (boxed(400, 400, 500, 600), [], 1, "The enlarged box holds the reference point."),
        (boxed(390, 400, 490, 600), [], 1, "The enlarged box holds the reference point."),  # up to 500, edge included
        (boxed(389, 400, 489, 600), [], 0, "The enlarged box misses the reference point; it overlaps by 0 with a UI "
         "box there, needed: more than 0.5."),
        # UI box enlarged 380..500, prediction enlarged 370..490, both 440..560 high: 110·120 of 130·120.
        (boxed(380, 450, 480, 550), [[390, 450, 490, 550]], 1, "The enlarged box misses the reference point; it "
         "overlaps by 0.85 with a UI box there, needed: more than 0.5."),
        # Prediction enlarged 340..460: 80·120 of 160·120 is exactly one half.
        (boxed(350, 450, 450, 550), [[390, 450, 490, 550]], 0, "The enlarged box misses the reference point; it "
         "overlaps by 0.5 with a UI box there, needed: more than 0.5."),
        # The same overlap with a box that does not hold the reference is worth nothing.
        (boxed(380, 450, 480, 550), [[380, 450, 480, 550]], 0, "The enlarged box misses the reference point; it "
         "overlaps by 0 with a UI box there, needed: more than 0.5."),
        (click(500, 360), [], 1, "0.14 away, limit 0.14. Not inside a shared box."),
        (click(500, 359), [], 0, "0.141 away, limit 0.14. No shared box."),
        (click(300, 500), [[290, 490, 510, 510]], 1, "0.2 away, limit 0.14, but inside a shared box."),
        (click(510, 500), [[290, 490, 510, 510]], 1, "0.01 away, limit 0.14. Inside a shared box too."),
        ({"kind": "click"}, [], 0, "The prediction names no place."),
        ({"kind": "click", "point": None, "box": None}, [], 0, "The prediction names no place."),
        ({"kind": "click", "point": [500, 500], "box": [0, 0, 1, 1]}, [], 0, "The enlarged box misses the reference "
         "point; it overlaps by 0 with a UI box there, needed: more than 0.5."),
        ({"kind": "stop"}, [], 0, "Kind differs: stop, reference click."),
    ],
)  # fmt: skip
def test_clicks(prediction: Any, boxes: Any, value: float, why: str) -> None:
    assert judged(click(500, 500), prediction, boxes) == (value, why)


@pytest.mark.parametrize(
    ("text", "value", "why"),
    [
        ("weather", 1, "Texts 1 alike, needed: more than 0.8."),
        ("weather in Rome", 1, "Texts 0.64 alike, needed: more than 0.8, but one is part of the other."),
        ("", 1, "Texts 0 alike, needed: more than 0.8, but one is part of the other."),
        ("father", 0, "Texts 0.77 alike, needed: more than 0.8."),  # 5 letters in common: 2·5/13
        ("whether", 1, "Texts 0.86 alike, needed: more than 0.8."),  # 6 letters in common: 2·6/14
        ("wheather", 1, "Texts 0.93 alike, needed: more than 0.8."),
        ("WEATHER", 0, "Texts 0 alike, needed: more than 0.8."),
        (None, 0, "Texts 0 alike, needed: more than 0.8."),
    ],
)
def test_texts(text: str | None, value: float, why: str) -> None:
    assert judged(typed("weather"), typed(text)) == (value, why)


def test_levenshtein_ratio_by_hand() -> None:
    """1 − (insertions + deletions) / (both lengths): kitten → sitting takes 5 of 13; ab → ba 2 of 4."""
    assert text_ratio("kitten", "sitting") == pytest.approx(8 / 13)
    assert text_ratio("ab", "ba") == 0.5
    assert text_ratio("abcde", "abcdx") == 0.8  # not above the limit
    assert judged(typed("abcde"), typed("abcdx"))[0] == 0
    assert text_ratio("", "") == 1 and text_ratio("", "a") == 0
    assert text_ratio("naïve", "nai\u0308ve") == pytest.approx(8 / 11)


@pytest.mark.parametrize(
    ("reference", "prediction", "value"),
    [
        ({"kind": "scroll", "direction": "up"}, {"kind": "scroll", "direction": "up"}, 1),
        ({"kind": "scroll", "direction": "up"}, {"kind": "scroll", "direction": "down"}, 0),
        ({"kind": "scroll", "direction": "up"}, {"kind": "scroll"}, 0),
        ({"kind": "press", "key": "back"}, {"kind": "press", "key": " Back"}, 1),
        ({"kind": "press", "key": "back"}, {"kind": "press", "key": "home"}, 0),
        ({"kind": "stop"}, {"kind": "stop"}, 1),
        ({"kind": "open_app"}, {"kind": "open_app"}, 1),
        ({"kind": "stop"}, {"kind": "wait"}, 0),
    ],
)
def test_other_kinds(reference: Any, prediction: Any, value: float) -> None:
    assert judged(reference, prediction)[0] == value


STOP, UP = {"kind": "stop"}, {"kind": "scroll", "direction": "up"}


def test_the_worked_example_of_the_page() -> None:
    """Episode a: right, right, wrong, right, out of order; b: all right; c: null; d: no reference."""
    found = score(
        record(UP, UP, episode="a", step=1), record(click(500, 500), click(505, 500), episode="a", step=0),
        record(STOP, UP, episode="a", step=2), record(STOP, STOP, episode="a", step=3),
        record(typed("x"), typed("xy"), episode="b"), record(STOP, None, episode="c"), record(None, None, episode="d"),
    )  # fmt: skip
    form = result_json(SCORER.info, {}, found)
    assert form["metrics"] == pytest.approx(
        {"step_accuracy": 4 / 6, "type_accuracy": 4 / 6, "goal_progress": (2 / 4 + 1 + 0) / 3, "complete_match": 1 / 3}
    )
    assert (form["n"], form["unscored"], form["malformed"], form["null"]) == (6, 1, 1, 1)
    assert form["by_kind"] == {
        "click": {"n": 1, "type_accuracy": 1.0, "step_accuracy": 1.0},
        "type": {"n": 1, "type_accuracy": 1.0, "step_accuracy": 1.0},
        "scroll": {"n": 1, "type_accuracy": 1.0, "step_accuracy": 1.0},
        "press": {"n": 0, "type_accuracy": None, "step_accuracy": None},
        "stop": {"n": 3, "type_accuracy": 1 / 3, "step_accuracy": 1 / 3},
    }
    assert found.metrics.n_of("goal_progress") == 3
    json.dumps(form, allow_nan=False)
    assert [row["why"] for row in found.details[5:]] == ["No usable prediction.", "No reference action."]
    assert [(row["malformed"], row["null"], row["status"]) for row in found.details[5:]] == [
        (True, True, "scored"), (False, False, "unscored"),
    ]  # fmt: skip


# --- the obvious implementation -------------------------------------------------------------------------------------


def grown(box: Sequence[float]) -> tuple[float, ...]:
    left, top, right, bottom = box
    x, y, width, height = (left + right) / 2, (top + bottom) / 2, (right - left) * 1.2, (bottom - top) * 1.2
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def holds(box: Sequence[float], point: Sequence[float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def overlap(a: Sequence[float], b: Sequence[float]) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    common = max(width, 0) * max(height, 0)
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common
    return common / union if union > 0 else 0


def longest_common(a: str, b: str) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for letter in a:
        before = row[:]
        for place, other in enumerate(b, start=1):
            row[place] = before[place - 1] + 1 if letter == other else max(before[place], row[place - 1])
    return row[-1]


def obvious(reference: Any, prediction: Any, boxes: Any) -> bool:
    if prediction is None or reference["kind"] != prediction["kind"]:
        return False
    kind = reference["kind"]
    if kind == "click":
        wanted = reference["point"]
        around = [grown(box) for box in boxes if holds(grown(box), wanted)]
        if prediction.get("box") is not None:
            box = grown(prediction["box"])
            return holds(box, wanted) or any(overlap(box, other) > 0.5 for other in around)
        if prediction.get("point") is None:
            return False
        x, y = prediction["point"]
        near = (((x - wanted[0]) / 1000) ** 2 + ((y - wanted[1]) / 1000) ** 2) ** 0.5 <= 0.14
        return near or any(holds(other, (x, y)) for other in around)
    if kind == "type":
        a, b = prediction["text"], reference["text"]
        if a is None:
            return False
        total = len(a) + len(b)
        alike = 1 - (total - 2 * longest_common(a, b)) / total if total else 1
        return a in b or b in a or alike > 0.8
    name = {"scroll": "direction", "press": "key"}.get(kind)
    return name is None or prediction[name] == reference[name]


edge = st.one_of(st.integers(0, 20).map(lambda k: 50.0 * k), st.floats(-50, 1050))
box = st.tuples(edge, edge, edge, edge).map(
    lambda e: [min(e[0], e[2]), min(e[1], e[3]), max(e[0], e[2]), max(e[1], e[3])]
)
place = st.tuples(edge, edge).map(list)
words = st.one_of(st.text("abc", max_size=8), st.text(max_size=6))
bare = st.one_of(
    words.map(typed),
    st.sampled_from(["up", "down", "left", "right"]).map(lambda way: {"kind": "scroll", "direction": way}),
    st.sampled_from(["back", "home", "enter"]).map(lambda key: {"kind": "press", "key": key}),
    st.sampled_from([STOP, {"kind": "wait"}]),
)
pointed = place.map(lambda xy: click(*xy))
reference = st.one_of(pointed, pointed, bare)
prediction = st.one_of(
    pointed, box.map(lambda e: boxed(*e)), box.map(lambda e: boxed(*e)), bare, st.none(), st.just({"kind": "click"}),
    st.just(typed(None)),
)  # fmt: skip
step = st.builds(
    record, st.one_of(reference, reference, reference, st.none()), prediction, st.lists(box, max_size=5),
    st.sampled_from(["a", "b", 1, "1"]), st.integers(0, 3),
)  # fmt: skip


@settings(max_examples=settings().max_examples * 4, deadline=None)
@given(st.lists(step, max_size=12))
def test_records_like_the_obvious_implementation(records: list[Any]) -> None:
    found = score(*records)
    verdicts = [
        None if r["reference"] is None else obvious(r["reference"], r["prediction"], r["boxes"]) for r in records
    ]
    assert [row["score"] for row in found.details] == [None if v is None else float(v) for v in verdicts]
    episodes: dict[Any, list[tuple[int, bool]]] = {}
    for each, verdict in zip(records, verdicts, strict=True):
        if verdict is not None:
            episodes.setdefault(each["episode"], []).append((each["step"], verdict))
    progress = []
    for steps in episodes.values():
        right = [verdict for _, verdict in sorted(steps, key=lambda pair: pair[0])]
        progress.append((right.index(False) if False in right else len(right)) / len(right))
    scored = [verdict for verdict in verdicts if verdict is not None]
    kinds = [
        r["prediction"] is not None and r["prediction"]["kind"] == r["reference"]["kind"]
        for r in records if r["reference"] is not None
    ]  # fmt: skip

    def mean(values: Sequence[float]) -> Any:
        return pytest.approx(sum(values) / len(values)) if values else None

    assert found.metrics.as_dict() == {
        "step_accuracy": mean(scored), "type_accuracy": mean(kinds), "goal_progress": mean(progress),
        "complete_match": mean([share == 1 for share in progress]),
    }  # fmt: skip
    assert found.metrics.null == sum(r["prediction"] is None and r["reference"] is not None for r in records)


@given(words, words)
def test_ratio_is_never_below_that_of_matching_blocks(text: str, other: str) -> None:
    """difflib finds some common subsequence, Levenshtein's ratio the longest."""
    assert text_ratio(text, other) >= SequenceMatcher(None, text, other, autojunk=False).ratio() - 1e-12


def test_numbers_and_letters_beyond_all_bounds_are_judged_without_a_warning() -> None:
    huge = [-1e308, -1e308, 1e308, 1e308]
    assert judged(click(1e308, 0), boxed(*huge), [huge])[0] in (0, 1)
    assert judged(click(1e308, 0), click(-1e308, 0), [huge])[0] in (0, 1)
    assert judged(typed("\ud800a"), typed("\ud800b"))[0] == 0


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reference": {"kind": "clik", "point": [1, 1]}}, "reference.kind must be click or"),
        ({"reference": {"kind": "click"}}, "reference.point must be a list of 2"),
        ({"reference": {"kind": "click", "point": [1, True]}}, "reference.point must be a list of 2"),
        ({"reference": {"kind": "type"}}, "reference.text must be text"),
        ({"reference": {"kind": "scroll", "direction": "north"}}, "reference.direction must be up"),
        ({"reference": []}, "reference must be an object"),
        ({"prediction": {"kind": "press", "key": 4}}, "prediction.key must be text"),
        ({"prediction": {"kind": "click", "box": [5, 0, 1, 9]}}, "prediction.box must be [left, top, right, bottom]"),
        ({"prediction": {"kind": "click", "box": [0, 0, 1]}}, "prediction.box must be a list of 4"),
        ({"boxes": [[0, 0, 1, 1], [0, 3, 1, 2]]}, "boxes[1] must be [left, top, right, bottom]"),
        ({"boxes": [[0, 0, 1, 1], [0, 3, 1, None]]}, "boxes[1] must be a list of 4"),
        ({"boxes": [0, 0, 1, 1]}, "boxes[0] must be a list of 4"),
        ({"boxes": {}}, "boxes must be a list"),
        ({"boxes": [[0, 0, 1, 10**400]]}, "boxes[0] must be a list of 4"),
        ({"step": "0"}, "step must be a whole number"),
        ({"episode": None}, "episode must be text"),
    ],
)
def test_a_bad_field_is_named(change: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as caught:
        score(record(STOP, STOP), {**record(STOP, STOP), **change})
    assert words in caught.value.message and caught.value.record == "2"


@pytest.mark.parametrize("field", ["episode", "step", "reference", "prediction"])
def test_a_missing_field_is_not_null(field: str) -> None:
    short = {name: value for name, value in record(STOP, STOP).items() if name != field}
    with pytest.raises(UserError, match=f"{field} is missing"):
        score(short)
    data = json.dumps(short) + "\n" + json.dumps(record(STOP, STOP))
    kept = score_records(SCORER, Records.from_stream(io.BytesIO(data.encode()), skip_bad=True), {})
    assert (kept.metrics.n, kept.metrics.errors) == (1, 1)


def test_boxes_may_be_null_or_absent() -> None:
    for boxes in ({"boxes": None}, {}):
        bare = {name: value for name, value in record(STOP, STOP).items() if name != "boxes"}
        assert score({**bare, **boxes}).metrics.n == 1
