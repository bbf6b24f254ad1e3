"""Ambiguous tasks: what people say of them, and what was cut out of a goal."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.ambiguous_json import pieces_from_text, pieces_to_text
from stepscope.core.domain.ambiguous_task import (
    AmbiguousTask,
    AskReview,
    Cut,
    MissingPiece,
    PieceEdit,
    PieceKind,
    ReviewVerdict,
    TaskSlot,
    TaskStanding,
    edit_of,
    standing,
)
from stepscope.core.domain.goal_words import GoalPart, PartState, cuts_between, goal_parts, with_cuts, words_in

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
PIECE = MissingPiece(3, "March 4", "Which date?", "March 4.", PieceKind.DATE, (Cut(9, 20),))
TASK = AmbiguousTask(TaskSlot("data", "7", "rules", 1), "See tides on March 4", "See tides", (PIECE,), (), NOON)
WORDS = st.lists(
    st.sampled_from(
        ["Set", "set", "an", "alarm", "for", "7:30", "a.m.", "tomorrow", ",", "and", "label", "it", "run-up"]
    ),
    max_size=9,
)


def said(verdict: ReviewVerdict, who: str = "ann", minutes: int = 0) -> AskReview:
    return AskReview(TASK.slot, who, verdict, TASK.wording, NOON + timedelta(minutes=minutes))


def test_the_words_that_are_gone_are_told_apart_from_those_that_stay() -> None:
    assert goal_parts("Track the moon on March 4 in the app", "Track the moon on a date in the app") == (
        GoalPart(PartState.KEPT, "Track the moon on "),
        GoalPart(PartState.REMOVED, "March 4"),
        GoalPart(PartState.ADDED, "a date"),
        GoalPart(PartState.KEPT, " in the app"),
    )
    assert goal_parts("Open Maps", "open Maps.") == (
        GoalPart(PartState.KEPT, "Open Maps"),
        GoalPart(PartState.ADDED, "."),
    )
    assert goal_parts("", "") == ()


@given(WORDS, WORDS)
def test_the_parts_are_both_texts(one: list[str], other: list[str]) -> None:
    original, goal = " ".join(one), " ".join(other)
    parts = goal_parts(original, goal)
    assert "".join(part.text for part in parts if part.state is not PartState.ADDED) == original
    made = with_cuts(original, cuts_between(original, goal))
    assert [word.text.lower() for word in words_in(made)] == [word.text.lower() for word in words_in(goal)]


@pytest.mark.parametrize("cuts", [[Cut(2, 1)], [Cut(0, 99)], [Cut(0, 4), Cut(3, 5)]])
def test_cuts_that_cannot_be_are_refused(cuts: list[Cut]) -> None:
    with pytest.raises(ValueError, match="one after another"):
        with_cuts("See tides", cuts)


def test_more_must_let_a_task_stand_than_reject_it() -> None:
    yes, no = said(ReviewVerdict.ACCEPTED), said(ReviewVerdict.REJECTED, "ben")
    assert standing(TASK, []) == (TaskStanding.OPEN, TASK)
    assert standing(TASK, [yes])[0] is TaskStanding.ACCEPTED
    assert standing(TASK, [yes, no])[0] is TaskStanding.DISPUTED
    assert standing(TASK, [yes, no, replace(no, reviewer="cy")])[0] is TaskStanding.REJECTED
    assert standing(TASK, [replace(yes, wording="of other words")])[0] is TaskStanding.OPEN


def test_the_latest_edit_counts() -> None:
    first = edit_of(TASK, "ann", NOON, "See the tides", [PieceEdit(3, "When?", "March 4.")])
    later = edit_of(TASK, "ben", NOON + timedelta(minutes=1), "Look at tides", [])
    state, task = standing(TASK, [later, first])
    assert state is TaskStanding.EDITED and state.is_good
    assert (task.goal, task.pieces[0].question) == ("Look at tides", "Which date?")
    assert edit_of(TASK, "ann", NOON, TASK.goal, []).verdict is ReviewVerdict.ACCEPTED, "nothing was changed"


@pytest.mark.parametrize(
    ("goal", "pieces"),
    [("", []), ("A", [PieceEdit(3, " ", "A")]), ("A", [PieceEdit(4, "Q?", "A")]), ("A", [PieceEdit(3, "Q?", "A")] * 2)],
)
def test_an_edit_without_words_or_of_another_step_is_refused(goal: str, pieces: list[PieceEdit]) -> None:
    with pytest.raises(ValueError, match=r"must not be empty|leaves out"):
        edit_of(TASK, "ann", NOON, goal, pieces)


def test_ids_name_a_task_inside_its_data() -> None:
    assert TASK.id == replace(TASK, slot=TASK.slot._replace(source="moved")).id
    assert len({TASK.id, *(TASK.slot._replace(removed=n).id for n in (2, 3))}) == 3


@given(st.text(max_size=20), st.text(max_size=20), st.integers(0, 9))
def test_pieces_come_back_as_they_were(value: str, question: str, start: int) -> None:
    pieces = (MissingPiece(start, value, question, value, PieceKind.APP, (Cut(start, start + 3, value),)),)
    assert pieces_from_text(pieces_to_text(pieces)) == pieces
