"""The search for the most likely order against all orders."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.models.ordering.search import beam, best_order, exact


def drawn(count: int, seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    seeded_random = np.random.default_rng(seed)
    relation = seeded_random.normal(size=(count, count))
    return relation - relation.T, seeded_random.normal(size=(count + 1, count)), float(seeded_random.uniform(0, 3))


def chance(order: tuple[int, ...], before: np.ndarray, follows: np.ndarray, weight: float) -> float:
    """The log of an order's chance, straight from its definition."""
    total, last, left = 0.0, len(before), list(range(len(before)))
    for step in order:
        scores = {
            one: follows[last, one] + weight * sum(before[one, other] for other in left if other != one)
            / max(len(left) - 1, 1)
            for one in left
        }  # fmt: skip
        total += scores[step] - np.log(sum(np.exp(score) for score in scores.values()))
        last = step
        left.remove(step)
    return total


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [2, 3, 5, 6])
def test_exact_finds_the_best_of_all_orders(count: int, seed: int) -> None:
    given_ = drawn(count, seed)
    best = max(permutations(range(count)), key=lambda order: chance(order, *given_))
    order, found = exact(*given_)
    assert order == best
    assert found == pytest.approx(chance(best, *given_))


@given(st.integers(1, 7), st.integers(0, 10_000))
@settings(max_examples=settings().max_examples * 2, deadline=None)
def test_a_beam_that_drops_nothing_is_exact(count: int, seed: int) -> None:
    given_ = drawn(count, seed)
    wide, narrow = beam(*given_, width=5040), beam(*given_, width=1)
    assert wide[1] == pytest.approx(exact(*given_)[1])
    assert narrow[1] <= wide[1] + 1e-9
    assert narrow[1] == pytest.approx(chance(narrow[0], *given_))
    assert sorted(narrow[0]) == list(range(count))


def test_relations_alone_sort() -> None:
    places = np.array([3, 0, 2, 1])  # where each step belongs
    before = np.sign(places[None, :] - places[:, None]) * 5.0
    assert best_order(before, np.zeros((5, 4)), 1.0) == (1, 3, 2, 0)


def test_followers_alone_sort() -> None:
    follows = np.full((4, 3), -5.0)
    follows[3, 2] = follows[2, 0] = follows[0, 1] = 5.0
    assert best_order(np.zeros((3, 3)), follows, 0.0) == (2, 0, 1)


def test_long_procedures_are_searched_by_a_beam() -> None:
    count = 300
    places = np.random.default_rng(0).permutation(count)
    before = np.sign(places[None, :] - places[:, None]) * 50.0
    assert best_order(before, np.zeros((count + 1, count)), 1.0) == tuple(np.argsort(places))


def test_no_and_one_step() -> None:
    assert exact(np.zeros((0, 0)), np.zeros((1, 0)), 1.0) == ((), 0.0)
    assert best_order(np.zeros((1, 1)), np.zeros((2, 1)), 1.0) == (0,)
