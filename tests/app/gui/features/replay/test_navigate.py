"""Going from one step of a kind to the next, in the whole window."""

from __future__ import annotations

import json

import pytest

from stepscope.app.gui.features.library.library_controller import LibraryController
from stepscope.app.gui.features.replay import step_search
from stepscope.app.gui.shell.events import EpisodesListed
from tests.app.gui.conftest import GUESSES

BETTER = [
    {"run": {"model": "better"}},
    *GUESSES[1:4],
    {"episode": "lamp", "step": 3, "action": {"kind": "press_key", "key": "back"}},
    {"episode": "chair", "step": 0, "action": None, "raw": "???"},
    {"episode": "chair", "step": 1, "action": {"kind": "tap", "point": [90, 200]}},
]
"""As GUESSES, but right where those are wrong: at the last action of `lamp` and of `chair`."""


@pytest.fixture
def better(tmp_path):
    path = tmp_path / "better.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in BETTER))
    return path


@pytest.fixture
def rare(monkeypatch) -> None:
    """As if the list were so long that the store is asked about all of it but for one episode at once."""
    monkeypatch.setattr(step_search, "LOOKS", (1,))


def walk(person, key: str, *places: tuple[str, int]) -> None:
    """Press the key once for each place, which it must lead to."""
    for place in places:
        person.press(key, person.screen)
        person.until(lambda place=place: person.place == place, f"{key} to lead to {place}")
        person.settle()


def test_wrong_steps_are_gone_to_in_the_order_of_the_list_and_around_its_end(person, guesses) -> None:
    person.score(guesses)
    person.choose("workspace.replay")
    person.press("Home", person.screen)
    walk(person, "N", ("lamp", 3), ("chair", 0), ("chair", 1))
    assert not any("wrong" in told for told in person.told)
    walk(person, "N", ("lamp", 3))
    assert "No wrong step after this one: on with the first one of the list." in person.told
    walk(person, "P", ("chair", 1), ("chair", 0), ("lamp", 3))
    assert "No wrong step before this one: on with the last one of the list." in person.told


def test_a_filter_and_the_order_of_the_list_are_kept_to(person, guesses) -> None:
    person.score(guesses)
    person.choose("workspace.replay")
    person.bench.library.set_filter("lamp | tour", tell_view=True)
    person.until(lambda: person.goals == ["Buy a lamp", "Take the tour"], "the filtered list")
    person.press("Home", person.screen)
    walk(person, "N", ("lamp", 3))
    person.press("N", person.screen)
    person.until(lambda: "There is no other wrong step in this list." in person.told, "the end of the search")
    assert person.place == ("lamp", 3)
    person.press("End", person.screen)
    walk(person, "N", ("lamp", 3))
    assert any("the only one with any" in told for told in person.told)
    person.bench.library.set_filter("tour", tell_view=True)
    person.until(lambda: person.goals == ["Take the tour"], "the filtered list")
    person.bench.viewer.open_episode("tour")
    person.arrive("tour", 0)
    person.press("N", person.screen)
    person.until(lambda: "There is no wrong step in this list." in person.told, "the end of the search")


def test_runs_disagree_where_one_is_right_and_the_other_wrong(person, guesses, better, rare) -> None:
    person.score(guesses)
    assert not person.bench.commands.actions["differs.next"].isEnabled()
    person.score(better)
    person.choose("workspace.replay")
    person.until(lambda: len(person.selection.runs) == 2, "two runs")
    person.settle()
    person.press("Home", person.screen)
    walk(person, "V", ("lamp", 3), ("chair", 1), ("lamp", 3))
    walk(person, "Shift+V", ("chair", 1))


def test_steps_that_the_filter_means_are_gone_to(person) -> None:
    person.bench.library.set_filter("action:type,press_key | step:9..10", tell_view=True)
    person.until(lambda: person.goals == ["Buy a lamp", "Take the tour"], "the filtered list")
    person.press("Home", person.screen)
    walk(person, "Y", ("lamp", 1), ("lamp", 3), ("tour", 8), ("tour", 9), ("lamp", 1))
    walk(person, "Shift+Y", ("tour", 9))
    person.bench.library.set_filter("infeasible", tell_view=True)
    person.until(lambda: person.goals == ["Order a chair"], "the filtered list")
    person.press("Y", person.screen)
    assert any("no steps" in told for told in person.told)


def test_unchecked_steps_are_gone_to_until_all_are_checked(person, rare) -> None:
    person.press("C")
    person.settle()
    walk(person, "Shift+N", ("lamp", 1))
    person.press("PgDown", person.screen)
    person.arrive("chair", 0)
    person.press("Shift+C", person.screen)
    person.settle()
    walk(person, "Shift+N", ("tour", 0))
    walk(person, "Shift+P", ("lamp", 4))
    person.press("Home", person.screen)
    walk(person, "Shift+P", ("tour", 23))
    person.click(person.window.timeline._unchecked)
    person.arrive("lamp", 1)


def test_questions_and_flags_are_gone_to(person, rare) -> None:
    walk(person, "A", ("lamp", 1))
    person.press("A")
    person.until(lambda: "There is no other step with a question in this list." in person.told, "the end of the search")
    person.press("J")
    person.press("S")
    person.bench.viewer.open_episode("tour", 5)
    person.arrive("tour", 5)
    person.press("S", person.screen)
    person.settle()
    person.press("Home", person.screen)
    walk(person, "I", ("tour", 5), ("lamp", 2))
    walk(person, "Shift+I", ("tour", 5))
    person.press("S", person.screen)
    person.settle()
    person.press("I", person.screen)
    person.arrive("lamp", 2)


@pytest.fixture
def reading(person, guesses, monkeypatch) -> None:
    """At an episode without a wrong step, the only one of the list that has come yet."""
    person.score(guesses)
    person.choose("workspace.replay")
    person.bench.viewer.open_step("tour", 0)
    person.until(lambda: person.place == ("tour", 0), "an episode without a wrong step")
    person.settle()
    monkeypatch.setattr(LibraryController, "is_incomplete", True)
    monkeypatch.setattr(LibraryController, "ids", ("tour",))
    monkeypatch.setattr(LibraryController, "position_of", lambda self, episode: self.ids.index(episode))


def test_a_key_waits_for_a_list_that_is_still_being_read(person, reading, monkeypatch) -> None:
    yet = "No wrong step after this one yet: the list is still being read. On as soon as one comes."
    person.press("N", person.screen)
    person.until(lambda: person.told.count(yet) == 1, "why nothing happens")
    person.bench.context.events.publish(EpisodesListed())
    person.settle()
    assert person.place == ("tour", 0) and person.told.count(yet) == 1
    monkeypatch.setattr(LibraryController, "ids", ("lamp", "tour", "chair"))
    person.bench.context.events.publish(EpisodesListed())
    person.until(lambda: person.place == ("chair", 0), "a wrong step of what has come")


def test_who_goes_elsewhere_gives_up_what_a_key_waits_for(person, reading, monkeypatch) -> None:
    person.press("N", person.screen)
    person.until(lambda: any("still being read" in told for told in person.told), "why nothing happens")
    person.press("End", person.screen)
    person.until(lambda: person.place != ("tour", 0), "another step")
    person.press("Home", person.screen)
    person.arrive("tour", 0)
    monkeypatch.setattr(LibraryController, "ids", ("lamp", "tour", "chair"))
    person.bench.context.events.publish(EpisodesListed())
    person.settle()
    assert person.place == ("tour", 0)


def test_of_a_whole_list_it_is_told_that_there_is_none(person, reading, monkeypatch) -> None:
    person.press("N", person.screen)
    person.until(lambda: any("still being read" in told for told in person.told), "why nothing happens")
    monkeypatch.setattr(LibraryController, "is_incomplete", False)
    person.bench.context.events.publish(EpisodesListed())
    person.until(lambda: "There is no wrong step in this list." in person.told, "what is told of a whole list")
