"""What is drawn of a step at which an agent asks, and of one that ran again."""

from __future__ import annotations

from stepscope.app.services.ask_screens import ASKS, lane_marks
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import BubbleMark, MarkVerdict, PointMark
from stepscope.core.evaluation.ask_lanes import LaneStep, StreamCell
from stepscope.core.scoring.ask_streams import Stream

SIZE = Size(100, 200)
HERE, THERE = Point(10, 10, SIZE), Point(90, 190, SIZE)
STEP = Step(2, Observation(SIZE), Tap(HERE))


def lane(first: StreamCell, second: StreamCell | None) -> LaneStep:
    return LaneStep(2, STEP.action, None, None, first, second, None, Stream.SECOND, right=True, asks=False)


def test_both_streams_stand_on_the_screen() -> None:
    marks = lane_marks(STEP, lane(StreamCell(Tap(THERE), None, False), StreamCell(Tap(HERE), None, True)), 3)
    points = [(mark.point, mark.verdict) for mark in marks if isinstance(mark, PointMark)]
    assert points == [(HERE, MarkVerdict.NONE), (THERE, MarkVerdict.MISS), (HERE, MarkVerdict.HIT)]


def test_a_question_is_a_bubble_even_where_its_words_are_not_known() -> None:
    for question, words in (("How long?", "How long?"), ("", ASKS)):
        marks = lane_marks(STEP, lane(StreamCell(None, question, False), None), 0)
        assert [mark.text for mark in marks if isinstance(mark, BubbleMark)] == [words]


def test_a_step_without_an_item_has_its_reference() -> None:
    assert {mark.layer for mark in lane_marks(STEP, None, 0) if isinstance(mark, PointMark)} == {Layer.REFERENCE}
