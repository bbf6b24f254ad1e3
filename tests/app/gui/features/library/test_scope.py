"""What is looked at: one data set or all that are open as one list, and the runs of one task."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QComboBox, QMenu

from stepscope.app.gui.features.library.listed_sources import ListedSources
from stepscope.core.domain.prediction import Task
from tests.app.gui.conftest import Person

GOALS = ["Buy a lamp", "Order a chair", "Take the tour"]


@pytest.fixture
def two(open_window, shop: Path, tmp_path: Path) -> Person:
    """Two data sets of one name; the second one is current."""
    other = Path(shutil.copytree(shop, tmp_path / "lab" / "shop"))
    shutil.rmtree(other / "3")
    person: Person = open_window(shop)
    person.open(other)
    person.until(lambda: person.goals == GOALS[:2], "the second list")
    return person


def entries(menu: QMenu) -> list[str]:
    menu.aboutToShow.emit()
    return [action.text() for action in menu.actions() if action.text() and action.isCheckable()]


def choose(menu: QMenu, words: str) -> None:
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text().startswith(words)).trigger()


def path(person: Person) -> Path:
    assert person.selection.source is not None
    return person.selection.source.source.path


def test_equal_names_are_told_apart_and_one_key_leads_to_the_next(two, shop, tmp_path) -> None:
    bar = two.window.episodes.scope
    assert bar.source.name == "shop (lab)"
    assert bar.detail() == "2"
    names = [entry.split("\t") for entry in entries(bar.source.menu())]
    assert [name for name, _count in names] == [f"shop ({shop.parent.name})", "shop (lab)", "All 2 as one list"]
    assert [count for _name, count in names] == ["3 episodes", "2 episodes", "5 episodes"]
    assert two.window.status.text("sources") == f"shop ({shop.parent.name}) 3 · shop (lab) 2"
    assert two.window.windowTitle() == "shop (lab) – Stepscope"
    two.press("Ctrl+PgDown")
    two.until(lambda: two.goals == GOALS, "the first list")
    assert path(two) == shop and bar.source.name == f"shop ({shop.parent.name})"


def test_all_are_one_list_with_one_filter(two, shop, tmp_path) -> None:
    bar = two.window.episodes.scope
    two.press("Ctrl+Shift+L")
    two.until(lambda: two.goals == [*GOALS, *GOALS[:2]], "all rows")
    assert bar.source.name == "All 2 data sets" and bar.detail() == "5"
    assert two.bench.commands.actions["scope.together"].isChecked()
    two.press("/")
    two.write("lamp")
    two.until(lambda: two.goals == ["Buy a lamp"] * 2, "the filtered list")
    assert bar.detail() == "2 of 5"
    here = path(two)
    view = two.window.episodes
    view.go_to(0)
    two.until(lambda: path(two) == shop and two.selection.episode is not None, "the lamp of the other shop")
    assert here != shop and two.goals == ["Buy a lamp"] * 2, "the list and its filter stay"
    assert two.bench.library.filter_text == "lamp" and two.bench.library.ids == ("lamp",)
    assert view.current_position() == 0


def test_the_next_episode_leads_from_one_data_set_into_the_other_and_back_leads_back(two, shop) -> None:
    two.press("Ctrl+Shift+L")
    two.until(lambda: len(two.goals) == 5, "all rows")
    two.window.episodes.go_to(2)
    two.until(lambda: two.selection.episode is not None and two.selection.episode.id == "tour", "the tour")
    two.window.replay.view.setFocus()
    two.choose("episode.next")
    two.until(lambda: two.selection.episode is not None and two.selection.episode.id == "lamp", "the next")
    assert path(two) != shop and two.window.episodes.current_position() == 3
    two.settle()
    two.press("Alt+Left")
    two.until(lambda: path(two) == shop and two.selection.episode is not None, "back")
    assert two.selection.episode.id == "tour" and two.window.episodes.current_position() == 2


def test_one_of_all_is_looked_at_alone_again_and_closed_data_leaves_the_list(two, shop) -> None:
    two.press("Ctrl+Shift+L")
    two.until(lambda: len(two.goals) == 5, "all rows")
    choose(two.window.episodes.scope.source.menu(), f"shop ({shop.parent.name})")
    two.until(lambda: two.goals == GOALS, "one list")
    two.press("Ctrl+Shift+L")
    two.until(lambda: len(two.goals) == 5, "all rows")
    two.choose("source.close")
    two.until(lambda: two.goals == GOALS[:2], "what is left")
    assert two.window.episodes.scope.source.name == "shop"


def test_the_scope_comes_back_at_the_next_start(two, open_window) -> None:
    two.press("Ctrl+Shift+L")
    two.until(lambda: len(two.goals) == 5, "all rows")
    two.bench._library.scope.set_task(Task.AUTOMATION)
    two.close()
    again = open_window()
    again.until(lambda: len(again.goals) == 5, "all rows again")
    assert again.window.episodes.scope.task.name == "Task automation"


def test_runs_of_one_task_are_looked_at_and_the_others_wait_greyed(person, guesses) -> None:
    run = person.score(guesses)
    before = set(person.bench.results.run_ids)
    person.choose("evaluate.feasibility")
    form = person.window.evaluate
    model = form.findChild(QComboBox, "model")
    person.until(lambda: model.findData("never-feasible") >= 0, "the models")
    model.setCurrentIndex(model.findData("never-feasible"))
    form.run()
    feasible = person.done(before)
    person.selection.set_runs([run, feasible])
    person.choose("workspace.replay")
    person.settle()
    bar = person.window.episodes.scope
    assert [entry.split("\t")[0] for entry in entries(bar.task.menu())] == [
        "All tasks", "Feasibility", "Task automation"
    ]  # fmt: skip
    choose(bar.task.menu(), "Feasibility")
    assert list(person.selection.runs) == [feasible] and person.selection.letter_of(feasible) == "B"
    assert bar.task.name == "Feasibility"
    rows = {row.id: row for row in person.bench.results.rows()}
    assert rows[run].elsewhere and rows[run].group.startswith("Other tasks: ") and not rows[feasible].elsewhere
    assert rows[run].letter == 0, "it keeps its letter and its tick"
    choose(bar.task.menu(), "All tasks")
    assert list(person.selection.runs) == [run, feasible]


class _Listing:
    def __init__(self, ids: tuple[str, ...]) -> None:
        self.ids = ids


class _Source:
    def __init__(self, key: str) -> None:
        self.key = key


@given(
    parts=st.lists(st.lists(st.text(max_size=3), max_size=6), max_size=5),
    offset=st.integers(0, 30),
    limit=st.integers(0, 30),
)
def test_any_stretch_of_the_list_is_that_of_all_rows_one_behind_the_other(parts, offset, limit) -> None:
    whole = [(number, one) for number, ids in enumerate(parts) for one in ids]
    listed = ListedSources([(_Source(str(n)), _Listing(tuple(ids))) for n, ids in enumerate(parts)])  # type: ignore[misc]
    assert listed.total == len(whole)
    found = []
    for rows in listed.rows(offset, limit):
        assert rows.first == offset + len(found)
        found += [(int(rows.source.key), one) for one in rows.ids]
    assert found == whole[offset : offset + limit]
    at = listed.at(offset)
    assert (None if at is None else (int(at[0].key), at[1])) == (whole[offset] if offset < len(whole) else None)


def test_data_that_is_read_anew_is_listed_anew_among_all(two) -> None:
    two.press("Ctrl+Shift+L")
    two.until(lambda: len(two.goals) == 5, "all rows")
    shutil.rmtree(path(two) / "2")
    two.choose("source.rescan")
    two.settle()
    two.until(lambda: two.goals == [*GOALS, GOALS[0]], "without what is gone")
