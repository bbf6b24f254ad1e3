"""Other right orders of a procedure, by the votes of several people.

Source (paper): Wu et al. 2022, appendix B.2.2: for each instance a majority vote on the annotated alternative orders
gives the further references; workers of too low agreement are left out before. What a majority is, and that one person
alone is none, is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.order_pairs import Order

LEAST_VOTERS = 2
"""People who must have given other orders before a vote counts (ours)."""


@dataclass(frozen=True, slots=True)
class VotedOrder:
    """An order and how many people gave it."""

    order: Order
    votes: int


@dataclass(frozen=True, slots=True)
class OrderVote:
    """The vote on a procedure: `voters` gave other orders, `orders` were given by more than half of them, the most
    votes first, of equals the first in the sorting of step ids."""

    voters: int
    orders: tuple[VotedOrder, ...]


def vote(given: Mapping[str, Sequence[Order]], *, least: int = LEAST_VOTERS) -> OrderVote:
    """`given` has each person's orders of one procedure, their own first.

    Voters are those who gave another order beside their own: who gave none was not asked, or saw none, which the data
    does not tell apart. All orders of a voter are votes, their own too, since the others are right *too* in their eyes;
    an order counts once for each person. Nothing is voted where there are fewer voters than `least`.
    """
    voters = {person: set(orders) for person, orders in given.items() if len(set(orders)) > 1}
    if len(voters) < least:
        return OrderVote(len(voters), ())
    counts: dict[Order, int] = {}
    for orders in voters.values():
        for order in orders:
            counts[order] = counts.get(order, 0) + 1
    won = sorted((-votes, order) for order, votes in counts.items() if 2 * votes > len(voters))
    return OrderVote(len(voters), tuple(VotedOrder(order, -less) for less, order in won))
