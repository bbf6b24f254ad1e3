"""`element-affordance`: which kinds of action each element of a screen allows, from tree and picture (MoTIF, section 6,
names it as future work)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.affordance import KINDS, AffordanceAnswer, ElementAffordance
from stepscope.core.domain.prediction import Prediction
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ScreenRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.core.scoring.affordance_match import AllowedActions
from stepscope.models.affordance import features as screen_features
from stepscope.models.affordance.rules import nothing_to_say
from stepscope.models.catalog import ELEMENT_AFFORDANCE
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of, without_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, padded

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class AffordanceRecipe:
    """The recipe by which `element-affordance` is trained and asked. Source: ours."""

    info = ELEMENT_AFFORDANCE
    version = "1"
    pictures = True
    hyper = Hyper(epochs=30, batch=16, rate=2e-3, weight_decay=1e-2, patience=5, schedule="linear", warmup=0.05)
    measured = "macro_f1"
    baselines: tuple[str, ...] = ("class-prior", "tap-everything")
    protocol = "affordance"
    metric = "macro_f1"
    parts = ("pictures", "tree")

    def prepare(self, request: ScreenRequest, features: Features) -> PreparedRequest:
        return screen_features.prepare(request, features)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        return screen_features.example(draft, vectors)

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        return screen_features.collate(examples)

    def network(self, config: Config) -> Module:
        from stepscope.models.affordance.network import ElementAffordances

        return ElementAffordances(sizes_of(config), without_of(config))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        return [_answer(draft.request, outputs[0]) for draft, outputs in zip(drafts, run(examples), strict=True)]

    def target(self, item: Item) -> Example | None:
        """`allowed` (elements, kinds), `told` (1, kinds), each 1 or 0; None where the data does not tell."""
        known: AllowedActions = item.material
        if known.why:
            return None
        allowed = [[float(kind in kinds) for kind in KINDS] for kinds in known.allowed.values()]
        told = [[float(kind in known.told) for kind in KINDS]]
        return {"allowed": np.array(allowed, np.float32), "told": np.array(told, np.float32)}

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """Raises UsageError where no element allows anything."""
        if not any(target["allowed"].any() for target in targets):
            hint = "Choose other data or another split to learn from."
            raise UsageError(
                "No element of the training split allows anything, so there is nothing to learn.", hint=hint
            )
        return {}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        """Allowed (n, e, kinds), and (n, e, kinds) 1 where it is told."""
        allowed, mask = padded([target["allowed"] for target in targets])
        told = np.stack([target["told"] for target in targets])
        return allowed, (mask[:, :, None] * told).astype(np.float32)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """Binary cross entropy of all elements and kinds that are told, each counting the same."""
        from torch.nn.functional import binary_cross_entropy_with_logits

        allowed, told = targets
        found: Tensor = binary_cross_entropy_with_logits(outputs[0].float(), allowed, weight=told, reduction="sum")
        return found / told.sum().clamp(min=1)

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The mean F1 of the kinds that occur."""
        counts = np.zeros((3, len(KINDS)))
        for (logits,), target in zip(outputs, targets, strict=True):
            truth, said = target["allowed"] > 0, logits[: len(target["allowed"])] >= 0
            told = target["told"] > 0
            for row, cells in enumerate((truth & said, truth & ~said, ~truth & said)):
                counts[row] += (cells & told).sum(axis=0)
        right, missing, extra = counts
        occurs = right + missing > 0
        if not occurs.any():
            return 0.0
        return float((2 * right / np.maximum(2 * right + missing + extra, 1))[occurs].mean())

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        return config


def _answer(request: ScreenRequest, logits: Array) -> Prediction:
    """The first logits are those of the elements that are asked about, in order; the rest was filled up."""
    if not request.elements:
        return nothing_to_say(request)
    scores = np.round(1 / (1 + np.exp(-logits[: len(request.elements)].astype(np.float64))), 4)
    said = tuple(
        ElementAffordance(index, tuple(row)) for index, row in zip(request.elements, scores.tolist(), strict=True)
    )
    return Prediction(request.episode, request.step, AffordanceAnswer(said))


RECIPE = AffordanceRecipe()
