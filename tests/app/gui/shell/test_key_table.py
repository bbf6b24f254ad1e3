"""Which keys do which command: chosen ones, clashes, and what a key means in each workspace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.gui.shell.commands.command import Command
from stepscope.app.gui.shell.commands.key_table import KeyTable, key_name
from stepscope.app.gui.shell.commands.table import COMMANDS, HELD_KEYS

STAR, CHECK, SHOT = (
    Command("star", "Star", "", ("S", "Ctrl+D")),
    Command("check", "Check", "", ("C",)),
    Command("shot", "Screenshot", "", ("C",), workspace="live"),
)
HOLD = Command("hold", "Bare", "", ("O",))


def table(**chosen: tuple[str, ...]) -> KeyTable:
    return KeyTable.of((STAR, CHECK, SHOT), chosen, (HOLD,))


def test_a_given_key_takes_the_place_of_the_usual_ones() -> None:
    found = table(star=("ctrl+shift+s",))
    assert found.keys(STAR) == ("Ctrl+Shift+S",) and found.is_changed(STAR)
    assert found.keys(CHECK) == ("C",) and not found.is_changed(CHECK)
    assert found.as_usual(("star",)) == table()


def test_what_is_as_usual_or_names_nothing_is_not_kept() -> None:
    assert table(star=("S", "Ctrl+D"), gone=("X",)).chosen == {}
    assert table(check=("", "C")).chosen == {}
    assert table(check=()).keys(CHECK) == ()


def test_a_key_clashes_where_both_hold_and_nowhere_else() -> None:
    found = table()
    assert found.clashes("star", "c") == (CHECK,)
    assert found.clashes("shot", "S") == (), "a workspace's own key takes the place of the window's"
    assert found.clashes("check", "O") == (HOLD,)
    assert found.all_clashes() == {}
    assert table(star=("C",)).all_clashes() == {"star": ("C",), "check": ("C",)}
    assert found.elsewhere("check") == (("C", SHOT),)


def test_a_key_that_is_taken_from_another_leaves_it_its_others() -> None:
    found = table().given("check", "S")
    assert (found.keys(CHECK), found.keys(STAR)) == (("S",), ("Ctrl+D",))
    assert found.all_clashes() == {}


def test_in_a_workspace_its_own_keys_come_first() -> None:
    assert table().by_command("live") == {"star": ("S", "Ctrl+D"), "check": (), "shot": ("C",)}
    assert table(shot=("s",)).by_command("live") == {"star": ("Ctrl+D",), "check": ("C",), "shot": ("S",)}
    assert table().by_command("replay") == {"star": ("S", "Ctrl+D"), "check": ("C",), "shot": ()}


def test_the_window_has_no_clash_by_itself() -> None:
    assert KeyTable.of(COMMANDS, {}, HELD_KEYS).all_clashes() == {}


@pytest.mark.parametrize(("said", "name"), [("ctrl+k", "Ctrl+K"), ("?", "?"), ("no such key", ""), ("F13", "F13")])
def test_keys_have_one_name(said: str, name: str) -> None:
    assert key_name(said) == name


@given(
    command=st.sampled_from([row.id for row in COMMANDS]),
    key=st.sampled_from(["Q", "Ctrl+Shift+F9", "Alt+Z", "?", "Ctrl+K", "N"]),
)
def test_whoever_is_given_a_key_has_it_alone(command: str, key: str) -> None:
    found = KeyTable.of(COMMANDS, {}, HELD_KEYS).given(command, key)
    assert found.keys(found.row(command)) == (key,)
    assert found.clashes(command, key) == ()
    assert found.all_clashes() == {}
