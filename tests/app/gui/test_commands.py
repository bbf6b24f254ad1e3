"""The command table: every row makes sense by itself and together with the others."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from app.gui.commands.bar import CommandBar, Conditions
from app.gui.commands.command import Command
from app.gui.commands.table import COMMANDS, HELD_KEYS


def test_ids_are_unique_and_every_row_has_words() -> None:
    assert [count for count in Counter(row.id for row in COMMANDS).values() if count > 1] == []
    assert all(row.plain_text for row in COMMANDS)


def test_no_key_means_two_things() -> None:
    keys = Counter(QKeySequence(key).toString() for row in (*COMMANDS, *HELD_KEYS) for key in row.keys)
    assert [key for key, count in keys.items() if count > 1] == []
    assert "" not in keys


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
