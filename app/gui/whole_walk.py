"""A walk that tries what a built program can lack: `python -m stepscope.app.gui.whole_walk FOLDER`.

In a real window, on the display that is there, it opens the sample, evaluates a rule, connects the simulated phone and
opens a page of a web task; the last two are drawn by QtWebEngine in processes of their own. It leaves pictures and the
store in FOLDER and prints one JSON object: `files`, and `engines`, the programs that drew the pages. `packaging` walks
so through every bundle that it builds.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from stepscope.app.gui.walk import WindowWalk, wait_for

ENGINE = "QtWebEngineProcess"


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    walk = WindowWalk(folder)
    walk.open_sample()
    walk.evaluate("text-match", "aitw")
    files = [walk.picture("results.png")]
    engines = connect_phone(walk)
    files.append(walk.picture("phone.png"))
    engines |= open_web_page(walk)
    files.append(walk.picture("webtask.png"))
    walk.bench.commands.run("workspace.replay")
    walk.end()
    told = {"files": [str(file) for file in (*files, walk.store)], "engines": sorted(engines)}
    print(json.dumps(told), flush=True)
    return 0


def connect_phone(walk: WindowWalk) -> set[str]:
    bench = walk.bench
    bench.commands.run("device.simulated")
    live = bench.live.device
    wait_for(lambda: live.current is not None, "the simulated phone")
    view = live.parts.centre.view
    wait_for(lambda: view.frame is not None and not view.notice, "the picture of the simulated phone")
    return running_engines()


def open_web_page(walk: WindowWalk) -> set[str]:
    walk.bench.commands.run("open.sample_web")
    wait_for(lambda: walk.bench.webtask.page.is_ready, "the page of a web task")
    return running_engines()


def running_engines() -> set[str]:
    """The programs of QtWebEngine that run on this machine; none where the system does not list processes as files."""
    found = set()
    for process in Path("/proc").glob("[0-9]*/exe"):
        try:
            program = process.readlink()
        except OSError:  # it has ended, or is somebody else's
            continue
        if program.name == ENGINE:
            found.add(str(program))
    return found


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
