"""Steps with the screen before them, and everything a person may do to a recording while it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from stepscope.core.device.recorded import EntryKind, RecordingSink, Survey, SurveyOutcome
from stepscope.core.device.recorder import Recorder
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import AskUser, Finish, FinishStatus, PressKey, Say, Tap, Target, Type
from stepscope.core.domain.episode import FeasibilityLabel, InfeasibilityReason, Step
from stepscope.core.domain.geometry import Box, Point, Size
from tests.core.device.fake import FakeDevice

BACK = PressKey("back")


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Kept(RecordingSink):
    """What a writer would hold."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.pictures: list[bytes | None] = []
        self.dropped: list[tuple[Step, bytes | None]] = []

    def keep(self, step: Step, picture: Callable[[], bytes | None] | None) -> None:
        self.steps.append(step)
        self.pictures.append(picture() if picture is not None else None)
        self.dropped.clear()

    def amend(self, step: Step) -> None:
        self.steps[-1] = step

    def drop(self) -> None:
        self.dropped.append((self.steps.pop(), self.pictures.pop()))

    def restore(self) -> None:
        step, picture = self.dropped.pop()
        self.steps.append(step)
        self.pictures.append(picture)


def look(phone: FakeDevice, at: float = 0.0) -> ScreenSnapshot:
    return ScreenSnapshot(phone.screenshot(), phone.size, phone.tree(), phone.foreground(), at, 0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def phone() -> FakeDevice:
    return FakeDevice()


@pytest.fixture
def sink() -> Kept:
    return Kept()


@pytest.fixture
def recorder(sink: Kept, clock: Clock) -> Recorder:
    return Recorder("Buy a kettle", sink, device={"model": "Fake phone"}, clock=clock)


def test_a_step_has_the_screen_before_it_and_its_time(
    recorder: Recorder, phone: FakeDevice, sink: Kept, clock: Clock
) -> None:
    seen, clock.now = look(phone), 101.5
    action = Tap(phone.place("Shop"), Target(seen.tree.elements[1].box, "Shop"))  # type: ignore[union-attr]
    assert recorder.add(seen, action, at=101.25)
    (step,) = sink.steps
    assert (step.index, step.action, step.observation.time) == (0, action, 1.25)
    assert step.observation.tree is seen.tree
    assert step.observation.activity == "org.example.launcher/.Home"
    assert sink.pictures == [seen.picture]
    assert recorder.seconds == 1.5


def test_an_action_on_a_screen_of_another_size_is_laid_on_the_pictures(
    recorder: Recorder, phone: FakeDevice, sink: Kept
) -> None:
    large = Size(phone.size.width * 10, phone.size.height * 10)
    recorder.add(look(phone), Tap(Point(540, 300, large), Target(Box(0, 0, 1080, 600, large), "Shop")))
    assert sink.steps[0].action == Tap(Point(54, 30, phone.size), Target(Box(0, 0, 108, 60, phone.size), "Shop"))


def test_the_whole_demonstration_as_an_episode(recorder: Recorder, phone: FakeDevice, clock: Clock, sink: Kept) -> None:
    recorder.add(look(phone), Tap(phone.place("Shop")))
    phone.go("list")
    recorder.ask(look(phone), "Which kettle?")
    assert recorder.recorded.asking == "Which kettle?"
    assert recorder.answer("The steel one.")
    assert not recorder.answer("And another")
    recorder.say(look(phone), "I look for it")
    recorder.stop(look(phone))
    assert not recorder.add(look(phone), BACK)
    recorder.answer_survey(Survey(SurveyOutcome.UNCLEAR, "There are two", ("Which one?", "  ")))
    episode = recorder.episode("one")
    assert [type(step.action) for step in episode.steps] == [Tap, AskUser, Say, Finish]
    assert episode.steps[-1].action == Finish(FinishStatus.IMPOSSIBLE)
    assert sink.steps == list(episode.steps)
    assert episode.feasibility.label is FeasibilityLabel.INFEASIBLE
    assert episode.feasibility.reason is InfeasibilityReason.UNCLEAR
    assert episode.feasibility.follow_up == ("Which one?",)
    assert [(ask.step, ask.question, ask.answer) for ask in episode.asks] == [(1, "Which kettle?", "The steel one.")]
    assert (episode.goal, episode.app) == ("Buy a kettle", "org.example.shop")
    assert episode.problems == ()
    assert recorder.meta()["survey"] == {"outcome": "unclear", "why": "There are two"}
    recorder.answer_survey(Survey(SurveyOutcome.DONE))
    assert sink.steps[-1].action == Finish(FinishStatus.COMPLETE)


def test_an_agents_own_finish_is_the_last_step(recorder: Recorder, phone: FakeDevice, sink: Kept) -> None:
    recorder.add(look(phone), Finish(FinishStatus.COMPLETE))
    recorder.stop(look(phone))
    assert len(sink.steps) == 1


def test_an_end_without_a_last_screen_is_said(recorder: Recorder, phone: FakeDevice) -> None:
    recorder.add(look(phone), BACK)
    recorder.stop(None)
    recorder.answer_survey(Survey(SurveyOutcome.DONE))
    assert [step.action for step in recorder.episode("one").steps] == [BACK]
    assert "last action is missing" in recorder.episode("one").problems[0].message


def test_pauses_do_not_count_and_what_is_done_in_them_is_said(
    recorder: Recorder, phone: FakeDevice, clock: Clock, sink: Kept
) -> None:
    clock.now = 102.0
    recorder.pause()
    clock.now = 112.0
    assert recorder.seconds == 2.0
    recorder.resume()
    clock.now = 113.0
    recorder.add(look(phone), BACK)
    assert sink.steps[0].observation.time == 3.0
    assert recorder.meta()["paused_seconds"] == 10.0
    assert recorder.episode("one").problems == ()
    recorder.pause()
    assert not recorder.add(look(phone), BACK)
    assert recorder.recorded.paused
    recorder.resume()
    (problem,) = recorder.episode("one").problems
    assert (problem.message, problem.step) == ("1 action was done while the recording was paused", 1)


def test_a_login_is_left_out(recorder: Recorder, phone: FakeDevice, clock: Clock, sink: Kept) -> None:
    recorder.add(look(phone), BACK)
    recorder.begin_login()
    clock.now += 5
    assert not recorder.add(look(phone), Type("my name"))
    assert not recorder.add(look(phone), Type("hunter2"))
    assert recorder.recorded.login
    recorder.end_login()
    recorder.add(look(phone), BACK)
    assert len(sink.steps) == 2
    assert [entry.kind for entry in recorder.recorded.entries] == [EntryKind.STEP, EntryKind.LOGIN, EntryKind.STEP]
    assert recorder.meta()["logins"] == [{"step": 1, "actions": 2, "seconds": 5.0}]


def test_a_gap_is_marked_where_it_was(recorder: Recorder, phone: FakeDevice, clock: Clock) -> None:
    recorder.add(look(phone), BACK)
    recorder.lost()
    recorder.lost()
    assert recorder.recorded.away
    assert recorder.recorded.entries[-1].seconds is None
    clock.now += 4.2
    recorder.found()
    recorder.add(look(phone), BACK)
    recorder.lost()
    messages = [(problem.message, problem.step) for problem in recorder.episode("one").problems]
    assert messages == [("the device was away for 4 s", 1), ("the device was lost and did not come back", 2)]


def test_undo_takes_the_last_step_and_leaves_gaps(recorder: Recorder, phone: FakeDevice, sink: Kept) -> None:
    recorder.add(look(phone), Tap(phone.place("Shop")))
    recorder.ask(look(phone), "Which?")
    recorder.note("two are there")
    recorder.lost()
    recorder.found()
    assert recorder.undo()
    assert [entry.kind for entry in recorder.recorded.entries] == [EntryKind.STEP, EntryKind.GAP]
    assert recorder.episode("one").asks == ()
    assert recorder.meta()["notes"] == []
    assert recorder.redo()
    assert [entry.kind for entry in recorder.recorded.entries] == [EntryKind.STEP, EntryKind.STEP, EntryKind.GAP]
    assert recorder.meta()["notes"] == [{"step": 1, "text": "two are there"}]
    assert recorder.episode("one").asks[0].question == "Which?"
    assert not recorder.redo()
    recorder.undo()
    recorder.add(look(phone), BACK)
    assert not recorder.recorded.can_redo
    assert [step.index for step in sink.steps] == [0, 1]


def test_a_password_is_one_step_however_it_is_typed(recorder: Recorder, phone: FakeDevice, sink: Kept) -> None:
    phone.go("login")
    phone.focus = "Secret"
    for letter in "hunter2":
        seen = look(phone)
        recorder.add(seen, Type(letter))
        phone.perform(Type(letter))
    recorder.add(look(phone), Tap(phone.place("Enter")))
    assert [step.action.kind for step in sink.steps if step.action] == ["type", "tap"]
    stored = f"{sink.steps!r}"
    assert "hunter2" not in stored
    assert "h'" not in stored
    assert "••••••••" in stored


def test_what_is_not_known_of_a_screen_is_said(recorder: Recorder, phone: FakeDevice) -> None:
    recorder.add(replace(look(phone), tree=None, tree_problem="the screen never rests"), BACK)
    recorder.add(replace(look(phone), matched=False), BACK)
    messages = [problem.message for problem in recorder.episode("one").problems]
    assert messages == ["no UI tree: the screen never rests", "the screen did not rest: picture and UI tree may differ"]


class AnyDemonstration(RuleBasedStateMachine):
    """Whatever is done in whatever order: what the writer holds is what the recorder says, numbered without gaps."""

    def __init__(self) -> None:
        super().__init__()
        self.clock, self.sink, self.phone = Clock(), Kept(), FakeDevice()
        self.recorder = Recorder("any", self.sink, clock=self.clock)
        self.asked = 0

    @rule(seconds=st.floats(0, 50))
    def wait(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule()
    def act(self) -> None:
        self.recorder.add(look(self.phone), BACK)

    @rule()
    def ask(self) -> None:
        self.recorder.ask(look(self.phone), "Which?")

    @rule(name=st.sampled_from(["undo", "redo", "pause", "resume", "begin_login", "end_login", "lost", "found"]))
    def press(self, name: str) -> None:
        getattr(self.recorder, name)()

    @rule(text=st.text(max_size=3))
    def say_words(self, text: str) -> None:
        self.recorder.note(text)
        self.recorder.answer(text)

    @precondition(lambda self: self.recorder.recorded.steps)
    @rule(seen=st.booleans())
    def end(self, seen: bool) -> None:
        self.recorder.stop(look(self.phone) if seen else None)
        self.recorder.answer_survey(Survey(SurveyOutcome.DONE))

    @invariant()
    def the_writer_holds_what_is_recorded(self) -> None:
        recorded = self.recorder.recorded
        assert list(recorded.steps) == self.sink.steps
        assert [step.index for step in recorded.steps] == list(range(len(recorded.steps)))
        times = [step.observation.time for step in recorded.steps]
        assert times == sorted(times)  # type: ignore[type-var]
        assert len({entry.number for entry in recorded.entries}) == len(recorded.entries)
        episode = self.recorder.episode("any")
        assert all(episode.position_of(ask.step) >= 0 for ask in episode.asks)
        assert all(isinstance(self.recorder.meta()[name], list) for name in ("logins", "notes"))


AnyDemonstration.TestCase.settings = settings(max_examples=30, stateful_step_count=25)
TestAnyDemonstration = AnyDemonstration.TestCase
