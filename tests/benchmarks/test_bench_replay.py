"""Stepping through episodes in the whole window: from the key to the painted picture.

Prefetched steps are those that a person comes to at reading speed. Cold ones were never decoded and are held against
decoding the same file alone, a moment before. Then the arrow key is held. Beside what the clock says stands the
processor time of the window's thread, which other work on the machine lengthens less.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median, quantiles

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest

from stepscope.app.gui.shell.scrub_predictor import HURRIED
from stepscope.app.gui.walk import WindowWalk, wait_for
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.parts import picture_file
from tests.benchmarks.bare_viewer import BareViewer
from tests.benchmarks.long_recordings import write_long

PHONE, PAGE = Size(1080, 2400), Size(1280, 5808)
KEY_MS = 25
"""A held key repeats 30 times a second on a usual desktop; here 40 times, so that the window is what limits."""
HELD = 70
"""Steps of a hundred that are hurried through: the way could go on."""
IDLE_TURN = 0.0003
"""Seconds of processor time below which a turn of the event loop did nothing."""
LONG = 10_000
SMALL_CACHE_MB = 128
COLD_WALKS = 3
"""Some twenty steps of each are cold: a p95 of twenty is their worst."""


def p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]


class Walker:
    """A person in the window of one long recording, with a stopwatch."""

    def __init__(self, folder: Path, work: Path) -> None:
        self.walk = WindowWalk(work)
        self.bench = self.walk.bench
        self.bench.start([folder])
        self.bench.window.resize(1600, 1000)
        self.selection = self.bench.context.selection
        wait_for(lambda: self.selection.episode is not None, "the episode")
        self.view = self.bench.window.replay.view
        self.painted = 0
        self.view.step_painted.connect(self._count)
        self.bench.viewer.picture_improved.connect(lambda _picture: self.view.repaint())
        self.walk.settle()

    def _count(self, _ms: float) -> None:
        self.painted += 1

    @property
    def is_whole(self) -> bool:
        """Whether the step that is shown is the one that is asked for, with its whole picture."""
        content = self.view.content
        here = self.selection.step_index + 1
        return content is not None and content.number == here and content.picture is not None and (
            content.picture.size == content.size
        )  # fmt: skip

    def timed(self, go: Callable[[], object], done: Callable[[], bool]) -> tuple[float, float]:
        """Milliseconds by the clock and of this thread's processor time until `done`, looked at after every event."""
        events = self.walk.application
        began, cpu = time.perf_counter(), time.thread_time()
        go()
        while not done():
            events.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return 1000 * (time.perf_counter() - began), 1000 * (time.thread_time() - cpu)

    def pause(self) -> None:
        """A person looks, for longer than one who hurries."""
        end = time.perf_counter() + 1.2 * HURRIED
        wait_for(lambda: time.perf_counter() > end, "a moment")

    def jump(self, target: int) -> tuple[float, float]:
        """Milliseconds until something of a step is painted, and until its whole picture is."""
        before = self.painted
        first, _ = self.timed(lambda: self.bench.viewer.go(target), lambda: self.painted > before)
        rest, _ = self.timed(lambda: None, lambda: self.is_whole)
        return first, first + rest

    def press(self) -> tuple[float, float]:
        before = self.painted
        return self.timed(lambda: QTest.keyClick(self.view, Qt.Key.Key_Right), lambda: self.painted > before)

    def rest(self, seconds: float = 0.5) -> tuple[float, float]:
        """Let everything about a step come to rest: milliseconds by the clock until the last turn of the event loop
        that did something, and of this thread's processor time in all such turns."""
        began = last = time.perf_counter()
        taken = 0.0
        while time.perf_counter() < began + seconds:
            cpu = time.thread_time()
            self.walk.application.processEvents()
            turn = time.thread_time() - cpu
            if turn > IDLE_TURN:
                last, taken = time.perf_counter(), taken + turn
        return 1000 * (last - began), 1000 * taken

    def hold(self, steps: int) -> tuple[float, int]:
        """Hold the arrow key: seconds, and pictures painted meanwhile that are of the step asked for."""
        began, own = time.perf_counter(), 0
        start, count = self.selection.step_index, self.painted
        last = min(start + steps, len(self.selection.episode.steps) - 1)

        def look(_ms: float) -> None:
            nonlocal own
            content = self.view.content
            own += content is not None and content.number == self.selection.step_index + 1

        self.view.step_painted.connect(look)
        timer = QTimer()
        timer.setInterval(KEY_MS)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(lambda: QTest.keyPress(self.view, Qt.Key.Key_Right))
        timer.start()
        wait_for(lambda: self.selection.step_index >= last, "the end of the way")
        timer.stop()
        QTest.keyRelease(self.view, Qt.Key.Key_Right)
        self.view.step_painted.disconnect(look)
        assert self.painted >= count
        return time.perf_counter() - began, own


@pytest.fixture
def walker(tmp_path: Path) -> Iterator[Callable[[Path], Walker]]:
    opened: list[Walker] = []

    def start(folder: Path) -> Walker:
        opened.append(Walker(folder, tmp_path / f"work{len(opened)}"))
        return opened[-1]

    yield start
    for one in opened:
        one.walk.end()


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a result with the machine's load beside it."""

    def out(words: str) -> None:
        with capsys.disabled():
            print(f"\n{words} [load {os.getloadavg()[0]:.1f}]")

    return out


@pytest.mark.parametrize("kind", ["jpeg", "png"])
def test_a_prefetched_step(tmp_path: Path, walker, say, kind: str) -> None:
    person = walker(write_long(tmp_path / kind, PHONE, kind, 40))
    wall, cpu = [], []
    for _ in range(39):
        person.walk.settle()
        clock, thread = person.press()
        wall.append(clock)
        cpu.append(thread)
    say(
        f"prefetched {kind}: p95 {p95(wall):.1f}, median {median(wall):.1f} ms; processor p95 {p95(cpu):.1f}, "
        f"median {median(cpu):.1f} ms (budget: p95 10)"
    )
    assert len(wall) == 39


@pytest.mark.parametrize("kind", ["jpeg", "png"])
def test_docks_after_a_prefetched_step(tmp_path: Path, walker, say, figure, kind: str) -> None:
    person = walker(write_long(tmp_path / kind, PHONE, kind, 30))
    wall, cpu = [], []
    for _ in range(29):
        person.walk.settle()
        person.rest()
        person.press()
        clock, thread = person.rest()
        wall.append(clock)
        cpu.append(thread)
    say(
        f"docks at rest after a step, {kind}: p95 {p95(wall):.0f}, median {median(wall):.0f} ms; processor p95 "
        f"{p95(cpu):.1f}, median {median(cpu):.1f} ms (budget: 50)"
    )
    figure(f"docks at rest after a step, {kind}", median(wall), "ms", budget=50)
    figure(f"docks at rest after a step, {kind}, processor", median(cpu), "ms", budget=50)
    assert len(wall) == 29


def test_the_next_episode(tmp_path: Path, walker, say) -> None:
    """From the key to its first picture, whole, after a while at the episode before."""
    for number in range(6):
        write_long(tmp_path / "many" / f"episode-{number}", PHONE, "jpeg", 12)
    person = walker(tmp_path / "many")
    wall, cpu = [], []
    for _ in range(5):
        person.walk.settle()
        person.rest()
        before, painted = person.selection.episode, person.painted

        def is_there(left: object = before, count: int = painted) -> bool:
            return person.selection.episode is not left and person.painted > count and person.is_whole

        clock, thread = person.timed(lambda: QTest.keyClick(person.view, Qt.Key.Key_PageDown), is_there)
        wall.append(clock)
        cpu.append(thread)
    say(
        f"next episode: median {median(wall):.0f}, longest {max(wall):.0f} ms; processor median {median(cpu):.0f}, "
        f"most {max(cpu):.0f} ms (budget: 150)"
    )
    assert len(wall) == 5


@pytest.mark.parametrize(("kind", "size"), [("jpeg", PHONE), ("png", PHONE), ("jpeg", PAGE)])
def test_a_cold_step_while_others_are_fetched(tmp_path: Path, walker, say, figure, kind: str, size: Size) -> None:
    """Jumps of seven steps: what is shown was never decoded, and the neighbours of the last one are being decoded. Held
    against decoding the same file alone, a moment before, as is a window of nothing but the picture."""
    folder = write_long(tmp_path / kind, size, kind, 64)
    whole, first, alone, more = [], [], [], []
    for _ in range(COLD_WALKS):
        person = walker(folder)
        episode = person.selection.episode
        for turn in range(1, 50):
            target = turn * 7 % 64
            picture = episode.shown_at(target)
            if person.bench.context.cache.is_at_hand(picture):
                continue
            alone.append(_decoding_ms(picture_file(picture)))
            person.pause()
            seen, there = person.jump(target)
            first.append(seen)
            whole.append(there)
            more.append(there - alone[-1])
        person.walk.settle()
    bare = _bare_more(person, folder)
    say(
        f"cold {kind} {size}, {len(whole)} steps: whole p95 {p95(whole):.1f}, median {median(whole):.1f} ms; first "
        f"seen p95 {p95(first):.1f}, median {median(first):.1f}; cv2.imdecode alone p95 {p95(alone):.1f}, median "
        f"{median(alone):.1f} ms; more than that: p95 {p95(more):.1f}, median {median(more):.1f} (budget: p95 15); "
        f"a window of nothing but the picture: p95 {p95(bare):.1f}, median {median(bare):.1f}"
    )
    figure(f"cold {kind} {size}, more than decoding, p95", p95(more), "ms", budget=15)
    assert len(whole) > 10


def _decoding_ms(data: bytes) -> float:
    began = time.perf_counter()
    cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return 1000 * (time.perf_counter() - began)


def _bare_more(person: Walker, folder: Path) -> list[float]:
    """What a bare viewer takes beyond decoding, for each picture of a recording."""
    viewer = BareViewer()
    viewer.resize(853, 820)
    viewer.show()
    more = []
    for file in sorted(file for file in folder.rglob("*") if file.suffix in (".png", ".jpg", ".jpeg")):
        alone = _decoding_ms(file.read_bytes())
        person.pause()
        more.append(viewer.show_file(file) - alone)
    viewer.close()
    return more


@pytest.mark.parametrize("kind", ["jpeg", "png"])
def test_holding_the_arrow_key(tmp_path: Path, walker, say, figure, kind: str) -> None:
    person = walker(write_long(tmp_path / kind, PHONE, kind, 100))
    person.bench.context.pictures.clear()
    seconds, own = person.hold(HELD)
    released, _ = person.timed(lambda: None, lambda: person.is_whole)
    say(
        f"held key, {kind} never decoded: {HELD / seconds:.0f} steps/s, {own / seconds:.0f} pictures of their own a "
        f"second (budget 36); whole {released:.0f} ms after release (budget 100)"
    )
    figure(f"held key, {kind} never decoded, pictures a second", own / seconds, "a second", budget=36, more=True)
    person.walk.settle()
    person.bench.viewer.go(0)
    person.walk.settle()
    seconds, own = person.hold(HELD)
    say(f"the same way again: {HELD / seconds:.0f} steps/s, {own / seconds:.0f} pictures of their own a second")
    assert seconds > 0


@pytest.mark.timeout(900)
def test_memory_after_ten_thousand_steps(tmp_path: Path, walker, say) -> None:
    person = walker(write_long(tmp_path / "long", Size(540, 1200), "jpeg", 200, LONG, elements=2))
    cache = person.bench.context.cache
    cache.set_limit(SMALL_CACHE_MB * 2**20)
    highest, resident = 0, []
    while person.selection.step_index < LONG - 1:
        for _ in range(500):
            QTest.keyPress(person.view, Qt.Key.Key_Right)
            person.walk.application.processEvents()
            highest = max(highest, cache.statistics.bytes)
        resident.append(_resident_mb())
    say(
        f"{LONG} steps: the cache held at most {highest / 2**20:.0f} of {SMALL_CACHE_MB} MB; resident after 500 steps "
        f"{resident[0]:.0f} MB, at the end {resident[-1]:.0f}, at most {_most_resident_mb():.0f}"
    )
    assert highest <= SMALL_CACHE_MB * 2**20
    assert resident[-1] - resident[0] < SMALL_CACHE_MB


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def _most_resident_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
