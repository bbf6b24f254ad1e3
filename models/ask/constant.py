"""Agents that ask by no model: never, always, at the first step, and where the data says so. Source: ours."""

from __future__ import annotations

from stepscope.core.domain.action import AskUser
from stepscope.core.domain.prediction import AskAnswer, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.models.catalog import ALWAYS_ASK, ASK_FIRST, ASK_ORACLE, NEVER_ASK

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


class AskFirst:
    """Puts `QUESTION` at the first step and nowhere else. Pure."""

    info: ModelInfo = ASK_FIRST

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: StepRequest) -> Prediction:
        question = QUESTION if request.step == 0 else None
        return Prediction(request.episode, request.step, AskAnswer(question), raw=question or "no question")


class AskOracle:
    """Puts the question of the data where it is due, as the request's reference says: an ask there, the action of the
    step elsewhere. Pure."""

    info: ModelInfo = ASK_ORACLE

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: StepRequest) -> Prediction:
        question = request.reference.text if isinstance(request.reference, AskUser) else None
        return Prediction(request.episode, request.step, AskAnswer(question), raw=question or "no question")
