"""How long the window ever stalls while an evaluation is at work in its own process.

A timer in the event loop of the whole window, without a display, notes the gaps between its turns: at rest, while the
model is loaded (torch is imported for real, where it is installed), while it computes on all cores, and while items
come as fast as they can be scored and the results on the screen are read anew. The models come as a plug-in, so that
they run where any model does. The machine's load is printed beside the figures: a stall may be the system's.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QElapsedTimer, QTimer

from app.gui.walk import Walk, wait_for
from app.worker import evaluation_worker
from core.domain.action import Tap
from core.domain.episode import Episode, Observation, Platform, Step
from core.domain.geometry import Point, Size
from core.domain.run import RunState
from core.sources.recording_writer import write_recording

BUDGET_P99, BUDGET_LONGEST = 20.0, 50.0
REST_MS = 3_000
EPISODES, STEPS = 200, 25
SIZE = Size(1080, 1920)

PACKAGE = '''
import threading
from dataclasses import replace
from models.automation.noisy_copy import NoisyCopy
from models.catalog import NOISY_COPY

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


@dataclass
class Heart:
    """Gaps in ms between turns of the event loop; with each the name of the phase it fell into."""

    gaps: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._timer, self._clock, self._phase = QTimer(), QElapsedTimer(), ""
        self._timer.timeout.connect(self._beat)
        self._last = 0

    def _beat(self) -> None:
        now = self._clock.nsecsElapsed()
        self.gaps[self._phase].append((now - self._last) / 1e6)
        self._last = now

    @contextmanager
    def during(self, phase: str) -> Iterator[None]:
        self._phase = phase
        self.gaps.setdefault(phase, [])
        self._clock.start()
        self._last = 0
        self._timer.start(1)
        yield
        self._timer.stop()

    def words(self, phase: str) -> str:
        gaps = sorted(self.gaps[phase])
        p99, longest = gaps[len(gaps) * 99 // 100], gaps[-1]
        missed = [name for name, value, budget in (("p99", p99, BUDGET_P99), ("longest", longest, BUDGET_LONGEST))
                  if value > budget]  # fmt: skip
        return (
            f"{phase}: p99 {p99:.1f} ms, longest {longest:.1f} ms of {len(gaps):,} turns in {sum(gaps) / 1e3:.1f} s; "
            f"load {os.getloadavg()[0]:.1f}" + (f" (missed: {', '.join(missed)})" if missed else "")
        )


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


def begin(walk: Walk, model: str) -> Callable[[], bool]:
    """Press Run for a model; whether its run is done."""
    before = set(walk.bench.results.run_ids)
    walk.bench.evaluate.show_form(model=model, protocol="aitw")
    walk.bench.window.evaluate.run()

    def done() -> bool:
        new = set(walk.bench.results.run_ids) - before
        return bool(new) and walk.bench.results.state_of(next(iter(new))) is RunState.DONE

    return done


def at_work(walk: Walk) -> bool:
    return any(working.update is not None for working in walk.bench.evaluate._working.values())


def test_the_window_while_evaluations_run(tmp_path: Path, plug_in: None, capsys: pytest.CaptureFixture[str]) -> None:
    data, heart = tmp_path / "data", Heart()
    write_data(data)
    evaluation_worker().close()
    walk = Walk(tmp_path / "out")
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
    walk.end()
    with capsys.disabled():
        print(f"\ntorch {_torch()} installed")
        print("\n".join(f"  {heart.words(phase)}" for phase in heart.gaps))
    assert all(heart.gaps.values())


def _torch() -> str:
    return "is" if importlib.util.find_spec("torch") is not None else "is not"
