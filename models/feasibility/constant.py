"""`always-feasible`, `never-feasible` and `template-question`: one answer to everything (ours). `random-feasibility`:
what chance gives (the random baseline of MoTIF, table 3)."""

from __future__ import annotations

from stepscope.core.domain.episode import FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo
from stepscope.models.catalog import ALWAYS_FEASIBLE, NEVER_FEASIBLE, RANDOM_FEASIBILITY, TEMPLATE_QUESTION
from stepscope.models.feasibility.follow_up import APP, NO_WAY, filled
from stepscope.models.seeded_random import drawn_for

INFEASIBLE = 1370 / 4707
"""The share of MoTIF's demonstrations that are infeasible (section 3)."""


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


class TemplateQuestion:
    """Says infeasible, impossible as most of MoTIF's are, and asks one question about every goal. Pure."""

    info: ModelInfo = TEMPLATE_QUESTION

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: EpisodeRequest) -> Prediction:
        goal, app = request.goal or "", request.app or ""
        question = filled(NO_WAY, goal, app) or filled(NO_WAY.replace(f" in {APP}", ""), goal, app) or ""
        answer = FeasibilityAnswer(
            FeasibilityLabel.INFEASIBLE, 1.0, reason=InfeasibilityReason.IMPOSSIBLE, question=question
        )
        return Prediction(request.episode, None, answer, raw=question)


class RandomFeasibility:
    """Infeasible for so large a share of all episodes; P(infeasible) is drawn with it, so that ranking by it is chance
    too. Pure: the answer depends on episode and seed only."""

    info: ModelInfo = RANDOM_FEASIBILITY

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        self._seed = seed

    def predict(self, request: EpisodeRequest) -> Prediction:
        score = drawn_for(self.info.name, self._seed, request.episode).random()
        label = FeasibilityLabel.INFEASIBLE if score >= 1 - INFEASIBLE else FeasibilityLabel.FEASIBLE
        return Prediction(request.episode, None, FeasibilityAnswer(label, score), raw=label.value)
