"""How long the window ever stalls while an evaluation is at work in its own process.

A timer in the event loop of the whole window, without a display, notes the gaps between its turns: at rest, while the
model is loaded (torch is imported for real, where it is installed), while it computes on all cores, and while items
come as fast as they can be scored and the results on the screen are read anew. The models come as a plug-in, so that
they run where any model does.

A gap may be the machine's. Two things tell the window's part from it: the CPU time that the window's own thread spent
in each turn, and the same timer in a process that has nothing but an event loop, at the same moments.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from stepscope.app.gui.walk import WindowWalk, wait_for
from stepscope.app.services.worker import evaluation_worker
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.run import RunState
from stepscope.core.sources.recording_writer import write_recording
from stepscope.widgets.results.rule_bar import PAGES

BUDGET_P99, BUDGET_LONGEST = 20.0, 50.0
REST_MS = 3_000
LONGEST_TOLD = 5
EPISODES, STEPS = 200, 25
SIZE = Size(1080, 1920)

PACKAGE = '''
import threading
from dataclasses import replace
from stepscope.models.automation.noisy_copy import NoisyCopy
from stepscope.models.catalog import NOISY_COPY

class Busy:
    """Products of matrices in every core for each batch."""
    info = replace(NOISY_COPY, name="heavy", batches=True)
    batch_size, fingerprint = 16, ""

    def __init__(self):
        import numpy as np
        try:
            import torch
            self.factor = torch.rand(1500, 1500)
        except ImportError:
            import onnxruntime
            self.factor = np.random.default_rng(0).random((1500, 1500), np.float32)
        self.sound = NoisyCopy()

    def predict(self, request):
        return self.predict_batch([request])[0]

    def prepare(self, request):
        return request

    def predict_batch(self, prepared):
        for _ in range(max(len(prepared) // 2, 1)):
            self.factor @ self.factor
        return [self.sound.predict(request) for request in prepared]

    def warm_up(self):
        self.factor @ self.factor

    def close(self):
        pass

def heavy():
    return Busy.info, lambda *, seed, device: Busy()
'''


EMPTY_LOOP = """
import sys, time
from PySide6.QtCore import QCoreApplication, QTimer
app, timer, last = QCoreApplication([]), QTimer(), time.monotonic()
def beat():
    global last
    now = time.monotonic()
    print(now, (now - last) * 1e3)
    last = now
timer.timeout.connect(beat)
timer.start(1)
app.exec()
"""


@contextmanager
def empty_loop(gaps: Path) -> Iterator[None]:
    """Write (moment, gap in ms) of each turn of a loop with nothing in it to a file, from another process."""
    with gaps.open("w") as out:
        process = subprocess.Popen([sys.executable, "-c", EMPTY_LOOP], stdout=out)
        try:
            yield
        finally:
            process.terminate()
            process.wait()


@dataclass
class Turns:
    """What happened between two beats, in ms: on the clock, and in the thread's own CPU time."""

    began: float
    gaps: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)
    ended: float = 0.0


class Heart:
    """Turns of the event loop by phase. Each beat is at least a millisecond after the last."""

    def __init__(self) -> None:
        self.phases: dict[str, Turns] = {}
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._turns = Turns(0.0)
        self._last = self._last_spent = 0.0

    def _beat(self) -> None:
        now, spent = time.monotonic(), time.thread_time()
        self._turns.gaps.append((now - self._last) * 1e3)
        self._turns.spent.append((spent - self._last_spent) * 1e3)
        self._last, self._last_spent = now, spent

    @contextmanager
    def during(self, phase: str) -> Iterator[None]:
        self._last, self._last_spent = time.monotonic(), time.thread_time()
        self._turns = self.phases[phase] = Turns(self._last)
        self._timer.start(1)
        yield
        self._timer.stop()
        self._turns.ended = time.monotonic()

    def words(self, phase: str, empty: list[tuple[float, float]]) -> str:
        """`empty`: moments and gaps of the loop with nothing in it."""
        turns = self.phases[phase]
        budgets = (("p99", p99(turns.gaps), BUDGET_P99), ("longest", max(turns.gaps), BUDGET_LONGEST))
        missed = [name for name, value, budget in budgets if value > budget]
        machine = [gap for moment, gap in empty if turns.began <= moment <= turns.ended]
        longest = sorted(zip(turns.gaps, turns.spent, strict=True), reverse=True)[:LONGEST_TOLD]
        over = sum(spent > BUDGET_P99 for spent in turns.spent)
        return "\n".join(
            (
                f"{phase}: p99 {p99(turns.gaps):.1f} ms, longest {max(turns.gaps):.1f} ms of {len(turns.gaps):,} turns "
                f"in {sum(turns.gaps) / 1e3:.1f} s; load {os.getloadavg()[0]:.1f}"
                + (f" (missed: {', '.join(missed)})" if missed else ""),
                f"  CPU of a turn: p99 {p99(turns.spent):.1f} ms, most {max(turns.spent):.1f} ms, "
                f"{over} over {BUDGET_P99:g} ms; an empty loop meanwhile: p99 {p99(machine):.1f} ms, longest "
                f"{max(machine, default=0):.1f} ms",
                "  longest turns (of them CPU): " + ", ".join(f"{gap:.0f} ({spent:.0f})" for gap, spent in longest),
            )
        )


def p99(values: list[float]) -> float:
    return sorted(values)[len(values) * 99 // 100] if values else 0.0


def write_data(folder: Path) -> None:
    """Recordings without pictures: what the window does with results is measured, not decoding."""
    for number in range(EPISODES):
        steps = [Step(n, Observation(SIZE), Tap(Point(40 * n, 60 * n, SIZE))) for n in range(STEPS)]
        episode = Episode(f"e{number}", "recording", Platform.ANDROID, f"Goal {number}", tuple(steps), app="app")
        write_recording(episode, folder / f"e{number}")


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "package"
    about = folder / "busy-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "busy_models.py").write_text(PACKAGE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: busy\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[stepscope.models]\nheavy = busy_models:heavy\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH")))))


def begin(walk: WindowWalk, model: str) -> Callable[[], bool]:
    """Press Run for a model; whether its run is done."""
    before = set(walk.bench.results.run_ids)
    walk.bench.evaluate.show_form(model=model, protocol="aitw")
    walk.bench.window.evaluate.run()

    def done() -> bool:
        new = set(walk.bench.results.run_ids) - before
        return bool(new) and walk.bench.results.state_of(next(iter(new))) is RunState.DONE

    return done


def at_work(walk: WindowWalk) -> bool:
    return any(working.update is not None for working in walk.bench.evaluate._working.values())


def test_the_window_while_evaluations_run(tmp_path: Path, plug_in: None, capsys: pytest.CaptureFixture[str]) -> None:
    data, heart, gaps = tmp_path / "data", Heart(), tmp_path / "empty.txt"
    write_data(data)
    evaluation_worker().close()
    with empty_loop(gaps):
        live(WindowWalk(tmp_path / "out"), heart, data)
    empty = [(float(moment), float(gap)) for moment, gap in map(str.split, gaps.read_text().splitlines()[:-1])]
    with capsys.disabled():
        print(f"\ntorch {_torch()} installed")
        print("\n".join(heart.words(phase, empty) for phase in heart.phases))
    assert all(turns.gaps for turns in heart.phases.values())


def live(walk: WindowWalk, heart: Heart, data: Path) -> None:
    """The phases, one after another."""
    with heart.during("the sample is opened"):
        walk.open_sample()
    bench = walk.bench
    with heart.during("at rest"):
        rest = QTimer()
        rest.setSingleShot(True)
        rest.start(REST_MS)
        wait_for(lambda: not rest.isActive(), "the end of the rest")
    bench.commands.run("workspace.results")
    walk.settle()
    with heart.during("model loading"):
        done = begin(walk, "heavy")
        wait_for(lambda: at_work(walk), "the first item")
    with heart.during("model computing on all cores"):
        wait_for(done, "the end of the heavy run")
    walk.settle()
    with heart.during("260 weightless items"):
        wait_for(begin(walk, "noisy-copy"), "the end of the small run")
        walk.settle()
    bench.library.opening.open_path(data)
    wait_for(lambda: len(bench.library.ids) == EPISODES, "all rows")
    walk.settle()
    bench.commands.run("workspace.results")
    with heart.during("5,000 weightless items, results on the screen"):
        wait_for(begin(walk, "noisy-copy"), "the end of the large run")
        walk.settle()
    with heart.during("every page of the results"):
        for page in PAGES:
            bench.window.results.show_page(page)
            walk.settle()
    walk.end()


def _torch() -> str:
    return "is" if importlib.util.find_spec("torch") is not None else "is not"
