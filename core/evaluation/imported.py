"""Predictions that another system wrote, as a predictor: the run then goes the same way as with a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from core.domain.prediction import Prediction, PredictionStatus, Task
from core.evaluation.predictor import ModelInfo, StepRequest

NO_LINE = "The file has no line for this step."


class ImportedPredictor:
    """Answers from a read file. A step that its episode's lines leave out is failed, which the rules score as wrong and
    malformed: leaving out hard steps must not pay."""

    def __init__(
        self,
        predictions: Mapping[tuple[str, int], Prediction],
        *,
        model: str = "",
        note: str = "",
        path: Path | None = None,
    ) -> None:
        """`model` and `note` come from the file's first line; without a model the file's name stands for it."""
        self._predictions = predictions
        name = model or (path.stem if path else "imported")
        self.info = ModelInfo(
            name=name,
            title=name,
            task=Task.AUTOMATION,
            description=note or "Predictions made elsewhere.",
            source=path.name if path else "",
            stand_in=False,
        )

    @classmethod
    def of(
        cls, predictions: Iterable[Prediction], *, model: str = "", note: str = "", path: Path | None = None
    ) -> ImportedPredictor:
        """From the predictions of a read file; those about whole episodes are left out."""
        by_step = {(found.episode, found.step): found for found in predictions if found.step is not None}
        return cls(by_step, model=model, note=note, path=path)

    def predict(self, request: StepRequest) -> Prediction:
        found = self._predictions.get((request.episode, request.step))
        if found is not None:
            return found
        return Prediction(request.episode, request.step, None, PredictionStatus.FAILED, why=NO_LINE)

    def covered(self, episode_ids: Iterable[str]) -> tuple[str, ...]:
        """Those of the episodes that occur in the file, in the given order: what a run over it is about."""
        named = {episode for episode, _ in self._predictions}
        return tuple(episode for episode in episode_ids if episode in named)
