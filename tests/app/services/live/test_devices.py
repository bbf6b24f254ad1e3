"""The list of devices and opening by serial, with and without adb."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from stepscope.app.services.live import devices
from stepscope.core.device.adb import server as adb
from stepscope.core.device.adb.device import AdbDevice
from stepscope.core.device.device import DeviceError, DeviceInfo, DeviceKind, DeviceState
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UsageError
from tests.core.device.adb.fake_server import FakeServer, says, serving, words


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    with serving() as made:
        made.hosts["host:devices-l"] = b"OKAY" + words("phone device usb:1-1 model:P\nshut unauthorized usb:1-2\n")
        made.services["exec:getprop"] = says(b"[ro.product.model]: [Phone 9]\n[ro.build.version.release]: [15]\n")
        made.services["exec:wm size"] = says(b"Physical size: 1080x2400\n")
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(made.port))
        yield made


@pytest.fixture
def without_adb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    monkeypatch.setattr(adb, "find_adb", lambda preferred=None: None)


def test_the_simulated_phone_is_first(server: FakeServer) -> None:
    (simulated, phone, shut), problem = devices.list_devices()
    assert problem == ""
    assert (simulated.serial, simulated.kind) == ("simulated", DeviceKind.SIMULATED)
    assert (phone.name, phone.detail) == ("Phone 9", "Android 15 · 1080 × 2400")
    assert shut.state is DeviceState.UNAUTHORISED


def test_without_adb_the_simulated_phone_is_there(without_adb: None) -> None:
    found, problem = devices.list_devices()
    assert [info.serial for info in found] == ["simulated"]
    assert "Install adb" in problem
    assert devices.info_of("simulated") == found[0]


def test_opening(server: FakeServer) -> None:
    device = devices.open_device("phone")
    assert isinstance(device, AdbDevice)
    assert device.info.name == "Phone 9"
    device.close()
    with pytest.raises(DeviceError, match="unauthorised") as told:
        devices.open_device("shut")
    assert "allow USB debugging" in told.value.hint
    with pytest.raises(UsageError, match="no device 'nobody'") as told_usage:
        devices.open_device("nobody")
    assert "simulated, phone, shut" in told_usage.value.hint


def test_connecting(server: FakeServer) -> None:
    server.hosts["host:connect:10.0.0.2:5555"] = b"OKAY" + words("connected to 10.0.0.2:5555")
    server.hosts["host:devices-l"] = b"OKAY" + words("10.0.0.2:5555 offline model:Far\n")
    info = devices.connect_address("10.0.0.2")
    assert (info.kind, info.state, info.name) == (DeviceKind.NETWORK, DeviceState.OFFLINE, "Far")


def test_trees_of_dumps() -> None:
    xml = b'<hierarchy><node class="android.widget.EditText" text="Milk" bounds="[0,10][90,40]" /></hierarchy>'
    (element,) = devices.read_tree(xml, Size(100, 200)).elements
    assert (element.text, element.editable, element.box.bottom) == ("Milk", True, 40)
    with pytest.raises(SourceError):
        devices.read_tree(b"<hierarchy>", Size(100, 200))


def test_a_watch_without_adb_is_silent_and_ends(without_adb: None) -> None:
    told: list[tuple[DeviceInfo, ...]] = []
    watch = devices.DeviceWatch(told.append)
    watch.start()
    watch.close()
    assert told == []


def test_a_watch_tells_and_ends(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    class Track:
        def __init__(self) -> None:
            self.closed = threading.Event()

        def __iter__(self) -> Iterator[tuple[DeviceInfo, ...]]:
            yield (devices.info_of("phone"),)
            self.closed.wait(10)

        def close(self) -> None:
            self.closed.set()

    track, came = Track(), threading.Event()
    told: list[list[str]] = []

    def tell(found: tuple[DeviceInfo, ...]) -> None:
        told.append([info.serial for info in found])
        came.set()

    monkeypatch.setattr(adb.AdbServer, "track", lambda self: track)
    watch = devices.DeviceWatch(tell)
    watch.start()
    assert came.wait(10)
    watch.close()
    assert told == [["simulated", "phone"]]
