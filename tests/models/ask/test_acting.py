"""An agent that asks with one that acts beside it: names, what each is shown, what comes together."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from stepscope.app.services.recordings_consent import server_of
from stepscope.core.domain.action import AskUser, Tap, Type, Wait
from stepscope.core.domain.model_name import asks_server, models_in
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.models import registry
from stepscope.models.ask import acting as acting_module
from stepscope.models.ask.acting import acting, acting_info, shown_streams
from stepscope.models.ask.actor_choice import TRAINED_ACTOR_CHOICE
from stepscope.models.ask.constant import QUESTION, AlwaysAsk, AskFirst, AskOracle, NeverAsk
from stepscope.models.catalog import ALWAYS_ASK, NEVER_ASK, TEXT_MATCH, TWO_TOWER
from tests.models.automation.two_tower_data import request, screen

REPLY = ("Which note?", "Plum cake.")


class Parrot:
    """Types the goal that it was shown; works in batches, and counts them."""

    batch_size, fingerprint = 4, "parrot"

    def __init__(self) -> None:
        self.info = replace(TWO_TOWER, name="parrot", weights="none")
        self.batches: list[int] = []

    def predict(self, asked: StepRequest) -> Prediction:
        return self.predict_batch([asked])[0]

    def prepare(self, asked: StepRequest) -> StepRequest:
        return asked

    def predict_batch(self, prepared: Sequence[StepRequest]) -> Sequence[Prediction]:
        self.batches.append(len(prepared))
        return [Prediction(one.episode, one.step, ActionAnswer(Type(f"{one.goal}|{one.reply}"))) for one in prepared]

    def warm_up(self) -> None: ...

    def close(self) -> None: ...


def told(**more: Any) -> StepRequest:
    return request(screen("a"), "Tap a", "Lock a note", **more)


def test_the_actor_acts_in_every_stream() -> None:
    actor = Parrot()
    info = acting_info(ALWAYS_ASK, actor.info)
    found = acting(AlwaysAsk(), info, lambda _name: actor)
    plain, whole = told(), told(reply=REPLY, whole="Lock the note Plum cake")
    first, second = found.predict_batch([found.prepare(one) for one in (plain, whole)])  # type: ignore[attr-defined]
    assert first.answer == AskAnswer(QUESTION, action=Type("Lock a note|None"))
    assert second.answer == AskAnswer(
        QUESTION,
        action=Type("Lock a note|None"),
        after=Type(f"Lock a note|{REPLY}"),
        whole=Type("Lock the note Plum cake|None"),
    )
    assert actor.batches == [4], "all that two steps take at once"
    assert (found.info.name, found.info.batches) == ("always-ask?actor=parrot", True)
    assert "parrot" in found.fingerprint  # type: ignore[attr-defined]


def test_who_reads_no_reply_is_told_it_behind_the_goal() -> None:
    asked = told(reply=REPLY, whole="Lock Plum cake")
    first, after, whole = shown_streams(asked, reads_reply=False)
    assert after and whole
    assert (first.goal, after.goal, whole.goal) == (
        "Lock a note",
        "Lock a note Which note? Plum cake.",
        "Lock Plum cake",
    )
    assert (first.reply, after.reply, whole.reply) == (None, REPLY, None)
    assert {one.instruction for one in (first, after, whole)} == {one.whole for one in (first, after, whole)} == {None}
    kept = shown_streams(asked, reads_reply=True)[1]
    assert kept and kept.goal == "Lock a note" and kept.reply == REPLY
    assert shown_streams(told(), reads_reply=True)[1:] == (None, None)
    assert TWO_TOWER.reads_reply and not TEXT_MATCH.reads_reply


def test_text_match_follows_the_answer() -> None:
    found = registry.load("never-ask?actor=text-match")
    seen = screen("Talk", "Plum cake", "Lake house")
    answer = found.predict(request(seen, None, "Lock one", reply=REPLY)).answer
    assert isinstance(answer, AskAnswer) and isinstance(answer.after, Tap) and answer.after.point is not None
    assert answer.after.point.y == 60, "the second row"
    assert answer.question is None and answer.action is not None and answer.whole is None


def test_names() -> None:
    def name(one: str) -> str:
        return registry.model_info(one).name

    assert name("never-ask?actor=none") == "never-ask"
    assert name("never-ask?actor=text-match") == "never-ask?actor=text-match"
    nested = "ask-first?actor=two-tower%3Fhistory%3Dnone"
    assert name(nested) == nested
    assert name("ask-timing?actor=two-tower") == "ask-timing"
    both = registry.model_info("ask-timing?actor=none&precision=0.7")
    assert both.name == "ask-timing?precision=0.7&actor=none" and both.settings
    assert registry.model_info("ask-first?actor=reference").needs_reference


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("never-ask?actor=nothing", "no model 'nothing'"),
        ("never-ask?actor=template", "does not act"),
        ("never-ask?actor=two-tower%3Fhistory%3Dpredicted", "own answers as history"),
        ("never-ask?actor=", "cannot be ''"),
        ("text-match?actor=random", "no option 'actor'"),
    ],
)
def test_an_actor_that_cannot_be_is_one_error(name: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        registry.load(name)


def test_without_a_setting_they_answer_as_ever() -> None:
    asked = told(reply=REPLY, whole="Lock Plum cake")
    for name, question in (("never-ask", None), ("always-ask", QUESTION)):
        found = registry.load(name)
        assert isinstance(found, NeverAsk | AlwaysAsk) and found.predict(asked).answer == AskAnswer(question)


def test_the_usual_actor_may_lack(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    usual = replace(NEVER_ASK, settings=(TRAINED_ACTOR_CHOICE,))
    agent = NeverAsk()

    def broken(_name: str) -> Any:
        raise UserError("its encoders are not here")

    with caplog.at_level(logging.WARNING):
        assert acting(agent, usual, broken) is agent
    assert "without an actor: its encoders are not here" in caplog.text
    monkeypatch.setattr(acting_module, "find_trained", lambda _name: None)
    assert acting(agent, usual, broken) is agent
    with pytest.raises(UserError, match="encoders"):
        acting(agent, replace(usual, name="never-ask?actor=two-tower"), broken)


def test_an_actor_behind_a_server_is_found_in_the_name() -> None:
    name = "ask-first?actor=served%3Ahome%2Fqwen%23automation"
    assert models_in(name) == (name, "served:home/qwen#automation")
    assert asks_server(name) and not asks_server("ask-first?actor=text-match")
    with pytest.raises(UsageError):
        server_of(name)
    assert server_of("ask-first?actor=text-match") is None


def test_asking_first_and_where_the_data_says_so() -> None:
    def asked(agent: Any, step: int, reference: Any = None) -> str | None:
        answer = agent.predict(StepRequest("e", step, "go", told().platform, screen("a"), reference=reference)).answer
        assert isinstance(answer, AskAnswer)
        return answer.question

    assert [asked(AskFirst(), step) for step in (0, 1, 2)] == [QUESTION, None, None]
    references = (Wait(), AskUser("Which one?"), None)
    assert [asked(AskOracle(), 1, one) for one in references] == [None, "Which one?", None]
    oracle: ModelInfo = AskOracle.info
    assert oracle.needs_reference and oracle.task is Task.ASK
