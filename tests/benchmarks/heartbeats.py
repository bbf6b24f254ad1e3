"""Turns of a window's event loop, and where the time of the long ones went.

A timer notes the gaps between its turns. Of each gap three parts are told apart: the processor time of the window's own
thread; how long that thread was ready and waited for a processor, which is the machine's (Linux tells it); and the
rest, in which it waited for something, above all for Python threads of its own process. An empty loop in another
process, at the same moments, says what the machine does to a loop that has nothing to do.

With STEPSCOPE_STACKS=1 a signal and a thread look what is being done in turns that take long. They take time
themselves, and looking into threads that run has ended the process once: figures to be quoted are taken without.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

from PySide6.QtCore import QTimer

from stepscope.app.gui.main import garbage_keeper
from stepscope.app.gui.walk import WindowWalk
from tests.benchmarks.figures import Tell

BEAT_MS = 1
LONG_MS = 20.0
LONGEST_TOLD = 5
BUDGET_P99, BUDGET_LONGEST = 16.0, 50.0
LOOK_SECONDS, LOOK_AT_OTHERS_SECONDS = 0.001, 0.004
WAITING = ("threading.wait", "pickled.run", "worker._answers", "reader_process._run", "selectors.select")

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
def garbage_kept(walk: WindowWalk) -> Iterator[None]:
    """Collect garbage as the program's own window does."""
    keeper = garbage_keeper(walk.bench)
    gc.freeze()
    keeper.begin()
    try:
        yield
    finally:
        keeper.end()


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


def read_gaps(gaps: Path) -> list[tuple[float, float]]:
    """What `empty_loop` wrote; its last line may be cut off."""
    return [(float(moment), float(gap)) for moment, gap in map(str.split, gaps.read_text().splitlines()[:-1])]


@dataclass
class Turns:
    """What happened between two beats, in ms: on the clock, in the thread's own processor time, and waiting for a
    processor."""

    began: float
    gaps: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)
    ended: float = 0.0

    @property
    def held(self) -> list[float]:
        """The rest of each turn, beyond the wait for the timer."""
        each = zip(self.gaps, self.spent, self.ready, strict=True)
        return [max(0.0, gap - spent - ready - BEAT_MS) for gap, spent, ready in each]


class Heart:
    """Turns of the event loop by phase. Each beat is at least a millisecond after the last."""

    def __init__(self) -> None:
        self.phases: dict[str, Turns] = {}
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._turns = Turns(0.0)
        self._last = self._last_spent = self._last_ready = 0.0
        self._waits = _Waits()
        self._garbage = _Garbage()
        self._watch = _Watch() if os.environ.get("STEPSCOPE_STACKS") else None

    def _beat(self) -> None:
        now, spent, ready = time.monotonic(), time.thread_time(), self._waits.seconds()
        self._turns.gaps.append((now - self._last) * 1e3)
        self._turns.spent.append((spent - self._last_spent) * 1e3)
        self._turns.ready.append((ready - self._last_ready) * 1e3)
        self._last, self._last_spent, self._last_ready = now, spent, ready
        if self._watch is not None:
            self._watch.beat(now, self._turns.spent[-1])

    @contextmanager
    def during(self, phase: str) -> Iterator[None]:
        self._last, self._last_spent, self._last_ready = time.monotonic(), time.thread_time(), self._waits.seconds()
        self._turns = self.phases[phase] = Turns(self._last)
        self._garbage.begin(phase)
        self._timer.start(BEAT_MS)
        if self._watch is not None:
            self._watch.begin(phase)
        yield
        self._timer.stop()
        if self._watch is not None:
            self._watch.stop()
        self._turns.ended = time.monotonic()

    def tell(self, figure: Tell) -> None:
        """Keep what is counted of every phase."""
        for phase, turns in self.phases.items():
            figure(f"{phase}: a turn of the window, p99", p99(turns.gaps), "ms", budget=BUDGET_P99)
            figure(f"{phase}: a turn of the window, longest", max(turns.gaps), "ms", budget=BUDGET_LONGEST)

    def words(self, phase: str, empty: list[tuple[float, float]]) -> str:
        """`empty`: moments and gaps of the loop with nothing in it."""
        turns = self.phases[phase]
        budgets = (("p99", p99(turns.gaps), BUDGET_P99), ("longest", max(turns.gaps), BUDGET_LONGEST))
        missed = [name for name, value, budget in budgets if value > budget]
        machine = [gap for moment, gap in empty if turns.began <= moment <= turns.ended]
        each = zip(turns.gaps, turns.spent, turns.ready, turns.held, strict=True)
        longest = sorted(each, reverse=True)[:LONGEST_TOLD]
        lines = [
            f"{phase}: p50 {share(turns.gaps, 50):.1f}, p95 {share(turns.gaps, 95):.1f}, p99 {p99(turns.gaps):.1f}, "
            f"longest {max(turns.gaps):.1f} ms of {len(turns.gaps):,} turns in {sum(turns.gaps) / 1e3:.1f} s"
            + (f" (missed: {', '.join(missed)})" if missed else ""),
            _part("  processor time of a turn", turns.spent),
            _part("  waiting inside the process", turns.held),
            _part("  waiting for a processor", turns.ready),
            _part("  an empty loop meanwhile", machine) + f"; load {os.getloadavg()[0]:.1f}",
            "  longest turns (processor, inside, for a processor): "
            + ", ".join(f"{gap:.0f} ({spent:.0f}, {held:.0f}, {ready:.0f})" for gap, spent, ready, held in longest),
            self._garbage.words(phase),
        ]
        if self._watch is not None:
            lines += self._watch.words(phase)
        return "\n".join(lines)


def _part(name: str, values: list[float]) -> str:
    over = sum(value > LONG_MS for value in values)
    longest = max(values, default=0.0)
    return f"{name}: p99 {p99(values):.1f}, most {longest:.1f}, over {LONG_MS:g} ms {over}; {sum(values) / 1e3:.2f} s"


def share(values: list[float], percent: int) -> float:
    return sorted(values)[len(values) * percent // 100] if values else 0.0


def p99(values: list[float]) -> float:
    return share(values, 99)


Stack = list[tuple[CodeType, int]]


class _Waits:
    """How long this thread was ready to run and had no processor, in seconds since it began."""

    def __init__(self) -> None:
        self._file = None
        with suppress(OSError):
            self._file = os.open(f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY)

    def seconds(self) -> float:
        return 0.0 if self._file is None else int(os.pread(self._file, 64, 0).split()[1]) / 1e9


class _Garbage:
    """The collections of garbage in this process: no other thread runs meanwhile, whichever began it."""

    def __init__(self) -> None:
        self._took: dict[str, list[tuple[float, int]]] = {}
        self._phase, self._began = "", 0.0
        gc.callbacks.append(self._told)

    def begin(self, phase: str) -> None:
        self._phase, self._took[phase] = phase, []

    def _told(self, when: str, about: dict[str, int]) -> None:
        now = time.thread_time()
        if when == "start":
            self._began = now
        elif self._phase:
            self._took[self._phase].append(((now - self._began) * 1e3, about["generation"]))

    def words(self, phase: str) -> str:
        took = self._took[phase]
        longest = ", ".join(f"{ms:.0f} (of {generation})" for ms, generation in sorted(took, reverse=True)[:3])
        return f"  garbage: {sum(ms for ms, _ in took):.0f} ms of processor time in {len(took)}; longest {longest}"


class _Watch:
    """What the window's thread does in turns that take long, and what the others do meanwhile.

    A signal every millisecond looks at the window's own stack, between two of its instructions; a thread looks at those
    of the others.
    """

    def __init__(self) -> None:
        self._own = threading.get_ident()
        self._phase = ""
        self._stacks: list[Stack] = []
        self._others: list[str] = []
        self._long: dict[str, list[tuple[float, list[Stack], list[str]]]] = {}
        self._since = 0.0
        signal.signal(signal.SIGALRM, self._look)
        threading.Thread(target=self._look_at_others, name="stacks", daemon=True).start()

    def begin(self, phase: str) -> None:
        self._phase, self._long[phase] = phase, []
        self._since = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS)

    def stop(self) -> None:
        self._phase = ""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def beat(self, now: float, spent_ms: float) -> None:
        stacks, self._stacks = self._stacks, []
        others, self._others = self._others, []
        if (now - self._since) * 1e3 > LONG_MS:
            self._long[self._phase].append((spent_ms, stacks, others))
        self._since = now

    def _look(self, _signal: int, frame: FrameType | None) -> None:
        calls = []
        while frame is not None:
            calls.append((frame.f_code, frame.f_lineno))
            frame = frame.f_back
        self._stacks.append(calls)
        if self._phase:
            signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS)

    def _look_at_others(self) -> None:
        while True:
            time.sleep(LOOK_AT_OTHERS_SECONDS)
            if not self._phase or (time.monotonic() - self._since) * 1e3 < LONG_MS / 2:
                continue
            for thread, frame in sys._current_frames().items():
                if thread in (threading.get_ident(), self._own):
                    continue
                calls = traceback.extract_stack(frame)
                if f"{Path(calls[-1].filename).stem}.{calls[-1].name}" not in WAITING:
                    self._others.append(" > ".join(f"{Path(c.filename).stem}.{c.name}:{c.lineno}" for c in calls[-7:]))

    def words(self, phase: str) -> list[str]:
        lines = []
        for spent, stacks, others in sorted(self._long[phase], key=lambda one: -one[0])[:LONGEST_TOLD]:
            lines.append(f"  a turn with {spent:.0f} ms of processor time, {len(stacks)} looks:")
            lines += _tree([_named(stack) for stack in stacks], len(stacks) / 12, 2)
            lines += [f"      other {count}: {path}" for path, count in Counter(others).most_common(4)]
        return lines


def _named(stack: Stack) -> tuple[str, ...]:
    """The calls from the outermost in, by file, function and line."""
    return tuple(f"{'/'.join(Path(code.co_filename).parts[-2:])} {code.co_name}:{line}" for code, line in stack[::-1])


def _tree(stacks: list[tuple[str, ...]], least: float, depth: int) -> list[str]:
    """The calls that most looks found, below those that made them; one that makes but one other is left out."""
    lines = []
    for call, count in Counter(stack[0] for stack in stacks if stack).most_common():
        if count < max(least, 2):
            break
        below = [stack[1:] for stack in stacks if stack and stack[0] == call]
        inner = _tree([stack for stack in below if stack], least, depth + 1)
        alone = len({stack[0] for stack in below if stack}) == 1 and all(below)
        lines += [one[2:] for one in inner] if alone else [f"{'  ' * depth}{count} {call}", *inner]
    return lines
