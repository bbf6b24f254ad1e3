"""Predictors of task automation that are shown less, or something else, than the data has: the goal and no step
instruction; of the steps before what they answered themselves, or nothing.

The goal alone is how an agent does that has to find the steps itself: AndroidControl's high-level setting (Li et al.
2024, section 4), put to any model and any data. What was answered as history is what an agent has on a phone, where one
mistake leads to others (ours).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Wait
from stepscope.core.domain.model_name import split_name
from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import (
    BatchPredictor,
    Cancellable,
    ModelInfo,
    Predictor,
    Releasable,
    Speaking,
    StepRequest,
    is_batching,
)
from stepscope.core.progress import CancelToken
from stepscope.models.history_choice import HISTORY, PREDICTED, RECORDED, TITLES


def goal_alone(predictor: Predictor[Any], info: ModelInfo) -> Predictor[Any]:
    """The predictor without step instructions; `info` is what it says of itself there."""
    return _behind(predictor, info, _without_instruction, "; without instructions")


def shown_history(predictor: Predictor[Any], info: ModelInfo) -> Predictor[Any]:
    """The predictor with the history that its name asks for. Agents have a setting of that name too and see to it
    themselves."""
    chosen = split_name(info.name)[1].get(HISTORY.name, RECORDED)
    if chosen == RECORDED or HISTORY not in info.settings:
        return predictor
    change = _with_own_answers if chosen == PREDICTED else _without_history
    return _behind(predictor, info, change, f"; {TITLES[chosen]}")


def _behind(
    predictor: Predictor[Any], info: ModelInfo, change: Callable[[StepRequest], StepRequest], mark: str
) -> Predictor[Any]:
    """The predictor behind a curtain that changes what it is shown. `mark` stands behind its fingerprint, so that
    answers to the whole question are not taken for answers to the changed one."""
    if is_batching(predictor):
        return _BatchBehind(predictor, info, change, mark)
    return _Behind(predictor, info, change)


class _Behind:
    def __init__(self, inner: Predictor[Any], info: ModelInfo, change: Callable[[StepRequest], StepRequest]) -> None:
        self._inner, self.info, self._change = inner, info, change
        self.weight_files: Sequence[str | Path] = getattr(inner, "weight_files", ())

    def predict(self, request: StepRequest) -> Prediction:
        return self._inner.predict(self._change(request))

    def set_token(self, token: CancelToken) -> None:
        if isinstance(self._inner, Cancellable):
            self._inner.set_token(token)

    def listen(self, heard: Callable[[str], None] | None) -> None:
        if isinstance(self._inner, Speaking):
            self._inner.listen(heard)

    def release(self) -> None:
        if isinstance(self._inner, Releasable):
            self._inner.release()


class _BatchBehind(_Behind):
    def __init__(
        self, inner: BatchPredictor[Any], info: ModelInfo, change: Callable[[StepRequest], StepRequest], mark: str
    ) -> None:
        super().__init__(inner, info, change)
        self._batches, self.batch_size = inner, inner.batch_size
        self.fingerprint = f"{inner.fingerprint}{mark}" if inner.fingerprint else ""

    def prepare(self, request: StepRequest) -> Any:
        return self._batches.prepare(self._change(request))

    def predict_batch(self, prepared: Sequence[Any]) -> Sequence[Prediction]:
        return self._batches.predict_batch(prepared)

    def warm_up(self) -> None:
        self._batches.warm_up()

    def close(self) -> None:
        self._batches.close()


def _without_instruction(request: StepRequest) -> StepRequest:
    return replace(request, instruction=None)


def _without_history(request: StepRequest) -> StepRequest:
    return replace(request, history=(), past=())


def _with_own_answers(request: StepRequest) -> StepRequest:
    """Where an answer could not be read nothing was done."""
    return replace(request, history=tuple(one.action or Wait() for one in request.own), own=())
