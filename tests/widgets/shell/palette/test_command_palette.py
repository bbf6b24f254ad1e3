from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from stepscope.widgets.shell.palette.palette_item_model import MOST_SHOWN, PaletteItemModel, fit
from stepscope.widgets.shell.palette.palette_row import PaletteRow
from stepscope.widgets.shell.palette.view import CommandPalette

ROWS = [
    PaletteRow("command", "open", "Open a folder", "", "Ctrl+O"),
    PaletteRow("command", "score", "Score again", "", "", False, "no stored predictions"),
    PaletteRow("command", "quit", "Quit"),
    PaletteRow("rule", "aitw", "AitW"),
]


@pytest.fixture
def window(qtbot: QtBot, themed: object) -> Iterator[QWidget]:
    shown = QWidget()
    qtbot.addWidget(shown)
    shown.resize(900, 600)
    field = QLineEdit(shown)
    shown.show()
    qtbot.waitExposed(shown)
    shown.activateWindow()
    field.setFocus()
    return shown


@pytest.fixture
def palette(window: QWidget) -> CommandPalette:
    return CommandPalette(window)


def test_typing_and_enter_choose_the_best(palette: CommandPalette, qtbot: QtBot) -> None:
    palette.open_with(ROWS)
    qtbot.keyClicks(palette.line, "qu")
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert chosen.args == ["command", "quit"] and palette.isHidden()


def test_arrows_go_round(palette: CommandPalette, qtbot: QtBot) -> None:
    palette.open_with(ROWS)
    qtbot.keyClick(palette.line, Qt.Key.Key_Up)
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert palette.list.currentIndex().data() == "Quit"


def test_what_rests_cannot_be_chosen_and_says_why(palette: CommandPalette, qtbot: QtBot) -> None:
    palette.open_with(ROWS, "score")
    with qtbot.assertNotEmitted(palette.chosen):
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert not palette.isHidden()
    assert palette.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole) == "Score again, no stored predictions"


def test_escape_and_a_click_beside_it_close_it_and_give_the_keyboard_back(
    palette: CommandPalette, window: QWidget, qtbot: QtBot
) -> None:
    field = window.findChild(QLineEdit)
    assert field is not None
    qtbot.waitUntil(field.hasFocus)
    palette.open_with(ROWS)
    qtbot.keyClick(palette.line, Qt.Key.Key_Escape)
    assert palette.isHidden() and field.hasFocus()
    palette.open_with(ROWS)
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(4, 590))
    assert palette.isHidden()


def test_rows_that_come_later_do_not_move_the_choice(palette: CommandPalette, qtbot: QtBot) -> None:
    palette.open_with(ROWS, "qu")
    palette.add_rows([PaletteRow("episode", "18", "Quit smoking"), PaletteRow("episode", "19", "Quota")])
    assert palette.list.currentIndex().data() == "Quit" and palette.model.total == 3


def test_keeps_qts_rules_and_lists_only_the_best_of_many(qtbot: QtBot) -> None:
    model = PaletteItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_rows([PaletteRow("episode", str(place), f"Goal {place}") for place in range(5000)])
    model.search("goal")
    assert (model.total, model.rowCount()) == (5000, MOST_SHOWN)
    model.search("nothing")
    assert model.rowCount() == 0 and tester.model() is model


def test_a_row_may_be_made_of_what_is_typed(window: QWidget, qtbot: QtBot) -> None:
    def made_of(query: str) -> PaletteRow | None:
        return PaletteRow("link", query, "Open link") if query.startswith("go:") else None

    palette = CommandPalette(window, made_of)
    palette.open_with(ROWS)
    qtbot.keyClicks(palette.line, "go:3")
    assert (palette.model.rowCount(), palette.model.total) == (1, 1)
    with qtbot.waitSignal(palette.chosen) as chosen:
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert chosen.args == ["link", "go:3"]
    palette.open_with(ROWS, "qui")
    row = palette.model.row(0)
    assert row is not None and row.id == "quit"


def test_menus_and_entries_are_found_as_one_path() -> None:
    rows = [
        PaletteRow("command", "dark", "Dark", "View ▸ Theme"),
        PaletteRow("command", "reset", "Theme of darkness elsewhere", "Tools"),
        PaletteRow("command", "csv", "CSV of the Items", "File ▸ Export"),
        PaletteRow("rule", "dark rule", "Theme dark"),
    ]

    def found(query: str) -> list[str]:
        return [row.id for row, _places in fit(rows, query)]

    assert found(">theme dark") == ["dark", "reset"]
    assert found(">export csv") == ["csv"] and found(">view dark") == ["dark"]
    assert fit(rows, ">view dark")[0][1] == (0, 1, 2, 3), "what matched of the title is lit"
