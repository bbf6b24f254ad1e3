"""`never-ask` and `always-ask`: one answer to everything. Source: ours."""

from __future__ import annotations

from stepscope.core.domain.prediction import AskAnswer, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.models.catalog import ALWAYS_ASK, NEVER_ASK

QUESTION = "What exactly do you want me to do?"


class NeverAsk:
    """Goes on without a question. Pure."""

    info: ModelInfo = NEVER_ASK

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: StepRequest) -> Prediction:
        return Prediction(request.episode, request.step, AskAnswer(None), raw="no question")


class AlwaysAsk:
    """Puts `QUESTION` at every step. Pure."""

    info: ModelInfo = ALWAYS_ASK

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: StepRequest) -> Prediction:
        return Prediction(request.episode, request.step, AskAnswer(QUESTION), raw=QUESTION)
