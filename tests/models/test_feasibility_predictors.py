"""One answer to everything, and what that is worth on the sample."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.prediction import FeasibilityAnswer
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.models.feasibility.constant import INFEASIBLE, AlwaysFeasible, NeverFeasible, RandomFeasibility


@pytest.mark.parametrize(
    ("predictor", "answer"),
    [
        (AlwaysFeasible(), FeasibilityAnswer(FeasibilityLabel.FEASIBLE, 0.0)),
        (NeverFeasible(seed=3, device="cpu"), FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 1.0)),
    ],
)
def test_the_answer_is_always_the_same(
    predictor: AlwaysFeasible | NeverFeasible, answer: FeasibilityAnswer, episode_request: Callable[..., EpisodeRequest]
) -> None:
    for goal in ("", "Fly me to the moon", None):
        found = predictor.predict(episode_request(goal=goal))
        assert (found.episode, found.step, found.answer) == ("e", None, answer)


def test_on_the_sample_they_score_what_the_labels_make_of_them(run_on_sample: Callable[..., dict[str, Any]]) -> None:
    """9 of 52 goals of the sample are infeasible."""
    feasible = run_on_sample("always-feasible", "feasibility")
    assert feasible["accuracy"] == pytest.approx(43 / 52)
    assert (feasible["f1"], feasible["precision"], feasible["recall"]) == (0, 0, 0)
    infeasible = run_on_sample("never-feasible", "feasibility")
    assert (infeasible["recall"], infeasible["precision"]) == (1, pytest.approx(9 / 52))
    assert infeasible["f1"] == pytest.approx(18 / 61)
    assert infeasible["average_precision"] == feasible["average_precision"] == pytest.approx(9 / 52)


def test_by_chance_so_many_are_infeasible_as_in_the_paper(episode_request: Callable[..., EpisodeRequest]) -> None:
    requests = [replace(episode_request(goal="go"), episode=f"e{number}") for number in range(4000)]
    drawn = [RandomFeasibility(seed=1).predict(request) for request in requests]
    again = [RandomFeasibility(seed=1).predict(request) for request in reversed(requests)]
    assert drawn == again[::-1], "by seed and episode alone"
    assert drawn != [RandomFeasibility(seed=2).predict(request) for request in requests]
    answers = [one.answer for one in drawn]
    assert all(isinstance(one, FeasibilityAnswer) and one.score is not None and 0 <= one.score < 1 for one in answers)
    infeasible = [one.score for one in answers if one.label is FeasibilityLabel.INFEASIBLE]
    feasible = [one.score for one in answers if one.label is FeasibilityLabel.FEASIBLE]
    assert len(infeasible) / len(answers) == pytest.approx(INFEASIBLE, abs=0.03)
    assert min(infeasible) > max(feasible), "the label is where the score says"
