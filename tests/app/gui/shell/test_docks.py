"""Docks of other workspaces are made when one of them is wanted, and nobody sees that they were not there."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDockWidget

from stepscope.app.gui.shell.idle_loader import IdleLoader
from stepscope.app.gui.shell.layouts import DOCKS, WORKSPACES

FIRST = WORKSPACES["replay"]
BEGIN = IdleLoader.begin


@pytest.fixture(autouse=True)
def nothing_made_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IdleLoader, "begin", lambda *_: None)


def places(person) -> dict[str, tuple[int, int, int, int]]:
    window = person.window
    return {name: dock.geometry().getRect() for name, dock in window.docks.items() if dock.isVisible()}


def made(person) -> list[str]:
    return [dock.objectName() for dock in person.window.findChildren(QDockWidget)]


def test_a_window_starts_with_the_docks_that_it_shows(person) -> None:
    assert sorted(made(person)) == sorted(FIRST)
    assert person.window.is_dock_hidden("runs")
    person.window.hide_dock("runs")
    assert len(made(person)) == len(FIRST), "for what is hidden anyway none is made"


def test_docks_that_are_made_later_are_hidden_and_move_nothing(person) -> None:
    person.settle()
    before = places(person)
    for make in person.window.make_docks_later():
        make()
        person.settle()
        assert places(person) == before
    assert list(person.window.docks) == list(DOCKS)
    assert person.window.make_docks_later() == []


def test_a_dock_that_was_shown_elsewhere_is_there_again(person, open_window) -> None:
    person.window.show_dock("runs")
    person.settle()
    person.close()
    again = open_window()
    assert set(places(again)) == {*FIRST, "runs"}


def test_the_window_of_the_next_time_has_no_more_docks_than_it_shows(person, open_window) -> None:
    person.press("Ctrl+B")  # the list of episodes is put away
    person.choose("workspace.results")
    person.window.hide_dock("runs")
    person.close()
    again = open_window()
    again.settle()
    assert again.window.workspace == "results" and set(places(again)) == {"selection"}
    again.choose("workspace.replay")
    again.close()
    third = open_window()
    third.settle()
    before = places(third)
    assert sorted(made(third)) == sorted(FIRST)
    assert set(before) == set(FIRST) - {"episodes"}
    third.choose("workspace.results")
    third.settle()
    assert set(places(third)) == {"selection"}
    third.choose("workspace.replay")
    third.settle()
    assert places(third) == before


def test_a_window_at_rest_makes_them_all(open_window, monkeypatch) -> None:
    monkeypatch.setattr(IdleLoader, "begin", BEGIN)
    person = open_window()
    person.until(lambda: len(made(person)) == len(DOCKS), "all docks")
    assert set(places(person)) == set(FIRST)


def test_the_list_of_docks_at_the_window_s_edge_has_them_all(person) -> None:
    menu = person.window.createPopupMenu()
    assert menu is not None
    assert {action.text() for action in menu.actions()} >= set(DOCKS.values())


def test_a_dock_that_is_shown_by_the_list_is_seen(person) -> None:
    """Qt leaves one outside of the window that was put away among others which are hidden."""
    person.settle()
    for name in ("aligned", "selection"):
        menu = person.window.createPopupMenu()
        (action,) = (one for one in menu.actions() if one.text() == DOCKS[name])
        action.trigger()
        dock = person.window.docks[name]
        person.until(lambda dock=dock: person.window.rect().contains(dock.geometry()), f"{name} in the window")
        assert not dock.visibleRegion().isEmpty()
