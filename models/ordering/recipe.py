"""`pairwise-pointer`: the order of shuffled steps from their words and pictures (Wu et al. 2022, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.catalog import PAIRWISE_POINTER
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, padded
from stepscope.models.ordering.cues import wording
from stepscope.models.ordering.order_recipe import OrderRecipe, mean_right_pairs
from stepscope.models.ordering.pair_steps import paired_answer, prepared_steps, step_vectors
from stepscope.models.ordering.search import best_order

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from stepscope.models.ordering import network as pointer
else:
    pointer = lazy_module("stepscope.models.ordering.network")


class OrderingRecipe(OrderRecipe):
    """The recipe by which `pairwise-pointer` is trained and asked. Source: the decoder of BERSON (Wu et al. 2022,
    section 4, paper); the exact search over a network that runs once is ours."""

    info = PAIRWISE_POINTER
    version = "2"
    pictures = True
    hyper = Hyper(epochs=60, batch=32, rate=1e-3, weight_decay=1e-2, patience=10, seeds=(0,))

    def prepare(self, request: OrderRequest, features: Features) -> PreparedRequest:
        return prepared_steps(request, features)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """`goal` (text size,), `texts` (steps, text size), `views` (steps, view size), `cues` (steps, CUES), `named`
        and `known` (steps, THINGS)."""
        worded = wording(draft.texts[1:])
        more = {"cues": worded.cues, "named": worded.named, "known": worded.known}
        return {**step_vectors(draft, vectors), **more}

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        rows, mask = [], np.zeros(0)
        for name in ("texts", "views", "cues", "named", "known"):
            row, mask = padded([example[name] for example in examples], least=2)
            rows.append(row)
        return np.stack([example["goal"] for example in examples]), *rows, mask

    def network(self, config: Config) -> Module:
        return pointer.PairwisePointer(sizes_of(config))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        found = []
        for draft, (before, follows, weight) in zip(drafts, run(examples), strict=True):
            order = _order(before, follows, weight, len(draft.request.steps))
            found.append(paired_answer(draft.request, order, before))
        return found

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        return pointer.loss(outputs[0], outputs[1], outputs[2], targets[0])

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The mean share of pairs of steps in the right order."""
        pairs = zip(outputs, targets, strict=True)
        found = [_order(before, follows, weight, len(one["order"])) for (before, follows, weight), one in pairs]
        return mean_right_pairs(found, targets)


def _order(before: Array, follows: Array, weight: Array, count: int) -> tuple[int, ...]:
    """The order of the first `count` of the padded steps."""
    longest = before.shape[0]
    rows = [*range(count), longest]  # the last row is about the first step
    return best_order(
        before[:count, :count].astype(np.float64), follows[rows][:, :count].astype(np.float64), float(weight)
    )


RECIPE = OrderingRecipe()
