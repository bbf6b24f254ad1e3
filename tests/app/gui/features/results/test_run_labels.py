"""What people say of runs, in the window: names by F2, tags, pinned, put away; undone, kept, and never overwritten."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from stepscope.core.domain.run import RunLabels
from stepscope.core.store.repositories import runs


@pytest.fixture
def two_runs(person):
    """The person in Results, where two runs of one model differ in nothing but their seed."""
    for seed in (1, 2):
        person.evaluate("random", "aitw", seed=seed)
    person.choose("workspace.results")
    person.settle()
    return person


def names(person) -> list[str]:
    return [person.bench.results.name_of(run) for run in person.bench.results.run_ids]


def stored(person, run: str) -> RunLabels:
    with person.bench.context.database.reading() as db:
        return runs.get(db, run).labels


def rename(person, words: str) -> None:
    person.press("F2")
    person.settle()
    editor = person.window.runs.list.findChildren(QLineEdit)[-1]
    editor.selectAll()
    QTest.keyClicks(editor, words)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    person.settle()


def shown_names(person) -> set[str]:
    return {card.shown.name for card in person.window.inspector.step_page.cards}


def test_a_name_is_typed_shown_everywhere_undone_and_kept(two_runs, open_window) -> None:
    person, results = two_runs, two_runs.bench.results
    assert names(person) == ["random · aitw · seed 2", "random · aitw · seed 1"]
    run = results.current.id
    rename(person, "The baseline")
    assert names(person) == ["The baseline", "random · aitw"] and stored(person, run).name == "The baseline"
    person.choose("workspace.replay")
    person.settle()
    assert shown_names(person) == {"The baseline", "random · aitw"}
    person.press("Ctrl+Z")
    person.until(lambda: stored(person, run).name == "", "the undone name")
    assert names(person)[0] == "random · aitw · seed 2"
    person.press("Ctrl+Shift+Z")
    person.until(lambda: stored(person, run).name == "The baseline", "the name again")
    person.close()
    again = open_window()
    again.until(lambda: shown_names(again), "the runs' cards")
    again.settle()
    assert again.window.workspace == "replay" and shown_names(again) == {"The baseline", "random · aitw"}, "not ids"


def test_what_somebody_else_said_meanwhile_is_not_overwritten(two_runs) -> None:
    person, database = two_runs, two_runs.bench.context.database
    run = person.bench.results.current.id
    theirs = RunLabels("Theirs", tags=("kept",))
    with database.unit_of_work() as db:
        runs.set_labels(db, run, theirs)
    rename(person, "Mine")
    person.until(lambda: names(person)[0] == "Theirs", "theirs")
    assert stored(person, run) == theirs
    assert any("Somebody else has changed" in words for words in person.told)


def test_a_pinned_run_stands_first_and_an_archived_one_is_put_away(two_runs) -> None:
    person, results = two_runs, two_runs.bench.results
    newer, older = results.run_ids
    model = person.window.runs.model

    def listed() -> list[str]:
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    assert listed()[1:] == ["random · aitw · seed 2", "random · aitw · seed 1"]
    results.choose(older)
    person.settle()
    person.press("Shift+P")
    person.until(lambda: stored(person, older).pinned, "the pin")
    assert listed()[1:] == ["random · aitw · seed 1", "random · aitw · seed 2"]
    person.choose("run.archive")
    person.until(lambda: stored(person, older).archived, "the archive")
    assert listed()[1:] == ["random · aitw · seed 2", "Archived"] and older not in person.bench.context.selection.runs
    person.press("Ctrl+Z")
    person.until(lambda: not stored(person, older).archived, "the run out again")
    assert stored(person, older) == replace(RunLabels(), pinned=True)
    assert newer in results.run_ids
