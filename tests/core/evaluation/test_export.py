"""What leaves the store for other programs: CSV, predictions that can be imported again."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from stepscope.core.domain.action import Tap, Type
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import ActionAnswer, Candidate, Prediction, PredictionStatus
from stepscope.core.evaluation.export import COLUMNS, export_csv, export_predictions, items_json, prediction_line
from stepscope.core.evaluation.imported_predictions import ImportedPredictor
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.evaluation.summaries import summary
from stepscope.core.sources.predictions import read_predictions
from stepscope.core.store.columns import load_columns
from stepscope.core.store.repositories import annotations, scorings, sources


@pytest.fixture
def evaluate(database, fakes):
    """Run a source to its end; returns the run's id."""

    def run(source, predictor=None, spec=fakes.SPEC):
        work = EvaluationRun.start(
            database, spec, source, list(source.episodes), predictor or fakes.FakePredictor(), fakes.FakeScorer()
        )
        list(work.updates())
        return work.run_id

    return run


@pytest.fixture
def evil(fakes):
    """A model whose words are made to be taken for code."""

    class Evil(fakes.FakePredictor):
        def predict(self, request):
            if request.step == 0:
                why = '=cmd|"/c calc"!A1'
                return Prediction(
                    request.episode, 0, None, PredictionStatus.MALFORMED, raw="<script>x()</script>", why=why
                )
            if request.step == 1:
                raise RuntimeError("broke")
            return super().predict(request)

    return Evil()


def table(database, run_id, **more):
    stream = io.StringIO(newline="")
    count = export_csv(database, run_id, stream, **more)
    rows = list(csv.DictReader(io.StringIO(stream.getvalue())))
    assert len(rows) == count
    return rows


def test_the_csv_has_a_row_for_each_item_and_names_what_it_is(database, fakes, evaluate):
    run_id = evaluate(fakes.FakeSource.of(a=3))
    rows = table(database, run_id)
    assert tuple(rows[0]) == COLUMNS
    assert [(row["step"], row["status"], row["score"]) for row in rows] == [
        ("0", "scored", "1.0"), ("1", "scored", "1.0"), ("2", "scored", "0.0"), ("3", "unscored", "")
    ]  # fmt: skip
    first = rows[0]
    assert (first["run"], first["model"], first["protocol"], first["options"]) == (
        run_id,
        "fake",
        "side",
        '{"limit":"0.5"}',
    )
    assert (first["scorer_version"], first["filter"], first["reference_kind"]) == ("7", "all", "tap")
    assert json.loads(first["prediction"])["action"]["point"] == [0.0, 0.0]
    assert [row["step"] for row in table(database, run_id, show="wrong")] == ["2"]


def say_defect(database, episode, step, value):
    made = datetime(2026, 1, 2, tzinfo=UTC)
    one = Annotation("data/fake", episode, step, AnnotationKind.DEFECT, value, "me", made)
    with database.unit_of_work() as db:
        annotations.put(db, one)


def test_the_csv_says_what_the_index_and_people_know_of_the_item(database, fakes, evaluate):
    source = fakes.FakeSource.of(a=2, b=1, c=1)
    told = replace(source.episodes["b"], feasibility=Feasibility(FeasibilityLabel.INFEASIBLE), goal="=1+1")
    source.episodes["b"] = told
    with database.unit_of_work() as db:
        entries = [one for one in source.scan() if one.id != "c"]
        sources.replace_index(db, "data/fake", "fake", "", entries)
    say_defect(database, "a", 1, "wrong reference")
    say_defect(database, "a", 1, "ambiguous direction")
    say_defect(database, "b", None, "wrong picture")
    run_id = evaluate(source)
    found = {(row["episode"], row["step"]): row for row in table(database, run_id)}
    about = {key: (row["app"], row["goal"], row["label"], row["defect"]) for key, row in found.items()}
    assert about[("a", "0")] == ("app", "Goal of a", "", "")
    assert set(about[("a", "1")][3].split("; ")) == {"wrong reference", "ambiguous direction"}
    assert about[("b", "0")] == ("app", "'=1+1", "infeasible", "wrong picture")
    assert about[("c", "0")] == ("", "", "", ""), "the index does not have it"
    kept = table(database, run_id, without_defects=True, words="all; without defects")
    assert [(row["episode"], row["step"]) for row in kept] == [("a", "0"), ("a", "2"), ("c", "0"), ("c", "1")]
    assert kept[0]["filter"] == "all; without defects"


def test_chosen_items_and_no_others(database, fakes, evaluate):
    run_id = evaluate(fakes.FakeSource.of(a=3, b=4))
    wrong = table(database, run_id, show="wrong", episodes={"b"}, words="wrong; app:x")
    assert [(row["episode"], row["step"], row["filter"]) for row in wrong] == [("b", "2", "wrong; app:x")]
    rows = load_columns(database, run_id).row.tolist()
    chosen = table(database, run_id, rows=[rows[5], rows[0], 999_999])
    assert [(row["episode"], row["step"]) for row in chosen] == [("b", "1"), ("a", "0")]
    assert table(database, run_id, rows=[]) == []


def test_under_another_scoring_rows_name_its_rule(database, fakes, evaluate):
    run_id = evaluate(fakes.FakeSource.of(a=3))
    with database.unit_of_work() as db:
        other, _ = scorings.enter(db, run_id, "wide", "3", (("limit", "9"),))
    assert table(database, run_id, scoring_id=other) == [], "nothing is judged under it yet"
    stream = io.StringIO(newline="")
    assert export_csv(database, run_id, stream) == 4


def test_more_items_than_are_read_at_once(database, fakes, evaluate):
    rows = table(database, evaluate(fakes.FakeSource.of(**{f"e{n}": 300 for n in range(2)})))
    assert len(rows) == 602 and [row["step"] for row in rows[:301]] == [str(n) for n in range(301)]


def test_no_cell_of_a_strangers_text_is_a_formula(database, fakes, evaluate, evil):
    rows = table(database, evaluate(fakes.FakeSource({"-1+1": fakes.episode("-1+1", 2)}), evil))
    assert rows[0]["why"].startswith("'=cmd") and rows[0]["episode"] == "'-1+1"
    assert rows[0]["malformed"] == "1" and rows[1]["status"] == "error"


def test_exported_predictions_are_read_again_and_score_the_same(database, fakes, evaluate, evil, tmp_path):
    source = fakes.FakeSource.of(a=4, b=2)
    run_id = evaluate(source)
    with (tmp_path / "p.jsonl").open("w", encoding="utf-8") as stream:
        assert export_predictions(database, run_id, stream) == 8
    found = read_predictions(tmp_path / "p.jsonl", lambda episode, step: fakes.SIZE)
    assert (found.model, found.problems) == ("fake", ())
    again = evaluate(source, ImportedPredictor.of(found.predictions, model=found.model))
    first, second = (summary(database, one, fakes.FakeScorer()) for one in (run_id, again))
    assert {**first, "run": ""} == {**second, "run": ""}

    with (tmp_path / "q.jsonl").open("w", encoding="utf-8") as stream:
        assert export_predictions(database, evaluate(fakes.FakeSource.of(a=2), evil), stream) == 2
    lines = [json.loads(line) for line in (tmp_path / "q.jsonl").read_text().splitlines()]
    assert lines[1] == {"episode": "a", "step": 0, "action": None, "status": "malformed", "raw": "<script>x()</script>"}
    assert [line.get("step") for line in lines[1:]] == [0, 2]


def test_a_prediction_line_is_the_contracts(fakes):
    answer = ActionAnswer(Tap(Point(1, 2, fakes.SIZE)), (Candidate(Type("x"), 0.5),))
    line = prediction_line(Prediction("e", 3, answer, confidence=1.5, latency_ms=2.0, raw="r"))
    assert (line["episode"], line["step"], line["size"], line["latency_ms"]) == ("e", 3, [100, 200], 2.0)
    assert line["candidates"][0]["score"] == 0.5 and line["action"]["kind"] == "tap"
    assert "confidence" not in line  # what could not be imported is not exported


def test_items_for_the_command_line(database, fakes, evaluate):
    first, *_, last = items_json(database, evaluate(fakes.FakeSource({"a": fakes.episode("a", 1), "bad": None})))
    assert (first["episode"], first["step"], first["status"], first["score"]) == ("a", 0, "scored", 1.0)
    assert (last["episode"], last["step"], last["status"], last["prediction"]) == ("bad", None, "error", None)
