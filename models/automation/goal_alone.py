"""A predictor of task automation that is shown the goal and no step instruction, whatever the data has.

How an agent does that has to find the steps itself: AndroidControl's high-level setting (Li et al. 2024, section 4),
put to any model and any data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

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

_MARK = "; without instructions"
"""Behind the fingerprint, so that answers to the whole question are not taken for answers to the goal."""


def goal_alone(predictor: Predictor[Any], info: ModelInfo) -> Predictor[Any]:
    """The predictor behind that curtain; `info` is what it says of itself there."""
    return _BatchGoalAlone(predictor, info) if is_batching(predictor) else _GoalAlone(predictor, info)


class _GoalAlone:
    def __init__(self, inner: Predictor[Any], info: ModelInfo) -> None:
        self._inner, self.info = inner, info
        self.weight_files: Sequence[str | Path] = getattr(inner, "weight_files", ())

    def predict(self, request: StepRequest) -> Prediction:
        return self._inner.predict(_hidden(request))

    def set_token(self, token: CancelToken) -> None:
        if isinstance(self._inner, Cancellable):
            self._inner.set_token(token)

    def listen(self, heard: Callable[[str], None] | None) -> None:
        if isinstance(self._inner, Speaking):
            self._inner.listen(heard)

    def release(self) -> None:
        if isinstance(self._inner, Releasable):
            self._inner.release()


class _BatchGoalAlone(_GoalAlone):
    def __init__(self, inner: BatchPredictor[Any], info: ModelInfo) -> None:
        super().__init__(inner, info)
        self._batches, self.batch_size = inner, inner.batch_size
        self.fingerprint = f"{inner.fingerprint}{_MARK}" if inner.fingerprint else ""

    def prepare(self, request: StepRequest) -> Any:
        return self._batches.prepare(_hidden(request))

    def predict_batch(self, prepared: Sequence[Any]) -> Sequence[Prediction]:
        return self._batches.predict_batch(prepared)

    def warm_up(self) -> None:
        self._batches.warm_up()

    def close(self) -> None:
        self._batches.close()


def _hidden(request: StepRequest) -> StepRequest:
    return replace(request, instruction=None)
