"""Models about a live screen: the newest question only, what they do wrong, and one with weights in its own process."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from stepscope.app.services.live.predicting import (
    LiveModel,
    ScreenFiles,
    checked,
    episode_request,
    live_model,
    step_request,
)
from stepscope.app.services.worker import PredictJob, WorkProcess, predicting_worker
from stepscope.core.device.session import ScreenSnapshot, observe
from stepscope.core.domain.action import Finish, OpenApp, Tap
from stepscope.core.domain.episode import FeasibilityLabel, Step
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, FeasibilityAnswer, GoalAnswer, Prediction
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.progress import CancelToken
from stepscope.models.registry import model_info
from tests.app.conftest import Faults
from tests.app.services.live.scripted import SECONDS, info
from tests.core.device.fake import FakeDevice


def seen() -> ScreenSnapshot:
    return observe(FakeDevice(), lambda: None)


def request(step: int = 0, goal: str = "tap the clock") -> StepRequest:
    return step_request(ScreenFiles(pictures=False).observation(seen()), episode="live", step=step, goal=goal)


def finish(asked: StepRequest, _token: CancelToken) -> Prediction:
    return Prediction(asked.episode, asked.step, ActionAnswer(Finish()))


def test_only_the_newest_question_waits() -> None:
    going = threading.Event()

    def slow(asked: StepRequest, token: CancelToken) -> Prediction:
        begun.set()
        assert going.wait(SECONDS)
        return finish(asked, token)

    begun = threading.Event()
    model = LiveModel(info(), slow)
    first = model.ask(request(0))
    assert begun.wait(SECONDS)
    second, third = model.ask(request(1)), model.ask(request(2))
    assert second.cancelled()
    going.set()
    assert [first.result(SECONDS).step, third.result(SECONDS).step] == [0, 2]
    latency = third.result().latency_ms
    assert latency is not None
    assert latency >= 0
    model.close()
    assert model.ask(request(3)).cancelled()


def test_closing_drops_what_waits_and_tells_what_works() -> None:
    tokens: list[CancelToken] = []
    begun, going = threading.Event(), threading.Event()

    def slow(asked: StepRequest, token: CancelToken) -> Prediction:
        tokens.append(token)
        begun.set()
        assert going.wait(SECONDS)
        raise UserError("cancelled")

    model = LiveModel(info(), slow)
    working = model.ask(request())
    assert begun.wait(SECONDS)
    waiting = model.ask(request())
    model.close()
    going.set()
    with pytest.raises(CancelledError):
        waiting.result(SECONDS)
    with pytest.raises(UserError, match="cancelled"):
        working.result(SECONDS)
    assert tokens[0].cancelled


def test_a_model_that_wants_to_end_the_program_only_fails() -> None:
    def leaves(_asked: StepRequest, _token: CancelToken) -> Prediction:
        raise SystemExit(3)

    model = LiveModel(info(), leaves)
    with pytest.raises(RuntimeError, match=r"sys\.exit"):
        model.ask(request()).result(SECONDS)
    model.close()


@pytest.mark.parametrize(
    "answer",
    ["tap", None, Prediction("other", 0, ActionAnswer(Finish())), Prediction("live", 0, AskAnswer("?"))],
)
def test_what_is_no_answer_to_the_question(answer: object) -> None:
    with pytest.raises((TypeError, ValueError), match="it answered"):
        checked(answer, request(), info())


def test_text_match_on_a_screen() -> None:
    model = live_model("text-match")
    action = model.ask(request()).result(SECONDS).action
    model.close()
    assert isinstance(action, Tap)
    assert action.target is not None
    assert action.target.text == "Clock"


def test_what_a_goal_and_a_feasibility_model_make_of_what_was_done() -> None:
    seen_now = ScreenFiles(pictures=False).observation(seen())
    done = (Step(0, seen_now, OpenApp("Clock")),)
    model = live_model("template", guesses=True)
    answer = model.ask(episode_request(done, seen_now, episode="live", goal=None)).result(SECONDS)
    assert isinstance(answer.answer, GoalAnswer) and "Clock" in answer.answer.text and answer.step is None
    model.close()
    model = live_model("never-feasible", guesses=True)
    answer = model.ask(episode_request((), seen_now, episode="live", goal="fly")).result(SECONDS)
    assert isinstance(answer.answer, FeasibilityAnswer) and answer.answer.label is FeasibilityLabel.INFEASIBLE
    model.close()
    with pytest.raises(UsageError, match="no model for live screens"):
        live_model("as-given", guesses=True)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("noisy-copy", "shown the right answer"),
        ("template", "no model for live screens"),
        ("text-mach", "There is no model 'text-mach'"),
    ],
)
def test_models_that_cannot_act(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        live_model(name)


def test_a_picture_lies_in_a_file_as_long_as_it_may_be_looked_at() -> None:
    screens, look = ScreenFiles(pictures=True), seen()
    pictures = [screens.observation(look).screenshot for _ in range(3)]
    paths = [picture.path for picture in pictures if picture is not None]
    assert [path.exists() for path in paths] == [False, True, True]
    assert paths[2].read_bytes() == look.picture
    screens.close()
    assert not Path(paths[2]).parent.exists()
    assert ScreenFiles(pictures=False).observation(look).screenshot is None


@pytest.mark.xdist_group("predicting worker")
def test_a_model_with_weights_answers_from_its_own_process() -> None:
    if model_info("sentence-match").weights != "present":
        pytest.skip("the sentence model is not installed")
    model = live_model("sentence-match")
    try:
        action = model.ask(request(goal="show the time of day")).result(60).action
    finally:
        model.close()
        predicting_worker().close()
    assert isinstance(action, Tap)
    assert action.target is not None
    assert action.target.text == "Clock"


@pytest.mark.xdist_group("predicting worker")
def test_a_model_that_takes_its_process_down(faults: Faults) -> None:
    worker = WorkProcess("the model", "Ask again.")
    faults.after(0)
    asked = request()
    try:
        with pytest.raises(UserError, match=r"ended by SIGKILL.*Ask again"):
            list(worker.run(PredictJob("kills-work", asked), CancelToken()))
        faults.mend()
        (answer,) = worker.run(PredictJob("text-match", asked), CancelToken())
        with pytest.raises(UsageError, match="no model 'text-mach'"):
            list(worker.run(PredictJob("text-mach", asked), CancelToken()))
    finally:
        worker.close()
    assert isinstance(answer.action, Tap)
