"""Results of runs over web tasks in the window: two small tasks whose scores are worked out by hand.

Rate has three pages with a radio button (the answer is 1) and a list (nice), Tick two pages with boxes (x is ticked).
"""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.services.evaluation import EvaluationRequest
from stepscope.app.services.evaluation import start as start_run
from stepscope.app.services.library import open_indexed
from stepscope.core.domain.annotation import Defect
from stepscope.core.domain.prediction import Task
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.widgets.results.rule_bar import APPS, FIELDS

RATE = """<input type="radio" name="good" value="1"><input type="radio" name="good" value="0">
<select name="why"><option value="">choose</option><option>nice</option></select>"""
TICK = """<input type="checkbox" name="tick" value="x"><input type="checkbox" name="tick" value="y">"""
WRONG, RIGHT, SAID = {"good": "0", "why": ""}, {"good": "1", "why": ""}, {"good": "1", "why": "nice"}
BOTH, ONE = {"tick": "x|y"}, {"tick": "x"}
RUNS = {
    "do-nothing": ([{}, {}, {}], [{}, {}]),
    "page:lab/m?vision=1": ([SAID, SAID, SAID], [ONE, ONE]),
    "page:lab/m?demos=3": ([RIGHT, RIGHT, RIGHT], [BOTH, BOTH]),
    "page:lab/m": ([RIGHT, WRONG, WRONG], [BOTH, BOTH]),
}
"""What each model left in the pages of Rate and of Tick; the last one is what the window shows first."""


def write_task(folder: Path, fields: str, answers: list[str], rows: list[list[str]]) -> None:
    folder.mkdir(parents=True)
    (folder / "template.html").write_text(f"<p>${{goal}}</p><form>{fields}</form>", encoding="utf-8")
    with (folder / "batch.csv").open("w", newline="", encoding="utf-8-sig") as stream:
        csv.writer(stream).writerows([["Title", "Description", "Keywords", "goal", *answers], *rows])


@pytest.fixture(scope="module")
def scored(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The data, and a store with the runs over it."""
    folder = tmp_path_factory.mktemp("scored")
    data, store = folder / "crowd", Path(shutil.copy(empty_store, folder / "store.db"))
    rows = [["Rate it", "", "", goal, "1", "nice"] for goal in ("make tea", "make soup", "make rice")]
    write_task(data / "tasks" / "Rate", RATE, ["Answer.good", "Answer.why"], rows)
    rows = [["Tick it", "", "", goal, "True", "False"] for goal in ("a cat", "a dog")]
    write_task(data / "tasks" / "Tick", TICK, ["Answer.tick.x", "Answer.tick.y"], rows)
    (data / "splits").mkdir()
    (data / "splits" / "test.txt").write_text("Rate")
    with Database.open(store_url(store)) as database:
        *_, index = open_indexed(database, data, CancelToken())
        for number, (model, (rate, tick)) in enumerate(RUNS.items()):
            pages = [("Rate", place, fields) for place, fields in enumerate(rate)]
            pages += [("Tick", place, fields) for place, fields in enumerate(tick)]
            lines = [{"task": task, "instance": str(place), "fields": fields} for task, place, fields in pages]
            file = folder / f"{number}.jsonl"
            file.write_text("\n".join(map(json.dumps, [{"run": {"model": model}}, *lines])))
            request = EvaluationRequest(predictions=file, task=Task.WEBTASK)
            for _ in start_run(database, index.source, index.source_id, request).run.updates():
                pass
    return data, store


@pytest.fixture
def crowd(open_window, store: Path, scored: tuple[Path, Path]):
    """In front of the results of page:lab/m, shown as A beside the one with demonstrations as B."""
    shutil.copy(scored[1], store)
    person = open_window(scored[0])
    person.until(lambda: len(person.bench.results.run_ids) == len(RUNS), "the runs")
    for model in ("page:lab/m", "page:lab/m?demos=3"):
        person.selection.toggle_run(run_of(person, model))
    show(person, "page:lab/m")
    person.window.set_workspace("results")
    person.window.results.show_page(FIELDS)
    person.settle()
    return person


def run_of(person, model: str) -> str:
    return next(run.id for run in person.bench.results.runs() if run.spec.model == model)


def show(person, model: str) -> None:
    run = run_of(person, model)
    person.bench.results.choose(run)
    person.until(lambda: person.bench.breakdown.loaded and person.bench.breakdown.loaded.run.id == run, model)
    person.settle()


def web(person):
    return person.bench.breakdown.loaded.breakdown.web


def means(rows) -> dict[str, float]:
    return {row.label: round(row.value, 4) for row in rows}


def test_the_numbers_of_a_run_beside_others_and_with_other_settings(crowd):
    found = web(crowd)
    assert means(found.types) == {"radio": 0.3333, "select": 0.0, "checkbox": 0.0}
    assert means(found.tasks) == {"Rate": 0.1667, "Tick": 0.0}
    rate, tick = found.tasks
    assert (rate.count, rate.detail, tick.detail) == ("3 pages, 6 fields", "test", "train")
    assert [(mark.words, mark.value, mark.run) for mark in rate.marks] == [
        ("B page:lab/m?demos=3", 0.5, 1), ("Do nothing", 0.0, None),
    ]  # fmt: skip
    known = means(found.known)
    assert list(known)[:3] == ["A page:lab/m", "B page:lab/m?demos=3", "Do nothing"]
    assert list(known.values())[:3] == [0.0833, 0.25, 0.0]
    assert known["GPT-4, full page *"] == 0.393 and known["Doing nothing *"] == 0.078 and len(known) == 10
    tabs = crowd.window.results.rule_bar.tabs
    shown = {tabs.tabData(place) for place in range(tabs.count()) if tabs.isTabVisible(place)}
    assert FIELDS in shown and APPS not in shown
    assert [(line.name, [(point.demos, round(point.value, 4)) for point in line.points]) for line in found.lines] == [
        ("full page, text only", [(0, 0.0833), (3, 0.25)]), ("full page, with pictures", [(0, 1.0)]),
    ]  # fmt: skip
    assert "3 demonstrations (TurkingBench" in found.lines_note
    assert (found.plane.x, found.plane.y) == ("text only", "with pictures")
    assert [(point.name, round(point.x, 4), point.y, point.notable) for point in found.plane.points] == [
        ("Rate", 0.1667, 1.0, True), ("Tick", 0.0, 1.0, True),
    ]  # fmt: skip
    show(crowd, "page:lab/m?vision=1")
    assert [(point.x, point.y) for point in web(crowd).plane.points] == [(pytest.approx(1 / 6), 1.0), (0.0, 1.0)]
    show(crowd, "do-nothing")
    found = web(crowd)
    assert found.lines == () and "shown no demonstrations" in found.lines_note
    assert (found.plane.title, found.plane.x, found.plane.y) == ("This run against A, task by task", "This run", "A")
    assert found.known[0].label == "Do nothing" and found.known[0].key is None


def test_a_task_lists_its_pages_tables_are_written_and_runs_opened(crowd, pick, tmp_path):
    rows = crowd.window.results.web.tasks.rows
    place = next(number for number, row in enumerate(rows.rows) if row.label == "Tick")
    crowd.click(rows, rows.tile(place, 0).center().toPoint())
    crowd.settle()
    panel = crowd.window.selected
    assert panel.isVisible() and panel.model.rowCount() == 2
    crowd.until(lambda: panel.model.peek(0) is not None, "the pages")
    assert {panel.model.peek(number).key.episode for number in range(2)} == {"Tick/0", "Tick/1"}
    types = crowd.window.results.web.types.rows
    crowd.click(types, types.tile(0, 0).center().toPoint())
    crowd.settle()
    assert panel.model.rowCount() == 3, "the pages with a radio button"
    path = tmp_path / "fields.csv"
    pick(path)
    QTest.mouseClick(crowd.window.results.web.export, Qt.MouseButton.LeftButton)
    crowd.until(path.exists, "the file")
    crowd.settle()
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["table"] for row in rows].count("pair") == 2 and len({row["table"] for row in rows}) == 5
    own = next(row for row in rows if (row["table"], row["name"]) == ("task", "Rate"))
    assert (float(own["score"]), own["fields"], own["detail"]) == (pytest.approx(1 / 6), "6", "test")
    pair = next(row for row in rows if (row["table"], row["name"]) == ("pair", "Rate"))
    assert float(pair["difference"]) == pytest.approx(5 / 6) and pair["other"] == "with pictures"
    assert crowd.told[0] == f"Wrote fields.csv, {len(rows)} rows"
    known = crowd.window.results.web.known.rows
    crowd.click(known, known.tile(2, 0).center().toPoint())
    crowd.until(lambda: crowd.bench.results.current.spec.model == "do-nothing", "the run behind a row")


def test_another_rule_and_pages_without_defects(crowd):
    box = crowd.window.results.rule_bar.findChild(QComboBox)
    place = box.findData("fields-paper")
    box.setCurrentIndex(place)
    box.activated.emit(place)
    crowd.until(lambda: crowd.bench.results.results.rule == "fields-paper", "the paper's rules")
    crowd.settle()
    assert means(web(crowd).tasks) == {"Rate": 0.1667, "Tick": 0.5}, "one of the two ticked boxes is right"
    assert [(mark.words, mark.value) for mark in web(crowd).tasks[1].marks] == [("B page:lab/m?demos=3", 0.5)], (
        "runs with a letter are scored along, the bounds are not"
    )
    spot = AnnotationTarget(crowd.bench.results.current.spec.source, "Rate/0", None)
    crowd.bench.annotating.book.set_defect([spot], Defect.WRONG_REFERENCE)
    crowd.until(lambda: crowd.bench.breakdown.loaded.defective, "the defect")
    crowd.window.results.rule_bar.defects_toggled.emit(True)
    crowd.until(lambda: crowd.bench.breakdown.loaded.left_out, "the rest")
    crowd.settle()
    assert means(web(crowd).tasks) == {"Rate": 0.0, "Tick": 0.5}
