"""What the benchmarks of the mirror measure with: a phone in a process of its own, and a window that looks at it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from stepscope.core.device.adb.device import AdbDevice
from stepscope.core.device.adb.server import AdbServer as AdbAccess
from stepscope.core.device.adb.video import VideoKind
from stepscope.core.device.frames import Frame
from stepscope.core.device.mirror import MirrorState
from stepscope.core.device.session import LiveSession
from stepscope.core.domain.geometry import Size
from stepscope.widgets.live.mirror import MirrorView
from tests.core.device.wired import tree_of
from tests.device_side import timecode
from tests.device_side.adb_server import AdbServer

ROOT = Path(__file__).parents[2]
SCREEN = Size(1080, 2400)
VIEW = 480, 1000
"""Logical pixels of the mirror's widget; the picture in it is some 430 wide."""

BEAT_MS = 5
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass
class Phone:
    """The device's process. `sent[n]`: when the picture with the number n last left its encoder."""

    process: subprocess.Popen[str]
    address: str
    sent: NDArray[np.float64]


@contextmanager
def phone(server: AdbServer, coded: Path, clock: Path, fps: int) -> Iterator[Phone]:
    """A phone of `SCREEN` that shows the coded pictures, at this machine's real adb server."""
    words = [
        "--fps",
        str(fps),
        "--size",
        f"{SCREEN.width}x{SCREEN.height}",
        "--coded",
        str(coded),
        "--clock",
        str(clock),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.device_side", *words],
        cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    try:
        address = json.loads(process.stdout.readline())["address"]
        assert server.connect(address).startswith("connected")
        yield Phone(process, address, np.memmap(clock, np.float64, "r"))
    finally:
        server.disconnect(address)
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


class Window(QObject):
    """A mirror view without a display, and what it painted: for each new picture, when it left the encoder, arrived
    whole, was decoded and was painted (seconds of `time.monotonic`)."""

    came = Signal()

    def __init__(self, device: AdbDevice, sent: NDArray[np.float64]) -> None:
        super().__init__()
        self._sent = sent
        self.times: list[tuple[float, float, float, float]] = []
        self.unread = 0
        self.states: list[MirrorState] = []
        self.gaps: list[float] = []
        """Milliseconds between turns of the event loop that were asked for every `BEAT_MS`."""
        self._turn = time.monotonic()
        self._heart = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._heart.timeout.connect(self._beat)
        self._heart.start()
        self.session = LiveSession(device, self.came.emit, self.states.append)
        self.heard: list[Callable[[], object]] = []
        mirror = self.session.mirror
        self.view = MirrorView()
        self.view.resize(*VIEW)
        self.view.size_wanted.connect(mirror.fit)
        self.view.set_source(mirror.newest)
        self.view.frame_painted.connect(self._painted)
        self.came.connect(self._came)
        self.view.show()

    def _beat(self) -> None:
        now = time.monotonic()
        self.gaps.append(1000 * (now - self._turn) - BEAT_MS)
        self._turn = now

    def _came(self) -> None:
        self.view.wake()
        for hear in self.heard:
            hear()

    def _painted(self, frame: Frame) -> None:
        now = time.monotonic()
        number = timecode.read(frame.image)
        if number is None or number >= len(self._sent):
            self.unread += 1
            return
        self.times.append((float(self._sent[number]), frame.arrived, frame.decoded, now))

    def close(self) -> None:
        self._heart.stop()
        self.session.close()
        self.view.close()


@contextmanager
def window(phone: Phone, way: VideoKind) -> Iterator[Window]:
    info = next(info for info in AdbAccess().devices() if info.serial == phone.address)
    opened = Window(AdbDevice(AdbAccess(), info, tree_of, ways=(way,)), phone.sent)
    try:
        yield opened
    finally:
        opened.close()


@dataclass
class Usage:
    """Processor seconds of the processes, by name, since it was made."""

    pids: dict[str, int]
    _before: dict[str, float] = field(init=False)
    _began: float = field(init=False)

    def __post_init__(self) -> None:
        self._before = {name: processor_seconds(pid) for name, pid in self.pids.items()}
        self._began = time.monotonic()

    def shares(self) -> dict[str, float]:
        """Of one core."""
        passed = time.monotonic() - self._began
        return {name: (processor_seconds(pid) - self._before[name]) / passed for name, pid in self.pids.items()}


def processor_seconds(pid: int) -> float:
    """What a process has used; 0 where the system does not tell."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / _TICKS


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
