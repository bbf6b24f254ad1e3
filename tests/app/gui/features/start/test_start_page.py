"""The start page: what it lists, what its keys do, when it comes and when it goes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from sqlalchemy import update

from stepscope.app.services.machine import Readiness
from stepscope.app.services.sample_runs import EPISODE, STEP
from stepscope.core.store.tables import RunRow

READY = Readiness("", ("no GPU", "adb found", "no model server"))


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks the tools of the machine on which it runs."""
    monkeypatch.setattr("stepscope.app.services.machine.readiness", lambda _store: READY)


def page_of(person):
    person.until(lambda: person.window.workspace == "start", "the page")
    person.settle()
    return person.window.start


def titles(listing) -> list[str]:
    return [row.text() for row in listing.rows()]


def test_closing_the_last_data_shows_it_and_enter_opens_the_sample(person) -> None:
    person.press("Ctrl+W")
    page = page_of(person)
    assert [name for name, dock in person.window.docks.items() if dock.isVisible()] == []
    assert QApplication.focusWidget() is page.sample.open_button
    assert page.ready_words == "This machine is ready · no GPU · adb found · no model server"
    assert page.sample.phones() == 2
    person.press("Return")
    person.arrive(EPISODE, STEP)
    person.until(lambda: len(person.selection.runs) == 2, "the runs")
    assert person.window.workspace == "replay" and person.window.docks["episodes"].isVisible()
    person.press("N")
    person.arrive(EPISODE, STEP + 1)


def test_its_key_brings_it_and_escape_leads_back(person) -> None:
    person.press("Ctrl+6")
    person.settle()
    person.press("Ctrl+Shift+H")
    page_of(person)
    assert person.bench.session.state()["workspace"] == "live", "no session begins with the page"
    assert person.bench.commands.actions["view.start"].isChecked()
    person.press("Escape")
    assert person.window.workspace == "live" and person.window.docks["devices"].isVisible()


def test_n_on_the_page_goes_on_to_the_next_wrong_step(person) -> None:
    person.press("Ctrl+Shift+H")
    page_of(person)
    person.press("N")
    person.arrive(EPISODE, STEP + 1)


def test_it_does_not_come_where_nobody_wants_it(person) -> None:
    person.press("Ctrl+Shift+H")
    page = page_of(person)
    page.tour.shown.setFocus()
    person.press("Space")
    person.press("Escape")
    person.press("Ctrl+W")
    person.settle()
    assert person.window.workspace == "replay" and person.selection.source is None


def test_equal_names_are_told_apart_and_rows_open_pin_and_go(person, shop, tmp_path) -> None:
    other = Path(shutil.copytree(shop, tmp_path / "archive" / "shop"))
    person.open(other)
    person.press("Ctrl+Shift+H")
    page = page_of(person)
    rows = page.data.rows()
    assert titles(page.data) == ["shop", "shop"]
    assert [row.accessibleName() for row in rows] == [
        "shop, archive · Stepscope recordings", f"shop, {shop.parent.name} · Stepscope recordings",
    ]  # fmt: skip
    assert rows[0].accessibleDescription().startswith("32 steps, today"), "5 + 3 + 24"
    person.click(rows[1].findChild(QToolButton))
    person.settle()
    assert [row.row_value.pinned for row in page.data.rows()] == [True, False]
    page.data.rows()[1].setFocus()
    person.press("Delete")
    person.settle()
    assert person.bench.context.preferences.recent == (str(shop),) and other.exists()
    assert QApplication.focusWidget() is page.data.rows()[0], "the keyboard stays in the list"
    person.press("Return")
    person.until(lambda: person.window.workspace == "replay", "the data")
    assert person.selection.source.source.path == shop


def test_data_that_is_gone_is_located_again(person, own_shop, tmp_path, pick) -> None:
    person.open(own_shop)
    own_shop.rename(tmp_path / "moved")
    person.bench.context.prefer(recent_pinned=(str(own_shop),))
    person.press("Ctrl+Shift+H")
    page = page_of(person)
    gone = page.data.rows()[0]
    assert gone.accessibleName().endswith("not found on this machine")
    assert gone.findChild(QPushButton).text() == "Locate again"
    pick(tmp_path / "moved")
    person.click(gone.findChild(QPushButton))
    person.until(lambda: person.selection.source.title == "moved", "the data at its new place")
    person.settle()
    kept = person.bench.context.preferences
    assert kept.recent[0] == str(tmp_path / "moved") and str(own_shop) not in kept.recent
    assert kept.recent_pinned == (str(tmp_path / "moved"),)


def test_a_run_that_stopped_can_be_resumed_and_a_new_one_is_marked(person, guesses) -> None:
    done = person.evaluate()
    person.score(guesses)
    database = person.bench.context.database
    with database.unit_of_work() as db:
        db.execute(update(RunRow).where(RunRow.id == done).values(state="interrupted", total=40))
    person.bench.results.reload()
    person.settle()
    person.bench.results.tell_new(person.bench.results.run_ids[0])
    person.press("Ctrl+Shift+H")
    page = page_of(person)
    imported, stopped = page.runs.rows()
    assert ", new, " in imported.accessibleName()
    assert "29 of 40" in stopped.accessibleName(), "4 + 2 + 23 actions of the shop were scored"
    resumed: list[str] = []
    person.bench.results.resume_requested.connect(resumed.append)
    person.bench.evaluate.work = lambda *_: iter(())
    person.click(stopped.findChild(QPushButton))
    assert resumed == [done]


def test_without_anything_recent_the_lists_give_way_to_the_tour(open_window) -> None:
    person = open_window()
    person.until(lambda: len(person.selection.runs) == 2, "the sample's runs")
    person.press("Ctrl+W")
    page = page_of(person)
    assert not page.data.isVisible() and not page.runs.isVisible()
    assert page.tour.isVisible() and page.tour.begin.text() == "Start the tour"


def test_what_is_missing_stands_in_the_line_at_the_top(person, monkeypatch) -> None:
    missing = Readiness("The store cannot be written: what is done now is lost", ())
    monkeypatch.setattr("stepscope.app.services.machine.readiness", lambda _store: missing)
    person.press("Ctrl+Shift+H")
    page = page_of(person)
    assert page.ready_words == missing.problem


def test_a_narrow_window_shows_one_phone_and_scrolls(person, guesses) -> None:
    person.score(guesses)
    person.press("Ctrl+Shift+H")
    page = page_of(person)
    assert page.sample.phones() == 2 and page.runs.y() == page.data.y()
    person.window.resize(1024, 680)
    person.settle()
    assert page.sample.phones() == 1 and page.runs.y() > page.data.y()
    page.tour.begin.setFocus()
    assert not page.tour.begin.visibleRegion().isEmpty(), "what has the keyboard is in view"


def test_evaluate_with_nothing_open_begins_with_the_sample(person) -> None:
    person.press("Ctrl+W")
    page = page_of(person)
    person.click(page.cards["evaluate.automation"])
    person.until(lambda: person.window.docks["evaluate"].isVisible(), "the form")
    assert person.place == (EPISODE, STEP)


def test_a_start_with_data_open_loads_nothing_of_it(shop, tmp_path) -> None:
    """In a process of its own; what the window loads while nothing else is to be done is there too."""
    code = f"""
import sys
from pathlib import Path
from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.shell.feature import LateFeature
from stepscope.app.gui.walk import wait_for
from stepscope.app.gui.workbench import StartupRequest, Workbench
home = Path({str(tmp_path)!r})
bench = Workbench(make_application(), AppFolders(home / "p.json", home / "w.ini", "sqlite://"))
late = [name for one in bench.features if isinstance(one, LateFeature) for name in one.modules]
bench.begin(StartupRequest((Path({str(shop)!r}),)))
wait_for(lambda: all(name in sys.modules for name in late) and bench.context.selection.episode, "the episode", 60)
mine = ("stepscope.app.gui.features.start.", "stepscope.widgets.start", "stepscope.app.services.recent",
        "stepscope.app.services.sample_runs")
print(sorted(name for name in sys.modules if name.startswith(mine)), bench.close())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0] == "['stepscope.app.gui.features.start.feature'] True"


def test_evaluate_shows_its_form_where_the_samples_runs_are_deleted_too(open_window) -> None:
    person = open_window()
    person.until(lambda: len(person.selection.runs) == 2, "the sample's runs")
    for run in person.bench.results.run_ids:
        person.bench.results.delete_now(run)
    person.until(lambda: not person.bench.results.run_ids, "no runs")
    person.press("Ctrl+W")
    page = page_of(person)
    person.click(page.cards["evaluate.automation"])
    person.until(lambda: person.window.docks["evaluate"].isVisible(), "the form")
