from __future__ import annotations

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
