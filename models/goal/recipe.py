"""`goal-retrieval`: the goal behind a trajectory, by the template that goes best with it, filled out of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from stepscope.core.domain.prediction import GoalAnswer, Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.models.catalog import GOAL_RETRIEVAL
from stepscope.models.encoders.registry import TEXTS
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.goal import features
from stepscope.models.goal.pieces import Pieces, pieces_of
from stepscope.models.goal.templates import LONGEST, chosen_templates, fill, gains, induced_template, template_words
from stepscope.models.learned.encoder_choice import Config, encoders_of, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, padded

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

TOLD = 5
"""Sentences told with the answer."""
_UNSEEN = 20
"""So many items of the mean are mixed into what a template is usually worth."""


class GoalRecipe:
    """The recipe by which `goal-retrieval` is trained and asked: templates of training goals, ranked by two towers.
    Source: ours."""

    info = GOAL_RETRIEVAL
    version = "2"
    pictures = True
    hyper = Hyper(epochs=16, batch=32, rate=1e-3, weight_decay=1e-2, patience=6, seeds=(0,))
    measured = "rouge_l"
    baselines = ("template",)
    protocol = "goal_text"
    metric = "rouge_l"

    def prepare(self, request: EpisodeRequest, features_: Features) -> PreparedRequest:
        return features.prepare(request, features_)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        return features.example_of(draft, vectors)

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        actions, mask = padded([example["actions"] for example in examples], least=2)
        rest = (np.stack([example[name] for example in examples]) for name in ("screen", "view", "words", "has"))
        return actions, mask, *rest

    def network(self, config: Config) -> Module:
        import torch

        from stepscope.models.goal.network import GoalTowers

        templates = config["templates"]
        words, roles, length = map(torch.from_numpy, features.template_numbers(templates))
        usual = torch.tensor(config["usual"], dtype=torch.float32)
        vectors = torch.from_numpy(template_vectors(templates, encoders_of(config).texts))
        return GoalTowers(vectors, words, roles, length, usual, sizes_of(config).view)

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        templates = config["templates"]
        return [
            _answer(draft.request, draft.rest.pieces, logits, templates)
            for draft, (logits,) in zip(drafts, run(examples), strict=True)
        ]

    def target(self, item: Item) -> Example | None:
        """The goal, the pieces of the trajectory and the app, as texts: what they are worth hangs on the templates."""
        if not item.material.strip():
            return None
        request = cast(EpisodeRequest, item.request)
        pieces = sorted(pieces_of(request).items())
        return {
            "goal": np.array(item.material),
            "pieces": np.array(pieces).reshape(-1, 2),
            "app": np.array(request.app or ""),
        }

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """The templates, for each the app whose goal it was made of, and its mean ROUGE-L for goals of other apps."""
        of_template: dict[str, str] = {}
        for target in targets:
            template = induced_template(str(target["goal"]), _pieces(target))
            if len(template.split()) <= LONGEST:
                of_template.setdefault(template, str(target["app"]))
        candidates = tuple(of_template)
        apps = [str(target["app"]) for target in targets]
        table = np.stack([_gains(target, candidates) for target in targets])
        places = chosen_templates(candidates, list(of_template.values()), table, apps)
        kept = [of_template[candidates[place]] for place in places]
        other = np.array(apps)[:, None] != np.array(kept)[None, :]
        return {
            "templates": [candidates[place] for place in places],
            "apps": kept,
            "usual": [round(float(one), 4) for one in _usual(table[:, places], other)],
        }

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        """What each template is worth (n, templates), and 1 where it is of another app (n, templates)."""
        templates = tuple(config["templates"])
        worth = np.stack([_gains(target, templates) for target in targets])
        other = [[app != str(target["app"]) for app in config["apps"]] for target in targets]
        return worth, np.array(other, np.float32)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        """The mean squared error of the ROUGE-L that is told of each template; half of it over the templates of other
        apps alone, since an app that was never seen has no others."""
        logits, (worth, other) = outputs[0], targets
        usable = (worth >= 0).float()
        errors = (logits - worth) ** 2
        parts = [(errors * part).sum() / part.sum().clamp(min=1) for part in (usable, usable * other)]
        return (parts[0] + parts[1]) / 2

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The mean ROUGE-L of the best filled template; where an app has templates of its own, of the best of others:
        what is wanted is what holds for apps that were never seen."""
        found = []
        for (logits,), target in zip(outputs, targets, strict=True):
            worth, other = self.collate_targets([target], config)
            usable = (other[0] > 0) & (worth[0] >= 0)
            found.append(float(worth[0][np.argmax(np.where(usable, logits, -np.inf))]) if usable.any() else 0.0)
        return float(np.mean(found))

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        return config


def template_vectors(templates: Sequence[str], texts: str = TEXTS) -> Array:
    """The encoders' vectors of the templates (templates, text size)."""
    from stepscope.models.features.vectors import load_features

    words = [template_words(template) for template in templates]
    vectors = load_features(texts, "").vectors(words)
    return np.stack([vectors.text(text) for text in words])


def _answer(request: EpisodeRequest, pieces: Pieces, logits: Array, templates: Sequence[str]) -> Prediction:
    filled = [fill(template, pieces) for template in templates]
    usable = [place for place, sentence in enumerate(filled) if sentence is not None]
    if not pieces or not usable:
        why = "neither an app nor a named element nor a text is in the trajectory"
        return Prediction(request.episode, None, None, PredictionStatus.EMPTY, why=why)
    worth: dict[str, float] = {}
    for place in usable:
        sentence = filled[place] or ""
        worth[sentence] = max(worth.get(sentence, 0.0), min(1.0, float(logits[place])))
    order = sorted(worth, key=lambda sentence: -worth[sentence])
    raw = "\n".join(f"{worth[sentence]:.3f} {sentence}" for sentence in order[:TOLD])
    return Prediction(request.episode, None, GoalAnswer(order[0]), confidence=worth[order[0]], raw=raw)


def _usual(table: Array, other: Array) -> Array:
    """What each template is worth for the goals of other apps, drawn towards the mean where few tell."""
    counted = (table >= 0) & other
    total, count = np.where(counted, table, 0).sum(axis=0), counted.sum(axis=0)
    mean = total.sum() / max(1, count.sum())
    found: Array = (total + _UNSEEN * mean) / (count + _UNSEEN)
    return found


def _pieces(target: Example) -> dict[str, str]:
    return {str(role): str(words) for role, words in target["pieces"]}


def _gains(target: Example, templates: tuple[str, ...]) -> Array:
    return gains(str(target["goal"]), tuple(_pieces(target).items()), templates)


RECIPE = GoalRecipe()
