"""Alternative right orders of a procedure's steps, as the multimodal sequencing release writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from stepscope.core.sources.findings import Findings


def orders_of(value: object, ids: Sequence[str], findings: Findings) -> tuple[tuple[str, ...], ...]:
    """`multiref_gt` as orders of step ids, the recorded order left out; a finding for each that is no permutation.

    Each list gives the steps' ranks (code): its first number is the place of the first step in an order that is right,
    its second that of the second, by numbers that begin at the first list's smallest. The released data sets of the
    evaluation take them so: they shuffle a list along with the steps and sort by it.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        findings.add("the alternative orders are no list", field="multiref_gt")
        return ()
    start = _smallest(value[0]) if value else 0
    orders: list[tuple[str, ...]] = []
    for number, numbers in enumerate(value, start=1):
        ranks = [entry - start for entry in numbers] if _are_numbers(numbers) else []
        if sorted(ranks) != list(range(len(ids))):
            findings.add(f"alternative order {number} does not name each place once", field="multiref_gt")
            continue
        order = tuple(step for _, step in sorted(zip(ranks, ids, strict=True)))
        if order != tuple(ids) and order not in orders:
            orders.append(order)
    return tuple(orders)


def _smallest(numbers: object) -> int:
    return min(numbers) if _are_numbers(numbers) and numbers else 0


def _are_numbers(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(entry) is int for entry in value)
