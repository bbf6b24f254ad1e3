"""How long the window ever stalls while an evaluation is at work in its own process.

A timer in the event loop of the whole window, without a display, notes the gaps between its turns: at rest, while the
model is loaded (torch is imported for real, where it is installed), while it computes on all cores, and while items
come as fast as they can be scored and the results on the screen are read anew. The models come as a plug-in, so that
they run where any model does.

A gap may be the machine's: `heartbeats` tells the window's part from it.
"""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable
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
from tests.benchmarks.figures import Tell
from tests.benchmarks.heartbeats import Heart, empty_loop, garbage_kept, read_gaps

REST_MS = 3_000
HAND_SECONDS = 0.3
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


def write_data(folder: Path) -> None:
    """Recordings without pictures: what the window does with results is measured, not decoding."""
    for number in range(EPISODES):
        steps = [Step(n, Observation(SIZE), Tap(Point(40 * n, 60 * n, SIZE))) for n in range(STEPS)]
        episode = Episode(f"e{number}", "recording", Platform.ANDROID, f"Goal {number}", tuple(steps), app="app")
        write_recording(episode, folder / f"e{number}")


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_plug_in(tmp_path / "package", monkeypatch)


def write_plug_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with the model "heavy", for this process and those that it starts."""
    about = folder / "busy-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "busy_models.py").write_text(PACKAGE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: busy\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[stepscope.models]\nheavy = busy_models:heavy\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH")))))


def begin(walk: WindowWalk, model: str, *, at_once: bool = False) -> Callable[[], bool]:
    """Open the form, and press Run for a model once the form is there, as a person does; whether its run is done.
    `at_once`: where other work never ends, a third of a second after the form."""
    before = set(walk.bench.results.run_ids)
    walk.bench.evaluate.show_form(model=model, protocol="aitw")
    if at_once:
        end = time.monotonic() + HAND_SECONDS
        wait_for(lambda: time.monotonic() > end, "the hand on its way to Run")
    else:
        walk.settle()
    walk.bench.window.evaluate.run()

    def done() -> bool:
        new = set(walk.bench.results.run_ids) - before
        return bool(new) and walk.bench.results.state_of(next(iter(new))) is RunState.DONE

    return done


def at_work(walk: WindowWalk) -> bool:
    return any(working.update is not None for working in walk.bench.evaluate._working.values())


@pytest.mark.timeout(600)
def test_the_window_while_evaluations_run(
    tmp_path: Path, plug_in: None, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    data, heart, gaps = tmp_path / "data", Heart(), tmp_path / "empty.txt"
    write_data(data)
    evaluation_worker().close()
    with empty_loop(gaps):
        walk = WindowWalk(tmp_path / "out")
        with garbage_kept(walk):
            live(walk, heart, data)
    empty = read_gaps(gaps)
    heart.tell(figure)
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
