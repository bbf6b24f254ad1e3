"""The one metric of a run that a list shows, and the means of web tasks."""

from dataclasses import replace
from pathlib import Path

from stepscope.core.domain.prediction import FieldsAnswer, Prediction, Task
from stepscope.core.domain.run import RunSpec, RunState
from stepscope.core.domain.webtask import FieldType, WebField, WebInstance, WebTask
from stepscope.core.evaluation import summaries
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.evaluation.summaries import MainMetric, MainMetrics, field_means
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.store import queries
from stepscope.core.store.repositories import runs


def listed(database):
    with database.reading() as db:
        return queries.run_list(db)


def test_the_protocols_main_metric_is_found_once(database, fakes, monkeypatch):
    source, rule = fakes.FakeSource.of(a=2, b=5), run_scorer("aitw")
    spec = replace(fakes.SPEC, protocol="aitw", options=())
    run = EvaluationRun.start(database, spec, source, ["a", "b"], fakes.FakePredictor(), rule)
    assert list(run.updates())[-1].state is RunState.DONE
    other = EvaluationRun.start(database, fakes.SPEC, source, ["a"], fakes.FakePredictor(), fakes.FakeScorer())
    list(other.updates())
    metrics = MainMetrics()
    found = metrics.of(database, listed(database))
    expected = dict(summaries.run_metrics(database, run.run_id)[1].values)["step_accuracy"]
    assert found == {run.run_id: MainMetric("step_accuracy", expected)}, "the other's rule is not known here"
    monkeypatch.setattr(summaries, "run_metrics", None)
    assert metrics.of(database, listed(database)) == found
    with database.unit_of_work() as db:
        runs.remove(db, run.run_id)
    assert metrics.of(database, listed(database)) == {}


class Pages:
    """Two tasks with a choice and a text; nobody answered the second."""

    format, path = "test", Path("data/test")

    def scan(self):
        return iter(())

    def read(self, episode_id, place=""):
        raise NotImplementedError

    def read_task(self, name):
        fields = (WebField("good", FieldType.RADIO), WebField("why", FieldType.TEXT))
        return WebTask(name, name, "", "", (), fields)

    def read_instance(self, name, place=""):
        answers = ({"good": "1", "why": "tea"},) if name.startswith("Rate") else ()
        return WebInstance(name, name.partition("/")[0], {}, answers)


class Answers:
    """Right in both fields of the first page, in the choice of the second, which has no other."""

    info = ModelInfo("answers", "Answers", Task.WEBTASK, "", "tests")

    def predict(self, request):
        second = request.instance.endswith("1")
        return Prediction(
            request.instance, None, FieldsAnswer((("good", "1"), ("why", "soup")), ("why",) if second else ())
        )


def test_means_of_web_tasks_by_type_and_by_task(database, fakes):
    spec = RunSpec(Task.WEBTASK, "answers", "data/test", "test", "fields")
    units = ["Rate/0", "Rate/1", "Ask/0"]
    run = EvaluationRun.start(database, spec, Pages(), units, Answers(), run_scorer("fields"))
    list(run.updates())
    with database.reading() as db:
        stored = runs.get(db, run.run_id)
    # Rate: 1 and 0, then 1 alone.
    assert field_means(database, stored) == {
        "by_type": {"text": 0, "radio": 1}, "by_task": {"Rate": 2 / 3, "Ask": None}
    }  # fmt: skip
    spec = replace(fakes.SPEC, protocol="aitw", options=())
    other = EvaluationRun.start(
        database, spec, fakes.FakeSource.of(a=1), ["a"], fakes.FakePredictor(), run_scorer("aitw")
    )
    with database.reading() as db:
        assert field_means(database, runs.get(db, other.run_id)) == {}
