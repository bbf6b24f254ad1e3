"""Why a step went wrong: cases that a person sorted, and that every wrong step has one cause."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    Action,
    AskUser,
    Drag,
    Finish,
    FinishStatus,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.error_cause import CAUSE_TITLES, ErrorCause
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, PredictionStatus
from stepscope.core.domain.score import Score
from stepscope.core.scoring.error_cause import cause_of, is_next_row

SCREEN = Size(100, 200)
WRONG = Score.scored(0, "")


def at(x: float, y: float) -> Point:
    return Point(x, y, SCREEN)


def tree(*rows: tuple[tuple[int, int, int, int], int]) -> UITree:
    """Elements by left, top, right, bottom and the number of their parent."""
    made = [
        UIElement(index, Box(*edges, SCREEN), parent, clickable=index > 0) for index, (edges, parent) in enumerate(rows)
    ]
    return UITree(tuple(made), TreeOrigin.DOM, SCREEN)


LIST = tree(
    ((0, 0, 100, 200), -1),
    ((0, 0, 100, 30), 0),  # a bar, which is no row
    ((0, 30, 100, 160), 0),  # the list: rows 3 to 6, each with a word, the last with a switch besides
    *(((0, 30 + 30 * row, 100, 60 + 30 * row), 2) for row in range(4)),
    *(((10, 40 + 30 * row, 60, 50 + 30 * row), 3 + row) for row in range(4)),
    ((70, 125, 90, 145), 6),
)


def cause(reference: Action | None, answer: Action | None, seen: UITree | None = None) -> ErrorCause | None:
    step = Step(0, Observation(SCREEN, tree=seen), reference)
    if answer is None:
        return cause_of(step, Prediction("e", 0, None, PredictionStatus.MALFORMED), WRONG)
    return cause_of(step, Prediction("e", 0, ActionAnswer(answer)), WRONG)


UP, DOWN = Swipe(at(50, 150), at(50, 50)), Swipe(at(50, 50), at(50, 150))
HERE = Tap(at(50, 100))


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        (HERE, None, "unreadable"),
        (AskUser("Which?"), None, "unreadable"),
        (AskUser("Which?"), HERE, "ask"),
        (AskUser("Which?"), Finish(), "ask"),
        (HERE, AskUser("Which?"), "kind"),
        (HERE, Finish(), "finish"),
        (Finish(), HERE, "kind"),
        (Finish(), Finish(FinishStatus.IMPOSSIBLE), "text"),
        (HERE, LongPress(at(50, 100)), "kind"),
        (HERE, Wait(), "kind"),
        (None, HERE, "kind"),
        (UP, DOWN, "direction"),
        (UP, Scroll(Direction.UP), "direction"),
        (UP, Scroll(Direction.DOWN, at(50, 149)), "near"),
        (UP, Drag(at(50, 150), at(50, 50)), "kind"),
        (Type("tea"), Type("coffee"), "text"),
        (Type("Tea ", at(50, 100)), Type("tea", at(50, 10)), "far"),
        (PressKey("back"), PressKey("home"), "text"),
        (OpenApp("Maps"), OpenApp("Clock"), "text"),
        (HERE, Tap(at(50, 72.1)), "near"),
        (HERE, Tap(at(50, 71.9)), "far"),
        (HERE, Tap(at(64.1, 100)), "far"),
        (HERE, Tap(None, Target(Box(40, 90, 60, 120, SCREEN))), "near"),
        (HERE, Tap(None, Target(None, "Search")), "place"),
    ],
)
def test_the_first_cause_that_fits(reference: Action | None, answer: Action | None, expected: str) -> None:
    assert cause(reference, answer) == expected


def test_the_row_above_or_below_is_told_with_a_tree_alone() -> None:
    word = Tap(at(30, 105))  # the word of the third row
    assert cause(word, Tap(at(30, 130)), LIST) == "row", "below"
    assert cause(word, Tap(at(95, 75)), LIST) == "row", "above, beside its word"
    assert cause(word, Tap(at(80, 135)), LIST) == "row", "the switch of the row below"
    assert cause(word, Tap(at(30, 45)), LIST) == "far", "two above"
    assert cause(word, Tap(at(85, 118)), LIST) == "far", "the same row, elsewhere: 0.55 of the width away"
    assert cause(word, Tap(at(30, 130))) == "near", "no tree tells rows"


def test_rows_of_one_list_are_alike_and_next_to_each_other() -> None:
    bar, first = LIST.elements[1], LIST.elements[7]
    assert not is_next_row(LIST, first, at(50, 15)), "the bar is no row of the list"
    assert not is_next_row(LIST, bar, at(50, 45)), "nor is the list one below the bar"
    beside = tree(((0, 0, 100, 200), -1), ((0, 0, 50, 40), 0), ((50, 0, 100, 40), 0), ((0, 40, 50, 80), 0))
    assert not is_next_row(beside, beside.elements[1], at(75, 20)), "beside it"
    assert is_next_row(beside, beside.elements[1], at(25, 60))
    between = tree(((0, 0, 100, 200), -1), ((0, 0, 100, 30), 0), ((0, 60, 100, 90), 0), ((0, 35, 100, 55), 0))
    assert not is_next_row(between, between.elements[1], at(50, 75)), "one lies between them"
    uneven = tree(((0, 0, 100, 200), -1), ((0, 0, 100, 30), 0), ((0, 30, 100, 91), 0))
    assert not is_next_row(uneven, uneven.elements[1], at(50, 60)), "more than twice as high"


def test_an_agent_that_says_whether_it_asks() -> None:
    ask = Step(0, Observation(SCREEN), AskUser("Which?"))
    act = Step(0, Observation(SCREEN), HERE)

    def told(step: Step, answer: AskAnswer) -> ErrorCause | None:
        return cause_of(step, Prediction("e", 0, answer), WRONG)

    assert told(ask, AskAnswer(None, 0.1)) == "ask"
    assert told(act, AskAnswer("Which one?", 0.9)) == "kind"
    assert told(act, AskAnswer(None, 0.1, Tap(at(50, 10)))) == "far"


points = st.builds(at, st.floats(0, 100), st.floats(0, 200))
actions = st.one_of(
    st.builds(Tap, points),
    st.builds(LongPress, points),
    st.builds(Swipe, points, points),
    st.builds(Scroll, st.sampled_from(Direction), st.none() | points),
    st.builds(Type, st.text(max_size=3), st.none() | points),
    st.builds(PressKey, st.sampled_from(["back", "home"])),
    st.builds(AskUser, st.text(max_size=3)),
    st.builds(Finish, st.sampled_from(FinishStatus)),
)


@given(actions, actions, st.sampled_from([None, LIST]), st.booleans())
def test_a_wrong_step_has_one_cause_and_a_right_one_none(
    reference: Action, answer: Action, seen: UITree | None, right: bool
) -> None:
    step = Step(0, Observation(SCREEN, tree=seen), reference)
    prediction = Prediction("e", 0, ActionAnswer(answer))
    found = cause_of(step, prediction, Score.scored(1 if right else 0, ""))
    assert (found is None) is right
    assert right or found in CAUSE_TITLES
    assert cause_of(step, prediction, Score.unscored("")) is None
    assert seen is not None or found != ErrorCause.ROW
