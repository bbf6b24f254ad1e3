"""Ten thousand episodes dropped on the window: when the first row stands there, and how long the window ever stalls.

A heartbeat in the event loop notes the longest gap between two turns while the data set is read, listed and checked.
"""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from PySide6.QtCore import QTimer

from stepscope.app.gui.walk import WindowWalk, wait_for

EPISODES = 10_000
NODES = 60


def write_traces(root: Path) -> None:
    """Rico traces of two states with a UI tree of some 15 KB each."""
    leaf = {"class": "android.widget.TextView", "clickable": True, "visible-to-user": True, "content-desc": [None]}
    children = [leaf | {"bounds": [9, 9 * n, 900, 9 * n + 80], "text": f"row {n}"} for n in range(NODES)]
    tree = json.dumps({"activity": {"root": leaf | {"bounds": [0, 0, 1440, 2560], "children": children}}}).encode()
    for number in range(EPISODES):
        trace = root / f"app.number{number % 100}" / f"trace_{number}"
        (trace / "view_hierarchies").mkdir(parents=True)
        (trace / "gestures.json").write_text('{"1": [[0.5, 0.5]], "2": []}', "utf-8")
        for state in (1, 2):
            (trace / "view_hierarchies" / f"{state}.json").write_bytes(tree)


def test_ten_thousand_episodes_in_the_window(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "traces"
    write_traces(data)
    walk = WindowWalk(tmp_path / "out")
    walk.open_sample()
    library, beats = walk.bench.library, [time.perf_counter()]
    heart = QTimer()
    heart.timeout.connect(lambda: beats.append(time.perf_counter()))
    heart.start(1)
    began = time.perf_counter()
    title = lambda: walk.bench.window.windowTitle().startswith("traces")  # noqa: E731
    library.open_path(data)
    wait_for(lambda: title() and walk.bench.window.episodes.model.rowCount() > 0, "the first rows")
    first = time.perf_counter() - began
    wait_for(lambda: len(library.ids) == EPISODES, "all rows")
    listed = time.perf_counter() - began
    until_listed = max(b - a for a, b in pairwise(beats))
    walk.settle()
    checked = time.perf_counter() - began
    heart.stop()
    gaps = sorted(b - a for a, b in pairwise(beats))
    library.close_current()
    walk.settle()
    began = time.perf_counter()
    library.open_path(data)
    wait_for(lambda: title() and len(library.ids) == EPISODES, "the kept rows")
    again = time.perf_counter() - began
    walk.end()
    with capsys.disabled():
        print(
            f"\n{EPISODES:,} episodes in the window: first rows {first:.2f} s, all {listed:.1f} s, read whole "
            f"{checked:.1f} s; opened again: all rows listed after {again:.2f} s (budget 0.3 for the first)\n"
            f"longest stall while listing {1e3 * until_listed:.0f} ms, while checking {1e3 * gaps[-1]:.0f} (50), "
            f"p99 {1e3 * gaps[len(gaps) * 99 // 100]:.0f} ms, median {1e3 * median(gaps):.1f} (budget p99 20)"
        )
    assert checked >= listed >= first
