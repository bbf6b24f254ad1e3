"""A window that is used at random, offscreen, until its time is over or it is killed.

    python -m tests.soak.window FOLDER STORE SEED SECONDS DATA…

Prints a JSON object a line: the second, what was done, the bytes of this process in memory. `tests.soak` starts it.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stepscope.app.gui.shell.display import go_offscreen

go_offscreen()

from stepscope.app.gui.main import make_application  # noqa: E402
from stepscope.app.gui.shell.context import AppFolders  # noqa: E402 - the platform first
from stepscope.app.gui.walk import WindowWalk, wait_for  # noqa: E402
from stepscope.app.gui.workbench import Workbench  # noqa: E402
from stepscope.core.domain.prediction import Task  # noqa: E402
from stepscope.core.process.memory import resident_bytes  # noqa: E402

MOVES = (
    "step.next", "step.next", "step.next", "step.previous", "step.next_ten", "step.first", "step.last", "wrong.next",
    "episode.next", "episode.next", "episode.previous", "edit.undo", "edit.redo", "mark.star", "mark.checked",
    "go.back", "go.forward", "cache.clear", "theme.dark", "theme.light", "run.compare", "source.stop", "source.close",
    "workspace.replay", "workspace.results", "workspace.compare", "workspace.ordering", "workspace.judge",
    "workspace.webtask", "workspace.ambiguous",
    "layer.reference", "layer.a", "layer.tolerance", "layer.target", "layer.tree", "layer.diff", "layer.labels",
)  # fmt: skip
FILTERS = ("", "action:tap", "steps>3", "text:a", "feasible:no", "wrong", "nothing-like-that", "-star", "step=2")
MODELS = (
    (Task.AUTOMATION, "text-match"), (Task.AUTOMATION, "random"), (Task.AUTOMATION, "noisy-copy"),
    (Task.FEASIBILITY, "never-feasible"), (Task.GOAL, "template"), (Task.ORDERING, "as-given"), (Task.ASK, "never-ask"),
)  # fmt: skip


class User(WindowWalk):
    """Sits at a window on a given store and does what comes to mind."""

    def __init__(self, folder: Path, store: str, seed: int, data: list[Path]) -> None:
        make_application()
        self.application = make_application()
        self.bench = Workbench(self.application, AppFolders(folder / "preferences.json", folder / "window.ini", store))
        self.bench.window.resize(1600, 1000)
        self.seeded_random = random.Random(seed)
        self.data = data

    def begin(self) -> None:
        self.bench.start([self.seeded_random.choice(self.data)], fresh=True)
        wait_for(lambda: self.bench.context.database is not None, "the store")

    def act(self) -> str:
        """One thing, chosen by the dice; its words."""
        kinds: list[tuple[int, Callable[[], str]]] = [
            (60, self.move), (10, self.open_data), (14, self.jump), (8, self.filter), (6, self.run), (2, self.cancel),
        ]  # fmt: skip
        (kind,) = self.seeded_random.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])
        said = kind()
        if self.seeded_random.random() < 0.7:
            self.settle()
        else:
            self.application.processEvents()
        return said

    def move(self) -> str:
        command = self.seeded_random.choice(MOVES)
        action = self.bench.commands.actions.get(command)
        if action is not None and action.isEnabled():
            self.bench.commands.run(command)
        return command

    def open_data(self) -> str:
        path = self.seeded_random.choice(self.data)
        self.bench.library.opening.open_path(path)
        return f"open {path.name}"

    def jump(self) -> str:
        ids = self.bench.library.ids
        if ids:
            self.bench.viewer.open_episode(ids[self.seeded_random.randrange(len(ids))], 0)
        return "jump"

    def filter(self) -> str:
        words = self.seeded_random.choice(FILTERS)
        if self.bench.library.ids:
            self.bench.library.set_filter(words)
        return f"filter {words}"

    def run(self) -> str:
        task, model = self.seeded_random.choice(MODELS)
        if self.bench.evaluate.is_running or not self.bench.library.ids:
            return "no run"
        self.bench.commands.run(f"evaluate.{task.value}")
        self.bench.evaluate.show_form(task, model, "")
        self.bench.window.evaluate.run()
        return f"run {model}"

    def cancel(self) -> str:
        if not self.bench.evaluate.is_running:
            return "nothing to cancel"
        self.bench.commands.run("run.cancel")
        return "cancel"


def main(folder: str, store: str, seed: str, seconds: str, *data: str) -> int:
    user = User(Path(folder), store, int(seed), [Path(path) for path in data])
    user.begin()
    began = time.monotonic()
    while time.monotonic() - began < float(seconds):
        line: dict[str, Any] = {"did": user.act()}
        line |= {"second": time.monotonic() - began, "bytes": resident_bytes([os.getpid()])}
        print(json.dumps(line), flush=True)
    user.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
