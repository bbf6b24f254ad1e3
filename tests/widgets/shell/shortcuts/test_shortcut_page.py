from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from stepscope.widgets.shell.shortcuts import ShortcutPage, ShortcutRow

ROWS = (
    ShortcutRow("Replay", "Next step", ("Right", "J")),
    ShortcutRow("Replay", "Play or pause", ("Space",)),
    ShortcutRow("Live", "Approve", ("Enter",), "Live"),
)


def test_the_search_finds_by_words_keys_and_group(qtbot: QtBot, themed: object) -> None:
    page = ShortcutPage(ROWS)
    qtbot.addWidget(page)
    page.show()
    assert page.shown() == list(ROWS)
    page.search.setText("space")
    assert page.shown() == [ROWS[1]] and page._headings["Live"].isHidden()
    page.search.setText("live enter")
    assert page.shown() == [ROWS[2]]
    page.search.setText("nothing")
    assert page.shown() == [] and not page._none.isHidden()
    page._none.pressed.emit("clear")
    assert page.shown() == list(ROWS)


def test_all_keys_are_in_sight_before_anything_is_typed(qtbot: QtBot, themed: object) -> None:
    long = ShortcutRow(
        "Live", "What one does with a very long name that would push others away", ("Ctrl+Alt+Shift+F12",)
    )
    page = ShortcutPage([*ROWS, long])
    qtbot.addWidget(page)
    page.resize(480, 400)
    page.show()
    qtbot.waitExposed(page)
    inside, viewport = page._scroll.widget(), page._scroll.viewport()
    assert inside.width() <= viewport.width()
    for _row, (_title, _note, keys) in page._lines:
        for key in keys.findChildren(QLabel):
            assert key.mapTo(viewport, key.rect().topRight()).x() < viewport.width()
