"""`ask-timing`: whether a question is due at a step, and which (Navi-plus, section 2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.prediction import ASKS, AskAnswer, Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.models.ask import features
from stepscope.models.ask.memory import answered_slots, remembered
from stepscope.models.ask.precision_choice import PRECISION
from stepscope.models.ask.questions import question_of
from stepscope.models.ask.slots import SLOTS, slot_of
from stepscope.models.catalog import ASK_TIMING
from stepscope.models.feasibility.calibration import HALF, average_precision, probability, temperature
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, share_of

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

AFTER = 0.5
"""The weight of steps after the due one, which an agent that has asked there does not judge any more."""
FLOORS = (0.5, 0.6, 0.7, 0.8, 0.9)
"""Precisions whose lines are kept."""
_NEAR_BEST = 0.95
_NONE = -100


class AskRecipe:
    """The recipe by which `ask-timing` is trained, calibrated and asked. Source: the task is that of Navi-plus, section
    2.3 (paper); the classifier is ours."""

    info = ASK_TIMING
    version = "3"
    pictures = False
    hyper = Hyper(epochs=24, batch=128, rate=2e-3, weight_decay=5e-2, patience=8, seeds=(0,))
    measured = "average_precision"
    baselines = ("always-ask", "never-ask", "ask-first")
    protocol = "ask"
    metric = "ask_f1"

    def __init__(self, floor: float = 0.0) -> None:
        """`floor`: the least precision on the validation split, where the line was chosen by it; 0 by F1."""
        self.floor = floor

    def set_to(self, given: Mapping[str, str]) -> AskRecipe:
        return AskRecipe(float(given.get(PRECISION.name, PRECISION.default)))

    def prepare(self, request: StepRequest, features_: Features) -> PreparedRequest:
        return features.prepare(request, features_)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        return features.example(draft, vectors)

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        return features.collate(examples)

    def network(self, config: Config) -> Module:
        from stepscope.models.ask.network import AskTiming

        return AskTiming(sizes_of(config))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        warmth, line = config.get("temperature", 1.0), line_of(config, self.floor)
        found = []
        for draft, (due, slots, _) in zip(drafts, run(examples), strict=True):
            request: StepRequest = draft.request
            score, slot = probability(due, warmth), int(slots.argmax())
            told = SLOTS[slot] in answered_slots(request)
            asks = score >= line and not told
            question = question_of(slot, draft.rest.sought.elements, request.goal) if asks else None
            sure = score if asks else 1 - score
            raw = (
                f"P(a question is due) {score:.3f}, line {line:.3f}; {remembered(request, SLOTS[slot] if asks else '')}"
            )
            answer = AskAnswer(question, 0.0 if told else score)
            found.append(Prediction(request.episode, request.step, answer, confidence=sure, raw=raw))
        return found

    def target(self, item: Item) -> Example | None:
        """`due`, `weight` and `slot` of the question (−100 where none is due), and `vague`, whether the goal leaves
        something out."""
        due = item.reference == ASKS
        return {
            "due": np.array(float(due), np.float32),
            "weight": np.array(_weight(item.key.step, item.material.due), np.float32),
            "slot": np.array(slot_of(item.material.question) if due else _NONE, np.int64),
            "vague": np.array(float(item.material.due is not None), np.float32),
        }

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """The weight of the due steps."""
        share = share_of([float(target["due"]) for target in targets], "due", "not due")
        return {"positive_weight": ((1 - share) / share) ** 0.5}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return tuple(np.stack([target[name] for target in targets]) for name in ("due", "weight", "slot", "vague"))

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """Weighted binary cross entropy of the timing, and a part of those of the question's slot and of what the goal
        leaves out."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

        logits, slots, vagueness = outputs
        due, weight, slot, vague = targets
        rarer = torch.tensor(config["positive_weight"], device=logits.device)
        timing: Tensor = binary_cross_entropy_with_logits(logits, due, weight, pos_weight=rarer)
        asked = cross_entropy(slots, slot, ignore_index=_NONE, reduction="sum") / (slot != _NONE).sum().clamp(min=1)
        return timing + _SLOT_SHARE * asked + _VAGUE_SHARE * binary_cross_entropy_with_logits(vagueness, vague)

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """Average precision over the steps at which a question is due and those of goals that leave nothing out."""
        logits, labels = _judged(outputs, targets)
        return average_precision(logits, labels)

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        """Temperature by least cross entropy, and lines, over the same steps of the validation split."""
        logits, labels = _judged(outputs, targets)
        warmth = temperature(logits, labels) if len(logits) else 1.0
        scores = np.array([probability(logit, warmth) for logit in logits])
        return {
            **config,
            "temperature": warmth,
            "threshold": lowest_line(scores, labels),
            "floors": [[floor, lowest_line(scores, labels, floor)] for floor in FLOORS],
        }


_SLOT_SHARE, _VAGUE_SHARE = 0.1, 1.0


def line_of(config: Config, floor: float) -> float:
    """The line for this precision: that of the next higher floor whose line is kept."""
    usual: float = config.get("threshold", 0.5)
    if not floor:
        return usual
    lines = sorted((least, line) for least, line in config.get("floors", ()))
    return max(usual, next((float(line) for least, line in lines if least >= floor), 1.0))


def lowest_line(scores: Array, labels: Array, floor: float = 0.0) -> float:
    """The lowest line whose F1 is at least 95 % of the best among those of this precision; above all scores where there
    is none, a half where there is nothing to choose by.

    The lowest, since a validation split shares its apps with training: on others the scores are lower.
    """
    if not labels.any() or labels.all():
        return HALF
    order = np.argsort(-scores, kind="stable")
    hits, asked = np.cumsum(labels[order]), np.arange(1, len(order) + 1)
    last = np.append(scores[order][1:] != scores[order][:-1], True)  # equal scores are called the same
    fine = last & (hits / asked >= floor)
    if not fine.any():
        return 1.0
    f1 = np.where(fine, 2 * hits / (asked + labels.sum()), -1.0)
    lowest = int(np.flatnonzero(f1 >= _NEAR_BEST * f1.max())[-1])
    below = scores[order][lowest + 1] if lowest + 1 < len(order) else 0.0
    return float((scores[order][lowest] + below) / 2)


def _weight(step: int, due: int | None) -> float:
    """Steps before a due one do not count: a question there is taken back. Right after it screen and actions are the
    same as at it, since to ask changes nothing: what tells them apart is that the agent has asked, which it remembers.
    """
    if due is None or step == due:
        return 1.0
    return AFTER if step > due + 1 else 0.0


def _judged(outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example]) -> tuple[Array, Array]:
    """Logits and labels of the steps that count."""
    counted = [place for place, target in enumerate(targets) if target["weight"] == 1]
    logits = np.array([outputs[place][0] for place in counted], np.float64)
    return logits, np.array([targets[place]["due"] for place in counted]) > 0


RECIPE = AskRecipe()
