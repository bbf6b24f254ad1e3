"""Ten thousand episodes dropped on the window: when the first row stands there, and how long the window ever stalls.

`heartbeats` notes the turns of the event loop while the data set is read, listed and checked.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from stepscope.app.gui.walk import WindowWalk, wait_for
from tests.benchmarks.figures import Tell
from tests.benchmarks.heartbeats import Heart, empty_loop, garbage_kept, read_gaps

EPISODES = int(os.environ.get("STEPSCOPE_BENCH_EPISODES", "10000"))
NODES = 60


def write_traces(root: Path, episodes: int = EPISODES) -> None:
    """Rico traces of two states with a UI tree of some 15 KB each."""
    leaf = {"class": "android.widget.TextView", "clickable": True, "visible-to-user": True, "content-desc": [None]}
    children = [leaf | {"bounds": [9, 9 * n, 900, 9 * n + 80], "text": f"row {n}"} for n in range(NODES)]
    tree = json.dumps({"activity": {"root": leaf | {"bounds": [0, 0, 1440, 2560], "children": children}}}).encode()
    for number in range(episodes):
        trace = root / f"app.number{number % 100}" / f"trace_{number}"
        (trace / "view_hierarchies").mkdir(parents=True)
        (trace / "gestures.json").write_text('{"1": [[0.5, 0.5]], "2": []}', "utf-8")
        for state in (1, 2):
            (trace / "view_hierarchies" / f"{state}.json").write_bytes(tree)


@pytest.mark.timeout(600)
def test_ten_thousand_episodes_in_the_window(tmp_path: Path, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    data, gaps = tmp_path / "traces", tmp_path / "empty.txt"
    write_traces(data, EPISODES)
    with empty_loop(gaps), ExitStack() as kept:
        walk = WindowWalk(tmp_path / "out")
        kept.enter_context(garbage_kept(walk))
        walk.open_sample()
        library, heart = walk.bench.library, Heart()
        began = time.perf_counter()
        title = lambda: walk.bench.window.windowTitle().startswith("traces")  # noqa: E731
        with heart.during("listing"):
            library.open_path(data)
            wait_for(lambda: title() and walk.bench.window.episodes.model.rowCount() > 0, "the first rows")
            first = time.perf_counter() - began
            wait_for(lambda: len(library.ids) == EPISODES, "all rows")
        listed = time.perf_counter() - began
        with heart.during("reading them whole"):
            walk.settle()
        checked = time.perf_counter() - began
        library.close_current()
        walk.settle()
        began = time.perf_counter()
        with heart.during("opening them again"):
            library.open_path(data)
            wait_for(lambda: title() and len(library.ids) == EPISODES, "the kept rows")
        again = time.perf_counter() - began
        walk.end()
    figure(f"{EPISODES:,} episodes: first rows in the window", first, "s")
    figure(f"{EPISODES:,} episodes: opened again", again, "s")
    heart.tell(figure)
    with capsys.disabled():
        print(
            f"\n{EPISODES:,} episodes in the window: first rows {first:.2f} s, all {listed:.1f} s, read whole "
            f"{checked:.1f} s; opened again: all rows listed after {again:.2f} s (budget 0.3 for the first)"
        )
        print("\n".join(heart.words(phase, read_gaps(gaps)) for phase in heart.phases))
    assert checked >= listed >= first
