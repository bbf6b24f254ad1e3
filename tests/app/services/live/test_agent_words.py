"""What an agent does and asks in words, and what it offers as answers."""

from __future__ import annotations

import pytest

from stepscope.app.services.live.agent_words import label_of, offered, said, unsure_question
from stepscope.core.domain.action import (
    Action,
    AskUser,
    Drag,
    Finish,
    FinishStatus,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.domain.prediction import Candidate

SIZE = Size(100, 200)
HERE, UP = Point(50, 150, SIZE), Point(50, 50, SIZE)
BUY, ID = Target(None, "Buy now"), Target(None, "", "com.example:id/place_order")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Tap(HERE, BUY), "Tap Buy now"),
        (Tap(HERE, ID), "Tap place order"),
        (Tap(HERE), "Tap at 50, 150"),
        (Tap(None), "Tap somewhere"),
        (LongPress(HERE, BUY), "Hold Buy now"),
        (Drag(HERE, UP), "Drag at 50, 150"),
        (Swipe(HERE, UP), "Swipe up"),
        (Scroll(Direction.DOWN), "Scroll down"),
        (Type("tea"), "Type “tea”"),
        (Select("Red"), "Choose “Red”"),
        (PressKey("back"), "Press back"),
        (OpenApp("Clock"), "Open Clock"),
        (Wait(), "Wait"),
        (AskUser("Which?"), "Ask “Which?”"),
        (Say("Hello"), "Say “Hello”"),
        (Finish(), "Finish: done"),
        (Finish(FinishStatus.IMPOSSIBLE), "Finish: cannot be done"),
    ],
)
def test_actions_in_words(action: Action, words: str) -> None:
    assert said(action) == words


def candidates(*actions: Action) -> tuple[Candidate, ...]:
    return tuple(Candidate(action, 1.0) for action in actions)


def test_questions_of_one_that_is_unsure() -> None:
    one, other, third = (Tap(HERE, Target(None, name)) for name in ("Standard", "Express", "Collect"))
    assert unsure_question(()) == "What should be done here?"
    assert unsure_question(candidates(one)) == "Is “Standard” right here?"
    assert unsure_question(candidates(one, other)) == "Which is right here: Standard or Express?"
    assert unsure_question(candidates(one, other, third)) == "Which is right here: Standard, Express or Collect?"


def test_offers_have_names_that_differ() -> None:
    named = candidates(*(Tap(HERE, Target(None, name)) for name in "ABACDEF"), Tap(HERE))
    assert [label_of(one.action) for one in offered(named)] == list("ABCDE")
    assert [label_of(one.action) for one in offered(candidates(Tap(HERE), PressKey("back")))] == ["Press back"]
    assert [label_of(one.action) for one in offered(candidates(Tap(HERE)))] == ["Tap at 50, 150"]
