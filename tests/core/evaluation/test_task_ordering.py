"""Items of step ordering: what is shown of a procedure, and how the answer finds back to the data."""

from pathlib import Path

import pytest

from stepscope.core.domain.action import Finish, Tap
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.prediction import OrderAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ModelInfo, OrderRequest
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.sources.procedures import episode_of

KIND = task_kind(Task.ORDERING)
TEA = Procedure(
    "tea", "test", "Make tea", tuple(ProcedureStep(f"s{n}", text) for n, text in enumerate(("Boil", "Pour", "Drink")))
)


class Procedures:
    """Procedures by id."""

    format = "test"
    path = Path("data/test")

    def __init__(self, *procedures):
        self.known = {one.id: one for one in procedures}

    def scan(self):
        return iter(())

    def read(self, episode_id, place=""):
        return episode_of(self.read_procedure(episode_id))

    def read_procedure(self, procedure_id, place=""):
        if procedure_id not in self.known:
            raise UsageError(f"there is no {procedure_id}")
        return self.known[procedure_id]


def item(procedure=TEA, **setting):
    (found,) = KIND.items(Procedures(procedure), procedure.id, Setting(**setting))
    return found


def test_steps_are_shown_by_place_and_their_ids_betray_nothing():
    found = item(seed=3)
    assert isinstance(found.request, OrderRequest)
    assert (found.key.episode, found.key.step, found.reference) == ("tea", -1, "")
    assert [step.id for step in found.request.steps] == ["1", "2", "3"]
    assert sorted(step.text for step in found.request.steps) == ["Boil", "Drink", "Pour"]
    assert (found.request.goal, found.request.reference) == ("Make tea", None)


def test_the_shuffle_belongs_to_seed_and_procedure():
    def shown(found):
        return [step.text for step in found.request.steps]

    assert shown(item(seed=3)) == shown(item(seed=3))
    assert len({tuple(shown(item(seed=seed))) for seed in range(50)}) == 6


def test_the_answer_is_told_in_the_words_of_the_data():
    found = item(seed=1, show_reference=True)
    text_at = {step.id: step.text for step in found.request.steps}
    assert [text_at[place] for place in found.request.reference] == ["Boil", "Pour", "Drink"]
    right = KIND.answer(found, Prediction("tea", None, OrderAnswer(found.request.reference), confidence=0.5))
    assert (right.answer, right.confidence) == (OrderAnswer(("s0", "s1", "s2")), 0.5)


@pytest.mark.parametrize("order", [("1", "2", "4"), ("s0", "s1", "s2")])
def test_an_answer_with_an_unknown_place_is_malformed(order):
    found = KIND.answer(item(), Prediction("tea", None, OrderAnswer(order)))
    assert (found.status, found.answer) == (PredictionStatus.MALFORMED, None)
    assert "was not shown" in found.why


def test_an_answer_that_is_none_stays_as_it_is():
    nothing = Prediction("tea", None, None, PredictionStatus.EMPTY)
    assert KIND.answer(item(), nothing) is nothing


class Sorting:
    """Knows the right order of the texts."""

    info = ModelInfo("sorting", "Sorting", Task.ORDERING, "", "tests")

    def predict(self, request):
        wanted = ["Boil", "Pour", "Drink"]
        steps = sorted(request.steps, key=lambda step: wanted.index(step.text))
        return Prediction(request.procedure, None, OrderAnswer(tuple(step.id for step in steps)))


def test_a_run_over_procedures():
    loose = Procedure("loose", "test", "Tidy up", TEA.steps, ordered=False)
    source = Procedures(TEA, loose)
    found = list(
        evaluate(source, ["tea", "gone", "loose"], Sorting(), run_scorer("ordering"), {"multi_reference": "joint"})
    )
    assert [outcome.score.status for outcome in found] == [ScoreStatus.SCORED, ScoreStatus.ERROR, ScoreStatus.UNSCORED]
    assert found[0].score.right
    assert found[0].prediction.answer == OrderAnswer(("s0", "s1", "s2"))


def test_an_episode_is_the_procedure_of_its_instructions(fakes):
    seen = Observation(fakes.SIZE)
    steps = (
        Step(0, seen, Tap(None), "Open it"),
        Step(1, seen, Tap(None), "Close it"),
        Step(2, seen, Finish()),
    )
    source = fakes.FakeSource({"e": Episode("e", "fake", Platform.ANDROID, "Goal", steps)})
    source.read = lambda name, place="": source.episodes[name]
    (found,) = KIND.items(source, "e", Setting())
    assert [step.id for step in found.material.procedure.steps] == ["0", "1"]


def test_what_a_model_says_of_pairs_is_kept():
    source = Procedures(TEA)
    (item,) = KIND.items(source, "tea", Setting())
    place_of = {identity: place for place, identity in item.material.id_of.items()}
    before = ((0.5, 0.9, 0.8), (0.1, 0.5, 0.7), (0.2, 0.3, 0.5))
    said = Prediction("tea", None, OrderAnswer(tuple(place_of[name] for name in ("s1", "s0", "s2")), before))
    assert KIND.answer(item, said).answer == OrderAnswer(("s1", "s0", "s2"), before)
