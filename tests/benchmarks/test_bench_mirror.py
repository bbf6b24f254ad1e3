"""The mirror over real adb: 1080 × 2400 at 30 and 60 frames a second, from the device's encoder to the painted widget.

The phone is the test device in its own process, its pictures are coded beforehand, and each has its number painted in:
so it is known to the microsecond when a picture left the encoder, and no encoder takes the processor away. scrcpy sends
framed packets, `screenrecord` bare Annex B. Compared with PyAV's bare decoding of the same bytes in the same run.

STEPSCOPE_MIRROR_SECONDS is how long each pass takes (8), STEPSCOPE_MIRROR_MINUTES how long memory is watched (1).
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from stepscope.app.services.live.overlay import LiveOverlay, OverlayPrediction, OverlayState
from stepscope.app.services.live.predicting import live_model
from stepscope.core.device.adb import scrcpy_file
from stepscope.core.device.adb.video import AdbVideo, VideoKind
from stepscope.core.errors import UserError
from tests.benchmarks.figures import Tell
from tests.benchmarks.live_phone import SCREEN, Phone, Usage, Window, phone, resident_megabytes, window
from tests.core.device.wired import stand_in_server
from tests.device_side.adb_server import AdbServer, find_adb, running
from tests.device_side.coded import CodedScreens, load, save

SECONDS = float(os.environ.get("STEPSCOPE_MIRROR_SECONDS", "8"))
MINUTES = float(os.environ.get("STEPSCOPE_MIRROR_MINUTES", "1"))
PICTURES = 120
WARM_SECONDS = 1.5
MEMORY_EVERY = 2.0
SWITCH_SECONDS = 0.0005
WAYS = [VideoKind.SCRCPY, VideoKind.SCREENRECORD]
FORM = {VideoKind.SCRCPY: "framed packets (scrcpy)", VideoKind.SCREENRECORD: "raw Annex B (screenrecord)"}


@pytest.fixture(scope="module")
def coded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("coded") / "packets"
    save(CodedScreens(SCREEN, 60, PICTURES).packets, path)
    return path


@pytest.fixture(scope="module")
def started_adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    if find_adb() is None:
        pytest.skip("adbutils is not installed")
    with running(tmp_path_factory.mktemp("adb")) as server:
        yield server


@pytest.fixture(autouse=True)
def as_the_window_does() -> Iterator[None]:
    """Threads take turns as often as in the window's process."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def server(started_adb: AdbServer, monkeypatch: pytest.MonkeyPatch) -> AdbServer:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(started_adb.port))
    monkeypatch.setattr(scrcpy_file, "find", stand_in_server)
    return started_adb


def bare_milliseconds(coded: Path) -> NDArray[np.float64]:
    """What PyAV alone takes for each of the same pictures."""
    config, *packets = load(coded)
    decoder = av.CodecContext.create("h264", "r")
    decoder.thread_count, spent = 1, []
    for packet in packets:
        began = time.perf_counter()
        decoder.decode(av.Packet(config.data + packet.data if packet.is_key else packet.data))
        spent.append(1000 * (time.perf_counter() - began))
    return np.array(spent)


def watch(qtbot: QtBot, shown: Window, seconds: float) -> NDArray[np.float64]:
    """Look for so long after the first second; the times of what was painted, one row each."""
    qtbot.waitUntil(lambda: bool(shown.times), timeout=20_000)
    qtbot.wait(round(1000 * WARM_SECONDS))
    shown.times.clear()
    shown.gaps.clear()
    qtbot.wait(round(1000 * seconds))
    assert len(shown.times) > 5, shown.states
    return np.array(shown.times)


def told(capsys: pytest.CaptureFixture[str], *lines: str) -> None:
    with capsys.disabled():
        print("\n" + "\n".join(lines))


def spread(values: NDArray[np.float64]) -> str:
    p50, p95, p99 = np.percentile(values, (50, 95, 99))
    return f"{p50:.1f} p50, {p95:.1f} p95, {p99:.1f} p99"


def summary(times: NDArray[np.float64], shown: Window, fps: int, bare: NDArray[np.float64]) -> list[str]:
    sent, arrived, decoded, painted = times.T
    span = painted[-1] - painted[0]
    latency = 1000 * (painted - sent)
    video = shown.session.device._video  # type: ignore[attr-defined]
    assert isinstance(video, AdbVideo)
    counts = shown.session.mirror.newest.counts()
    return [
        f"  {len(times) / span:.1f} frames a second painted of {fps} sent; skipped since the start: {video.skipped} "
        f"before colouring, {counts.skipped - video.skipped} before painting; {shown.unread} unreadable",
        f"  encoder to painted, ms: {spread(latency)}; bare decoding {spread(bare)}: "
        f"{np.median(latency) / np.median(bare):.2f} times at the median",
        f"  of that, medians: to the last byte {1000 * np.median(arrived - sent):.1f}, decoded, scaled and coloured "
        f"{1000 * np.median(decoded - arrived):.1f}, painted {1000 * np.median(painted - decoded):.1f} ms",
        f"  the window came {spread(np.array(shown.gaps))} ms late to its turns, {max(shown.gaps):.0f} at worst",
    ]


def shares(usage: Usage) -> str:
    return "  processor, shares of a core: " + ", ".join(
        f"{name} {share:.2f}" for name, share in usage.shares().items()
    )


def pids(server: AdbServer, device: Phone) -> dict[str, int]:
    return {"this program": os.getpid(), "adb": server.pid, "the phone": device.process.pid}


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("fps", [30, 60])
def test_mirror(
    qtbot: QtBot, server: AdbServer, coded: Path, tmp_path: Path, fps: int, way: VideoKind,
    capsys: pytest.CaptureFixture[str], figure: Tell,
) -> None:  # fmt: skip
    bare = bare_milliseconds(coded)
    with phone(server, coded, tmp_path / "clock", fps) as device, window(device, way) as shown:
        began = time.monotonic()
        shown.session.start()
        qtbot.waitUntil(lambda: bool(shown.times), timeout=20_000)
        first = shown.times[0][3] - began
        usage = Usage(pids(server, device))
        times = watch(qtbot, shown, SECONDS)
        told(
            capsys,
            f"{SCREEN} at {fps}, {FORM[way]}, load {os.getloadavg()[0]:.1f}: first frame {1000 * first:.0f} ms",
            *summary(times, shown, fps, bare),
            shares(usage),
        )
        painted, skipped = times[:, 3], shown.session.mirror.newest.counts().skipped
        name = f"mirror at {fps}, {way}"
        figure(
            f"{name}: painted of sent", (len(painted) - 1) / (painted[-1] - painted[0]) / fps, budget=0.98, more=True
        )
        figure(f"{name}: skipped since the start", skipped, "pictures", budget=0)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_mirror_with_trees_and_a_model(
    qtbot: QtBot, server: AdbServer, coded: Path, tmp_path: Path, way: VideoKind, capsys: pytest.CaptureFixture[str]
) -> None:
    """The text-match model on the newest screen, which asks for a screenshot and a tree each time."""
    bare, answers, states = bare_milliseconds(coded), list[OverlayPrediction](), list[OverlayState]()
    with phone(server, coded, tmp_path / "clock", 30) as device, window(device, way) as shown:
        overlay = LiveOverlay(shown.session, answers.append, states.append)
        shown.heard.append(overlay.screen_changed)
        shown.session.start()
        qtbot.waitUntil(lambda: bool(shown.times), timeout=20_000)
        overlay.show({"A": live_model("text-match")}, "press the button")
        dumps = Dumps(shown)
        usage = Usage(pids(server, device))
        times = watch(qtbot, shown, SECONDS)
        line = shares(usage)
        dumps.stop()
        overlay.close()
        told(
            capsys,
            f"{SCREEN} at 30, {FORM[way]}, with a tree dump after the other and text match, "
            f"load {os.getloadavg()[0]:.1f}: {dumps.count} trees ({spread(np.array(dumps.milliseconds))} ms), "
            f"{len(answers)} answers, {states[-1].late if states else 0} late for a screen that never rests",
            *summary(times, shown, 30, bare),
            line,
        )


class Dumps:
    """One look after the other."""

    def __init__(self, shown: Window) -> None:
        self._session = shown.session
        self._stop = threading.Event()
        self.milliseconds: list[float] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def count(self) -> int:
        return len(self.milliseconds)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                self._session.device.tree()
            except UserError:
                continue
            self.milliseconds.append(1000 * (time.monotonic() - began))


@pytest.mark.timeout(0)
def test_memory(
    qtbot: QtBot, server: AdbServer, coded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    """60 frames a second for minutes: memory at the end over that after the first fifth, and its slope."""
    with phone(server, coded, tmp_path / "clock", 60) as device, window(device, VideoKind.SCRCPY) as shown:
        shown.session.start()
        qtbot.waitUntil(lambda: bool(shown.times), timeout=20_000)
        began, points = time.monotonic(), list[tuple[float, float]]()
        while (at := time.monotonic() - began) < 60 * MINUTES:
            points.append((at / 60, resident_megabytes()))
            shown.times.clear()
            shown.gaps.clear()
            qtbot.wait(round(1000 * MEMORY_EVERY))
        minutes, megabytes = np.array(points[len(points) // 5 :]).T
        slope = np.polyfit(minutes, megabytes, 1)[0]
        told(
            capsys,
            f"{MINUTES:g} minutes at 60: {megabytes[0]:.0f} MB after a fifth, {megabytes[-1]:.0f} at the end, "
            f"{megabytes[-1] / megabytes[0]:.3f} times; {slope:+.2f} MB a minute",
        )
        figure("mirror at 60: memory at the end over that after a fifth", megabytes[-1] / megabytes[0], budget=1.01)
