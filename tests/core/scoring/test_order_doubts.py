"""Interchangeable steps as a prediction: pairs, average precision, F1 and the constant answer, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.prediction import OrderAnswer
from stepscope.core.scoring.bootstrap import intervals
from stepscope.core.scoring.order_doubts import doubt_of, doubt_tally, interchangeable_pairs, pair_doubts

REFERENCES = ("abc", "acb")


def answer(order, *chances):
    """Chances above the diagonal, row by row; below it stands what nobody reads."""
    count, left = len(order), list(chances)
    table = [[left.pop(0) if j > i else 9.0 for j in range(count)] for i in range(count)]
    return OrderAnswer(tuple(order), tuple(map(tuple, table)))


@pytest.mark.parametrize(("chance", "doubt"), [(0.5, 1), (0, 0), (1, 0), (0.25, 0.5), (0.75, 0.5), (0.9, 0.2)])
def test_doubt_is_largest_where_nothing_is_known(chance, doubt):
    assert doubt_of(chance) == pytest.approx(doubt)


def test_pairs_that_right_orders_put_otherwise():
    assert interchangeable_pairs(REFERENCES) == {frozenset("bc")}
    assert interchangeable_pairs(("abcd", "bacd", "abdc")) == {frozenset("ab"), frozenset("cd")}
    assert interchangeable_pairs(("abc",)) == interchangeable_pairs(()) == frozenset()


def test_pairs_of_an_answer():
    found = pair_doubts(answer("bac", 0.9, 0.5, 0.25), REFERENCES)
    assert [(one.first, one.second, one.interchangeable, one.said) for one in found] == [
        ("b", "a", False, False), ("b", "c", True, True), ("a", "c", False, True),
    ]  # fmt: skip
    assert [one.doubt for one in found] == pytest.approx([0.2, 1, 0.5])


@pytest.mark.parametrize(
    ("given_answer", "references"),
    [
        (answer("abc", 0.5, 0.5, 0.5), ("abc", "abc")),
        (OrderAnswer(tuple("abc")), REFERENCES),
        (answer("abd", 0.5, 0.5, 0.5), REFERENCES),
        (answer("abc", 0.5, float("nan"), 0.5), REFERENCES),
        (answer("abc", 0.5, 1.5, 0.5), REFERENCES),
        (OrderAnswer(tuple("abc"), ((0.5, 0.5),)), REFERENCES),
    ],
)
def test_there_are_none_of_one_order_and_without_chances(given_answer, references):
    assert pair_doubts(given_answer, references) == ()


def test_average_precision_and_f1_over_two_procedures():
    """Doubts of all pairs: 1 (b c, is), 0.5 (a c, is not), 0.2 (b a, is not); 0.6 (x y, is not) 0.4 (x z, is not),
    0.2 (y z, is). Ranked: is at 1, then at 0.2 together with one that is not, as fifth and sixth: precision 1 and 2/6,
    each for half of the recall. From 0.5 on 1 of 3 are; 2 are altogether: F1 2/5."""
    tally = doubt_tally(
        [
            pair_doubts(answer("bac", 0.9, 0.5, 0.25), REFERENCES),
            pair_doubts(answer("xyz", 0.7, 0.8, 0.9), ("xyz", "xzy")),
        ]
    )
    assert dict(tally.values()) == pytest.approx(
        {"average_precision": (1 + 2 / 6) / 2, "f1": 2 / 5, "base_rate": 2 / 6, "constant_f1": 4 / 8}
    )
    drawn = dict(intervals(tally, draws=200, seed=0))
    first = doubt_tally([pair_doubts(answer("bac", 0.9, 0.5, 0.25), REFERENCES)])
    assert dict(first.values())["average_precision"] == 1
    assert drawn["average_precision"] == pytest.approx((1 / 3, 1)), "twice the second (1 of 3 at 0.2), twice the first"


def test_nothing_has_no_value():
    assert set(dict(doubt_tally([]).values()).values()) == {None}


@given(st.permutations("abcd"), st.permutations("abcd"), st.floats(0, 1))
def test_who_doubts_all_alike_reaches_the_base_rate(one, other, chance):
    pairs = pair_doubts(answer("".join(one), *[chance] * 6), ("".join(one), "".join(other)))
    if one == other:
        assert pairs == ()
        return
    values = dict(doubt_tally([pairs]).values())
    assert values["average_precision"] == pytest.approx(values["base_rate"])
    assert values["f1"] == (pytest.approx(values["constant_f1"]) if 0.25 <= chance <= 0.75 else 0)
