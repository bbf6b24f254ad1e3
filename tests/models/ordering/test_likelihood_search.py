"""The search for the likeliest order against all orders."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations
from math import factorial

import numpy as np
import pytest

from stepscope.models.ordering.likelihood_search import beam, likeliest


class Drawn:
    """Likelihoods by chance: of each step after each beginning a number of its own, whatever is asked in between."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.asked = 0

    def __call__(self, orders: Sequence[tuple[int, ...]]) -> np.ndarray:
        self.asked += len(orders)
        return np.array([self.of(order) for order in orders])

    def of(self, order: tuple[int, ...]) -> float:
        steps = (np.random.default_rng((self.seed, *order[:end])).normal(-20, 3) for end in range(1, len(order) + 1))
        return float(sum(steps))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_up_to_five_steps_all_orders_are_asked_about(count: int) -> None:
    drawn = Drawn(count)
    orders = {order: drawn.of(order) for order in permutations(range(count))}
    found = likeliest(count, drawn)
    assert found.order == max(orders, key=lambda order: orders[order])
    assert found.log_likelihood == pytest.approx(orders[found.order])
    assert found.asked == drawn.asked == factorial(count)
    whole = sum(np.exp(value) for value in orders.values())
    assert found.chance == pytest.approx(np.exp(orders[found.order]) / whole)
    assert found.before is not None
    for one, other in permutations(range(count), 2):
        share = sum(np.exp(value) for order, value in orders.items() if order.index(one) < order.index(other)) / whole
        assert found.before[one, other] == pytest.approx(share)


def test_a_beam_that_drops_nothing_finds_the_likeliest_of_all() -> None:
    drawn = Drawn(3)
    assert beam(5, drawn, width=120).order == max(permutations(range(5)), key=drawn.of)


def test_above_five_steps_a_beam_asks_about_few() -> None:
    drawn = Drawn(1)
    found = likeliest(7, drawn)
    assert sorted(found.order) == list(range(7)) and (found.chance, found.before) == (None, None)
    assert found.log_likelihood == pytest.approx(drawn.of(found.order))
    assert drawn.asked <= 7 + 7 * 6 + 16 * (5 + 4 + 3 + 2 + 1)


def test_a_step_of_few_tokens_is_not_taken_first_for_being_short() -> None:
    """Short steps are likelier anywhere. Here each is likelier after the one before it, and the last is the
    shortest."""
    length = [-60.0, -50.0, -40.0, -30.0, -20.0, -1.0]

    def likelihoods(orders: Sequence[tuple[int, ...]]) -> np.ndarray:
        follows = [sum(one + 1 == other for one, other in pairwise(order)) for order in orders]
        return np.array([sum(length[step] for step in order) for order in orders]) + np.array(follows)

    assert beam(6, likelihoods, width=2).order == (0, 1, 2, 3, 4, 5)
