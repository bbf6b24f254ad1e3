"""`pairwise-pointer`: the order of shuffled steps from their words and pictures (Wu et al. 2022, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.prediction import OrderAnswer, Prediction
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.core.lazy import lazy_module
from stepscope.models.catalog import PAIRWISE_POINTER
from stepscope.models.features.screens import shortened
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, padded
from stepscope.models.ordering.cues import wording
from stepscope.models.ordering.search import best_order

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from stepscope.models.ordering import network as pointer
else:
    pointer = lazy_module("stepscope.models.ordering.network")

MATRIX = 12
"""The most steps whose relations are told with the answer."""
_NONE = -1


class OrderingRecipe:
    """The recipe by which `pairwise-pointer` is trained and asked. Source: the decoder of BERSON (Wu et al. 2022,
    section 4, paper); the exact search over a network that runs once is ours."""

    info = PAIRWISE_POINTER
    version = "2"
    pictures = True
    hyper = Hyper(epochs=60, batch=32, rate=1e-3, weight_decay=1e-2, patience=10, seeds=(0,))
    measured = "pairs"
    baselines = ("as-given", "random-order")
    protocol = "ordering"
    metric = "kendall_tau"

    def prepare(self, request: OrderRequest, features: Features) -> PreparedRequest:
        texts = tuple(shortened(step.text or step.title) for step in request.steps)
        views = tuple(features.views_of(step.pictures[0] if step.pictures else None)[0] for step in request.steps)
        goal = shortened(request.goal)
        return PreparedRequest(request, (goal, *texts), views)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """`goal` (text size,), `texts` (steps, text size), `views` (steps, view size), `cues` (steps, CUES), `named`
        and `known` (steps, THINGS)."""
        goal, *texts = draft.texts
        worded = wording(texts)
        return {
            "goal": vectors.text(goal),
            "texts": np.stack([vectors.text(text) for text in texts]) if texts else _no(vectors.text_size),
            "views": np.stack([vectors.view(view) for view in draft.views]) if texts else _no(vectors.view_size),
            "cues": worded.cues,
            "named": worded.named,
            "known": worded.known,
        }

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        rows, mask = [], np.zeros(0)
        for name in ("texts", "views", "cues", "named", "known"):
            row, mask = padded([example[name] for example in examples], least=2)
            rows.append(row)
        return np.stack([example["goal"] for example in examples]), *rows, mask

    def network(self, config: Config) -> Module:
        return pointer.PairwisePointer(sizes_of(config))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        return [_answer(draft, *outputs) for draft, outputs in zip(drafts, run(examples), strict=True)]

    def target(self, item: Item) -> Example | None:
        """`order`: the places of the steps as shown, in the recorded order."""
        shown, procedure = item.material.id_of, item.material.procedure
        if not procedure.ordered or len(procedure.steps) < 2:
            return None
        place_of = {step_id: int(place) - 1 for place, step_id in shown.items()}
        return {"order": np.array([place_of[step.id] for step in procedure.steps], np.int64)}

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        return {}

    def collate_targets(self, targets: Sequence[Example], config: Config) -> tuple[Array, ...]:
        """Orders, −1 behind their end."""
        longest = max(2, *(len(target["order"]) for target in targets))
        whole = np.full((len(targets), longest), _NONE, np.int64)
        for row, target in enumerate(targets):
            whole[row, : len(target["order"])] = target["order"]
        return (whole,)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        return pointer.loss(outputs[0], outputs[1], outputs[2], targets[0])

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The mean share of pairs of steps in the right order."""
        truths = [target["order"] for target in targets]
        return pairs_in_order([_order(*one, len(truth)) for one, truth in zip(outputs, truths, strict=True)], truths)

    def finish(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> Config:
        return config


def pairs_in_order(orders: Sequence[Sequence[int] | Array], truths: Sequence[Array]) -> float:
    """The mean over procedures of the share of pairs of steps in the right order; of an order what stands behind as
    many places as the true one has does not count."""
    shares = []
    for found, truth in zip(orders, truths, strict=True):
        count = len(truth)
        place = np.argsort(np.asarray(found)[:count])[truth]  # where each true step was put
        right = np.triu(place[:, None] < place[None, :], 1).sum()
        shares.append(right / (count * (count - 1) / 2))
    return float(np.mean(shares))


def _order(before: Array, follows: Array, weight: Array, count: int) -> tuple[int, ...]:
    """The order of the first `count` of the padded steps."""
    longest = before.shape[0]
    rows = [*range(count), longest]  # the last row is about the first step
    return best_order(
        before[:count, :count].astype(np.float64), follows[rows][:, :count].astype(np.float64), float(weight)
    )


def _answer(draft: PreparedRequest, before: Array, follows: Array, weight: Array) -> Prediction:
    steps = draft.request.steps
    order = _order(before, follows, weight, len(steps))
    chances = 1 / (1 + np.exp(-before[: len(steps), : len(steps)].astype(np.float64)))
    told: tuple[tuple[float, ...], ...] = ()
    if len(steps) <= MATRIX:
        told = tuple(tuple(float(chances[one, other]) for other in order) for one in order)
    pairs = [chances[one, other] for place, one in enumerate(order) for other in order[place + 1 :]]
    answer = OrderAnswer(tuple(steps[place].id for place in order), told)
    return Prediction(draft.request.procedure, None, answer, confidence=float(np.mean(pairs)) if pairs else 1.0)


def _no(width: int) -> Array:
    return np.zeros((0, width), np.float32)


RECIPE = OrderingRecipe()
