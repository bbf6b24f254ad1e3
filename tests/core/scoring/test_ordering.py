"""`stepscope score ordering`: hand-worked orders, an obvious implementation, and what chance gives."""

from __future__ import annotations

import json
import re
from io import BytesIO
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.ordering import OrderingScorer
from stepscope.core.scoring.ordering_match import inversions, longest_increasing, width_for
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records

scipy_stats = lazy_module("scipy.stats")
pytestmark = pytest.mark.needs("scipy.stats")

SCORER = OrderingScorer()
NAMES = SCORER.info.metrics


def record(references: Any, prediction: Any) -> dict[str, Any]:
    return {"id": "d", "references": references, "prediction": prediction}


def score(*records: dict[str, Any], bootstrap: int = 0, **options: str) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, options), bootstrap=bootstrap)


def score_lines(*lines: str) -> Any:
    stream = BytesIO("\n".join(lines).encode())
    return score_records(SCORER, Records.from_stream(stream), parse_options(SCORER.info, {}))


def values(references: Any, prediction: Any, **options: str) -> list[float]:
    return list(score(record(references, prediction), **options).metrics.as_dict().values())


def test_a_document_by_hand() -> None:
    # Reference positions of d b c a e are 3 1 2 0 4. Right: b, c, e. Off: d by 3, a by 3. Common subsequence b c e.
    # Common stretch b c. Inversions: d before b, c and a; b before a; c before a.
    assert values([list("abcde")], list("dbcae")) == pytest.approx([0.6, 0, 1.2, 3, 2, 0])
    assert values([list("abcde")], list("abcde")) == [1, 1, 0, 5, 5, 1]
    assert values([list("abcde")], list("edcba")) == pytest.approx([0.2, 0, 2.4, 1, 1, -1])
    assert values([list("abcde")], list("eabcd")) == pytest.approx([0, 0, 1.6, 4, 4, 1 - 2 * 4 / 10])


def test_the_example_of_the_page() -> None:
    references = [list("abcd"), list("bacd")]
    result = score(record(references, list("badc")), record([["x"]], ["x"]), record([list("abc")], ["a", "b"]))
    assert [row["accuracy"] for row in result.details] == [0.5, 1, 0]
    assert [row["distance"] for row in result.details] == [0.5, 0, 3]
    assert [row["kendall_tau"] for row in result.details] == pytest.approx([2 / 3, 1, 0])
    expected = [0.5, 1 / 3, 3.5 / 3, 4 / 3, 1, (2 / 3 + 1) / 3]
    assert list(result.metrics.as_dict().values()) == pytest.approx(expected)
    assert (result.metrics.n, result.metrics.malformed, result.metrics.null) == (3, 1, 0)
    assert [row["why"] for row in result.details] == [
        "2 of 4 positions right. Against reference 2 of 2.",
        "1 of 1 positions right.",
        "The prediction does not name each item once.",
    ]


def test_joint_takes_one_reference_and_per_metric_each_metrics_own() -> None:
    # Positions of d a b c: 3 0 1 2 in abcd, nothing right but the stretch a b c; 0 3 2 1 in dcba, d and b right.
    references, prediction = [list("abcd"), list("dcba")], list("dabc")
    alone = [values([reference], prediction) for reference in references]
    assert alone == [pytest.approx([0, 0, 1.5, 3, 3, 0]), pytest.approx([0.5, 0, 1, 2, 1, 0])]
    assert values(references, prediction) == alone[1]
    assert values(references, prediction, multi_reference="per_metric") == pytest.approx([0.5, 0, 1, 3, 3, 0])


def test_a_late_tie_goes_to_the_shorter_distance() -> None:
    """Two references that differ in nothing but the distance, 10 and 8 places in all; the released code takes 10."""
    references = [[2, 4, 0, 3, 1], [0, 4, 3, 2, 1]]
    alone = [values([reference], list(range(5))) for reference in references]
    assert alone == [pytest.approx([0.2, 0, 2, 2, 1, -0.2]), pytest.approx([0.2, 0, 1.6, 2, 1, -0.2])]
    for pair in (references, references[::-1]):
        assert values(pair, list(range(5))) == alone[1]


def test_a_single_item() -> None:
    assert values([["a"]], ["a"]) == [1, 1, 0, 1, 1, 1]
    for wrong in (["b"], [], ["a", "a"], None):
        assert values([["a"]], wrong) == [0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    "prediction", [None, [], list("abc"), list("abcdd"), list("abcde"), list("abcx"), ["a", "b", "c", ["d"]], [1] * 4]
)
def test_no_permutation_scores_nothing_and_is_malformed(prediction: Any) -> None:
    result = score(record([list("abcd"), list("badc")], prediction))
    assert list(result.metrics.as_dict().values()) == [0, 0, 4, 0, 0, 0]
    assert (result.metrics.n, result.metrics.malformed, result.metrics.null) == (1, 1, int(prediction is None))
    (row,) = result.details
    assert (row["status"], row["malformed"], row["null"]) == ("scored", True, prediction is None)


@pytest.mark.parametrize("references", [None, [], [[]], [[], []]])
def test_without_a_reference_unscored(references: Any) -> None:
    result = score(record(references, None), record(references, ["a"]), bootstrap=5)
    assert result.metrics.as_dict() == dict.fromkeys(NAMES)
    assert (result.metrics.n, result.metrics.unscored, result.metrics.malformed) == (0, 2, 0)
    assert [row["status"] for row in result.details] == ["unscored"] * 2 and result.details[0]["pmr"] is None
    assert result.details[0]["malformed"] is False and result.details[0]["null"] is False


def test_nothing_at_all() -> None:
    assert score().metrics.as_dict() == dict.fromkeys(NAMES)


def test_items_are_compared_with_their_json_type() -> None:
    mixed = [1, "1", True, 0, "true", False, None, 2.5, "é", "e\u0301"]
    assert values([mixed], mixed)[:2] == [1, 1]
    swapped = ["1", 1, True, 0, "true", False, None, 2.5, "é", "e\u0301"]
    assert values([mixed], swapped)[0] == 0.8
    assert values([[1, 2]], [1.0, 2])[:2] == [1, 1]  # JSON has one kind of number
    for other in (["1", 2], [True, 2]):
        assert score(record([[1, 2]], other)).metrics.malformed == 1
    assert score(record([[0, "a"]], [False, "a"])).metrics.malformed == 1
    assert score(record([[None, "a"]], ["null", "a"])).metrics.malformed == 1


def test_whole_numbers_of_any_size_are_told_apart() -> None:
    line = json.dumps(record([[2**70, 2**70 + 1]], [2**70, 2**70 + 1]))
    assert score_lines(line).metrics.as_dict()["pmr"] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": None}, "id must be text or a whole number"),
        ({"id": True}, "id must be text or a whole number"),
        ({"references": "ab"}, "references must be a list"),
        ({"references": {"a": 1}}, "references must be a list"),
        ({"references": ["a", "b"]}, r"references\[0\] must be a list"),
        ({"references": [["a"], None]}, r"references\[1\] must be a list"),
        ({"references": [["a", "b", "a"]]}, r"references\[0\] names an item twice"),
        ({"references": [[1, 1.0]]}, r"references\[0\] names an item twice"),
        ({"references": [["a", "b"], ["a", "c"]]}, r"references\[1\] does not name each item once"),
        ({"references": [["a", "b"], ["a"]]}, r"references\[1\] does not name each item once"),
        ({"references": [["a", "b"], ["b", "b"]]}, r"references\[1\] does not name each item once"),
        ({"references": [["a", "b"], ["b", "a"], ["a", "b", "a"]]}, r"references\[2\] does not name each item once"),
        ({"references": [[], ["a"]]}, r"references\[1\] does not name each item once"),
        ({"references": [[["a"], ["b"]]]}, r"references\[0\] has an item that is no plain value"),
        ({"references": [["a", {}]]}, r"references\[0\] has an item that is no plain value"),
        ({"references": [["a", float("nan")]]}, r"references\[0\] has a number that is not finite"),
        ({"prediction": "ab"}, "prediction must be a list"),
        ({"prediction": {}}, "prediction must be a list"),
        ({"prediction": 0}, "prediction must be a list"),
        ({"references": None, "prediction": False}, "prediction must be a list"),
        ({"prediction": ["a", float("inf")]}, "prediction has a number that is not finite"),
    ],
)
def test_a_bad_field_is_named_with_its_line(change: dict[str, Any], message: str) -> None:
    good = record([["a", "b"]], ["a", "b"])
    with pytest.raises(UserError, match=message) as caught:
        score(good, {**good, **change})
    assert caught.value.record == "2" and re.match(message, caught.value.message)


@pytest.mark.parametrize("field", ["id", "references", "prediction"])
def test_a_missing_field_is_not_null(field: str) -> None:
    form = record([["a"]], ["a"])
    del form[field]
    with pytest.raises(UserError, match=f"{field} is missing"):
        score(form)


def test_bad_records_can_be_skipped_and_documents_clustered() -> None:
    good = {**record([["a", "b"]], ["a", "b"]), "app": "x"}
    records = Records.of([good, {**good, "references": [["a", "a"]]}, good], skip_bad=True, cluster="app")
    result = score_records(SCORER, records, parse_options(SCORER.info, {}), bootstrap=3)
    assert (result.metrics.n, len(result.skipped)) == (2, 1)
    assert dict(result.metrics.intervals)["pmr"] == (1, 1)


# --- chance: the paper's lengths ------------------------------------------------------------------------------------


def test_all_orders_of_five_steps_give_what_chance_gives() -> None:
    """A random order of five steps: 1/5, 1/120, (N² - 1) / 3N, and a tau of 0."""
    every = [record([list(range(5))], list(order)) for order in permutations(range(5))]
    found = score(*every).metrics.as_dict()
    assert found["accuracy"] == pytest.approx(1 / 5) and found["pmr"] == pytest.approx(1 / 120)
    assert found["distance"] == pytest.approx(24 / 15) and found["kendall_tau"] == pytest.approx(0)
    # Permutations of 5 by longest increasing subsequence, by Robinson and Schensted: 1, 41, 61, 16, 1.
    assert found["lcs_subsequence"] == pytest.approx((1 + 2 * 41 + 3 * 61 + 4 * 16 + 5) / 120)


# --- the obvious implementation -------------------------------------------------------------------------------------


def obvious_one(reference: list[Any], prediction: list[Any]) -> dict[str, float]:
    """One comparison, from the definitions alone; items are told apart by `identical`."""
    size = len(reference)
    at = [next(i for i, item in enumerate(reference) if identical(item, wanted)) for wanted in prediction]
    table = [[0] * (size + 1) for _ in range(size + 1)]
    run = [[0] * (size + 1) for _ in range(size + 1)]
    for i in range(size):
        for j in range(size):
            same = at[i] == j
            table[i + 1][j + 1] = table[i][j] + 1 if same else max(table[i][j + 1], table[i + 1][j])
            run[i + 1][j + 1] = run[i][j] + 1 if same else 0
    wrong = sum(at[i] > at[j] for i in range(size) for j in range(i + 1, size))
    return {
        "accuracy": sum(i == j for i, j in enumerate(at)) / size,
        "pmr": float(at == list(range(size))),
        "distance": sum(abs(i - j) for i, j in enumerate(at)) / size,
        "lcs_subsequence": table[size][size],
        "lcs_substring": max(map(max, run)),
        "kendall_tau": 1 - 2 * wrong / (size * (size - 1) / 2) if size > 1 else 1.0,
    }


def identical(a: Any, b: Any) -> bool:
    return json.dumps(a) == json.dumps(b)


def obvious(references: list[list[Any]], prediction: Any, rule: str) -> dict[str, float]:
    wanted = sorted(map(json.dumps, references[0]))
    if prediction is None or sorted(map(json.dumps, prediction)) != wanted:
        return {**dict.fromkeys(NAMES, 0.0), "distance": float(len(wanted))}
    found = [obvious_one(reference, prediction) for reference in references]
    if rule == "per_metric":
        return {name: (min if name == "distance" else max)(one[name] for one in found) for name in NAMES}
    first = ("accuracy", "pmr", "lcs_substring", "lcs_subsequence", "kendall_tau")
    return max(found, key=lambda one: (*(one[name] for name in first), -one["distance"]))


ITEMS = st.none() | st.booleans() | st.integers(-2, 2) | st.text(max_size=2) | st.sampled_from([0.5, -1.25, 2**70, "1"])


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    items = draw(st.lists(ITEMS, min_size=1, max_size=draw(st.sampled_from([1, 2, 3, 5, 20])), unique_by=json.dumps))
    orders = draw(st.lists(st.permutations(items), min_size=1, max_size=4))
    damaged = st.lists(st.sampled_from(items), max_size=len(items) + 1)
    prediction = draw(st.none() | damaged | st.permutations(items) | st.permutations(items) | st.sampled_from(orders))
    return record(orders, prediction)


@settings(max_examples=settings().max_examples * 6)
@given(st.lists(documents(), min_size=1, max_size=5), st.sampled_from(["joint", "per_metric"]))
def test_the_columns_agree_with_the_obvious(forms: list[dict[str, Any]], rule: str) -> None:
    result = score(*forms, multi_reference=rule)
    wanted = [obvious(form["references"], form["prediction"], rule) for form in forms]
    for row, one in zip(result.details, wanted, strict=True):
        assert {name: row[name] for name in NAMES} == pytest.approx(one)
    means = {name: sum(one[name] for one in wanted) / len(wanted) for name in NAMES}
    assert result.metrics.as_dict() == pytest.approx(means)
    null = sum(form["prediction"] is None for form in forms)
    assert (result.metrics.n, result.metrics.null) == (len(forms), null)


@pytest.mark.parametrize("size", [15, 16, 17, 33, 64, 100, 700])
def test_long_documents(size: int) -> None:
    draw = np.random.default_rng(size)
    orders = [draw.permutation(size).tolist() for _ in range(3)]
    near = list(range(size))
    near[3:9] = reversed(near[3:9])
    forms = [record([list(range(size)), orders[0]], near), record(orders[:1], orders[1])]
    result = score(*forms, multi_reference="joint")
    for row, form in zip(result.details, forms, strict=True):
        if size < 200:
            wanted = obvious(form["references"], form["prediction"], "joint")
            assert {name: row[name] for name in NAMES} == pytest.approx(wanted)
    place = np.argsort(orders[0])
    assert result.details[1]["kendall_tau"] == pytest.approx(
        scipy_stats.kendalltau(range(size), place[orders[1]]).statistic
    )
    assert result.details[0]["lcs_subsequence"] == size - 5 and result.details[0]["lcs_substring"] == size - 9


@pytest.mark.parametrize("width", [1, 2, 3, 5, 8, 13, 31, 32, 33])
def test_inversions_and_the_longest_increasing_subsequence(width: int) -> None:
    draw = np.random.default_rng(width)
    rows = np.array([draw.permutation(width) for _ in range(50)], dtype=np.int32)
    pairs = [(i, j) for i in range(width) for j in range(i + 1, width)]
    assert inversions(rows).tolist() == [sum(int(row[i] > row[j]) for i, j in pairs) for row in rows]
    for row, found in zip(rows.tolist(), longest_increasing(rows).tolist(), strict=True):
        ends = [1] * width
        for j in range(width):
            ends[j] += max((ends[i] for i in range(j) if row[i] < row[j]), default=0)
        assert found == max(ends)


def test_few_widths_for_many_lengths() -> None:
    widths = {items: width_for(items) for items in range(1, 2000)}
    assert all(width >= items for items, width in widths.items()) and len(set(widths.values())) < 25
