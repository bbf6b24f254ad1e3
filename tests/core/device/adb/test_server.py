"""Devices as adb lists them, connecting and pairing, changes of the list, and finding the program."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path

import pytest

from stepscope.core.device.adb import server as adb
from stepscope.core.device.adb.server import AdbServer, DeviceTrack, checked_address, find_adb, parse_devices
from stepscope.core.device.device import DeviceError, DeviceKind, DeviceState
from stepscope.core.errors import UnavailableError
from tests.core.device.adb.fake_server import FakeServer, says, words

LISTING = """\
0A1B2C                 device usb:1-4 product:shiba model:Pixel_8 device:shiba transport_id:1
emulator-5554          device product:sdk model:sdk_gphone64 device:emu64 transport_id:2
192.168.1.20:5555      offline product:x model:Old_Phone device:x transport_id:3
XYZ                    unauthorized usb:1-5 transport_id:4
????????????           no permissions (missing udev rules? user is in the plugdev group); see [http://x] usb:1-6
QQ                     recovery usb:1-7 transport_id:6
adb-0A1B-x._adb-tls-connect._tcp device product:shiba model:Pixel_8 device:shiba transport_id:7

* daemon started successfully
"""


def test_a_listing_with_every_state() -> None:
    usb, emulator, old, shut, forbidden, repair, wireless = parse_devices(LISTING)[:7]
    assert (usb.serial, usb.name, usb.kind, usb.state) == ("0A1B2C", "Pixel 8", DeviceKind.USB, DeviceState.READY)
    assert usb.hint == ""
    assert (emulator.kind, wireless.kind, old.kind) == (DeviceKind.NETWORK,) * 3
    assert (old.state, old.name) == (DeviceState.OFFLINE, "Old Phone")
    assert shut.state is DeviceState.UNAUTHORISED
    assert shut.hint == "Unlock the phone and allow USB debugging."
    assert (forbidden.state, forbidden.kind) == (DeviceState.NO_PERMISSION, DeviceKind.USB)
    assert "udev" in forbidden.hint
    assert (repair.state, repair.detail) == (DeviceState.UNKNOWN, "recovery")


def test_ready_devices_are_asked_once_who_they_are(server: FakeServer) -> None:
    server.hosts["host:devices-l"] = b"OKAY" + words("phone device usb:1-1 model:P\nshut unauthorized usb:1-2\n")
    server.services["exec:getprop"] = says(b"[ro.product.model]: [Phone 9]\n[ro.build.version.release]: [15]\n")
    server.services["exec:wm size"] = says(b"Physical size: 1080x2400\n")
    found = AdbServer(port=server.port)
    for _ in range(2):
        ready, shut = found.devices()
        assert (ready.name, ready.detail) == ("Phone 9", "Android 15 · 1080 × 2400")
        assert shut.detail == ""
    assert server.asked.count("exec:getprop") == 1


def test_a_device_that_does_not_answer_is_listed_all_the_same(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adb, "_DETAIL_SECONDS", 0.1)
    server.hosts["host:devices-l"] = b"OKAY" + words("phone device usb:1-1 model:Quiet\n")
    server.services["exec:"] = lambda connection: connection.recv(1) and None
    (info,) = AdbServer(port=server.port).devices()
    assert (info.name, info.detail, info.state) == ("Quiet", "", DeviceState.READY)


def test_connecting(server: FakeServer) -> None:
    made = AdbServer(port=server.port)
    server.hosts["host:connect:10.0.0.2:5555"] = b"OKAY" + words("connected to 10.0.0.2:5555")
    assert made.connect(" 10.0.0.2 ") == "10.0.0.2:5555"
    server.hosts["host:connect:10.0.0.3:1"] = b"OKAY" + words("failed to connect to '10.0.0.3:1': Connection refused")
    with pytest.raises(DeviceError, match="refused") as told:
        made.connect("10.0.0.3:1")
    assert "paired" in told.value.hint


@pytest.mark.parametrize("address", ["", "a b:1", "host:0", "host:70000", "host:port", "x:1:2"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(DeviceError, match="no address"):
        checked_address(address)


def test_addresses() -> None:
    assert checked_address("phone.local") == "phone.local:5555"
    assert checked_address("[fe80::1]:5555") == "[fe80::1]:5555"


def test_pairing(server: FakeServer) -> None:
    made = AdbServer(port=server.port)
    server.hosts["host:pair:123456:10.0.0.2:3"] = b"OKAY" + words("Successfully paired to 10.0.0.2:3 [guid=x]")
    made.pair("10.0.0.2:3", " 123456 ")
    server.hosts["host:pair:1:10.0.0.2:3"] = b"OKAYFAIL" + words("Failed: Wrong password.")
    with pytest.raises(DeviceError, match="not paired: Wrong password") as told:
        made.pair("10.0.0.2:3", "1")
    assert "Wireless debugging" in told.value.hint
    with pytest.raises(DeviceError, match="unknown host service") as told:
        made.pair("10.0.0.2:3", "2")
    assert "newer" in told.value.hint
    with pytest.raises(DeviceError, match="six digits"):
        made.pair("10.0.0.2:3", "12:host:kill")


def test_something_else_on_the_port(server: FakeServer) -> None:
    server.hosts["host:version"] = b"SSH-2.0-OpenSSH"
    with pytest.raises(UnavailableError, match="something else"):
        AdbServer(port=server.port).ensure()


def test_no_adb_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(adb.ADB_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(adb, "_bundled", lambda: None)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(UnavailableError, match="not on this machine") as told:
        AdbServer(port=port).devices()
    assert "apt install adb" in told.value.hint


def program(folder: Path, name: str, lines: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return path


def test_which_adb_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, preferred, found = (program(tmp_path / name, "adb", "true") for name in ("own", "preferred", "path"))
    monkeypatch.setenv("PATH", str(found.parent))
    monkeypatch.setenv(adb.ADB_VARIABLE, str(own))
    assert find_adb(preferred) == own
    monkeypatch.delenv(adb.ADB_VARIABLE)
    assert find_adb(preferred) == preferred
    assert find_adb() == found
    monkeypatch.setenv(adb.ADB_VARIABLE, str(tmp_path / "nothing"))
    with pytest.raises(UnavailableError, match="no program"):
        find_adb()


def test_a_server_that_does_not_start_tells_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = program(tmp_path, "adb", 'echo "port $ANDROID_ADB_SERVER_PORT: cannot bind" >&2; exit 1')
    monkeypatch.setenv(adb.ADB_VARIABLE, str(broken))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(UnavailableError, match=f"port {port}: cannot bind"):
        AdbServer(port=port).ensure()


def test_the_list_as_it_changes(server: FakeServer) -> None:
    news: list[socket.socket] = []
    tracked = threading.Event()

    def track(connection: socket.socket) -> None:
        news.append(connection)
        tracked.set()
        connection.recv(1)

    server.hosts["host:devices-l"] = b"OKAY" + words("phone device usb:1-1 model:P\n")
    server.services["exec:getprop"] = says(b"[ro.product.model]: [Phone 9]\n")
    server.services["exec:wm size"] = says(b"")
    track_lists = follow(server, track)
    lists = iter(track_lists)
    assert [info.name for info in next(lists)] == ["P"], "at once, before it is asked"
    assert [info.name for info in next(lists)] == ["Phone 9"]
    assert tracked.wait(10)
    server.hosts["host:devices-l"] = b"OKAY" + words("")
    news[0].sendall(words(""))
    assert next(lists) == ()
    track_lists.close()
    assert list(lists) == []


def follow(server: FakeServer, track: object) -> DeviceTrack:
    """The fake server stays on the line for `host:track-devices`."""
    plain = server._serve

    def serve(connection: socket.socket) -> None:
        if connection.recv(40, socket.MSG_PEEK) != b"0012host:track-devices":
            plain(connection)
            return
        connection.recv(22)
        connection.sendall(b"OKAY" + words("phone\toffline\n"))
        with contextlib.suppress(OSError):
            track(connection)  # type: ignore[operator]

    server._serve = serve  # type: ignore[method-assign]
    return AdbServer(port=server.port).track()
