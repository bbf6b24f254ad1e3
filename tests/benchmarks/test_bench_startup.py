"""The window is there, usable, and back where it was: three spans of a start, over that of a bare QMainWindow.

Each is a cold process, by turns with the bare one; ratios are printed by the clock and in processor time of the
window's thread (other threads' beside it), nothing is asserted about seconds. The ratio of processor times is of the
least of each: what else the machine does only adds to it.

*painted*: the window has painted itself once. *usable*: started as the command does, the first key that is pressed
after that (Ctrl+B, which puts a dock away) has been answered by another painting. *at rest*: the session of before is
back, which is data, list, episode, step with its picture, and the panels filled; no dock moves after the first paint,
nor while what is not in front is read after that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest

from stepscope.app.services.provenance import SAMPLE
from tests.benchmarks.figures import Tell
from tests.benchmarks.test_bench_opening import EPISODES, write_traces

END = """
told.update(until=time.perf_counter(), spent=time.process_time(), own=time.thread_time())
print(json.dumps(told), flush=True)
os._exit(0)
"""
"""A process is not at its end when the window is there: what it takes to end is no part of the span."""

BARE = (
    """
import json, os, time
told = {}
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtTest import QTest  # presses the key; both have it
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
class Look(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, app.quit)
        return False
window, look = QMainWindow(), Look()
window.resize(1600, 1000)
window.installEventFilter(look)
window.show()
app.exec()
"""
    + END
)

OURS = (
    """
import gc
gc.disable()  # as the command does
import json, os, sys, time
from pathlib import Path
from PySide6.QtCore import QEvent, QObject, QTimer, Qt
from PySide6.QtTest import QTest
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.main import _collect_garbage_again, garbage_keeper, make_application
from stepscope.app.gui.workbench import StartupRequest, Workbench

span, home, paths = sys.argv[1], Path(sys.argv[2]), tuple(map(Path, sys.argv[3:]))
app = make_application()
bench = Workbench(app, AppFolders(home / "preferences.json", home / "window.ini", f"sqlite:///{home / 'store.db'}"))
window, context = bench.window, bench.context
heavy = ("numpy", "cv2", "sqlalchemy", "pyqtgraph", "superqt", "torch", "sklearn")
docks = lambda: {name: dock.geometry().getRect() for name, dock in window.docks.items() if dock.isVisible()}
told, painted = {}, []

def first_paint():
    told.update(heavy=[one for one in heavy if one in sys.modules], docks=docks(), wall=time.perf_counter(),
                used=time.process_time(), modules=sum(one.startswith("stepscope") for one in tuple(sys.modules)))
    if span == "painted":
        app.quit()
    elif span == "usable":
        QTest.keyClick(window.replay.view, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
        assert window.docks["episodes"].isHidden()
        window.repaint()
        app.quit()

class Look(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and not painted:
            painted.append(True)
            QTimer.singleShot(0, first_paint)
        return False

def at_rest():
    told.update(used=time.process_time() - told["used"], wall=time.perf_counter() - told["wall"],
                episode=context.selection.episode.id)
    def look():
        if context.pictures.is_idle and not any(one.lane in ("urgent", "reader") for one in context.tasks.tasks):
            told.update(moved=told["docks"] != docks())
            app.quit()
    poll.timeout.connect(look)
    poll.start(50)

look, poll = Look(), QTimer()
window.installEventFilter(look)
if span == "rest":
    context.settled.connect(at_rest)
elif span == "prepare":  # the session that is brought back: everything read whole, at the second step
    def ended():
        if bench.library.ids and not context.tasks.tasks and context.selection.episode is not None:
            poll.stop()
            bench.viewer.go(1)
            QTimer.singleShot(3000, app.quit)
    poll.timeout.connect(ended)
    poll.start(500)
bench.begin(StartupRequest(paths)) if span != "painted" else window.show()
garbage = garbage_keeper(bench)
QTimer.singleShot(0, garbage, lambda: _collect_garbage_again(garbage))
app.exec()
if span == "prepare":
    bench.close()
"""
    + END
)


def life(code: str, *arguments: str) -> tuple[float, float, dict[str, object]]:
    """Seconds from the start of the process until its span was over, those of the processor that the thread of the
    window used, and what it told."""
    began = time.perf_counter()  # one clock for all processes of a machine
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, env=environment, stdout=subprocess.PIPE, text=True
    )
    told = json.loads(done.stdout.splitlines()[-1])
    return told["until"] - began, told["own"], told


@pytest.mark.parametrize(("span", "budget"), [("painted", 3), ("usable", 3)])
def test_startup_against_a_bare_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], span: str, budget: int, figure: Tell
) -> None:
    life(BARE), life(OURS, span, str(tmp_path))
    pairs = [(life(OURS, span, str(tmp_path)), life(BARE)) for _ in range(7)]
    ratios = [ours[0] / bare[0] for ours, bare in pairs]
    ours, bare = min(one[1] for one, _ in pairs), min(one[1] for _, one in pairs)
    told = pairs[0][0][2]
    figure(f"{span}, over a bare window, by the clock", median(ratios), budget=budget)
    figure(f"{span}, over a bare window, of the processor", ours / bare, budget=budget)
    with capsys.disabled():
        print(
            f"\n{span}, over a bare window: by the clock {median(ratios):.2f}, {min(ratios):.2f} to "
            f"{max(ratios):.2f}; in processor time {ours / bare:.2f} ({ours:.2f} s over {bare:.2f}; all threads "
            f"{min(float(str(one[2]['spent'])) for one, _ in pairs):.2f}) (budget {budget}); "
            f"{told['modules']} modules of ours"
        )
    assert told["heavy"] == []


@pytest.mark.parametrize("episodes", ["sample", f"{EPISODES:,}"])
def test_the_session_of_before_is_at_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], episodes: str, figure: Tell
) -> None:
    data = SAMPLE if episodes == "sample" else tmp_path / "traces"
    if data != SAMPLE:
        write_traces(data)
    home = tmp_path / "home"
    home.mkdir()
    life(OURS, "prepare", str(home), str(data))
    pairs = [(life(OURS, "rest", str(home))[2], life(BARE)) for _ in range(5)]
    waits = sorted(float(str(told["wall"])) for told, _ in pairs)
    used, bare = min(float(str(told["used"])) for told, _ in pairs), min(one[1] for _, one in pairs)
    figure(f"session of before on {episodes} episodes at rest", median(waits), "s", budget=1.5)
    with capsys.disabled():
        print(
            f"\nsession of before on {episodes} episodes, from the first paint to rest: median {median(waits):.2f} s, "
            f"{waits[0]:.2f} to {waits[-1]:.2f} (budget 1.5); {used:.2f} s of processor time, {used / bare:.1f} lives "
            f"of a bare window; docks moved in {sum(bool(told['moved']) for told, _ in pairs)} of {len(pairs)} starts"
        )
    assert all(told["episode"] for told, _ in pairs)
