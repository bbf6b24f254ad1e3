"""What the recipes of `seq2seq` and `moca` have in common: what they look at, and the settings they are trained by."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation import navigation_features
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest


class NavigationRecipe:
    """Words of goal and instruction, the screen by places, the actions before (MoTIF, section 5.1, paper); the settings
    are ours."""

    pictures = True
    sequences = True
    usual_encoders = navigation_features.ENCODERS
    hyper = Hyper(
        epochs=12, batch=32, rate=2e-3, weight_decay=1e-2, patience=4, seeds=(0,), schedule="linear", warmup=0.05
    )
    measured = "right_steps"
    baselines: tuple[str, ...] = ("text-match", "nearest-element", "random")
    protocol = "aitw"
    metric = "step_accuracy"

    def prepare(self, request: StepRequest, features: Features) -> PreparedRequest:
        """Prepare a request, in any thread. Raises SourceError for what cannot be read."""
        return navigation_features.prepare(request, features)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """Numbers only (`navigation_features.example`)."""
        return navigation_features.example(draft, vectors)

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        """The network's inputs for a batch, padded (`navigation_features.collate`)."""
        return navigation_features.collate(examples)
