"""What a model will miss is said before it runs."""

from types import SimpleNamespace

import pytest

from stepscope.app.services.model_inputs import missing_inputs
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import SourceError
from stepscope.core.evaluation.predictor import ModelInfo


class Bare:
    """Episodes of one step each, without tree and without picture; "bad" cannot be read."""

    def read(self, name):
        if name == "bad":
            raise SourceError("goal is missing", place="data")
        return SimpleNamespace(steps=(SimpleNamespace(observation=Observation(Size(9, 9))),))


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
