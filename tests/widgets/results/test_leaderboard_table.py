"""The leaderboard's table: what its rows show beside the name."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from stepscope.widgets.results.leaderboard_table import FIRST_FURTHER, LEAST_NAME, NAME, LeaderboardTable
from stepscope.widgets.results.leaderboard_values import BoardCell, BoardColumn, BoardContent, BoardRow
from stepscope.widgets.results.result_rows import BELOW_RULES

MARK, SEEDS = (BELOW_RULES, "warn"), ("12 seeds, SD 0.004", "neutral")


def painted(qtbot: QtBot, width: int, *badges: tuple[str, str]) -> QImage:
    table = LeaderboardTable()
    qtbot.addWidget(table)
    table.resize(width, 120)
    row = BoardRow(("a", 0), "two-tower", badges=badges, value=BoardCell("0.614"))
    table.set_content(BoardContent(rows=(row,)))
    table.show()
    return table.viewport().grab().toImage()


def test_badges_without_room_give_way_to_the_first(qtbot: QtBot) -> None:
    # How wide letters are is up to the machine: the narrowest table that has room for the first one.
    widths = range(LEAST_NAME, LEAST_NAME + 400, 10)
    narrow = next(width for width in widths if painted(qtbot, width, MARK) != painted(qtbot, width))
    assert painted(qtbot, narrow, MARK, SEEDS) == painted(qtbot, narrow, MARK)
    assert painted(qtbot, 1200, MARK, SEEDS) != painted(qtbot, 1200, MARK)


def test_the_mark_is_spoken(qtbot: QtBot) -> None:
    table = LeaderboardTable()
    qtbot.addWidget(table)
    table.set_content(BoardContent(rows=(BoardRow(("a", 0), "two-tower", badges=(MARK,)),)))
    spoken = table.board.index(0, NAME).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "two-tower, ⚠ below the rules"


def test_a_column_that_had_no_room_comes_back_with_room_for_its_title(qtbot: QtBot) -> None:
    table = LeaderboardTable()
    qtbot.addWidget(table)
    titles = ("Precision", "Recall", "Average precision", "AP at 25 %")
    columns = tuple(BoardColumn(title, title) for title in titles)
    cells = tuple(BoardCell("0.5") for _ in titles)
    row = BoardRow(("a", 0), "two-tower", value=BoardCell("0.614"), cells=cells)
    table.set_content(BoardContent(columns=columns, rows=(row,), metrics=len(titles)))
    table.resize(420, 120)
    table.show()
    assert table.without_room, "narrow as it is"
    table.resize(4000, 120)  # however wide letters are, and whatever text size was set before
    qtbot.waitUntil(lambda: not table.without_room)
    header = table.horizontalHeader()
    for place in range(FIRST_FURTHER, FIRST_FURTHER + len(titles)):
        assert header.sectionSize(place) >= header.sectionSizeHint(place) > 40
