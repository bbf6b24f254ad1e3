"""A damaged store in the window: told with buttons that rescue it or begin anew; nothing of it is ever deleted."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

import stepscope.app.gui.main
import stepscope.core.store.replacement
import stepscope.core.store.rescue
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.core.errors import StoreError
from stepscope.core.settings import store_url
from tests.app.gui.conftest import OpenWindow, Person

PAGE = 4096


def without_table(store: Path, name: str) -> bytes:
    """Zero the root page of a table; returns the file as it is then."""
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = ? AND type = 'table'", [name]).fetchone()
    data = bytearray(store.read_bytes())
    data[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    store.write_bytes(data)
    return bytes(data)


def press_button(person: Person, words: str) -> None:
    buttons = [
        button
        for item in person.window.messages.items()
        for button in item.findChildren(QPushButton)
        if button.text() == words and item.isVisible()
    ]
    assert buttons, (words, person.told)
    person.click(buttons[0])


def closed(person: Person) -> None:
    person.until(lambda: not person.window.isVisible(), "the window closed")


@pytest.fixture
def scored(open_window: OpenWindow, shop: Path, guesses: Path) -> str:
    """A run in the user's store; the window that made it is closed on the second step of `lamp`."""
    person = open_window(shop)
    run = person.score(guesses)
    person.choose("workspace.replay")
    person.press("Right", person.screen)
    person.arrive("lamp", 1)
    person.close()
    return run


def test_a_store_that_is_damaged_at_opening_is_rescued_and_used(
    open_window: OpenWindow, store: Path, scored: str, pick: Callable[[Path], None]
) -> None:
    """The table of runs' answers on web tasks is lost; the run and the last session are not."""
    damaged = without_table(store, "web_answer")
    person = open_window()
    assert any(words.startswith("stepscope.db: The store is damaged: ") for words in person.told), person.told
    assert any("is lost when the window is closed" in words for words in person.told)
    assert store.read_bytes() == damaged

    out = store.with_name("stepscope-rescued.db")
    pick(out)
    press_button(person, "Rescue…")
    person.until(lambda: any(words.startswith("Rescued. 1 run in") for words in person.told), "the end of the rescue")
    assert "Left out: 1 page" in next(words for words in person.told if words.startswith("Rescued."))
    assert (out.exists(), store.read_bytes()) == (True, damaged)

    press_button(person, "Use it")
    closed(person)
    again = open_window(after=person)
    again.arrive("lamp", 1)
    assert again.bench.results.run_ids == (scored,)
    assert again.told == [f"The damaged store is kept: {store.with_name('stepscope-damaged.db')}"]
    assert store.with_name("stepscope-damaged.db").read_bytes() == damaged
    assert (store.exists(), out.exists()) == (True, False)


def test_a_new_store_keeps_the_damaged_one(
    open_window: OpenWindow, store: Path, shop: Path, scored: str, answer: Callable[[str], list[str]]
) -> None:
    damaged = without_table(store, "run")
    store.with_name("stepscope-damaged.db").write_bytes(b"an earlier one")
    person = open_window(shop)
    asked = answer("Go back")
    press_button(person, "Use a new store")
    assert asked == ["Use a new, empty store?"]
    assert person.window.isVisible(), "the person went back"
    asked = answer("Use a new store")
    press_button(person, "Use a new store")
    closed(person)
    again = open_window(after=person)
    again.arrive("lamp", 0)
    assert again.bench.results.run_ids == ()
    assert store.with_name("stepscope-damaged-2.db").read_bytes() == damaged
    assert store.with_name("stepscope-damaged.db").read_bytes() == b"an earlier one"
    assert again.bench.context.database is not None and Path(again.bench.context.database.place) == store
    run = again.evaluate()
    assert again.bench.results.run_ids == (run,), "the new store is one to work with"


def test_damage_that_is_met_later_is_told_once_and_the_window_goes_on_where_it_was(
    open_window: OpenWindow, store: Path, shop: Path, scored: str, answer: Callable[[str], list[str]]
) -> None:
    """A word that no task is called in the run: what lists runs meets it."""
    person = open_window()
    person.arrive("lamp", 1)
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("UPDATE run SET task = 'nonsense'")
        raw.commit()
    for _ in range(3):
        person.bench.context.events.publish(RunsChanged())
        person.settle()
    told = [words for words in person.told if "damaged" in words]
    assert len(told) == 1 and "'nonsense'" in told[0] and "run" in told[0], person.told
    assert person.alive()
    person.press("Right", person.screen)
    person.arrive("lamp", 2)
    answer("Use a new store")
    press_button(person, "Use a new store")
    closed(person)
    again = open_window(after=person)
    again.arrive("lamp", 2)
    assert again.bench.results.run_ids == ()


def test_a_rescue_can_be_cancelled_and_tried_again(
    open_window: OpenWindow,
    store: Path,
    scored: str,
    pick: Callable[[Path], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_table(store, "web_answer")
    person = open_window()
    out, whole = tmp_path / "elsewhere.db", stepscope.core.store.rescue.rescue
    pick(out)

    def until_cancelled(damaged: Path, new: Path, *, token):
        """Reads the first page again and again."""
        updates = whole(damaged, new, token=token)
        update = next(updates)
        while not token.cancelled:
            yield update
        yield from updates

    monkeypatch.setattr(stepscope.core.store.rescue, "rescue", until_cancelled)
    press_button(person, "Rescue…")
    chip = person.window.task_chip
    person.until(lambda: "Rescuing stepscope.db" in chip.words(), "the row in the chip")
    person.click(chip.cancel)
    person.until(lambda: not chip.isVisible(), "the end of the rescue")
    assert list(tmp_path.glob("*elsewhere.db*")) == []
    assert any("The rescue was cancelled. Nothing was written." in words for words in person.told)

    monkeypatch.setattr(stepscope.core.store.rescue, "rescue", whole)
    press_button(person, "Rescue…")
    person.until(lambda: any(words.startswith("Rescued.") for words in person.told), "the end of the rescue")
    press_button(person, "Use it")
    closed(person)
    again = open_window(after=person)
    again.arrive("lamp", 1)
    assert again.told == [f"Next time, open it with --store: {out}"]
    assert again.bench.results.run_ids == (scored,)
    assert store.exists(), "in another folder, so nobody takes anybody's place"


def test_a_rescue_that_fails_and_a_store_that_cannot_be_renamed_are_told(
    open_window: OpenWindow,
    store: Path,
    scored: str,
    pick: Callable[[Path], None],
    answer: Callable[[str], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    damaged = without_table(store, "run")
    person = open_window()
    pick(tmp_path / "none" / "new.db")
    press_button(person, "Rescue…")
    person.until(lambda: any("Nothing can be written here" in words for words in person.told), "the reason")

    def refused(_path: Path, _to: Path) -> None:
        raise PermissionError(13, "Permission denied")

    answer("Use a new store")
    monkeypatch.setattr(Path, "rename", refused)
    press_button(person, "Use a new store")
    closed(person)
    again = open_window(after=person)
    assert any("The store cannot be renamed (permission denied)" in words for words in again.told), again.told
    assert again.alive(), "in memory"
    assert store.read_bytes() == damaged


def test_a_file_that_is_no_database_can_be_rescued_or_left(open_window: OpenWindow, store: Path) -> None:
    store.write_bytes(b"no database " * 1000)
    person = open_window()
    assert any("not a store that can be read" in words for words in person.told), person.told
    assert person.bench.commands.actions["store.rescue"].isEnabled()


def test_a_rename_that_breaks_off_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, log = tmp_path / "s.db", tmp_path / "s.db-wal"
    store.write_bytes(b"pages")
    log.write_bytes(b"log")
    rename = Path.rename

    def only_logs(path: Path, to: Path) -> Path:
        if path == store:
            raise PermissionError(13, "Permission denied")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", only_logs)
    with pytest.raises(StoreError, match="cannot be renamed"):
        stepscope.core.store.replacement.set_aside(store)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.db", "s.db-wal"]


FOLLOWING = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
import stepscope.app.gui.main as program
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.workbench import StartupRequest, Workbench

folder, second = Path(sys.argv[1]), sys.argv[2]
begun = []

class Bench(Workbench):
    def begin(self, beginning):
        begun.append((self.context.places.store_url, beginning))
        if len(begun) == 1:
            self.succeeded_by = AppFolders.of_user(second), StartupRequest(link="next")
        self.window.show()
        QTimer.singleShot(0, self.window, self.window.close)

program.Workbench = Bench
assert program.open_window([str(folder)], store_url="sqlite://") == 0
assert begun == [("sqlite://", StartupRequest((folder,))), (second, StartupRequest(link="next"))], begun
"""


def test_the_program_opens_the_window_that_follows(store: Path) -> None:
    """Only a window that names none that follows ends the program. In a process of its own, as the program is."""
    command = [sys.executable, "-c", FOLLOWING, str(store.parent), store_url(store)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
