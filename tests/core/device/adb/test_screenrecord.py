"""`screenrecord` over a connection: its limit, its silence, its words, and that no picture is missed at a handover."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from stepscope.core.device.adb import screenrecord
from stepscope.core.device.adb.link import AdbConnection
from stepscope.core.device.adb.packets import Packet, UnsupportedVideoError
from stepscope.core.device.adb.screenrecord import Screenrecord
from stepscope.core.device.device import DeviceError, DeviceLost
from stepscope.core.domain.geometry import Size
from tests.core.device.adb.fake_server import FakeServer, says, words
from tests.core.device.adb.test_annexb import KEY, PLAIN


class Program:
    """The device's side: each run takes the next of the given ways to serve."""

    def __init__(self, server: FakeServer, *runs: Callable[[socket.socket], None]) -> None:
        self.runs = list(runs)
        server.services["exec:screenrecord"] = lambda connection: self.runs.pop(0)(connection)


def stays(*parts: bytes) -> Callable[[socket.socket], None]:
    """Sends, then stays silent until the other side goes."""

    def serve(connection: socket.socket) -> None:
        says(*parts)(connection)
        connection.recv(1)

    return serve


@pytest.fixture
def source(link: AdbConnection) -> Iterator[Screenrecord]:
    made = Screenrecord(link)
    yield made
    made.close()


def test_the_command(server: FakeServer, link: AdbConnection) -> None:
    Program(server, stays(KEY))
    source = Screenrecord(link, bit_rate=4_000_000, size=Size(720, 1280), limit=60)
    next(source.packets())
    command = "exec:screenrecord --output-format=h264 --bit-rate 4000000 --time-limit 60 --size 720x1280 -"
    assert command in server.asked


def test_the_last_picture_is_not_held_back(server: FakeServer, source: Screenrecord) -> None:
    """Nothing comes behind it: the silence says that it is whole."""
    Program(server, stays(KEY, PLAIN))
    packets = source.packets()
    first, second = next(packets), next(packets)
    assert (first.data, first.begins) == (KEY, True)
    assert (second.data, second.begins) == (PLAIN, False)


def test_a_recording_that_ends_is_followed_by_another(server: FakeServer, source: Screenrecord) -> None:
    Program(server, says(KEY, PLAIN), stays(KEY))
    packets = source.packets()
    got = [next(packets) for _ in range(3)]
    assert [packet.data for packet in got] == [KEY, PLAIN, KEY]
    assert [packet.begins for packet in got] == [True, False, True]
    assert source.restarts == 1


def test_the_successor_takes_over_before_the_end(server: FakeServer, link: AdbConnection) -> None:
    """The first one goes on sending until the second has its picture: there is no gap."""
    seconds = threading.Event()

    def first(connection: socket.socket) -> None:
        connection.sendall(KEY)
        while not seconds.wait(0.02):
            connection.sendall(PLAIN)
        connection.recv(1)

    def second(connection: socket.socket) -> None:
        connection.sendall(KEY)
        seconds.set()
        connection.recv(1)

    Program(server, first, second)
    source = Screenrecord(link, limit=1, lead=0.8)
    got: list[Packet] = []
    for packet in source.packets():
        got.append(packet)
        if source.restarts:
            break
    assert seconds.is_set()
    assert [packet.data for packet in got] == [KEY, *[PLAIN] * (len(got) - 2), KEY]
    assert got[-1].begins


def test_a_turned_screen_gets_a_new_recording(server: FakeServer, source: Screenrecord) -> None:
    Program(server, stays(KEY), stays(KEY + PLAIN))
    packets = source.packets()
    next(packets)
    source.renew()
    assert next(packets).begins
    assert next(packets).data == PLAIN


def test_a_pause_within_a_picture_begins_anew_and_waits_longer(server: FakeServer, source: Screenrecord) -> None:
    rest = threading.Event()

    def halting(connection: socket.socket) -> None:
        connection.sendall(KEY[:-2])
        rest.wait(10)
        connection.sendall(KEY[-2:])
        connection.recv(1)

    Program(server, halting, stays(KEY))
    packets = source.packets()
    assert next(packets).data == KEY[:-2]
    rest.set()
    assert next(packets).begins
    assert source._silence == 2 * screenrecord.SILENCE_SECONDS


@pytest.mark.parametrize("said", ["/system/bin/sh: screenrecord: inaccessible or not found\n", ""])
def test_a_phone_without_the_program(server: FakeServer, source: Screenrecord, said: str) -> None:
    Program(server, *[says(said.encode())] * 3)
    with pytest.raises(UnsupportedVideoError, match=r"not found|ends at once"):
        list(source.packets())


def test_a_program_that_sends_nothing(server: FakeServer, link: AdbConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screenrecord, "START_SECONDS", 0.05)
    monkeypatch.setattr(screenrecord, "_IDLE", 0.02)
    looks = iter([False, False, True])
    Program(server, stays())
    with pytest.raises(UnsupportedVideoError, match="no picture"):
        list(Screenrecord(link, is_on=lambda: next(looks)).packets())
    assert list(looks) == [], "a dark screen was waited for"


def test_garbage(server: FakeServer, source: Screenrecord) -> None:
    Program(server, stays(bytes(range(128, 256)) * 10))
    with pytest.raises(DeviceError, match=r"no H\.264"):
        list(source.packets())


def test_unplugged(server: FakeServer, source: Screenrecord) -> None:
    def unplug(connection: socket.socket) -> None:
        connection.sendall(KEY)
        server.hosts["host-serial:phone:get-state"] = b"FAIL" + words("device 'phone' not found")

    Program(server, unplug)
    packets = source.packets()
    assert next(packets).data == KEY
    with pytest.raises(DeviceLost, match="not found"):
        next(packets)


def test_closing_ends_it(server: FakeServer, source: Screenrecord) -> None:
    Program(server, stays(KEY))
    got = []
    for packet in source.packets():
        got.append(packet)
        source.close()
    assert len(got) == 1
