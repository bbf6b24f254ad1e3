"""An agent on the simulated phone whose question the data of the sample answers: another answer, another alarm, in the
phone as well as in the recording."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.app.services.live.agent_events import AgentOutcome
from stepscope.app.services.live.agent_session import AgentCompany, DataCompany, GivenAnswer, NoCompany, let_act
from stepscope.app.services.live.data_answers import answers_of
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.device.simulated import SimulatedDevice
from stepscope.core.domain.action import AskUser, Finish, FinishStatus, OpenApp, Tap
from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.sources.recording import read_recording
from stepscope.core.sources.registry import open_source
from tests.app.services.live.scripted import ALONE, Script, does

pytestmark = [
    pytest.mark.chain,
    pytest.mark.needs("PySide6.QtWebEngineCore"),
    pytest.mark.xdist_group("simulated phone"),
]

QUESTION = "Wake up or gym?"


def alarm_of(request: StepRequest) -> Prediction:
    """Opens the clock, asks which alarm, and switches the one of the answer."""
    if len(request.history) == 2:
        return does(Finish(FinishStatus.COMPLETE))(request)
    if not request.history:
        return does(OpenApp("Clock"))(request)
    if request.reply is None:
        return does(AskUser(QUESTION))(request)
    word = "gym" if "gym" in request.reply[1].casefold() else "wake up"
    assert request.observation.tree is not None
    row = next(one for one in request.observation.tree if one.clickable and word in one.label.casefold())
    return does(Tap(row.box.centre))(request)


class Sleepy(NoCompany):
    """Somebody who means the other alarm."""

    def answer(self, asked: object) -> GivenAnswer | str:
        return GivenAnswer("Wake up, please.")


def test_the_answer_decides_what_is_touched(tmp_path: Path) -> None:
    episode = open_source(SAMPLE).read("ask-morning-alarm")
    touched = {}
    for name, company in (("data", DataCompany(answers_of(episode))), ("person", Sleepy())):
        found: AgentCompany = company
        phone, models = SimulatedDevice(seed=1, theme="light"), (Script([alarm_of] * 6), None)
        report = let_act(phone, models, episode.goal, tmp_path / name, found, settings=ALONE, durable=False)
        assert (report.how, report.questions, report.answered) == (AgentOutcome.COMPLETE, 1, 1)
        walk = read_recording(tmp_path / name)
        assert [step.action.kind for step in walk.steps if step.action] == ["open_app", "ask", "tap"]
        assert [one.question for one in walk.asks] == [QUESTION]
        tapped = walk.steps[2].action
        assert isinstance(tapped, Tap) and tapped.target is not None
        touched[name] = (walk.asks[0].answer, tapped.target.text.casefold())
    assert touched["data"][0] == "The one for the gym." and "gym" in touched["data"][1]
    assert touched["person"][0] == "Wake up, please." and "wake up" in touched["person"][1]
