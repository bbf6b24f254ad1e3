"""The arrow key is held, 10,000 episodes are opened and a model runs, all at once in one window.

Frame times are those of a person who looks: from one painting of the screen to the next while the key is held. Beside
them stand the turns of the event loop (`heartbeats`).
"""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from stepscope.app.gui.walk import WindowWalk, wait_for
from stepscope.app.services.worker import evaluation_worker
from stepscope.core.domain.geometry import Size
from tests.benchmarks.figures import Tell
from tests.benchmarks.heartbeats import Heart, empty_loop, garbage_kept, p99, read_gaps, share
from tests.benchmarks.long_recordings import write_long
from tests.benchmarks.test_bench_opening import write_traces
from tests.benchmarks.test_heartbeat import begin, write_data, write_plug_in

EPISODES = int(os.environ.get("STEPSCOPE_BENCH_EPISODES", "10000"))
SECONDS = float(os.environ.get("STEPSCOPE_BENCH_SECONDS", "20"))
SCREENS = 100
PHONE = Size(1080, 2400)
KEY_MS = 25
LATE_MS = 50
"""A frame that is later than this leaves out a key."""
LOOKS = 5.0
"""Seconds that a person looks at the window before all this: what it loads while nobody does anything is there then."""


class Frames:
    """When the screen was painted, and what the window's thread spent until then."""

    def __init__(self, walk: WindowWalk) -> None:
        self._view = walk.bench.window.replay.view
        self._selection = walk.bench.context.selection
        self._key = QTimer()
        self._key.setTimerType(Qt.TimerType.PreciseTimer)
        self._key.timeout.connect(self._press)
        self._way = Qt.Key.Key_Right
        self._last = self._last_spent = 0.0
        self.gaps: list[float] = []
        self.spent: list[float] = []
        self.pressed = 0

    def hold(self) -> None:
        """Hold the arrow key, to and fro, and note when the screen is painted."""
        self._view.setFocus()
        self._last, self._last_spent = time.monotonic(), time.thread_time()
        self._view.step_painted.connect(self._painted)
        self._key.start(KEY_MS)

    def release(self) -> None:
        self._key.stop()
        self._view.step_painted.disconnect(self._painted)
        QTest.keyRelease(self._view, self._way)

    def _press(self) -> None:
        episode = self._selection.episode
        if episode is None or len(episode.steps) < SCREENS:
            return
        if self._selection.step_index == len(episode.steps) - 1:
            self._way = Qt.Key.Key_Left
        elif self._selection.step_index == 0:
            self._way = Qt.Key.Key_Right
        self.pressed += 1
        QTest.keyPress(self._view, self._way)

    def _painted(self, _ms: float) -> None:
        now, spent = time.monotonic(), time.thread_time()
        self.gaps.append((now - self._last) * 1e3)
        self.spent.append((spent - self._last_spent) * 1e3)
        self._last, self._last_spent = now, spent

    def words(self) -> str:
        def told(values: list[float]) -> str:
            p50, p95 = share(values, 50), share(values, 95)
            return f"p50 {p50:.1f}, p95 {p95:.1f}, p99 {p99(values):.1f}, longest {max(values):.1f} ms"

        late = sum(gap > LATE_MS for gap in self.gaps)
        return (
            f"frames: {len(self.gaps):,} painted of {self.pressed:,} keys; from one to the next {told(self.gaps)}; "
            f"{late} after more than {LATE_MS} ms\n"
            f"  processor time of the window between two: {told(self.spent)}"
        )


@pytest.mark.timeout(600)
def test_everything_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    write_plug_in(tmp_path / "package", monkeypatch)
    traces = tmp_path / "traces"
    write_traces(traces, EPISODES)
    recordings = tmp_path / "recordings"
    write_data(recordings)
    write_long(recordings / "a walk", PHONE, "jpeg", SCREENS)
    evaluation_worker().close()
    heart, gaps = Heart(), tmp_path / "empty.txt"
    with empty_loop(gaps), ExitStack() as kept:
        walk = WindowWalk(tmp_path / "out")
        kept.enter_context(garbage_kept(walk))
        bench = walk.bench
        bench.start([recordings])
        bench.window.resize(1600, 1000)
        wait_for(lambda: bench.context.selection.episode is not None, "the episode")
        walk.settle()
        _wait(LOOKS)
        alone, frames = Frames(walk), Frames(walk)
        with heart.during("the key held, nothing else"):
            alone.hold()
            _wait(SECONDS / 4)
            alone.release()
        walk.settle()
        own = bench.context.selection.source
        assert own is not None
        with heart.during("the key held, a model, 10,000 episodes"):
            bench.library.open_path(traces)
            wait_for(lambda: len(bench.context.sources) == 2, "the first rows")
            bench.library.choose_source(next(one for one in bench.context.sources if one.key == own.key))
            wait_for(lambda: len(getattr(bench.context.selection.episode, "steps", ())) == SCREENS, "the way back")
            frames.hold()
            begin(walk, "heavy", at_once=True)
            _wait(SECONDS)
            frames.release()
        bench.evaluate.cancel()
        bench.library.opening.stop()
        walk.settle()
        walk.end()
    figure("everything at once: from frame to frame, p99", p99(frames.gaps), "ms")
    heart.tell(figure)
    with capsys.disabled():
        print(f"\nalone: {alone.words()}\nwith everything: {frames.words()}")
        print("\n".join(heart.words(phase, read_gaps(gaps)) for phase in heart.phases))
    assert frames.gaps


def _wait(seconds: float) -> None:
    end = time.monotonic() + seconds
    wait_for(lambda: time.monotonic() > end, "the end", seconds + 60)
