"""Sentences out of a template."""

from collections.abc import Callable
from typing import Any

import pytest

from stepscope.core.domain.action import OpenApp, PressKey, Select, Tap, Target, Type
from stepscope.core.domain.geometry import Box
from stepscope.core.domain.prediction import GoalAnswer, PredictionStatus
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.models.goal.template import TemplatePredictor


def on(text: str, id: str | None = None) -> Target:
    return Target(None, text, id)


@pytest.mark.parametrize(
    ("actions", "app", "sentence"),
    [
        ((Tap(None, on("Search")), Type("red  tea", None, on("Songs", "a:id/search_input"))), "com.x.player",
         "Search for red tea in player"),
        ((Type("Nora", None, on("Name")), Tap(None, on("Save"))), "People", "Enter Nora as Name in People"),
        ((Type("Nora"), PressKey("enter")), None, "Enter Nora"),
        ((Type(" "), Tap(None, on("Save"))), None, "Open Save"),
        ((Select("large", None, on("Size")),), "www.shop.com", "Choose large as Size in shop"),
        ((Select("large"),), "", "Choose large"),
        ((Tap(None, on("Wi-Fi")), Tap(None, Target(Box(0, 0, 1, 1, None))), PressKey("back"), None), "settings",
         "Open Wi-Fi in settings"),
        ((OpenApp("Clock"), OpenApp("Maps"), PressKey("back")), "com.x.clock", "Open Maps"),
        ((PressKey("back"),), "com.android", "Open com.android"),
        ((), "Maps", "Open Maps"),
        ((), "https://www.recreation.gov/?a=b", "Open recreation"),
    ],
)  # fmt: skip
def test_the_first_that_there_is_decides(
    actions: Any, app: str | None, sentence: str, episode_request: Callable[..., EpisodeRequest]
) -> None:
    found = TemplatePredictor().predict(episode_request(*actions, app=app))
    assert (found.episode, found.step, found.answer) == ("e", None, GoalAnswer(sentence))


def test_a_trajectory_that_tells_nothing_has_no_answer(episode_request: Callable[..., EpisodeRequest]) -> None:
    found = TemplatePredictor(seed=1).predict(episode_request(PressKey("back"), None))
    assert (found.status, found.answer) == (PredictionStatus.EMPTY, None)


def test_on_the_sample_it_shares_few_words_with_the_goals(run_on_sample: Callable[..., dict[str, Any]]) -> None:
    found = run_on_sample("template", "goal_text")
    assert (found["n"], found["malformed"], found["exact"]) == (52, 0, 0)
    assert found["rouge_l"] == pytest.approx(0.152, abs=5e-4)
    assert found["token_f1"] == pytest.approx(0.169, abs=5e-4)
