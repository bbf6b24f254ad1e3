"""A card that is being dragged: where it is to land, and the order that would make."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint

from stepscope.core.frozen import dataclass


def moved(order: tuple[str, ...], step: str, to: int) -> tuple[str, ...]:
    """The order with the step at another place, the others as they followed each other."""
    rest = [one for one in order if one != step]
    rest.insert(min(max(to, 0), len(rest)), step)
    return tuple(rest)


@dataclass(frozen=True, slots=True)
class CardDrag:
    """`start` is where the button went down, `grip` that place inside the card, `at` the pointer now, all in the
    viewport; `begun` once the pointer has gone far enough; `target` is the place at which the card would land."""

    step: str
    start: QPoint
    grip: QPoint
    at: QPoint
    target: int
    begun: bool = False

    def led_to(self, at: QPoint, least: int) -> CardDrag:
        """The drag with the pointer elsewhere; it begins `least` pixels from its start."""
        return replace(self, at=at, begun=self.begun or (at - self.start).manhattanLength() >= least)

    def over(self, target: int) -> CardDrag:
        return replace(self, target=target)

    def order(self, order: tuple[str, ...]) -> tuple[str, ...]:
        """The order as it would be if the card were let go now."""
        return moved(order, self.step, self.target) if self.begun else order
