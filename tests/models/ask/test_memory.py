"""What an agent remembers of its questions."""

from __future__ import annotations

from stepscope.core.domain.action import Action, AskUser, Say, Wait
from stepscope.core.evaluation.predictor import OwnAnswer, StepRequest
from stepscope.models.ask.memory import answered_slots, remembered
from tests.models.automation.two_tower_data import request, screen


def at(*history: Action, own: tuple[OwnAnswer, ...] = ()) -> StepRequest:
    return request(screen("a"), None, "go", *history, own=own)


def said(slot: str, *history: Action) -> OwnAnswer:
    return OwnAnswer(AskUser("?") if slot else None, f"P 0.5; {remembered(at(*history), slot)}")


def test_a_question_is_answered_where_nothing_else_is_done() -> None:
    own = (said(""), said("time", Wait()))
    assert answered_slots(at(Wait(), own=own)) == {"time"}
    assert answered_slots(at(Wait(), Wait(), own=own)) == frozenset(), "taken back: an action followed"
    assert answered_slots(at(Wait(), Say("6:45"), own=own)) == {"time"}
    assert answered_slots(at(own=())) == frozenset()


def test_what_was_answered_stays_so() -> None:
    own = (said("time"), said(""), said("item", Wait()), said("", Wait(), Wait()))
    assert answered_slots(at(Wait(), Wait(), Wait(), own=own)) == {"time"}


def test_without_memory_nothing_is_known() -> None:
    own = (OwnAnswer(AskUser("?"), "an answer of another kind"), said("time"))
    assert answered_slots(at(own=own)) == frozenset()
