"""A person's own model as the engine asks it: a batch predictor out of a manifest and the file beside it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from stepscope.core.domain.prediction import Prediction
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo, OrderRequest, StepRequest
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.models.own.answers import Numbers, answered
from stepscope.models.own.batch_inputs import BatchInputs
from stepscope.models.own.network import OwnNetwork, model_files
from stepscope.models.own.own_models import OwnModel, info_of
from stepscope.models.own.request_rows import PreparedRows, RequestRow, prepared
from stepscope.models.runtimes.runtime import Array

VERSION = 1
"""Of what makes inputs and reads outputs: raised when the same manifest would give other answers."""

Request = StepRequest | EpisodeRequest | OrderRequest


@dataclass(frozen=True, slots=True)
class Passed:
    """What went into the network and what came out, in the manifest's order, and how long it took."""

    inputs: tuple[Array, ...]
    outputs: tuple[Numbers, ...]
    seconds: float


class OwnPredictor:
    """See `BatchPredictor`. `weight_files` are those of the model."""

    def __init__(self, model: OwnModel, *, device: str = "auto") -> None:
        """Raises what `OwnNetwork` and `BatchInputs` raise."""
        self.info: ModelInfo = info_of(model)
        self.manifest = model.manifest
        self.batch_size = model.manifest.batch
        self.weight_files: tuple[Path, ...] = model_files(model.manifest, model.folder)
        preparation = f"{VERSION} {_digest(model)}"
        wanted = model.manifest.device if device == "auto" else device
        self._inputs = BatchInputs(model.manifest, model.folder)
        self._network: OwnNetwork | None = OwnNetwork(
            model.manifest, model.folder, preparation=preparation, device=wanted
        )
        self.device = self._network.device
        self.fingerprint = f"own model {self.info.name}; {self._network.fingerprint}"

    def predict(self, request: Request) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def prepare(self, request: Request) -> PreparedRows:
        return prepared(request, self.manifest)

    def predict_batch(self, prepared: Sequence[PreparedRows]) -> Sequence[Prediction]:
        rows = [row for one in prepared for row in one.rows]
        outputs = self._asked(rows) if rows else ()
        found, at = [], 0
        for one in prepared:
            part = [array[at : at + len(one.rows)] for array in outputs]
            found.append(answered(one, part, self.manifest))
            at += len(one.rows)
        return found

    def passed(self, one: PreparedRows) -> Passed:
        """What goes in and comes out for one request that has rows, those of its first batch. Raises as `predict`."""
        rows = one.rows[: self.batch_size]
        arrays = self._inputs.arrays(rows)
        begun = time.monotonic()
        outputs = tuple(self._run(arrays))
        return Passed(tuple(arrays), outputs, time.monotonic() - begun)

    def set_token(self, token: CancelToken) -> None:
        if self._network is not None:
            self._network.set_token(token)

    def warm_up(self) -> None:
        """The first batch wakes the network: its inputs' shapes hang on the data."""

    def close(self) -> None:
        if self._network is not None:
            self._network.close()
        self._network = None

    def _asked(self, rows: Sequence[RequestRow]) -> tuple[Numbers, ...]:
        """The outputs for all rows, in batches of the manifest's size."""
        import numpy as np

        parts = [
            self._run(self._inputs.arrays(rows[at : at + self.batch_size]))
            for at in range(0, len(rows), self.batch_size)
        ]
        shapes = {tuple(one.shape[1:] for one in part) for part in parts}
        if len(shapes) > 1:
            words = "gives outputs of another shape with every batch, which means nothing here."
            raise UserError(words, place=self.info.name, hint="Give the model one output of a fixed size a row.")
        return tuple(np.concatenate(one) for one in zip(*parts, strict=True))

    def _run(self, arrays: Sequence[Array]) -> list[Numbers]:
        if self._network is None:
            raise RuntimeError("the model was closed")
        return list(self._network.run(arrays))


def load(model: OwnModel, *, device: str = "auto") -> OwnPredictor:
    """The predictor, ready to answer. Raises UserError naming the file, UnavailableError, OutOfMemory."""
    return OwnPredictor(model, device=device)


def _digest(model: OwnModel) -> str:
    """Of all in the manifest that an answer hangs on."""
    one = model.manifest
    told = (one.task.value, *map(astuple, one.inputs), *map(astuple, one.outputs), one.threshold, one.question)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]
