"""What leaves the store: CSV, predictions that can be imported again, the HTML report."""

import base64
import csv
import io
import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from core.domain.action import Scroll, Swipe, Tap, Type
from core.domain.geometry import Direction, Point
from core.domain.prediction import ActionAnswer, Candidate, Prediction, PredictionStatus
from core.evaluation.export import COLUMNS, export_csv, export_predictions, items_json, prediction_line
from core.evaluation.imported import ImportedPredictor
from core.evaluation.report import MAX_PICTURED, action_words, number_words, render_report
from core.evaluation.runs import EvaluationRun, summary
from core.sources.predictions import read_predictions
from core.store.repositories import sources

PNG = b"\x89PNG\r\n\x1a\nxx"


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
    assert lines[1] == {"episode": "a", "step": 0, "action": None, "raw": "<script>x()</script>"}
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


# -- the report


class Outline(HTMLParser):
    """Tags, addresses and text of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.addresses, self.words = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def test_the_report_stands_alone_and_says_what_it_is(database, fakes, evaluate):
    run_id = evaluate(fakes.FakeSource.of(a=3), spec=replace(fakes.SPEC, source="/home/me/secret/fake"))
    page = render_report(
        database, run_id, scorer=fakes.FakeScorer(), picture=lambda episode, step: PNG, sample=True, stand_in=True
    )
    outline = Outline(page)
    assert outline.addresses == ["data:image/png;base64," + base64.b64encode(PNG).decode()]
    assert "script" not in outline.tags and "link" not in outline.tags
    assert "prefers-color-scheme: dark" in page and "default-src 'none'" in page
    for words in (
        "fake under side",
        "0.667",
        "3 scored · 1 unscored",
        "1 away",
        "step 3",
        "Sample data",
        "Stand-in model",
        "limit = 0.5",
    ):
        assert words in outline.text
    assert "/home/me" not in page and "secret" not in page


def test_the_report_says_nothing_of_samples_for_other_data_and_shows_goals(database, fakes, evaluate):
    source = fakes.FakeSource.of(a=3)
    with database.unit_of_work() as db:
        sources.replace_index(db, fakes.SPEC.source, "fake", "", list(source.scan()))
    outline = Outline(render_report(database, evaluate(source), scorer=fakes.FakeScorer()))
    assert "Goal of a" in outline.text and "img" not in outline.tags
    assert "Sample" not in outline.text and "Stand-in" not in outline.text
    assert "Few items: 3" in outline.text


def test_the_report_is_bounded_and_says_how_many_more(database, fakes, evaluate):
    asked = []
    run_id = evaluate(fakes.FakeSource.of(a=200))
    page = render_report(database, run_id, scorer=fakes.FakeScorer(), picture=lambda *key: asked.append(key))
    assert len(asked) == MAX_PICTURED == 60
    assert "60 of 66 . The other 6 are in the CSV export" in Outline(page).text.replace("66.", "66 .")


def test_what_strangers_wrote_stays_text(database, fakes, evaluate, evil):
    source = fakes.FakeSource({"<img src=x onerror=y>": fakes.episode("<img src=x onerror=y>", 2)})
    page = render_report(
        database, evaluate(source, evil), scorer=fakes.FakeScorer(), picture=lambda *_: b"<svg onload=z>"
    )
    outline = Outline(page)
    assert "script" not in outline.tags and "img" not in outline.tags and "svg" not in outline.tags
    assert "<script>x()</script>" in outline.text and "<img src=x onerror=y>" in outline.text


def test_an_unfinished_run_is_called_so(database, fakes):
    run = EvaluationRun.start(
        database, fakes.SPEC, fakes.FakeSource.of(a=3), ["a"], fakes.FakePredictor(), fakes.FakeScorer(), total=4
    )
    work = run.updates()
    next(work), next(work)
    work.close()
    text = Outline(render_report(database, run.run_id, scorer=fakes.FakeScorer())).text
    assert "Run cancelled: 1 of 4 items" in text and "No step is wrong" in text


def test_a_run_without_anything_scored_has_dashes(database, fakes, evaluate):
    text = Outline(render_report(database, evaluate(fakes.FakeSource.of(a=0)), scorer=fakes.FakeScorer())).text
    assert "accuracy – n 0" in text and "Nothing was scored" in text


def test_words_for_numbers_and_actions(fakes):
    point, end = Point(1.4, 2, fakes.SIZE), Point(3, 4, fakes.SIZE)
    assert [number_words(value) for value in (None, 0.6144, -0.045)] == ["–", "0.614", "−0.045"]
    assert action_words(Swipe(point, end)) == "swipe at 1, 2 to 3, 4"
    assert action_words(Scroll(Direction.UP)) == "scroll up"
    assert action_words(Type("hi")) == "type “hi”"
