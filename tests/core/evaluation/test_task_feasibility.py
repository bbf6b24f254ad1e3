"""Items of feasibility: the label is the reference, and nothing that is shown gives it away."""

import pytest

from stepscope.core.domain.action import Finish, FinishStatus, Tap
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.tasks import Setting, task_kind

KIND = task_kind(Task.FEASIBILITY)


def item(fakes, label, **setting):
    seen = Observation(fakes.SIZE)
    steps = (Step(0, seen, Tap(None)), Step(1, seen, Finish(FinishStatus.IMPOSSIBLE), "It cannot be done"))
    episode = Episode("e", "fake", Platform.ANDROID, "Fly", steps, "app", feasibility=Feasibility(label))
    source = fakes.FakeSource({"e": episode})
    source.read = lambda name, place="": source.episodes[name]
    (found,) = KIND.items(source, "e", Setting(**setting))
    return found


def test_how_the_episode_was_ended_is_not_shown(fakes):
    found = item(fakes, FeasibilityLabel.INFEASIBLE)
    assert (found.key.episode, found.key.step, found.reference) == ("e", -1, "infeasible")
    assert found.request.actions == (Tap(None), None)
    assert (found.request.goal, len(found.request.observations), found.request.reference) == ("Fly", 2, None)
    assert "impossible" not in repr(found.request) and "cannot" not in repr(found.request)


@pytest.mark.parametrize(("label", "word"), [(FeasibilityLabel.FEASIBLE, "feasible"), (None, None)])
def test_the_label_is_shown_to_those_that_need_it(fakes, label, word):
    assert item(fakes, label, show_reference=True).request.reference == word


@pytest.mark.parametrize(("platform", "words"), [(Platform.TEXT, ("Get up", "")), (Platform.ANDROID, ())])
def test_the_words_of_an_episode_are_told_where_they_are_all_that_there_is(fakes, platform, words):
    seen = Observation(fakes.SIZE)
    steps = (Step(0, seen, None, "Get up"), Step(1, seen))
    source = fakes.FakeSource({"e": Episode("e", "fake", platform, "Fly", steps)})
    source.read = lambda name, place="": source.episodes[name]
    (found,) = KIND.items(source, "e", Setting())
    assert found.request.words == words
