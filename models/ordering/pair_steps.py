"""Steps as vectors for recipes that look at pairs of them, and the answer that tells of each pair which comes first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stepscope.core.domain.prediction import OrderAnswer, Prediction
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.models.features.screens import shortened
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.recipe import Array, Example, PreparedRequest

MATRIX = 12
"""The most steps whose relations are told with the answer."""


def prepared_steps(request: OrderRequest, features: Features) -> PreparedRequest:
    """The goal's words, then each step's, and of each step its first picture."""
    texts = tuple(shortened(step.text or step.title) for step in request.steps)
    views = tuple(features.views_of(step.pictures[0] if step.pictures else None)[0] for step in request.steps)
    return PreparedRequest(request, (shortened(request.goal), *texts), views)


def step_vectors(draft: PreparedRequest, vectors: Vectors) -> Example:
    """`goal` (text size,), `texts` (steps, text size), `views` (steps, view size)."""
    goal, *texts = draft.texts
    return {
        "goal": vectors.text(goal),
        "texts": np.stack([vectors.text(text) for text in texts]) if texts else _no(vectors.text_size),
        "views": np.stack([vectors.view(view) for view in draft.views]) if texts else _no(vectors.view_size),
    }


def paired_answer(request: OrderRequest, order: Sequence[int], before: Array) -> Prediction:
    """The answer for an order of places as shown, with P(row before column) up to `MATRIX` steps. `before` (at least
    steps, at least steps): logits of row before column, steps as shown. Its confidence is the mean over the pairs."""
    steps = request.steps
    chances = 1 / (1 + np.exp(-before[: len(steps), : len(steps)].astype(np.float64)))
    told: tuple[tuple[float, ...], ...] = ()
    if len(steps) <= MATRIX:
        told = tuple(tuple(float(chances[one, other]) for other in order) for one in order)
    pairs = [chances[one, other] for place, one in enumerate(order) for other in order[place + 1 :]]
    answer = OrderAnswer(tuple(steps[place].id for place in order), told)
    return Prediction(request.procedure, None, answer, confidence=float(np.mean(pairs)) if pairs else 1.0)


def _no(width: int) -> Array:
    return np.zeros((0, width), np.float32)
