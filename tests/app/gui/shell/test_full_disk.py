"""The window where nothing can be written: told once, and everything else goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.app.gui.conftest import OpenWindow, Person
from tests.full_disk import files_of_at_most, fill, make_read_only, small_disk


def test_preferences_that_cannot_be_saved_are_told_once_and_hold(person: Person) -> None:
    with files_of_at_most(10):
        for theme in ("theme.light", "theme.dark", "theme.light"):
            person.choose(theme)
        person.settle()
    told = [words for words in person.told if "preferences cannot be saved: the disk is full" in words]
    assert len(told) == 1 and "holds until the window is closed" in told[0]
    assert person.bench.context.preferences.theme == "light"
    person.press("Right")
    person.arrive("lamp", 1)
    folder = person.bench.context.places.preferences.parent
    assert [path.name for path in folder.iterdir() if "partial" in path.name] == []
    person.choose("theme.dark")
    person.settle()
    assert '"theme": "dark"' in person.bench.context.places.preferences.read_text()


def test_a_store_on_a_full_disk_is_looked_at(open_window: OpenWindow, shop: Path, guesses: Path, store: Path) -> None:
    person = open_window(shop)
    run = person.score(guesses)
    person.choose("workspace.replay")
    person.close()
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = store.read_bytes()
    with small_disk(store.parent, 4096):
        store.write_bytes(kept)
        fill(store.parent)
        person = open_window()
        person.arrive("lamp", 0)
        assert person.bench.results.run_ids == (run,)
        assert [words for words in person.told if words.startswith("The disk is full: nothing can be saved.")]
        person.window.messages.clear_messages()
        person.press("S")  # a star
        person.until(lambda: person.told, "a message")
        assert "The disk is full: nothing can be saved." in person.told[0]
        person.press("Right", person.screen)
        person.arrive("lamp", 1)
        person.close()
        assert store.read_bytes() == kept


def test_a_home_that_can_only_be_read_is_looked_at(
    open_window: OpenWindow, shop: Path, guesses: Path, store: Path
) -> None:
    person = open_window(shop)
    run = person.score(guesses)
    person.choose("workspace.replay")
    home = person.bench.context.places.preferences.parent
    person.close()
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept, preferred = store.read_bytes(), (home / "preferences.json").read_bytes()
    with small_disk(store.parent, 4096), small_disk(home, 1024):
        store.write_bytes(kept)
        (home / "preferences.json").write_bytes(preferred)
        make_read_only(store.parent)
        make_read_only(home)
        person = open_window()
        person.arrive("lamp", 0)
        assert person.bench.results.run_ids == (run,)
        assert [words for words in person.told if words.startswith("The store is read-only.")] == person.told
        person.window.messages.clear_messages()
        person.press("S")
        person.until(lambda: person.told, "a message")
        assert "It can be looked at, but nothing can be saved" in person.told[0]
        person.window.messages.clear_messages()
        person.choose("theme.light")
        person.settle()
        (told,) = person.told
        assert "preferences cannot be saved: read-only file system." in told
        person.press("Right", person.screen)
        person.arrive("lamp", 1)
        person.close()
        assert store.read_bytes() == kept
