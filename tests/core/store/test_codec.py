"""Answers that say more than their word come back from the store as they were."""

from __future__ import annotations

import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import Answer, AskAnswer, Evidence, FeasibilityAnswer, FieldsAnswer, OrderAnswer
from stepscope.core.store.codec import answer_from_text, answer_to_text

SCREEN = Size(270, 600)


@pytest.mark.parametrize(
    "answer",
    [
        FeasibilityAnswer(FeasibilityLabel.FEASIBLE, 0.25),
        FeasibilityAnswer(
            FeasibilityLabel.INFEASIBLE,
            0.75,
            (0.5, 0.625, 0.75),
            (Evidence(2, 0.125, "No alarms", Box(1, 2, 30.5, 40, SCREEN)), Evidence(0, 0.0625)),
        ),
        OrderAnswer(("b", "a"), ((0.5, 0.75), (0.25, 0.5))),
        OrderAnswer(("b", "a")),
        AskAnswer(None, 0.125, Tap(Point(3, 4, SCREEN)), None),
        AskAnswer("Which one?", 0.875, None, Tap(Point(3, 4, SCREEN))),
        AskAnswer("Which one?"),
        AskAnswer("Which one?", whole=Tap(Point(3, 4, SCREEN)), unasked=Tap(Point(5, 6, SCREEN))),
        FieldsAnswer((("a", "1"), ("b", "")), ("c",)),
        FieldsAnswer((("a", "1"),)),
    ],
)
def test_what_was_answered_comes_back(answer: Answer) -> None:
    assert answer_from_text(answer_to_text(answer)) == answer
