"""One of several windows on one store: waits for a line, opens the data, evaluates all of it and closes.

python -m tests.app.gui.shell.one_window FOLDER STORE DATA
"""

from __future__ import annotations

import sys
from pathlib import Path

from stepscope.app.gui.shell.display import go_offscreen

go_offscreen()

from stepscope.app.gui.main import make_application  # noqa: E402
from stepscope.app.gui.shell.context import AppFolders  # noqa: E402 - the platform first
from stepscope.app.gui.walk import WindowWalk, wait_for  # noqa: E402
from stepscope.app.gui.workbench import Workbench  # noqa: E402


class Window(WindowWalk):
    """On a store that others use too."""

    def __init__(self, folder: Path, store: str) -> None:
        self.application = make_application()
        self.bench = Workbench(self.application, AppFolders(folder / "preferences.json", folder / "window.ini", store))

    def evaluate_all(self, data: Path) -> None:
        ended: list[None] = []
        self.bench.library.opening.open_path(data, lambda: ended.append(None))
        wait_for(lambda: bool(ended), "the whole index")
        self.settle()
        self.evaluate("noisy-copy")


def main(folder: str, store: str, data: str) -> int:
    window = Window(Path(folder), store)
    window.bench.start([], fresh=True)
    wait_for(lambda: window.bench.context.database is not None, "the store")
    window.settle()
    print("ready", flush=True)
    sys.stdin.readline()
    window.evaluate_all(Path(data))
    window.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
