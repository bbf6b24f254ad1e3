"""Text match as an agent on recorded screens of the sample, and no forbidden word touched unasked, whatever it taps."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.app.services.live.agent import AgentRun
from stepscope.app.services.live.agent_events import ActionPerformed, ActionProposed, AgentPaused, Mode, QuestionAsked
from stepscope.app.services.live.predicting import live_model
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.device.confirmation_policy import ConfirmationPolicy
from stepscope.core.device.replay import ReplayDevice
from stepscope.core.device.session import LiveSession
from stepscope.core.domain.action import Tap
from stepscope.core.sources.registry import open_source
from tests.app.services.live.scripted import ALONE, Script, Told, scene, taps
from tests.core.device.fake import FakeDevice, Page, Row

WORDS = ("Buy", "Delete all", "Send", "Pay now", "Reset")
PLAIN = ("Kettle", "Teapot", "Back", "More", "Details")


def test_text_match_walks_through_recorded_screens_of_the_sample() -> None:
    episode = open_source(SAMPLE, None).read("ask-watch-colour")
    device, told = ReplayDevice([episode]), Told()
    session = LiveSession(device, rest=0.01)
    session.start()
    agent = AgentRun(
        session,
        live_model("text-match"),
        "tap Classic watch and tap Sand and tap Add to cart",
        told,
        settings=replace(ALONE, ask_below=0.3),
    )
    try:
        agent.go_on()
        done = [told.next(ActionPerformed).action for _ in range(3)]
    finally:
        agent.close()
        session.close()
    assert [one.target.text for one in done if isinstance(one, Tap) and one.target] == [
        "Classic watch", "Sand", "Add to cart",
    ]  # fmt: skip
    assert device.state.tree is not None
    assert device.state.tree == episode.steps[-1].observation.tree


@given(st.lists(st.sampled_from(WORDS + PLAIN), min_size=1, max_size=6, unique=True), st.data())
@settings(max_examples=max(1, settings().max_examples // 10))
def test_no_forbidden_word_is_touched_unasked(rows: list[str], data: st.DataObject) -> None:
    """On its own it taps what it likes; a person approves about every second proposal."""
    page = Page(tuple(Row(text, "page") for text in rows))
    wanted = data.draw(st.lists(st.sampled_from(rows), min_size=1, max_size=4))
    phone = FakeDevice({"page": page, "home": page}, "page")
    model = Script([taps(text) for text in wanted])
    approved: list[str] = []
    with scene(
        phone=phone, model=model, settings=replace(ALONE, confirmation=ConfirmationPolicy(), stuck_after=9)
    ) as it:
        it.agent.go_on()
        while not isinstance(event := it.told.next(ActionProposed | AgentPaused | QuestionAsked), AgentPaused):  # type: ignore[arg-type]
            if data.draw(st.booleans()):
                approved.append(event.choices[0].action.target.text)
                it.agent.approve(event.number)
            else:
                it.agent.reject(event.number)
        touched = [text for text in it.texts if text in WORDS]
    assert touched == approved


@pytest.mark.parametrize("mode", Mode)
def test_the_guard_holds_in_either_mode(mode: Mode) -> None:
    phone = FakeDevice(page="kettle")
    with scene(
        taps("Buy now"), phone=phone, settings=replace(ALONE, mode=mode, confirmation=ConfirmationPolicy())
    ) as it:
        it.agent.go_on()
        assert it.told.next(ActionProposed).reasons
        assert phone.done == []
