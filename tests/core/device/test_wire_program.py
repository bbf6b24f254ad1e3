"""The program itself, from its command line, with phones at a real adb server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from stepscope.app.services.live.devices import open_device
from stepscope.core.domain.action import Tap, Type
from stepscope.core.sources.recording import read_recording
from tests.device_side.adb_server import AdbServer
from tests.device_side.device import DeviceSide
from tests.device_side.fixtures import Plug
from tests.device_side.phone import ADB_KEYBOARD, Phone
from tests.device_side.screens import NotePad

pytestmark = pytest.mark.xdist_group("adb")

ROOT = Path(__file__).parents[3]


def stepscope(*words: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stepscope.app.main", *words]
    return subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True, timeout=60, check=False)


def test_devices_are_listed_with_what_to_do(plug: Plug, adb_server: AdbServer) -> None:
    ready, locked = plug(), plug(connect=False)
    locked.port.authorised = False
    adb_server.connect(locked.address)
    done = stepscope("devices", "--json")
    listed = {row["serial"]: row for row in json.loads(done.stdout)}
    assert done.returncode == 0, done.stderr
    assert listed[ready.address] == {
        "serial": ready.address, "name": "Stepscope Test Phone", "kind": "network", "state": "ready",
        "detail": "Android 14 · 360 × 800", "hint": "",
    }  # fmt: skip
    assert listed[locked.address]["state"] == "unauthorised" and listed[locked.address]["hint"]
    assert "simulated" in listed


def test_a_demonstration_recorded_from_the_command_line(plug: Plug, tmp_path: Path) -> None:
    phone = Phone(NotePad())
    phone.keyboards.append(ADB_KEYBOARD)
    side = plug(phone)
    lines = 'tap field\ntype it\'s "5%" 👍\ntap "Pressed 0 times"\ndone\n'
    done = stepscope("record", side.address, str(tmp_path / "out"), "--goal", "Write it down", lines=lines)
    assert done.returncode == 0, done.stdout + done.stderr
    episode = read_recording(tmp_path / "out")
    assert [step.action.kind for step in episode.steps if step.action] == ["tap", "type", "tap", "finish"]
    texts = [element.text for step in episode.steps for element in step.observation.tree or () if element.editable]
    assert texts[0] == "" and texts[2] == 'it\'s "5%" 👍'
    assert isinstance(phone.screens, NotePad) and phone.screens.count == 1
    assert phone.serial not in (tmp_path / "out" / "episode.json").read_text("utf-8")


def test_devices_are_opened_as_the_window_opens_them(test_device: DeviceSide) -> None:
    device = open_device(test_device.address)
    device.perform(Tap(test_device.phone.point(180, 140)))
    device.perform(Type("hello"))
    assert [element.text for element in device.tree() if element.editable] == ["hello"]
    device.close()
