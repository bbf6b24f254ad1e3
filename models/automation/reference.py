"""`reference`: the recorded action as the answer, to score a data set's references against themselves. Source: ours.

It is shown the right answer: what it does not score is wrong with the reference or odd about the rule.
"""

from __future__ import annotations

from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.models.automation.screen import malformed_prediction
from stepscope.models.catalog import REFERENCE


class ReferenceAnswer:
    """Pure."""

    info: ModelInfo = REFERENCE

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: StepRequest) -> Prediction:
        if request.reference is None:
            return malformed_prediction(request, "there is no reference action to repeat")
        return Prediction(request.episode, request.step, ActionAnswer(request.reference), raw="the reference")
