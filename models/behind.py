"""A predictor behind a curtain: it is shown something else than was asked, and knows nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    is_batching,
)
from stepscope.core.progress import CancelToken

Change = Callable[[Any], Any]
"""From what was asked to what is shown, a request of the same kind."""


def behind(predictor: Predictor[Any], info: ModelInfo, change: Change, mark: str) -> Predictor[Any]:
    """The predictor behind a curtain that changes what it is shown; `info` is what it says of itself there. `mark`
    stands behind its fingerprint, so that answers to the whole question are not taken for answers to the changed
    one."""
    if is_batching(predictor):
        return _BatchBehind(predictor, info, change, mark)
    return _Behind(predictor, info, change)


class _Behind:
    def __init__(self, inner: Predictor[Any], info: ModelInfo, change: Change) -> None:
        self._inner, self.info, self._change = inner, info, change
        self.weight_files: Sequence[str | Path] = getattr(inner, "weight_files", ())

    def predict(self, request: Any) -> Prediction:
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
    def __init__(self, inner: BatchPredictor[Any], info: ModelInfo, change: Change, mark: str) -> None:
        super().__init__(inner, info, change)
        self._batches, self.batch_size = inner, inner.batch_size
        self._mark = mark

    @property
    def fingerprint(self) -> str:
        """Of the model as it is now, with what is changed."""
        own = self._batches.fingerprint
        return f"{own}{self._mark}" if own else ""

    def prepare(self, request: Any) -> Any:
        return self._batches.prepare(self._change(request))

    def predict_batch(self, prepared: Sequence[Any]) -> Sequence[Prediction]:
        return self._batches.predict_batch(prepared)

    def warm_up(self) -> None:
        self._batches.warm_up()

    def close(self) -> None:
        self._batches.close()
