from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from stepscope.core.domain.run import RunState
from stepscope.core.progress import WorkerPace
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.results.result_rows import RunListRow
from stepscope.widgets.results.runs_delegate import box_place
from stepscope.widgets.results.runs_item_model import RunsItemModel
from stepscope.widgets.results.runs_view import RunProgress, RunsView

DONE = (
    RunListRow("1", "CLIP", "Feasibility", RunState.DONE, 470, 470, "F1 0.614", "today 14:02", 0),
    RunListRow("2", "FastText", "Feasibility", RunState.DONE, 470, 470, "F1 0.451", "yesterday"),
    RunListRow("3", "Seq2Act", "Automation", RunState.CANCELLED, 359, 506, "both 0.276", "18 Nov"),
)
RUNNING = RunListRow("9", "CLIP avg", "Feasibility", RunState.RUNNING, 292, 470, "", "", None, 0.8, 240.0)


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> RunsView:
    shown = RunsView()
    qtbot.addWidget(shown)
    shown.resize(272, 600)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def rows(model: RunsItemModel) -> list[str]:
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_keeps_qts_rules_while_runs_come_and_go(qtbot: QtBot) -> None:
    model = RunsItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    many = [RunListRow(str(place), f"run {place}", f"group {place % 7}") for place in range(2000)]
    model.set_runs(many)
    model.set_runs([replace(run, done=3) for run in many])
    model.set_filter("run 19")
    model.toggle_group("group 3")
    model.set_runs(())
    assert tester.model() is model


def test_runs_stand_under_their_headings(view: RunsView) -> None:
    view.set_runs(DONE)
    assert rows(view.model) == ["Feasibility", "CLIP", "FastText", "Automation", "Seq2Act"]
    view.model.toggle_group("Feasibility")
    assert rows(view.model) == ["Feasibility", "Automation", "Seq2Act"]


def test_newer_numbers_keep_the_selection(view: RunsView, qtbot: QtBot) -> None:
    view.set_runs(DONE)
    view.choose("2")
    with qtbot.assertNotEmitted(view.run_chosen):
        view.set_runs([replace(run, metric="F1 0.700") for run in DONE])
        view.set_runs([*DONE, RunListRow("4", "New", "Feasibility")])
    assert view.list.currentIndex().data() == "FastText"


def test_a_click_on_the_box_toggles_the_letter_and_elsewhere_chooses(view: RunsView, qtbot: QtBot) -> None:
    view.set_runs(DONE)
    place = view.list.visualRect(view.model.index_of("2"))
    with qtbot.waitSignal(view.run_toggled) as toggled, qtbot.assertNotEmitted(view.run_chosen):
        qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=box_place(place).center())
    assert toggled.args == ["2"]
    with qtbot.waitSignal(view.run_chosen) as chosen:
        qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    assert chosen.args == ["2"]
    with qtbot.waitSignal(view.run_toggled):
        qtbot.keyClick(view.list, Qt.Key.Key_Space)


def test_a_run_at_work_shows_how_it_gets_on_and_can_be_stopped(view: RunsView, qtbot: QtBot) -> None:
    view.set_runs([*DONE, RUNNING])
    card = view.progress_of("9")
    assert card is not None and card.words() == "292 of 470 · 0.8/s 4 min left"
    with qtbot.waitSignal(view.pause_requested) as told:
        card.pause.click()
    assert told.args == ["9"]
    view.set_runs([*DONE, replace(RUNNING, state=RunState.PAUSED)])
    assert view.progress_of("9") is card and card.pause.accessibleName() == "Resume"
    with qtbot.waitSignal(view.resume_requested):
        card.pause.click()
    with qtbot.waitSignal(view.cancel_requested):
        card.cancel.click()
    view.set_runs([*DONE, replace(RUNNING, done=0, phase="loading weights")])
    assert card.words() == "loading weights", "nothing is counted before the first answer"
    view.set_runs([*DONE, replace(RUNNING, state=RunState.DONE)])
    assert view.progress_of("9") is None and "CLIP avg" in rows(view.model)


def test_the_menu_offers_resume_only_where_there_is_something_to_resume(view: RunsView, qtbot: QtBot) -> None:
    view.set_runs(DONE)

    def offered(run: RunListRow) -> dict[str, bool]:
        return {action.text(): action.isEnabled() for action in view.menu_for(run).actions() if action.text()}

    assert offered(DONE[0])["Resume"] is False and offered(DONE[2])["Resume"] is True
    assert offered(DONE[0])["Delete…"] and offered(DONE[0])["Export…"]


def test_no_runs_offers_to_evaluate(view: RunsView, qtbot: QtBot) -> None:
    assert "No runs yet" in view._empty.words() and view._stack.currentWidget() is view._empty
    with qtbot.waitSignal(view.evaluate_requested):
        view._empty.pressed.emit("run")


def test_pinned_and_archived_runs_and_tags_are_told(view: RunsView) -> None:
    view.set_runs([replace(DONE[0], tags=("camera ready",), pinned=True), replace(DONE[1], archived=True), DONE[2]])
    assert rows(view.model) == ["Feasibility", "CLIP", "Archived", "Automation", "Seq2Act"], "closed at first"
    view.model.toggle_group("Archived")
    assert rows(view.model) == ["Feasibility", "CLIP", "Archived", "FastText", "Automation", "Seq2Act"]
    assert (
        view.model.index_of("1").data(Qt.ItemDataRole.AccessibleTextRole).startswith("CLIP, pinned, camera ready, F1")
    )
    view.model.set_filter("camera")
    assert rows(view.model) == ["Feasibility", "CLIP"]
    words = {action.text() for action in view.menu_for(replace(DONE[0], pinned=True, archived=True)).actions()}
    assert {"Unpin", "Take out of the Archive"} <= words


def test_a_name_is_typed_in_the_list(view: RunsView, qtbot: QtBot) -> None:
    view.set_runs(DONE)
    view.choose("2")
    view.begin_rename()
    editor = view.list.findChild(QLineEdit)
    assert editor.text() == "FastText" and editor.hasFocus()
    editor.selectAll()
    qtbot.keyClicks(editor, "  The  baseline ")
    with qtbot.waitSignal(view.renamed) as told:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert told.args == ["2", "The baseline"]
    assert rows(view.model)[2] == "FastText", "until whoever keeps the runs says otherwise"
    view.begin_rename()
    with qtbot.assertNotEmitted(view.renamed):
        qtbot.keyClick(view.list.findChildren(QLineEdit)[-1], Qt.Key.Key_Return)


def test_rows_grow_when_the_list_becomes_narrow(qtbot, view) -> None:
    view.resize(640, 600)
    view.set_runs([replace(run, metric="Step accuracy 0.614") for run in DONE])
    first, second = (view.model.index_of(run) for run in "12")
    low = view.list.visualRect(first).height()
    view.resize(250, 600)
    qtbot.waitUntil(lambda: view.list.visualRect(first).height() > low)
    assert view.list.visualRect(second).top() > view.list.visualRect(first).bottom()


def test_a_run_on_a_cluster_tells_of_its_workers(qtbot: QtBot) -> None:
    workers = (WorkerPace("a, process 1", 200, 20.0), WorkerPace("b, process 2", 15, 1.5),
               WorkerPace("c, process 3", 7, 2.0, lost=True))  # fmt: skip
    row = RunListRow("r", "two-tower", "g", RunState.RUNNING, 215, 260, rate=21.5, workers=workers)
    card = RunProgress(row)
    qtbot.addWidget(card)

    def told() -> list[ElidedLabel]:
        return [one for one in card.findChildren(ElidedLabel) if one.isVisibleTo(card) and "worker" in one.text()]

    (line,) = told()
    assert line.text() == "2 workers · 1 lost · 20/s + 1.5/s"
    assert line.toolTip().splitlines()[-3:] == [
        "a, process 1: 200 items · 20/s", "b, process 2: 15 items · 1.5/s", "c, process 3: 7 items · 2.0/s, lost",
    ]  # fmt: skip
    card.set_run(replace(row, workers=()))
    assert not told()
