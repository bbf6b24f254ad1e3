"""`feasibility-set`: is the goal feasible, told after every step, from the elements of each screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.episode import Feasibility, FeasibilityLabel
from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.models.catalog import FEASIBILITY_SET
from stepscope.models.feasibility import set_features
from stepscope.models.feasibility.calibration import Labels, average_precision, probability
from stepscope.models.feasibility.evidence import LeavingOut, evidence_of
from stepscope.models.feasibility.features import SCREENS, FeasibilityInput, looked_at, screen_of
from stepscope.models.feasibility.reasons_recipe import REASONS, class_weights, questions_of, with_reason
from stepscope.models.feasibility.recipe import calibrated, prediction_of
from stepscope.models.feasibility.set_features import SetScreen
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of, without_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, share_of

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

_LEAST = 1e-2
_END = 0.5
"""What the end counts in the loss; the steps before it share the rest (ours)."""
_REASON = 0.3
"""What the reason counts beside feasibility (ours)."""
_NONE = -100
_SHARES = (0.25, 0.5, 0.75)


class SetRecipe:
    """The recipe by which `feasibility-set` is trained, calibrated and asked.

    Source: the task is that of MoTIF, section 4 (paper); elements within screens within steps, so that text and picture
    keep their hierarchy, and reasons are its future work (section 6). Ours: a logit after every step, learned at every
    step, so that a decision does not wait for the last screen.
    """

    info = FEASIBILITY_SET
    version = "1"
    pictures = True
    parts = ("elements", "pictures", "actions", "prefixes")
    hyper = Hyper(epochs=30, batch=32, rate=1e-3, weight_decay=1e-2, patience=10, seeds=(0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    measured = "average_precision"
    baselines: tuple[str, ...] = ("never-feasible", "always-feasible", "random-feasibility", "template-question")
    protocol = "feasibility"
    metric = "f1"

    def prepare(self, request: EpisodeRequest, features: Features) -> PreparedRequest:
        return set_features.prepare(request, features)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        goal = vectors.text(draft.rest.seen.goal)
        return set_features.example_of(goal, set_features.screens_of(draft, vectors), vectors)

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        return set_features.collate(examples)

    def network(self, config: Config) -> Module:
        from stepscope.models.feasibility.set_network import FeasibilitySet

        return FeasibilitySet(config["mean"], config["spread"], sizes_of(config), len(REASONS), without_of(config))

    # --- use -------------------------------------------------------------------------------------------------------

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        """The curve is that of one pass; the reason is the likeliest at the end, and none where the training data told
        of none."""
        warmth, line = config.get("temperature", 1.0), config.get("threshold", 0.5)
        told = any(config["reason_weights"])

        def at_the_end(some: Sequence[Example]) -> list[tuple[Array, ...]]:
            return [(logits[len(one["numbers"])],) for one, (logits, _) in zip(some, run(some), strict=True)]

        found = []
        for draft, example, (logits, reasons) in zip(drafts, examples, run(examples), strict=True):
            end = len(example["numbers"])
            curve = tuple(probability(logit, warmth) for logit in logits[: end + 1])
            seen, screens = draft.rest.seen, set_features.screens_of(draft, vectors)
            leaving = _leaving_out(draft, screens, vectors)
            evidence = evidence_of(draft, seen, screens, leaving, vectors, at_the_end, warmth)
            plain = prediction_of(draft, curve[-1], line, curve[1:], evidence)
            plain = replace(plain, raw=f"{plain.raw}{_unseen(draft)}")
            found.append(with_reason(plain, draft, reasons[end], config) if told else plain)
        return found

    # --- training --------------------------------------------------------------------------------------------------

    def target(self, item: Item) -> Example | None:
        """Label, `reason` (−100 where none is told) and how many steps are looked at; as texts goal, app and
        question."""
        told: Feasibility = item.material
        if told.label is None:
            return None
        request = item.request
        assert isinstance(request, EpisodeRequest)
        infeasible = told.label is FeasibilityLabel.INFEASIBLE
        return {
            "label": np.array(float(infeasible), np.float32),
            "reason": np.array(
                _NONE if told.reason is None or not infeasible else REASONS.index(told.reason), np.int64
            ),
            "steps": np.array(len(looked_at(len(request.observations))), np.int64),
            "goal": np.array(request.goal or ""),
            "app": np.array(request.app or ""),
            "question": np.array(told.follow_up[0] if told.follow_up and infeasible else ""),
        }

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """The weights of the rarer class and of the reasons, what the numbers of a step are like, and the questions."""
        share = share_of([float(target["label"]) for target in targets], "infeasible", "feasible")
        numbers = np.concatenate([example["numbers"] for example in examples])
        if not len(numbers):
            numbers = np.zeros((1, set_features.STEP), np.float32)
        reasons = [int(target["reason"]) for target in targets]
        return {
            "positive_weight": (1 - share) / share,
            "reason_weights": class_weights([one for one in reasons if one >= 0], len(REASONS)),
            "mean": [float(number) for number in numbers.mean(axis=0)],
            "spread": [float(number) for number in numbers.std(axis=0) + _LEAST],
            "questions": questions_of(reasons, targets),
        }

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return tuple(np.stack([target[name] for target in targets]) for name in ("label", "reason", "steps"))

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """Cross entropies of feasibility and, where one is told, of the reason: half at the end, half at the steps
        before it, each as much as the others; without `prefixes` at the end alone."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

        logits, reasons = outputs
        label, reason, steps = targets
        places = torch.arange(logits.shape[1], device=logits.device).unsqueeze(0)
        end = (places == steps.unsqueeze(1)).to(logits.dtype)
        weights = end
        if "prefixes" not in without_of(config):
            before = (places < steps.unsqueeze(1)).to(logits.dtype)
            early = before / before.sum(1, keepdim=True).clamp(min=1)
            weights = torch.where(steps.unsqueeze(1) > 0, _END * end + (1 - _END) * early, end)
        rarer = torch.tensor(config["positive_weight"], device=logits.device)
        wanted = label.unsqueeze(1).expand_as(logits)
        found: Tensor = binary_cross_entropy_with_logits(logits, wanted, weights, pos_weight=rarer, reduction="sum")
        rare = torch.tensor(config["reason_weights"], dtype=logits.dtype, device=logits.device)
        why = reason.unsqueeze(1).expand_as(logits)
        told = cross_entropy(reasons.transpose(1, 2), why, rare, ignore_index=_NONE, reduction="none")
        return (found + _REASON * (told * weights).sum()) / len(label)

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """Average precision at the end; unless without `prefixes` half of it and half of the mean after a quarter, a
        half and three quarters of the steps."""
        labels = _labels(targets)
        end = average_precision(_logits(outputs, targets, 1.0), labels)
        if "prefixes" in without_of(config):
            return end
        early = [average_precision(_logits(outputs, targets, share), labels) for share in _SHARES]
        return _END * end + (1 - _END) * float(np.mean(early))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        """Temperature and operating point at the end, as `feasibility-mlp` chooses them."""
        return calibrated(_logits(outputs, targets, 1.0), _labels(targets), config)


def _logits(outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], share: float) -> Array:
    """Logits of infeasible after that share of each item's steps, rounded up."""
    steps = [int(np.ceil(int(target["steps"]) * share)) for target in targets]
    return np.array([logits[step] for (logits, _), step in zip(outputs, steps, strict=True)], np.float64)


def _unseen(draft: PreparedRequest) -> str:
    """What of a long way was not looked at, in words."""
    count = len(draft.request.observations)
    seen = len(looked_at(count))
    return f"; looked at the first {SCREENS} of {count} steps and the last" if seen < count else ""


def _labels(targets: Sequence[Example]) -> Labels:
    return np.array([target["label"] for target in targets]) > 0


def _leaving_out(draft: PreparedRequest, screens: Sequence[SetScreen], vectors: Vectors) -> LeavingOut[SetScreen]:
    """An element with the text that is left out goes with it."""
    seen: FeasibilityInput = draft.rest.seen
    goal = vectors.text(seen.goal)

    def without(place: int, text: str) -> SetScreen:
        screen = screens[place]
        rest = tuple(one for one in seen.texts[place] if one != text)
        kept = [at for at, one in enumerate(screen.words) if one != text]
        return SetScreen(
            replace(screen_of(seen, rest, None, vectors), view=screen.screen.view),
            tuple(screen.words[at] for at in kept),
            tuple(screen.names[at] for at in kept),
            screen.facts[kept],
            screen.action,
        )

    return LeavingOut(lambda some: set_features.example_of(goal, some, vectors), without)


RECIPE = SetRecipe()
