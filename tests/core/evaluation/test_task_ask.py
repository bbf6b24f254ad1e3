"""Items of asking: which steps, what the agent sees of them, and which question each is judged by."""

from dataclasses import replace

from stepscope.core.domain.action import AskUser, Finish, Tap
from stepscope.core.domain.episode import ONE_TOO_MANY, Ask, Episode, Observation, Platform, Step
from stepscope.core.domain.prediction import AskAnswer, Prediction, Task
from stepscope.core.errors import UnavailableError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.scoring.meteor import Meteor
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer

KIND = task_kind(Task.ASK)


def source_of(fakes, episode):
    source = fakes.FakeSource({episode.id: episode})
    source.read = lambda name, place="": source.episodes[name]
    return source


def episode_of(fakes, *asks):
    seen = Observation(fakes.SIZE)
    actions = (Tap(None), AskUser("Which size?"), Tap(None), Finish(), None)
    steps = tuple(Step(n, seen, action, f"Instruction {n}") for n, action in enumerate(actions))
    return Episode("e", "fake", Platform.ANDROID, "Order it", steps, "shop", asks=asks, original_goal="Order a big one")


def items(fakes, episode, **setting):
    return list(KIND.items(source_of(fakes, episode), episode.id, Setting(**setting)))


def test_the_agent_sees_the_goal_as_told_and_neither_instruction_nor_ask(fakes):
    found = items(fakes, episode_of(fakes, Ask(1, "Which size?", "Big")))
    assert [item.key.step for item in found] == [0, 1, 2, 3]
    assert [item.reference for item in found] == ["no ask", "ask", "no ask", "no ask"]
    for item in found:
        request = item.request
        assert (request.goal, request.instruction, request.reference) == ("Order it", None, None)
        assert "size" not in repr(replace(request, episode="", reply=None)).lower().replace("size=size", "")
    assert [len(item.request.history) for item in found] == [0, 1, 1, 2]


def test_a_predictor_for_tests_is_shown_the_ask_and_every_other_its_past_screens(fakes):
    episode = episode_of(fakes, Ask(1, "Which size?", "Big"), Ask(2, "B?", "b"))
    shown = [item.request.reference for item in items(fakes, episode, show_reference=True)]
    assert shown == [Tap(None), AskUser("Which size?"), AskUser("B?"), Finish()]
    past = [len(item.request.past) for item in items(fakes, episode, past_screens=1)]
    assert past == [0, 1, 1, 1] and not any(item.request.past for item in items(fakes, episode))


def test_what_the_person_would_answer_is_there_to_the_end(fakes):
    found = items(fakes, episode_of(fakes, Ask(2, "B?", "b"), Ask(0, "A?", "a")))
    assert [item.request.reply for item in found] == [("A?", "a"), ("B?", "b"), ("B?", "b"), ("B?", "b")]
    assert [item.request.reply for item in items(fakes, episode_of(fakes))] == [None] * 4


def test_a_question_behind_the_limit_of_a_recorded_agent_was_not_due(fakes):
    found = items(fakes, episode_of(fakes, Ask(1, "A?", "a"), Ask(2, "And?", "", ONE_TOO_MANY)))
    assert [item.reference for item in found] == ["no ask", "ask", "no ask", "no ask"]


def test_a_question_may_be_due_where_nothing_was_done(fakes):
    found = items(fakes, episode_of(fakes, Ask(4, "More?", "No")))
    assert [item.key.step for item in found] == [0, 1, 2, 3, 4]
    assert found[-1].reference == "ask"


def test_two_questions_at_a_step_are_one(fakes):
    found = items(fakes, episode_of(fakes, Ask(1, "Which size?", "Big"), Ask(1, "And colour?", "Red")))
    assert found[1].material[:3] == (1, 1, "Which size? And colour?")
    assert found[1].request.reply == ("Which size? And colour?", "Big Red")
    assert [item.reference for item in found] == ["no ask", "ask", "no ask", "no ask"]


def test_an_ask_without_text_is_due_and_one_without_an_answer_tells_nothing(fakes):
    found = items(fakes, episode_of(fakes, Ask(1, "", "Big")))
    assert (found[1].reference, found[1].request.reply) == ("ask", ("", "Big"))
    assert [item.request.reply for item in items(fakes, episode_of(fakes, Ask(1, "Which size?", " ")))] == [None] * 4


def test_an_ask_after_the_end_is_none(fakes):
    found = items(fakes, episode_of(fakes, Ask(7, "More?", "No")))
    assert [item.reference for item in found] == ["no ask"] * 4
    assert [item.material.due for item in found] == [None] * 4


def test_whether_the_goal_leaves_something_out_is_known(fakes):
    told = replace(episode_of(fakes), goal="Order a big one")
    assert {item.material.partial for item in items(fakes, told)} == {False}
    assert {item.material.partial for item in items(fakes, episode_of(fakes))} == {True}
    assert {item.request.whole for item in items(fakes, episode_of(fakes))} == {"Order a big one"}


def test_each_step_is_judged_by_the_next_question(fakes):
    found = items(fakes, episode_of(fakes, Ask(3, "B?", ""), Ask(1, "A?", ""), Ask(9, "not there", "")))
    assert [item.material[:3] for item in found] == [(0, 1, "A?"), (1, 1, "A?"), (2, 3, "B?"), (3, 3, "B?")]
    assert [item.material.reference.index for item in found] == [0, 1, 2, 3]
    assert [item.material[:3] for item in items(fakes, episode_of(fakes))] == [(n, None, "") for n in range(4)]


class Asking:
    """Asks at the steps it is told."""

    info = ModelInfo("asking", "Asking", Task.ASK, "", "tests")

    def __init__(self, *steps):
        self.steps = steps

    def predict(self, request):
        question = "Which size?" if request.step in self.steps else None
        return Prediction(request.episode, request.step, AskAnswer(question))


def test_a_run_over_an_episode(fakes, monkeypatch):
    def missing():
        raise UnavailableError("WordNet takes seconds to load")

    monkeypatch.setattr(Meteor, "load", missing)
    scorer = run_scorer("ask")
    source = source_of(fakes, episode_of(fakes, Ask(1, "Which size?", "Big")))
    found = list(evaluate(source, ["e"], Asking(1, 3), scorer, parse_options(scorer.info, {})))
    assert [outcome.score.value for outcome in found] == [1, 1, 1, 0]
