"""`ask-timing`: whether a question is due at a step, and which (Navi-plus, section 2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from stepscope.core.domain.prediction import ASKS, AskAnswer, Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.models.ask import features
from stepscope.models.ask.actor import ACTOR, actor_with
from stepscope.models.ask.question_kinds import kind_of
from stepscope.models.ask.questions import question_of, template, templates_of
from stepscope.models.automation.tower_elements import seen_elements
from stepscope.models.catalog import ASK_TIMING
from stepscope.models.feasibility.calibration import average_precision, operating_point, probability, temperature
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, share_of

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from stepscope.core.domain.action import Action

EARLY = 0.2
"""The weight of steps before the due one: a question there is taken back, and counts neither for nor against."""
_NONE = -100


class AskRecipe:
    """The recipe by which `ask-timing` is trained, calibrated and asked. Source: the task is that of Navi-plus, section
    2.3 (paper); the classifier is ours."""

    info = ASK_TIMING
    version = "2"
    pictures = True  # for the actor, over the same encoders
    hyper = Hyper(epochs=60, batch=64, rate=1e-3, weight_decay=1e-2, patience=12, seeds=(0,))
    measured = "average_precision"
    baselines = ("always-ask", "never-ask")
    protocol = "ask"
    metric = "ask_f1"
    companion = ACTOR
    """The trained model on whose weights the answers hang, too."""

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
        first, after = _acted(drafts)
        warmth, line = config.get("temperature", 1.0), config.get("threshold", 0.5)
        found = []
        for place, (draft, (due, kinds)) in enumerate(zip(drafts, run(examples), strict=True)):
            score = probability(due, warmth)
            question = None
            if score >= line:
                sought = draft.rest.sought
                question = question_of(int(kinds.argmax()), sought.elements, sought.goal, config.get("questions", {}))
            answer = AskAnswer(question, score, first[place], after[place])
            sure = score if question is not None else 1 - score
            raw = f"P(a question is due) {score:.3f}, line {line:.3f}"
            found.append(Prediction(draft.request.episode, draft.request.step, answer, confidence=sure, raw=raw))
        return found

    def target(self, item: Item) -> Example | None:
        """`due`, `weight` and `kind` of the question (−100 where none is due), and `asked`, its template."""
        due = item.reference == ASKS
        screen = cast(StepRequest, item.request).observation
        asked = template(item.material.question, seen_elements(screen)) if due else ""
        return {
            "due": np.array(float(due), np.float32),
            "weight": np.array(EARLY if item.material.later else 1.0, np.float32),
            "kind": np.array(kind_of(item.material.question) if due else _NONE, np.int64),
            "asked": np.array(asked),
        }

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """The weight of the due steps, and the questions."""
        share = share_of([float(target["due"]) for target in targets], "due", "not due")
        asked = [str(target["asked"]) for target in targets if target["due"]]
        weight = ((1 - share) / share) ** 0.5
        return {"positive_weight": weight, "questions": templates_of(asked)}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return tuple(np.stack([target[name] for target in targets]) for name in ("due", "weight", "kind"))

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """Weighted binary cross entropy of the timing, and a part of the cross entropy of the questions' kinds."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

        logits, kinds = outputs
        due, weight, kind = targets
        rarer = torch.tensor(config["positive_weight"], device=logits.device)
        timing: Tensor = binary_cross_entropy_with_logits(logits, due, weight, pos_weight=rarer)
        asked = cross_entropy(kinds, kind, ignore_index=_NONE, reduction="sum") / (kind != _NONE).sum().clamp(min=1)
        return timing + _KIND_SHARE * asked

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """Average precision over the steps that are not before a due one."""
        logits, labels = _judged(outputs, targets)
        return average_precision(logits, labels)

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        """Temperature by least cross entropy, the line by best F1, over the same steps of the validation split."""
        logits, labels = _judged(outputs, targets)
        warmth = temperature(logits, labels) if len(logits) else 1.0
        scores = np.array([probability(logit, warmth) for logit in logits])
        return {**config, "temperature": warmth, "threshold": operating_point(scores, labels)}


_KIND_SHARE = 0.1


def _judged(outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example]) -> tuple[Array, Array]:
    """Logits and labels of the steps that count."""
    counted = [place for place, target in enumerate(targets) if target["weight"] == 1]
    logits = np.array([outputs[place][0] for place in counted], np.float64)
    return logits, np.array([targets[place]["due"] for place in counted]) > 0


def _acted(drafts: Sequence[PreparedRequest]) -> tuple[list[Action | None], list[Action | None]]:
    """What the actor does at each step, and what once the person has answered; None without an actor or a reply."""
    nothing: list[Action | None] = [None] * len(drafts)
    actor = actor_with(drafts[0].rest.features) if drafts else None
    if actor is None:
        return nothing, list(nothing)
    replied = [place for place, draft in enumerate(drafts) if draft.rest.after is not None]
    asked = [draft.rest.first for draft in drafts] + [drafts[place].rest.after for place in replied]
    actions = [one.action for one in actor.predict_batch(asked)]
    after = list(nothing)
    for place, action in zip(replied, actions[len(drafts) :], strict=True):
        after[place] = action
    return actions[: len(drafts)], after


RECIPE = AskRecipe()
