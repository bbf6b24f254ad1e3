"""The devices that there are, and opening one by its serial. The simulated phone comes first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

from stepscope.core.device.adb.device import AdbDevice
from stepscope.core.device.adb.link import server_port
from stepscope.core.device.adb.server import AdbServer, DeviceTrack
from stepscope.core.device.device import Device, DeviceError, DeviceInfo, DeviceKind
from stepscope.core.device.simulated import SERIAL as SIMULATED
from stepscope.core.device.simulated import SimulatedDevice, device_info
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UnavailableError, UsageError

REPLAY = "replay:"
"""What a serial begins with that names recordings by their path."""


def adb(preferred: str = "") -> AdbServer:
    """The server on this machine; it knows what its devices are called. `preferred` is a person's own adb program.

    Raises UnavailableError where $ANDROID_ADB_SERVER_PORT is no port.
    """
    return _server(preferred, server_port())


@cache
def _server(preferred: str, port: int) -> AdbServer:
    return AdbServer(preferred or None, port)


def list_devices() -> tuple[tuple[DeviceInfo, ...], str]:
    """All devices, and why those of adb are missing ("" where they are not). Blocks."""
    try:
        return (device_info(), *adb().devices()), ""
    except (UnavailableError, DeviceError) as error:
        return (device_info(),), str(error)


def info_of(serial: str) -> DeviceInfo:
    """What is known of a device by its serial. Raises UsageError when there is none of that serial."""
    if serial.startswith(REPLAY):
        return DeviceInfo(serial, Path(serial.removeprefix(REPLAY)).name or serial, DeviceKind.REPLAY)
    if serial == SIMULATED:
        return device_info()
    devices, problem = list_devices()
    for info in devices:
        if info.serial == serial:
            return info
    names = ", ".join(info.serial for info in devices)
    raise UsageError(f"there is no device {serial!r}", hint=f"There are: {names}. {problem}".strip())


def open_device(serial: str) -> Device:
    """The device, open: "simulated", "replay:PATH" (recordings at a path), or one of adb's.

    Raises DeviceError, UsageError, UnavailableError, and SourceError for recordings that cannot be read.
    """
    if serial == SIMULATED:
        phone = SimulatedDevice()
        phone.connect()
        return phone
    if serial.startswith(REPLAY):
        from stepscope.app.services.live.replaying import open_replay

        return open_replay(serial)
    return AdbDevice(adb(), info_of(serial), read_tree)


def connect_address(address: str) -> DeviceInfo:
    """Connect a phone over the network; what it is listed as. Raises DeviceError with what to do."""
    return info_of(adb().connect(address))


def disconnect_address(address: str) -> None:
    """Let a phone of the network go. Raises DeviceError where it is not connected."""
    adb().disconnect(address)


def pair_address(address: str, code: str) -> None:
    """Make this machine known to a phone with wireless debugging. Raises DeviceError with what to do."""
    adb().pair(address, code)


def read_tree(data: bytes, size: Size) -> UITree:
    """What `uiautomator dump` wrote, as a tree on a screen of `size`. Raises SourceError for what is no dump."""
    from stepscope.core.sources.tree_builder import Placement
    from stepscope.core.sources.ui_dumps import parse_uiautomator

    reading = parse_uiautomator(data, Placement(size))
    if reading.tree is None:
        raise SourceError(reading.notes[0] if reading.notes else "there is nothing in it")
    return reading.tree


class DeviceWatch:
    """Tells the list whenever it changes, in its own thread, until it is closed. Without adb it tells nothing."""

    def __init__(self, tell: Callable[[tuple[DeviceInfo, ...]], object]) -> None:
        self._tell = tell
        self._track: DeviceTrack | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="device list", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closed = True
        if self._track is not None:
            self._track.close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        try:
            self._track = adb().track()
            if self._closed:
                return
            for devices in self._track:
                if self._closed:
                    return
                self._tell((device_info(), *devices))
        except UnavailableError:
            return
