"""`always-feasible` and `never-feasible`: one answer to everything. Source: ours."""

from __future__ import annotations

from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo
from stepscope.models.catalog import ALWAYS_FEASIBLE, NEVER_FEASIBLE


class AlwaysFeasible:
    """Says feasible, P(infeasible) 0. Pure."""

    info: ModelInfo = ALWAYS_FEASIBLE

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: EpisodeRequest) -> Prediction:
        return Prediction(request.episode, None, FeasibilityAnswer(FeasibilityLabel.FEASIBLE, 0.0), raw="feasible")


class NeverFeasible:
    """Says infeasible, P(infeasible) 1. Pure."""

    info: ModelInfo = NEVER_FEASIBLE

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: EpisodeRequest) -> Prediction:
        return Prediction(request.episode, None, FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 1.0), raw="infeasible")
