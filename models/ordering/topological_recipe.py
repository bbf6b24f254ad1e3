"""`pairwise-topological`: a classifier of pairs, and topological sort (Prabhumoye et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.catalog import PAIRWISE_TOPOLOGICAL
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, padded
from stepscope.models.ordering.order_recipe import OrderRecipe, mean_right_pairs
from stepscope.models.ordering.pair_steps import paired_answer, prepared_steps, step_vectors
from stepscope.models.ordering.topological import topological_order

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from stepscope.models.ordering import pair_network
else:
    pair_network = lazy_module("stepscope.models.ordering.pair_network")


class TopologicalRecipe(OrderRecipe):
    """The recipe by which `pairwise-topological` is trained and asked. Source: Prabhumoye et al. 2020 ("Topological
    Sort for Sentence Ordering", ACL 2020); encoders, sizes and settings are ours."""

    info = PAIRWISE_TOPOLOGICAL
    version = "1"
    pictures = True
    hyper = Hyper(epochs=40, batch=32, rate=1e-3, weight_decay=1e-2, patience=8, seeds=(0,))

    def prepare(self, request: OrderRequest, features: Features) -> PreparedRequest:
        return prepared_steps(request, features)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """`goal` (text size,), `texts` (steps, text size), `views` (steps, view size)."""
        return step_vectors(draft, vectors)

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        """Goals (n, text), texts (n, s, text), views (n, s, view): a pair knows of no other, so that no mask is
        wanted."""
        texts, views = (padded([one[name] for one in examples], least=2)[0] for name in ("texts", "views"))
        return np.stack([one["goal"] for one in examples]), texts, views

    def network(self, config: Config) -> Module:
        return pair_network.PairClassifier(sizes_of(config))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        found = []
        for draft, (before,) in zip(drafts, run(examples), strict=True):
            order = _order(before, len(draft.request.steps))
            found.append(paired_answer(draft.request, order, before))
        return found

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        return pair_network.loss(outputs[0], targets[0])

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The mean share of pairs of steps that the sorted order has right."""
        pairs = zip(outputs, targets, strict=True)
        return mean_right_pairs([_order(before, len(one["order"])) for (before,), one in pairs], targets)


def _order(before: Array, count: int) -> tuple[int, ...]:
    """The order of the first `count` of the padded steps."""
    return topological_order(before[:count, :count].astype(np.float64))


RECIPE = TopologicalRecipe()
