"""What a rule accepts on a step, worked out when it is asked for."""

from __future__ import annotations

from typing import Any

from stepscope.app.gui.shell.episode_judgements import LateRegions
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Point, Size

SIZE = Size(100, 200)


class NotedScorer:
    """Accepts nothing, and notes of which steps it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def region(self, step: Step, _options: Any) -> None:
        self.asked.append(step.index)


def test_a_region_is_worked_out_once_and_only_for_the_step_that_is_drawn() -> None:
    steps = [Step(index, Observation(SIZE), Tap(Point(5, 5, SIZE))) for index in (0, 1, 4)]
    scorer = NotedScorer()
    regions = LateRegions(scorer, {}, steps)  # type: ignore[arg-type]
    assert list(regions) == [0, 1, 4]
    assert len(regions) == 3
    assert scorer.asked == []
    assert regions[4] is None
    assert regions.get(4) is None
    assert regions.get(2) is None
    assert scorer.asked == [4]
