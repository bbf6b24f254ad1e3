"""The likeliest order of steps where any beginning of an order can be asked how likely it is.

Source: ours. Up to five steps every order is asked about; above, beginnings are kept in a beam. All whole orders have
the same tokens, so that their likelihoods compare as they are. Beginnings have not: what a step is worth is how much
likelier it becomes by the steps before it, beside standing first. That sums up to the likelihood of the whole order
less a number that is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from stepscope.core.frozen import dataclass

Numbers = NDArray[np.float64]
Order = tuple[int, ...]
Likelihoods = Callable[[Sequence[Order]], Numbers]
"""Logs of how likely goal and steps in these orders are; an order may be only the beginning of one."""

EXACT = 5
"""The most steps of which all orders are asked about: 120."""
BEAM = 16
"""Beginnings that are kept (ours): each costs a pass over its text for every step that may follow."""


@dataclass(frozen=True, slots=True)
class LikeliestOrder:
    """`log_likelihood` of goal and steps in this order; `asked` whole orders. Where all were asked about, `chance` is
    this one's share among them and `before` (steps, steps) that of the orders with row before column; else None."""

    order: Order
    log_likelihood: float
    asked: int
    chance: float | None = None
    before: Numbers | None = None


def likeliest(count: int, likelihoods: Likelihoods) -> LikeliestOrder:
    """The likeliest order of so many steps, of equal ones the first by places."""
    return _of_all(count, likelihoods) if count <= EXACT else beam(count, likelihoods)


def _of_all(count: int, likelihoods: Likelihoods) -> LikeliestOrder:
    orders = list(permutations(range(count)))
    logs = likelihoods(orders)
    best = int(logs.argmax())
    shares = np.exp(logs - logs[best])
    shares /= shares.sum()
    before = np.full((count, count), 0.5)
    places = np.argsort(np.array(orders, np.intp).reshape(len(orders), count), axis=1)  # of each step in each order
    for one in range(count):
        for other in range(one + 1, count):
            before[one, other] = shares[places[:, one] < places[:, other]].sum()
            before[other, one] = 1 - before[one, other]
    return LikeliestOrder(orders[best], float(logs[best]), len(orders), float(shares[best]), before)


def beam(count: int, likelihoods: Likelihoods, width: int = BEAM) -> LikeliestOrder:
    """The best order that keeping `width` beginnings at a time finds."""
    alone = likelihoods([(step,) for step in range(count)])  # with the goal before them
    kept: list[Order] = [(step,) for step in range(count)]  # all of them: as first steps none is worth more
    logs = alone
    for _ in range(count - 1):
        kept = [(*begun, step) for begun in kept for step in range(count) if step not in begun]
        logs = likelihoods(kept)
        worth = logs - np.array([alone[list(order)].sum() for order in kept])
        best = np.argsort(-worth, kind="stable")[:width]
        kept, logs = [kept[place] for place in best], logs[best]
    return LikeliestOrder(kept[0], float(logs[0]), len(kept))
