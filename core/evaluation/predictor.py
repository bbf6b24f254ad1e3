"""What a model is to the workbench: it says of itself what it needs and answers requests with predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from core.domain.action import Action
from core.domain.episode import Observation, Platform
from core.domain.prediction import Prediction, Task


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """`needs_reference` marks a predictor for tests that is shown the right answer; every other never sees it."""

    name: str
    title: str
    task: Task
    description: str
    source: str
    runtime: Literal["none", "torch", "onnx", "service"] = "none"
    weights: Literal["none", "present", "absent"] = "none"
    trained_on: str | None = None
    needs_reference: bool = False
    stand_in: bool = True


@dataclass(frozen=True, slots=True)
class StepRequest:
    """All that a next-action predictor may look at. `history` holds the reference actions of the steps before."""

    episode: str
    step: int
    goal: str
    platform: Platform
    observation: Observation
    instruction: str | None = None
    app: str | None = None
    history: tuple[Action, ...] = ()
    reference: Action | None = None


class ActionPredictor(Protocol):
    """Answers `Task.AUTOMATION`: the next action for a step. Same request and seed, same answer."""

    info: ModelInfo

    def predict(self, request: StepRequest) -> Prediction:
        """May raise: the runner books the error on this item and goes on."""
        ...
