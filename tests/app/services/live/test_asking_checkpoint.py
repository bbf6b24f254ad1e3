"""A small local checkpoint as an agent that asks: what it does behind the question hangs on the answer, live and at a
recorded step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.live.agent_events import ActionPerformed, QuestionAnswered, QuestionAsked
from stepscope.app.services.live.predicting import LiveModel, ScreenFiles
from stepscope.app.services.live.recording import RecordingSession
from stepscope.app.services.question_trials import answered, request_at, stream_answer
from stepscope.core.device.session import observe
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Platform
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.sources.recording import read_recording
from stepscope.models.agents.adapter import read_adapter
from stepscope.models.agents.question import question
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.checkpoints import checkpoint as checkpoints
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.registry import load, model_info
from tests.app.services.live.scripted import ALONE, scene
from tests.core.device.fake import FakeDevice
from tests.models.chat.conftest import own_home  # noqa: F401 - a fixture
from tests.models.checkpoints.conftest import tiny  # noqa: F401 - a fixture
from tests.models.checkpoints.teaching import SHORT, put_short_adapter, taught

pytestmark = [pytest.mark.chain, pytest.mark.needs("torch", "transformers")]

GOAL, QUESTION = "Open it", "Which?"


def call(**arguments: object) -> str:
    return f"<tool_call>\n{json.dumps({'name': 'mobile_use', 'arguments': arguments})}\n</tool_call>"


@pytest.fixture(scope="module")
def asking(tiny: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """Asks about the goal alone, and with an answer taps the row of that name on the fake phone's first page."""
    place = tmp_path_factory.mktemp("asking")
    (place / "short.toml").write_text(SHORT)
    settings = AskingSettings(read_adapter(place / "short.toml"))
    phone, files = FakeDevice(), ScreenFiles(pictures=True)
    seen = files.observation(observe(phone, lambda: None))
    alone = StepRequest("e", 0, GOAL, Platform.ANDROID, seen)
    sent = settings.adapter.sent(seen.size)
    pairs = [(question(alone, settings).messages, call(action="interact", text=QUESTION))]
    for name in ("Shop", "Clock"):
        row = phone.place(name)
        x, y = round(row.x * sent.width / seen.size.width), round(row.y * sent.height / seen.size.height)
        asked = question(answered(alone, QUESTION, name), settings).messages
        pairs.append((asked, call(action="click", coordinate=[x, y])))
    try:
        return taught(tiny("qwen2.5-vl"), place / "model", pairs)
    finally:
        files.close()


@pytest.fixture
def model(asking: Path, own_home: Path) -> LiveModel:  # noqa: F811
    put_short_adapter()
    checkpoints.add(Checkpoint("mine", str(asking), adapter="short"))
    loaded = load("local:mine#ask", device="cpu")
    return LiveModel(model_info("local:mine#ask"), lambda request, _token: loaded.predict(request))


@pytest.mark.parametrize("answer", ["Shop", "Clock"])
def test_what_it_does_hangs_on_the_answer(model: LiveModel, answer: str, tmp_path: Path) -> None:
    folder = tmp_path / "walk"
    recording = RecordingSession(GOAL, folder=folder, durable=False)
    with scene(model=model, settings=ALONE, goal=GOAL, recorder=recording) as it:  # type: ignore[arg-type]
        it.session.watch_screen = True
        it.session.performed.add(recording.record)
        it.agent.step()
        asked = it.told.next(QuestionAsked)
        assert (asked.question, asked.unsure) == (QUESTION, False)
        it.agent.answer(asked.number, answer)
        assert it.told.next(QuestionAnswered).answer == answer
        done = it.told.next(ActionPerformed).action
        assert isinstance(done, Tap) and done.target is not None and done.target.text == answer
        assert it.agent.memory.predictions[0].calls[0].messages, "what was sent is kept"
    recording.stop(None)
    recording.finish(None).result(20)

    walk = read_recording(folder)
    assert [(one.step, one.question, one.answer) for one in walk.asks] == [(0, QUESTION, answer)]
    other = {"Shop": "Clock", "Clock": "Shop"}[answer]  # in Replay at the recorded step, answered otherwise
    loaded = load("local:mine#ask", device="cpu")
    request = request_at(walk, 0, model.info)
    first = stream_answer(loaded.predict(request), replied=False)
    assert first.question == QUESTION
    second = stream_answer(loaded.predict(answered(request, QUESTION, other)), replied=True)
    assert isinstance(second.action, Tap) and second.action.point is not None
    tree = walk.steps[0].observation.tree
    assert tree is not None
    hit = tree.target_at(second.action.point)
    assert hit is not None and hit.label == other
