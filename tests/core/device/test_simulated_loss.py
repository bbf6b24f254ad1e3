"""The simulated phone goes: killed, crashed, closed too early, left by its parent. Nothing hangs and nothing stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.core.device import simulated_process
from stepscope.core.device.device import DeviceError, DeviceLost
from stepscope.core.device.simulated import SimulatedDevice
from stepscope.core.domain.action import OpenApp
from stepscope.core.errors import UnavailableError
from tests.core.device.phone_watch import PATIENCE, Watcher, children, picture, wait_until_gone

pytestmark = [
    pytest.mark.xdist_group("simulated phone"),
    pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="looks at processes as Linux shows them"),
]


@pytest.fixture(scope="module")
def phone() -> Iterator[SimulatedDevice]:
    device = SimulatedDevice()
    device.connect()
    yield device
    device.close()


def threads(pid: int) -> set[str]:
    """The names of a process's threads; only a page's process has a compositor."""
    return {name.read_text().strip() for name in Path(f"/proc/{pid}/task").glob("*/comm")}


def test_killed_it_is_lost_and_can_be_had_again(phone: SimulatedDevice) -> None:
    phone.perform(OpenApp("Clock"))
    watcher = Watcher(phone)
    watcher.wait(lambda frame: True)
    pid = phone.pid
    assert pid is not None
    below = children(pid)
    assert below
    os.kill(pid, signal.SIGKILL)
    watcher.wait_for_end()
    assert isinstance(watcher.error, DeviceLost)
    with pytest.raises(DeviceLost, match="has ended"):
        phone.tree()
    for child in below:
        wait_until_gone(child)
    watcher.close()
    phone.reconnect()
    assert phone.foreground() == "com.stepscope.sample.launcher/HomePage" and phone.pid != pid


def test_reconnecting_what_runs_leaves_it(phone: SimulatedDevice) -> None:
    pid = phone.pid
    phone.reconnect()
    assert phone.pid == pid


def test_an_app_that_crashes_brings_the_home_screen(phone: SimulatedDevice) -> None:
    phone.perform(OpenApp("Clock"))
    watcher = Watcher(phone)
    shown = watcher.wait(lambda frame: True)
    assert phone.pid is not None
    os.kill(next(pid for pid in children(phone.pid) if "Compositor" in threads(pid)), signal.SIGKILL)
    watcher.wait(lambda frame: frame.number > shown.number)
    assert phone.foreground() == "com.stepscope.sample.launcher/HomePage"
    watcher.close()


def test_a_process_that_says_nothing_is_ended(phone: SimulatedDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    assert phone.pid is not None
    os.kill(phone.pid, signal.SIGSTOP)
    with monkeypatch.context() as short:
        short.setattr(simulated_process, "ANSWER_SECONDS", 0.2)
        with pytest.raises(DeviceLost, match=r"not answered for 0\.2 s"):
            phone.foreground()
    assert phone.pid is None
    phone.reconnect()
    assert phone.foreground()


def test_two_phones_are_two(phone: SimulatedDevice) -> None:
    phone.reset()
    other = SimulatedDevice(seed=3, serial="simulated:3")
    try:
        assert (picture(other) != picture(phone)).any()
        assert other.pid != phone.pid and other.info.serial == "simulated:3"
    finally:
        other.close()
    assert phone.foreground()


def test_closed_while_it_starts() -> None:
    begun = threading.Event()
    device = SimulatedDevice(progress=lambda words: begun.set())
    errors: list[DeviceError] = []

    def connect() -> None:
        try:
            device.connect()
        except DeviceError as error:
            errors.append(error)

    thread = threading.Thread(target=connect)
    thread.start()
    assert begun.wait(PATIENCE)
    pid = device.pid
    device.close()
    thread.join(PATIENCE)
    assert not thread.is_alive() and isinstance(errors[0], DeviceLost) and "closed" in errors[0].message
    if pid is not None:
        wait_until_gone(pid)
    with pytest.raises(DeviceLost):
        device.screen()


def test_closing_ends_who_waits_for_a_picture() -> None:
    device = SimulatedDevice()
    watcher = Watcher(device)
    watcher.wait(lambda frame: True)
    device.close()
    watcher.wait_for_end()
    watcher.close()
    device.close()


def test_closed_while_it_looks_for_a_picture_the_watcher_just_ends() -> None:
    process, answers = simulated_process.PhoneProcess(), iter([False, True])
    process.frame = 0

    def ended() -> bool:
        answer = next(answers)
        process.close()
        return answer

    assert process.next_picture(-1, ended) is None


def test_it_does_not_outlive_who_started_it() -> None:
    code = (
        "import os, signal\n"
        "from stepscope.core.device.simulated import SimulatedDevice\n"
        "device = SimulatedDevice(); device.connect(); print(device.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    parent = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
    )  # fmt: skip
    wait_until_gone(int(parent.stdout))


def test_without_a_browser_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ImportError('No module named PySide6')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(UnavailableError, match=r"browser.*pip install 'stepscope\[gui\]'"):
        SimulatedDevice().connect()


def test_a_start_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_process, "START_SECONDS", 0.01)
    device = SimulatedDevice()
    with pytest.raises(DeviceError, match=r"not started within 0\.01 s"):
        device.connect()
    assert device.pid is None
