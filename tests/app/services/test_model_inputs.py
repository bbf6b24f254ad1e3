"""What a model will miss is said before it runs."""

from types import SimpleNamespace

import pytest

from stepscope.app.services.model_inputs import missing_inputs
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import SourceError
from stepscope.core.evaluation.predictor import ModelInfo


class Bare:
    """Episodes of one step each, without tree and without picture; "bad" cannot be read, "words" is in words."""

    def read(self, name):
        if name == "bad":
            raise SourceError("goal is missing", place="data")
        platform = Platform.TEXT if name == "words" else Platform.ANDROID
        return SimpleNamespace(platform=platform, steps=(SimpleNamespace(observation=Observation(Size(9, 9))),))


@pytest.mark.parametrize(
    ("inputs", "units", "words"),
    [
        (("tree", "text"), "abcd", "m looks at UI trees, and none of the first 3 episodes has any."),
        (("screens", "tree"), "ab", "m looks at UI trees and screenshots, and none of the first 2 episodes has any."),
        (("tree",), "a", "m looks at UI trees, and the episode has none."),
        (("text", "history"), "ab", ""),
        (("tree",), ["bad"], ""),
        (("tree",), [], ""),
    ],
)
def test_what_the_first_episodes_lack(inputs, units, words):
    model = ModelInfo("m", "M", Task.AUTOMATION, "", "", inputs=inputs)
    assert missing_inputs(Bare(), list(units), model) == words


@pytest.mark.parametrize(
    ("task", "inputs", "misses"),
    [
        (Task.FEASIBILITY, ("screens", "tree", "text"), False),
        (Task.FEASIBILITY, ("screens",), True),
        (Task.GOAL, ("screens", "text"), True),
    ],
)
def test_an_episode_in_words_has_what_a_model_needs_that_reads_them(task, inputs, misses):
    model = ModelInfo("m", "M", task, "", "", inputs=inputs)
    assert bool(missing_inputs(Bare(), ["words"], model)) is misses
