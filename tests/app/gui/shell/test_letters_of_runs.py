"""Letters of runs in the window: they come back with their data, and none names another run unsaid."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from stepscope.app.gui.shell.run_letters import LETTERS


def lettered(person, data) -> str:
    """The letters of the ticked runs by their seeds, such as "A1 C3"."""
    runs = person.selection.runs_on(str(data.resolve()))
    return " ".join(f"{LETTERS[at]}{person.bench.results.run_of(run).spec.seed}" for run, at in runs.items())


def tick(person, run: str) -> None:
    """Go to a run in the list of Results and press Space."""
    person.window.runs.list.setFocus()
    person.window.runs.list.setCurrentIndex(person.window.runs.model.index_of(run))
    QTest.keyClick(person.window.runs.list, Qt.Key.Key_Space)
    person.settle()


@pytest.fixture
def three_runs(person):
    """The person in Results, where three runs differ in nothing but their seed; the first two are ticked."""
    for seed in (1, 2, 3):
        person.evaluate("random", "aitw", seed=seed)
    person.choose("workspace.results")
    person.settle()
    return person


def test_letters_come_back_though_other_data_was_opened_first(three_runs, open_window, shop, own_shop) -> None:
    person = three_runs
    third, _second, first = person.bench.results.run_ids
    tick(person, first)
    tick(person, third)
    assert lettered(person, shop) == "B2 C3"
    person.close()

    again = open_window(own_shop)
    again.press("Ctrl+W")
    again.settle()
    assert again.bench.context.sources == []
    again.choose("workspace.results")
    again.settle()
    assert lettered(again, shop) == "B2 C3"
    tick(again, first)
    assert lettered(again, shop) == "A1 B2 C3"
    again.open(shop)
    assert lettered(again, shop) == "A1 B2 C3"
    again.close()

    last = open_window()
    last.until(lambda: last.place is not None, "the last session")
    last.settle()
    assert lettered(last, shop) == "A1 B2 C3"


def test_a_letter_that_passes_to_another_run_says_so_and_can_be_taken_back(three_runs, shop) -> None:
    person = three_runs
    third, second, first = person.bench.results.run_ids
    others = [f"other{number}" for number in range(6)]
    person.selection.set_runs((first, second, *others), str(shop.resolve()))
    tick(person, second)
    assert person.told == []
    tick(person, third)
    assert person.selection.runs_on(str(shop.resolve()))[third] == LETTERS.index("B")
    assert person.told == ["B is now random · aitw · seed 3. Before it was random · aitw · seed 2."]
    next(one for one in person.window.messages.findChildren(QPushButton) if one.text() == "Undo").click()
    person.settle()
    assert person.told == [] and third not in person.selection.runs_on(str(shop.resolve()))
    tick(person, second)
    assert person.selection.runs_on(str(shop.resolve()))[second] == LETTERS.index("B")


def test_the_chosen_run_and_what_is_new_come_back(three_runs, open_window) -> None:
    person = three_runs
    third, second, first = person.bench.results.run_ids
    person.window.runs.list.setCurrentIndex(person.window.runs.model.index_of(second))
    person.settle()
    person.bench.results.tell_new(third)
    person.close()

    again = open_window()
    again.until(lambda: again.place is not None, "the last session")
    again.choose("workspace.results")
    again.settle()
    assert again.bench.results.current.id == second
    assert again.window.runs.list.currentIndex() == again.window.runs.model.index_of(second)
    assert {row.id: row.is_new for row in again.window.runs.model.runs()} == {first: False, second: False, third: True}
    tick(again, third)
    again.choose("workspace.replay")
    again.settle()
    assert again.bench.results.new == frozenset(), "it is drawn"
