from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.results.confusion import ROW_SHARE, ConfusionView
from stepscope.widgets.scores.breakdown_values import ConfusionCell, ConfusionTable
from stepscope.widgets.scores.card import mix
from stepscope.widgets.theme import DARK, LIGHT, Theme

NAMES = ("infeasible", "feasible")
TWO = ConfusionTable(
    NAMES,
    NAMES,
    (
        (ConfusionCell(51, True, "tp", "TP"), ConfusionCell(41, False, "fn", "FN")),
        (ConfusionCell(23, False, "fp", "FP"), ConfusionCell(355, True, "tn", "TN")),
    ),
)


def square(side: int, count: int = 1) -> ConfusionTable:
    names = tuple(f"long kind {place}" for place in range(side))
    return ConfusionTable(
        names,
        names,
        tuple(
            tuple(ConfusionCell(count, row == column, (row, column)) for column in range(side)) for row in range(side)
        ),
    )


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> ConfusionView:
    shown = ConfusionView()
    qtbot.addWidget(shown)
    shown.resize(640, 212)
    shown.set_confusion(TWO)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def middle(view: ConfusionView, row: int, column: int) -> QPoint:
    return view.cells.tile(row, column).center().toPoint()


@pytest.mark.parametrize(("row", "column", "key"), [(0, 0, "tp"), (0, 1, "fn"), (1, 0, "fp"), (1, 1, "tn")])
def test_a_click_gives_the_cells_key(view: ConfusionView, qtbot: QtBot, row: int, column: int, key: str) -> None:
    with qtbot.waitSignal(view.chosen) as chosen:
        qtbot.mouseClick(view.cells, Qt.MouseButton.LeftButton, pos=middle(view, row, column))
    assert chosen.args == [key]


def test_a_click_between_cells_chooses_nothing(view: ConfusionView, qtbot: QtBot) -> None:
    gap = view.cells.tile(0, 0).bottomRight().toPoint() + QPoint(3, 3)
    with qtbot.assertNotEmitted(view.chosen):
        qtbot.mouseClick(view.cells, Qt.MouseButton.LeftButton, pos=gap)


def test_arrows_move_and_enter_or_space_choose(view: ConfusionView, qtbot: QtBot) -> None:
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(view.cells, key)
    assert view.cells.current() == (1, 1)
    for taking in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        with qtbot.waitSignal(view.chosen) as chosen:
            qtbot.keyClick(view.cells, taking)
        assert chosen.args == ["tn"]
    qtbot.keyClick(view.cells, Qt.Key.Key_Left)
    words = "23 of 378 feasible references were predicted infeasible (6.1 %)"
    assert view.cells.accessibleDescription() == words


def test_the_tooltip_says_the_cell_in_words(view: ConfusionView) -> None:
    place = middle(view, 0, 1)
    QApplication.sendEvent(view.cells, QHelpEvent(QEvent.Type.ToolTip, place, view.cells.mapToGlobal(place)))
    assert QToolTip.text() == "41 of 92 infeasible references were predicted feasible (44.6 %)"
    assert view.cells.tip_at(QPointF(view.cells.tile(0, 1).center().x(), 4)) == "predicted feasible"
    QToolTip.hideText()


def test_the_ground_follows_the_share_of_the_row_and_the_theme(view: ConfusionView, themed: QApplication) -> None:
    for theme in (DARK, LIGHT):
        apply_theme(themed, theme)
        ground = mix(theme.hit, 0.16 + 0.32 * 355 / 378, theme.panel)
        corner = view.cells.tile(1, 1).topLeft().toPoint() + QPoint(12, 12)
        assert view.cells.grab().toImage().pixelColor(corner) == ground


def test_the_chosen_cell_has_an_outline(view: ConfusionView) -> None:
    view.set_chosen("fn")
    tile = view.cells.tile(0, 1)
    edge = QPoint(round(tile.center().x()), round(tile.top()))
    assert view.cells.grab().toImage().pixelColor(edge).name().upper() == Theme.dark().selection_line.upper()
    view.set_chosen("elsewhere")
    assert view.cells.grab().toImage().pixelColor(edge).name().upper() != Theme.dark().selection_line.upper()


def test_shares_of_the_row_stand_in_place_of_counts(view: ConfusionView, qtbot: QtBot) -> None:
    second = view._mode._group.button(1)
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    cell = TWO.cells[0][0]
    assert view.cells._number(cell, 92) == "55.4 %" and view.cells._about(cell, 92) == "51 of 92 · TP"
    view.set_mode("count")
    assert view.cells._number(cell, 92) == "51" and view.cells._about(cell, 92) == "10.9 % · TP"


def test_nothing_and_empty_rows_are_shown_without_harm(view: ConfusionView, qtbot: QtBot) -> None:
    view.set_mode(ROW_SHARE)
    view.set_confusion(square(2, 0))
    assert "–" in view.cells.words(0, 0)
    view.grab()
    view.set_confusion(ConfusionTable())
    view.grab()
    with qtbot.assertNotEmitted(view.chosen):
        qtbot.keyClick(view.cells, Qt.Key.Key_Down)
        qtbot.keyClick(view.cells, Qt.Key.Key_Return)
        qtbot.mouseClick(view.cells, Qt.MouseButton.LeftButton, pos=QPoint(90, 60))


@pytest.mark.parametrize("percent", [80, 200])
def test_many_kinds_scroll_and_the_keyboard_stays_in_view(
    view: ConfusionView, qtbot: QtBot, themed: QApplication, percent: int
) -> None:
    apply_theme(themed, DARK, percent)
    view.set_confusion(square(12, 98_765_432))
    view.resize(420, 200)
    for _ in range(11):
        qtbot.keyClick(view.cells, Qt.Key.Key_Down)
        qtbot.keyClick(view.cells, Qt.Key.Key_Right)
    assert view.cells.current() == (11, 11)
    centre = view.cells.tile(11, 11).center().toPoint()
    assert view._scroll.viewport().rect().contains(view.cells.mapTo(view._scroll.viewport(), centre))
    view.set_confusion(TWO)
    assert view.cells.current() == (1, 1)
