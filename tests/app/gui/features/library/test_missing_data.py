"""Data that is not where it was: found again elsewhere, with the runs and notes about it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton

from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.store.repositories import annotations


@pytest.fixture
def moved(person, own_shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person has a run, a star and own_shop open, whose folder another program moves; where it is now. The person
    points at it when asked for a folder."""
    person.open(own_shop)
    person.evaluate("text-match")
    person.choose("workspace.replay")
    person.choose("mark.star")
    person.settle()
    now = own_shop.with_name("moved shop")
    own_shop.rename(now)
    person.choose("cache.clear")
    person.press("PgDown", person.screen)
    person.until(lambda: "(not there)" in person.window.windowTitle(), "that it is missing")
    person.settle()  # picture and episode are both told to be gone
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args, **_more: str(now))
    return now


def press(person, words: str) -> None:
    button = next(one for one in person.window.messages.findChildren(QPushButton) if one.text() == words)
    person.click(button)


def starred(person, path: Path) -> set[tuple[str, int | None]]:
    with person.bench.context.database.reading() as db:
        return annotations.places(db, str(path), AnnotationKind.STAR)


def test_runs_letters_and_notes_go_along_to_where_the_data_is_now(person, own_shop, moved) -> None:
    (run,) = person.bench.results.run_ids
    press(person, "Locate again…")
    person.until(lambda: person.window.windowTitle() == "moved shop – Stepscope", "the data")
    person.until(lambda: "moved shop is found again. 1 run and 1 note came along." in person.told, "the end")
    person.settle()
    assert person.bench.results.run_of(run).spec.source == str(moved)
    assert person.bench.context.selection.letter_of(run) == "A"
    assert starred(person, moved) == {("lamp", 0)} and starred(person, own_shop) == set()
    assert [source.source.path for source in person.bench.context.sources] == [
        *(one.source.path for one in person.bench.context.sources if one.source.path != moved), moved,
    ]  # fmt: skip
    assert own_shop not in {source.source.path for source in person.bench.context.sources}


def test_other_data_takes_nothing_over(person, own_shop, moved) -> None:
    shutil.rmtree(moved / "1")
    (run,) = person.bench.results.run_ids
    press(person, "Locate again…")
    person.until(lambda: any("moved shop is other data." in words for words in person.told), "the refusal")
    person.settle()
    assert person.bench.results.run_of(run).spec.source == str(own_shop)
    assert starred(person, own_shop) == {("lamp", 0)}
    assert any(words.startswith("own shop is not there any more.") for words in person.told)


def test_data_that_is_back_is_gone_on_with(person, own_shop, moved) -> None:
    press(person, "Try again")
    person.settle()
    assert any(words.startswith("own shop is not there any more.") for words in person.told)
    moved.rename(own_shop)
    press(person, "Try again")
    person.until(lambda: person.window.windowTitle() == "own shop – Stepscope", "the data")
    person.settle()
    assert not any("not there" in words for words in person.told)
    person.press("PgDown", person.screen)
    person.arrive("tour", 0)


def test_list_title_and_screen_agree_on_the_episode_that_is_left(person, own_shop, moved) -> None:
    person.settle()
    view, (episode, _step) = person.window.episodes, person.place
    row = view.model.peek(view.current_position())
    assert row is not None and row.id == episode == person.selection.episode.id
