"""The recorded order of shuffled steps, as recipes learn from it and are measured by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stepscope.core.domain.procedure import LEAST_STEPS
from stepscope.core.evaluation.tasks import Item
from stepscope.models.learned.recipe import Array, Example

NONE = -1
"""Stands behind the end of an order in a batch."""


def recorded_order(item: Item, *, written: bool = False) -> Example | None:
    """`order` (steps,): the places of the steps as shown, in the recorded order. None where there is none to find:
    too few steps, or an order that the data calls none, unless the one in which they are `written` counts too."""
    shown, procedure = item.material.id_of, item.material.procedure
    if not (procedure.ordered or written) or len(procedure.steps) < LEAST_STEPS:
        return None
    place_of = {step_id: int(place) - 1 for place, step_id in shown.items()}
    return {"order": np.array([place_of[step.id] for step in procedure.steps], np.int64)}


def padded_orders(targets: Sequence[Example]) -> Array:
    """The orders of a batch (n, steps), −1 behind their end; never fewer than two columns, as inputs are padded."""
    longest = max(LEAST_STEPS, *(len(target["order"]) for target in targets))
    whole = np.full((len(targets), longest), NONE, np.int64)
    for row, target in enumerate(targets):
        whole[row, : len(target["order"])] = target["order"]
    return whole


def right_pairs(found: Sequence[int] | Array, order: Array) -> float:
    """The share of pairs of steps that an order has as the recorded one, 0 to 1; both are places as shown."""
    count = len(order)
    place = np.argsort(found)[order]  # where each step of the recorded order was put
    right = np.triu(place[:, None] < place[None, :], 1).sum()
    return float(right / (count * (count - 1) / 2))
