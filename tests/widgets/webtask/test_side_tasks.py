"""The list of web tasks and the scores below it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester, QTest

from stepscope.widgets import theme
from stepscope.widgets.webtask.side_values import PeopleProgress, ScoreLine, ScoreLineKind, TaskOrder, WebTaskRow
from stepscope.widgets.webtask.tasks_item_model import TasksItemModel
from stepscope.widgets.webtask.tasks_panel import TasksPanel

TASKS = (
    WebTaskRow("winogrande", "Winogrande plausibility", ("test",), 1.0, 32),
    WebTaskRow("align", "Spanish Word Alignment", ("challenge",), 0.12, 10),
    WebTaskRow("anli", "ANLI Generation", ("challenge",), 0.38, 20),
    WebTaskRow("roc", "RocStories 1", ("train",), None, 1),
)
LINES = (
    ScoreLine("Northstar 7B", 0.431, "a", run=0, n=20),
    ScoreLine("Pelican 3B", 0.302, "b", run=1, n=20),
    ScoreLine("Do nothing", 0.081, kind=ScoreLineKind.BASELINE, n=20),
    ScoreLine("Paper, GPT-4 text", 0.393, kind=ScoreLineKind.PAPER),
)


@pytest.fixture
def panel(show) -> TasksPanel:
    panel = show(TasksPanel(), 272, 700)
    panel.set_tasks(TASKS)
    panel.set_scores(LINES, 20)
    return panel


def titles(panel: TasksPanel) -> list[str]:
    return [panel.model.index(row, 0).data() for row in range(panel.model.rowCount())]


def test_keeps_qts_rules_with_thousands_of_tasks(themed) -> None:
    model = TasksItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    many = [WebTaskRow(str(place), f"task {place}", ("test",), (place % 10) / 10) for place in range(2000)]
    model.set_tasks(many)
    model.set_tasks([replace(task, score=0.5) for task in many])
    model.set_order(TaskOrder.WORST)
    model.set_filter("task 19")
    model.set_tasks(())
    assert tester.model() is model


def test_tasks_are_listed_by_name_by_score_or_by_split(panel, heard) -> None:
    told = heard(panel.order_chosen)
    assert titles(panel)[0] == "ANLI Generation" and panel.header.detail() == "4"
    actions = {action.text(): action for action in panel.more_menu.actions()}
    actions["Sort by Score, Worst First"].trigger()
    assert titles(panel) == [TASKS[place].title for place in (1, 2, 0, 3)], "a task without a score comes last"
    actions["Sort by Split"].trigger()
    assert titles(panel) == [TASKS[place].title for place in (2, 1, 0, 3)]
    assert told == [TaskOrder.WORST, TaskOrder.SPLIT]


def test_a_click_chooses_and_enter_opens(panel, heard) -> None:
    chosen, opened = heard(panel.task_chosen), heard(panel.task_opened)
    place = panel.list.visualRect(panel.model.index(1, 0)).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert chosen == ["roc", "align"] and opened == ["align"]
    panel.choose("anli")
    assert chosen == ["roc", "align"] and panel.list.currentIndex().data() == "ANLI Generation"


def test_the_chosen_task_survives_filter_order_and_other_scores(panel, heard) -> None:
    panel.choose("align")
    told = heard(panel.task_chosen)
    panel.set_tasks([replace(task, score=0.9) for task in TASKS])
    panel.set_order(TaskOrder.SPLIT)
    panel.filter.show_text("")
    QTest.keyClicks(panel.filter, "stories")
    QTest.keyClick(panel.filter, Qt.Key.Key_Return)
    assert titles(panel) == ["RocStories 1"] and panel.header.detail() == "1 of 4"
    assert not panel.list.selectionModel().hasSelection() and panel.chosen() == "align"
    panel.filter.empty()
    assert panel.list.currentIndex().data() == "Spanish Word Alignment" and told == []


def test_nothing_open_and_nothing_matching_say_what_helps(panel, heard) -> None:
    asked = heard(panel.open_requested)
    QTest.keyClicks(panel.filter, "nowhere")
    QTest.keyClick(panel.filter, Qt.Key.Key_Return)
    assert panel.words() == "No task matches 4 tasks are open; the filter leaves none."
    panel._no_match.pressed.emit("clear")
    assert titles(panel) and panel.words() == ""
    panel.set_tasks(())
    assert panel.words().startswith("No web tasks are open") and not panel.scores.isVisible()
    panel.set_none("MoTIF")
    assert panel.words().startswith("MoTIF has no web tasks")
    panel.plus.click()
    assert len(asked) == 1


def test_a_score_line_opens_its_run_and_says_over_how_many_tasks(panel, heard) -> None:
    told = heard(panel.run_chosen)
    for row in range(len(LINES)):
        QTest.mouseClick(panel.scores, Qt.MouseButton.LeftButton, pos=panel.scores.tile(row, 0).center().toPoint())
    QTest.keyClick(panel.scores, Qt.Key.Key_Home)
    assert told == ["a", "b"], "there is nothing to open behind a baseline or a paper"
    assert panel.scores.words(0, 0) == "A Northstar 7B: 0.431, mean over 20 tasks"
    assert panel._title.text() == "Mean score, 20 tasks"


def test_without_a_run_one_is_offered(panel, heard) -> None:
    asked = heard(panel.evaluate_requested)
    assert not panel.evaluate.isVisible()
    panel.set_scores(())
    assert panel._no_runs.isVisible() and not panel.scores.isVisible()
    panel.evaluate.click()
    assert len(asked) == 1


def test_people_are_told_how_far_they_are(panel, heard) -> None:
    asked = heard(panel.annotations_requested), heard(panel.export_requested)
    assert not panel._people.isVisible() and not panel.export.isEnabled()
    panel.set_people(PeopleProgress(12, 250, 2))
    assert panel._people.text() == "12 of 250 by you, 2 annotators"
    panel.annotations.click()
    panel.export.click()
    assert [len(one) for one in asked] == [1, 1]


def test_bars_have_the_colour_of_the_shown_run_and_the_length_of_the_score(panel) -> None:
    panel.set_run(1)
    row = panel.list.visualRect(panel.model.index(panel.model.row_of("winogrande"), 0))
    image = panel.list.viewport().grab(row).toImage()
    ink = QColor(theme.current().run_b).rgb()
    lit = {x for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) == ink}
    assert 40 <= len(lit) <= 44, "the whole bar of 44 pixels, without its round ends"
    row = panel.list.visualRect(panel.model.index(panel.model.row_of("anli"), 0))
    image = panel.list.viewport().grab(row).toImage()
    lit = {x for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) == ink}
    assert 13 <= len(lit) <= 17, "0.38 of it"


def test_a_row_is_spoken_whole(panel) -> None:
    index = panel.model.index(panel.model.row_of("anli"), 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "ANLI Generation, anli, challenge, 20 pages, score 0.380"
    assert all(part.accessibleName() for part in (panel.list, panel.filter, panel.plus, panel.more, panel.scores))
    assert panel.list.indexAt(QPoint(10, 5)).isValid()
