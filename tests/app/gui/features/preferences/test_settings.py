"""Settings count at once, are taken back by keys, kept for the next start, and found by words."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QColorDialog, QComboBox, QLineEdit

from stepscope.app.gui.shell.preferences import load_preferences
from stepscope.core.domain.prediction import Task
from stepscope.core.imaging.palette import RUN_COLOURS, RUN_STYLES
from stepscope.core.settings import user_cache_dir
from stepscope.models.chat import privacy, servers
from stepscope.widgets import theme
from stepscope.widgets.preferences.colour_row import ColourRow
from stepscope.widgets.preferences.settings_page import SettingRowsPage


@pytest.fixture
def view(person):
    person.press("Ctrl+,")
    person.settle()
    assert person.window.workspace == "preferences"
    yield person.window.preferences
    RUN_STYLES.choose(RUN_COLOURS)


def page(person, name: str) -> SettingRowsPage:
    person.window.preferences.show_page(name)
    person.settle()
    found = person.bench.preferences._settings[name]
    assert found.isVisible()
    return found


def choose(person, control: QComboBox, value: object) -> None:
    """As a person does, by the keyboard."""
    control.setFocus()
    by = control.findData(value) - control.currentIndex()
    for _ in range(abs(by)):
        QTest.keyClick(control, Qt.Key.Key_Down if by > 0 else Qt.Key.Key_Up)
    person.settle()


def test_the_page_comes_and_goes_by_its_key_and_by_escape(person, view) -> None:
    assert person.bench.commands.actions["app.preferences"].isChecked()
    person.press("Escape")
    assert person.window.workspace == "replay"
    person.press("Ctrl+,")
    person.press("Ctrl+,")
    assert person.window.workspace == "replay"
    person.click(person.window.rail.widgetForAction(person.bench.commands.actions["app.preferences"]))
    assert person.window.workspace == "preferences"


def test_theme_text_and_density_count_at_once_and_are_taken_back_by_keys(person, view) -> None:
    appearance = page(person, "Appearance")
    sizes = []
    for name, value in (("theme", "light"), ("text_percent", 110)):
        choose(person, appearance.control(name), value)
        sizes.append((theme.current().name, QApplication.font().pixelSize()))
    assert sizes == [("light", 13), ("light", 14)]
    box = appearance.control("compact")
    assert isinstance(box, QCheckBox)
    person.click(box)
    assert theme.padding(8) == 4
    kept = load_preferences(person.bench.context.places.preferences)
    assert (kept.theme, kept.text_percent, kept.compact) == ("light", 110, True)
    view.list.setFocus()
    person.press("Ctrl+Z")
    assert theme.padding(8) == 8 and not box.isChecked()
    person.press("Ctrl+Z")
    assert QApplication.font().pixelSize() == 13
    person.press("Ctrl+Y")
    assert QApplication.font().pixelSize() == 14
    person.click(appearance.reset_all)
    assert QApplication.font().pixelSize() == 13 and theme.padding(8) == 8
    assert not appearance.reset_all.isEnabled()


def test_compact_rows_show_more_episodes(person, view) -> None:
    rows = person.window.episodes.list
    before = rows.sizeHintForRow(0)
    person.click(page(person, "Appearance").control("compact"))
    person.press("Escape")
    person.settle()
    assert rows.sizeHintForRow(0) == before - 8


def test_colours_of_runs_hold_on_the_screen_in_lists_and_after_a_restart(person, view, monkeypatch) -> None:
    row = page(person, "Marks").control("run_colours")
    assert isinstance(row, ColourRow)
    from PySide6.QtGui import QColor

    monkeypatch.setattr(QColorDialog, "getColor", lambda *_: QColor("#00ffff"))
    person.click(row._buttons[1])
    assert RUN_STYLES[1].colour == "#00FFFF" == RUN_STYLES[5].colour and RUN_STYLES[0].colour == RUN_COLOURS[0]
    person.choose("theme.light")
    panel = theme.current().panel
    assert theme.contrast(theme.current().run_colour(1), panel) >= 4.5 > theme.contrast("#00FFFF", panel)
    assert load_preferences(person.bench.context.places.preferences).run_colours == (
        RUN_COLOURS[0], "#00FFFF", *RUN_COLOURS[2:]
    )  # fmt: skip
    view.list.setFocus()
    person.press("Ctrl+Z")
    assert RUN_STYLES[1].colour == RUN_COLOURS[1]


def test_marks_are_drawn_larger(person, view) -> None:
    screen = person.window.replay.view
    choose(person, page(person, "Marks").control("mark_percent"), 125)
    assert screen._mark_size == 1.25
    person.press("Ctrl+Z")
    assert screen._mark_size == 1.0


def test_words_and_numbers_go_where_they_are_used(person, view) -> None:
    field = page(person, "Evaluation").control("annotator")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    person.write("Ada")
    person.press("Return")
    assert person.bench.judge.person == "Ada"
    words = page(person, "Devices").control("asking_words")
    words.setFocus()
    person.write("order, buy ")
    person.press("Return")
    assert person.bench.context.preferences.asking_words == ("order", "buy")
    choose(person, page(person, "Data and storage").control("cache_megabytes"), 128)
    assert person.bench.context.cache.statistics.limit == 128 * 2**20
    person.click(page(person, "Replay").control("neighbours"))
    assert not person.bench.commands.actions["view.neighbours"].isChecked()


def test_a_command_elsewhere_shows_on_the_page_and_is_no_step_of_its_undo(person, view) -> None:
    person.choose("theme.light")
    assert page(person, "Appearance").control("theme").currentText() == "Light"
    assert not view.undo.isEnabled()


def test_settings_are_found_by_words_on_all_pages(person, view) -> None:
    person.press("Ctrl+F")
    assert view.search.hasFocus()
    person.write("colour")
    assert view.shown_pages() == ["Marks"] and view.page == "Marks"
    view.search.empty()
    assert len(view.shown_pages()) == 10
    view.search.setFocus()
    person.write("vocabulary")
    assert "Limits" in view.shown_pages() and "Appearance" not in view.shown_pages()


def test_caches_are_counted_and_cleaned_and_nothing_else(person, view) -> None:
    folder = user_cache_dir() / "texts"
    folder.mkdir(parents=True)
    (folder / "one.json").write_bytes(b"x" * 3_000_000)
    person.press("Escape")
    person.press("Ctrl+,")
    person.until(lambda: "texts" in page(person, "Data and storage").shown(), "the caches")
    storage = page(person, "Data and storage")
    assert "store" in storage.shown()
    assert "Clean" not in storage.control("store").text()  # type: ignore[attr-defined]
    store = Path(person.bench.context.places.store_url.removeprefix("sqlite:///"))
    person.click(storage.control("texts"))
    person.until(lambda: not folder.exists(), "the cache is gone")
    assert store.exists()
    person.until(lambda: "texts" not in storage.shown(), "the page knows")


def test_privacy_names_every_machine_that_anything_goes_to(person, view) -> None:
    person.until(lambda: "nobody" in page(person, "Privacy").shown(), "nobody")
    servers.add(servers.ChatServer(name="lab", url="https://models.example.org/v1"))
    person.bench.context.prefer(addresses=("192.168.7.7:5555",))
    person.press("Escape")
    person.press("Ctrl+,")
    privacy = page(person, "Privacy")
    person.until(lambda: len([name for name in privacy.shown() if name.startswith("host")]) == 2, "two hosts")
    told = [line.row.words for line in privacy._lines.values()]
    assert "models.example.org" in told and "192.168.7.7:5555" in told


def test_servers_elsewhere_are_refused_and_allowed_again_with_a_click(person, view) -> None:
    person.until(lambda: "servers elsewhere" in page(person, "Privacy").shown(), "the choice")
    privacy_page = page(person, "Privacy")
    for told, refused in (("refused", True), ("asked", False)):
        person.click(privacy_page.control("servers elsewhere"))
        person.until(lambda: privacy.only_here() is refused, told)  # noqa: B023 - waited for at once
        person.until(lambda: privacy_page._lines["servers elsewhere"].row.value == told, "the page knows")  # noqa: B023
    assert privacy_page._lines["what was sent"].row.value == "0 requests"


def test_the_palette_leads_to_a_setting_to_a_limit_and_to_a_run(person, guesses) -> None:
    run = person.score(guesses)
    person.choose("workspace.replay")
    palette = person.bench.help.palette
    for words, page in (("size of marks", "Marks"), ("text size", "Appearance")):
        person.press("Ctrl+K")
        person.write(words)
        person.settle()
        person.press("Return", palette.line)
        person.settle()
        assert person.window.workspace == "preferences" and person.window.preferences.page == page
        person.press("Escape")
    name = person.bench.results.name_of(run)
    person.press("Ctrl+K")
    person.write(name)
    person.settle()
    person.press("Return", palette.line)
    person.until(lambda: person.window.workspace == "results", "Results")
    assert person.bench.results.current.id == run


def test_the_compute_device_reaches_the_menu_and_the_form_that_is_open(person, view) -> None:
    person.bench.evaluate.show_form(Task.FEASIBILITY, "feasibility-mlp")
    person.settle()
    compute = person.window.evaluate.fields.compute
    assert compute.currentData() == "auto"
    choose(person, page(person, "Evaluation").control("device"), "cpu")
    assert compute.currentData() == "cpu"
    checked = [name for name in ("compute.auto", "compute.cpu") if person.bench.commands.actions[name].isChecked()]
    assert checked == ["compute.cpu"]


def test_who_works_under_a_name_is_told_before_it_is_anothers(person, view) -> None:
    context, told = person.bench.context, []
    context.prefer(annotator="Ada")
    context.annotator_leaves.connect(lambda: told.append(("leaves", context.preferences.annotator)))
    context.annotator_changed.connect(lambda: told.append(("changed", context.preferences.annotator)))
    field = page(person, "Evaluation").control("annotator")
    field.setFocus()
    field.selectAll()
    person.write("Grace")
    person.press("Return")
    assert told == [("leaves", "Ada"), ("changed", "Grace")]
    context.prefer(theme="light")
    assert len(told) == 2, "another preference is no other name"


def test_pages_are_a_menu_where_the_window_is_narrow(person, view) -> None:
    person.window.resize(1024, 680)
    person.until(view.menu.isVisible, "the menu")
    assert not view.list.isVisible() and view.menu.hasFocus(), "the keyboard went along"
    assert view.menu.count() == view.list.count()
    view.menu.setCurrentIndex(view.menu.findText("Marks"))
    view.menu.activated.emit(view.menu.currentIndex())
    assert view.page == "Marks"
    person.window.resize(1600, 1000)
    person.until(view.list.isVisible, "the list")
    assert view.list.hasFocus() and view.list.currentItem().text() == "Marks" and not view.menu.isVisible()
