"""A tiny checkpoint becomes an agent that asks: tuned by a command, evaluated beside the untouched one, and let onto
the simulated phone, where it puts its question to the person and goes on with the answer.

It is measured on what it learned by heart: that all parts fit together is what is shown, not what tuning is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from stepscope.app.services.live.agent import AgentRun
from stepscope.app.services.live.agent_events import ActionProposed, AgentPaused, QuestionAnswered, QuestionAsked
from stepscope.app.services.live.predicting import live_model
from stepscope.app.services.worker import predicting_worker
from stepscope.core.device.session import LiveSession
from stepscope.core.device.simulated import SimulatedDevice
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Ask, Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.sources.recording_writer import write_recording
from stepscope.models.agents.adapter import own_folder
from stepscope.models.checkpoints import checkpoint
from tests.app.services.live.scripted import UNGUARDED, Told
from tests.models.checkpoints.conftest import loud  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.usefixtures("store"),
    pytest.mark.needs("torch", "transformers", "torchvision", "peft"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]
E = TypeVar("E")
PATIENCE = 200.0
SIZE = Size(1080, 2400)
CODES = """\
title = "Short codes"
version = "1"
space = "thousand"
platform = ["android"]
source = "ours: a test"
forms = ["calls"]
quoting = "python"

[resize]
rule = "long_side"
most = 112

[prompt]
version = "1"
none = "nothing"
past = "{action}"
between = "; "
user = "{goal}: {history}"

[writes]
tap = "CLICK({x}, {y})"

[asks]
ask = "ASK('{text}')"
say = "SAY('{text}')"
"""
"""What is asked is short, so that little is to be computed."""
QUICK = ("--rank", 16, "--rate", 0.005, "--batch", 1, "--epochs", 60, "--dropout", 0, "--device", "cpu")
GOAL, WHOLE, QUESTION = "Set an alarm", "Set an alarm for 7:30", "For what time?"


def _episode(folder: Path, name: str, goal: str, *, ask: bool, places: tuple[tuple[int, int], ...]) -> None:
    screen = Picture(folder.parent / "home.png", SIZE)
    steps = [Step(place, Observation(SIZE, screen), Tap(Point(*at, SIZE))) for place, at in enumerate(places)]
    write_recording(
        Episode(
            name, "recording", Platform.ANDROID, goal, (*steps, Step(len(steps), Observation(SIZE, screen))),
            asks=(Ask(0, QUESTION, "7:30"),) if ask else (), original_goal=WHOLE if ask else None,
        ),
        folder / name,
    )  # fmt: skip


@pytest.fixture
def phone() -> Iterator[SimulatedDevice]:
    found = SimulatedDevice(seed=1, theme="light")
    yield found
    found.close()


@pytest.fixture
def ambiguous(tmp_path: Path, phone: SimulatedDevice) -> Path:
    """On the phone's home screen: an alarm of which the time was left out, and a task of which nothing was."""
    (tmp_path / "home.png").write_bytes(phone.screenshot())
    folder = tmp_path / "ambiguous"
    folder.mkdir()
    _episode(folder, "alarm", GOAL, ask=True, places=((270, 600), (810, 1800)))
    _episode(folder, "clock", "Open the clock", ask=False, places=((810, 600),))
    return folder


def _next(told: Told, kind: type[E]) -> E:
    """The next event of the kind; the agent's process loads its libraries meanwhile. A pause is told."""
    while True:
        event = told._coming.get(timeout=PATIENCE)
        assert not isinstance(event, AgentPaused), event
        if isinstance(event, kind):
            return event


@pytest.mark.chain
@pytest.mark.timeout(600)
@pytest.mark.xdist_group("simulated phone")
def test_from_a_tiny_checkpoint_to_an_agent_that_asks_on_the_phone(
    cli: Any,
    loud: Path,  # noqa: F811 - a fixture
    ambiguous: Path,
    phone: SimulatedDevice,
) -> None:
    own_folder().mkdir(parents=True, exist_ok=True)
    (own_folder() / "codes.toml").write_text(CODES)
    checkpoint.add(checkpoint.Checkpoint("loud", str(loud), adapter="codes"), replaces=True)
    named = ("--data", ambiguous, "--mixture", "full,ambiguous", "--name", "asking")
    tuned = cli("models", "tune", "local:loud#ask?tokens=32", *named, *QUICK, "--json")
    assert tuned.status == 0, tuned.err
    # alarm: its question, the same step answered, the next step; both with the whole goal. clock: one step.
    assert "6 examples; 360 moves" in tuned.err
    assert tuned.json["model"] == "local:asking#ask?tokens=32"

    def measured(model: str) -> dict[str, Any]:
        ended = cli("evaluate", "ask", ambiguous, "--model", model, "--device", "cpu", "--json")
        assert ended.status in (0, 1), ended.err
        return ended.json["metrics"]

    before, after = measured("local:loud#ask?tokens=32"), measured("local:asking#ask?tokens=32")
    assert not before["ask_f1"] and not before["ssr"], "none of its answers can be read"
    assert after["ask_f1"] == 1.0 and after["ssr"] == 1.0

    told = Told()
    session = LiveSession(phone, rest=0.01)
    session.start()
    asker = live_model("local:asking#ask?tokens=32", device="cpu")
    agent = AgentRun(session, live_model("local:asking#automation?tokens=32", device="cpu"), GOAL, told,
                     settings=UNGUARDED, asker=asker)  # fmt: skip
    try:
        agent.go_on()
        asked = _next(told, QuestionAsked)
        assert asked.question == QUESTION and not asked.unsure
        agent.answer(asked.number, "7:30")
        assert _next(told, QuestionAnswered).answer == "7:30"
        assert isinstance(_next(told, ActionProposed).choices[0].action, Tap)
    finally:
        agent.close()
        session.close()
        predicting_worker().close()
