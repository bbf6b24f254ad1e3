"""An agent on a phone in memory: every way from a look to an action, and every way in which a person steps in."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from stepscope.app.services.live.agent_events import (
    ActionOrigin,
    ActionPerformed,
    ActionProposed,
    AgentFinished,
    AgentOutcome,
    AgentPaused,
    Mode,
    PauseReason,
    Phase,
    PredictionStarted,
    QuestionAnswered,
    QuestionAsked,
)
from stepscope.core.device.confirmation_policy import ConfirmationPolicy
from stepscope.core.domain.action import AskUser, Finish, FinishStatus, PressKey, Say, Tap, Type, Wait
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, Task
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import StepRequest
from tests.app.services.live.scripted import ALONE, UNGUARDED, Script, asks, does, info, nothing, scene, taps
from tests.core.device.fake import FakeDevice

DONE = does(Finish())


def test_waits_for_approval_and_goes_on_to_the_end() -> None:
    with scene(taps("Shop"), taps("Kettle"), DONE) as it:
        assert it.agent.phase is Phase.PAUSED
        it.agent.go_on()
        for text in ("Shop", "Kettle"):
            proposed = it.told.next(ActionProposed)
            assert it.phone.done == [] or text == "Kettle"
            assert (proposed.choices[0].action.target.text, proposed.reasons) == (text, ())
            it.agent.approve(proposed.number)
            done = it.told.next(ActionPerformed)
            assert (done.by, done.action.target.text) == (ActionOrigin.APPROVED, text)
        last = it.told.next(ActionProposed)
        assert last.step == 2
        it.agent.approve(last.number)
        finished = it.told.next(AgentFinished)
        assert (finished.how, finished.steps, it.phone.page) == (AgentOutcome.COMPLETE, 2, "kettle")
        assert [request.history for request in it.model.requests][2] == tuple(it.phone.done)


def test_acts_on_its_own_until_it_says_that_the_goal_cannot_be_reached() -> None:
    with scene(taps("Shop"), does(PressKey("back")), does(Finish(FinishStatus.IMPOSSIBLE)), settings=ALONE) as it:
        it.agent.go_on()
        assert it.told.next(AgentFinished).how is AgentOutcome.IMPOSSIBLE
        assert [one.by for one in it.told.events if isinstance(one, ActionPerformed)] == [
            ActionOrigin.AGENT,
            ActionOrigin.AGENT,
        ]
        assert it.phone.page == "home"


def test_one_step() -> None:
    with scene(taps("Shop"), settings=ALONE) as it:
        it.agent.step()
        assert it.told.next(AgentPaused).stop is PauseReason.STEP
        assert it.texts == ["Shop"]


def test_what_is_approved_is_what_was_shown() -> None:
    """A key pressed as another proposal takes the first one's place does nothing."""
    with scene(taps("Shop", "Clock")) as it:
        it.agent.go_on()
        first = it.told.next(ActionProposed)
        it.agent.reject(first.number)
        second = it.told.next(ActionProposed)
        it.agent.approve(first.number)
        it.agent.approve(second.number, 5)
        it.agent.approve(second.number)
        assert it.told.next(ActionPerformed).action.target.text == "Clock"
        assert it.texts == ["Clock"]


def test_another_choice_can_be_approved() -> None:
    with scene(taps("Shop", "Clock")) as it:
        it.agent.go_on()
        it.agent.approve(it.told.next(ActionProposed).number, 1)
        it.told.next(ActionPerformed)
        assert it.texts == ["Clock"]
        assert it.agent.memory.predictions[0].action.target.text == "Shop"


def test_when_all_is_rejected_it_pauses_and_does_not_offer_it_again() -> None:
    with scene(taps("Shop"), taps("Shop"), taps("Clock")) as it:
        it.agent.go_on()
        it.agent.reject(it.told.next(ActionProposed).number)
        assert it.told.next(AgentPaused).stop is PauseReason.REJECTED
        it.agent.go_on()
        assert it.told.next(AgentPaused).stop is PauseReason.REJECTED
        it.agent.go_on()
        assert it.told.next(ActionProposed).choices[0].action.target.text == "Clock"


def test_a_correction_is_done_instead_and_counts_as_what_was_right() -> None:
    with scene(taps("Clock"), DONE) as it:
        it.agent.go_on()
        it.told.next(ActionProposed)
        it.agent.correct(Tap(it.phone.place("Shop")))
        assert it.told.next(ActionPerformed).by is ActionOrigin.PERSON
        it.told.next(ActionProposed)
        assert it.phone.page == "list"
        assert it.agent.memory.predictions[0].action.target.text == "Clock"
        assert it.model.requests[1].history == tuple(it.phone.done)


def test_a_person_who_takes_over_hands_back() -> None:
    with scene(taps("Clock"), taps("Kettle")) as it:
        it.agent.go_on()
        it.told.next(ActionProposed)
        it.agent.take_over()
        assert it.told.next(AgentPaused).stop is PauseReason.TAKEN_OVER
        it.agent.correct(Tap(it.phone.place("Shop")))
        assert it.told.next(ActionPerformed).by is ActionOrigin.PERSON
        it.agent.go_on()
        assert it.told.next(ActionProposed).choices[0].action.target.text == "Kettle"
        assert it.agent.memory.predictions[0].action.target.text == "Clock"


def test_pausing_while_the_model_thinks_drops_what_it_says() -> None:
    with scene(model=Script([taps("Clock"), taps("Shop")], held=True)) as it:
        it.agent.go_on()
        it.model.wait()
        it.agent.pause()
        assert it.told.next(AgentPaused).stop is PauseReason.PERSON
        it.agent.go_on()
        it.model.wait()
        it.model.release()
        it.model.release()
        assert it.told.next(ActionProposed).choices[0].action.target.text == "Shop"


@pytest.mark.parametrize("phase", [Phase.PAUSED, Phase.PROPOSED, Phase.THINKING])
def test_stop_at_any_time(phase: Phase) -> None:
    with scene(model=Script([taps("Shop")], held=phase is Phase.THINKING)) as it:
        if phase is not Phase.PAUSED:
            it.agent.go_on()
            it.model.wait()
        if phase is Phase.PROPOSED:
            it.told.next(ActionProposed)
        it.agent.stop()
        assert it.told.next(AgentFinished).how is AgentOutcome.STOPPED
        it.agent.go_on()
        it.agent.correct(Wait())
        it.agent.close()
        assert (it.phone.done, it.agent.phase) == ([], Phase.FINISHED)


def test_pausing_while_it_acts_lets_the_action_end_first() -> None:
    with scene(taps("Shop"), settings=ALONE) as it:
        it.phone.before = lambda name: it.agent.pause() if name == "perform" else None
        it.agent.go_on()
        assert it.told.next(AgentPaused).stop is PauseReason.PERSON
        assert it.texts == ["Shop"]


def test_the_limit_on_steps_pauses_and_can_be_given_again() -> None:
    with scene(*[does(PressKey(key)) for key in "abcde"], settings=replace(ALONE, step_limit=2, stuck_after=9)) as it:
        it.agent.go_on()
        assert it.told.next(AgentPaused).stop is PauseReason.LIMIT
        assert len(it.phone.done) == 2
        it.agent.go_on()
        assert it.told.next(AgentPaused).stop is PauseReason.LIMIT
        assert len(it.phone.done) == 4


def test_stuck_when_nothing_changes() -> None:
    with scene(*[does(PressKey(key)) for key in "abcde"], settings=ALONE) as it:
        it.agent.go_on()
        paused = it.told.next(AgentPaused)
        assert (paused.stop, paused.why) == (PauseReason.STUCK, "Its last 3 actions changed nothing on the screen.")
        assert len(it.phone.done) == 3


def test_stuck_when_it_goes_round_in_circles() -> None:
    circle = [taps("Shop"), does(PressKey("home"))] * 4
    with scene(*circle, settings=ALONE) as it:
        it.agent.go_on()
        assert it.told.next(AgentPaused).why == "It would do the same again on the same screen: Tap Shop."
        assert len(it.phone.done) == 6


# Asking ---------------------------------------------------------------------------------------------------------------


def test_below_the_limit_it_asks_and_offers_what_it_weighed() -> None:
    with scene(taps("Shop", "Clock", confidence=0.41), settings=ALONE) as it:
        it.agent.go_on()
        asked = it.told.next(QuestionAsked)
        assert (asked.question, asked.unsure, asked.confidence) == ("Which is right here: Shop or Clock?", True, 0.41)
        assert [one.action.target.text for one in asked.offers] == ["Shop", "Clock"]
        it.agent.answer(asked.number, offer=1)
        assert it.told.next(QuestionAnswered).answer == "Clock"
        it.told.next(ActionPerformed)
        assert it.texts == ["Clock"]
        predictions = it.agent.memory.predictions
        assert predictions[0].action == AskUser("Which is right here: Shop or Clock?")
        assert (predictions[1].action.target.text, predictions[1].step) == ("Shop", 1)


def test_an_answer_in_words_goes_to_a_model_by_rules_as_the_instruction_of_this_step() -> None:
    with scene(taps("Shop", confidence=0.1), taps("Clock", confidence=0.9), DONE, settings=ALONE) as it:
        it.agent.go_on()
        it.agent.answer(it.told.next(QuestionAsked).number, "  the clock ")
        it.told.next(AgentFinished)
        first, second, third = it.model.requests
        assert (second.instruction, second.reply) == ("the clock", ("Is “Shop” right here?", "the clock"))
        assert (second.goal, second.step, third.instruction, third.reply) == (first.goal, 1, None, None)


def test_an_answer_in_words_stays_under_the_goal_of_other_models() -> None:
    model = Script([taps("Shop", confidence=0.1), taps("Clock"), DONE], info(runtime="torch"))
    with scene(model=model, settings=ALONE, goal="wake me") as it:
        it.agent.go_on()
        it.agent.answer(it.told.next(QuestionAsked).number, "the clock")
        it.told.next(AgentFinished)
        goals = [request.goal for request in model.requests]
        assert goals == ["wake me", *["wake me\nQuestion: Is “Shop” right here? Answer: the clock"] * 2]
        assert [request.instruction for request in model.requests] == [None] * 3


def test_still_unsure_after_an_answer_it_proposes_instead_of_asking_again() -> None:
    with scene(taps("Shop", confidence=0.1), taps("Clock", confidence=0.2), settings=ALONE) as it:
        it.agent.go_on()
        it.agent.answer(it.told.next(QuestionAsked).number, "the clock")
        proposed = it.told.next(ActionProposed)
        assert proposed.reasons == ("It is still not sure (0.20, limit 0.60)",)


@pytest.mark.parametrize("mode", Mode)
def test_leaving_it_to_the_agent(mode: Mode) -> None:
    with scene(taps("Shop", confidence=0.1), settings=replace(UNGUARDED, mode=mode)) as it:
        it.agent.go_on()
        it.agent.decide(it.told.next(QuestionAsked).number)
        assert it.told.next(QuestionAnswered).answer == "You decide."
        if mode is Mode.APPROVE:
            it.agent.approve(it.told.next(ActionProposed).number)
        it.told.next(ActionPerformed)
        assert it.texts == ["Shop"]


def test_a_model_beside_it_says_when_a_question_is_due() -> None:
    asker = Script([asks("Which shop?"), asks(None)], info(Task.ASK))
    with scene(taps("Shop"), taps("Shop"), DONE, asker=asker, settings=ALONE) as it:
        it.agent.go_on()
        asked = it.told.next(QuestionAsked)
        assert (asked.question, asked.unsure) == ("Which shop?", False)
        assert asker.requests[0].reply is None
        it.agent.answer(asked.number, "the nearest")
        it.told.next(AgentFinished)
        assert it.model.requests[1].reply == ("Which shop?", "the nearest")
        questions = it.agent.memory.questions
        assert [questions[0].answer, questions[2].answer] == [AskAnswer("Which shop?"), AskAnswer(None)]
        assert sorted(it.agent.memory.predictions) == [0, 1, 2]


def test_a_model_may_ask_by_itself() -> None:
    with scene(does(AskUser("Which?")), taps("Shop"), settings=ALONE) as it:
        it.agent.step()
        it.agent.answer(it.told.next(QuestionAsked).number, "that")
        assert it.told.next(ActionPerformed).action.target.text == "Shop"


def test_what_it_says_is_no_touch() -> None:
    with scene(does(Say("Hello")), DONE, settings=ALONE) as it:
        it.agent.go_on()
        assert it.told.next(AgentFinished).steps == 1
        assert it.phone.done == []


# What goes wrong ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (nothing("no JSON"), "Scripted gave no usable answer: no JSON."),
        (UserError("the server is away", hint="Start it."), "The server is away. Start it."),
        (RuntimeError("bang"), "RuntimeError: bang."),
    ],
)
def test_what_a_model_does_wrong_pauses_it_and_is_not_tried_again(said: object, words: str) -> None:
    with scene(said, taps("Shop")) as it:
        it.agent.go_on()
        paused = it.told.next(AgentPaused)
        assert (paused.stop, paused.why) == (PauseReason.PROBLEM, words)
        assert len(it.model.requests) == 1
        it.agent.go_on()
        it.told.next(ActionProposed)


def test_a_lost_device_pauses_it() -> None:
    with scene(taps("Shop"), taps("Shop"), settings=ALONE) as it:
        it.phone.before = lambda name: it.phone.lose() if name == "perform" else None
        it.agent.go_on()
        paused = it.told.next(AgentPaused)
        assert (paused.stop, "Whether the action was done is not known." in paused.why) == (PauseReason.PROBLEM, True)
        it.phone.before = lambda name: None
        it.phone.come_back()
        it.agent.go_on()
        assert it.told.next(ActionPerformed).action.target.text == "Shop"


def test_what_the_device_refuses_pauses_it() -> None:
    with scene(does(Type("tea")), settings=ALONE) as it:
        it.agent.go_on()
        assert it.told.next(AgentPaused).why == "No field has the focus. Tap a field first."
        assert it.agent.memory.predictions == {}


def test_a_screen_that_changed_under_the_proposal_is_looked_at_again() -> None:
    with scene(taps("Shop"), does(PressKey("back"))) as it:
        it.agent.go_on()
        proposed = it.told.next(ActionProposed)
        it.phone.go("list")
        it.session.look(fresh=True).result()
        it.agent.approve(proposed.number)
        again = it.told.next(ActionProposed)
        assert (again.choices[0].action, it.phone.done) == (PressKey("back"), [])
        it.agent.approve(again.number)
        it.told.next(ActionPerformed)
        assert it.agent.memory.predictions[0].action == PressKey("back")


def test_a_screen_that_never_rests_pauses_it() -> None:
    pages = ["list", "kettle", "login", "bought"]

    def meanwhile(request: StepRequest) -> Prediction:
        it.phone.go(pages.pop(0))
        it.session.look(fresh=True).result()
        return does(PressKey("back"))(request)

    with scene(*[meanwhile] * 4, settings=ALONE) as it:
        it.agent.go_on()
        paused = it.told.next(AgentPaused)
        assert (paused.stop, it.phone.done) == (PauseReason.PROBLEM, [])
        assert paused.why == "The screen has changed since the action was proposed. Let it look again."


# What always asks -----------------------------------------------------------------------------------------------------


def at(page: str) -> FakeDevice:
    return FakeDevice(page=page)


GUARDED = replace(ALONE, confirmation=ConfirmationPolicy())


def test_a_forbidden_word_asks_even_on_its_own() -> None:
    with scene(taps("Buy now"), phone=at("kettle"), settings=GUARDED) as it:
        it.agent.go_on()
        proposed = it.told.next(ActionProposed)
        assert (proposed.reasons, it.phone.done) == (("“buy” is a word that always asks",), [])
        it.agent.approve(proposed.number)
        it.told.next(ActionPerformed)
        assert it.phone.page == "bought"


def test_choosing_it_among_others_shows_it_first() -> None:
    with scene(taps("Steel, 1.7 l", "Buy now"), phone=at("kettle"), settings=replace(GUARDED, mode=Mode.APPROVE)) as it:
        it.agent.go_on()
        it.agent.approve(it.told.next(ActionProposed).number, 1)
        proposed = it.told.next(ActionProposed)
        assert (proposed.reasons, it.phone.done) == (("“buy” is a word that always asks",), [])


def test_choosing_it_as_an_answer_shows_it_first() -> None:
    with scene(taps("Steel, 1.7 l", "Buy now", confidence=0.2), phone=at("kettle"), settings=GUARDED) as it:
        it.agent.go_on()
        it.agent.answer(it.told.next(QuestionAsked).number, offer=1)
        proposed = it.told.next(ActionProposed)
        assert (proposed.choices[0].action.target.text, it.phone.done) == ("Buy now", [])


def test_a_word_that_appeared_under_the_finger_meanwhile_asks() -> None:
    """What was approved as harmless is not done where it has become something else at the last moment."""
    with scene(settings=GUARDED) as it:
        proposed_on = it.phone.pages["home"]
        rows = (replace(proposed_on.rows[0], text="Delete"), *proposed_on.rows[1:])
        pages = {**it.phone.pages, "home": replace(proposed_on, rows=rows)}
        it.session.performed.add(lambda _acted: pytest.fail("it must not come so far"))

        def meanwhile(request: StepRequest) -> Prediction:
            it.phone.pages = pages
            it.session.look(fresh=True).result()
            return taps("Shop")(request)

        it.model.answers[:] = [meanwhile, taps("Delete")]
        it.agent.go_on()
        assert it.told.next(ActionProposed).reasons == ("“delete” is a word that always asks",)
        assert it.phone.done == []


def test_an_app_that_always_asks() -> None:
    guard = ConfirmationPolicy((), ("org.example.shop",))
    with scene(taps("Shop"), taps("Kettle"), settings=replace(ALONE, confirmation=guard)) as it:
        it.agent.go_on()
        assert it.told.next(ActionProposed).reasons == ("“org.example.shop” is an app that always asks",)
        assert it.texts == ["Shop"]


def test_no_tree_no_touch_without_a_person() -> None:
    phone = FakeDevice(has_tree=False)
    with scene(does(Tap(phone.place("Shop"))), phone=phone, settings=GUARDED) as it:
        it.agent.go_on()
        it.agent.approve(it.told.next(ActionProposed).number)
        it.told.next(ActionPerformed)
        assert phone.page == "list"


def test_settings_can_change_on_the_way() -> None:
    with scene(taps("Shop"), taps("Kettle", confidence=0.5), settings=UNGUARDED) as it:
        it.agent.go_on()
        proposed = it.told.next(ActionProposed)
        it.agent.change(replace(ALONE, ask_below=0.4))
        it.agent.approve(proposed.number)
        it.told.next(ActionPerformed)
        assert it.told.next(ActionPerformed).by is ActionOrigin.AGENT


def test_an_error_in_who_listens_does_not_end_the_thread() -> None:
    with scene(taps("Shop")) as it:
        heard = it.told

        class DeafError(Exception):
            pass

        def tell(event: object) -> None:
            if isinstance(event, PredictionStarted):
                raise DeafError("no")
            heard(event)  # type: ignore[arg-type]

        it.agent._told = tell
        it.agent.go_on()
        assert it.told.next(AgentPaused).why == "DeafError: no."


def test_the_action_of_an_answer_is_kept_with_what_was_weighed() -> None:
    with scene(taps("Shop", "Clock"), settings=ALONE) as it:
        it.agent.step()
        it.told.next(AgentPaused)
        answer = it.agent.memory.predictions[0].answer
        assert isinstance(answer, ActionAnswer)
        assert len(answer.candidates) == 2


def test_going_on_while_the_person_still_acts_is_not_lost() -> None:
    with scene(taps("Kettle")) as it:
        it.phone.before = lambda name: it.agent.go_on() if name == "perform" else None
        it.agent.correct(Tap(it.phone.place("Shop")))
        assert it.told.next(ActionProposed).choices[0].action.target.text == "Kettle"
        assert not any(isinstance(event, AgentPaused) for event in it.told.events)


def test_a_touch_while_the_agent_acts_is_done_behind_it() -> None:
    with scene(taps("Shop"), taps("Log in"), settings=replace(ALONE, step_limit=2)) as it:
        kettle = Tap(FakeDevice(page="list").place("Kettle"))
        it.phone.before = lambda name: it.agent.correct(kettle) if name == "perform" and not it.phone.done else None
        it.agent.go_on()
        assert [it.told.next(ActionPerformed).by for _ in range(2)] == [ActionOrigin.AGENT, ActionOrigin.PERSON]
        assert it.told.next(AgentPaused).stop is PauseReason.LIMIT
        assert it.phone.page == "kettle"


def test_a_touch_while_an_action_is_held_back_is_done_in_its_place() -> None:
    def meanwhile(request: StepRequest) -> Prediction:
        it.phone.go("list")
        it.session.look(fresh=True).result()
        return taps("Shop")(request)

    with scene(meanwhile, settings=ALONE) as it:
        kettle = Tap(FakeDevice(page="list").place("Kettle"))
        looking = it.session.look

        def look(**more: bool):  # type: ignore[no-untyped-def]
            if threading.current_thread().name.startswith("device input"):  # the check before the action
                it.agent.correct(kettle)
            return looking(**more)

        it.session.look = look  # type: ignore[method-assign]
        it.agent.go_on()
        assert it.told.next(ActionPerformed).by is ActionOrigin.PERSON
        assert it.phone.done == [kettle]
