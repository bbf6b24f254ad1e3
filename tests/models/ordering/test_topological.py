"""Topological sort of pairs: a circle worked out by hand, and every order tried."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from stepscope.models.ordering.topological import kept_edges, topological_order


def table(count: int, **pairs: float) -> np.ndarray:
    """Logits by pair: b0a1=2 says that 0 is before 1 by 2."""
    found = np.zeros((count, count))
    for name, value in pairs.items():
        one, other = int(name[1]), int(name[3])
        found[one, other], found[other, one] = value, -value
    return found


def kept_first(before: np.ndarray) -> tuple[int, ...]:
    """Of all orders the one that keeps the most certain pair, among those the next, and so on, by trying them all."""
    pairs = sorted(combinations(range(len(before)), 2), key=lambda pair: -abs(before[pair]))
    return max(
        permutations(range(len(before))),
        key=lambda order: [(order.index(one) < order.index(other)) == (before[one, other] > 0) for one, other in pairs],
    )


def test_the_least_certain_pair_of_a_circle_is_left_out() -> None:
    circle = table(3, b0a1=3.0, b1a2=1.0, b2a0=2.0)  # 0 before 1, 1 before 2, 2 before 0
    assert [tuple(edge) for edge in np.argwhere(kept_edges(circle)).tolist()] == [(0, 1), (2, 0)]
    assert topological_order(circle) == (2, 0, 1)


def test_pairs_without_contradiction_are_sorted() -> None:
    places = np.array([3, 0, 2, 1])
    assert topological_order(np.sign(places[None, :] - places[:, None]) * 5.0) == (1, 3, 2, 0)


def test_even_chances_leave_it_to_the_sums_and_then_to_the_places() -> None:
    assert topological_order(np.zeros((3, 3))) == (0, 1, 2)
    # 2 is before 1 and nothing else is told: 2 has the larger sum, then 0 and 1 have nothing between them
    assert topological_order(table(3, b2a1=1.0)) == (2, 0, 1)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_steps_have_an_order_too(count: int) -> None:
    assert topological_order(np.zeros((count, count))) == tuple(range(count))


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_order_that_keeps_the_most_certain_pairs(seed: int) -> None:
    relation = np.random.default_rng(seed).normal(size=(5, 5)) * 1000  # so certain that chances are 0 or 1
    assert topological_order(relation - relation.T) == kept_first(relation - relation.T)
