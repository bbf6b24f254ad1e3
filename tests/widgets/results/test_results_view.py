from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from widgets.common import Verdict
from widgets.results import ItemRow, ItemsItemModel, MetricRow, ResultDetails, ResultsView

F1 = MetricRow("F1, infeasible", 0.6144, (0.521, 0.699), 470, paper=0.611, paper_source="MoTIF, table 3")
EDITS = MetricRow("Edit distance", 2.31, (2.0, 2.6), 4, lower_is_better=True)
NOTHING = MetricRow("Recall", None)
RESULT = ResultDetails("r1", "CLIP", "MoTIF test", 0, 470, 0, 3, 0, metrics=(F1, EDITS, NOTHING))


def item(place: int) -> ItemRow:
    return ItemRow(place, f"e{place}", None if place == 1 else place, Verdict.MISS, 0.0, "0.47 away", "tap 9, 4", "tap")


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> ResultsView:
    shown = ResultsView()
    qtbot.addWidget(shown)
    shown.resize(1000, 700)
    shown.page_wanted.connect(lambda o, n: shown.set_items_page(o, [item(place) for place in range(o, o + n)]))
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def metric_rows(view: ResultsView) -> list[list[str]]:
    model = view.metrics
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


def test_metrics_are_shown_as_the_papers_write_them(view: ResultsView) -> None:
    view.set_result(RESULT)
    assert metric_rows(view) == [
        ["F1, infeasible", "0.614", "0.521 – 0.699", "", "470", "0.611"],
        ["Edit distance ↓", "2.310", "2.000 – 2.600", "", "4 few", "–"],
        ["Recall", "–", "–", "", "0", "–"],
    ]
    assert view.metrics.index(0, 5).data(Qt.ItemDataRole.ToolTipRole) == "MoTIF, table 3"


def test_a_stand_in_is_called_one_and_has_no_paper_column(view: ResultsView) -> None:
    view.set_result(ResultDetails("r1", "Stand-in", metrics=(F1,), stand_in=True))
    assert len(metric_rows(view)[0]) == 5
    assert view._badges["stand_in"].isVisible()


def test_the_title_counts_what_was_not_scored(view: ResultsView) -> None:
    view.set_result(RESULT)
    shown = {kind: badge.text() for kind, badge in view._badges.items() if badge.isVisible()}
    assert shown == {"unscored": "0 unscored", "malformed": "⚠ 3 malformed"}


def test_enter_and_double_click_open_an_item(view: ResultsView, qtbot: QtBot) -> None:
    view.set_result(RESULT)
    view.set_items_total(41, 470)
    qtbot.waitUntil(lambda: view.items.peek(0) is not None)
    view.items_table.selectRow(3)
    with qtbot.waitSignal(view.item_opened) as opened:
        qtbot.keyClick(view.items_table, Qt.Key.Key_Return)
    assert opened.args == ["e3", 3]
    place = view.items_table.visualRect(view.items.index(1, 0)).center()
    with qtbot.waitSignal(view.item_opened) as opened:
        qtbot.mouseClick(view.items_table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.mouseDClick(view.items_table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened.args == ["e1", -1]


def test_choosing_a_filter_tells_it_once(view: ResultsView, qtbot: QtBot) -> None:
    view.set_result(RESULT)
    with qtbot.waitSignal(view.items_filter_changed) as told:
        qtbot.keyClick(view._filter, Qt.Key.Key_Down)
    assert told.args == ["wrong"]
    with qtbot.assertNotEmitted(view.items_filter_changed):
        view.set_items_filter("errors")


def test_no_run_offers_to_evaluate(view: ResultsView, qtbot: QtBot) -> None:
    assert view._stack.currentWidget() is view._empty
    view.set_result(RESULT)
    view.set_result(None)
    assert view._stack.currentWidget() is view._empty


def test_items_keep_qts_rules_with_several_thousand_rows(qtbot: QtBot, themed: object) -> None:
    model = ItemsItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.page_wanted.connect(lambda o, n: model.set_page(o, [item(place) for place in range(o, o + n)]))
    model.set_total(3000)
    model.value(0)
    qtbot.waitUntil(lambda: model.peek(0) is not None)
    assert [model.index(0, column).data() for column in range(3)] == ["e0", "1", "✕ miss"]
    assert tester.model() is model
