"""Two tails that statistics need, so that nobody installs a library of 115 MB for them.

Sources: the saddle-point form of the binomial (Loader 2000, *Fast and accurate computation of binomial probabilities*),
and Student's distribution as an integral of a power of the cosine (Abramowitz and Stegun 26.7.3). Tests hold both
against scipy.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

_EXACT = 2_000
"""Coins up to which the largest term is worked out in whole numbers; above, up to ten million, it is within 1e-8 of
scipy's (measured)."""
_LARGE = 1_000
_NODES = 64


def fair_coins(most: int, coins: int) -> float:
    """The chance of at most `most` heads of so many fair coins, `most` no more than their half."""
    below = np.arange(most, 0, -1, dtype=np.float64)
    ratios = np.cumprod(below / (coins - below + 1))  # each term over the largest one, which is the last
    return _term(most, coins) * (1.0 + float(ratios.sum()))


def _term(heads: int, coins: int) -> float:
    """The chance of just so many heads."""
    if coins <= _EXACT:
        return math.comb(coins, heads) / (1 << coins)
    if not heads:
        return math.ldexp(1.0, -coins)
    tails, off = coins - heads, (coins - 2 * heads) / coins
    deviance = heads * math.log1p(-off) + tails * math.log1p(off)
    errors = _stirling(coins) - _stirling(heads) - _stirling(tails)
    return math.exp(errors - deviance) * math.sqrt(coins / (2 * math.pi * heads * tails))


def _stirling(number: int) -> float:
    """What Stirling's formula for the logarithm of a factorial leaves out."""
    if number < 16:
        return math.lgamma(number + 1) - (number + 0.5) * math.log(number) + number - 0.5 * math.log(2 * math.pi)
    return 1 / (12 * number) - 1 / (360 * number**3) + 1 / (1260 * number**5) - 1 / (1680 * number**7)


def students_t(chance: float, freedom: int) -> float:
    """The value that Student's t with so many degrees of freedom stays below with this chance, from one half up."""
    if freedom > _LARGE:
        factor = math.sqrt(freedom / 2) * (1 - 1 / (4 * freedom) + 1 / (32 * freedom**2) + 5 / (128 * freedom**3))
    else:
        factor = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    factor /= math.sqrt(math.pi)
    low, high = 0.0, math.pi / 2
    nodes, weights = _gauss()
    while high - low > 1e-16 * high:
        angle = (low + high) / 2
        if angle in (low, high):
            break
        within = factor * angle / 2 * float(weights @ np.cos(angle / 2 * (nodes + 1)) ** (freedom - 1))
        low, high = (angle, high) if within < chance - 0.5 else (low, angle)
    return math.sqrt(freedom) * math.tan(high)


@cache
def _gauss() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(_NODES)
