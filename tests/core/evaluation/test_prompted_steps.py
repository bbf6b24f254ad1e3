"""A rule that reads the prompt: it has the step's instruction where the model was shown it, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stepscope.core.domain.action import Scroll
from stepscope.core.domain.geometry import Direction
from stepscope.core.domain.model_name import is_goal_alone
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer

WAY = Direction.UP.value


@pytest.mark.parametrize(
    ("name", "goal_alone"),
    [("served:lab/x#automation", False), ("served:lab/x#automation?instructions=hidden", True),
     ("fake?instructions=hidden&seed=1", True), ("fake?instructions=shown", False)],
)  # fmt: skip
def test_os_genesis_reads_what_the_prompt_had(fakes, name: str, goal_alone: bool) -> None:
    """The reference scrolls down and the model up, which is the way that the instruction names."""

    class Scrolling(fakes.FakePredictor):
        def predict(self, request) -> Prediction:
            self.requests.append(request)
            return Prediction(request.episode, request.step, ActionAnswer(Scroll(Direction.UP)))

    source = fakes.FakeSource.of(a=1)
    plain = source.episodes["a"]
    step = replace(plain.steps[0], action=Scroll(Direction.DOWN), instruction=f"Scroll {WAY} to the end")
    source.episodes["a"] = replace(plain, steps=(step,))
    scorer, model = run_scorer("android_control"), Scrolling(name=name)
    options = parse_options(scorer.info, {"rule": "os_genesis"})
    (outcome,) = evaluate(source, ["a"], model, scorer, options)
    assert is_goal_alone(name) is goal_alone and outcome.score.right is not goal_alone
    assert model.requests[0].instruction == step.instruction, "whoever asks the model leaves it out of the prompt"
