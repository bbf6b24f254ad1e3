"""An order out of which of two steps comes first, told pair by pair: topological sort.

Source: pairs as a graph that is sorted topologically are those of Prabhumoye et al. 2020 ("Topological Sort for
Sentence Ordering", ACL 2020). Pairs may contradict each other (a before b, b before c, c before a), which the paper
leaves to its sort; that the most certain pairs count first and one that would close a circle is left out is ours, and
is how ranked pairs decide a vote (Tideman 1987). Sorting is Kahn's (1962).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def topological_order(before: Numbers) -> tuple[int, ...]:
    """Places of the steps in order. `before` (steps, steps): logits of row before column, antisymmetric.

    Where the pairs leave several steps to be next, that is taken which is before the others by the sum of its
    probabilities; of equal ones the first by places.
    """
    edges = kept_edges(before)
    chances = 1 / (1 + np.exp(-np.clip(before, -_LARGEST, _LARGEST)))
    left = np.ones(len(before), bool)
    order: list[int] = []
    while left.any():
        free = np.flatnonzero(left & ~(edges & left[:, None]).any(axis=0))
        sums = chances[free][:, left].sum(axis=1)
        place = int(free[sums.argmax()])
        order.append(place)
        left[place] = False
    return tuple(order)


def kept_edges(before: Numbers) -> NDArray[np.bool_]:
    """Which steps stand before which (steps, steps), row before column: the pairs from the most to the least certain,
    of equal ones the first by places, without those that would close a circle. A pair of even chances says nothing."""
    rows, columns = np.triu_indices(len(before), 1)
    edges = np.zeros(before.shape, bool)
    reached = np.eye(len(before), dtype=bool)  # from the row the column, along edges
    for pair in np.argsort(-np.abs(before[rows, columns]), kind="stable"):
        one, other = int(rows[pair]), int(columns[pair])
        if before[one, other] == 0:
            break  # all that follow are as even
        first, second = (one, other) if before[one, other] > 0 else (other, one)
        if reached[second, first]:
            continue
        edges[first, second] = True
        if not reached[first, second]:
            reached |= np.outer(reached[:, first], reached[second])
    return edges


_LARGEST = 700.0
"""The largest logit of which the exponential is a number."""
