"""Evaluate ▸ Check the References: what fails is seen rule by rule, opened, and called defective in one change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from stepscope.app.gui.features.evaluate.references_controller import ReferencesController
from stepscope.core.domain.action import Swipe, Tap, Target, Wait
from stepscope.core.domain.annotation import AnnotationKind, Defect
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.repositories import annotations
from tests.app.gui.conftest import OpenWindow, Person, picture

SIZE = Size(108, 240)


def at(x: float, y: float) -> Point:
    return Point(x, y, SIZE)


@pytest.fixture
def doubtful(tmp_path: Path) -> Path:
    """Two episodes; in each a tap beside its own box (wrong where a point must lie in the box), one in a box of nearly
    the whole screen, and one that is right."""
    folder = tmp_path / "doubtful"
    folder.mkdir()
    file = folder / "screen.png"
    file.write_bytes(picture(120))
    seen = Observation(SIZE, Picture(file, SIZE))
    small, large = Box(10, 10, 40, 30, SIZE), Box(0, 0, 108, 200, SIZE)
    steps = (
        Step(0, seen, Tap(at(90, 200), Target(small)), "beside"),
        Step(1, seen, Tap(at(50, 50), Target(large)), "large"),
        Step(2, seen, Tap(at(20, 20), Target(small)), "right"),
        Step(3, seen, Swipe(at(50, 200), at(50, 50)), "up"),
        Step(4, seen, Wait(), "wait"),
    )
    for name in ("one", "two"):
        write_recording(Episode(name, "recording", Platform.ANDROID, f"Goal {name}", steps), folder / name)
    file.unlink()
    return folder


@pytest.fixture
def checked(open_window: OpenWindow, doubtful: Path) -> tuple[Person, ReferencesController]:
    person = open_window(doubtful)
    person.choose("evaluate.references")
    found = person.bench._evaluate.references
    assert found.page is not None
    person.until(lambda: found.page.rules.rowCount(), "the rules")
    person.settle()
    return person, found


def choose_rule(page, name: str) -> None:
    places = [place for place in range(page.rules.rowCount()) if page.rules.row(place).id == name]
    page.rule_table.setCurrentIndex(page.rules.index(places[0], 0))


def defects(person: Person, source: Path) -> dict[tuple[str, int | None], str]:
    with person.bench.context.database.reading() as db:
        found = annotations.of_source(db, str(source), AnnotationKind.DEFECT)
    return {(one.episode, one.step): one.value for one in found}


def test_what_fails_is_listed_by_rule_opened_and_called_defective_in_one_change(checked, doubtful: Path) -> None:
    person, found = checked
    page = found.page
    assert page.told().startswith("2 of 10 recorded actions of doubtful fail under a rule.")
    choose_rule(page, "motif-point")
    assert [(page.rows.row(n).episode, page.rows.row(n).step) for n in range(page.rows.rowCount())] == [
        ("one", 0), ("two", 0),
    ]  # fmt: skip
    choose_rule(page, "large")
    assert [page.rows.row(n).step for n in range(page.rows.rowCount())] == [1, 1]
    choose_rule(page, "")
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        page.window().grab().save(f"{folder}/references.png")
    page.table.opened.emit(page.rows.index(1, 0))
    person.until(lambda: person.place == ("two", 0), "the step")

    page.reason.setCurrentText("several right answers")
    page.mark.click()
    person.settle()
    said = {("one", 0): "several right answers", ("two", 0): "several right answers"}
    assert defects(person, doubtful) == said
    person.until(lambda: page.rows.defect(0) == Defect.SEVERAL_RIGHT.value, "the flag beside the rows")
    assert page.chosen() == [] and not page.mark.isEnabled()
    QTest.keySequence(page.table, QKeySequence("Ctrl+Z"))  # the page is a window of its own
    person.settle()
    assert defects(person, doubtful) == {}
    person.until(lambda: len(page.chosen()) == 2, "they can be called defective again")

    page.table.selectRow(0)
    page.mark.click()
    person.settle()
    assert set(defects(person, doubtful)) == {("one", 0)}
    page.window().close()
    person.settle()
    assert found.page is None


def test_stopped_it_says_nothing_and_can_be_made_again(open_window: OpenWindow, doubtful: Path) -> None:
    person = open_window(doubtful)
    person.choose("evaluate.references")
    found = person.bench._evaluate.references
    found.stop()
    person.until(lambda: not found.is_running, "the end")
    person.settle()
    assert found.page is not None
    found.page.check.click()
    person.until(lambda: found.page.rules.rowCount(), "the rules")
    person.settle()
    found.page.close_wanted.emit()
    person.settle()
