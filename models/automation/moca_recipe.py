"""`moca`: the kind of the action by one stream, type and box of the element by another, each with dynamic filters over
the screen (MoTIF, section 5.1; Singh et al. 2021)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.tasks import Item
from stepscope.models.automation.moca_answers import answer
from stepscope.models.automation.moca_types import narrowed, type_of
from stepscope.models.automation.navigation_features import sees_whole_screens
from stepscope.models.automation.navigation_recipe import NavigationRecipe
from stepscope.models.automation.navigation_targets import fractions_of, kind_number, place_of_action
from stepscope.models.catalog import MOCA
from stepscope.models.features.vectors import Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, PreparedRequest, Run

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

BOX_SHARE = 5.0
"""What the squared error of the box's edges counts in the loss beside the two cross entropies (ours)."""
_NONE = -100
"""No element is wanted, or none of those that are looked at; its type is left out of the loss."""


class MocaRecipe(NavigationRecipe):
    """The recipe by which `moca` is trained and asked. Source: MOCA as MoTIF adapts it (section 5.1, paper); sizes and
    settings are ours."""

    info = MOCA
    version = "1"

    def network(self, config: Config) -> Module:
        from stepscope.models.automation.moca_network import Moca

        return Moca(sizes_of(config))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        whole = sees_whole_screens(config)
        return [answer(draft, *outputs, whole=whole) for draft, outputs in zip(drafts, run(examples), strict=True)]

    def target(self, item: Item) -> Example | None:
        """`kind`; `placed` 1 where the action has a place, then `box` (4,) in fractions of the screen, else zeros;
        `type` of its element, and which it is, `element`, both −100 for none of those that are looked at; `boxes`
        (n, 4) and `types` (n,) of these. None for what is no action on the phone."""
        step = item.material
        kind = kind_number(step.action)
        if kind is None:
            return None
        place = place_of_action(step)
        elements = () if place is None else place.elements
        types = np.array([type_of(one.element) for one in elements], np.int64)
        known = place is not None and place.element >= 0
        return {
            "kind": np.array(kind, np.int64),
            "placed": np.array(float(place is not None), np.float32),
            "box": np.zeros(4, np.float32) if place is None else place.box,
            "type": np.array(types[place.element] if known and place else _NONE, np.int64),
            "element": np.array(place.element if known and place else _NONE, np.int64),
            "boxes": fractions_of([one.box for one in elements]),
            "types": types,
        }

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        return {}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return tuple(np.stack([target[name] for target in targets]) for name in ("kind", "placed", "box", "type"))

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """Cross entropies of the kinds and, where it is known, of the type; the mean squared error of the box's edges
        where there is a place (ours: the paper does not say by what the box is learned)."""
        from torch.nn.functional import cross_entropy

        kinds, types, box, *_ = outputs
        kind, placed, wanted, kind_of_element = targets
        apart = ((box - wanted) ** 2).mean(1) * placed
        typed = cross_entropy(types, kind_of_element, ignore_index=_NONE, reduction="sum")
        found: Tensor = cross_entropy(kinds, kind) + typed / (kind_of_element != _NONE).sum().clamp(min=1)
        return found + BOX_SHARE * apart.sum() / placed.sum().clamp(min=1)

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The share of steps with the right kind and, where there is a place, the right element by type and box; wrong
        where that is none of those that are looked at."""
        right = [
            int(kinds.argmax()) == target["kind"] and (not target["placed"] or _found(types, box, target))
            for (kinds, types, box, *_), target in zip(outputs, targets, strict=True)
        ]
        return float(np.mean(right))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        return config


def _found(types: Array, box: Array, target: Example) -> bool:
    if not len(target["boxes"]):
        return False
    _, order = narrowed(box, int(types.argmax()), target["boxes"], target["types"])
    return int(order[0]) == target["element"]


RECIPE = MocaRecipe()
