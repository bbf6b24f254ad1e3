"""Predictions of a run of every task, exported and imported again, are scored the same, item by item."""

from itertools import cycle
from pathlib import Path

import pytest

from stepscope.core.domain.action import AskUser, Finish, Tap, Target
from stepscope.core.domain.affordance import AffordanceAnswer, ElementAffordance
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Ask, Episode, Feasibility, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
    Task,
)
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.domain.run import RunSpec
from stepscope.core.domain.walk import WalkAnswer, WalkEnd, WalkStep
from stepscope.core.domain.webtask import FieldType, WebField, WebInstance, WebTask
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.export import export_predictions
from stepscope.core.evaluation.imported_predictions import ImportedPredictor
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.evaluation.tasks import task_kind
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.sources.predictions import read_predictions
from stepscope.core.store import queries

NAMES = [f"e{n}" for n in range(10)]


class Data:
    """Ten episodes, procedures or pages of each kind."""

    format = "test"
    path = Path("data/test")

    def __init__(self, size):
        self._size = size

    def scan(self):
        return iter(())

    def read(self, name, place=""):
        if name not in NAMES:
            raise UsageError("no such episode")
        elements = tuple(UIElement(n, Box(0, 0, 9, 9, self._size), clickable=n == 0) for n in range(8))
        seen = Observation(self._size, tree=UITree(elements, TreeOrigin.DUMP, self._size))
        number = NAMES.index(name)
        meant = Target(Box(0, 0, 9, 9, self._size))
        steps = tuple(Step(n, seen, Tap(Point(n, 0, self._size), meant), f"Do {n}") for n in range(2))
        label = FeasibilityLabel.INFEASIBLE if number % 2 else FeasibilityLabel.FEASIBLE
        asks = (Ask(1, "Which?", "That"),) if number % 3 == 0 else ()
        return Episode(name, "test", Platform.ANDROID, f"Goal of {name}", steps, "app", Feasibility(label), asks)

    def read_procedure(self, name, place=""):
        steps = tuple(ProcedureStep(f"{name} {n}", f"Do {n}") for n in range(3))
        return Procedure(name, "test", f"Goal of {name}", steps)

    def read_task(self, name):
        assert name == "Rate it/all"
        return WebTask(name, name, "", "<p/>", (), (WebField("good", FieldType.RADIO, ("0", "1")),))

    def read_instance(self, name, place=""):
        return WebInstance(name, "Rate it/all", {}, ({"good": "1"}, {"good": "0"}))


ANSWERS = {
    Task.AUTOMATION: lambda size: ActionAnswer(Tap(Point(1.25, 0, size))),
    Task.GROUNDING: lambda size: ActionAnswer(Tap(Point(1.25, 0, size))),
    Task.FEASIBILITY: lambda _: FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.1 + 0.2),
    Task.GOAL: lambda _: GoalAnswer("Goal „of“ e1\u2028"),
    Task.ORDERING: lambda _: OrderAnswer(("2", "1", "3")),
    Task.ASK: lambda size: AskAnswer(
        "Which?", 0.75, Tap(Point(1.25, 0, size)), AskUser("More?"), Finish(), Tap(Point(2, 1, size))
    ),
    Task.ROLLOUT: lambda size: WalkAnswer(
        (WalkStep("e1/0", Tap(Point(1.25, 0, size)), True, "", 0.1 + 0.2, 3.5, "raw"), WalkStep("e1/1", Finish())),
        WalkEnd.FINISHED,
        "e1/1",
        ("e1/0", "e1/1"),
        1,
        True,
        1,
        True,
    ),
    Task.AFFORDANCE: lambda _: AffordanceAnswer(
        (ElementAffordance(0, (0.1 + 0.2, 0.0, 1.0, 0.0, 0.5)), ElementAffordance(7, (0.0,) * 5))
    ),
    Task.WEBTASK: lambda _: FieldsAnswer((("good", "1"), ("bad", "x|y")), ("gone",)),
}
NOT_OK = (PredictionStatus.MALFORMED, PredictionStatus.EMPTY, PredictionStatus.REFUSED)


class Mixed:
    """Answers, asks nothing where that is an answer, and fails to answer in every way, with and without words."""

    def __init__(self, task, size):
        self.info = ModelInfo("mixed", "Mixed", task, "", "tests")
        answer = ANSWERS[task](size)
        self._ways = cycle(
            [
                *([(AskAnswer(None), PredictionStatus.OK, "")] if task is Task.ASK else []),
                (answer, PredictionStatus.OK, "raw\nwords"),
                *((None, status, raw) for status in NOT_OK for raw in ("", "I would rather not")),
            ]
        )

    def predict(self, request):
        answer, status, raw = next(self._ways)
        for name in ("instance", "procedure", "episode"):
            if hasattr(request, name):
                place = getattr(request, name)
                break
        return Prediction(place, getattr(request, "step", None), answer, status, 0.1 + 0.2, 3.5, raw)


def scored(database, source, predictor, task):
    """Every score of a new run, and its id."""
    names = [f"Rate it/all/{name}" for name in NAMES] if task is Task.WEBTASK else NAMES
    protocol = "aitw" if task is Task.AUTOMATION else task_kind(task).protocol
    spec = RunSpec(task, "mixed", "data/test", "test", protocol)
    run = EvaluationRun.start(database, spec, source, names, predictor, run_scorer(protocol))
    list(run.updates())
    with database.reading() as db:
        found = queries.items(db, run.run_id, limit=None).rows
    return run.run_id, [
        (
            one.key,
            one.score,
            one.prediction.status,
            one.prediction.answer,
            one.prediction.raw,
            one.prediction.confidence,
        )
        for one in found
    ]


@pytest.mark.parametrize("task", Task)
def test_the_same_scores_again(database, fakes, tmp_path, task):
    source, path = Data(fakes.SIZE), tmp_path / "predictions.jsonl"
    run_id, first = scored(database, source, Mixed(task, fakes.SIZE), task)
    assert len({(score.malformed, score.null) for _, score, *_ in first}) == 3, "usable, malformed, null"
    with path.open("w", encoding="utf-8") as stream:
        assert export_predictions(database, run_id, stream) == len(first)
    found = read_predictions(path, lambda episode, step: fakes.SIZE)
    assert found.problems == ()
    _, again = scored(database, source, ImportedPredictor.of(found.predictions, task=task, model="mixed"), task)
    assert [row[:4] for row in plain(again)] == [row[:4] for row in plain(first)]
    assert [row[4:] for row in again] == [row[4:] for row in first]


def plain(rows):
    """Without the words of a score: those about nothing usable say what the file says."""
    return [(key, (s.status, s.value, s.malformed, s.null, s.parts), *rest) for key, s, *rest in rows]
