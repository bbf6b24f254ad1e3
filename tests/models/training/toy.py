"""A recipe small enough to follow by hand: is the goal longer than so many letters?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.core.domain.episode import FeasibilityLabel, Platform
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo
from stepscope.core.evaluation.tasks import Item
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, padded
from stepscope.models.training.examples import MemoryExamples

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class Toy:
    """One number a word: its length; the network adds up what it makes of each."""

    info = ModelInfo("toy", "Toy", Task.FEASIBILITY, "Counts.", "Rule of this project", runtime="onnx", batches=True)
    version = "1"
    pictures = False
    hyper = Hyper(epochs=30, batch=8, rate=0.05, patience=30)
    measured = "accuracy"
    baselines = ("always-feasible",)
    protocol = "feasibility"
    metric = "accuracy"

    def prepare(self, request: EpisodeRequest, features: Features) -> PreparedRequest:
        return PreparedRequest(request, (request.goal or "",))

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        words = draft.texts[0].split() or [""]
        return {"lengths": np.array([[len(word) / 10] for word in words], np.float32)}

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        return padded([example["lengths"] for example in examples])

    def network(self, config: Config) -> Module:
        import torch

        class Sum(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.hidden = torch.nn.Linear(1, 4)
                self.out = torch.nn.Linear(4, 1)

            def forward(self, words: Tensor, mask: Tensor) -> Tensor:
                made = torch.relu(self.hidden(words)) * mask.unsqueeze(-1)
                found: Tensor = self.out(made.sum(dim=1))
                return found.squeeze(-1)

        return Sum()

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        found = []
        for draft, (logit,) in zip(drafts, run(examples), strict=True):
            score = float(1 / (1 + np.exp(-logit)))
            label = FeasibilityLabel.INFEASIBLE if score > 0.5 else FeasibilityLabel.FEASIBLE
            found.append(Prediction(draft.request.episode, None, FeasibilityAnswer(label, score)))
        return found

    def target(self, item: Item) -> Example | None:
        return {"label": np.array(float(item.reference == "infeasible"), np.float32)} if item.reference else None

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        return {}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        return (np.stack([target["label"] for target in targets]),)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        import torch

        return torch.nn.functional.binary_cross_entropy_with_logits(outputs[0], targets[0])

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        right = [(logit > 0) == bool(target["label"]) for (logit,), target in zip(outputs, targets, strict=True)]
        return float(np.mean(right))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        return {**config, "chosen": 0.5}


def toy_data(count: int, seed: int) -> MemoryExamples:
    """Goals of 1 to 8 words of 5 letters; infeasible are those of more than 4."""
    seeded_random, toy, data = np.random.default_rng(seed), Toy(), MemoryExamples()
    for number in range(count):
        goal = " ".join(["abcde"] * int(seeded_random.integers(1, 9)))
        request = EpisodeRequest(str(number), goal, Platform.ANDROID, (), ())
        word = "infeasible" if len(goal.split()) > 4 else "feasible"
        item = Item(ItemKey(str(number), -1), request, word, None)
        data.examples.append(toy.example(PreparedRequest(request, (goal,)), _no_vectors()))
        target: Any = toy.target(item)
        data.targets.append(target)
    return data


def _no_vectors() -> Vectors:
    return Vectors({}, {})


RECIPE = Toy()
