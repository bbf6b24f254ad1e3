"""Where a run went wrong, in the window: cards, the list of what is chosen in them, defects, several runs compared."""

from __future__ import annotations

import csv
import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepscope.app.gui.features.results import run_results
from stepscope.app.gui.shell.tasks import LANES
from stepscope.core.domain.annotation import Defect
from stepscope.core.domain.prediction import Task
from stepscope.widgets.results.metrics_item_model import MetricRole
from tests.patience import PATIENCE


@pytest.fixture
def results(person):
    """The person in front of the results of nearest-element under aitw, 29 steps; text-match is shown as well."""
    person.evaluate("text-match", "aitw")
    person.evaluate("nearest-element", "aitw")
    ready(person)
    return person


def ready(person) -> None:
    bench = person.bench
    person.until(
        lambda: bench.breakdown.loaded is not None and bench.results.current is not None
        and bench.breakdown.loaded.run.id == bench.results.current.id, "the cards",
    )  # fmt: skip
    person.settle()


def metric(person, title: str = "Step accuracy") -> float | None:
    model = person.window.results.metrics
    rows = [model.index(place, 0).data(MetricRole) for place in range(model.rowCount())]
    return next(row.value for row in rows if row.title == title)


def choose_largest(person) -> tuple[int, int, int]:
    """Click the largest cell of the confusion; its row, column and count."""
    found = person.bench.breakdown.loaded.breakdown.confusion
    cells = {(row, column): cell.count for row, line in enumerate(found.cells) for column, cell in enumerate(line)}
    row, column = max(cells, key=lambda place: cells[place])
    view = person.window.results.cards.confusion.cells
    person.click(view, view.tile(row, column).center().toPoint())
    person.settle()
    return row, column, cells[row, column]


def test_a_cell_lists_its_items_wrong_ones_first_and_enter_opens_the_step(results) -> None:
    _row, _column, count = choose_largest(results)
    panel = results.window.selected
    assert panel.isVisible() and panel.model.rowCount() == count
    results.until(lambda: panel.model.peek(0) is not None, "the first rows")
    verdicts = [panel.model.peek(place).badge for place in range(min(count, 20))]
    assert verdicts == sorted(verdicts, key=lambda words: words == "hit")
    assert verdicts[0] == "miss"
    key = panel.model.peek(0).key
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Home)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    results.until(lambda: results.place == (key.episode, key.step), "the step")
    assert results.window.workspace == "replay"


def test_results_that_others_have_replaced_meanwhile_are_not_read(results, monkeypatch) -> None:
    load, read, opened = run_results.load_results, [], threading.Event()
    monkeypatch.setattr(run_results, "load_results", lambda *a, **more: read.append(a[2]) or load(*a, **more))
    for _ in range(LANES["reader"]):
        results.bench.context.start("busy", lambda _token: opened.wait(PATIENCE))
    for rule in ("aitw", "", "aitw"):
        results.bench.results.show_under(rule)
    opened.set()
    results.settle()
    assert read == ["aitw"]
    assert results.bench.results.results.rule == "aitw"


def test_a_chip_is_taken_away_and_the_same_cell_again_chooses_nothing(results) -> None:
    _row, _column, count = choose_largest(results)
    panel, breakdown = results.window.selected, results.bench.breakdown
    assert len(breakdown.keys) == 2
    panel.criteria_changed.emit(tuple(panel._details.criteria[:1]))
    results.settle()
    assert panel.model.rowCount() >= count and len(breakdown.keys) == 1
    choose_largest(results)
    choose_largest(results)
    assert breakdown.keys == () and panel.model.rowCount() == 0


def test_scores_with_and_without_a_defective_step_and_back_by_undo(results) -> None:
    choose_largest(results)
    panel = results.window.selected
    results.until(lambda: panel.model.peek(0) is not None, "the rows")
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Home)
    (spot,) = results.bench.breakdown.spots()
    results.bench.annotating.book.set_defect([spot], Defect.WRONG_REFERENCE)
    bar = results.window.results.rule_bar
    results.until(lambda: bar.defects.isVisible(), "the switch")
    results.until(lambda: "Without the 1 defective item" in results.window.results._note.text(), "both scores")
    before = metric(results)
    bar.defects_toggled.emit(True)
    results.until(lambda: results.bench.results.results.left_out, "without it")
    results.settle()
    assert metric(results) == pytest.approx((before * 29) / 28), "a miss is left out of 29 steps"
    baseline = results.bench.results.results.baseline
    assert baseline.comparison.n_common == 28, "the comparison leaves it out too"
    results.press("Ctrl+Z")
    results.until(lambda: not results.bench.results.results.left_out, "all items again")
    results.settle()
    assert metric(results) == before
    assert not bar.defects.isVisible()


def test_several_runs_are_compared_and_another_can_be_the_second(results) -> None:
    third = results.evaluate("random", "aitw")
    assert third not in results.selection.runs, "two are shown already"
    results.window.runs.run_toggled.emit(third)
    ready(results)
    results.choose("run.compare")
    results.settle()
    compare, bench = results.window.results.compare, results.bench
    results.until(lambda: len(compare.runs._runs) == 3, "three runs")
    pair = bench.breakdown.loaded.versus
    base, own, third = compare.runs._runs
    assert base.key == bench.results.results.baseline.run and base.difference is None
    assert own.key == bench.results.current.id
    main = next(row for row in results.window.results._result.metrics if row.main)
    assert (own.difference, own.p) == (main.difference, main.p), "both pages take the baseline away from the run"
    assert own.difference == pytest.approx(own.score - base.score)
    assert third.difference == pytest.approx(third.score - base.score)
    results.until(lambda: compare.model.peek(0) is not None, "the first rows")
    assert compare.model.peek(0).difference == pytest.approx(float(np.max(pair.difference)))
    assert compare.model.rowCount() == int(np.count_nonzero(pair.difference))
    other = next(
        run for run in results.selection.runs
        if run not in (bench.results.current.id, bench.results.results.baseline.run)
    )  # fmt: skip
    compare.run_chosen.emit(other)
    results.until(lambda: bench.results.results.baseline.run == other, "the other run as the second")
    ready(results)
    bench.breakdown.choose(bench.breakdown._view.compare.cells.key(0, 1))
    results.settle()
    assert results.window.selected.model.rowCount() == int(np.count_nonzero(bench.breakdown.loaded.versus.only_a))


def test_the_selection_is_exported(results, pick, tmp_path) -> None:
    _row, _column, count = choose_largest(results)
    path = tmp_path / "chosen.csv"
    pick(path)
    results.window.selected.export_requested.emit()
    results.until(path.exists, "the file")
    results.settle()
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == count
    assert {row["reference_kind"] for row in rows} == {"tap"}


def test_a_threshold_tells_what_would_flip(open_window) -> None:
    person = open_window(fresh=True)
    person.until(lambda: bool(person.bench.library.ids), "the sample")
    person.bench.evaluate.show_form(Task.FEASIBILITY, "never-feasible")
    person.settle()
    person.window.evaluate.run()
    run = person.done(set())
    ready(person)
    loaded = person.bench.breakdown.loaded
    assert loaded.run.id == run
    assert [[cell.count for cell in row] for row in loaded.breakdown.confusion.cells] == [[9, 0], [43, 0]]
    assert [(bar.label, bar.count, bar.total) for bar in loaded.breakdown.reasons] == [
        ("impossible", 4, 4), ("premature", 2, 2), ("unclear", 3, 3),
    ]  # fmt: skip
    curve = person.window.results.cards.curve
    assert curve is not None and curve.isVisible()
    person.bench.breakdown.choose(loaded.breakdown.curve.own.points[0].key)
    person.settle()
    assert person.window.selected.model.rowCount() == loaded.breakdown.curve.own.points[0].flips
