"""An example of a model of your own: it taps the middle of the screen, whatever the goal is."""

from __future__ import annotations

from stepscope.core.domain.action import Tap
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import ActionAnswer, Prediction, Task
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest

INFO = ModelInfo(
    name="centre-tap",
    title="Middle of the screen",
    task=Task.AUTOMATION,
    description="Taps the middle of every screen: what any model that looks at it has to beat.",
    source="An example of this documentation.",
    inputs=("screens",),
)


class CentreTap:
    """One answer a step, in pixels of the step's screenshot."""

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:  # every model is made with these two
        self.info = INFO

    def predict(self, request: StepRequest) -> Prediction:
        size = request.observation.size
        return Prediction(
            request.episode, request.step, ActionAnswer(Tap(Point(size.width / 2, size.height / 2, size)))
        )


def centre_tap() -> tuple[ModelInfo, type[CentreTap]]:
    """What the entry point names: the model's description, and what makes it."""
    return INFO, CentreTap
