"""Screenshots and UI trees over the real adb server, of devices that are slow, stubborn, broken or hostile."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from stepscope.core.device.adb import tree as tree_module
from stepscope.core.device.adb.device import AdbDevice
from stepscope.core.device.adb.server import AdbServer as AdbAccess
from stepscope.core.device.adb.tree import Dumper
from stepscope.core.device.device import DeviceError, DeviceLost, DeviceTimeout, UITreeUnavailableError
from stepscope.core.device.session import LiveSession
from stepscope.core.domain.action import Tap
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.imaging.probe import probe_bytes
from tests.core.device.wired import opened, tree_of
from tests.device_side.device import DeviceSide
from tests.device_side.faults import IDLE, NULL_ROOT
from tests.device_side.fixtures import Plug
from tests.device_side.screens import NotePad

pytestmark = pytest.mark.xdist_group("adb")

SIZE = Size(360, 800)


@pytest.fixture
def device(test_device: DeviceSide) -> Iterator[AdbDevice]:
    device = opened(test_device)
    yield device
    device.close()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience of a second instead of twenty."""
    monkeypatch.setattr(tree_module, "_PAUSE", 0.01)


def test_the_tree_is_the_screen(test_device: DeviceSide, device: AdbDevice) -> None:
    device.perform(Tap(Point(180, 140, SIZE)))
    device.perform(Tap(Point(180, 400, SIZE)))
    tree = device.tree()
    pad = test_device.phone.screens.tree(False)
    assert [(e.box, e.text, e.resource_id, e.clickable, e.focused, e.editable) for e in tree] == [
        (e.box, e.text, e.resource_id, e.clickable, e.focused, e.editable) for e in pad
    ]
    assert tree.size == SIZE
    assert tree.elements[2].text == "Pressed 1 times"


def test_a_failed_dump_is_tried_again(test_device: DeviceSide, device: AdbDevice, short: None) -> None:
    test_device.phone.faults.dump_answer, test_device.phone.faults.dump_failures = IDLE, 2
    assert len(device.tree()) == 3


@pytest.mark.parametrize(
    "answer, words", [(IDLE, "come to rest"), (NULL_ROOT, "gives no UI tree"), ("Killed", "Killed")]
)
def test_a_screen_without_a_tree_says_why(
    test_device: DeviceSide, device: AdbDevice, short: None, answer: str, words: str
) -> None:
    test_device.phone.faults.dump_answer = answer
    with pytest.raises(UITreeUnavailableError, match=words):
        device.tree()


def test_a_cut_dump_is_no_tree(test_device: DeviceSide, device: AdbDevice, short: None) -> None:
    test_device.phone.faults.dump_cut = 400
    with pytest.raises(UITreeUnavailableError):
        device.tree()
    test_device.phone.faults.dump_cut = None
    assert len(device.tree()) == 3


def test_a_dump_that_does_not_come_through_the_terminal_comes_as_a_file(
    test_device: DeviceSide, device: AdbDevice
) -> None:
    test_device.phone.faults.no_terminal = True
    assert len(device.tree()) == 3
    assert len(device.tree()) == 3
    assert not test_device.phone.files, "nothing stays on the phone"


def test_a_slow_dump_is_given_up_and_the_device_goes_on(test_device: DeviceSide, device: AdbDevice) -> None:
    test_device.phone.faults.dump_seconds = 30.0
    dumper = Dumper(AdbAccess().link(test_device.address), tree_of, threading.Event(), seconds=0.5)
    started = time.monotonic()
    with pytest.raises(DeviceTimeout):
        dumper.tree(SIZE)
    assert time.monotonic() - started < 5
    test_device.phone.faults.dump_seconds = 0.0
    assert len(dumper.tree(SIZE)) == 3


def test_closing_ends_a_dump_that_waits(test_device: DeviceSide, device: AdbDevice) -> None:
    test_device.phone.faults.dump_seconds = 30.0
    session = LiveSession(device)
    session.start()
    look = session.look()
    assert test_device.phone.wait(lambda: any("uiautomator" in line for line in test_device.phone.commands))
    started = time.monotonic()
    session.close()
    assert time.monotonic() - started < 5
    assert look.cancelled() or look.exception(1) is not None


def test_the_cable_is_pulled_during_a_dump(test_device: DeviceSide, device: AdbDevice) -> None:
    test_device.phone.faults.dump_seconds = 30.0

    def pull() -> None:
        test_device.phone.wait(lambda: any("uiautomator" in line for line in test_device.phone.commands))
        test_device.unplug()

    threading.Thread(target=pull, daemon=True).start()
    started = time.monotonic()
    with pytest.raises(DeviceLost):
        device.tree()
    assert time.monotonic() - started < 5


def test_a_screenshot_is_whole_or_refused(test_device: DeviceSide, device: AdbDevice) -> None:
    assert probe_bytes(device.screenshot(), "phone").size == SIZE
    for count in (0, 20, 1000):
        test_device.phone.faults.cut_png = count
        with pytest.raises(DeviceError):
            device.screenshot()
    test_device.phone.faults.cut_png = None
    assert device.screenshot().startswith(b"\x89PNG")


def test_a_device_that_never_stops_talking_is_cut_off(test_device: DeviceSide, device: AdbDevice) -> None:
    device.screen()
    test_device.phone.faults.endless = True
    started = time.monotonic()
    for ask in (device.screenshot, device.tree, device.apps, device.foreground, device.facts):
        with pytest.raises(DeviceError):
            ask()
    with pytest.raises(DeviceError):
        device.perform(Tap(Point(1, 1, SIZE)))
    assert time.monotonic() - started < 12
    test_device.phone.faults.endless = False
    assert device.screenshot()


def test_listing_a_hostile_device_does_not_keep_the_others_back(plug: Plug) -> None:
    silent, fine = plug(NotePad()), plug(NotePad())
    silent.phone.faults.silent = True
    started = time.monotonic()
    listed = {info.serial: info for info in AdbAccess().devices()}
    assert time.monotonic() - started < 8
    assert listed[fine.address].detail == "Android 14 · 360 × 800"
    assert listed[silent.address].detail == ""
