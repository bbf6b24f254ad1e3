"""`position-prior`: how early in a procedure steps with such words stand, and nothing else. Source: ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.prediction import OrderAnswer, Prediction
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.catalog import POSITION_PRIOR
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, padded
from stepscope.models.ordering.order_recipe import OrderRecipe, mean_right_pairs
from stepscope.models.ordering.position_words import buckets
from stepscope.models.ordering.recorded_orders import NONE

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from stepscope.models.ordering import position_network
else:
    position_network = lazy_module("stepscope.models.ordering.position_network")


class PositionRecipe(OrderRecipe):
    """The recipe by which `position-prior` is trained and asked: ridge regression from the words of a step to its place
    in the procedure, by gradients; a weight decay of `sgd` is its ridge. Source: ours."""

    info = POSITION_PRIOR
    version = "1"
    pictures = False
    encoded = False
    hyper = Hyper(
        epochs=60, batch=32, rate=0.3, weight_decay=3e-3, optimizer="sgd", momentum=0.9, patience=10, seeds=(0,)
    )

    def prepare(self, request: OrderRequest, features: Features) -> PreparedRequest:
        return PreparedRequest(request, rest=tuple(step.text or step.title for step in request.steps))

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """`words` (steps, WORDS) numbers of buckets."""
        return {"words": buckets(draft.rest)}

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        """(n, s, WORDS)."""
        return (padded([one["words"] for one in examples], least=2)[0],)

    def network(self, config: Config) -> Module:
        return position_network.PositionPrior()

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        """What it was sorted by stands in `raw`: the place of each step in that order, 0 first and 1 last."""
        found = []
        for draft, (places,) in zip(drafts, run(examples), strict=True):
            steps = draft.request.steps
            order = _order(places, len(steps))
            raw = " ".join(f"{steps[place].id}:{places[place]:.3f}" for place in order)
            answer = OrderAnswer(tuple(steps[place].id for place in order))
            found.append(Prediction(draft.request.procedure, None, answer, raw=raw))
        return found

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        """Of each step as shown the place that it was recorded at (n, s), from 0, first, to 1, last; −1 behind the
        end."""
        rows = [np.argsort(one["order"]) / (len(one["order"]) - 1) for one in targets]
        whole, mask = padded(rows, least=2)
        return (np.where(mask > 0, whole, NONE).astype(np.float32),)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        return position_network.loss(outputs[0], targets[0])

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The mean share of pairs of steps in the right order."""
        pairs = zip(outputs, targets, strict=True)
        return mean_right_pairs([_order(places, len(one["order"])) for (places,), one in pairs], targets)


def _order(places: Array, count: int) -> tuple[int, ...]:
    """The first `count` steps by place; those of one place as they are shown, which is by chance."""
    return tuple(int(place) for place in np.argsort(places[:count], kind="stable"))


RECIPE = PositionRecipe()
