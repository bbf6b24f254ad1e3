"""Items of goal identification: nothing of the goal is shown, neither is the mark that it was reached."""

import pytest

from stepscope.core.domain.action import Finish, Tap
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import GoalAnswer, Prediction, Task
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.scoring.registry import run_scorer

KIND = task_kind(Task.GOAL)


def source_of(fakes, **goals):
    seen = Observation(fakes.SIZE)
    tap = Tap(Point(1, 1, fakes.SIZE))
    steps = (Step(0, seen, tap, "Order the tea"), Step(1, seen, Finish()), Step(2, seen))
    episode = Episode("e", "fake", Platform.ANDROID, goals["goal"], steps, "shop", original_goal=goals.get("original"))
    source = fakes.FakeSource({"e": episode})
    source.read = lambda name, place="": source.episodes[name]
    return source


def test_nothing_of_the_goal_is_shown(fakes):
    (found,) = KIND.items(source_of(fakes, goal="Order tea"), "e", Setting())
    assert (found.key.episode, found.key.step, found.reference, found.material) == ("e", -1, "", "Order tea")
    request = found.request
    assert (request.goal, request.reference, request.app, len(request.observations)) == (None, None, "shop", 3)
    assert [type(action) for action in request.actions] == [Tap, type(None), type(None)]
    assert "tea" not in repr(request)


@pytest.mark.parametrize("goal", ["Order tea", ""])
def test_the_reference_is_shown_to_those_that_need_it(fakes, goal):
    (found,) = KIND.items(source_of(fakes, goal=goal), "e", Setting(show_reference=True))
    assert (found.request.goal, found.request.reference) == (None, goal or None)


def test_where_the_agent_was_told_less_the_full_goal_counts(fakes):
    (found,) = KIND.items(source_of(fakes, goal="Order", original="Order tea"), "e", Setting())
    assert found.material == "Order tea"


class Guessing:
    info = ModelInfo("guessing", "Guessing", Task.GOAL, "", "tests")

    def predict(self, request):
        return Prediction(request.episode, None, GoalAnswer("order TEA."))


def test_a_run(fakes):
    for goal, value in (("Order tea", 1), ("", None)):
        (found,) = evaluate(source_of(fakes, goal=goal), ["e"], Guessing(), run_scorer("goal_text"), {})
        assert found.score.value == value


def test_after_each_step_it_is_asked_about_what_was_done_so_far(fakes):
    source = source_of(fakes, goal="Order tea")
    found = list(KIND.items(source, "e", Setting(after_each_step=True)))
    assert [one.key.step for one in found] == [0, 1, 2]
    assert [len(one.request.observations) for one in found] == [1, 2, 3]
    assert [len(one.request.actions) for one in found] == [1, 2, 3]
    (whole,) = KIND.items(source, "e", Setting())
    assert found[-1].request == whole.request, "the last guess is the goal of the whole trajectory, and not asked twice"
    assert "tea" not in repr([one.request for one in found])


class GuessingLate:
    """Says it from the second screen on."""

    info = Guessing.info

    def predict(self, request):
        text = "Order tea" if len(request.observations) > 1 else "Open the shop"
        return Prediction(request.episode, None, GoalAnswer(text))


def test_a_run_after_each_step(fakes):
    options = {"measure": "rouge_l", "at": 0.7}
    found = list(evaluate(source_of(fakes, goal="Order tea"), ["e"], GuessingLate(), run_scorer("early_goal"), options))
    assert [(one.key.step, one.prediction.step) for one in found] == [(0, 0), (1, 1), (2, 2)]
    assert [one.score.value == 1 for one in found] == [False, True, True]


class Confused(Guessing):
    def predict(self, request):
        return Prediction(request.episode, 1, GoalAnswer("Order tea"))


def test_an_answer_about_something_else_is_an_error(fakes):
    found = list(evaluate(source_of(fakes, goal="Order tea"), ["e"], Confused(), run_scorer("early_goal"), {}))
    assert all("it answered step 1 of episode e" in one.score.why for one in found)
