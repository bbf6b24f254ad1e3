"""`stepscope score order_agreement`: the paper's vectors, hand-worked instances, scikit-learn's kappa, an obvious
implementation."""

from __future__ import annotations

import re
import warnings
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.order_agreement import OrderAgreementScorer
from stepscope.core.scoring.order_agreement_match import full_kappa, restricted_kappa, turned
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records

sklearn_metrics = lazy_module("sklearn.metrics")
pytestmark = pytest.mark.needs("scipy.stats")

SCORER = OrderAgreementScorer()


def record(annotators: Any, original: Any = "123") -> dict[str, Any]:
    """Orders may be written as words, an item a letter."""
    lists = {name: [list(order) for order in orders] for name, orders in annotators.items()}
    return {"id": "i", "original": list(original), "annotators": lists}


def score(*records: dict[str, Any], bootstrap: int = 0) -> Any:
    return score_records(SCORER, Records.of(records), {}, bootstrap=bootstrap)


def kappa(annotators: Any, original: Any = "123") -> float | None:
    return score(record(annotators, original)).metrics.as_dict()["kappa"]


# --- the paper's vectors --------------------------------------------------------------------------------------------


def vector(order: Any, items: Any) -> list[int]:
    """Appendix B.3: over the ordered pairs 12, 13, 21, 23, 31, 32 of three items, 1 when the first precedes."""
    place = list(order).index
    return [int(place(i) < place(j)) for i in items for j in items if i != j]


def test_the_papers_vectors() -> None:
    words = {word: "".join(map(str, vector(word, "123"))) for word in ("123", "231", "132", "213")}
    assert words == {"123": "110100", "231": "001110", "132": "110001", "213": "011100"}
    # 132 differs from 123 at the positions 4 and 6, 213 at 1 and 3. There their own vectors are 1001 and 0110.
    assert (
        restricted_kappa(turned([0, 2, 1]), turned([1, 0, 2]))
        == -1
        == sklearn_metrics.cohen_kappa_score([1, 0, 0, 1], [0, 1, 1, 0])
    )


@pytest.mark.parametrize("size", [2, 3, 4])
def test_kappas_are_those_of_scikit_learn(size: int) -> None:
    items = list(range(size))
    base = vector(items, items)
    for a, b in combinations(permutations(items), 2):
        one, two = vector(a, items), vector(b, items)
        assert full_kappa(turned(a), turned(b), size) == pytest.approx(sklearn_metrics.cohen_kappa_score(one, two))
        union = [k for k in range(len(base)) if one[k] != base[k] or two[k] != base[k]]
        wanted = sklearn_metrics.cohen_kappa_score([one[k] for k in union], [two[k] for k in union])
        assert restricted_kappa(turned(a), turned(b)) == pytest.approx(wanted)


# --- by hand --------------------------------------------------------------------------------------------------------


def test_the_example_of_the_page() -> None:
    # Turned pairs: 2134 turns 12, 2143 turns 12 and 34, 1243 turns 34, 1324 turns 23.
    instance = record({"ann": ["2134", "1243"], "bob": ["2143"], "cem": []}, "1234")
    # ann-bob: 2143 shares one of two turned pairs with either of ann's, kappa 2 * 1/2 - 1 = 0; the earliest, 2134, is
    # matched, and 1243 is left over: -1. ann-cem: -1, -1. bob-cem: -1.
    standard = record({"ann": ["1234"], "bob": ["2134"], "cem": ["2143"]}, "1234")
    # Kappa over all six pairs: one, two and one of them differ: 2/3, 1/3, 2/3.
    result = score(instance, standard, record({"ann": [], "bob": []}, "1234"))
    assert [row["kappa"] for row in result.details] == [pytest.approx(-4 / 5), pytest.approx(5 / 9), None]
    assert result.metrics.as_dict() == {"kappa": pytest.approx((-4 / 5 + 5 / 9) / 2)}
    assert (result.metrics.n, result.metrics.unscored, result.metrics.malformed, result.metrics.null) == (2, 1, 0, 0)
    assert [row["why"] for row in result.details] == [
        "Alternative orders: mean of 5 scores of 3 annotators.",
        "One order each: mean of 3 scores of 3 annotators.",
        "Nobody gave an order.",
    ]


def test_one_order_each_uses_the_full_vectors() -> None:
    assert kappa({"a": ["132"], "b": ["213"]}) == pytest.approx(1 - 2 * 2 / 3)
    assert kappa({"a": ["132"], "b": ["213"], "c": []}) == pytest.approx(-1)  # now alternatives: -1, -1, -1
    assert kappa({"a": ["123"], "b": ["123"]}) == 1
    assert kappa({"a": ["123"], "b": ["321"]}) == -1


def test_equal_alternatives_agree_and_left_overs_do_not() -> None:
    assert kappa({"a": ["132", "213"], "b": ["213", "132"]}) == 1
    assert kappa({"a": ["132", "213"], "b": ["213"]}) == 0  # 1 for the match, -1 for what is left over
    assert kappa({"a": ["132"], "b": []}) == -1
    assert kappa({"a": ["123", "132"], "b": ["132"]}) == 1  # the original left over differs nowhere
    assert kappa({"a": ["132", "132"], "b": ["132"]}) == 0  # a list that names an order twice has it twice


def test_ties_go_to_the_earliest_order() -> None:
    # Either of a's first two matches either of b's by 0 (one of two turned pairs shared) ...
    first = record({"a": ["2134", "1243"], "b": ["2143", "2134"]}, "1234")
    # ... but 2134 matches itself by 1, which comes before; 1243 and 2143 are left for one another: 0.
    assert score(first).metrics.as_dict()["kappa"] == 0.5
    # 2143 of b matches 2134 and 1243 by 0. The earliest, 2134, takes it; 1243 is left to 1324, which shares nothing.
    # Had 1243 taken it, 2134 would be left to 1324, with the same -1.
    assert kappa({"a": ["2134", "1243"], "b": ["2143", "1324"]}, "1234") == -0.5


def test_a_tie_decides_what_is_left() -> None:
    # Turned: x = {12}, y = {34}; of b: {12, 34} matches either by 0. If x takes it, y is left to {34, 35, 45}, by
    # 2 * 1/3 - 1; if y, x is left to it, by -1. Which of them stands first in the list decides.
    x, y, both, other = "21345", "12435", "21435", "12543"
    assert kappa({"a": [x, y], "b": [both, other]}, "12345") == pytest.approx((0 - 1 / 3) / 2)
    assert kappa({"a": [y, x], "b": [both, other]}, "12345") == pytest.approx((0 - 1) / 2)


@pytest.mark.parametrize("annotators", [{}, {"a": []}, {"a": ["132"]}, {"a": ["132", "213"]}, {"a": [], "b": []}])
def test_nothing_to_compare_is_unscored(annotators: Any) -> None:
    result = score(record(annotators), bootstrap=3)
    assert (result.metrics.n, result.metrics.unscored) == (0, 1)
    assert result.metrics.as_dict() == {"kappa": None} and result.details[0]["status"] == "unscored"


def test_nothing_at_all_and_one_item() -> None:
    assert score().metrics.as_dict() == {"kappa": None}
    assert kappa({"a": ["x"], "b": ["x"]}, "x") == 1
    assert kappa({"a": ["x", "x"], "b": []}, "x") == 1


def test_items_have_types_and_further_fields_are_ignored() -> None:
    form = {"id": 1, "original": [1, "1", True], "annotators": {"a": [[True, 1, "1"]], "b": [[1, "1", True]]}, "x": 0}
    assert score(form).metrics.as_dict()["kappa"] == pytest.approx(1 - 2 * 2 / 3)
    assert score(form).details[0]["id"] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": 1.5}, "id must be text or a whole number"),
        ({"original": None}, "original must be a list"),
        ({"original": "123"}, "original must be a list"),
        ({"original": ["1", "1"]}, "original names an item twice"),
        ({"original": [["1"], "2"]}, "original has an item that is no plain value"),
        ({"annotators": None}, "annotators must be an object"),
        ({"annotators": [[["1", "2"]]]}, "annotators must be an object"),
        ({"annotators": {"a": None}}, "annotators.'a' must be a list"),
        ({"annotators": {"a": ["1", "2"]}}, r"annotators.'a'\[0\] must be a list"),
        ({"annotators": {"a": [], "b": [["1", "2"], None]}}, r"annotators.'b'\[1\] must be a list"),
        ({"annotators": {"a": [["1"]]}}, r"annotators.'a'\[0\] does not name each item once"),
        ({"annotators": {"a": [["1", "1"]]}}, r"annotators.'a'\[0\] does not name each item once"),
        ({"annotators": {"a": [["2", "1"], ["2", 1]]}}, r"annotators.'a'\[1\] does not name each item once"),
        ({"annotators": {"a": [[]]}}, r"annotators.'a'\[0\] does not name each item once"),
        ({"annotators": {"a": [["1", "2", "3"]]}}, r"annotators.'a'\[0\] does not name each item once"),
    ],
)
def test_a_bad_field_is_named_with_its_line(change: dict[str, Any], message: str) -> None:
    good = record({"a": ["12"], "b": ["21"]}, "12")
    with pytest.raises(UserError, match=message) as caught:
        score(good, {**good, **change})
    assert caught.value.record == "2" and re.match(message, caught.value.message)


@pytest.mark.parametrize("field", ["id", "original", "annotators"])
def test_a_missing_field_is_bad_input(field: str) -> None:
    form = record({})
    del form[field]
    with pytest.raises(UserError, match=f"{field} is missing"):
        score(form)


def test_long_orders() -> None:
    size = 300
    there, back = list(range(size)), list(range(size))[::-1]
    assert kappa({"a": [there], "b": [back]}, there) == -1
    assert kappa({"a": [there, back], "b": [back]}, there) == 1


# --- the obvious implementation -------------------------------------------------------------------------------------


def plain_kappa(one: list[int], two: list[int]) -> float:
    if one == two:
        return 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return float(sklearn_metrics.cohen_kappa_score(one, two))


def at_differing(a: Any, b: Any, original: Any) -> float:
    one, two, base = (vector(order, original) for order in (a, b, original))
    union = [k for k in range(len(base)) if one[k] != base[k] or two[k] != base[k]]
    return plain_kappa([one[k] for k in union], [two[k] for k in union])


def obvious(form: dict[str, Any]) -> float | None:
    original, people = form["original"], list(form["annotators"].values())
    scores = []
    for a, b in combinations(people, 2):
        if all(len(orders) == 1 for orders in people):
            scores.append(plain_kappa(vector(a[0], original), vector(b[0], original)))
            continue
        a, b = list(a), list(b)
        while a and b:
            table = [(round(at_differing(x, y, original), 9), -i, -j) for i, x in enumerate(a) for j, y in enumerate(b)]
            best, i, j = max(table)
            scores.append(best)
            del a[-i], b[-j]
        scores += [at_differing(order, original, original) for order in a + b]
    return sum(scores) / len(scores) if scores else None


@st.composite
def instances(draw: st.DrawFn) -> dict[str, Any]:
    items = draw(st.sampled_from([["x"], [1, "1"], ["a", "b", "ü"], [1, 2, 3, 4]]))
    pool = draw(st.lists(st.permutations(items), min_size=1, max_size=3))
    few = st.lists(st.sampled_from([*pool, items]), max_size=3)
    one = st.lists(st.sampled_from(pool), min_size=1, max_size=1)
    people = draw(st.lists(draw(st.sampled_from([few, one])), max_size=4))
    return {"id": 0, "original": items, "annotators": {str(name): orders for name, orders in enumerate(people)}}


@settings(max_examples=settings().max_examples * 4)
@given(st.lists(instances(), min_size=1, max_size=4))
def test_agrees_with_the_obvious(forms: list[dict[str, Any]]) -> None:
    result = score(*forms)
    wanted = [obvious(form) for form in forms]
    near = [one if one is None else pytest.approx(one, abs=1e-8) for one in wanted]  # `obvious` rounds to nine digits
    assert [row["kappa"] for row in result.details] == near
    known = [one for one in wanted if one is not None]
    mean = pytest.approx(sum(known) / len(known), abs=1e-8) if known else None
    assert result.metrics.as_dict() == {"kappa": mean} and result.metrics.n == len(known)
