"""`seq2seq`: the kind of the action and a point on the screen by an LSTM that attends to the words (MoTIF, section
5.1; Shridhar et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.tasks import Item
from stepscope.models.automation.navigation_recipe import NavigationRecipe
from stepscope.models.automation.navigation_targets import kind_number, place_of_action
from stepscope.models.automation.seq2seq_answers import answer
from stepscope.models.catalog import SEQ2SEQ
from stepscope.models.features.vectors import Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, PreparedRequest, Run

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

POINT_SHARE = 5.0
"""What the squared distance in fractions of the screen counts in the loss beside the kind's cross entropy (ours)."""


class Seq2SeqRecipe(NavigationRecipe):
    """The recipe by which `seq2seq` is trained and asked. Source: ALFRED's Seq2Seq as MoTIF adapts it (section 5.1,
    paper); sizes and settings are ours."""

    info = SEQ2SEQ
    version = "1"

    def network(self, config: Config) -> Module:
        from stepscope.models.automation.seq2seq_network import Seq2Seq

        return Seq2Seq(sizes_of(config))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        return [answer(draft, *outputs) for draft, outputs in zip(drafts, run(examples), strict=True)]

    def target(self, item: Item) -> Example | None:
        """`kind`; `placed` 1 where the action has a place, then `point` (2,) and the element's `box` (4,) in fractions
        of the screen, else zeros. None for what is no action on the phone."""
        step = item.material
        kind = kind_number(step.action)
        if kind is None:
            return None
        place = place_of_action(step)
        return {
            "kind": np.array(kind, np.int64),
            "placed": np.array(float(place is not None), np.float32),
            "point": np.zeros(2, np.float32) if place is None else place.point,
            "box": np.zeros(4, np.float32) if place is None else place.box,
        }

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        return {}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return tuple(np.stack([target[name] for target in targets]) for name in ("kind", "placed", "point"))

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """Cross entropy of the kinds, and the mean squared error of the point where there is one (paper)."""
        from torch.nn.functional import cross_entropy

        kinds, point, _ = outputs
        kind, placed, wanted = targets
        apart = ((point - wanted) ** 2).mean(1) * placed
        found: Tensor = cross_entropy(kinds, kind) + POINT_SHARE * apart.sum() / placed.sum().clamp(min=1)
        return found

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The share of steps with the right kind and, where there is one, the point in the element's box, edges
        included (paper)."""
        right = [
            int(kinds.argmax()) == target["kind"] and (not target["placed"] or _inside(point, target["box"]))
            for (kinds, point, _), target in zip(outputs, targets, strict=True)
        ]
        return float(np.mean(right))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        return config


def _inside(point: Array, box: Array) -> bool:
    return bool((box[:2] <= point).all() and (point <= box[2:]).all())


RECIPE = Seq2SeqRecipe()
