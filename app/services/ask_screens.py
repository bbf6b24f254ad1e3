"""A step of an asking agent on its screen: the reference, what both streams did there, and the question as a bubble."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Step
from stepscope.core.domain.layers import Layer, Layers, run_layer
from stepscope.core.domain.mark import Mark
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.evaluation.ask_lanes import LaneStep
from stepscope.core.imaging.overlay import RunMarks, build_marks

ASKS = "Asks here"
"""In the bubble of an ask whose words nobody knows: at this threshold the agent would have asked."""


def lane_marks(step: Step, lane: LaneStep | None, letter: int) -> tuple[Mark, ...]:
    """The marks of a step for a run with this letter (0 for A); a step that has no item has its reference alone."""
    runs = [] if lane is None else list(_runs(step, lane, letter))
    return build_marks(step, runs, None, Layers.of(Layer.REFERENCE, Layer.TARGET, run_layer(letter)))


def _runs(step: Step, lane: LaneStep, letter: int) -> Iterator[RunMarks]:
    first, second = lane.first, lane.second
    if first is not None and first.action is not None:
        yield _acted(step, first.action, first.right, letter)
    if second is not None and second.action is not None and (first is None or second.action != first.action):
        yield _acted(step, second.action, second.right, letter)
    if first is not None and first.question is not None:
        yield RunMarks(letter, Prediction("", step.index, AskAnswer(first.question or ASKS)))


def _acted(step: Step, action: Action, right: bool | None, letter: int) -> RunMarks:
    score = None if right is None else Score(ScoreStatus.SCORED, float(right), "")
    return RunMarks(letter, Prediction("", step.index, ActionAnswer(action)), score)
