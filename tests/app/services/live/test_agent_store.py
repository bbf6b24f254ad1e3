"""An agent's run recorded, written and scored: what it proposed first against what was done in the end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.services.live.agent_events import (
    ActionOrigin,
    ActionPerformed,
    ActionProposed,
    AgentFinished,
    AgentOutcome,
    QuestionAsked,
)
from stepscope.app.services.live.agent_store import (
    PREDICTIONS_FILE,
    against_demonstrations,
    store_run,
    write_predictions,
)
from stepscope.app.services.live.recording import RecordingSession
from stepscope.core.device.recorded import Survey, SurveyOutcome
from stepscope.core.domain.action import AskUser, Finish, PressKey, Tap
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, PredictionStatus
from stepscope.core.domain.run import RunState
from stepscope.core.errors import UserError
from stepscope.core.settings import store_url
from stepscope.core.sources.recording import read_recording
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from tests.app.services.live.scripted import UNGUARDED, does, scene, taps


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with Database.open(store_url(tmp_path_factory.mktemp("store") / "runs.db")) as found:
        yield found


Recording = tuple[Path, dict[int, Prediction]]


@pytest.fixture(scope="module")
def kettle(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """The agent is right, then corrected, then unsure and answered, then ends it."""
    folder = tmp_path_factory.mktemp("recordings") / "kettle"
    recording = RecordingSession("buy a kettle", folder=folder, durable=False)
    answers = [taps("Shop"), does(PressKey("back")), taps("Buy now", confidence=0.2), does(Finish())]
    with scene(*answers, settings=UNGUARDED, recorder=recording, episode=folder.name) as it:
        it.session.watch_screen = True
        it.session.performed.add(recording.record)
        it.agent.go_on()
        it.agent.approve(it.told.next(ActionProposed).number)
        assert it.told.next(ActionPerformed).by is ActionOrigin.APPROVED
        it.told.next(ActionProposed)
        it.agent.correct(Tap(it.phone.place("Kettle")))
        assert it.told.next(ActionPerformed).by is ActionOrigin.PERSON
        asked = it.told.next(QuestionAsked)
        assert asked.step == 2
        it.agent.answer(asked.number, "yes", 0)
        assert it.told.next(ActionPerformed).step == 3
        it.agent.approve(it.told.next(ActionProposed).number)
        assert it.told.next(AgentFinished).how is AgentOutcome.COMPLETE
        recording.stop(it.session.look(fresh=True).result())
    recording.finish(Survey(SurveyOutcome.DONE)).result()
    return folder, it.agent.memory.predictions


@pytest.fixture
def own(kettle: Recording, tmp_path: Path) -> Recording:
    """The same in a folder of the test's own."""
    return shutil.copytree(kettle[0], tmp_path / "kettle"), kettle[1]


def test_a_recorded_run_is_scored_against_what_was_done(own: Recording, database: Database) -> None:
    (folder, predictions), name = own, own[0].name
    episode = read_recording(folder)
    assert [step.action.kind for step in episode.steps if step.action] == ["tap", "tap", "ask", "tap", "finish"]
    assert (episode.asks[0].question, episode.asks[0].answer) == ("Is “Buy now” right here?", "yes")
    assert sorted(predictions) == [0, 1, 2, 3, 4]

    path = write_predictions(folder, name, predictions, model="scripted", note="by a test")
    assert path.name == PREDICTIONS_FILE
    assert json.loads(path.read_text("utf-8").splitlines()[0]) == {"run": {"model": "scripted", "note": "by a test"}}

    run_id = store_run(database, folder, name)
    with database.reading() as db:
        run, scores = runs.get(db, run_id), queries.scores(db, run_id)
    assert (run.state, run.spec.model, run.spec.protocol) == (RunState.DONE, "scripted", "motif")
    assert [(step, score.value) for _episode, step, score in scores] == [
        (0, 1.0), (1, 0.0), (2, 1.0), (3, 1.0), (4, 1.0),
    ]  # fmt: skip


def test_a_step_at_which_it_was_not_heard_counts_as_no_answer(own: Recording, database: Database) -> None:
    folder, predictions = own
    write_predictions(folder, "kettle", {0: predictions[0]}, model="scripted")
    run_id = store_run(database, folder, "kettle", protocol="aitw")
    with database.reading() as db:
        scores = queries.scores(db, run_id)
    assert [score.malformed for _episode, _step, score in scores] == [False, True, True, True, True]


def test_what_the_model_beside_it_said_is_kept_too(tmp_path: Path) -> None:
    predictions = {1: Prediction("live", 0, ActionAnswer(AskUser("Which?")))}
    questions = {0: Prediction("live", 0, AskAnswer(None)), 1: Prediction("live", 1, AskAnswer("Which?"))}
    broken = Prediction("live", 2, None, PredictionStatus.MALFORMED, why="no JSON")
    path = write_predictions(tmp_path, "e", predictions | {2: broken}, model="m", questions=questions)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    assert [(line["episode"], line["step"]) for line in lines] == [("e", 1), ("e", 2), ("e", 0), ("e", 1)]
    assert [line.get("ask", "none") for line in lines] == ["none", "none", None, "Which?"]
    assert lines[1]["action"] is None


def test_nothing_predicted_is_no_run(own: Recording, database: Database) -> None:
    write_predictions(own[0], "kettle", {}, model="scripted")
    with pytest.raises(UserError, match="No line of it predicts an action"):
        store_run(database, own[0], "kettle")


def test_against_demonstrations_of_the_same_goal(kettle: Recording) -> None:
    """By hand: the agent does three taps. Of a demonstration that stops after two it has both right, but is longer; of
    one with the first tap and four times Back, it has one in five."""
    agent = read_recording(kettle[0])
    gestures = [step for step in agent.steps if isinstance(step.action, Tap)]
    shorter = replace(agent, id="shorter", steps=tuple(gestures[:2]), goal="Buy  a kettle")
    same = replace(agent, id="same", steps=tuple(gestures))
    other = replace(agent, id="other", steps=(gestures[0], *[replace(gestures[0], action=PressKey("back"))] * 4))
    elsewhere = replace(same, id="elsewhere", goal="wake me")

    found = against_demonstrations(agent, [shorter, other, elsewhere, agent])
    assert found is not None
    assert (found.demonstration, found.complete, found.partial, found.of) == ("shorter", 0.0, 1.0, 2)
    best = against_demonstrations(agent, [shorter, other, same])
    assert best is not None
    assert (best.demonstration, best.complete, best.partial, best.of) == ("same", 1.0, 1.0, 3)
    few = against_demonstrations(agent, [other])
    assert few is not None
    assert few.partial == pytest.approx(1 / 5)


def test_no_demonstration_no_number(kettle: Recording) -> None:
    agent = read_recording(kettle[0])
    empty: Episode = replace(agent, id="empty", steps=())
    assert against_demonstrations(agent, []) is None
    assert against_demonstrations(agent, [empty, agent]) is None
