"""Sessions under names: saved, opened in the place of what is open, saved over, deleted; nothing else is lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog

from stepscope.widgets.shell.sessions import SessionsView

GOALS = ["Buy a lamp", "Order a chair", "Take the tour"]


def save_as(person, name: str) -> str:
    """File ▸ Save Session As…, and what was proposed."""
    proposed: list[str] = []
    person.bench.sessions.ask = lambda _parent, text: proposed.append(text) or name
    person.choose("session.save_as")
    person.settle()
    return proposed[0]


def listed(person) -> SessionsView:
    person.choose("session.open")
    person.until(lambda: person.bench.sessions.view is not None, "the list")
    person.settle()
    view = person.bench.sessions.view
    assert view is not None and view.isVisible()
    return view


def names(view: SessionsView) -> list[str]:
    return [view.list.topLevelItem(row).text(0) for row in range(view.list.topLevelItemCount())]


@pytest.fixture
def other(shop: Path, tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(shop, tmp_path / "office"))
    shutil.rmtree(folder / "2")
    return folder


def test_a_session_is_saved_opened_again_and_brings_everything_back(person, shop, other) -> None:
    person.bench.library.set_filter("app:org.example.shop", tell_view=True)
    person.until(lambda: person.goals == GOALS[:2], "the filter")
    person.window.episodes.go_to(1)
    person.until(lambda: person.selection.episode is not None and person.selection.episode.id == "chair", "the chair")
    person.press("Right")
    person.settle()
    assert save_as(person, "chairs") == "shop"
    assert "chairs" in person.told[0]
    person.open(other)
    person.until(lambda: person.goals == [GOALS[0], GOALS[2]], "the other data")
    person.choose("workspace.results")
    view = listed(person)
    assert names(view) == ["chairs"] and view.list.topLevelItem(0).text(1) == "shop"
    person.press("Return", view.list)
    person.until(lambda: person.place == ("chair", 1), "the place of the session")
    person.settle()
    assert person.goals == GOALS[:2] and person.window.workspace == "replay"
    assert [source.source.path for source in person.bench.context.sources] == [shop]
    assert person.bench.library.filter_text == "app:org.example.shop"


def test_save_session_keeps_the_named_one_too(person, shop) -> None:
    save_as(person, "mine")
    person.press("Right")
    person.settle()
    person.press("Ctrl+S")
    person.settle()
    person.press("End")
    person.settle()
    person.bench.sessions.open("mine")
    person.until(lambda: person.place == ("lamp", 1), "where it was saved")


def test_a_name_that_is_taken_is_asked_for_first(person, answer) -> None:
    save_as(person, "one")
    person.bench.sessions.name = ""
    person.press("End")
    person.settle()
    asked = answer("Go back")
    save_as(person, "one")
    assert asked == ["Save over the session “one”?"]
    person.bench.sessions.open("one")
    person.until(lambda: person.place == ("lamp", 0), "it was not saved over")
    person.settle()
    person.press("End")
    person.settle()
    person.bench.sessions.name = ""
    answer("Save over it")
    save_as(person, "one")
    person.press("Home")
    person.settle()
    person.bench.sessions.open("one")
    person.until(lambda: person.place == ("lamp", 4), "what was saved over it")


def test_a_session_is_deleted_after_a_question_and_the_last_one_stays(person, open_window, answer) -> None:
    save_as(person, "one")
    save_as(person, "two")
    view = listed(person)
    assert names(view) == ["two", "one"]
    answer("Delete")
    view.delete_button.click()
    person.settle()
    assert names(view) == ["one"]
    view.window().close()
    person.close()
    again = open_window()
    again.until(lambda: again.goals == GOALS, "the last session")
    assert names(listed(again)) == ["one"]
    again.window.findChild(QDialog).close()


def test_a_session_whose_data_is_gone_changes_nothing(person, other, shop) -> None:
    person.open(other)
    person.until(lambda: len(person.goals) == 2, "the other data")
    person.bench.library.close_current()
    person.settle()
    person.open(other)
    person.until(lambda: len(person.goals) == 2, "the other data")
    person.bench.library.drop(shop)
    person.settle()
    save_as(person, "office")
    person.open(shop)
    person.until(lambda: person.goals == GOALS, "the shop")
    person.bench.library.drop(other)
    shutil.rmtree(other)
    view = listed(person)
    assert "not there" in view.list.topLevelItem(0).text(1)
    person.press("Return", view.list)
    person.settle()
    assert person.goals == GOALS
    assert any("None of the data" in words for words in person.told)
