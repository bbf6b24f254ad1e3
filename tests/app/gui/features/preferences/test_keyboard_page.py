"""Keys are found, given, refused, taken back, kept and written as a page, by the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from stepscope.app.gui.shell.preferences import load_preferences
from stepscope.widgets.preferences import KeyboardPage, KeyState
from stepscope.widgets.shell.shortcuts import ShortcutPage


@pytest.fixture
def page(person) -> KeyboardPage:
    person.choose("keys.change")
    person.settle()
    assert person.window.workspace == "preferences" and person.window.preferences.page == "Keyboard"
    found = person.window.findChild(KeyboardPage)
    assert found is not None and found.isVisible()
    return found


def give(person, page: KeyboardPage, command: str, key: str) -> None:
    """Go to a row, Enter, press the key, Enter."""
    page.choose(command)
    page.tree.setFocus()
    for pressed in ("Return", key, "Return"):
        person.press(pressed)


def keys(person, command: str) -> list[str]:
    return [key.toString() for key in person.bench.commands.actions[command].shortcuts()]


def bar_buttons(page: KeyboardPage) -> dict[str, object]:

    return {button.text(): button for button in page.tree.findChildren(QPushButton)}


def test_a_key_that_is_free_is_given_at_once_works_and_is_kept(person, page) -> None:
    give(person, page, "mark.star", "Ctrl+Shift+F9")
    assert keys(person, "mark.star") == ["Ctrl+Shift+F9"]
    assert page.current == "mark.star" and page.tree.hasFocus()
    kept = load_preferences(person.bench.context.places.preferences)
    assert dict(kept.keys) == {"mark.star": ("Ctrl+Shift+F9",)}
    person.press("Escape")
    assert person.window.workspace == "replay"
    before = person.bench.commands.actions["edit.undo"].isEnabled()
    person.press("Ctrl+Shift+F9")
    person.settle()
    assert not before and person.bench.commands.actions["edit.undo"].isEnabled(), "the episode or step is starred"


def test_a_clash_is_told_in_place_and_nothing_changes_until_it_is_answered(person, page) -> None:
    give(person, page, "mark.star", "C")
    assert keys(person, "mark.star") == ["S"]
    assert {"Give C to this", "Keep S", "Show both"} == set(bar_buttons(page))
    person.click(bar_buttons(page)["Keep S"])
    person.settle()
    assert keys(person, "mark.star") == ["S"] and bar_buttons(page) == {}
    give(person, page, "mark.star", "C")
    person.click(bar_buttons(page)["Show both"])
    assert set(page.shown()) >= {"mark.checked"} and all("C" in row.keys for row in shown_rows(page))
    page.show_all()
    give(person, page, "mark.star", "C")
    person.click(bar_buttons(page)["Give C to this"])
    assert keys(person, "mark.star") == ["C"] and keys(person, "mark.checked") == []


def shown_rows(page: KeyboardPage) -> list:
    return [row for row in page._rows if row.id in page.shown()]


def test_undo_and_redo_by_keys_and_reset_of_all(person, page) -> None:
    give(person, page, "mark.star", "Ctrl+Shift+F9")
    give(person, page, "mark.checked", "Ctrl+Shift+F10")
    person.press("Ctrl+Z")
    assert keys(person, "mark.checked") == ["C"] and keys(person, "mark.star") == ["Ctrl+Shift+F9"]
    person.press("Ctrl+Shift+Z")
    assert keys(person, "mark.checked") == ["Ctrl+Shift+F10"]
    person.click(page.reset_all)
    assert (keys(person, "mark.checked"), keys(person, "mark.star")) == (["C"], ["S"])
    person.press("Ctrl+Z")
    assert keys(person, "mark.checked") == ["Ctrl+Shift+F10"]


def test_escape_leaves_the_edit_and_not_the_page(person, page) -> None:
    page.choose("mark.star")
    page.tree.setFocus()
    person.press("Return")
    person.press("Ctrl+Shift+F9")
    person.press("Escape")
    assert person.window.workspace == "preferences" and page.field is None
    assert keys(person, "mark.star") == ["S"]


def test_delete_takes_a_key_away(person, page) -> None:
    page.choose("mark.star")
    page.tree.setFocus()
    person.press("Delete")
    assert keys(person, "mark.star") == []
    assert "was S" in next(row.remark for row in page._rows if row.id == "mark.star")


def test_what_a_key_does_is_found_by_pressing_it(person, page) -> None:
    person.click(page.key_button)
    person.press("N")
    assert {row.keys[0] for row in shown_rows(page)} == {"N"} and "wrong.next" in page.shown()
    person.press("Ctrl+Alt+F7")
    assert page.shown() == [] and "No command has Ctrl+Alt+F7" in page._none.words()
    person.press("Escape")
    page.show_all()
    page.search.setFocus()
    person.write("next wrong")
    assert page.shown() == ["wrong.next"]


def test_the_keyboard_shows_what_is_free(person, page) -> None:
    assert page.picture.isVisible()
    caps = page.picture._caps
    assert caps["S"].state is KeyState.TAKEN and "Star" in caps["S"].words[0]
    free = page.picture.free()
    assert "0" in free
    give(person, page, "mark.star", "0")
    assert page.picture._caps["0"].state is KeyState.CHANGED and "S" in page.picture.free()


def test_held_keys_are_shown_and_cannot_be_given_away(person, page) -> None:
    give(person, page, "mark.star", "O")
    assert "Give O to this" not in bar_buttons(page) and "Keep S" in bar_buttons(page)


def test_all_keys_are_written_as_one_page(person, page, tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "keys.html"
    give(person, page, "mark.star", "Ctrl+Shift+F9")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    person.click(page.export)
    person.until(file.exists, "the page")
    words = re.split("<[^>]*>", file.read_text("utf-8"))
    at = words.index("Ctrl+Shift+F9")
    assert "Star" in words[at - 6 : at]
    assert "http" not in file.read_text("utf-8")


def test_the_list_of_shortcuts_has_the_keys_of_now_and_leads_here(person, page) -> None:
    give(person, page, "mark.star", "Ctrl+Shift+F9")
    person.press("Escape")
    person.choose("help.shortcuts")
    person.settle()
    shown = person.window.findChild(ShortcutPage)
    assert any(row.keys == ("Ctrl+Shift+F9",) for row in shown.shown())
    person.click(shown.change)
    person.settle()
    assert person.window.workspace == "preferences" and page.isVisible()


def test_the_key_of_the_preferences_leads_there_from_the_list_of_shortcuts(person) -> None:
    person.press("?")
    shown = person.window.findChild(ShortcutPage)
    person.until(lambda: QApplication.activeWindow() is shown.window(), "the list")
    person.press("Ctrl+,")
    person.until(lambda: person.window.workspace == "preferences", "the preferences")
    person.until(lambda: person.window.findChild(ShortcutPage) is None, "the list closed")


def test_a_clash_is_answered_by_keys_alone(person, page) -> None:
    give(person, page, "mark.star", "C")
    focus = QApplication.focusWidget()
    assert isinstance(focus, QPushButton) and focus.text() == "Keep S", "Enter leads to what loses nothing"
    person.press("Shift+Tab")
    assert QApplication.focusWidget().text() == "Give C to this"
    person.press("Space")
    person.settle()
    assert keys(person, "mark.star") == ["C"] and keys(person, "mark.checked") == []
    person.press("Ctrl+Z")
    assert keys(person, "mark.star") == ["S"] and keys(person, "mark.checked") == ["C"]


def test_escape_leaves_finding_by_key_and_not_the_page(person, page) -> None:
    person.click(page.key_button)
    person.press("N")
    person.press("Escape")
    assert not page.key_button.isChecked() and person.window.workspace == "preferences"
    assert len(page.shown()) > 200
