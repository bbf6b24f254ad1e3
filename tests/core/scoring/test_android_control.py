"""`android_control` on records and as a judge of steps: its four rules against hand-worked numbers and obvious ones."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.scoring.android_control import AndroidControlScorer
from stepscope.core.scoring.android_control_match import RULE_NAMES, word_f1
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import result_json, score_records

SCORER = AndroidControlScorer()
W, H = 1000, 2000


def tap(x: float, y: float, kind: str = "tap") -> dict[str, Any]:
    return {"kind": kind, "point": [x, y]}


def words(kind: str, text: str) -> dict[str, Any]:
    return {"kind": kind, "text": text}


def record(reference: Any, prediction: Any, boxes: Any = (), episode: Any = "e", **more: Any) -> dict[str, Any]:
    return {
        "episode": episode, "step": 0, "size": [W, H], "reference": reference, "prediction": prediction,
        "boxes": None if boxes is None else list(boxes), **more,
    }  # fmt: skip


def score(*records: dict[str, Any], rule: str = "smallest_box", **how: Any) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, {"rule": rule}), **how)


def verdicts(reference: Any, prediction: Any, boxes: Any = (), **more: Any) -> list[float | None]:
    """By rule, in the order of the option."""
    return list(score(record(reference, prediction, boxes, **more)).details[0]["rules"].values())


# --- by hand --------------------------------------------------------------------------------------------------------

BUTTON, ROW, WINDOW = [400, 980, 600, 1020], [0, 900, 1000, 1100], [0, 0, 1000, 2000]
TEXT = {"texts": ["Clock", None, ""]}


@pytest.mark.parametrize(
    ("point", "boxes", "expected"),
    [
        ((590, 1015), [BUTTON, ROW], [1, 1, 1, 1]),
        ((610, 1000), [BUTTON], [0, 1, 1, 1]),  # outside the box, inside it enlarged (to 620)
        ((620, 1024), [BUTTON], [0, 1, 1, 1]),  # on the corner of it
        ((621, 1000), [BUTTON], [0, 0, 0, 1]),  # 121 px: 0.0605 of the longer side, 0.121 of the screen
        ((580, 1000), [[0, 0, 10, 10]], [0, 1, 0, 1]),  # 80 px: exactly 0.04 · 2000, but 0.08 of the width
        ((540, 1000), [[0, 0, 10, 10]], [0, 1, 1, 1]),  # 0.04 of the width
        ((500, 1080), [[0, 0, 10, 10]], [0, 1, 1, 1]),  # 0.04 of the height
        ((500, 1280), [], [0, 0, 0, 1]),  # 0.14 of the height
        ((500, 1281), [], [0, 0, 0, 0]),
        ((950, 1000), [BUTTON, ROW], [0, 1, 1, 0]),  # the row holds both: a candidate, and near by its centre
        ((950, 100), [BUTTON, WINDOW], [0, 0, 1, 0]),  # a window is no candidate; nearest5 takes it by its centre
    ],
)
def test_taps_under_the_four_rules(point: tuple[float, float], boxes: Any, expected: list[float]) -> None:
    assert verdicts(tap(500, 1000), tap(*point), boxes) == expected


def test_without_any_boxes_smallest_box_has_no_verdict_on_taps() -> None:
    assert verdicts(tap(500, 1000), tap(500, 1000), None) == [None, 1, 1, 1]
    assert verdicts(tap(500, 1000), tap(500, 1000), []) == [0, 1, 1, 1]  # a tree, but no node around the point
    assert verdicts(tap(500, 1000), None, None) == [None, 0, 0, 0]
    assert verdicts({"kind": "wait"}, {"kind": "wait"}, None) == [1, 1, 1, 1]
    found = score(record(tap(1, 1), None, None), record(tap(1, 1), None))
    assert (found.metrics.n, found.metrics.unscored, found.metrics.malformed, found.metrics.null) == (1, 1, 1, 1)
    assert found.details[0]["why"] == "The data has no boxes, which this rule needs for a tap."


def test_the_data_may_name_the_candidates() -> None:
    far = [800, 0, 900, 100]
    assert verdicts(tap(500, 1000), tap(850, 50), [], candidates=[far]) == [0, 1, 0, 0]
    assert verdicts(tap(500, 1000), tap(950, 1000), [ROW], candidates=[far])[1] == 0
    assert verdicts(tap(500, 1000), tap(950, 1000), [ROW], candidates=[])[1] == 0
    assert verdicts(tap(500, 1000), tap(950, 1000), [ROW], candidates=None)[1] == 1


def test_the_smallest_box_is_the_first_of_equal_ones() -> None:
    left, right = [400, 900, 520, 1100], [480, 900, 600, 1100]
    assert verdicts(tap(500, 1000), tap(410, 1000), [left, right])[0] == 1
    assert verdicts(tap(500, 1000), tap(410, 1000), [right, left])[0] == 0
    assert verdicts(tap(500, 1000), tap(500, 1000), [[500, 1000, 500, 1000]])[0] == 1  # edges belong to a box


def test_nearest5_takes_five_by_centre_and_the_earlier_of_equals() -> None:
    """Five small boxes lie nearer to (500, 1000) by their centres than the large one that would hold the tap."""
    near = [[490 + i, 990, 510 + i, 1010] for i in range(5)]
    large = [600, 500, 800, 1500]
    assert verdicts(tap(500, 1000), tap(700, 600), [*near[:4], large])[2] == 1
    assert verdicts(tap(500, 1000), tap(700, 600), [*near, large])[2] == 0
    twin = [[250, 1000, 250, 1000], [750, 1000, 750, 1000]]  # equally far: the earlier one is the fifth
    assert verdicts(tap(500, 1000), tap(750, 1000), [*near[:4], *twin])[2] == 0
    assert verdicts(tap(500, 1000), tap(750, 1000), [*near[:4], *reversed(twin)])[2] == 1


def test_nearest5_clips_corner_and_extent_each_by_itself() -> None:
    """[0, 0, 100, 100] becomes 0..120, not -10..110; the other rules enlarge about the centre."""
    assert verdicts(tap(50, 50), tap(115, 50), [[0, 0, 100, 100]]) == [0, 1, 1, 1]  # 65 px: near for enlarged_box
    assert verdicts(tap(10, 10), tap(115, 10), [[0, 0, 100, 100]]) == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("reference", "prediction", "expected"),
    [
        ("Pizza", "Pizza", [1, 1, 1, 1]),
        ("Pizza", " pizza ", [0, 1, 1, 1]),
        ("best pizza in town", "pizza", [0, 1, 1, 0]),  # F1 = 2·1/5
        ("best pizza", "best pasta here", [0, 0, 0, 0]),  # 2·1/5
        ("a b c", "c d b", [0, 0, 0, 1]),  # 2·2/6
        ("a b", "b c", [0, 0, 0, 0]),  # exactly one half
        ("Pizza", "", [0, 1, 1, 0]),  # an empty text is part of every text
        ("", "", [1, 1, 1, 1]),
    ],
)
def test_texts_under_the_four_rules(reference: str, prediction: str, expected: list[float]) -> None:
    for kind in ("type", "open_app", "select"):
        assert verdicts(words(kind, reference), words(kind, prediction)) == expected
    assert verdicts(words("type", reference), words("open_app", prediction)) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("reference", "prediction", "value"),
    [
        ({"kind": "scroll", "direction": "down"}, {"kind": "scroll", "direction": "down"}, 1),
        ({"kind": "scroll", "direction": "down"}, {"kind": "scroll", "direction": "up"}, 0),
        ({"kind": "scroll", "direction": "down"}, {"kind": "swipe", "point": [500, 1500], "to": [500, 900]}, 1),
        ({"kind": "press_key", "key": "back"}, {"kind": "press_key", "key": "BACK"}, 1),
        ({"kind": "press_key", "key": "back"}, {"kind": "press_key", "key": "home"}, 0),
        ({"kind": "wait"}, {"kind": "finish"}, 0),
        ({"kind": "finish"}, {"kind": "finish", "status": "complete"}, 1),
        ({"kind": "finish"}, {"kind": "finish", "status": "impossible"}, 0),
        (words("ask", "Which?"), words("ask", "What?"), 1),
        (tap(5, 5), tap(5, 5, "long_press"), 0),
        (tap(5, 5, "long_press"), tap(5, 5, "long_press"), 1),
        (tap(5, 5), {"kind": "tap", "target": {"text": "OK"}}, 0),
    ],
)
def test_other_kinds_are_alike_under_all_rules(reference: Any, prediction: Any, value: float) -> None:
    assert verdicts(reference, prediction, [[0, 0, 10, 10]]) == [value] * 4


@pytest.mark.parametrize(
    ("reference", "prediction", "value"),
    [
        (words("open_app", "Clock"), tap(500, 1000), 1),
        (words("open_app", "CLOCK"), tap(500, 1000), 1),
        (words("open_app", "Clocks"), tap(500, 1000), 0),
        (words("open_app", "Clock"), tap(100, 1000), 0),  # the row, which has no words
        (tap(500, 1000), words("open_app", "clock"), 1),
        (words("open_app", ""), tap(500, 1000), 0),
        (words("open_app", "Clock"), tap(500, 1000, "long_press"), 0),
        ({"kind": "press_key", "key": "back"}, tap(50, 50), 1),
        (tap(50, 50), {"kind": "press_key", "key": "back"}, 1),
        ({"kind": "press_key", "key": "home"}, tap(50, 50), 0),
    ],
)
def test_a_tap_may_stand_for_what_its_node_names(reference: Any, prediction: Any, value: float) -> None:
    boxes = [BUTTON, ROW, WINDOW, [0, 0, 100, 100]]
    texts = ["The Clock app", None, "", "Navigate Back"]
    assert verdicts(reference, prediction, boxes, texts=texts) == [value, 0, 0, 0]
    assert verdicts(reference, prediction, boxes) == [0, 0, 0, 0]  # nobody knows the words


WAIT = {"kind": "wait"}


def test_the_worked_example_of_the_page() -> None:
    """The same five predictions under four rules: 2, 4, 4 and 5 of them are right."""
    records = [
        record(tap(500, 1000), tap(610, 1000), [BUTTON], "a"),
        record(WAIT, WAIT, [], "a"),
        record(words("type", "Pizza"), words("type", "pizza"), [], "b"),
        record(tap(500, 1000), tap(550, 1000), [BUTTON], "b"),
        record(tap(500, 1000), tap(600, 1100), [BUTTON], "c"),
    ]
    tables = {}
    for rule in RULE_NAMES:
        found = score(*records, rule=rule)
        form = result_json(SCORER.info, {"rule": rule}, found)
        tables[rule] = form["metrics"]
        assert (form["n"], form["flips"]) == (5, 3)
        assert form["by_rule"] == {
            "smallest_box": {"n": 5, "step_accuracy": 2 / 5}, "enlarged_box": {"n": 5, "step_accuracy": 4 / 5},
            "nearest5": {"n": 5, "step_accuracy": 4 / 5}, "radius14": {"n": 5, "step_accuracy": 1.0},
        }  # fmt: skip
        assert [row["flips"] for row in found.details] == [True, False, True, False, True]
        assert found.metrics.n_of("grounding_accuracy") == 3
        json.dumps(form, allow_nan=False)
        json.dumps(list(found.details), allow_nan=False)
    assert tables["smallest_box"] == pytest.approx({
        "step_accuracy": 0.4, "type_accuracy": 1, "grounding_accuracy": 1 / 3, "partial_match": 1 / 3,
        "complete_match": 0,
    })  # fmt: skip
    assert tables["enlarged_box"] == pytest.approx({
        "step_accuracy": 0.8, "type_accuracy": 1, "grounding_accuracy": 2 / 3, "partial_match": 2 / 3,
        "complete_match": 2 / 3,
    })  # fmt: skip
    assert tables["radius14"]["complete_match"] == 1


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("smallest_box", "0.11 away. Outside the smallest box around the reference."),
        ("enlarged_box", "0.055 of the longer side away, limit 0.04. Inside a candidate box."),
        ("nearest5", "0.11 away, limit 0.04. Inside one of the nearest boxes."),
        ("radius14", "0.11 away, limit 0.14."),
    ],
)
def test_taps_say_why(rule: str, why: str) -> None:
    assert score(record(tap(500, 1000), tap(610, 1000), [BUTTON]), rule=rule).details[0]["why"] == why


def test_words_say_why() -> None:
    typed = record(words("type", "a b c"), words("type", "c d b"))
    whys = [score(typed, rule=rule).details[0]["why"] for rule in RULE_NAMES]
    assert whys == [
        "Both are type, but the text differs.", "Neither text is part of the other.",
        "Neither text is part of the other.", "Words shared with F1 0.67, needed: more than 0.5 or equal texts.",
    ]  # fmt: skip
    rows = score(
        record(tap(1, 1), tap(2, 2)), record(None, tap(1, 1)), record(WAIT, None), record(WAIT, WAIT),
        record({"kind": "scroll", "direction": "down"}, {"kind": "scroll", "direction": "up"}),
        record(tap(1, 1), WAIT), record({"kind": "tap", "target": {"text": "OK"}}, tap(1, 1)),
        record(tap(5, 5), words("open_app", "Clock"), [[0, 0, 9, 9]], texts=["Clock"]),
        record(tap(5, 5), {"kind": "tap", "target": {"text": "OK"}}),
    ).details  # fmt: skip
    assert [row["why"] for row in rows] == [
        "0.0011 away. No box holds the reference point.", "No reference action.", "No usable prediction.",
        "Both are wait.", "Action differs: scroll down, reference scroll up.", "Action differs: wait, reference tap.",
        "The data names the element of the reference, but not where it is.", "The open_app stands for the tap.",
        "The prediction names no place.",
    ]  # fmt: skip
    assert [row["status"] for row in rows].count("unscored") == 2
    assert [row["type"] for row in rows] == [1, None, 0, 1, 1, 0, None, 0, 1]


def test_f1_by_hand() -> None:
    assert word_f1("the Cat sat", "THE cat") == pytest.approx(0.8)
    assert word_f1("a a a", "a") == 1
    assert word_f1("", "") == 0 and word_f1("a", " ") == 0


# --- the obvious implementation -------------------------------------------------------------------------------------


def holds(box: Sequence[float], x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def area(box: Sequence[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def grown(box: Sequence[float]) -> tuple[float, ...]:
    x, y, width, height = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, (box[2] - box[0]) * 1.2, (box[3] - box[1]) * 1.2
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def clipped(box: Sequence[float]) -> tuple[float, ...]:
    """Enlarged in fractions, corner and extent clipped each by itself."""
    x, y, width, height = box[0] / W, box[1] / H, (box[2] - box[0]) / W, (box[3] - box[1]) / H
    x, y = max(0.0, x - (1.2 - 1) * width / 2), max(0.0, y - (1.2 - 1) * height / 2)
    width, height = min(1.0, width * 1.2), min(1.0, height * 1.2)
    return x, y, x + width, y + height, x + width / 2, y + height / 2


def node_at(step: Any, point: Sequence[float]) -> int | None:
    around = [i for i, box in enumerate(step["boxes"] or []) if holds(box, *point)]
    return min(around, key=lambda i: area(step["boxes"][i])) if around else None


def obvious_tap(step: Any, rule: str) -> bool:
    (rx, ry), (px, py) = step["reference"]["point"], step["prediction"]["point"]
    away = (((px - rx) / W) ** 2 + ((py - ry) / H) ** 2) ** 0.5
    if rule == "radius14":
        return away <= 0.14
    boxes = step["boxes"] or []
    if rule == "smallest_box":
        node = node_at(step, (rx, ry))
        return node is not None and holds(boxes[node], px, py)
    if rule == "enlarged_box":
        candidates = step.get("candidates")
        if candidates is None:
            candidates = [box for box in boxes if holds(box, rx, ry) and area(box) <= 0.5 * W * H]
        near = ((px - rx) ** 2 + (py - ry) ** 2) ** 0.5 / max(W, H) <= 0.04
        return near or any(holds(grown(box), px, py) for box in candidates)
    every = [clipped(box) for box in boxes]
    every.sort(key=lambda box: ((box[4] - rx / W) ** 2 + (box[5] - ry / H) ** 2) ** 0.5)
    return away <= 0.04 or any(holds(box, px / W, py / H) for box in every[:5])


def obvious(step: Any, rule: str) -> bool | None:
    reference, prediction = step["reference"], step["prediction"]
    if reference is None or (reference["kind"] == "tap" and rule == "smallest_box" and step["boxes"] is None):
        return None
    if prediction is None:
        return False
    kinds = {reference["kind"], prediction["kind"]}
    if kinds == {"tap", "open_app"} and rule == "smallest_box" and step.get("texts"):
        tapped, named = (reference, prediction) if reference["kind"] == "tap" else (prediction, reference)
        node = node_at(step, tapped["point"])
        name = named["text"].lower()
        return bool(name.strip()) and node is not None and name in (step["texts"][node] or "").lower()
    if len(kinds) == 2:
        return False
    if "text" in reference:
        return obvious_text(reference["text"], prediction["text"], rule)
    if reference["kind"] == "tap":
        return obvious_tap(step, rule)
    return reference.get("direction") == prediction.get("direction")


def obvious_text(a: str, b: str, rule: str) -> bool:
    if rule in ("enlarged_box", "nearest5"):
        a, b = a.lower().strip(), b.lower().strip()
        return a in b or b in a
    if a == b or rule == "smallest_box":
        return a == b
    ours, theirs = set(a.lower().split()), set(b.lower().split())
    if not ours & theirs:
        return False
    precision, recall = len(ours & theirs) / len(theirs), len(ours & theirs) / len(ours)
    return 2 * precision * recall / (precision + recall) > 0.5


along, down = (st.one_of(st.integers(0, 25).map(lambda k, s=s: s * k / 25), st.floats(-9, s + 9)) for s in (W, H))
box = st.tuples(along, down, along, down).map(
    lambda e: [min(e[0], e[2]), min(e[1], e[3]), max(e[0], e[2]), max(e[1], e[3])]
)
button = st.tuples(along, down).map(lambda e: [e[0], e[1], e[0] + 120, e[1] + 80])
text = st.one_of(st.lists(st.sampled_from("aAbc"), max_size=4).map(" ".join), st.text(max_size=5))
tapped = st.tuples(along, down).map(lambda e: tap(*e))
action = st.one_of(
    tapped, tapped, tapped, text.map(lambda t: words("type", t)), text.map(lambda t: words("open_app", t)),
    st.sampled_from(["up", "down"]).map(lambda way: {"kind": "scroll", "direction": way}), st.just(WAIT),
)  # fmt: skip


@st.composite
def steps(draw: st.DrawFn) -> dict[str, Any]:
    boxes = draw(st.one_of(st.none(), st.lists(st.one_of(box, button), max_size=9)))
    reference = draw(st.one_of(st.none(), action, action, action))
    prediction = draw(st.one_of(st.none(), action, action, action))
    if reference and prediction and reference["kind"] == prediction["kind"] == "tap" and draw(st.booleans()):
        prediction = tap(*(a + draw(st.floats(-90, 90)) for a in reference["point"]))
    more: dict[str, Any] = {}
    if draw(st.booleans()):
        more["candidates"] = draw(st.lists(button, max_size=2))
    if boxes is not None and draw(st.booleans()):
        more["texts"] = draw(st.lists(st.one_of(st.none(), text), min_size=len(boxes), max_size=len(boxes)))
    return record(reference, prediction, boxes, draw(st.sampled_from(["a", "b", 1])), **more) | {"boxes": boxes}


@settings(max_examples=settings().max_examples * 3, deadline=None)
@given(st.lists(steps(), max_size=10), st.sampled_from(RULE_NAMES))
def test_records_like_the_obvious_implementation(records: list[Any], rule: str) -> None:
    found = score(*records, rule=rule)
    expected = [{name: obvious(each, name) for name in RULE_NAMES} for each in records]
    assert [row["rules"] for row in found.details] == expected
    assert [row["score"] for row in found.details] == [each[rule] for each in expected]
    flips = [len(set(each.values()) - {None}) == 2 for each in expected]
    assert found.extra["flips"] == sum(flips) and [row["flips"] for row in found.details] == flips

    def mean(values: Sequence[Any]) -> Any:
        return pytest.approx(sum(values) / len(values)) if values else None

    assert {name: row["step_accuracy"] for name, row in found.extra["by_rule"].items()} == {
        name: mean([each[name] for each in expected if each[name] is not None]) for name in RULE_NAMES
    }
    scored = [
        (each, verdict[rule]) for each, verdict in zip(records, expected, strict=True) if verdict[rule] is not None
    ]
    kinds = [(e["reference"]["kind"], e["prediction"] and e["prediction"]["kind"]) for e, _ in scored]
    episodes: dict[Any, list[Any]] = {}
    for each, verdict in scored:
        episodes.setdefault(each["episode"], []).append(verdict)
    assert found.metrics.as_dict() == {
        "step_accuracy": mean([verdict for _, verdict in scored]),
        "type_accuracy": mean([a == b for a, b in kinds]),
        "grounding_accuracy": mean([v for (_, v), pair in zip(scored, kinds, strict=True) if pair == ("tap", "tap")]),
        "partial_match": mean([sum(each) / len(each) for each in episodes.values()]),
        "complete_match": mean([all(each) for each in episodes.values()]),
    }


def test_numbers_beyond_all_bounds_are_judged_without_a_warning() -> None:
    huge = [[-1e308, -1e308, 1e308, 1e308]] * 2
    for prediction in (tap(-1e308, 0), tap(0, 1e308), words("open_app", "Clock")):
        said = verdicts(tap(1e308, 0), prediction, huge, texts=["Clock", ""], candidates=huge)
        assert {0, 1}.issuperset(said)


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": None}, "size must be a list"),
        ({"size": [1080]}, "size must be [width, height]"),
        ({"size": [0, 5]}, "size must be [width, height]"),
        ({"size": [True, 5]}, "size must be [width, height]"),
        ({"reference": {"kind": "click"}}, "reference is no action: action.kind 'click' is not one of"),
        ({"reference": {"kind": "tap"}}, "reference is no action: action.point is missing"),
        ({"prediction": {"kind": "tap", "point": [1, True]}}, "prediction is no action: action.point must be a list"),
        ({"prediction": {"kind": "scroll", "direction": []}}, "prediction is no action: action.direction must be up"),
        ({"prediction": {"kind": "type", "text": None}}, "prediction is no action: action.text must be text"),
        ({"prediction": "tap"}, "prediction must be an object"),
        ({"boxes": [[3, 0, 1, 1]]}, "boxes[0] must be [left, top, right, bottom]"),
        ({"candidates": [[0, 0, 1]]}, "candidates[0] must be a list of 4"),
        ({"boxes": [[0, 0, 1, 1]], "texts": []}, "texts must have one text a box: 0 texts, 1 boxes"),
        ({"boxes": [[0, 0, 1, 1]], "texts": [4]}, "texts[0] must be text"),
        ({"boxes": None, "texts": ["a"]}, "texts must have one text a box: 1 texts, 0 boxes"),
        ({"step": 1.0}, "step must be a whole number"),
        ({"reference": {"kind": "x" * 9000}}, "reference is no action"),
    ],
)
def test_a_bad_field_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        score(record(WAIT, WAIT), {**record(WAIT, WAIT), **change})
    assert message in caught.value.message and caught.value.record == "2"
    assert len(caught.value.message) < 300


@pytest.mark.parametrize("field", ["episode", "step", "size", "reference", "prediction"])
def test_a_missing_field_is_not_null(field: str) -> None:
    with pytest.raises(UserError, match=f"{field} is missing"):
        score({name: value for name, value in record(WAIT, WAIT).items() if name != field})
