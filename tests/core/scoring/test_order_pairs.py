"""Agreement of people, models and the data on orders, two at a time: worked out by hand, and against scipy."""

from __future__ import annotations

from itertools import permutations

import pytest

from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.order_pairs import (
    OrderKappa,
    OrderPair,
    alternatives_kappa,
    order_pairs,
    standard_kappa,
    tau_of,
)

scipy_stats = lazy_module("scipy.stats")


@pytest.mark.needs("scipy.stats")
def test_tau_is_kendalls() -> None:
    items = ("a", "b", "c", "d")
    for order in permutations(items):
        for other in (items, ("c", "a", "d", "b")):
            ranks = [[one.index(item) for item in items] for one in (order, other)]
            assert tau_of(order, other) == pytest.approx(scipy_stats.kendalltau(*ranks).statistic)


def test_each_two_are_held_against_each_other_over_what_both_ordered() -> None:
    ann = {"p": tuple("abc"), "q": tuple("xy")}
    bob = {"p": tuple("bac"), "q": tuple("xy"), "r": tuple("mn")}
    eve = {"q": tuple("zy")}
    found = order_pairs({"ann": ann, "bob": bob, "eve": eve}, {"A": {"p": tuple("cba")}})
    third = pytest.approx((1 / 3 + 1) / 2)
    assert found == [
        OrderPair("ann", "bob", 2, 0.5, third),
        OrderPair("ann", "eve", 0, None, None),
        OrderPair("bob", "eve", 0, None, None),
        OrderPair("ann", "A", 1, 0.0, -1.0),
        OrderPair("bob", "A", 1, 0.0, pytest.approx(-1 / 3)),
        OrderPair("eve", "A", 0, None, None),
    ], "of three pairs one is turned between a b c and b a c: tau 1/3; eve ordered other steps"


def test_all_people_are_told_by_the_protocols_worked_example() -> None:
    """docs/protocols/order_agreement.md: 5/9 for three orders of four steps, -4/5 for their alternatives."""
    standard = {"i2": {"ann": tuple("1234"), "bob": tuple("2134"), "cem": tuple("2143")}, "one": {"ann": tuple("12")}}
    assert standard_kappa(standard) == OrderKappa(pytest.approx(5 / 9), 1)
    said = {"i1": {"ann": [tuple("2134"), tuple("1243")], "bob": [tuple("2143")], "cem": []}}
    assert alternatives_kappa({"i1": tuple("1234")}, said) == OrderKappa(pytest.approx(-4 / 5), 1)
    assert alternatives_kappa({}, said) == standard_kappa({}) == OrderKappa(None, 0)
