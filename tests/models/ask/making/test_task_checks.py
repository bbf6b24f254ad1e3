"""Checks of ambiguous tasks by rule: each fault is told, and a good task has none."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from stepscope.core.domain.ambiguous_task import (
    AmbiguousTask,
    Cut,
    MissingPiece,
    PieceKind,
    StepReading,
    StepRole,
    TaskSlot,
)
from stepscope.models.ask.making.task_checks import failed_checks, lost_words

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
GOAL = "Track the moon phase of March 4 on the Moon app"
PIECE = MissingPiece(1, "March 4", "Which date?", "It is March 4.", PieceKind.DATE, (Cut(24, 31, "a certain date"),))
READINGS = StepReading(0, "Open Moon"), StepReading(1, "Choose March 4", StepRole.INFORMATIVE, "March 4")
GOOD = AmbiguousTask(
    TaskSlot("data", "7", "m", 1), GOAL, "Track the moon phase of a certain date on the Moon app", (PIECE,), READINGS,
    NOON,
)  # fmt: skip


def told(steps: Any = (0, 1), piece: dict[str, Any] | None = None, **changes: Any) -> str:
    pieces = changes.pop("pieces", (replace(PIECE, **(piece or {})),))
    return " ".join(failed_checks(replace(GOOD, pieces=pieces, **changes), steps))


def test_a_good_task_has_no_fault() -> None:
    assert failed_checks(GOOD, (0, 1)) == () and lost_words(GOOD) == ()
    assert failed_checks(replace(GOOD, pieces=(), goal=GOAL)) == (), "one that has not enough is no bad task"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"goal": "  "}, "The goal is empty."),
        ({"goal": GOAL}, "The goal is the original one. The goal still says “March 4”."),
        ({"goal": "Track the moon phase of the march, 4 on the Moon app"}, "still says"),
        ({"goal": "a certain date"}, "says nothing any more"),
        ({"goal": "Track something of a certain date"}, "lost more than what is left out: moon, phase, moon, app"),
        ({"piece": {"question": ""}}, "The question is empty."),
        ({"piece": {"question": "Tell me the date."}}, "asks nothing"),
        ({"piece": {"question": "Is it March 4?"}}, "gives the answer away"),
        ({"piece": {"answer": " "}}, "The answer is empty."),
        ({"piece": {"answer": "May 5, please."}}, "does not give back what is left out"),
        ({"piece": {"answer": "March 5."}}, "does not give back what is left out"),
        ({"piece": {"value": "", "answer": "On the Moon app."}}, "The goal says the answer already"),
        ({"piece": {"value": "Mars"}}, "never in the goal"),
        ({"steps": (0,)}, "There is no step 1."),
        ({"piece": {"step": 0}}, "Step 0 is not informative."),
        ({"piece": {"step": 5}}, "There is no step 5."),
        ({"pieces": (PIECE, PIECE)}, "Two questions are of one step."),
        ({"pieces": (PIECE, PIECE)}, "It leaves out 2 steps, not 1."),
    ],
)
def test_each_fault_is_told(changes: dict[str, Any], words: str) -> None:
    assert words in told(**changes)


def test_a_question_needs_no_mark_to_be_one() -> None:
    assert told(piece={"question": "Which date do you mean"}) == ""


def test_a_little_rewording_is_told_and_no_fault() -> None:
    task = replace(GOOD, goal="Track the moon's phase of a certain date on the Moon application")
    assert failed_checks(task) == () and lost_words(task) == ("app",)
