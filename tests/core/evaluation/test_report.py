"""The HTML report: one file that loads nothing, with numbers that were worked out by hand."""

import base64
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from lxml import html

from stepscope.core.domain.action import Scroll, Swipe, Tap, Type
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import (
    Ask,
    Episode,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Observation,
    Platform,
    Step,
    summarise,
)
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.domain.prediction import (
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
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.domain.score import Score
from stepscope.core.domain.webtask import FieldType, WebField, WebInstance, WebTask
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.imported_predictions import ImportedPredictor
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.report import MAX_PICTURED, render_report
from stepscope.core.evaluation.report_items import ItemContext, action_words, evidence, predicted_words
from stepscope.core.evaluation.report_numbers import PaperNumber, number_words, p_words, share_words, signed_words
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.store.repositories import annotations, sources

PNG = b"\x89PNG\r\n\x1a\nxx"


class Page:
    """A report, parsed."""

    def __init__(self, text):
        self.source = text
        self.tree = html.document_fromstring(text)
        for hidden in self.tree.xpath("//style"):
            hidden.drop_tree()
        self.text = " ".join(self.tree.text_content().split())

    def all(self, path):
        return self.tree.xpath(path)

    def table(self, heading):
        """The rows of the table after a heading, each a list of words."""
        (found,) = self.all(f"//*[self::h2 or self::h3][normalize-space()='{heading}']/following::table[1]")
        return [[" ".join(cell.text_content().split()) for cell in row] for row in found.xpath(".//tr")]


@pytest.fixture
def evaluate(database, fakes):
    def run(source, predictor=None, spec=fakes.SPEC, scorer=None):
        work = EvaluationRun.start(
            database, spec, source, list(source.episodes), predictor or fakes.FakePredictor(),
            scorer or fakes.FakeScorer(),
        )  # fmt: skip
        list(work.updates())
        return work.run_id

    return run


@pytest.fixture
def page(database, fakes):
    def make(run_id, **more):
        return Page(render_report(database, run_id, **{"scorer": fakes.FakeScorer(), **more}))

    return make


def evidence_of(outcome):
    return ItemContext("Goal", "the right one", pictures=(PNG,))


def test_the_report_stands_alone_and_says_what_it_is(fakes, evaluate, page):
    run_id = evaluate(fakes.FakeSource.of(a=3), spec=replace(fakes.SPEC, source="/home/me/secret/fake"))
    found = page(run_id, evidence=evidence_of, sample=True, stand_in=True)
    assert found.all("//@src") == ["data:image/png;base64," + base64.b64encode(PNG).decode()]
    assert not found.all("//script | //link | //iframe | //object | //@href | //*[@onload or @onclick]")
    assert "http:" not in found.source and "https:" not in found.source and "url(" not in found.source
    assert "prefers-color-scheme: dark" in found.source and "@media print" in found.source
    assert "default-src 'none'" in found.source and found.source.startswith("<!DOCTYPE html>")
    for words in ("fake under side", "3 scored · 1 unscored", "1 away", "step 3", "limit = 0.5", "the right one",
                  "Sample data", "Stand-in model", "Few items: 3"):  # fmt: skip
        assert words in found.text
    assert "/home/me" not in found.source and "secret" not in found.source


def test_a_model_below_the_rules_is_told_at_the_top(fakes, evaluate, page):
    run_id = evaluate(fakes.FakeSource.of(a=3))
    (badge,) = page(run_id, below_rules="Below a<b on Real: 0.300 against 0.600").all("//header/*[@class='badge'][1]")
    assert badge.text_content() == "⚠ Below a<b on Real: 0.300 against 0.600"
    assert "⚠" not in page(run_id).text


def test_every_drawing_has_a_title_and_its_numbers(fakes, evaluate, page):
    found = page(evaluate(fakes.FakeSource.of(a=3, b=5, c=1)))
    assert found.all("//svg") and all(one.xpath("title/text()") for one in found.all("//svg"))
    assert all(figure.xpath(".//table//td") for figure in found.all("//figure"))
    assert all("n " in " ".join(note.itertext()) for note in found.all("//figcaption"))


def test_metrics_with_intervals_and_without_defects(database, fakes, evaluate, page):
    """Of 3 + 3 taps the third of each episode is wrong: 4 of 6. Without b's third it is 4 of 5."""
    run_id = evaluate(fakes.FakeSource.of(a=3, b=3))
    assert page(run_id).table("Metrics")[1][:2] == ["Accuracy", "0.667"]
    made = datetime(2026, 1, 2, tzinfo=UTC)
    with database.unit_of_work() as db:
        annotations.put(db, Annotation("data/fake", "b", 2, AnnotationKind.DEFECT, "wrong picture", "me", made))
    found = page(run_id)
    head, row = found.table("Metrics")
    assert head == ["Metric", "Value", "", "95 % interval", "n", "Without defects", "95 % interval", "n"]
    assert row == ["Accuracy", "0.667", "0.667", "0.667 – 0.667", "6", "0.800", "0.667 – 1.000", "5"]
    assert "1 with a defect" in found.text and "leaves out 1 item;" in found.text


def test_one_episode_has_no_interval(fakes, evaluate, page):
    assert page(evaluate(fakes.FakeSource.of(a=3))).table("Metrics")[1][3:] == ["–", "3"]


def test_a_papers_number_stands_beside_with_its_source(fakes, evaluate, page):
    run_id = evaluate(fakes.FakeSource.of(a=3))
    assert "Paper" not in page(run_id).text
    found = page(run_id, paper={"accuracy": PaperNumber(0.5, "0.500: Best; Someone 2020, table 3.")})
    assert (
        found.table("Metrics")[1][-1] == "0.500"
        and "Accuracy in the paper: 0.500: Best; Someone 2020, table 3." in found.text
    )


def test_paired_differences_with_a_baseline(database, fakes, evaluate, page):
    """The baseline answers nothing usable to step 0 of each episode and is right elsewhere, so each has 4 of 6."""

    class Other(fakes.FakePredictor):
        def predict(self, request):
            if request.step == 0:
                return Prediction(request.episode, 0, None, PredictionStatus.EMPTY)
            return replace(super().predict(request), step=request.step)

    spec, scorer = replace(fakes.SPEC, protocol="aitw", options=()), run_scorer("aitw")
    source = fakes.FakeSource.of(a=2, b=2)
    a, b = evaluate(source, spec=spec, scorer=scorer), evaluate(source, Other(), spec=spec, scorer=scorer)
    found = page(a, scorer=None, baseline=b)
    row = next(row for row in found.table("Beside the baseline") if row[0] == "Step accuracy")
    metrics = {row[0]: row[1] for row in found.table("Metrics")}
    assert row[1] == metrics["Step accuracy"]
    assert float(row[1]) - float(row[2]) == pytest.approx(float(row[3]), abs=0.0011)
    assert "paired over 6 common items" in found.text
    side = evaluate(source)
    assert "Not compared with" in page(side, baseline=a).text
    with pytest.raises(UsageError, match="no run"):
        page(a, scorer=None, baseline="zzz")


def test_goals_from_the_index_where_the_data_is_gone(database, fakes, evaluate, page):
    source = fakes.FakeSource.of(a=3)
    with database.unit_of_work() as db:
        sources.replace_index(db, fakes.SPEC.source, "fake", "", list(source.scan()))
    found = page(evaluate(source), without_evidence="The data is not there any more.")
    assert "Goal of a" in found.text and not found.all("//img")
    assert "Without pictures and the words of the data: The data is not there any more." in found.text
    assert "Sample" not in found.text and "Stand-in" not in found.text


def test_the_report_is_bounded_and_says_how_many_more(fakes, evaluate, page):
    asked = []
    found = page(evaluate(fakes.FakeSource.of(a=200)), evidence=asked.append)
    assert len(asked) == MAX_PICTURED == 60 == len(found.all("//article"))
    assert "60 of 66. The other 6 are in the CSV export." in found.text


def test_what_strangers_wrote_stays_text(fakes, evaluate, page):
    class Evil(fakes.FakePredictor):
        def predict(self, request):
            raw = "<script>x()</script>"
            return Prediction(request.episode, request.step, None, PredictionStatus.MALFORMED, raw=raw)

    name = "<img src=x onerror=y>"
    told = ItemContext("<b>goal", "</dd>", ("<i>",), (("</table>",),), (b"<svg onload=z>",))
    found = page(evaluate(fakes.FakeSource({name: fakes.episode(name, 2)}), Evil()), evidence=lambda _: told)
    assert not found.all("//script | //img | //i | //article//b | //article//svg")
    for words in ("<script>x()</script>", name, "<b>goal", "</dd>", "<i>", "</table>"):
        assert words in found.text


def test_an_unfinished_run_is_called_so(database, fakes, page):
    run = EvaluationRun.start(
        database, fakes.SPEC, fakes.FakeSource.of(a=3), ["a"], fakes.FakePredictor(), fakes.FakeScorer(), total=4
    )
    work = run.updates()
    next(work), next(work)
    work.close()
    text = page(run.run_id).text
    assert "Run cancelled: 1 of 4 items" in text and "No item is wrong" in text


def test_a_run_without_anything_scored_has_dashes(fakes, evaluate, page):
    found = page(evaluate(fakes.FakeSource.of(a=0)))
    assert found.table("Metrics")[1] == ["Accuracy", "–", "", "–", "0"]
    assert "Nothing was scored" in found.text and not found.all("//figure")


def test_the_model_and_the_settings_are_named(fakes, evaluate, page):
    info = replace(fakes.FakePredictor().info, runtime="onnx", trained_on="AitW", inputs=("screens", "tree"))
    rows = dict(page(evaluate(fakes.FakeSource.of(a=3)), model=info, version="9.9").table("Settings"))
    assert rows["Model is"] == "Fake, version 1, runs on onnx" and rows["Trained on"] == "AitW"
    assert (rows["Model looks at"], rows["Protocol"]) == ("screens, tree", "side, version 7")
    assert (rows["Seed"], rows["Device"], rows["Chosen"]) == ("0", "auto", "1 episode")
    assert "9.9" in rows["Stepscope"] and rows["Filter"].startswith("none")


# Feasibility ---------------------------------------------------------------------------------------------------------


class Labelled:
    """Ten goals, of which the first four are infeasible: two unclear, two premature."""

    format, path = "test", "data/test"

    def __init__(self):
        self.episodes = {f"e{n}": None for n in range(10)}

    def scan(self):
        return iter(())

    def read(self, name, place=""):
        number = int(name[1:])
        reason = InfeasibilityReason.UNCLEAR if number < 2 else InfeasibilityReason.PREMATURE
        told = (
            Feasibility(FeasibilityLabel.INFEASIBLE, reason) if number < 4 else Feasibility(FeasibilityLabel.FEASIBLE)
        )
        return Episode(name, "test", Platform.ANDROID, f"Goal {number}", (), "app", told)


def test_a_feasibility_run_has_its_four_counts(database, evaluate, page):
    """Called infeasible: e0, e1, e2 and e9 of the infeasible e0 to e3: TP 3, FN 1, FP 1, TN 5; F1 0.75."""
    scores = [0.9, 0.8, 0.7, 0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.6]
    lines = [
        Prediction(f"e{n}", None, FeasibilityAnswer(FeasibilityLabel("infeasible" if p > 0.5 else "feasible"), p))
        for n, p in enumerate(scores)
    ]
    spec = RunSpec(Task.FEASIBILITY, "m", "data/test", "test", "feasibility")
    source = Labelled()
    with database.unit_of_work() as db:
        sources.replace_index(db, "data/test", "test", "", [summarise(source.read(name)) for name in source.episodes])
    predictor = ImportedPredictor.of(lines, task=Task.FEASIBILITY, model="m")
    found = page(evaluate(source, predictor, spec, run_scorer("feasibility")), scorer=None)
    assert found.table("Confusion")[1:] == [
        ["infeasible", "TP 375.0 %", "FN 125.0 %", "4"],
        ["feasible", "FP 116.7 %", "TN 583.3 %", "6"],
    ]
    metrics = {row[0]: row[1] for row in found.table("Metrics")[1:]}
    assert (metrics["F1"], metrics["Precision"], metrics["Recall"], metrics["Accuracy"]) == (
        "0.750", "0.750", "0.750", "0.800"
    )  # fmt: skip
    # ranked: + + + − + …: AP = (1 + 1 + 1 + 4/5) / 4
    assert metrics["Average precision"] == "0.950" and "average precision 0.950" in found.text
    recall = {row[0]: row[2:4] for row in found.table("Recall by reason")[1:]}
    assert recall == {"premature": ["1", "50.0 %"], "unclear": ["2", "100.0 %"]}
    assert found.table("Precision and recall")[1] == ["0.900", "0.250", "1.000"]
    # bins (0, 0.1], (0.1, 0.2], …: |0 − 0.4| + |0 − 0.2| + |1 − 0.3| + |0 − 0.6| + |1 − 0.7| + 0.2 + 0.1 over 10
    assert "expected calibration error 0.250" in found.text


# Words of the items --------------------------------------------------------------------------------------------------


class Shop:
    """One thing of each kind."""

    format, path = "test", "data/test"

    def __init__(self, size):
        seen = Observation(size)
        steps = (Step(0, seen, Tap(Point(1, 2, size))), Step(1, seen, Type("tea")), Step(2, seen))
        said = Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR)
        asks = (Ask(1, "Which tea?", "Green"),)
        self._episode = Episode(
            "e", "test", Platform.ANDROID, "Buy tea", steps, "shop", said, asks, (), "Buy green tea"
        )

    def scan(self):
        return iter(())

    def read(self, name, place=""):
        return self._episode

    def read_procedure(self, name, place=""):
        steps = tuple(ProcedureStep(f"s{n}", word, (), title) for n, (title, word) in enumerate(
            [("", "Boil"), ("Then", "Pour"), ("", "Drink")], start=1))  # fmt: skip
        return Procedure("p", "test", "Make tea", steps, (("s2", "s1", "s3"),))

    def read_task(self, name):
        fields = (WebField("good", FieldType.RADIO), WebField("why", FieldType.TEXT))
        return WebTask(name, "Rate it", "", "", (), fields)

    def read_instance(self, name, place=""):
        return WebInstance(name, "T", {}, ({"good": "1", "why": "<b>"}, {"good": "0"}))


def item(task, answer, step=-1):
    prediction = Prediction("T/1" if task is Task.WEBTASK else "e", None if step < 0 else step, answer)
    return Outcome(ItemKey(prediction.episode, step), prediction, Score.scored(0, "no"))


def test_what_the_data_says_of_an_item_of_each_task(fakes):
    shop = Shop(fakes.SIZE)

    def told(task, answer, step=-1):
        found = evidence(task, shop, item(task, answer, step))
        return found.goal, found.reference, found.rows

    ask = AskAnswer(None)
    assert told(Task.AUTOMATION, ask, 1) == ("Buy tea", "type “tea”", ())
    assert told(Task.AUTOMATION, ask, 2) == ("Buy tea", "", ())
    assert told(Task.FEASIBILITY, ask) == ("Buy tea", "infeasible (unclear)", ())
    assert told(Task.GOAL, GoalAnswer("x")) == ("", "Buy green tea", ())
    assert told(Task.ASK, ask, 1) == ("Buy tea", "“Which tea?” is due", ())
    assert told(Task.ASK, ask, 0) == ("Buy tea", "no question is due", ())
    assert told(Task.ORDERING, OrderAnswer(("s3", "s1"))) == (
        "Make tea", "2 right orders", (("1", "3", "Drink"), ("2", "1", "Boil"), ("–", "2", "Then Pour"))
    )  # fmt: skip
    assert told(Task.WEBTASK, FieldsAnswer((("good", "1"), ("new", "x")))) == (
        "Rate it", "answers of 2 people", (("good", "1", "1 | 0"), ("why", "–", "<b> | –"), ("new", "x", "– | –"))
    )  # fmt: skip


def test_words_for_numbers_actions_and_answers(fakes):
    point, end = Point(1.4, 2, fakes.SIZE), Point(3, 4, fakes.SIZE)
    assert [number_words(value) for value in (None, 0.6144, -0.045)] == ["–", "0.614", "−0.045"]
    assert (share_words(0.109), signed_words(0.163), signed_words(-0.045)) == ("10.9 %", "+0.163", "−0.045")
    assert [p_words(value) for value in (None, 0.004, 0.0004)] == ["–", "0.004", "< 0.001"]
    assert action_words(Swipe(point, end)) == "swipe at 1, 2 to 3, 4"
    assert action_words(Scroll(Direction.UP)) == "scroll up"
    assert action_words(Type("hi")) == "type “hi”"
    words = [
        predicted_words(Prediction("e", None, answer))
        for answer in (
            FeasibilityAnswer(FeasibilityLabel.FEASIBLE, 0.25), GoalAnswer("tea"), GoalAnswer(""), AskAnswer(None),
            AskAnswer("Which?"), FieldsAnswer(()), OrderAnswer(("1",)),
        )
    ]  # fmt: skip
    assert words == ["feasible, P(infeasible) 0.250", "tea", "an empty text", "does not ask", "asks “Which?”",
                     "no field filled in", "an order of 1 steps"]  # fmt: skip
    nothing = Prediction("e", 0, None, PredictionStatus.REFUSED, why="It would not.")
    assert predicted_words(nothing) == "nothing usable (refused): It would not."


def test_the_info_of_a_model_may_be_short(fakes, evaluate, page):
    info = ModelInfo("m", "M", Task.AUTOMATION, "", "")
    rows = dict(page(evaluate(fakes.FakeSource.of(a=1)), model=info).table("Settings"))
    assert rows["Model is"] == "M, version 1" and "Model from" not in rows and "Trained on" not in rows
