"""Fixtures for tests over the real adb server; a `conftest.py` imports those that its folder needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.device_side.adb_server import AdbServer, find_adb, running
from tests.device_side.device import DeviceSide
from tests.device_side.phone import Phone
from tests.device_side.screens import NotePad, Screens


@pytest.fixture(scope="session")
def started_adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    """One server for all tests of this process: it takes seconds to start."""
    if find_adb() is None:
        pytest.skip("adbutils is not installed")
    with running(tmp_path_factory.mktemp("adb")) as server:
        yield server


@pytest.fixture
def adb_server(started_adb: AdbServer, monkeypatch: pytest.MonkeyPatch) -> AdbServer:
    """An adb server that this process finds, and no other one, while the test runs."""
    for name, value in started_adb.environment.items():
        if name != "TMPDIR":
            monkeypatch.setenv(name, value)
    return started_adb


Plug = Callable[..., DeviceSide]


@pytest.fixture
def plug(adb_server: AdbServer) -> Iterator[Plug]:
    """`plug(screens_or_phone, shell_v2=True, connect=True)`: a device that adb is connected to; any number of them."""
    devices: list[DeviceSide] = []

    def make(screens: Screens | Phone | None = None, *, shell_v2: bool = True, connect: bool = True) -> DeviceSide:
        device = DeviceSide(screens or NotePad(), shell_v2=shell_v2)
        device.plug_in()
        devices.append(device)
        if connect:
            said = adb_server.connect(device.address)
            assert said.startswith("connected"), said
        return device

    yield make
    for device in devices:
        device.unplug()
        adb_server.disconnect(device.address)


@pytest.fixture
def test_device(plug: Plug) -> DeviceSide:
    """A connected phone that shows a note pad."""
    return plug()
