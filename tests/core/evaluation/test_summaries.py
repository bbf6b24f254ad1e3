"""The one metric of a run that a list shows."""

from dataclasses import replace

from core.domain.run import RunState
from core.evaluation import summaries
from core.evaluation.runs import EvaluationRun
from core.evaluation.summaries import MainMetric, MainMetrics
from core.scoring.registry import run_scorer
from core.store import queries
from core.store.repositories import runs


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
