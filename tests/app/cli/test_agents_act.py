"""`stepscope agents act`: who answers an agent's questions, and what becomes of them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.device.session import LiveSession
from stepscope.core.domain.action import AskUser, Finish, FinishStatus, Type
from stepscope.core.domain.episode import Ask, Episode, Platform
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.core.sources.recording import read_recording
from stepscope.core.sources.recording_writer import write_recording
from tests.app.services.live.scripted import Script, does, info
from tests.core.device.fake import FakeDevice

GOAL = "Write to the shop"
Act = Callable[..., Any]


def asks_and_types(request: StepRequest) -> Any:
    """What was answered is typed; without an answer it asks, and asks again once it was told that there is none."""
    if request.reply is not None:
        return does(Type(request.reply[1]))(request)
    if request.history:
        return does(Finish(FinishStatus.COMPLETE))(request)
    return does(AskUser("What shall I write?"))(request)


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> FakeDevice:
    device = FakeDevice(page="list")
    device.focus = "Search"
    monkeypatch.setattr("stepscope.app.services.live.devices.open_device", lambda serial: device)
    rested = LiveSession.__init__
    monkeypatch.setattr(LiveSession, "__init__", lambda *given, **words: rested(*given, **words, rest=0.0))
    return device


@pytest.fixture
def data(tmp_path: Path) -> Path:
    asks = (Ask(0, "What do you want to say?", "Closed on Monday?"),)
    write_recording(Episode("note", "recording", Platform.ANDROID, GOAL, (), asks=asks), tmp_path / "walks" / "note")
    write_recording(Episode("quiet", "recording", Platform.ANDROID, "Look", ()), tmp_path / "walks" / "quiet")
    return tmp_path / "walks"


@pytest.fixture
def act(cli: Any, phone: FakeDevice, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Act:
    def call(*options: object, lines: str = "") -> Any:
        model = Script([asks_and_types] * 9)
        monkeypatch.setattr("stepscope.app.services.live.predicting.live_model", lambda name, device: model)
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        return cli("agents", "act", "scripted", "fake", tmp_path / "out", *options)

    monkeypatch.setattr("stepscope.models.registry.named_for", lambda name, task: name)
    return call


def dialogue(tmp_path: Path) -> list[tuple[int, str, str]]:
    return [(one.step, one.question, one.answer) for one in read_recording(tmp_path / "out").asks]


def test_a_person_answers_on_stdin_and_the_dialogue_is_recorded(act: Act, phone: FakeDevice, tmp_path: Path) -> None:
    run = act("--goal", GOAL, "--json", lines="Until when are you open?\n")
    assert run.status == 0, run.err
    assert phone.typed == {"Search": "Until when are you open?"}
    assert dialogue(tmp_path) == [(0, "What shall I write?", "Until when are you open?")]
    form = json.loads(run.out)
    assert (form["outcome"], form["actions"], form["questions"], form["answered"]) == ("complete", 1, 1, 1)
    lines = [json.loads(line) for line in (tmp_path / "out" / "predictions.jsonl").read_text().splitlines()]
    assert [line["action"]["kind"] for line in lines[1:]] == ["ask", "type", "finish"]


def test_the_data_answers_and_nobody_is_needed(act: Act, phone: FakeDevice, data: Path, tmp_path: Path) -> None:
    run = act("--data", data, "--episode", "note", "--answers", "data")
    assert run.status == 0, run.err
    assert phone.typed == {"Search": "Closed on Monday?"}
    assert dialogue(tmp_path) == [(0, "What shall I write?", "Closed on Monday?")]
    assert read_recording(tmp_path / "out").goal == GOAL
    assert "answer (data): Closed on Monday?" in run.out


def test_a_person_takes_the_answer_of_the_data(act: Act, phone: FakeDevice, data: Path) -> None:
    run = act("--goal", GOAL.upper(), "--data", data, lines="data\n")
    assert "\ndata: Closed on Monday?\n" in run.out
    assert phone.typed == {"Search": "Closed on Monday?"}


@pytest.mark.parametrize("options", [("--answers", "none"), ()])
def test_where_nobody_answers_it_is_told_so_and_ends_when_it_asks_again(
    act: Act, options: tuple[str, ...], tmp_path: Path
) -> None:
    run = act("--goal", GOAL, *options)
    assert run.status == 1
    assert "It was told to go on without an answer, and asked again" in run.out
    assert dialogue(tmp_path) == [(0, "What shall I write?", "There is no answer. Go on without asking.")]


def test_a_limit_of_no_questions(act: Act, tmp_path: Path) -> None:
    run = act("--goal", GOAL, "--questions", 0, lines="never heard\n")
    assert run.status == 1
    assert "0 questions were put, which is the limit of a task." in run.out
    assert len(dialogue(tmp_path)) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--answers", "data"), "there is no data that could answer."),
        ((), "the goal is missing."),
        (("--goal", "Look", "--answers", "data", "--data", "DATA"), "no episode with questions has this goal."),
        (("--episode", "quiet", "--answers", "data", "--data", "DATA"), "nothing was asked in quiet."),
        (("--episode", "gone", "--data", "DATA"), "there is no episode 'gone'"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_done(
    act: Act, phone: FakeDevice, data: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    run = act(*(data if one == "DATA" else one for one in options))
    assert (run.status, said in run.err) == (2, True), run.err
    assert not phone.done and not (tmp_path / "out").exists()


def test_one_that_only_says_when_to_ask_cannot_act(act: Act, monkeypatch: pytest.MonkeyPatch) -> None:
    found: ModelInfo = info(Task.ASK, name="ask-only")
    monkeypatch.setattr(Script, "__post_init__", lambda self: setattr(self, "info", found))
    run = act("--goal", GOAL)
    assert run.status == 2 and "scripted cannot act: it says when to ask, not what to do." in run.err
