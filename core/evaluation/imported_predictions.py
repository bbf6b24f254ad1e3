"""Predictions that another system wrote, as a predictor: the run then goes the same way as with a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from stepscope.core.domain.affordance import AffordanceAnswer
from stepscope.core.domain.prediction import (
    ActionAnswer,
    Answer,
    AskAnswer,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
    Task,
)
from stepscope.core.domain.walk import WalkAnswer
from stepscope.core.evaluation.predictor import ModelInfo, Request, place_of

NO_LINE = "The file has no line for this step."
NO_ITEM_LINE = "The file has no line for it."

ANSWERS: Mapping[Task, type[Answer]] = {
    Task.AUTOMATION: ActionAnswer,
    Task.FEASIBILITY: FeasibilityAnswer,
    Task.GOAL: GoalAnswer,
    Task.ORDERING: OrderAnswer,
    Task.ASK: AskAnswer,
    Task.WEBTASK: FieldsAnswer,
    Task.GROUNDING: ActionAnswer,
    Task.ROLLOUT: WalkAnswer,
    Task.AFFORDANCE: AffordanceAnswer,
}
"""What a prediction file must hold for a task."""
PER_STEP = (Task.AUTOMATION, Task.ASK, Task.GROUNDING, Task.AFFORDANCE)

_Key = tuple[str, int | None]


class ImportedPredictor:
    """Answers from a read file. An item that the lines leave out is failed, which the rules score as wrong and
    malformed: leaving out hard steps must not pay."""

    def __init__(
        self,
        predictions: Mapping[_Key, Prediction],
        *,
        task: Task = Task.AUTOMATION,
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
            task=task,
            description=note or "Predictions made elsewhere.",
            source=path.name if path else "",
            stand_in=False,
            as_recorded=True,
        )

    @classmethod
    def of(
        cls,
        predictions: Iterable[Prediction],
        *,
        task: Task = Task.AUTOMATION,
        model: str = "",
        note: str = "",
        path: Path | None = None,
    ) -> ImportedPredictor:
        """The predictor of a read file's predictions; those for other tasks are left out. A line that says null is one
        for any task about such items."""
        per_step, wanted = task in PER_STEP, ANSWERS[task]
        fitting = [one for one in predictions if (one.step is not None) == per_step]
        found = {(one.episode, one.step): one for one in fitting if one.answer is None}
        found |= {(one.episode, one.step): one for one in fitting if isinstance(one.answer, wanted)}
        return cls(found, task=task, model=model, note=note, path=path)

    def __len__(self) -> int:
        return len(self._predictions)

    def predict(self, request: Request) -> Prediction:
        key = place_of(request)
        found = self._predictions.get(key)
        if found is not None:
            return found
        return Prediction(*key, None, PredictionStatus.FAILED, why=NO_LINE if key[1] is not None else NO_ITEM_LINE)

    def covered(self, episode_ids: Iterable[str]) -> tuple[str, ...]:
        """The episodes among these that occur in the file, in the given order: what a run over it is about."""
        named = {episode for episode, _ in self._predictions}
        return tuple(episode for episode in episode_ids if episode in named)
