"""Agreement coefficients: by hand, and beside scikit-learn, statsmodels and NLTK."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.scoring.agreement import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    label_pairs,
    mean_over_pairs,
    observed_agreement,
    pairwise_agreement,
)

codes = st.integers(0, 3)


def test_kappa_by_hand() -> None:
    # Ten items, seven alike. Shares of label 1: 0.4 and 0.5, so chance is 0.4·0.5 + 0.6·0.5 = 0.5; (0.7 − 0.5) / 0.5.
    first = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    second = [1, 1, 1, 0, 1, 1, 0, 0, 0, 0]
    assert observed_agreement(first, second) == 0.7
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_kappa_where_chance_leaves_no_room() -> None:
    assert cohen_kappa([2, 2, 2], [2, 2, 2]) == 1  # constant and equal
    assert cohen_kappa([0, 0], [1, 1]) == 0  # constant and different
    assert cohen_kappa([0], [0]) == 1
    assert cohen_kappa([0, 1], [1, 0]) == -1
    assert cohen_kappa(np.array([True, False]), np.array([True, False])) == 1
    assert math.isnan(cohen_kappa([], [])) and math.isnan(observed_agreement([], []))


def test_three_coefficients_of_one_table_by_hand() -> None:
    # Items: aa, ab, bb. Pairs alike: 2 of 3. Labels: a 3, b 3.
    item, label = [0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1]
    assert fleiss_kappa(item, label) == pytest.approx((2 / 3 - 1 / 2) / (1 - 1 / 2))
    # Observed disagreement 2 of 6 ordered pairs; expected 6·6 − 9 − 9 = 18 over 6·5 = 30.
    assert krippendorff_alpha(item, label) == pytest.approx(1 - (2 / 6) / (18 / 30))


def test_fleiss_needs_equally_many_labels_on_every_item() -> None:
    assert math.isnan(fleiss_kappa([0, 0, 1, 1, 1], [0, 0, 1, 1, 1]))
    assert math.isnan(fleiss_kappa([0, 1, 2], [0, 1, 0]))
    assert math.isnan(fleiss_kappa([], []))
    assert fleiss_kappa([0, 0, 7, 7], [3, 3, 3, 3]) == 1  # constant
    assert fleiss_kappa([5, 5, 9, 9], [2, 2, 4, 4]) == 1  # numbers may have gaps


def test_alpha_leaves_single_labels_out() -> None:
    assert krippendorff_alpha([0, 0, 1, 1, 2], [0, 0, 1, 1, 5]) == 1
    assert krippendorff_alpha([0, 0, 1], [4, 4, 5]) == 1  # constant where there are pairs
    assert math.isnan(krippendorff_alpha([0, 1], [0, 0])) and math.isnan(krippendorff_alpha([], []))


def test_krippendorffs_own_example() -> None:
    """Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), part C: nominal alpha of 12 units by four
    observers is 0.743."""
    rows = ["1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 ."]
    given_labels = [
        (unit, int(mark)) for row in rows for unit, mark in enumerate(row.split()) if mark != "."
    ]  # fmt: skip
    item, label = zip(*given_labels, strict=True)
    assert krippendorff_alpha(item, label) == pytest.approx(0.743, abs=5e-4)


def test_fleiss_own_table() -> None:
    """The ten subjects by fourteen raters in five categories that textbooks work out: 0.210."""
    rows = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    long = [(item, label) for item, row in enumerate(rows) for label, n in enumerate(row) for _ in range(n)]
    item, label = zip(*long, strict=True)
    assert fleiss_kappa(item, label) == pytest.approx(0.210, abs=5e-4)


@given(st.lists(st.tuples(codes, codes), max_size=30))
def test_kappa_beside_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    if len({*first, *second}) < 2:  # scikit-learn has no value there
        assert math.isnan(cohen_kappa(first, second)) is (not pairs)
        return
    assert cohen_kappa(first, second) == pytest.approx(cohen_kappa_score(first, second))
    assert observed_agreement(first, second) == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))


@given(st.integers(2, 5).flatmap(lambda m: st.lists(st.lists(codes, min_size=m, max_size=m), min_size=1, max_size=12)))
def test_fleiss_beside_statsmodels(rows: list[list[int]]) -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa as other

    item, label = zip(*((item, label) for item, row in enumerate(rows) for label in row), strict=True)
    table = np.array([[row.count(kind) for kind in range(4)] for row in rows])
    if len(set(label)) == 1:
        assert fleiss_kappa(item, label) == 1
    else:
        assert fleiss_kappa(item, label) == pytest.approx(other(table))


@given(st.lists(st.dictionaries(st.sampled_from("abcde"), codes, max_size=4), max_size=12))
def test_alpha_beside_nltk(items: list[dict[str, int]]) -> None:
    from nltk.metrics.agreement import AnnotationTask

    data = [
        (name, item, label) for item, labels in enumerate(items) if len(labels) > 1 for name, label in labels.items()
    ]
    got = krippendorff_alpha([item for _, item, _ in data], [label for *_, label in data])
    whole = [(item, label) for item, labels in enumerate(items) for label in labels.values()]
    same = krippendorff_alpha([item for item, _ in whole], [label for _, label in whole])
    if data:
        assert got == same == pytest.approx(AnnotationTask(data=data).alpha())
    else:
        assert math.isnan(got) and math.isnan(same)


# --- pairs of annotators --------------------------------------------------------------------------------------------


def test_verdicts_of_three_people() -> None:
    items = [
        {"ann": True, "bob": True, "eve": False},
        {"ann": False, "bob": False, "eve": None},
        {"ann": True, "bob": False},
        {"ann": False, "bob": False},
    ]
    # ann, bob: 3 of 4 alike, shares of yes 0.5 and 0.25, chance 0.5: kappa 0.5. ann, eve and bob, eve: one item, not
    # alike: 0 and 0.
    found = pairwise_agreement(items)
    assert found.kappa == pytest.approx(0.5 / 3)
    assert found.observed == pytest.approx(0.75 / 3)
    assert found.pairs == 3
    assert pairwise_agreement([]) == pairwise_agreement([{"ann": True}, {"bob": True}]) == (None, None, 0)


def test_labels_are_compared_with_their_json_type() -> None:
    assert pairwise_agreement([{"a": 1, "b": True}]).observed == 0
    assert pairwise_agreement([{"a": 1, "b": "1"}]).observed == 0
    assert pairwise_agreement([{"a": 0, "b": False}]).observed == 0
    assert pairwise_agreement([{"a": 1, "b": 1.0}]).observed == 1
    assert pairwise_agreement([{"a": "é", "b": "e\u0301"}]).observed == 0  # text as it stands


labels = st.none() | st.booleans() | st.sampled_from([0, 1, 1.0, "1", "", "ja"])
annotated = st.lists(st.dictionaries(st.sampled_from("abcd"), labels, max_size=4), max_size=10)


def obvious(items: list[dict[str, Any]], weights: list[int]) -> tuple[float, float]:
    """Pair by pair, item by item, label by label."""
    names = sorted({name for item in items for name in item})
    kappas, shares = [], []
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            both = [
                (f"{type(item[one]) is bool}{item[one]!r}".replace("1.0", "1"),
                 f"{type(item[other]) is bool}{item[other]!r}".replace("1.0", "1"))
                for item, weight in zip(items, weights, strict=True)
                for _ in range(weight)
                if item.get(one) is not None and item.get(other) is not None
            ]  # fmt: skip
            if not both:
                continue
            share = sum(a == b for a, b in both) / len(both)
            kinds = {kind for pair in both for kind in pair}
            chance = sum(
                sum(a == kind for a, _ in both) * sum(b == kind for _, b in both) / len(both) ** 2 for kind in kinds
            )
            shares.append(share)
            kappas.append(1.0 if len(kinds) == 1 else (share - chance) / (1 - chance))
    nothing = math.nan
    return (sum(kappas) / len(kappas) if kappas else nothing), (sum(shares) / len(shares) if shares else nothing)


@given(annotated, st.data())
def test_pairs_agree_with_the_obvious_implementation(items: list[dict[str, Any]], data: Any) -> None:
    weights = data.draw(st.lists(st.integers(0, 2), min_size=len(items), max_size=len(items)))
    pairs = label_pairs(items)
    drawn = np.array(weights, dtype=np.float64)
    got = mean_over_pairs(pairs.kappas(drawn)), mean_over_pairs(pairs.observed(drawn))
    assert got == pytest.approx(obvious(items, weights), nan_ok=True)
