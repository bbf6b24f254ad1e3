"""Models on the live screen: the newest screen only, never a queue, nothing about a screen that is gone."""

from __future__ import annotations

import itertools
import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from stepscope.app.services.live.overlay import LiveOverlay, OverlayPrediction, OverlayState
from stepscope.core.device.session import LiveSession
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import FeasibilityLabel, Observation, Step
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import FeasibilityAnswer, GoalAnswer, Prediction, Task
from stepscope.core.evaluation.predictor import EpisodeRequest
from tests.app.services.live.scripted import SECONDS, Script, info, nothing, taps
from tests.core.device.fake import SIZE, FakeDevice


class Shown:
    """What an overlay was told to show, one queue for each kind."""

    def __init__(self) -> None:
        self.answers: queue.SimpleQueue[OverlayPrediction] = queue.SimpleQueue()
        self.states: queue.SimpleQueue[OverlayState] = queue.SimpleQueue()
        self.cleared = 0

    def clear(self) -> None:
        self.cleared += 1


@contextmanager
def overlay(
    phone: FakeDevice, so_far: Callable[[], tuple[Step, ...]] = tuple
) -> Iterator[tuple[LiveOverlay, LiveSession, Shown]]:
    shown = Shown()
    heard: list[Callable[[], Any]] = []
    session = LiveSession(phone, lambda: [call() for call in heard], rest=0.01)
    heard.append(session.mirror.newest.take)  # as a window does, which is woken for the next one then
    over = LiveOverlay(session, shown.answers.put, shown.states.put, shown.clear, so_far=so_far, pause=0.0)
    heard.append(over.screen_changed)
    session.start()
    while session.mirror.newest.latest is None:  # a first picture that comes after the first look makes that an old one
        pass
    try:
        yield over, session, shown
    finally:
        over.close()
        session.close()


def turn(session: LiveSession, page: str) -> None:
    """The phone shows another page, and the mirror has its picture."""
    before = session.mirror.newest.latest
    session.device.go(page)  # type: ignore[attr-defined]
    while session.mirror.newest.latest is before:
        pass


def words(shown: Shown) -> tuple[str, str]:
    told = shown.answers.get(timeout=SECONDS)
    assert told.prediction.action is not None
    return told.letter, told.prediction.action.target.text  # type: ignore[union-attr]


def test_every_model_answers_about_the_screen_and_again_when_it_changes() -> None:
    with overlay(FakeDevice()) as (over, session, shown):
        session.look().result()
        one, other = Script([taps("Shop"), taps("Kettle")]), Script([taps("Clock"), taps("Search")])
        over.show({"A": one, "B": other}, "buy a kettle")
        assert [words(shown), words(shown)] == [("A", "Shop"), ("B", "Clock")]
        assert one.requests[0].goal == "buy a kettle"
        turn(session, "list")
        session.mirror.newest.take()
        over.screen_changed()
        assert [words(shown), words(shown)] == [("A", "Kettle"), ("B", "Search")]
        assert shown.cleared == 2


def test_it_never_queues_and_drops_what_comes_late() -> None:
    phone = FakeDevice()
    with overlay(phone) as (over, session, shown):
        session.look().result()
        model = Script([taps("Shop"), taps("Thank you")], held=True)
        over.show({"A": model}, "")
        model.wait()
        for page in ("list", "kettle", "login", "bought"):  # it is at work on the first screen all the while
            turn(session, page)
            session.look(fresh=True).result()
            over.screen_changed()
        assert len(model.requests) == 1
        model.release()
        state = shown.states.get(timeout=SECONDS)
        assert (state.late, state.problem) == (1, "")
        model.wait()
        model.release()
        assert words(shown) == ("A", "Thank you")
        assert len(model.requests) == 2
        assert shown.answers.empty()


def test_a_screen_that_stays_is_not_looked_at_again() -> None:
    phone = FakeDevice()
    with overlay(phone) as (over, session, shown):
        session.look().result()
        model = Script([taps("Shop"), taps("Clock")])
        over.show({"A": model}, "")
        words(shown)
        phone.show()  # a frame of the same screen
        over.screen_changed()
        over.show({"A": model}, "another goal")  # this is asked anew
        assert words(shown) == ("A", "Clock")
        assert [request.goal for request in model.requests] == ["", "another goal"]


def test_on_a_screen_that_never_rests_the_answers_are_shown_all_the_same() -> None:
    phone = FakeDevice()
    with overlay(phone) as (over, session, shown):
        session.look().result()
        shades = itertools.cycle((20, 220))

        def film(name: str) -> None:
            if name == "tree":  # between picture and tree, in every look
                phone.pages = {**phone.pages, "home": replace(phone.pages["home"], colour=next(shades))}
                before = session.mirror.newest.latest
                phone.show()
                while session.mirror.newest.latest is before:
                    pass

        phone.before = film
        session.look(fresh=True).result()
        one, other = Script([taps("Shop")] * 50), Script([taps("Clock")] * 50)
        over.show({"A": one, "B": other}, "")
        assert [words(shown) for _ in range(4)] == [("A", "Shop"), ("B", "Clock")] * 2
        phone.before = lambda name: None


def test_one_that_fails_leaves_the_others_to_answer() -> None:
    with overlay(FakeDevice()) as (over, session, shown):
        session.look().result()
        over.show(
            {"A": Script([RuntimeError("bang")]), "B": Script([nothing("empty")]), "C": Script([taps("Shop")])}, ""
        )
        told = [shown.states.get(timeout=SECONDS) for _ in range(3)]
        assert [state.problem for state in told] == ["RuntimeError: bang", "empty", ""]
        assert [shown.answers.get(timeout=SECONDS).letter for _ in range(2)] == ["B", "C"]


def test_closing_does_not_wait_for_a_model() -> None:
    with overlay(FakeDevice()) as (over, session, _shown):
        session.look().result()
        model = Script([taps("Shop")], held=True)
        over.show({"A": model}, "")
        model.wait()
        over.close()
        assert model.closed


def test_models_that_are_no_longer_wanted_are_closed() -> None:
    with overlay(FakeDevice()) as (over, session, shown):
        session.look().result()
        old, new = Script([taps("Shop")]), Script([taps("Clock")])
        over.show({"A": old}, "")
        words(shown)
        over.show({"A": new}, "")
        assert (old.closed, words(shown)) == (True, ("A", "Clock"))
        over.show({}, "")
        assert new.closed


def test_a_lost_device_is_looked_at_again_when_it_shows_something() -> None:
    phone = FakeDevice()
    with overlay(phone) as (over, session, shown):
        session.look().result()
        phone.go("list")
        phone.lose()
        model = Script([taps("Kettle")] * 20)  # the picture that comes back may make an answer late
        over.show({"A": model}, "")
        phone.come_back()
        session.mirror.reconnect()
        assert words(shown) == ("A", "Kettle")


def test_models_of_whole_episodes_are_asked_about_what_was_recorded_and_the_screen_it_led_to() -> None:
    step = Step(0, Observation(SIZE), Tap(Point(5, 9, SIZE)))
    goal = Script([Prediction("live", None, GoalAnswer("Buy it"))], info(Task.GOAL))
    guess = Script(
        [Prediction("live", None, FeasibilityAnswer(FeasibilityLabel.FEASIBLE, 0.2))], info(Task.FEASIBILITY)
    )
    with overlay(FakeDevice(), lambda: (step,)) as (over, _session, shown):
        over.show({"B": goal, "C": guess}, "buy a kettle")
        answers = [shown.answers.get(timeout=SECONDS).prediction.answer for _ in range(2)]
    assert answers == [GoalAnswer("Buy it"), FeasibilityAnswer(FeasibilityLabel.FEASIBLE, 0.2)]
    for script, wanted in ((goal, None), (guess, "buy a kettle")):
        (asked,) = script.requests
        assert isinstance(asked, EpisodeRequest) and asked.goal == wanted, "who guesses the goal is not told it"
        assert asked.actions == (step.action, None) and asked.observations[0] is step.observation
        assert asked.observations[1].tree is not None and asked.observations[1].screenshot is not None


def test_whether_it_can_be_reached_is_not_asked_without_a_goal() -> None:
    guess = Script([], info(Task.FEASIBILITY))
    with overlay(FakeDevice()) as (over, _session, shown):
        over.show({"B": guess}, "")
        assert shown.states.get(timeout=SECONDS).problem.startswith("Write the goal")
    assert guess.requests == []


def test_who_guesses_is_asked_again_when_more_was_done_and_others_are_not() -> None:
    goal = Script([Prediction("live", None, GoalAnswer(said)) for said in ("One", "Two")], info(Task.GOAL))
    acts = Script([taps("Shop"), taps("Shop")])
    with overlay(FakeDevice()) as (over, _session, shown):
        over.show({"B": acts}, "")
        assert words(shown) == ("B", "Shop")
        over.more_done()
        over.show({"B": goal}, "")
        assert shown.answers.get(timeout=SECONDS).prediction.answer == GoalAnswer("One")
        over.more_done()
        assert shown.answers.get(timeout=SECONDS).prediction.answer == GoalAnswer("Two"), "on the screen that stayed"
    assert len(acts.requests) == 1
