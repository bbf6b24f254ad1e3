"""Agreement of people on orders: Cohen's kappa over relations of pairs of items.

Source (paper): Wu et al. 2022, appendix B.3. An order is the 0/1 vector over all ordered pairs of items, 1 when the
first precedes the second. Each unordered pair stands in it twice, once as 1 and once as 0. So half of any vector that
is compared here is ones, the agreement expected by chance is exactly 1/2, and kappa is twice the observed agreement
less 1. An order is kept as the set of unordered pairs that it turns round against the original, one bit a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import NamedTuple

Turned = int
"""The pairs that an order turns round against the original, as bits."""


class AnnotatorAgreement(NamedTuple):
    """Agreement of an instance's annotators. `kappa` is None when there is nothing to compare.

    `scores` says how many scores the mean is over, `standard` whether everybody gave exactly one order.
    """

    kappa: float | None
    scores: int
    standard: bool


def turned(order: Sequence[int]) -> Turned:
    """`order` has the numbers 0…N − 1, the original's being 0, 1, 2, …

    Each item has a row of bits: which items it should precede stand before it.
    """
    width = (len(order) + 7) // 8
    rows = [b""] * len(order)
    before = 0
    for item in order:
        rows[item] = (before >> item).to_bytes(width, "big")
        before |= 1 << item
    return int.from_bytes(b"".join(rows), "big")


def agreement(annotators: Sequence[Sequence[Turned]], items: int) -> AnnotatorAgreement:
    """All annotators of an instance, each with any number of orders."""
    if len(annotators) < 2:
        return AnnotatorAgreement(None, 0, False)
    standard = all(len(orders) == 1 for orders in annotators)
    found: list[float] = []
    for a, b in combinations(annotators, 2):
        found += [full_kappa(a[0], b[0], items)] if standard else alternative_kappas(a, b)
    return AnnotatorAgreement(sum(found) / len(found) if found else None, len(found), standard)


def full_kappa(a: Turned, b: Turned, items: int) -> float:
    """Kappa of two orders over all pairs: Kendall's tau between them; 1 where there is no pair."""
    pairs = items * (items - 1) // 2
    return 1 - 2 * (a ^ b).bit_count() / pairs if pairs else 1.0


def restricted_kappa(a: Turned, b: Turned) -> float:
    """Kappa of two orders over the pairs that either turns round; 1 where neither turns one."""
    union = (a | b).bit_count()
    return 2 * (a & b).bit_count() / union - 1 if union else 1.0


def alternative_kappas(a: Sequence[Turned], b: Sequence[Turned]) -> list[float]:
    """Scores of two annotators' alternative orders: of the best matching pairs, then of each order left over.

    The best pair comes first, of equal ones that with the earliest order of `a`, then of `b` (ours); each order is
    used once. An order that is left over is compared with the original, which turns nothing.
    """
    table = [(-restricted_kappa(a[i], b[j]), i, j) for i, j in product(range(len(a)), range(len(b)))]
    free_a, free_b = set(range(len(a))), set(range(len(b)))
    scores = []
    for less, i, j in sorted(table):
        if i in free_a and j in free_b:
            free_a.remove(i)
            free_b.remove(j)
            scores.append(-less)
    left_over = [a[i] for i in sorted(free_a)] + [b[j] for j in sorted(free_b)]
    return scores + [restricted_kappa(order, 0) for order in left_over]
