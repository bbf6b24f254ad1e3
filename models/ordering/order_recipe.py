"""What all recipes have in common that learn the recorded order of steps."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np

from stepscope.core.evaluation.tasks import Item
from stepscope.models.learned.encoder_choice import Config
from stepscope.models.learned.recipe import Array, Example
from stepscope.models.ordering.recorded_orders import padded_orders, recorded_order, right_pairs

ORDER_LABELS = "order-labels"
"""The part of the data that says which procedures have an order."""


class OrderRecipe:
    """Learns from the recorded order alone, and is chosen by pairs of steps; nothing is decided by the data, nor on the
    validation split."""

    measured = "pairs"
    baselines: tuple[str, ...] = ("as-given", "random-order")
    protocol = "ordering"
    metric = "kendall_tau"

    parts: tuple[str, ...] = (ORDER_LABELS,)
    written = False

    def learning(self, without: Sequence[str]) -> Self:
        """What is learned from: without ORDER_LABELS also procedures that the data calls unordered, as they are
        written. What is measured on stays."""
        found = copy(self)
        found.written = ORDER_LABELS in without
        return found

    def target(self, item: Item) -> Example | None:
        """`order` (steps,): the places of the steps as shown, in the recorded order."""
        return recorded_order(item, written=self.written)

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """Empty."""
        return {}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        """Orders (n, steps), −1 behind their end."""
        return (padded_orders(targets),)

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        """The config as it is."""
        return config


def mean_right_pairs(orders: Sequence[Sequence[int] | Array], targets: Sequence[Example]) -> float:
    """The mean over procedures of the share of pairs of steps that an order has as the recorded one."""
    return float(np.mean([right_pairs(order, one["order"]) for order, one in zip(orders, targets, strict=True)]))
