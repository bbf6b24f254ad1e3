"""An agent tried on one recorded step: what it is asked, what it says in either stream, and what is kept of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.app.services import question_trials
from stepscope.app.services.live.agent_streams import NEVER_ACTS
from stepscope.app.services.live.agent_words import GO_ON, WORDLESS
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.question_trials import (
    QuestionTrial,
    StreamAnswer,
    answered,
    asking_models,
    keep,
    kept_trials,
    open_model,
    reference_ask,
    request_at,
    stream_answer,
    trials_file,
)
from stepscope.core.domain.action import AskUser, Say, Tap, Type
from stepscope.core.domain.episode import Ask, Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, PredictionStatus
from stepscope.core.errors import UsageError, UserError
from stepscope.core.sources.registry import open_source
from tests.app.services.live.scripted import info
from tests.models.chat.conftest import own_home  # noqa: F401 - a fixture

SIZE = Size(100, 200)
FIRST, LAST = Tap(Point(10, 10, SIZE)), Type("forty")
ACTIONS = (FIRST, AskUser("How long?"), Say("well"), LAST, None)
STEPS = tuple(Step(i, Observation(SIZE, time=float(i)), action, "never told") for i, action in enumerate(ACTIONS))
EPISODE = Episode("cake", "recording", Platform.ANDROID, "Bake", STEPS, asks=(Ask(1, "How long?", "45 minutes."),))


def said(answer: AskAnswer | ActionAnswer) -> Prediction:
    return Prediction("cake", 1, answer)


def test_the_model_is_asked_without_talk_instruction_and_answer() -> None:
    asked = request_at(EPISODE, 4, info(past_screens=1))
    assert (asked.step, asked.goal, asked.history) == (4, "Bake", (FIRST, LAST))
    assert (asked.instruction, asked.reply) == (None, None)
    assert [one.time for one in asked.past] == [3.0]
    assert request_at(EPISODE, 0, info()).history == () and request_at(EPISODE, 4, info()).past == ()


def test_an_answer_goes_into_the_second_stream_and_the_one_before_stays() -> None:
    once = answered(request_at(EPISODE, 1, info()), "How long?", "45")
    assert (once.goal, once.reply) == ("Bake", ("How long?", "45"))
    twice = answered(once, "Minutes?", "yes")
    assert (twice.goal, twice.reply) == ("Bake\nQuestion: How long? Answer: 45", ("Minutes?", "yes"))


@pytest.mark.parametrize(
    ("answer", "replied", "expected"),
    [
        (ActionAnswer(LAST), False, StreamAnswer(action=LAST)),
        (ActionAnswer(AskUser("Which?")), True, StreamAnswer("Which?")),
        (ActionAnswer(AskUser(" ")), False, StreamAnswer(WORDLESS, wordless=True)),
        (AskAnswer("Which?", action=FIRST), False, StreamAnswer("Which?")),
        (AskAnswer("Which?", after=LAST), True, StreamAnswer(action=LAST)),
        (AskAnswer(None), True, StreamAnswer(why=NEVER_ACTS)),
        (AskAnswer(None), False, StreamAnswer(why="It does not ask here; it says when to ask, not what to do.")),
    ],
)
def test_what_a_stream_says(answer: AskAnswer | ActionAnswer, replied: bool, expected: StreamAnswer) -> None:
    assert stream_answer(said(answer), replied=replied) == expected


def test_no_usable_answer_says_why() -> None:
    malformed = Prediction("cake", 1, None, PredictionStatus.MALFORMED, why="no JSON")
    assert stream_answer(malformed, replied=False) == StreamAnswer(why="no JSON")


def test_the_reference_question_is_the_nearest_that_somebody_answered() -> None:
    several = (Ask(0, "A?", GO_ON), Ask(2, "B?", "b"), Ask(6, "C?", "c"))
    asked = Episode("e", "recording", Platform.ANDROID, "g", (), asks=several)
    assert [reference_ask(asked, step).question for step in (0, 4, 5)] == ["B?", "B?", "C?"]  # type: ignore[union-attr]
    assert reference_ask(Episode("e", "recording", Platform.ANDROID, "g", ()), 0) is None


@pytest.mark.usefixtures("own_home")
def test_the_newest_trial_of_a_step_is_kept() -> None:
    keep(QuestionTrial("/data", "cake", 1, "m", "How long?", "45", "data", None, LAST))
    keep(QuestionTrial("/data", "cake", 1, "m", "How long?", "50", "person", None, FIRST))
    keep(QuestionTrial("/data", "cake", 3, "m", first=FIRST))
    keep(QuestionTrial("/data", "other", 1, "m"))
    keep(QuestionTrial("/else", "cake", 0, "m"))
    assert kept_trials("/data", EPISODE) == {
        1: QuestionTrial("/data", "cake", 1, "m", "How long?", "50", "person", None, FIRST),
        3: QuestionTrial("/data", "cake", 3, "m", first=FIRST),
    }


@pytest.mark.usefixtures("own_home")
def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_trials, "MOST_KEPT", 2)
    for step in (0, 1, 3):
        keep(QuestionTrial("/data", "cake", step, "m"))
    assert sorted(kept_trials("/data", EPISODE)) == [1, 3]


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize(
    "text", ["{", "[]", '{"trials": 3}', '{"trials": [1, {"data": "/data", "episode": "cake", "step": 1, "first": 7}]}']
)
def test_a_file_that_cannot_be_read_has_none(text: str) -> None:
    trials_file().parent.mkdir(parents=True, exist_ok=True)
    trials_file().write_text(text)
    assert kept_trials("/data", EPISODE) == {}
    keep(QuestionTrial("/data", "cake", 1, "m"))
    assert sorted(kept_trials("/data", EPISODE)) == [1]


@pytest.mark.usefixtures("own_home")
def test_where_nothing_can_be_written_that_is_said() -> None:
    trials_file().mkdir(parents=True)
    with pytest.raises(UserError, match="cannot be kept"):
        keep(QuestionTrial("/data", "cake", 1, "m"))


def test_which_models_can_be_tried() -> None:
    names = [one.name for one in asking_models()]
    assert "ask-timing" in names and "text-match" not in names
    assert names.index("ask-timing") < names.index("always-ask")  # baselines stand last
    with pytest.raises(UsageError):
        open_model(open_source(SAMPLE), "motif-feasibility")


def test_on_the_sample(tmp_path: Path) -> None:
    source = open_source(SAMPLE)
    episode = source.read("ask-cake-timer")
    model = open_model(source, "always-ask")
    try:
        request = request_at(episode, 1, model.info)
        first = stream_answer(model.ask(request).result(20), replied=False)
        assert first.question == "What exactly do you want me to do?"
        second = stream_answer(model.ask(answered(request, first.question, "45")).result(20), replied=True)
        assert second.question == first.question  # it asks whatever was answered
    finally:
        model.close()
