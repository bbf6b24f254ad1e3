"""`feasibility-mlp`: is the goal feasible, told from the goal and the screens that were visited (MoTIF, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.prediction import Evidence, FeasibilityAnswer, Prediction
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.models.catalog import FEASIBILITY_MLP
from stepscope.models.feasibility import features
from stepscope.models.feasibility.calibration import (
    Labels,
    Numbers,
    average_precision,
    operating_point,
    probability,
    temperature,
)
from stepscope.models.feasibility.evidence import LeavingOut, curve_of, evidence_of
from stepscope.models.feasibility.features import FeasibilityInput, ScreenFeatures
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, cuts, share_of

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

_LEAST = 1e-2
PLACES = features.SCREENS + 1


class FeasibilityRecipe:
    """The recipe by which `feasibility-mlp` is trained, calibrated and asked. Source: the classifier of MoTIF, section
    4 (paper); layer sizes, dropout and optimizer are ours."""

    info = FEASIBILITY_MLP
    version = "1"
    pictures = True
    hyper = Hyper(epochs=60, batch=32, rate=1e-3, weight_decay=1e-2, patience=12, seeds=(0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    measured = "average_precision"
    baselines: tuple[str, ...] = ("never-feasible", "always-feasible", "random-feasibility")
    protocol = "feasibility"
    metric = "f1"

    def prepare(self, request: EpisodeRequest, features_: Features) -> PreparedRequest:
        return features.prepare(request, features_)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        screens = features.screens_of(draft, vectors)
        return features.example_of(vectors.text(draft.rest.goal), screens, vectors.view_size)

    def shortened(self, draft: PreparedRequest, vectors: Vectors, copies: int) -> list[Example]:
        goal, screens = vectors.text(draft.rest.goal), features.screens_of(draft, vectors)
        ends = cuts(len(screens), copies)
        return [features.example_of(goal, screens[:end], vectors.view_size) for end in ends]

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        """Goal, texts, views, match, cover; screens padded to 20, the last one again behind them."""
        return (
            np.stack([example["goal"] for example in examples]),
            *(np.stack([_placed(example[name]) for example in examples]) for name in ("texts", "views", "match")),
            np.stack([example["cover"] for example in examples]),
        )

    def network(self, config: Config) -> Module:
        from stepscope.models.feasibility.network import FeasibilityMlp

        return FeasibilityMlp(config["cover_mean"], config["cover_spread"], sizes_of(config))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        warmth, line = config.get("temperature", 1.0), config.get("threshold", 0.5)
        found = []
        for draft, example in zip(drafts, examples, strict=True):
            screens = features.screens_of(draft, vectors)
            curve = curve_of(example["goal"], screens, run, warmth)
            score = curve[-1] if curve else probability(run([example])[0][0], warmth)
            leaving = _leaving_out(draft, screens, vectors)
            evidence = evidence_of(draft, draft.rest, screens, leaving, vectors, run, warmth)
            found.append(prediction_of(draft, score, line, curve, evidence))
        return found

    def target(self, item: Item) -> Example | None:
        if not item.reference:
            return None
        return {"label": np.array(float(item.reference == FeasibilityLabel.INFEASIBLE.value), np.float32)}

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """The weight of the rarer class, and what the numbers about the whole way are like."""
        share = share_of([float(target["label"]) for target in targets], "infeasible", "feasible")
        covers = np.stack([example["cover"] for example in examples])
        return {
            "positive_weight": (1 - share) / share,
            "cover_mean": [float(number) for number in covers.mean(axis=0)],
            "cover_spread": [float(number) for number in covers.std(axis=0) + _LEAST],
        }

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return (np.stack([target["label"] for target in targets]),)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        import torch

        weight = torch.tensor(config["positive_weight"], device=outputs[0].device)
        return torch.nn.functional.binary_cross_entropy_with_logits(outputs[0], targets[0], pos_weight=weight)

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        logits = np.array([logit for (logit,) in outputs], np.float64)
        labels = np.array([target["label"] for target in targets]) > 0
        return average_precision(logits, labels)

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        """Temperature by least cross entropy, operating point by best F1, both on the validation split."""
        logits = np.array([logit for (logit,) in outputs], np.float64)
        labels = np.array([target["label"] for target in targets]) > 0
        return calibrated(logits, labels, config)


def prediction_of(
    draft: PreparedRequest,
    score: float,
    line: float,
    curve: tuple[float, ...] = (),
    evidence: tuple[Evidence, ...] = (),
) -> Prediction:
    """Infeasible from P(infeasible) `score` = `line` on."""
    label = FeasibilityLabel.INFEASIBLE if score >= line else FeasibilityLabel.FEASIBLE
    sure = score if label is FeasibilityLabel.INFEASIBLE else 1 - score
    raw = f"P(infeasible) {score:.3f}, line {line:.3f}"
    answer = FeasibilityAnswer(label, score, curve, evidence)
    return Prediction(draft.request.episode, None, answer, confidence=sure, raw=raw)


def calibrated(logits: Numbers, labels: Labels, config: Config) -> Config:
    """The config with temperature and operating point of these logits of infeasible."""
    warmth = temperature(logits, labels)
    scores = np.array([probability(logit, warmth) for logit in logits])
    return {**config, "temperature": warmth, "threshold": operating_point(scores, labels)}


def _leaving_out(
    draft: PreparedRequest, screens: Sequence[ScreenFeatures], vectors: Vectors
) -> LeavingOut[ScreenFeatures]:
    seen: FeasibilityInput = draft.rest
    goal = vectors.text(seen.goal)

    def without(place: int, text: str) -> ScreenFeatures:
        rest = tuple(one for one in seen.texts[place] if one != text)
        return replace(features.screen_of(seen, rest, None, vectors), view=screens[place].view)

    return LeavingOut(lambda some: features.example_of(goal, some, vectors.view_size), without)


def _placed(rows: Array) -> Array:
    """(21, width): the first 20 rows, zeros behind, the last row again."""
    whole = np.zeros((PLACES, rows.shape[1]), np.float32)
    first = rows[: features.SCREENS]
    whole[: len(first)] = first
    if len(rows):
        whole[-1] = rows[-1]
    return whole


RECIPE = FeasibilityRecipe()
