"""The pages of Tools and Help: what ran, defects, agreement, performance, licences; searched, followed, written."""

from __future__ import annotations

import csv
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from stepscope.app.gui.features.tools.presenter import task_sections
from stepscope.app.gui.shell.task_history import EndedWork
from stepscope.core.domain.run import RunState
from stepscope.widgets.annotate.defect_menu import DefectMenu
from stepscope.widgets.reports import ReportPage, ReportRow, ReportSection


def opened(person, command: str, title: str) -> ReportPage:
    person.choose(command)
    person.until(lambda: title in person.bench.tools.pages, "the page")
    page: ReportPage = person.bench.tools.pages[title]
    person.until(lambda: bool(page.tables), "its tables")
    assert page.isVisible()
    return page


def cells(page: ReportPage) -> list[tuple[str, ...]]:
    return [row.cells for row in page.shown()]


def test_tasks_tell_what_ran_lead_to_a_run_and_do_it_again(person, guesses) -> None:
    run = person.score(guesses)
    person.choose("workspace.replay")
    page = opened(person, "tools.tasks", "Tasks")
    (row,) = [row for row in page.shown() if row.key == run]
    assert row.cells[1:3] == ("Task automation", "shop") and row.cells[-1] == "done" and row.again
    assert row.cells[4] == "6 of 6"
    page.choose(run)
    person.click(page.open_button)
    assert person.window.workspace == "results" and person.bench.results.current.id == run
    person.click(page.again_button)
    person.settle()
    assert person.window.evaluate.isVisible()
    page.window().close()
    person.settle()
    assert person.bench.tools.pages == {}


def test_what_went_wrong_in_this_window_is_told_with_its_reason(person) -> None:
    def fail(_token: object) -> None:
        raise OSError("the disk is gone")

    person.bench.context.start("copy a file", fail, failed=lambda _error: None)
    person.settle()
    page = opened(person, "tools.tasks", "Tasks")
    assert ("Copy a file", "failed: the disk is gone") in [(row[0], row[-1]) for row in cells(page) if len(row) == 4]
    page.search.setFocus()
    person.write("disk")
    assert [row[0] for row in cells(page)] == ["Copy a file"]
    page.window().close()


def test_a_run_that_was_interrupted_goes_on_from_here(person, guesses) -> None:
    run = person.score(guesses)
    asked: list[str] = []
    person.bench.tools._again = asked.append
    page = opened(person, "tools.tasks", "Tasks")
    page.again.disconnect()
    page.again.connect(asked.append)
    page.choose(run)
    person.click(page.again_button)
    assert asked == [run] and person.state_of(run) is RunState.DONE
    page.window().close()


def test_defects_are_listed_by_kind_and_lead_to_their_step(person) -> None:
    person.press("Right")
    person.settle()
    shown = person.place
    person.press("X")
    person.settle()
    menu = person.window.findChild(DefectMenu)
    QTest.keyClicks(menu, "2")
    person.settle()
    person.press("Home")
    person.settle()
    page = opened(person, "tools.defects", "Defects")
    (row,) = page.shown()
    assert row.cells[:2] == (shown[0], str(shown[1] + 1))
    page.choose(row.key)
    person.click(page.open_button)
    person.until(lambda: person.place == shown, "the step")
    page.window().close()


def test_the_check_of_a_source_says_what_was_looked_at_and_follows_what_is_open(person, own_shop) -> None:
    (own_shop / "2" / "episode.json").write_text('{"format": "stepscope-recording", "version": 99}', "utf-8")
    page = opened(person, "source.problems", "Check Source")
    assert page.heading.text() == "Check Source: shop"
    counts = {row[0]: row[1] for row in cells(page)}
    assert (counts["Records"], counts["Open"], counts["Left out"], counts["Problems"]) == ("3", "3", "0", "0")
    assert "Nothing is wrong." in [about.text() for _heading, about, _table in page._parts]

    person.open(own_shop)
    person.settle()
    assert page.heading.text() == "Check Source: own shop"
    (wrong,) = [row for row in cells(page) if len(row) == 4]
    assert wrong[0] == "2/episode.json" and "version 99" in wrong[3]
    shutil.copy(own_shop.parent / "own shop" / "1" / "episode.json", own_shop / "2" / "episode.json")
    (again,) = [one for one in page.findChildren(QPushButton) if one.text() == "Check Again"]
    person.click(again)
    person.until(lambda: {row[0]: row[1] for row in cells(page)}.get("Problems") != "1", "another answer")
    page.window().close()


def test_a_page_is_closed_by_its_button_and_by_escape_when_nothing_is_searched(person) -> None:
    page = opened(person, "help.licences", "Licences")
    assert page.heading.text() == "Licences"
    page.search.setFocus()
    person.write("numpy")
    page.tables[1].setFocus()
    QTest.keyClick(page.tables[1], Qt.Key.Key_Escape)
    assert page.isVisible() and page.search.text() == ""
    QTest.keyClick(page.tables[1], Qt.Key.Key_Escape)
    person.settle()
    assert person.bench.tools.pages == {}
    person.click(opened(person, "help.licences", "Licences").close_button)
    person.settle()
    assert person.bench.tools.pages == {}


def test_agreement_says_what_is_missing_where_nobody_has_judged(person) -> None:
    page = opened(person, "tools.agreement", "Agreement")
    assert cells(page) == []
    told = [about.text() for _heading, about, _table in page._parts]
    assert any("Judge" in words for words in told)
    page.window().close()


def test_performance_counts_the_steps_that_were_shown(person) -> None:
    for _ in range(3):
        person.press("Right")
        person.settle()
    page = opened(person, "tools.performance", "Performance")
    facts = {row[0]: row[1] for row in cells(page)}
    assert int(facts["Steps shown"]) >= 3 and facts["Memory of this window"].endswith(("MB", "GB"))
    before = int(facts["Steps shown"])
    person.window.activateWindow()
    person.window.replay.view.setFocus()
    person.choose("step.first")
    person.settle()
    page.refresh_wanted.emit()
    assert int({row[0]: row[1] for row in cells(page)}["Steps shown"]) > before
    page.window().close()


def test_licences_name_what_the_program_stands_on_and_none_forbids_it(person) -> None:
    page = opened(person, "help.licences", "Licences")
    found = {row[0]: row[2] for row in cells(page)}
    assert found["Stepscope"] == "Apache-2.0"
    assert {"numpy", "SQLAlchemy"} <= set(found) and any(name.startswith("PySide6") for name in found)
    forbidden = [
        name for name, licence in found.items()
        if ("GPL" in licence or "General Public" in licence) and "LGPL" not in licence and "Lesser" not in licence
    ]  # fmt: skip
    assert forbidden == []
    page.window().close()


def test_a_page_is_copied_and_saved(person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(person, "help.licences", "Licences")
    page.copy()
    assert "Stepscope\t\tApache-2.0" in QGuiApplication.clipboard().text()
    file = tmp_path / "licences.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    page.save_wanted.emit()
    person.until(file.exists, "the file")
    with file.open(encoding="utf-8", newline="") as lines:
        assert ["", "Stepscope", "", "Apache-2.0"] in list(csv.reader(lines))
    page.window().close()


def test_one_row_of_all_tables_is_chosen_and_stays_chosen_when_it_is_looked_up_anew(qtbot) -> None:
    page = ReportPage("Test", open_words="Show")
    qtbot.addWidget(page)
    first = ReportSection("One", ("A", "B"), (ReportRow(("1", "x"), "one"), ReportRow(("2", "y"))))
    second = ReportSection("Two", ("C",), (ReportRow(("3",), "three"),))
    page.set_sections([first, second])
    page.choose("one")
    page.choose("three")
    assert page.current_key() == "three" and page.tables[0].selectedItems() == []
    page.set_sections([second, first])
    assert page.current_key() == "three"
    page.search.setText("two")
    assert [row.cells for row in page.shown()] == [("3",), ("2", "y")][:1]


def test_work_of_one_name_is_one_row() -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    ended = [
        EndedWork("thumbnail", "reader", now, 0.2, "succeeded"),
        EndedWork("thumbnail", "reader", now, 0.7, "succeeded"),
        EndedWork("thumbnail", "reader", now, 0.05, "succeeded"),
        EndedWork("thumbnail", "reader", now, 0.01, "failed", "no such file"),
    ]
    (_working, _runs, here) = task_sections([], ended, [])
    assert [(row.cells[0], row.cells[2], row.cells[3], row.state) for row in here.rows] == [
        ("Thumbnail", "2 times, up to 0.7 s", "done", ""),
        ("Thumbnail", "10 ms", "failed: no such file", "bad"),
    ]
