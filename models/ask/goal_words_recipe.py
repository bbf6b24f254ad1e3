"""`ask-goal-words`: a baseline that reads the goal and nothing else: what their wording gives away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from stepscope.core.domain.prediction import AskAnswer, Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.models.ask.constant import QUESTION
from stepscope.models.ask.features import WORDING, wording_numbers
from stepscope.models.ask.slots import wording_of
from stepscope.models.automation.tower_features import first_words
from stepscope.models.catalog import ASK_GOAL_WORDS
from stepscope.models.feasibility.calibration import average_precision, operating_point, probability, temperature
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, share_of

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class GoalWordsRecipe:
    """Logistic regression over the goal's vector and its wording. It learns from every episode once, by its first step,
    and asks there or never. Source: ours."""

    info = ASK_GOAL_WORDS
    version = "1"
    pictures = False
    hyper = Hyper(epochs=100, batch=32, rate=3e-3, weight_decay=1e-2, patience=15, seeds=(0,))
    measured = "average_precision"
    baselines = ("always-ask", "never-ask", "ask-first")
    protocol = "ask"
    metric = "ask_f1"

    def prepare(self, request: StepRequest, features: Features) -> PreparedRequest:
        return PreparedRequest(request, (first_words(request.goal),))

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """`goal` (text,), `wording` (38,)."""
        goal = cast(StepRequest, draft.request).goal
        return {"goal": vectors.text(draft.texts[0]), "wording": wording_numbers(goal, wording_of(goal))}

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        return tuple(np.stack([example[name] for example in examples]) for name in ("goal", "wording"))

    def network(self, config: Config) -> Module:
        from stepscope.models.ask.goal_words_network import GoalWords

        return GoalWords(sizes_of(config).text + WORDING)

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        warmth, line = config.get("temperature", 1.0), config.get("threshold", 0.5)
        found = []
        for draft, (logit,) in zip(drafts, run(examples), strict=True):
            request: StepRequest = draft.request
            score = probability(logit, warmth)
            asks = request.step == 0 and score >= line
            answer = AskAnswer(QUESTION if asks else None, score)
            raw = f"P(the goal leaves something out) {score:.3f}, line {line:.3f}"
            found.append(Prediction(request.episode, request.step, answer, raw=raw))
        return found

    def target(self, item: Item) -> Example | None:
        """`due`: whether anything is missing; of an episode's first step only."""
        if item.key.step != 0:
            return None
        return {"due": np.array(float(item.material.due is not None), np.float32)}

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        share_of([float(target["due"]) for target in targets], "due", "not due")  # raises where one kind is missing
        return {}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return (np.stack([target["due"] for target in targets]),)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        from torch.nn.functional import binary_cross_entropy_with_logits

        return binary_cross_entropy_with_logits(outputs[0], targets[0])

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        return average_precision(*_both(outputs, targets))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        """Temperature by least cross entropy, the line by best F1 over the goals of the validation split."""
        logits, labels = _both(outputs, targets)
        warmth = temperature(logits, labels)
        scores = np.array([probability(logit, warmth) for logit in logits])
        return {**config, "temperature": warmth, "threshold": operating_point(scores, labels)}


def _both(outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example]) -> tuple[Array, Array]:
    """Logits and labels."""
    logits = np.array([output[0] for output in outputs], np.float64)
    return logits, np.array([target["due"] for target in targets]) > 0


RECIPE = GoalWordsRecipe()
