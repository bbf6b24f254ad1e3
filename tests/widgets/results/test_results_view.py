from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from stepscope.widgets import theme
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.results.items_filter import ItemsFilter
from stepscope.widgets.results.items_item_model import EPISODE, ItemsItemModel
from stepscope.widgets.results.metrics_item_model import PAPER, PLOT
from stepscope.widgets.results.result_rows import FlipCounts, ItemRow, MetricRow, ResultDetails, RuleChoice, RuleRow
from stepscope.widgets.results.results_view import ResultsView

F1 = MetricRow("F1, infeasible", 0.6144, (0.521, 0.699), 470, paper=0.611, paper_source="MoTIF, table 3")
EDITS = MetricRow("Edit distance", 2.31, (2.0, 2.6), 4, lower_is_better=True)
NOTHING = MetricRow("Recall", None)
RESULT = ResultDetails("r1", "CLIP", "MoTIF test", 0, 470, 0, 3, 1, 0, metrics=(F1, EDITS, NOTHING))


def item(place: int) -> ItemRow:
    return ItemRow(
        place, f"e{place}", None if place == 1 else place, ShownVerdict.MISS, 0.0, "0.47 away", "tap 9, 4", "tap"
    )


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


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_papers_number_about_other_data_is_marked(view: ResultsView, elsewhere: bool) -> None:
    """With a star, dimly in the table and on the scale; the tip says how the data differs."""
    row = replace(F1, paper_elsewhere=elsewhere, paper_source="MoTIF, table 3. This run is on other data.")
    view.set_result(replace(RESULT, metrics=(row, EDITS)))
    colour = QColor(theme.current().dim if elsewhere else theme.current().reference)
    here = view.metrics.index(0, view.metrics.column_of(PAPER))
    assert here.data() == ("0.611*" if elsewhere else "0.611")
    assert here.data(Qt.ItemDataRole.ForegroundRole) == colour
    assert here.data(Qt.ItemDataRole.ToolTipRole) == row.paper_source
    assert view.metrics.index(1, view.metrics.column_of(PAPER)).data() == "–"
    cell = view.metrics_table.visualRect(view.metrics.index(0, view.metrics.column_of(PLOT)))
    tick = round(cell.left() + 12 + 0.611 * (cell.width() - 24))
    assert view.metrics_table.viewport().grab().toImage().pixelColor(tick, cell.top() + 8) == colour


def test_a_stand_in_is_called_one_and_has_no_paper_column(view: ResultsView) -> None:
    view.set_result(ResultDetails("r1", "Stand-in", metrics=(F1,), no_finding="stand-in model, not a finding"))
    assert len(metric_rows(view)[0]) == 5
    assert view.title.badges["no_finding"].isVisible()


def test_a_model_below_the_rules_is_called_one_and_the_tip_says_where(view: ResultsView) -> None:
    badge = view.title.badges["below_rules"]
    assert not badge.isVisible()
    view.set_result(replace(RESULT, below_rules="Below text-match on Real: 0.300 against 0.600"))
    assert badge.isVisible() and badge.text() == "⚠ below the rules"
    assert "0.300 against 0.600" in badge.toolTip()
    view.set_result(RESULT)
    assert not badge.isVisible()


def test_the_title_counts_what_was_not_scored(view: ResultsView) -> None:
    view.set_result(RESULT)
    shown = {kind: badge.text() for kind, badge in view.title.badges.items() if badge.isVisible()}
    assert shown == {"malformed": "⚠ 2 malformed", "null": "⚠ 1 no answer"}
    assert view.title.zeros.text() == "0 unscored, 0 errors"


def test_enter_and_double_click_open_an_item(view: ResultsView, qtbot: QtBot) -> None:
    view.set_result(RESULT)
    view.show_page("items")
    view.set_items_total(41, 470)
    qtbot.waitUntil(lambda: view.items.peek(0) is not None)
    view.items_page.table.selectRow(3)
    with qtbot.waitSignal(view.item_opened) as opened:
        qtbot.keyClick(view.items_page.table, Qt.Key.Key_Return)
    assert opened.args == ["e3", 3]
    place = view.items_page.table.visualRect(view.items.index(1, 0)).center()
    with qtbot.waitSignal(view.item_opened) as opened:
        qtbot.mouseClick(view.items_page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.mouseDClick(view.items_page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened.args == ["e1", -1]


def test_choosing_a_filter_tells_it_once(view: ResultsView, qtbot: QtBot) -> None:
    view.set_result(RESULT)
    with qtbot.waitSignal(view.items_filter_changed) as told:
        qtbot.keyClick(view.items_page.filter, Qt.Key.Key_Down)
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


def test_the_protocol_box_names_what_is_scored_and_tells_a_choice(view: ResultsView, qtbot: QtBot) -> None:
    view.set_result(RESULT)
    view.set_rules([RuleChoice("aitw", "AitW", True, True), RuleChoice("motif-point", "MoTIF, point")], "aitw")
    shown = [view.rule_bar._rules.itemText(place) for place in range(2)]
    assert shown == ["AitW (this run's own)", "MoTIF, point – not scored yet"]
    assert view.rule_bar.rule == "aitw"
    with qtbot.waitSignal(view.rule_chosen) as chosen:
        qtbot.keyClick(view.rule_bar._rules, Qt.Key.Key_Down)
    assert chosen.args == ["motif-point"]


def test_flips_are_told_and_listed(view: ResultsView, qtbot: QtBot) -> None:
    view.set_result(RESULT)
    view.set_flips(FlipCounts("MoTIF, point", "AitW", now_right=3, now_wrong=1, only_before=2))
    words = view.items_page.flips.text()
    assert words == "4 items flip against AitW: 3 now right, 1 now wrong; 2 judged by one of them only"
    with qtbot.waitSignal(view.items_filter_changed) as changed:
        view.items_page.flips.click()
    assert changed.args == [ItemsFilter.FLIPS]
    assert view.items_page.filter.currentText() == "Flipped"
    view.set_flips(None)
    assert not view.items_page.flips.isVisible() and view.items_page.filter.findData(ItemsFilter.FLIPS) < 0


def test_rules_stand_side_by_side_and_open_their_items(view: ResultsView, qtbot: QtBot) -> None:
    view.set_result(RESULT)
    view.show_page("rules")
    own = RuleRow("aitw", "AitW", "Step accuracy", 0.5, (0.4, 0.6), 40, 1, 3, 2, 0, own=True, scored=True)
    left_out = (("It does not count open_app steps.", 3), ("It does not count wait steps.", 1))
    other = RuleRow("motif-point", "MoTIF, point", "Both partial", 0.25, None, 40, 4, flips=4, scored=True,
                    left_out=left_out)  # fmt: skip
    rows = [own, other, RuleRow("aitz", "AitZ", why="Not scored yet")]
    view.set_rule_rows(rows, "aitw")
    model = view.rules.model
    shown = [[model.index(row, column).data() for column in range(model.columnCount())] for row in range(3)]
    assert shown == [
        ["AitW (this run's own)", "Step accuracy", "0.500", "0.400 – 0.600", "–", "40", "1", "1", "2", "0", ""],
        ["MoTIF, point", "Both partial", "0.250", "–", "4", "40", "4", "0", "0", "0",
         "3: It does not count open_app steps. and 1 other reason"],
        ["AitZ", "Not scored yet", *["–"] * 9],
    ]  # fmt: skip
    assert "1: It does not count wait steps." in model.index(1, 10).data(Qt.ItemDataRole.ToolTipRole)
    QAbstractItemModelTester(model)
    view.rules.table.selectRow(1)
    with qtbot.waitSignal(view.rule_chosen) as chosen:
        qtbot.keyClick(view.rules.table, Qt.Key.Key_Return)
    assert chosen.args == ["motif-point"]
    assert view.metrics_table.isVisible()


def test_an_item_that_flips_tells_both_verdicts(view: ResultsView) -> None:
    view.set_result(RESULT)
    view.set_items_total(1, 1)
    view.set_items_page(0, [ItemRow(0, "e", 0, ShownVerdict.HIT, 1.0, before=ShownVerdict.MISS)])
    assert view.items.index(0, 2).data() == "✓ hit, was miss"


def test_a_baseline_has_its_columns_and_its_square(view: ResultsView) -> None:
    row = MetricRow("F1", 0.614, (0.521, 0.699), 470, baseline=0.451, difference=0.163, p=0.0004, difference_tip="470")
    worse = MetricRow("Distance", 2.0, n=470, lower_is_better=True, baseline=1.5, difference=0.5, p=0.5)
    view.set_result(ResultDetails("r1", "CLIP", letter=0, metrics=(row, worse), baseline=1))
    heads = [view.metrics.headerData(place, Qt.Orientation.Horizontal) for place in range(view.metrics.columnCount())]
    assert heads == ["Metric", "A this run", "95 % interval", "", "B baseline", "A − B", "p, paired", "n"]
    assert metric_rows(view)[0][4:7] == ["0.451", "+0.163", "< 0.001"]
    colours = [view.metrics.index(place, 5).data(Qt.ItemDataRole.ForegroundRole) for place in range(2)]
    assert colours == [QColor(theme.current().hit), QColor(theme.current().miss)], "a larger distance is worse"
    view.set_result(RESULT)
    assert len(metric_rows(view)[0]) == 6, "no baseline, no columns"


def test_goals_take_the_room_that_a_form_beside_the_list_leaves(view: ResultsView, qtbot: QtBot) -> None:
    view.set_result(RESULT)
    view.set_items_total(470, 470)
    table = view.items_page.table
    sizes = []
    for width in (1500, 760, 1500):
        view.show_page("summary")
        view.resize(width, 700)
        view.show_page("items")
        qtbot.waitUntil(lambda wide=width > 1000: (table.viewport().width() > 1000) is wide)
        sizes.append(table.columnWidth(EPISODE))
    assert sizes[0] == sizes[2] > sizes[1]
    assert sizes[2] > table.viewport().width() * 0.3, "most of what the other columns leave"
