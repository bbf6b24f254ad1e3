"""`lm-perplexity`: the order in which a language model finds goal and steps likeliest. Nothing is trained.

Source: ours, after the common baseline; a step has at most 60 tokens, as in Wu et al. 2022.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stepscope.core.domain.prediction import OrderAnswer, Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import ModelInfo, OrderRequest
from stepscope.core.progress import CancelToken
from stepscope.models.encoders import added
from stepscope.models.encoders.transformers_text import files
from stepscope.models.ordering.causal_model import CausalModel
from stepscope.models.ordering.language_models import LanguageModel, info_of
from stepscope.models.ordering.likelihood_search import LikeliestOrder, Numbers, Order, likeliest

MOST_TOKENS = 60
"""Of a step, and of the goal."""
_LINE = "\n"


class PerplexityPredictor:
    """Pure. `weight_files` are those of the language model."""

    def __init__(self, info: ModelInfo, model: CausalModel, weight_files: tuple[Path, ...] = ()) -> None:
        self.info, self.weight_files = info, weight_files
        self._model = model

    def set_token(self, token: CancelToken) -> None:
        self._model.set_token(token)

    def predict(self, request: OrderRequest) -> Prediction:
        """Raises OutOfMemory."""
        texts = [step.text or step.title for step in request.steps]
        if len(texts) > 1 and not any(text.split() for text in texts):
            why = "No step has words."
            return Prediction(request.procedure, None, None, PredictionStatus.MALFORMED, why=why)
        goal, end = self._model.tokens(_words(request.goal))[:MOST_TOKENS], self._model.tokens(_LINE)
        start = [*self._model.start(), *goal, *end]
        steps = [self._model.tokens(_words(text)) for text in texts]
        most = min(MOST_TOKENS, (self._model.longest - len(start)) // max(1, len(steps)) - len(end))
        if most < 1:
            why = f"{len(steps)} steps are more than the {self._model.longest:,} tokens that the model takes can hold."
            return Prediction(request.procedure, None, None, PredictionStatus.FAILED, why=why)
        lines = [[*step[:most], *end] for step in steps]

        def likelihoods(orders: Sequence[Order]) -> Numbers:
            whole = [[*start, *(token for place in order for token in lines[place])] for order in orders]
            return self._model.log_likelihoods(whole)

        found = likeliest(len(lines), likelihoods)
        cut = f"Steps were cut to {most} tokens." if any(len(step) > most for step in steps) else ""
        return _answer(request, found, cut)


def load(found: LanguageModel, *, seed: int = 0, device: str = "auto") -> PerplexityPredictor:
    """The predictor, ready to answer; the seed matters to none of it. Raises what `CausalModel` raises, and UserError
    for weights that are not those that were added."""
    if not found.sees:
        added.check(added.find(found.name))
    model = CausalModel(found.folder, sees=found.sees, device=device)
    return PerplexityPredictor(info_of(found), model, files(found.folder))


def _words(text: str) -> str:
    return " ".join(text.split())


def _answer(request: OrderRequest, found: LikeliestOrder, cut: str) -> Prediction:
    """With P(row before column) where all orders were asked about."""
    before = () if found.before is None else _in_order(found.before, found.order)
    answer = OrderAnswer(tuple(request.steps[place].id for place in found.order), before)
    raw = f"log likelihood {found.log_likelihood:.3f}, the largest of {found.asked}"
    return Prediction(request.procedure, None, answer, confidence=found.chance, raw=raw, why=cut)


def _in_order(before: Numbers, order: Order) -> tuple[tuple[float, ...], ...]:
    rows = before[np.ix_(order, order)] if order else before
    return tuple(tuple(map(float, row)) for row in rows)
