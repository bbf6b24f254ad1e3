"""`feasibility-reasons`: is the goal feasible, why not if it is not, and what to ask the person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction
from stepscope.core.evaluation.tasks import Item
from stepscope.models.catalog import FEASIBILITY_REASONS
from stepscope.models.feasibility.calibration import average_precision
from stepscope.models.feasibility.follow_up import QuestionTemplate, kept, nearest_question, template_of
from stepscope.models.feasibility.recipe import FeasibilityRecipe, calibrated
from stepscope.models.features.vectors import Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, PreparedRequest, Run

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

REASONS = tuple(InfeasibilityReason)
CLASSES = 1 + len(REASONS)
"""Feasible, and the reasons."""
HEAVIEST = 8.0
"""A rare class weighs at most so many times as much as a frequent one."""


class ReasonsRecipe(FeasibilityRecipe):
    """What `feasibility-mlp` sees, with a class for each reason of MoTIF's labels (section 3.1) in the place of one for
    all: premature (something else is needed first) is told from impossible. P(infeasible) is the sum over the reasons.
    The question is that of the most similar goal of the same reason (`follow_up`). Ours, as the paper leaves both to
    future work (section 6)."""

    info = FEASIBILITY_REASONS
    version = "1"
    baselines = ("never-feasible", "always-feasible", "random-feasibility", "template-question")

    def network(self, config: Config) -> Module:
        from stepscope.models.feasibility.network import FeasibilityMlp

        return FeasibilityMlp(config["cover_mean"], config["cover_spread"], sizes_of(config), classes=CLASSES)

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        def of_two(some: Sequence[Example]) -> list[tuple[Array, ...]]:
            return [(np.array(_log_odds(logits)),) for (logits,) in run(some)]

        found = super().answers(drafts, examples, vectors, of_two, config)
        return [
            with_reason(prediction, draft, logits[1:], config)
            for prediction, draft, (logits,) in zip(found, drafts, run(examples), strict=True)
        ]

    def target(self, item: Item) -> Example | None:
        """The class, and as texts goal, app and question; None where the goal is infeasible and nobody says why."""
        told: Feasibility = item.material
        if told.label is None or (told.label is FeasibilityLabel.INFEASIBLE and told.reason is None):
            return None
        place = 0 if told.reason is None else 1 + REASONS.index(told.reason)
        request = item.request
        return {
            "label": np.array(place, np.int64),
            "goal": np.array(getattr(request, "goal", None) or ""),
            "app": np.array(getattr(request, "app", None) or ""),
            "question": np.array(told.follow_up[0] if told.follow_up and place else ""),
        }

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """Weights of the classes that occur, what the numbers about the whole way are like, and the questions."""
        labels = [int(target["label"]) for target in targets]
        binary = [{"label": np.array(float(label > 0), np.float32)} for label in labels]
        return {
            **super().config(examples, binary),
            "class_weights": class_weights(labels, CLASSES),
            "questions": questions_of([label - 1 for label in labels], targets),
        }

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return (np.array([int(target["label"]) for target in targets], np.int64),)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        import torch

        weights = torch.tensor(config["class_weights"], dtype=torch.float32, device=outputs[0].device)
        return torch.nn.functional.cross_entropy(outputs[0], targets[0], weight=weights)

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        logits = np.array([_log_odds(one) for (one,) in outputs], np.float64)
        return average_precision(logits, _infeasible(targets))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        """Temperature and operating point of P(infeasible), as `feasibility-mlp` chooses them."""
        logits = np.array([_log_odds(one) for (one,) in outputs], np.float64)
        return calibrated(logits, _infeasible(targets), config)


def _log_odds(logits: Array) -> float:
    """Logit of infeasible from those of the classes (CLASSES,)."""
    rest = logits[1:].astype(np.float64)
    top = rest.max()
    return float(top + np.log(np.exp(rest - top).sum()) - logits[0])


def _infeasible(targets: Sequence[Example]) -> np.typing.NDArray[np.bool_]:
    return np.array([int(target["label"]) > 0 for target in targets], np.bool_)


def class_weights(labels: Sequence[int], classes: int) -> list[float]:
    """The weight of each class by how rare it is among the labels; 0 for one that never occurs."""
    counts = np.bincount(np.array(labels, np.int64), minlength=classes).astype(np.float64)
    weights = np.where(counts > 0, counts.max() / np.maximum(counts, 1.0), 0.0)
    return np.minimum(weights, HEAVIEST).tolist()  # type: ignore[no-any-return]


def questions_of(reasons: Sequence[int], targets: Sequence[Example]) -> list[list[str]]:
    """The questions of targets with a reason (below 0: none), as a config keeps them."""
    questions = [
        QuestionTemplate(
            template_of(str(target["question"]), str(target["goal"]), str(target["app"])),
            str(target["goal"]),
            REASONS[reason].value,
        )
        for target, reason in zip(targets, reasons, strict=True)
        if reason >= 0 and str(target["question"])
    ]
    return [[one.question, one.goal, one.reason] for one in kept(questions)]


def with_reason(prediction: Prediction, draft: PreparedRequest, logits: Array, config: Config) -> Prediction:
    """The likeliest reason, and the question, of a goal that is called infeasible; `logits` (3,) of the reasons."""
    answer = prediction.answer
    if not isinstance(answer, FeasibilityAnswer) or answer.label is FeasibilityLabel.FEASIBLE:
        return prediction
    odds = np.exp(logits.astype(np.float64) - logits.max())
    odds /= odds.sum()
    reason = REASONS[int(np.argmax(odds))]
    request = draft.request
    known = [QuestionTemplate(*one) for one in config.get("questions", ())]
    question = nearest_question(request.goal or "", request.app or "", reason.value, known)
    told = ", ".join(f"{one.value} {share:.3f}" for one, share in zip(REASONS, odds, strict=True))
    return replace(
        prediction, answer=replace(answer, reason=reason, question=question), raw=f"{prediction.raw}; {told}"
    )


RECIPE = ReasonsRecipe()
