"""The command table: every row makes sense by itself and together with the others."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.commands.bar import CommandBar, Conditions
from stepscope.app.gui.shell.commands.command import Command
from stepscope.app.gui.shell.commands.table import COMMANDS, HELD_KEYS


def test_ids_are_unique_and_every_row_has_words() -> None:
    assert [count for count in Counter(row.id for row in COMMANDS).values() if count > 1] == []
    assert all(row.plain_text for row in COMMANDS)


def test_no_key_means_two_things_in_one_workspace() -> None:
    for workspace in {row.workspace for row in COMMANDS}:
        rows = [row for row in (*COMMANDS, *HELD_KEYS) if row.workspace == workspace]
        keys = Counter(QKeySequence(key).toString() for row in rows for key in row.keys)
        assert [key for key, count in keys.items() if count > 1] == []
        assert "" not in keys


def test_keys_of_a_workspace_take_the_place_of_what_they_mean_elsewhere(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    rows = [
        Command("star", "Star", "", ("S", "Ctrl+D")),
        Command("shot", "Screenshot", "", ("S",), workspace="live"),
        Command("quit", "Quit", "", ("Ctrl+Q",)),
    ]
    bar = CommandBar(window, rows, dict.fromkeys(("star", "shot", "quit"), lambda: None), Conditions())

    def keys() -> dict[str, list[str]]:
        return {name: [key.toString() for key in action.shortcuts()] for name, action in bar.actions.items()}

    everywhere = {"star": ["S", "Ctrl+D"], "shot": [], "quit": ["Ctrl+Q"]}
    assert keys() == everywhere
    bar.set_workspace("live")
    assert keys() == {"star": ["Ctrl+D"], "shot": ["S"], "quit": ["Ctrl+Q"]}
    bar.set_workspace("replay")
    assert keys() == everywhere


def test_a_command_that_may_rest_says_why() -> None:
    assert [row.id for row in COMMANDS if bool(row.needs) != bool(row.why_not)] == []


def test_mnemonics_are_unique_in_their_menu() -> None:
    entries = {(row.menu, row.text) for row in COMMANDS if row.menu} | {("&File", "Open &Recent")}
    for path in {row.menu for row in COMMANDS if row.menu}:
        above, _, title = path.rpartition("/")
        entries.add((above, title))
    entries |= {("", path.split("/")[0]) for path, _text in entries if path}
    marks = Counter((menu, text[text.index("&") + 1].lower()) for menu, text in entries if "&" in text)
    assert [mark for mark, count in marks.items() if count > 1] == []


def test_a_row_without_a_handler_is_refused(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    with pytest.raises(ValueError, match="two"):
        CommandBar(window, [Command("one", "One"), Command("two", "Two")], {"one": lambda: None}, Conditions())


def test_a_command_rests_until_its_condition_holds(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    conditions, ran = Conditions(), []
    rows = [Command("go", "&Go", "&File/&Far", ("Ctrl+G",), "ready", "not ready")]
    bar = CommandBar(window, rows, {"go": lambda: ran.append(1)}, conditions)
    bar.run("go")
    assert ran == []
    conditions.set("ready", True)
    bar.run("go")
    assert ran == [1]
    assert bar.menu("&File/&Far").actions() == [bar.actions["go"]]
    assert bar.key_of("go") == "Ctrl+G"
