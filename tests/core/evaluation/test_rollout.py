"""Predictors that walk alone on recorded screens: how walks go and end, on a small app that was made for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.core.device.replay_graph import build
from stepscope.core.domain.action import Action, AskUser, Finish, FinishStatus, PressKey, Scroll, Tap
from stepscope.core.domain.episode import Ask, Episode, EpisodeSummary, Observation, Platform, Step, summarise
from stepscope.core.domain.geometry import Direction
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.walk import StepCourse, WalkAnswer, WalkEnd, WalkUnderWay, courses
from stepscope.core.errors import SourceError, UserError
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest, WalkRequest
from stepscope.core.evaluation.rollout import graph_world
from stepscope.core.evaluation.rollout.graph_world import GraphWorld, place_names, ways_to
from stepscope.core.evaluation.rollout.walker import Walker
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.rollout import WalkClass, WalkFacts, verdict
from stepscope.core.store.codec import answer_from_text, answer_to_text
from tests.core.device.demonstrator import Demonstrator
from tests.core.device.fake import FakeDevice

BACK = PressKey("back")
NOWHERE = Scroll(Direction.DOWN)


class Episodes:
    """A source of episodes in hand."""

    format, path = "recording", Path("episodes")

    def __init__(self, *episodes: Episode) -> None:
        self._episodes = {one.id: one for one in episodes}
        self.scans = 0

    def scan(self) -> Iterator[EpisodeSummary]:
        self.scans += 1
        return map(summarise, self._episodes.values())

    def read(self, episode_id: str, place: str = "") -> Episode:
        if not self._episodes[episode_id].steps:
            raise SourceError("broken")
        return self._episodes[episode_id]


class Scripted:
    """Does what it is told, one thing after the other; None is an answer that cannot be used. `asked` are the requests
    that it got."""

    info = ModelInfo("scripted", "Scripted", Task.AUTOMATION, "", "", inputs=("screens",), past_screens=2)

    def __init__(self, actions: Sequence[Action | None], forever: bool = False) -> None:
        self._actions, self._forever = actions, forever
        self.asked: list[StepRequest] = []

    def predict(self, request: StepRequest) -> Prediction:
        self.asked.append(request)
        place = request.step % len(self._actions) if self._forever else request.step
        action = self._actions[place]
        if action is None:
            return Prediction(request.episode, request.step, None, PredictionStatus.MALFORMED, why="nonsense", raw="?")
        return Prediction(request.episode, request.step, ActionAnswer(action), confidence=0.5, raw="said")


@pytest.fixture
def app(tmp_path: Path) -> Episodes:
    """Three demonstrations: buying a kettle, a look at the log-in page and back, the clock."""
    show = Demonstrator(tmp_path).show
    return Episodes(show("Shop", "Kettle", "Buy now", Finish()), show("Shop", "Log in"), show("Clock"))


def tap(row: str, *before: str) -> Tap:
    """On the row of this name, on the page that the rows before lead to."""
    phone = FakeDevice()
    for name in before:
        phone.perform(Tap(phone.place(name)))
    return Tap(phone.place(row))


SHOP, KETTLE, BUY = tap("Shop"), tap("Kettle", "Shop"), tap("Buy now", "Shop", "Kettle")
LOG_IN, CLOCK = tap("Log in", "Shop"), tap("Clock")


def walk(app: Episodes, *actions: Action | None, forever: bool = False, times: float = 3.0) -> WalkAnswer:
    return walked(app, Scripted(actions, forever), times)


def walked(app: Episodes, model: Scripted, times: float = 3.0, token: CancelToken | None = None) -> WalkAnswer:
    walker = Walker(model, GraphWorld(app), stop_after=times)
    walker.set_token(token or CancelToken())
    answer = walker.predict(WalkRequest("1", "buy a kettle", Platform.ANDROID, "org.example.shop")).answer
    assert isinstance(answer, WalkAnswer)
    assert answer_from_text(answer_to_text(answer)) == answer, "the store gives it back as it was"
    return answer


def kind(walk: WalkAnswer) -> WalkClass:
    return verdict(WalkFacts.of(walk), walk.human_actions, False, "said").kind


def test_the_persons_way_walked_again(app: Episodes) -> None:
    found = walk(app, SHOP, KETTLE, BUY, Finish())
    assert (found.end, found.reached, found.goal_at, found.human_actions) == (WalkEnd.FINISHED, True, 3, 3)
    assert found.places[:-1] == found.human == ("1/0", "1/1", "1/2", "1/3") and found.last == "1/3"
    assert kind(found) is WalkClass.DIRECT
    assert courses(found) == (*[StepCourse.ON_PATH] * 3, StepCourse.REACHED)


def test_who_watches_a_walk_is_told_its_beginning_and_each_action(app: Episodes) -> None:
    """Three actions and the word that it is done, which is told by the answer: so four times."""
    told: list[WalkUnderWay] = []
    model = Scripted([SHOP, NOWHERE, KETTLE, Finish()])
    Walker(model, GraphWorld(app), stop_after=3.0, watch=told.append).predict(
        WalkRequest("1", "buy a kettle", Platform.ANDROID, "org.example.shop")
    )
    assert [one.places for one in told] == [
        ("1/0",), ("1/0", "1/1"), ("1/0", "1/1", "1/1"), ("1/0", "1/1", "1/1", "1/2")
    ]  # fmt: skip
    assert [one.actions for one in told] == [0, 1, 2, 3]
    assert {(one.episode, one.goal, one.app) for one in told} == {("1", "buy a kettle", "org.example.shop")}
    assert {one.human for one in told} == {("1/0", "1/1", "1/2", "1/3")}
    assert courses(told[-1]) == (StepCourse.ON_PATH, StepCourse.NOWHERE, StepCourse.ON_PATH)


def test_what_is_not_recorded_changes_nothing_and_three_of_it_end_the_walk(app: Episodes) -> None:
    found = walk(app, SHOP, NOWHERE, KETTLE, NOWHERE, NOWHERE, NOWHERE)
    assert (found.end, found.last, found.way_on) == (WalkEnd.STUCK, "1/2", True)
    assert [step.led for step in found.steps] == [True, False, True, False, False, False]
    assert kind(found) is WalkClass.WRONG_ELEMENT


def test_another_demonstrations_screens_can_be_walked_on_and_may_be_a_dead_end(app: Episodes) -> None:
    found = walk(app, SHOP, LOG_IN, NOWHERE, NOWHERE, NOWHERE)
    assert (found.last, found.way_on) == ("2/2", False)
    assert kind(found) is WalkClass.DEAD_END
    assert kind(walk(app, CLOCK, Finish())) is WalkClass.FINISHED_EARLY


def test_a_loop_ends_at_the_third_time(tmp_path: Path) -> None:
    show = Demonstrator(tmp_path).show
    app = Episodes(show("Shop", "Kettle"), show("Shop", BACK))
    found = walk(app, SHOP, BACK, forever=True, times=20)
    assert (found.end, len(found.steps), found.last) == (WalkEnd.LOOP, 5, "1/1")
    assert kind(found) is WalkClass.LOOP
    assert courses(found)[:3] == (StepCourse.ON_PATH, StepCourse.LOOP, StepCourse.ON_PATH)


def test_it_is_stopped_after_so_many_times_the_persons_actions(app: Episodes) -> None:
    moves = [SHOP, NOWHERE, KETTLE, NOWHERE, BUY, NOWHERE, NOWHERE]
    assert walk(app, *moves, times=1).end is WalkEnd.LIMIT
    found = walk(app, *moves, times=2)
    assert (found.end, found.actions, found.reached, found.goal_at) == (WalkEnd.LIMIT, 6, True, 5)
    assert kind(found) is WalkClass.NEVER_FINISHED


def test_answers_that_are_none_end_it_after_three(app: Episodes) -> None:
    found = walk(app, None, SHOP, None, None, None)
    assert (found.end, found.actions, found.steps[0].why, found.steps[0].raw) == (WalkEnd.FAILED, 5, "nonsense", "?")
    assert kind(found) is WalkClass.NO_ANSWER


def test_a_predictor_sees_its_own_course_and_nothing_of_the_persons(app: Episodes) -> None:
    model = Scripted([SHOP, None, KETTLE, BUY, Finish(FinishStatus.IMPOSSIBLE)])
    found = walked(app, model)
    assert kind(found) is WalkClass.FINISHED_EARLY and found.said is FinishStatus.IMPOSSIBLE
    last = model.asked[-1]
    assert last.history == (SHOP, KETTLE, BUY) and (last.reference, last.instruction) == (None, None)
    assert (last.step, last.goal, len(last.past)) == (4, "buy a kettle", 2)
    assert [one.past for one in model.asked[:2]] == [(), (model.asked[0].observation,)]


def test_a_predictor_that_needs_the_reference_is_shown_the_persons_action(app: Episodes) -> None:
    class Shown(Scripted):
        info = replace(Scripted.info, needs_reference=True)

        def predict(self, request: StepRequest) -> Prediction:
            assert request.reference is not None
            return Prediction(request.episode, request.step, ActionAnswer(request.reference))

    assert kind(walked(app, Shown([]))) is WalkClass.DIRECT


def test_a_recording_that_ends_with_an_action_has_that_action_for_its_goal(tmp_path: Path) -> None:
    whole = Demonstrator(tmp_path).show("Shop", "Kettle")
    app = Episodes(replace(whole, steps=whole.steps[:-1]))
    there = walk(app, SHOP, KETTLE, Finish())
    assert (there.reached, there.goal_at, there.human_actions) == (True, 2, 2)
    assert not walk(app, SHOP, Finish()).reached, "its last screen alone is not the goal"


def test_questions_are_answered_where_the_data_has_an_answer(app: Episodes) -> None:
    silent = walk(app, AskUser("Which?"), SHOP, KETTLE, BUY, Finish())
    assert silent.steps[0].led is False
    asking = Episodes(replace(app.read("1"), asks=(Ask(0, "Which kettle?", "The red one"),)))
    model = Scripted([AskUser("Which?"), SHOP, KETTLE, BUY, Finish()])
    assert walked(asking, model).steps[0].led is True
    assert [one.reply for one in model.asked[:2]] == [None, ("Which?", "The red one")]


def test_a_cancelled_walk_is_no_answer(app: Episodes) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(UserError, match="cancelled"):
        walked(app, Scripted([SHOP]), token=token)


def test_what_cannot_be_walked_on_is_told(app: Episodes) -> None:
    nothing = Observation(app.read("1").steps[0].observation.size)
    empty = Episode("9", "recording", Platform.ANDROID, "", (Step(0, nothing),), "a")
    world = GraphWorld(Episodes(empty, Episode("8", "recording", Platform.ANDROID, "", (), "a")))
    for name in ("9", "8", "no such"):
        with pytest.raises(UserError, match="no screen to walk on"):
            world.begin(WalkRequest(name, "", Platform.ANDROID, "a"))


def test_an_app_is_read_once_and_its_states_are_called_by_their_first_screens(app: Episodes) -> None:
    world = GraphWorld(app)
    for name in ("1", "2", "1"):
        world.begin(WalkRequest(name, "", Platform.ANDROID, "org.example.shop"))
    assert app.scans == 1
    graph = build([app.read(name) for name in ("1", "2", "3")])
    names = place_names(graph)
    assert names == ("1/0", "1/1", "1/2", "1/3", "2/2", "3/1")
    ways = {names[goal]: {names[state] for state in ways_to(graph, goal)} for goal in range(len(names))}
    assert ways["1/3"] == {"1/0", "1/1", "1/2", "1/3"} and ways["3/1"] == {"1/0", "3/1"}


def test_a_graph_is_of_one_app_and_of_so_many_demonstrations(app: Episodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_world, "MOST_EPISODES", 2)
    several = graph_world.AppDemonstrations(app)
    parts = {name: [one.id for one in several.of("org.example.shop", name)] for name in ("1", "2", "3")}
    assert parts == {"1": ["1", "2"], "2": ["1", "2"], "3": ["3"]}
    nameless = graph_world.AppDemonstrations(Episodes(*(replace(app.read(name), app=None) for name in ("1", "2"))))
    assert [one.id for one in nameless.of(None, "2")] == ["2"], "they may be of two apps"
