"""How the window looks and what lies over it: themes, text size, docks, workspaces, palette, pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFontInfo, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QDockWidget, QLineEdit, QMessageBox, QPlainTextEdit

from stepscope.app.gui.shell.commands.table import COMMANDS, HELD_KEYS
from stepscope.widgets import theme
from stepscope.widgets.reports import ReportPage
from stepscope.widgets.shell.shortcuts import ShortcutPage
from tests.app.gui.conftest import CHAIR, write_episode


def corner(person) -> str:
    """The colour that the window is painted with."""
    shot = person.window.grab().toImage()
    return shot.pixelColor(8, shot.height() // 2).name().upper()


def test_themes_switch_live(person) -> None:
    seen = []
    for command in ("theme.dark", "theme.light", "theme.contrast", "theme.dark"):
        person.choose(command)
        checked = [
            name for name, action in person.bench.commands.actions.items()
            if name.startswith("theme.") and action.isChecked()
        ]  # fmt: skip
        assert checked == [command]
        seen.append((theme.current().name, corner(person)))
        person.settle()
    assert [name for name, _colour in seen] == ["dark", "light", "high contrast", "dark"]
    assert seen[0] == seen[3]
    assert len({colour for _name, colour in seen}) == 3
    assert person.alive()


@pytest.mark.parametrize("name", ["theme.dark", "theme.light", "theme.contrast"])
def test_placeholders_of_fields_that_can_be_typed_into_can_be_read(person, name) -> None:
    """4.5 to 1 by WCAG 2.1: (lighter + 0.05) / (darker + 0.05)."""

    def luminance(colour: QColor) -> float:
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    person.choose(name)
    for field in (QLineEdit(person.window), QPlainTextEdit(person.window)):
        field.ensurePolished()
        ink, ground = field.palette().placeholderText().color(), field.palette().base().color()
        assert ink.alpha() == 255
        dark, light = sorted((luminance(ink), luminance(ground)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_the_rail_switches_between_dark_and_light(person) -> None:
    person.choose("theme.dark")
    button = person.window.rail.widgetForAction(person.bench.appearance.theme_action)
    person.click(button)
    assert theme.current().name == "light"
    person.click(button)
    assert theme.current().name == "dark"


def test_text_grows_and_shrinks_within_its_bounds(person) -> None:
    normal = QApplication.font().pixelSize()
    person.bench.context.prefer(text_percent=175)
    for _ in range(2):
        person.press("Ctrl+=")
    assert person.bench.context.preferences.text_percent == 200
    assert QApplication.font().pixelSize() == 2 * normal
    person.settle()
    person.bench.context.prefer(text_percent=90)
    for _ in range(2):
        person.press("Ctrl+-")
    assert person.bench.context.preferences.text_percent == 80
    person.press("Ctrl+0")
    assert QApplication.font().pixelSize() == normal
    assert person.alive()


@pytest.mark.parametrize(
    ("keys", "command", "docks"),
    [
        ("Ctrl+B", "dock.left", ("episodes",)),
        ("Ctrl+Alt+B", "dock.right", ("inspector", "tree")),
        ("Ctrl+J", "dock.bottom", ("timeline",)),
    ],
)
def test_docks_are_put_away_and_brought_back(person, keys, command, docks) -> None:
    for shown in (False, True):
        person.press(keys)
        assert [person.window.docks[name].isVisible() for name in docks] == [shown] * len(docks)
        assert person.bench.commands.actions[command].isChecked() is shown


def test_workspaces_keep_their_own_layout_and_one_selection(person) -> None:
    person.press("Right")
    person.press("Ctrl+J")
    person.press("Ctrl+2")
    assert person.window.results.isVisible()
    assert [name for name, dock in person.window.docks.items() if dock.isVisible()] == ["runs", "selection"]
    person.press("Ctrl+1")
    assert [name for name, dock in person.window.docks.items() if dock.isVisible()] == ["episodes", "inspector", "tree"]
    assert person.place == ("lamp", 1)
    person.choose("layout.reset")
    assert person.window.docks["timeline"].isVisible()


def test_a_floating_dock_comes_home_with_reset(person) -> None:
    dock: QDockWidget = person.window.docks["tree"]
    dock.setFloating(True)
    assert dock.isFloating()
    person.choose("layout.reset")
    assert not dock.isFloating()
    assert dock.isVisible()


# Palette ------------------------------------------------------------------------------------------------------------


def test_the_palette_finds_a_command_and_runs_it(person) -> None:
    person.press("Ctrl+K")
    palette = person.bench.help.palette
    assert palette.isVisible()
    person.write(">last step")
    person.press("Return")
    assert not palette.isVisible()
    assert person.place == ("lamp", 4)
    assert QApplication.focusWidget() is person.screen


def test_the_palette_goes_to_episodes_steps_rules_and_apps(person) -> None:
    def take(query: str) -> None:
        person.press("Ctrl+P")
        person.settle()
        person.write(query)
        person.press("Return")
        person.settle()

    take("#chair")
    assert person.place == ("chair", 0)
    take(":step 2")
    assert person.place == ("chair", 1)
    take("=motif box")
    assert person.selection.rule.id == "motif-box"
    take("@tour")
    assert person.goals == ["Take the tour"]


def test_the_palette_filters_by_an_app_whose_name_has_quotes(open_window, tmp_path) -> None:
    write_episode(tmp_path / "1", "one", "Say so", CHAIR, app='say "so" \\ now')
    write_episode(tmp_path / "2", "two", "Say no", CHAIR, app="other")
    person = open_window(tmp_path)
    person.press("Ctrl+P")
    person.settle()
    person.write("@so")
    person.press("Return")
    person.settle()
    assert person.goals == ["Say so"]


def test_the_palette_knows_apps_by_the_names_that_people_call_them(open_window, tmp_path) -> None:
    for number, app in enumerate(("com.google.android.apps.maps", "com.amaps.shop", "com.spotify.music")):
        write_episode(tmp_path / str(number), f"e{number}", f"Goal {number}", CHAIR, app=app)
    person = open_window(tmp_path)
    person.press("Ctrl+P")
    person.settle()
    person.write("@maps")
    first = person.bench.help.palette.list.model().index(0, 0)
    assert str(first.data()).startswith("Maps"), "before one that has it inside"
    person.press("Return")
    person.settle()
    assert person.goals == ["Goal 0"]


def test_an_episode_stands_once_in_a_palette_that_was_opened_twice(person) -> None:
    person.press("Ctrl+K")
    person.press("Esc")
    person.press("Ctrl+K")
    person.settle()
    person.write("#lamp")
    assert person.bench.help.palette.model.total == 1
    person.press("Esc")
    assert not person.bench.help.palette.isVisible()


def test_a_command_that_rests_says_why_and_does_nothing(person) -> None:
    person.press("Ctrl+K")
    person.write(">next wrong step")
    palette = person.bench.help.palette
    row = palette.model.row(0)
    assert (row.title, row.enabled, row.why) == ("Next Wrong Step", False, "no run is shown")
    person.press("Return")
    assert person.place == ("lamp", 0)
    person.bench.help.close_palette()


# Pages --------------------------------------------------------------------------------------------------------------


def dialog(person, title: str) -> QDialog:
    found = [one for one in person.window.findChildren(QDialog) if one.isVisible() and one.windowTitle() == title]
    assert len(found) == 1
    return found[0]


def test_the_page_of_shortcuts_lists_every_key(person) -> None:
    person.press("?")
    page = dialog(person, "Shortcuts")
    listed = {key for row in page.findChild(ShortcutPage).shown() for key in row.keys}
    bound = set()
    for workspace in {row.workspace for row in COMMANDS}:
        person.bench.commands.set_workspace(workspace)
        bound |= {
            sequence.toString(QKeySequence.SequenceFormat.PortableText)
            for action in person.bench.commands.actions.values() for sequence in action.shortcuts()
        }  # fmt: skip
    held = {QKeySequence(key).toString() for row in HELD_KEYS for key in row.keys}
    assert {QKeySequence(key).toString() for key in listed} == bound | held
    assert listed == {key for row in (*COMMANDS, *HELD_KEYS) for key in row.keys}
    page.close()


def test_this_machine_is_told(person) -> None:
    person.choose("help.machine")
    person.until(lambda: any(one.isVisible() for one in person.window.findChildren(QDialog)), "the page")
    page = dialog(person, "This machine")
    report = page.findChild(ReportPage)
    person.until(lambda: bool(report.shown()), "what was found")
    report.search.setFocus()
    person.write("libraries pyside6")
    assert [row.cells[0] for row in report.shown() if row.cells[0] == "PySide6"] == ["PySide6"]
    page.close()


def test_about_names_the_version_and_leaves_nothing_behind(person) -> None:
    person.choose("help.about")
    box = person.window.findChild(QMessageBox)
    assert box.isVisible()
    assert "Stepscope 0." in box.informativeText() and "nothing leaves this machine" in box.informativeText()
    box.close()
    person.until(lambda: person.window.findChild(QMessageBox) is None, "the box deleted")


def test_diagnostics_for_a_report_are_copied_without_the_user_s_name(person, monkeypatch) -> None:
    store = str(Path.home() / ".local" / "store.db")
    monkeypatch.setattr(
        "stepscope.app.services.machine.examine", lambda _store: {"store": {"place": store, "ok": True}}
    )
    person.choose("help.about")
    box = person.window.findChild(QMessageBox)
    next(one for one in box.buttons() if one.text() == "Copy &Diagnostics").click()
    person.until(lambda: "Diagnostics are on the clipboard." in person.told, "the copy")
    assert QApplication.clipboard().text() == "store\n  place: ~/.local/store.db\n  ok: yes\n"
    person.settle()


def test_a_crash_is_shown_and_the_window_lives_on(person) -> None:
    person.bench.help.show_crash("ValueError: seven", "Stepscope 0.1.0\n\nTraceback …")
    page = dialog(person, "Something went wrong")
    assert "ValueError: seven" in page.findChild(QPlainTextEdit).toPlainText()
    page.close()
    person.press("Right", person.screen)
    assert person.place == ("lamp", 1)


def test_text_is_as_large_at_the_start_as_after_a_theme_change_and_a_restart(person, open_window) -> None:
    def sizes(one) -> set[int]:
        window = one.window
        shown = (window, window.menuBar(), window.inspector, window.episodes, window.timeline.strip, window.rail)
        return {QFontInfo(view.font()).pixelSize() for view in shown}

    assert sizes(person) == {13}
    person.press("Ctrl+0")
    assert sizes(person) == {13}
    for command in ("theme.light", "theme.dark", "text.larger"):
        person.choose(command)
    person.settle()
    (larger,) = sizes(person)
    assert larger > 13
    person.close()
    again = open_window()
    again.settle()
    assert sizes(again) == {larger}
