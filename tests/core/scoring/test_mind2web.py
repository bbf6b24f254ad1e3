"""`stepscope score mind2web`: the rule on records, against hand-worked numbers and an obvious implementation."""

import json
import random
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.scoring.mind2web import Mind2WebScorer
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import record_scorer, result_json, score_records, step_scorer

SCORER = Mind2WebScorer()
METRICS = (
    "micro_element_accuracy", "micro_operation_f1", "micro_step_success",
    "macro_element_accuracy", "macro_operation_f1", "macro_step_success", "task_success",
)  # fmt: skip


def wanted(elements: Any, operation: Any = "CLICK", value: Any = "") -> dict[str, Any]:
    return {"elements": elements, "operation": operation, "value": value}


def chose(element: Any, operation: Any = "CLICK", value: Any = "") -> dict[str, Any]:
    return {"element": element, "operation": operation, "value": value}


def record(reference: Any, prediction: Any, task: Any = "t", step: int = 0, website: Any = "inns") -> dict[str, Any]:
    return {"task": task, "step": step, "website": website, "reference": reference, "prediction": prediction}


def score(*records: Any, cluster: str = "", bootstrap: int = 0, **options: str) -> Any:
    stream = BytesIO("".join(json.dumps(one) + "\n" for one in records).encode())
    read = Records.from_stream(stream, cluster=cluster)
    return score_records(SCORER, read, parse_options(SCORER.info, options), bootstrap=bootstrap)


def own_scores(result: Any) -> list[tuple[Any, Any, Any]]:
    return [(row["element_accuracy"], row["operation_f1"], row["step_success"]) for row in result.details]


# --- the obvious implementation -------------------------------------------------------------------------------------


def obvious_f1(reference: dict[str, Any], prediction: dict[str, Any]) -> float:
    value = "" if reference["operation"] == "CLICK" else reference["value"] or ""
    label = set(((reference["operation"] or "") + " " + value).split())
    guess = set(((prediction["operation"] or "") + " " + (prediction["value"] or "")).split())
    if not label and not guess:
        return 1.0
    shared = len(label & guess)
    if not shared:
        return 0.0
    precision, recall = shared / len(guess), shared / len(label)
    return 2 * precision * recall / (precision + recall)


def obvious(one: dict[str, Any], empty: str) -> tuple[float, float, float] | None:
    reference, prediction = one["reference"], one["prediction"]
    if reference is None or (empty == "skip" and reference["elements"] == []):
        return None
    if prediction is None or reference["elements"] == [] or prediction["element"] is None:
        return 0.0, 0.0, 0.0
    element = 1.0 if str(prediction["element"]) in [str(each) for each in reference["elements"]] else 0.0
    f1 = obvious_f1(reference, prediction)
    return element, f1, 1.0 if element == 1 and f1 == 1 else 0.0


def mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def check_against_the_obvious(records: list[dict[str, Any]], empty: str) -> None:
    result = score(*records, empty_positives=empty)
    expected = [obvious(one, empty) for one in records]
    for row, scores in zip(result.details, expected, strict=True):
        own = row["element_accuracy"], row["operation_f1"], row["step_success"]
        assert own == (pytest.approx(scores) if scores else (None, None, None))
        assert row["status"] == ("scored" if scores else "unscored")
    scored = [(one, scores) for one, scores in zip(records, expected, strict=True) if scores is not None]
    tasks: dict[Any, list[tuple[float, float, float]]] = {}
    for one, scores in scored:
        tasks.setdefault(one["task"], []).append(scores)
    values = [mean([scores[place] for _, scores in scored]) for place in range(3)]
    for place in range(3):
        values.append(mean([sum(each[place] for each in task) / len(task) for task in tasks.values()]))
    values.append(mean([float(all(each[2] == 1 for each in task)) for task in tasks.values()]))
    assert result.metrics.as_dict() == pytest.approx(dict(zip(METRICS, values, strict=True)))
    assert list(result.metrics.as_dict()) == list(METRICS)
    null = sum(one["prediction"] is None for one, _ in scored)
    found = result.metrics
    assert (found.n, found.unscored, found.malformed, found.null) == (
        len(scored), len(records) - len(scored), null, null,
    )  # fmt: skip


ids = st.sampled_from([0, 1, 3, -3, "0", "1", "3", "03", " 3", "", "é", 10**20, str(10**20)])
operations = st.sampled_from(["CLICK", "TYPE", "SELECT", "click", " CLICK", "", None]) | st.text(max_size=4)
words = st.lists(
    st.sampled_from(["new", "York", "york", "CLICK", "TYPE", "ü", "東京", "\u00a0", "\u2003", "\t", " ", ""])
)
values = words.map(" ".join) | st.none() | st.text(max_size=6)
references = st.builds(wanted, st.lists(ids, max_size=3), operations, values)
predictions = st.builds(chose, st.none() | ids, operations, values)
tasks = st.sampled_from(["1", 1, "a", "b", ""])
rows = st.builds(record, st.none() | references, st.none() | predictions, tasks, st.integers(-1, 3))


@settings(max_examples=settings().max_examples * 4, deadline=None)
@given(st.lists(rows, max_size=12), st.sampled_from(["fail", "skip"]))
def test_agrees_with_the_obvious_implementation(records: list[Any], empty: str) -> None:
    check_against_the_obvious(records, empty)


@pytest.mark.parametrize("empty", ["fail", "skip"])
def test_agrees_on_thousands_of_records_in_one_file(empty: str) -> None:
    """Several blocks of lines, some with nothing unusual in them and some with ids that are numbers."""
    seeded_random = random.Random(empty)
    names = ["CLICK", "CLICK", "TYPE", "SELECT"]

    def value() -> str:
        return " ".join(seeded_random.choices(["one", "way", "return", "Ulm"], k=seeded_random.randrange(4)))

    def one(place: int) -> dict[str, Any]:
        plain = place < 6000
        elements = [
            str(seeded_random.randrange(4)) if plain else seeded_random.randrange(4)
            for _ in range(seeded_random.choice([0, 1, 1, 2]))
        ]
        answer = chose(seeded_random.choice(["0", "1", "2", "3", None]), seeded_random.choice(names), value())
        reference = None if seeded_random.random() < 0.05 else wanted(elements, seeded_random.choice(names), value())
        return record(
            reference, None if seeded_random.random() < 0.05 else answer, f"t{seeded_random.randrange(2000)}", place
        )

    check_against_the_obvious([one(place) for place in range(12_000)], empty)


# --- hand-worked ----------------------------------------------------------------------------------------------------

PAGE_EXAMPLE = (
    record(wanted(["12", "15"]), chose(15), "hotel", 0),
    record(wanted([20], "TYPE", "New York"), chose("20", "TYPE", "York"), "hotel", 1),
    record(wanted([31], "SELECT", "2 adults"), chose(30, "SELECT", "2 adults"), "hotel", 2),
    record(wanted([40], "CLICK", "Search"), chose(40, "CLICK", "Search"), "hotel", 3),
    record(wanted([]), chose(7), "phone", 0),
    record(wanted([8]), chose(None), "phone", 1),
    record(wanted([9]), None, "phone", 2),
    record(wanted([5]), chose(5, "CLICK", None), "map", 0),
    record(None, None, "map", 1),
)


def test_the_example_of_the_documentation() -> None:
    """Worked by hand in docs/protocols/mind2web.md."""
    result = score(*PAGE_EXAMPLE)
    assert own_scores(result) == [
        (1, 1, 1),
        (1, 0.8, 0),  # {TYPE, New, York} and {TYPE, York}: 2·2 / (3 + 2)
        (0, 1, 0),
        (1, 2 / 3, 0),  # {CLICK} and {CLICK, Search}: 2·1 / (1 + 2)
        (0, 0, 0),
        (0, 0, 0),
        (0, 0, 0),
        (1, 1, 1),
        (None, None, None),
    ]
    f1 = 1 + 0.8 + 1 + 2 / 3
    assert result.metrics.as_dict() == pytest.approx(
        {
            "micro_element_accuracy": 4 / 8,
            "micro_operation_f1": (f1 + 1) / 8,
            "micro_step_success": 2 / 8,
            "macro_element_accuracy": (3 / 4 + 0 + 1) / 3,
            "macro_operation_f1": (f1 / 4 + 0 + 1) / 3,
            "macro_step_success": (1 / 4 + 0 + 1) / 3,
            "task_success": 1 / 3,
        }
    )
    assert (result.metrics.n, result.metrics.unscored, result.metrics.malformed) == (8, 1, 1)
    assert dict(result.metrics.counts) == dict.fromkeys(METRICS[3:], 3)
    assert [row["why"] for row in result.details] == [
        "Element right, operation F1 1.",
        "Element right, operation F1 0.8.",
        "Element wrong, operation F1 1.",
        "Element right, operation F1 0.67.",
        "The reference has no positive element.",
        "No element chosen.",
        "No usable prediction.",
        "Element right, operation F1 1.",
        "No reference action.",
    ]
    skipped = score(*PAGE_EXAMPLE, empty_positives="skip").metrics
    assert (skipped.n, skipped.unscored, skipped.malformed) == (7, 2, 1)
    assert skipped.as_dict()["micro_step_success"] == pytest.approx(2 / 7)
    assert skipped.as_dict()["macro_step_success"] == pytest.approx((1 / 4 + 0 + 1) / 3)


@pytest.mark.parametrize(
    ("reference", "prediction", "f1"),
    [
        (("CLICK", ""), ("CLICK", ""), 1),
        (("CLICK", "dropped"), ("CLICK", ""), 1),
        (("CLICK", ""), ("CLICK", "stays"), 2 / 3),
        (("click", "kept"), ("click", ""), 2 / 3),  # case kept: this is no CLICK
        (("TYPE", "a b"), ("TYPE", "b  a a"), 1),  # sets: order and repetition do not count
        (("TYPE", "Ulm"), ("TYPE", "ulm"), 1 / 2),
        (("TYPE", "Ulm"), ("SELECT", "Ulm"), 1 / 2),
        (("TYPE", "TYPE"), ("TYPE", ""), 1),
        (("TYPE", "a"), ("CLICK", ""), 0),
        (("TYPE", "a\u00a0b"), ("TYPE", "a b"), 1),
        ((None, None), ("", " "), 1),
        ((None, None), ("CLICK", None), 0),
        (("", "CLICK"), ("CLICK", ""), 1),
        (("SELECT", None), ("SELECT", ""), 1),
    ],
)
def test_operation_f1_is_over_sets_of_words(reference: Any, prediction: Any, f1: float) -> None:
    (scores,) = own_scores(score(record(wanted([1], *reference), chose(1, *prediction))))
    assert scores == pytest.approx((1, f1, float(f1 == 1)))


@pytest.mark.parametrize(
    ("elements", "element", "right"),
    [([3], "3", True), (["3"], 3, True), ([3, 4], 4, True), ([0], 0, True), (["03"], 3, False), ([" 3"], 3, False),
     ([""], "", True), ([10**25], str(10**25), True)],
)  # fmt: skip
def test_ids_are_compared_as_text(elements: list[Any], element: Any, right: bool) -> None:
    (scores,) = own_scores(score(record(wanted(elements), chose(element))))
    assert scores == (right, 1, right)


def test_without_an_element_nothing_is_right_though_the_operation_is() -> None:
    assert own_scores(score(record(wanted([1]), chose(None)))) == [(0, 0, 0)]
    assert score(record(wanted([1]), chose(None))).metrics.malformed == 0


def test_steps_without_positives_fail_or_are_left_out_of_their_task() -> None:
    records = [record(wanted([1]), chose(1), "a"), record(wanted([]), chose(1), "a"), record(wanted([]), None, "b")]
    failed = score(*records).metrics
    assert (failed.n, failed.unscored, failed.malformed) == (3, 0, 1)
    assert list(failed.as_dict().values()) == pytest.approx([1 / 3] * 3 + [1 / 4] * 3 + [0])
    skipped = score(*records, empty_positives="skip").metrics
    assert (skipped.n, skipped.unscored, skipped.malformed) == (1, 2, 0)  # no malformed one on an unscored step
    assert list(skipped.as_dict().values()) == [1.0] * 7


def test_nothing_scored_is_null_and_not_zero() -> None:
    for records in ([], [record(None, chose(1))], [record(None, None)]):
        metrics = score(*records, bootstrap=10).metrics
        assert metrics.as_dict() == dict.fromkeys(METRICS)
        assert (metrics.n, metrics.unscored, metrics.malformed, metrics.intervals) == (0, len(records), 0, ())


def test_the_result_object() -> None:
    options = parse_options(SCORER.info, {})
    result = result_json(SCORER.info, options, score(*PAGE_EXAMPLE, bootstrap=200), bootstrap=200)
    assert result["protocol"] == "mind2web" and result["options"] == {"empty_positives": "fail"}
    assert list(result["metrics"]) == list(METRICS) == list(SCORER.info.metrics)
    for name, (low, high) in result["ci"].items():
        assert 0 <= low <= result["metrics"][name] <= high <= 1
    json.dumps(list(score(*PAGE_EXAMPLE).details))


def test_intervals_draw_tasks_or_whole_websites() -> None:
    """Two websites of two tasks each, one all right, one all wrong: drawing two websites gives 0, 1/2 or 1."""
    records = [
        record(wanted([1]), chose(element), f"{site}{number}", step, site)
        for site, element in (("shop", 1), ("inn", 2)) for number in range(2) for step in range(3)
    ]  # fmt: skip
    result = score(*records, cluster="website", bootstrap=500)
    assert dict(result.metrics.intervals)["macro_step_success"] == (0.0, 1.0)
    assert dict(score(*records, bootstrap=500).metrics.intervals)["micro_step_success"] == (0.0, 1.0)  # 1/8 of draws
    with pytest.raises(UserError, match="another cluster"):
        score(record(wanted([1]), chose(1), website="a"), record(wanted([1]), chose(1), website="b"), cluster="website")


GOOD = record(wanted(["1"]), chose("1"))


def changed(path: str, value: Any = ...) -> dict[str, Any]:
    """The good record with one field replaced, or taken out."""
    form: dict[str, Any] = json.loads(json.dumps(GOOD))
    *parents, name = path.split(".")
    inner = form
    for parent in parents:
        inner = inner[parent]
    if value is ...:
        del inner[name]
    else:
        inner[name] = value
    return form


@pytest.mark.parametrize(
    "path",
    ["task", "step", "website", "reference", "prediction", "reference.elements", "reference.operation",
     "reference.value", "prediction.element", "prediction.operation", "prediction.value"],
)  # fmt: skip
def test_a_missing_field_is_not_null(path: str) -> None:
    with pytest.raises(UserError, match=f"{path} is missing") as caught:
        score(GOOD, changed(path))
    assert caught.value.record == "2"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("task", None), ("task", 1.5), ("task", True), ("website", None), ("website", []), ("step", "0"),
        ("step", 1.0), ("step", True), ("step", 2**40), ("reference", []), ("reference", "CLICK"), ("prediction", 3),
        ("prediction", False), ("reference.elements", None), ("reference.elements", "1"), ("reference.elements", {}),
        ("reference.operation", 4), ("reference.value", ["a"]), ("reference.value", 5), ("prediction.element", 1.0),
        ("prediction.element", True), ("prediction.element", ["1"]), ("prediction.operation", {}),
        ("prediction.value", False), ("prediction.value", 7),
    ],
)  # fmt: skip
def test_a_bad_field_is_named_with_its_line(path: str, value: Any) -> None:
    with pytest.raises(UserError) as caught:
        score(GOOD, GOOD, changed(path, value))
    assert caught.value.record == "3"
    assert caught.value.message.startswith(f"{path} ")


@pytest.mark.parametrize("element", [None, 1.5, True, ["1"]])
def test_a_bad_positive_is_named_with_its_place(element: Any) -> None:
    with pytest.raises(UserError, match=r"reference\.elements\[1\] must be text or a whole number"):
        score(changed("reference.elements", ["1", element]))


@pytest.mark.parametrize("side", ["reference", "prediction"])
def test_an_empty_object_is_no_null(side: str) -> None:
    with pytest.raises(UserError, match=f"{side}.elements? is missing"):
        score(changed(side, {}))


def test_bad_records_can_be_skipped() -> None:
    lines = [json.dumps(one) for one in (GOOD, changed("task"), changed("prediction", None))]
    stream = BytesIO("\n".join([lines[0], "{", *lines[1:], ""]).encode())
    result = score_records(SCORER, Records.from_stream(stream, skip_bad=True), parse_options(SCORER.info, {}))
    assert result.skipped is not None and [bad.line for bad in result.skipped] == [2, 3]
    assert (result.metrics.n, result.metrics.malformed) == (2, 1)
    assert [row["record"] for row in result.details] == [1, 4]


def test_it_is_registered_as_record_scorer_and_step_scorer() -> None:
    assert isinstance(record_scorer("mind2web"), Mind2WebScorer)
    assert isinstance(step_scorer("mind2web"), Mind2WebScorer)
