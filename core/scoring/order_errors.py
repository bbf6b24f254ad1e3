"""What kind of mistake an order of steps is, against one right order (ours; docs/protocols/ordering.md).

The kinds exclude one another: the mildest that explains the order counts. Whether the first or the last step is wrong
may hold beside any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from stepscope.core.frozen import dataclass


class OrderErrorKind(StrEnum):
    """SWAP: two neighbours changed places. BLOCK: neighbours that kept their order were moved together. MALFORMED: no
    order that names each step once."""

    RIGHT = "right"
    SWAP = "swap"
    BLOCK = "block"
    OTHER = "other"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class OrderError:
    """A malformed order has neither a first nor a last step that could be wrong."""

    kind: OrderErrorKind
    first_wrong: bool = False
    last_wrong: bool = False


def order_error(order: Sequence[str] | None, reference: Sequence[str]) -> OrderError:
    """What is wrong with the order of these steps, None for none; `reference` names each step once."""
    place = {step: number for number, step in enumerate(reference)}
    if order is None or len(order) != len(place) or set(order) != place.keys():
        return OrderError(OrderErrorKind.MALFORMED)
    ranking = [place[step] for step in order]
    wrong = [number for number, rank in enumerate(ranking) if rank != number]
    if not wrong:
        return OrderError(OrderErrorKind.RIGHT)
    first, end = wrong[0], wrong[-1] + 1
    return OrderError(_kind(ranking[first:end], first, end), first == 0, end == len(ranking))


def _kind(moved: list[int], first: int, end: int) -> OrderErrorKind:
    """`moved` is what stands between the first and the last wrong place, `end` being behind it: one block has moved
    where the two parts of that stretch have changed places."""
    start = moved[0]
    if moved != [*range(start, end), *range(first, start)]:
        return OrderErrorKind.OTHER
    return OrderErrorKind.SWAP if len(moved) == 2 else OrderErrorKind.BLOCK
