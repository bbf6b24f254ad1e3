"""The simulated phone at the end of an adb cable."""

from __future__ import annotations

import pytest

from tests.device_side.adb_server import AdbServer
from tests.device_side.fixtures import Plug
from tests.device_side.phone import App, Phone
from tests.device_side.simulated_screens import SimulatedScreens

pytestmark = pytest.mark.xdist_group("adb")


def test_apps_are_started_and_described_over_adb(adb_server: AdbServer, plug: Plug) -> None:
    pytest.importorskip("PySide6.QtWebEngineWidgets", exc_type=ImportError)
    screens = SimulatedScreens()
    try:
        phone = Phone(screens, apps=[App(package) for package in screens.packages])
        device = plug(phone)
        clock = next(app.package for app in phone.apps if app.package.endswith(".clock"))
        words = ["-s", device.address, "shell"]
        adb_server.run(*words, f"monkey -p {clock} -c android.intent.category.LAUNCHER 1")
        dump = adb_server.run("-s", device.address, "exec-out", "uiautomator dump /dev/tty")
        assert f'resource-id="{clock}:id/nav_timer"' in dump
        assert clock in adb_server.run(*words, "dumpsys activity activities")
    finally:
        screens.close()
