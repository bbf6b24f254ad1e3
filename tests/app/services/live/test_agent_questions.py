"""The questions of an agent: what an answer changes, how many there may be, and what is recorded of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.services.live.agent_events import (
    ActionPerformed,
    AgentFinished,
    AgentOutcome,
    AnswerOrigin,
    QuestionAnswered,
    QuestionAsked,
)
from stepscope.app.services.live.agent_streams import NEVER_ACTS, acts_and_asks, as_agent
from stepscope.app.services.live.agent_words import GO_ON, WORDLESS
from stepscope.app.services.live.recording import RecordingSession
from stepscope.core.domain.action import AskUser, Finish, FinishStatus, Tap, Type
from stepscope.core.domain.episode import ONE_TOO_MANY
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, Task
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.core.sources.recording import read_recording
from stepscope.models.ask.actor_choice import ACTOR_CHOICE
from tests.app.services.live.scripted import ALONE, Script, asks, does, info, scene, tap, taps
from tests.core.device.fake import FakeDevice

DONE = does(Finish(FinishStatus.COMPLETE))
Said = Callable[[StepRequest], Prediction]
FEW = replace(ALONE, question_limit=2)


def wants(question: str) -> Said:
    return does(AskUser(question))


def types_the_answer(request: StepRequest) -> Prediction:
    """Asks what to write, and writes what it was answered."""
    if request.reply is None:
        return wants("What shall I write?")(request)
    return does(Type(request.reply[1]))(request)


@pytest.mark.parametrize("answer", ["Coming at nine", "Not today"])
def test_the_action_behind_a_question_is_another_with_another_answer(answer: str) -> None:
    phone = FakeDevice(page="list")
    phone.focus = "Search"
    with scene(types_the_answer, types_the_answer, DONE, phone=phone, settings=ALONE) as it:
        it.agent.go_on()
        it.agent.answer(it.told.next(QuestionAsked).number, answer)
        typed = it.told.next(ActionPerformed).action
        assert isinstance(typed, Type) and typed.text == answer
        assert phone.typed == {"Search": answer}


def test_both_turns_are_in_the_recording_and_may_contradict_the_goal(tmp_path: Path) -> None:
    """The person thinks better of it: "buy a kettle" becomes the clock, which is done and recorded as it was said."""
    folder = tmp_path / "walk"
    recording = RecordingSession("buy a kettle", folder=folder, durable=False)
    with scene(wants("Which shop?"), taps("Clock"), DONE, settings=ALONE, recorder=recording) as it:
        it.session.watch_screen = True
        it.session.performed.add(recording.record)
        it.agent.go_on()
        it.agent.answer(it.told.next(QuestionAsked).number, "No shop at all, show me the clock.")
        it.told.next(AgentFinished)
    recording.stop(None)
    recording.finish(None).result(20)
    episode = read_recording(folder)
    assert [step.action.kind for step in episode.steps if step.action] == ["ask", "tap"]
    assert episode.steps[0].action == AskUser("Which shop?")
    assert isinstance(episode.steps[1].action, Tap)
    assert [(one.step, one.question, one.answer) for one in episode.asks] == [
        (0, "Which shop?", "No shop at all, show me the clock.")
    ]


def test_several_questions_at_several_steps_are_counted() -> None:
    with scene(wants("Which?"), taps("Shop"), wants("How many?"), taps("Kettle"), DONE, settings=ALONE) as it:
        it.agent.go_on()
        counts = []
        for _ in range(2):
            asked = it.told.next(QuestionAsked)
            counts.append(asked.count)
            it.agent.answer(asked.number, f"answer {asked.count}")
        it.told.next(AgentFinished)
        assert counts == [1, 2]
        assert it.texts == ["Shop", "Kettle"]


def test_two_questions_about_one_step_are_answered_and_a_third_is_not() -> None:
    script = [wants("Which?"), wants("Really?"), wants("Sure?"), taps("Shop"), wants("And now?"), DONE]
    with scene(*script, settings=ALONE) as it:
        it.agent.go_on()
        for _ in range(2):
            it.agent.answer(it.told.next(QuestionAsked).number, "yes")
            assert it.told.next(QuestionAnswered).by is AnswerOrigin.PERSON
        third = it.told.next(QuestionAsked)
        assert (third.question, third.waits) == ("Sure?", False)
        left = it.told.next(QuestionAnswered)
        assert (left.by, left.answer) == (AnswerOrigin.NOBODY, GO_ON)
        assert left.why == "2 questions about one step are the limit. It is told to go on without an answer."
        it.told.next(ActionPerformed)
        later = it.told.next(QuestionAsked)  # another step, and the task's limit is not reached
        assert (later.question, later.waits) == ("And now?", True)


def test_behind_the_limit_of_the_task_it_is_told_to_go_on_and_may() -> None:
    script = [wants("1?"), taps("Shop"), wants("2?"), taps("Kettle"), wants("3?"), taps("Buy now"), DONE]
    with scene(*script, settings=FEW) as it:
        it.agent.go_on()
        for _ in range(2):
            it.agent.answer(it.told.next(QuestionAsked).number, "yes")
        third = it.told.next(QuestionAsked)
        assert (third.waits, third.count) == (False, 3)
        it.agent.answer(third.number, "too late")
        assert it.told.next(QuestionAnswered).why.startswith("2 questions were put, which is the limit of a task.")
        assert it.told.next(AgentFinished).how is AgentOutcome.COMPLETE
        assert it.texts == ["Shop", "Kettle", "Buy now"]


def test_a_model_that_asks_for_ever_is_stopped_and_nothing_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "walk"
    recording = RecordingSession("buy a kettle", folder=folder, durable=False)
    script = [wants("1?"), taps("Shop"), wants("2?"), taps("Kettle"), wants("3?"), wants("4?")]
    with scene(*script, settings=FEW, recorder=recording) as it:
        it.session.watch_screen = True
        it.session.performed.add(recording.record)
        it.agent.go_on()
        for _ in range(2):
            it.agent.answer(it.told.next(QuestionAsked).number, "yes")
        ended = it.told.next(AgentFinished)
        assert (ended.how, ended.steps) == (AgentOutcome.ASKED_ON, 2)
        assert ended.why == "It was told to go on without an answer, and asked again: “4?”"
        assert [request.reply for request in it.model.requests][-1] is None  # one of no words is told nothing
    recording.stop(None)
    recording.finish(None).result(20)
    found = read_recording(folder)
    assert [(one.question, one.answer, one.kind) for one in found.asks] == [
        ("1?", "yes", ""), ("2?", "yes", ""), ("3?", GO_ON, ONE_TOO_MANY),
    ]  # fmt: skip
    assert [step.action.kind for step in found.steps if step.action] == ["ask", "tap", "ask", "tap", "ask"]


def test_after_the_limit_it_stays_told_at_later_steps() -> None:
    script = [wants("1?"), taps("Shop"), wants("2?"), taps("Kettle"), wants("3?")]
    with scene(*script, settings=replace(ALONE, question_limit=1)) as it:
        it.agent.go_on()
        it.agent.answer(it.told.next(QuestionAsked).number, "yes")
        assert it.told.next(AgentFinished).how is AgentOutcome.ASKED_ON
        assert it.texts == ["Shop", "Kettle"]


def test_a_model_beside_it_that_always_asks_is_stopped_too() -> None:
    asker = Script([asks("Now?")] * 4, info(Task.ASK))
    script = [taps("Shop")] * 2 + [taps("Kettle")] * 2 + [taps("Buy now")] * 2
    with scene(*script, asker=asker, settings=replace(ALONE, question_limit=1)) as it:
        it.agent.go_on()
        it.agent.answer(it.told.next(QuestionAsked).number, "yes")
        assert it.told.next(AgentFinished).how is AgentOutcome.ASKED_ON
        assert it.texts == ["Shop", "Kettle"]


def test_left_unanswered_it_goes_on_and_a_model_of_words_is_told() -> None:
    model = Script([wants("Which?"), taps("Shop"), DONE], info(name="served:lab/m#automation", runtime="service"))
    with scene(model=model, settings=ALONE) as it:
        it.agent.go_on()
        it.agent.leave_unanswered(it.told.next(QuestionAsked).number, "The data has no answer.")
        assert it.told.next(QuestionAnswered).why == "The data has no answer."
        it.told.next(AgentFinished)
        assert [request.reply for request in model.requests] == [None, ("Which?", GO_ON), None]
        assert [request.goal.count("Which?") for request in model.requests] == [0, 0, 1]  # once, wherever it is


def test_a_question_without_words_gets_ours_and_is_still_its_own() -> None:
    with scene(wants("  "), taps("Shop"), settings=ALONE) as it:
        it.agent.go_on()
        asked = it.told.next(QuestionAsked)
        assert (asked.question, asked.wordless, asked.unsure, asked.count) == (WORDLESS, True, False, 1)
        it.agent.answer(asked.number, "the shop")
        assert it.told.next(ActionPerformed).action.target.text == "Shop"


def test_a_model_beside_it_may_ask_without_words() -> None:
    with scene(taps("Shop"), asker=Script([asks("")], info(Task.ASK)), settings=ALONE) as it:
        it.agent.go_on()
        assert it.told.next(QuestionAsked).question == WORDLESS


def test_a_question_and_an_answer_behind_the_end_change_nothing() -> None:
    model = Script([wants("Which?")], held=True)
    with scene(model=model, settings=ALONE) as it:
        it.agent.go_on()
        model.wait()
        it.agent.stop()
        it.told.next(AgentFinished)
        model.release()
        it.agent.answer(1, "this")
        it.agent.close()
        assert it.agent.memory.history == () and it.agent.memory.reply is None
        assert not [event for event in it.told.events if isinstance(event, QuestionAsked)]


# Models that say when to ask and what to do ---------------------------------------------------------------------------


def test_such_a_model_asks_acts_and_after_the_answer_does_what_the_second_stream_says() -> None:
    def both(request: StepRequest) -> Prediction:
        assert request.observation.tree is not None
        after = None if request.reply is None else tap(request, request.reply[1])
        return Prediction(request.episode, request.step, AskAnswer("Which?", 0.9, after=after), confidence=0.4)

    def acts(request: StepRequest) -> Prediction:
        answer = AskAnswer(None, 0.1, action=Finish(FinishStatus.COMPLETE))
        return Prediction(request.episode, request.step, answer, confidence=0.9)

    model = Script([both, both, acts], info(Task.ASK))
    with scene(model=model, settings=ALONE) as it:
        it.agent.go_on()
        asked = it.told.next(QuestionAsked)
        assert (asked.question, asked.unsure) == ("Which?", False)
        it.agent.answer(asked.number, "Clock")
        it.told.next(AgentFinished)
        assert it.texts == ["Clock"]
        kinds = [it.agent.memory.predictions[step].action.kind for step in range(3)]
        assert kinds == ["ask", "tap", "finish"]


@pytest.mark.parametrize(
    ("answer", "replied", "expected"),
    [
        (AskAnswer("Which?"), False, AskUser("Which?")),
        (AskAnswer("Which?", action=Type("a")), False, AskUser("Which?")),
        (AskAnswer(None, action=Type("a")), False, Type("a")),
        (AskAnswer("Which?", after=Type("b")), True, Type("b")),
        (AskAnswer("Which?", action=Type("a")), True, Type("a")),
        (AskAnswer("Which?"), True, AskUser("Which?")),
    ],
)
def test_the_stream_that_counts(answer: AskAnswer, replied: bool, expected: object) -> None:
    read = as_agent(Prediction("e", 0, answer, confidence=0.9), replied=replied)
    assert (read.action, read.confidence) == (expected, None)


def test_one_without_an_actor_is_no_usable_answer() -> None:
    assert as_agent(Prediction("e", 0, AskAnswer(None)), replied=False).why == NEVER_ACTS
    alike = Prediction("e", 0, ActionAnswer(Type("a")), confidence=0.2)
    assert as_agent(alike, replied=True) is alike


def test_which_models_about_asking_can_act() -> None:
    def named(name: str, task: Task = Task.ASK) -> ModelInfo:
        return replace(info(task), name=name, settings=(ACTOR_CHOICE,) if task is Task.ASK else ())

    assert acts_and_asks(named("local:mine#ask"))
    assert not acts_and_asks(named("always-ask"))
    assert acts_and_asks(named("always-ask?actor=text-match"))
    assert not acts_and_asks(named("ask-timing?actor=none"))
    assert not acts_and_asks(named("local:mine#automation", Task.AUTOMATION))


def test_an_answer_without_words_is_none() -> None:
    with scene(wants("Which?"), taps("Shop"), settings=ALONE) as it:
        it.agent.go_on()
        number = it.told.next(QuestionAsked).number
        it.agent.answer(number, "  ")
        it.agent.answer(number, "the shop")
        assert it.told.next(QuestionAnswered).answer == "the shop"
