"""How far orders of several people, of models and of the data agree, two at a time and over all people.

Rules and their sources: `order_agreement_match` (paper), docs/protocols/order_agreement.md. The tau of two orders is
Cohen's kappa of their relations over all pairs of steps, which is Kendall's tau.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.order_agreement_match import agreement, full_kappa, turned

Order = tuple[str, ...]
OrdersByProcedure = Mapping[str, Order]


@dataclass(frozen=True, slots=True)
class OrderPair:
    """Two parties over the `n` procedures that both ordered: the share on which they gave the very same order, and the
    mean tau. Both None where n is 0."""

    first: str
    second: str
    n: int
    exact: float | None
    tau: float | None


@dataclass(frozen=True, slots=True)
class OrderKappa:
    """Agreement of all people: the mean over `n` procedures, None where no procedure has orders of two people."""

    kappa: float | None
    n: int


def tau_of(order: Order, other: Order) -> float:
    """Kendall's tau of two orders of the same steps, from -1 to 1."""
    return full_kappa(turned(_numbers(order, other)), turned(range(len(other))), len(other))


def order_pairs(parties: Mapping[str, OrdersByProcedure], fixed: Mapping[str, OrdersByProcedure]) -> list[OrderPair]:
    """Each two of `parties`, then each of them against each of `fixed`. Orders of other steps than the other party's
    are left out."""
    pairs = [*combinations(parties, 2), *((one, other) for other in fixed for one in parties)]
    known = {**fixed, **parties}
    return [_pair(first, second, known[first], known[second]) for first, second in pairs]


def standard_kappa(orders: Mapping[str, Mapping[str, Order]]) -> OrderKappa:
    """How far people agree on the order itself; `orders[procedure][person]`."""
    found = []
    for by_person in orders.values():
        given = list(by_person.values())
        if len(given) > 1 and all(_same_steps(order, given[0]) for order in given):
            people = [[turned(_numbers(order, given[0]))] for order in given]
            found.append(agreement(people, len(given[0])).kappa)
    return _mean(found)


def alternatives_kappa(
    originals: OrdersByProcedure, alternatives: Mapping[str, Mapping[str, Sequence[Order]]]
) -> OrderKappa:
    """How far people agree on the orders that are right too; `alternatives[procedure][person]` may be empty. Procedures
    without an original are left out."""
    found = []
    for procedure, by_person in alternatives.items():
        original = originals.get(procedure)
        if original is None or len(by_person) < 2:
            continue
        people = [
            [turned(_numbers(order, original)) for order in orders if _same_steps(order, original)]
            for orders in by_person.values()
        ]
        found.append(agreement(people, len(original)).kappa)
    return _mean(found)


def _pair(first: str, second: str, a: OrdersByProcedure, b: OrdersByProcedure) -> OrderPair:
    common = [(a[name], b[name]) for name in a if name in b and _same_steps(a[name], b[name])]
    if not common:
        return OrderPair(first, second, 0, None, None)
    n = len(common)
    exact = sum(one == other for one, other in common) / n
    return OrderPair(first, second, n, exact, sum(tau_of(one, other) for one, other in common) / n)


def _same_steps(order: Order, other: Order) -> bool:
    return sorted(order) == sorted(other)


def _numbers(order: Order, original: Order) -> list[int]:
    place = {step: number for number, step in enumerate(original)}
    return [place[step] for step in order]


def _mean(found: Iterable[float | None]) -> OrderKappa:
    values = [value for value in found if value is not None]
    return OrderKappa(sum(values) / len(values) if values else None, len(values))
