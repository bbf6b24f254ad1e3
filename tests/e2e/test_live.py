"""A phone in a real window: mirrored, a demonstration recorded, found and replayed, then an agent tries. Once with the
simulated phone, once over the real adb server with a device at the other end of the wire."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.provenance import SAMPLE
from stepscope.core.settings import STORE_NAME
from tests.device_side.adb_server import AdbServer
from tests.device_side.fixtures import Plug, adb_server, plug, started_adb  # noqa: F401
from tests.device_side.phone import App, Phone
from tests.device_side.simulated_screens import SimulatedScreens

WALK = Path(__file__).with_name("live_walk.py")
Surroundings = Callable[..., dict[str, str]]

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(300),
    pytest.mark.xdist_group("adb"),
    pytest.mark.skipif(not any(SAMPLE.glob("*/episode.json")), reason="the sample is not made here"),
]


def walked(serial: str, environment: dict[str, str], picture: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(WALK), serial, str(picture)],
        env=environment, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stderr[-4000:]} (the window: {picture})"
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def check(seen: dict[str, Any], home: Path) -> None:
    assert seen["goal"] == "Start a timer for the tea"
    assert seen["kinds"] == ["tap", "tap", "finish"]
    assert seen["targets"] == ["Clock", "Timer"]
    assert seen["label"] == ["infeasible", "unclear", ["For how many minutes?"]]
    assert seen["trees"] == [True, True, True] and seen["problems"] == []
    assert seen["first"] == "Stopwatch"
    recordings = sorted((home / "data" / "recordings").glob("*/episode.json"))
    assert len(recordings) == 2
    tried = json.loads(recordings[-1].read_text("utf-8"))
    assert tried["goal"] == "tap Stopwatch" and tried["feasibility"]["label"] == "feasible"
    assert (recordings[-1].parent / "predictions.jsonl").is_file()
    assert (home / "data" / STORE_NAME).is_file()


def shown_run(run: str, environment: dict[str, str]) -> dict[str, Any]:
    """The agent's run as the command line tells it."""
    command = [sys.executable, "-m", "stepscope.app.main", "runs", "show", run, "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.chain
def test_the_simulated_phone_is_mirrored_recorded_replayed_and_used_by_an_agent(
    display: str, tmp_path: Path, surroundings: Surroundings
) -> None:
    pytest.importorskip("PySide6.QtWebEngineWidgets", exc_type=ImportError)
    home = tmp_path / "home"
    environment = surroundings(home, DISPLAY=display, QT_QPA_PLATFORM="xcb")
    seen = walked("simulated", environment, tmp_path / "window.png")
    check(seen, home)
    run = shown_run(seen["run"], surroundings(home))
    assert run["task"] == "automation" and run["model"] == "text-match" and run["n"] >= 1
    assert run["items"][0]["step"] == 0 and run["items"][0]["score"] == 1.0


def test_the_same_over_adb(
    display: str,
    tmp_path: Path,
    surroundings: Surroundings,
    adb_server: AdbServer,  # noqa: F811
    plug: Plug,  # noqa: F811
) -> None:
    pytest.importorskip("PySide6.QtWebEngineWidgets", exc_type=ImportError)
    home, screens = tmp_path / "home", SimulatedScreens()
    try:
        phone = Phone(screens, apps=[App(package) for package in screens.packages])
        device = plug(phone, connect=False)
        settings = {
            name: value for name, value in adb_server.environment.items() if name.startswith(("ANDROID", "ADB"))
        }
        environment = surroundings(home, DISPLAY=display, QT_QPA_PLATFORM="xcb", **settings)
        check(walked(device.address, environment, tmp_path / "window.png"), home)
    finally:
        screens.close()
