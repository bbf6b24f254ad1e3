"""Closing the window and opening it again: everything is where it was."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from stepscope.app.gui.features.library.listing_controller import ListController
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.core.domain.run import RunState
from stepscope.core.settings import store_url

ROOT = Path(__file__).resolve().parents[4]


def test_everything_comes_back_where_it_was(person, own_shop, guesses, open_window) -> None:
    person.drop(own_shop)
    person.until(lambda: person.window.windowTitle() == "own shop – Stepscope", "the second source")
    person.arrive("lamp", 0)
    run = person.score(guesses)
    person.choose("workspace.replay")
    person.screen.setFocus()
    for key in ("]", "]", "U", "T", "Ctrl+B"):
        person.press(key)
    person.choose("theme.light")
    person.choose("text.larger")
    person.bench.library.set_filter("app:org.example.shop", tell_view=True)
    person.until(lambda: person.goals == ["Buy a lamp", "Order a chair"], "the filtered list")
    person.press("PgDown", person.screen)
    person.arrive("chair", 0)
    person.press("Right", person.screen)
    layers = person.layers()
    assert "tree" in layers
    assert "tolerance" not in layers
    person.choose("workspace.results")
    person.close()

    again = open_window()
    again.arrive("chair", 1)
    assert [source.title for source in again.bench.context.sources] == ["shop", "own shop"]
    assert again.window.windowTitle() == "own shop – Stepscope"
    assert again.goals == ["Buy a lamp", "Order a chair"]
    assert again.window.episodes.filter.line.text() == "app:org.example.shop"
    assert tuple(again.selection.runs) == (run,)
    assert again.selection.rule.id == "motif-object"
    assert again.window.inspector.step_page.rule() == "motif-object"
    assert again.layers() == layers
    assert again.bench.commands.actions["layer.tree"].isChecked()
    assert not again.bench.commands.actions["layer.tolerance"].isChecked()
    assert again.window.workspace == "results"
    assert again.bench.context.preferences.theme == "light"
    assert again.bench.context.preferences.text_percent == 110
    again.choose("workspace.replay")
    assert again.window.docks["episodes"].isHidden(), "the left dock was put away"
    assert again.shade == 70
    assert again.told == []


def test_the_last_change_before_closing_is_kept(person, open_window) -> None:
    """Closing does not wait for the moment after which a session is saved by itself."""
    person.press("End")
    person.choose("theme.contrast")
    person.close()
    again = open_window()
    again.arrive("lamp", 4)
    assert again.bench.context.preferences.theme == "high contrast"
    assert again.bench.commands.actions["theme.contrast"].isChecked()


def test_a_session_is_saved_by_itself_and_by_key(person) -> None:
    status = person.window.status
    person.press("Right")
    assert status.text("saved") == "…"
    person.press("Ctrl+S")
    person.until(lambda: status.text("saved") == "✓ Saved", "the session saved by key")
    person.press("Right")
    assert status.text("saved") == "…"
    person.until(lambda: status.text("saved") == "✓ Saved", "the session saved by itself")


def test_preferences_hold_for_the_next_window(person, open_window) -> None:
    person.choose("speed.faster")
    person.choose("view.neighbours")
    person.choose("text.smaller")
    person.close()
    again = open_window()
    kept = again.bench.context.preferences
    assert (kept.speed, kept.neighbours, kept.text_percent) == (2.0, False, 90)
    assert kept.recent and kept.recent[0].endswith("shop")
    assert not again.bench.commands.actions["view.neighbours"].isChecked()


def test_data_that_is_gone_gives_way_to_the_start_page(open_window, own_shop) -> None:
    person = open_window(own_shop)
    person.close()
    shutil.rmtree(own_shop)
    again = open_window()
    again.until(lambda: again.window.workspace == "start", "the start page")
    again.settle()
    assert again.place is None and again.window.windowTitle() == "Stepscope"
    (told,) = again.told
    assert told.startswith("own shop is not there any more.")
    assert {one.text() for one in again.window.messages.findChildren(QPushButton)} == {"Locate again…", "Try again"}
    (row,) = again.window.start.data.rows()
    assert row.accessibleName().startswith("own shop") and row.accessibleName().endswith("not found on this machine")


@pytest.mark.parametrize("which", ["the other", "the current"])
def test_one_folder_that_became_junk_does_not_cost_the_others(open_window, shop, own_shop, which) -> None:
    broken = own_shop.with_name("broken")
    shutil.copytree(own_shop, broken)
    person = open_window(broken if which == "the other" else shop)
    person.open(shop if which == "the other" else broken)
    person.press("Right")
    person.close()
    shutil.rmtree(broken)
    broken.mkdir()
    (broken / "notes.txt").write_text("moved", "utf-8")
    again = open_window()
    again.until(lambda: again.place is not None, "an episode")
    again.settle()
    assert again.window.windowTitle() == "shop – Stepscope"
    assert len(again.told) == 1
    assert str(broken) in again.told[0]
    again.press("End", again.screen)
    again.press("Ctrl+S")
    again.until(lambda: again.window.status.text("saved") == "✓ Saved", "sessions are saved again")


def test_an_episode_that_is_gone_gives_way_to_the_first(open_window, own_shop) -> None:
    person = open_window(own_shop)
    person.press("PgDown")
    person.arrive("chair", 0)
    person.close()
    shutil.rmtree(own_shop / "2")
    again = open_window()
    again.arrive("lamp", 0)
    assert again.goals == ["Buy a lamp", "Take the tour"]
    again.press("Right")
    assert again.window.status.text("saved") == "…", "sessions are saved again"


def test_reading_a_source_again_stays_at_its_step(open_window, own_shop) -> None:
    person = open_window(own_shop)
    person.bench.library.set_filter("tour | chair", tell_view=True)
    person.until(lambda: len(person.goals) == 2, "the filtered list")
    person.press("PgDown", person.screen)
    person.press("PgDown", person.screen)
    person.arrive("tour", 0)
    person.press("Shift+Right")
    shutil.rmtree(own_shop / "1")
    person.press("F5")
    person.until(lambda: person.selection.source.episodes == 2, "the source read again")
    person.arrive("tour", 10)
    assert person.goals == ["Order a chair", "Take the tour"]
    assert person.window.episodes.filter.line.text() == "tour | chair"


CHILD = """
import os, sys
from pathlib import Path
from stepscope.app.services.evaluation import EvaluationRequest, start
from stepscope.app.services.library import open_indexed
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database

with Database.open(sys.argv[1]) as database:
    *_, index = open_indexed(database, Path(sys.argv[2]), CancelToken())
    prepared = start(database, index.source, index.source_id, EvaluationRequest("aitw", "noisy-copy"))
    token = prepared.run.token
    for update in prepared.run.updates():
        if update.progress.done == 5:
            token.pause()
        if update.state.value == "paused":
            print(update.run_id, flush=True)
            sys.stdin.readline()
"""


def test_a_run_whose_process_was_killed_shows_as_interrupted_and_goes_on(open_window, shop, store) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, store_url(store), str(shop)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    with child:
        run = child.stdout.readline().strip()
        child.send_signal(signal.SIGKILL)
        child.wait(30)
    person = open_window(shop)
    assert person.state_of(run) is RunState.INTERRUPTED
    person.until(lambda: person.bench.commands.actions["run.resume"].isEnabled(), "Resume")
    assert person.told == ["An evaluation was interrupted. What was scored is kept."]
    person.press("Ctrl+Shift+R")
    person.until(lambda: person.state_of(run) is RunState.DONE, "the whole run")
    person.settle()
    assert person.told == ["Evaluated 29 items with noisy-copy · aitw."], "what was interrupted goes on"


def test_the_view_of_replay_comes_back(person, open_window) -> None:
    person.press("Alt+2")
    person.settle()
    assert person.window.replay.shown_view == "grid"
    person.close()
    again = open_window()
    again.until(lambda: again.selection.episode is not None, "the session")
    again.settle()
    assert again.window.replay.shown_view == "grid"


def test_nothing_else_is_shown_before_the_place_of_before(person, open_window, monkeypatch) -> None:
    """The list is asked for with its filter, the episode of before is the only one that is read."""
    person.bench.library.set_filter("app:org.example.shop", tell_view=True)
    person.until(lambda: person.goals == ["Buy a lamp", "Order a chair"], "the filtered list")
    person.bench.viewer.open_episode("chair", 1)
    person.arrive("chair", 1)
    person.close()

    read, filters = list[str](), list[str]()
    open_episode, question = EpisodeViewer.open_episode, ListController.question

    def opens(self: EpisodeViewer, episode: str, *others: object) -> None:
        read.append(episode)
        open_episode(self, episode, *others)

    def asks(self: ListController, source: object) -> object:
        filters.append(self.filter_text)
        return question(self, source)

    monkeypatch.setattr(EpisodeViewer, "open_episode", opens)
    monkeypatch.setattr(ListController, "question", asks)
    again = open_window()
    again.arrive("chair", 1)
    again.settle()
    assert read == ["chair"]
    assert set(filters) == {"app:org.example.shop"}
