"""The most likely order under a pointer that looks at the last chosen step and at those that remain.

The chance that step j comes next, after step i, with the set R remaining, is the softmax over R of
follows[i, j] + weight · mean over r in R without j of before[j, r]. Source: the pointer is BERSON's with our state (see
`network`); beam 64 as in the paper (Wu et al. 2022), the exact search over sets is ours (after Held and Karp 1962).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

EXACT = 9
"""The most steps that are searched exactly: sets double with each."""
BEAM = 64
_LEAST = -1e30


def best_order(before: Numbers, follows: Numbers, weight: float) -> tuple[int, ...]:
    """Places of the steps in the most likely order: exact up to `EXACT` steps, by a beam above."""
    if len(before) <= EXACT:
        return exact(before, follows, weight)[0]
    return beam(before, follows, weight)[0]


def log_chances(
    before: Numbers, follows: Numbers, weight: float, remaining: NDArray[np.bool_], last: NDArray[np.intp] | int
) -> Numbers:
    """Logs of the chances of every step to come next, for each of `last` (the number of steps: none yet)."""
    count = remaining.sum()
    others = before @ remaining.astype(np.float64)  # before[j, j] is 0
    score = np.atleast_2d(follows[last]) + weight * others / max(count - 1, 1)
    score = np.where(remaining, score, _LEAST)
    top = score.max(axis=1, keepdims=True)
    found: Numbers = score - top - np.log(np.exp(score - top).sum(axis=1, keepdims=True))
    return found


def exact(before: Numbers, follows: Numbers, weight: float) -> tuple[tuple[int, ...], float]:
    """The most likely of all orders and the log of its chance; of equal ones the first by places."""
    count = len(before)
    if not count:
        return (), 0.0
    whole = (1 << count) - 1
    best = np.full((whole + 1, count), -np.inf)
    came = np.full((whole + 1, count), -1)
    bits = 1 << np.arange(count)
    best[bits, np.arange(count)] = log_chances(before, follows, weight, np.ones(count, bool), count)[0]
    for chosen in range(1, whole):
        inside = (chosen & bits) > 0
        lasts = np.flatnonzero(inside)
        nexts = np.flatnonzero(~inside)
        chances = log_chances(before, follows, weight, ~inside, lasts)[:, nexts]
        total = best[chosen, lasts][:, None] + chances
        top = total.argmax(axis=0)
        after = chosen | bits[nexts]
        best[after, nexts] = total[top, np.arange(len(nexts))]
        came[after, nexts] = lasts[top]
    order: list[int] = []
    chosen, last = whole, int(best[whole].argmax())
    chance = float(best[whole, last])
    while last >= 0:
        order.append(last)
        chosen, last = chosen ^ int(bits[last]), int(came[chosen, last])
    return tuple(reversed(order)), chance


def beam(before: Numbers, follows: Numbers, weight: float, width: int = BEAM) -> tuple[tuple[int, ...], float]:
    """The best order that keeping `width` beginnings at a time finds, and the log of its chance."""
    count = len(before)
    orders = np.zeros((1, 0), np.intp)
    chances = np.zeros(1)
    remaining = np.ones((1, count), bool)
    for taken in range(count):
        last = orders[:, -1] if taken else np.full(1, count)
        left = count - taken
        score = follows[last] + weight * (remaining @ before.T) / max(left - 1, 1)
        score = np.where(remaining, score, _LEAST)
        top = score.max(axis=1, keepdims=True)
        total = chances[:, None] + score - top - np.log(np.exp(score - top).sum(axis=1, keepdims=True))
        total = np.where(remaining, total, -np.inf)
        kept = np.argsort(-total, axis=None, kind="stable")[: min(width, int(remaining.sum()))]
        rows, columns = np.unravel_index(kept, total.shape)
        orders = np.concatenate([orders[rows], columns[:, None]], axis=1)
        chances = total[rows, columns]
        remaining = remaining[rows].copy()
        remaining[np.arange(len(rows)), columns] = False
    return tuple(int(place) for place in orders[0]), float(chances[0])
