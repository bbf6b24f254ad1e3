"""`two-tower`: the next action by a classifier of its kind and two towers that find the element (MoTIF, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.action import LongPress, Tap, Type, action_point
from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.models.automation import tower_features
from stepscope.models.automation.tower_answers import answer
from stepscope.models.automation.tower_elements import place_in, seen_elements
from stepscope.models.automation.tower_features import KINDS, kind_of
from stepscope.models.catalog import TWO_TOWER
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

_PLACED = tuple(KINDS.index(kind.kind) for kind in (Tap, LongPress, Type))
_NONE, _MISSED = -100, -101
"""No element is wanted; one is, and it is none of those that are looked at: both are left out of the loss, and the
latter counts as wrong."""


class AutomationRecipe:
    """The recipe by which `two-tower` is trained and asked. Source: the two stages of Seq2Act (MoTIF, section 5.1,
    paper); numbers and sizes are ours."""

    info = TWO_TOWER
    version = "3"
    pictures = True
    hyper = Hyper(epochs=40, batch=64, rate=1e-3, weight_decay=1e-2, patience=8, seeds=(0,))
    measured = "right_steps"
    baselines: tuple[str, ...] = ("text-match", "nearest-element", "random")
    protocol = "aitw"
    metric = "step_accuracy"

    def prepare(self, request: StepRequest, features: Features) -> PreparedRequest:
        return tower_features.prepare(request, features)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        return tower_features.example(draft, vectors)

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        return tower_features.collate(examples)

    def network(self, config: Config) -> Module:
        from stepscope.models.automation.tower_network import TwoTower

        return TwoTower(sizes_of(config))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        return [answer(draft, *outputs) for draft, outputs in zip(drafts, run(examples), strict=True)]

    def target(self, item: Item) -> Example | None:
        """`kind` and `element`, −100 where the action is on none, −101 where on none of those that are looked at.
        Asking and saying are no actions on the phone."""
        step = item.material
        if step.action is None or (kind := kind_of(step.action)) not in KINDS:
            return None
        place = place_in(seen_elements(step.observation), step.action, step.observation)
        element = place if place >= 0 else _MISSED
        wanted = KINDS.index(kind) in _PLACED and action_point(step.action) is not None
        return {
            "kind": np.array(KINDS.index(kind), np.int64),
            "element": np.array(element if wanted else _NONE, np.int64),
        }

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        return {}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        elements = np.stack([target["element"] for target in targets])
        return np.stack([target["kind"] for target in targets]), np.where(elements == _MISSED, _NONE, elements)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """Cross entropy of the kinds plus that of the elements, where there is one, over the whole batch."""
        from torch.nn.functional import cross_entropy

        kinds, elements = outputs
        kind, element = targets
        found: Tensor = cross_entropy(kinds, kind)
        grounding = cross_entropy(elements, element, ignore_index=_NONE, reduction="sum")
        return found + grounding / (element != _NONE).sum().clamp(min=1)

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The share of steps with the right kind and, where there is one, the right element; wrong where that is none
        of those that are looked at."""
        right = [
            int(kinds.argmax()) == target["kind"]
            and (target["element"] == _NONE or int(elements.argmax()) == target["element"])
            for (kinds, elements), target in zip(outputs, targets, strict=True)
        ]
        return float(np.mean(right))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        return config


RECIPE = AutomationRecipe()
