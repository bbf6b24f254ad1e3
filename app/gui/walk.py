"""A walk through the workbench by its own commands, for machines without a display and for the guide's pictures.

Every step waits for the fact that it needs (a signal, a value), never for time; a fact that does not come within
PATIENCE seconds ends the walk with an error that names it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.workbench import Workbench
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunState
from stepscope.core.settings import store_url
from stepscope.widgets.plot_library import plot_library

PATIENCE = 120.0
POLL_MS = 5
QUIET_LOOKS = 6
WIDTH, HEIGHT = 1600, 1000


def wait_for(fact: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Run the event loop until `fact()` once holds; raises TimeoutError naming `what` when it does not, and whatever
    `fact` raises."""
    end = time.monotonic() + patience
    loop = QEventLoop()
    held: list[bool] = []
    raised: list[Exception] = []

    def look() -> None:
        try:
            if fact():
                held.append(True)
        except Exception as error:  # noqa: BLE001 - raised again below, where the one who waits is
            raised.append(error)
        if held or raised or time.monotonic() > end:
            loop.quit()

    poll = QTimer()
    poll.timeout.connect(look)
    poll.start(POLL_MS)
    loop.exec()
    poll.stop()
    if raised:
        raise raised[0]
    if not held:
        raise TimeoutError(f"{what} did not come within {patience:g} s")


class WindowWalk:
    """A workbench in a folder of its own, driven by command ids."""

    def __init__(self, folder: Path, *, theme: str = "dark") -> None:
        self.folder = folder
        self.application: QApplication = make_application()
        home = folder / ".settings"
        self.store = folder / "sample.db"
        places = AppFolders(home / "preferences.json", home / "window.ini", store_url(self.store))
        self.bench = Workbench(self.application, places)
        self.bench.appearance.set_theme(theme)
        self.bench.window.resize(WIDTH, HEIGHT)

    def open_sample(self) -> None:
        self.bench.start([], fresh=True)
        self.bench.window.resize(WIDTH, HEIGHT)
        wait_for(lambda: bool(self.bench.library.ids), "the list of episodes")
        wait_for(lambda: self.bench.context.selection.episode is not None, "the first episode")
        self.settle()

    def open_episode(self, episode: str, step: int = 0) -> None:
        self.bench.viewer.open_episode(episode, step)
        selection = self.bench.context.selection
        wait_for(lambda: selection.episode is not None and selection.episode.id == episode, f"episode {episode}")
        self.settle()

    def step_through(self) -> None:
        """Go from the first step to the last by the key's own command."""
        selection = self.bench.context.selection
        assert selection.episode is not None
        for _ in selection.episode.steps[1:]:
            self.bench.commands.run("step.next")
            self.settle()

    def evaluate(self, model: str, protocol: str = "", task: Task = Task.AUTOMATION) -> str:
        """The task's entry of the Evaluate menu with this model and protocol, Run, wait for the end, and look at its
        results; returns the run's id."""
        self.bench.commands.run(f"evaluate.{task.value}")
        form = self.bench.window.evaluate
        wait_for(lambda: form.isVisible(), "the evaluation form")
        self.bench.evaluate.show_form(task, model, protocol)
        begun: list[str] = []  # those of other windows on the store are listed too
        listening = self.bench.evaluate.run_started.connect(begun.append)
        form.run()
        wait_for(lambda: bool(begun), f"the run of {model}")
        self.bench.evaluate.run_started.disconnect(listening)
        (run,) = begun
        wait_for(lambda: not self.bench.evaluate.is_running, f"the end of {model}")
        wait_for(lambda: self.bench.results.state_of(run) is RunState.DONE, f"{model} done in the list")
        self.bench.commands.run("run.show_ended")
        self.settle()
        return run

    def settle(self) -> None:
        """Wait until no work is under way at several looks in a row: one piece of work may start the next."""
        tasks = self.bench.context.tasks
        quiet = 0

        def calm() -> bool:
            nonlocal quiet
            busy = tasks.tasks or self.bench.session.is_waiting or plot_library().is_loading
            busy = busy or self.bench.viewer.is_fetching
            busy = busy or any(soon.is_waiting for soon in self.bench.context.findChildren(Debouncer))
            quiet = 0 if busy else quiet + 1
            return quiet >= QUIET_LOOKS

        wait_for(calm, "the end of all work")

    def picture(self, name: str) -> Path:
        """Save the window as it is now, without passing messages."""
        self.settle()
        self.bench.window.messages.clear_messages()
        self.settle()
        path = self.folder / name
        self.bench.window.grab().save(str(path))
        return path

    def end(self) -> None:
        self.settle()
        self.bench.close()


def walk_through(folder: Path) -> list[Path]:
    """The whole job; returns the files that it left."""
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - links in the path stay as the person wrote them
    for old in (folder / f"sample.db{suffix}" for suffix in ("", "-wal", "-shm")):
        old.unlink(missing_ok=True)
    walk = WindowWalk(folder)
    walk.open_sample()
    walk.step_through()
    first = walk.evaluate("text-match", "aitw")
    walk.evaluate("nearest-element", "aitw")
    files = [walk.picture("workspace-results.png")]
    walk.bench.commands.run("workspace.replay")
    walk.bench.commands.run("step.first")
    walk.bench.commands.run("wrong.next")
    files += [walk.picture("workspace-replay.png"), walk.picture("window.png")]
    walk.bench.results.choose(first)
    walk.settle()
    walk.bench.export.html(folder / "report.html")
    wait_for((folder / "report.html").exists, "the report")
    walk.end()
    return [*files, folder / "report.html", walk.store]
