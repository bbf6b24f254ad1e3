"""The list of devices as the real adb server tells it: there, not allowed, gone and back."""

from __future__ import annotations

import threading

import pytest

from stepscope.core.device.adb.server import AdbServer as AdbAccess
from stepscope.core.device.device import DeviceError, DeviceInfo, DeviceKind, DeviceState
from tests.device_side.adb_server import AdbServer
from tests.device_side.device import DeviceSide
from tests.device_side.fixtures import Plug
from tests.device_side.screens import NotePad

pytestmark = pytest.mark.xdist_group("adb")


def state_of(device: DeviceSide) -> DeviceInfo:
    return next(info for info in AdbAccess().devices() if info.serial == device.address)


def test_two_phones_of_the_network_with_name_version_and_size(plug: Plug) -> None:
    first, second = plug(NotePad()), plug(NotePad(), shell_v2=False)
    second.phone.model, second.phone.release = "Old One", "6.0.1"
    found = {info.serial: info for info in AdbAccess().devices()}
    assert found[first.address].name == "Stepscope Test Phone"
    assert found[first.address].detail == "Android 14 · 360 × 800"
    assert found[first.address].kind is DeviceKind.NETWORK
    assert found[second.address].name == "Old One"
    assert found[second.address].detail == "Android 6.0.1 · 360 × 800"


def test_an_unauthorised_phone_says_what_to_do(plug: Plug, adb_server: AdbServer) -> None:
    device = plug(connect=False)
    device.port.authorised = False
    with pytest.raises(DeviceError):
        AdbAccess().connect(device.address)
    info = state_of(device)
    assert info.state is DeviceState.UNAUTHORISED and "allow USB debugging" in info.hint


def test_a_phone_that_has_gone_is_offline_and_comes_back(plug: Plug, adb_server: AdbServer) -> None:
    device = plug()
    device.unplug()
    assert state_of(device).state is DeviceState.OFFLINE and state_of(device).hint
    device.plug_in()
    AdbAccess().connect(device.address)
    assert state_of(device).state is DeviceState.READY


def test_connecting_to_nobody_is_told(adb_server: AdbServer, plug: Plug) -> None:
    device = plug(connect=False)
    device.unplug()
    with pytest.raises(DeviceError) as caught:
        AdbAccess().connect(device.address)
    assert caught.value.hint


def test_the_list_follows_what_is_plugged_in_and_out(plug: Plug, adb_server: AdbServer) -> None:
    device = plug(connect=False)
    track, lists, news = AdbAccess().track(), list[dict[str, DeviceState]](), threading.Condition()

    def follow() -> None:
        for infos in track:
            with news:
                lists.append({info.serial: info.state for info in infos})
                news.notify_all()

    def heard(state: DeviceState | None) -> bool:
        with news:
            return news.wait_for(lambda: bool(lists) and lists[-1].get(device.address) is state, 15)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    assert heard(None)
    adb_server.connect(device.address)
    assert heard(DeviceState.READY)
    device.unplug()
    assert heard(DeviceState.OFFLINE)
    adb_server.disconnect(device.address)
    assert heard(None)
    track.close()
    thread.join(5)
    assert not thread.is_alive()
