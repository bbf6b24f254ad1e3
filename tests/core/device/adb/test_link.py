"""What is said to the adb server, and what it may answer: garbage, nothing, too much, half."""

from __future__ import annotations

import io
import socket
import struct
import threading
import time

import pytest

from stepscope.core.device.adb import link as wire
from stepscope.core.device.adb.link import AdbConnection
from stepscope.core.device.device import DeviceError, DeviceLost, DeviceTimeout
from stepscope.core.errors import UnavailableError
from tests.core.device.adb.fake_server import FakeServer, says, words


def silence(connection: socket.socket) -> None:
    connection.recv(1)


def flood(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"x" * 65536)


def test_the_output_of_a_command(server: FakeServer, link: AdbConnection) -> None:
    server.services["exec:"] = says(b"Physical ", b"size: 1080x2400\n")
    assert link.text(wire.quoted("wm", "size")) == "Physical size: 1080x2400"
    assert server.asked == ["host:transport:phone", "exec:wm size"]


def test_a_command_that_says_nothing_is_asked_whether_the_device_is_there(
    server: FakeServer, link: AdbConnection
) -> None:
    server.services["exec:"] = says()
    assert link.run("true") == b""
    server.hosts["host-serial:phone:get-state"] = b"FAIL" + words("device 'phone' not found")
    with pytest.raises(DeviceLost, match="not found"):
        link.run("true")


@pytest.mark.parametrize("reason", ["device 'phone' not found", "device offline", "device unauthorized."])
def test_a_device_that_is_gone_is_lost(server: FakeServer, link: AdbConnection, reason: str) -> None:
    server.hosts["host:transport:phone"] = b"FAIL" + words(reason)
    with pytest.raises(DeviceLost) as told:
        link.run("true")
    assert told.value.message == reason.strip()
    assert told.value.hint


def test_a_service_that_is_refused_is_no_loss(link: AdbConnection) -> None:
    with pytest.raises(DeviceError) as told:
        link.open("localabstract:nobody")
    assert not isinstance(told.value, DeviceLost)


def test_a_device_that_never_answers_is_cut_off_by_time(server: FakeServer, link: AdbConnection) -> None:
    server.services["exec:"] = silence
    with pytest.raises(DeviceTimeout):
        link.run("true", seconds=0.1)


def test_a_device_that_never_ends_is_cut_off_by_size(server: FakeServer, link: AdbConnection) -> None:
    server.services["exec:"] = flood
    with pytest.raises(DeviceError, match="more than 1 MB"):
        link.run("true", limit=1 << 20)


def test_dripping_does_not_extend_the_time(server: FakeServer, link: AdbConnection) -> None:
    ended = threading.Event()

    def drip(connection: socket.socket) -> None:
        while not ended.wait(0.02):
            connection.sendall(b".")

    server.services["exec:"] = drip
    started = time.monotonic()
    with pytest.raises(DeviceTimeout):
        link.run("true", seconds=0.3)
    ended.set()
    assert time.monotonic() - started < 3


@pytest.mark.parametrize("answer", [b"", b"OK", b"HTTP/1.1 400 Bad", b"FAIL", b"FAILzzzz", b"FAIL0040short"])
def test_an_answer_that_is_no_adb_servers(server: FakeServer, link: AdbConnection, answer: bytes) -> None:
    server.hosts["host:transport:phone"] = answer
    with pytest.raises(DeviceError):
        link.run("true")


def test_no_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(UnavailableError, match=str(port)):
        wire.answer(port, "host:version")
    assert not wire.answers(port)


def test_a_server_that_ended_is_started_again(server: FakeServer) -> None:
    link = AdbConnection("phone", 1, lambda: setattr(link, "_port", server.port))
    server.services["exec:"] = says(b"yes")
    assert link.text("true") == "yes"


def test_closing_ends_what_waits(server: FakeServer, link: AdbConnection) -> None:
    waits = threading.Event()

    def wait(connection: socket.socket) -> None:
        waits.set()
        connection.recv(1)

    server.services["exec:"] = wait
    failures: list[BaseException] = []

    def run() -> None:
        try:
            link.run("true", seconds=60)
        except DeviceError as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert waits.wait(10)
    link.close()
    thread.join(10)
    assert [type(failure) for failure in failures] == [DeviceLost]
    with pytest.raises(DeviceLost):
        link.run("true")


def receive_file(got: list[bytes], verdict: bytes) -> object:
    """The device's half of the sync service, which takes one file."""

    def serve(connection: socket.socket) -> None:
        while True:
            name, length = struct.unpack("<4sI", connection.recv(8, socket.MSG_WAITALL))
            if name == b"DONE":
                break
            got.append(connection.recv(length, socket.MSG_WAITALL))
        connection.sendall(verdict)

    return serve


def test_a_file_is_pushed_in_pieces(server: FakeServer, link: AdbConnection) -> None:
    got: list[bytes] = []
    server.services["sync:"] = receive_file(got, b"OKAY\0\0\0\0")  # type: ignore[assignment]
    told: list[int] = []
    link.push(io.BytesIO(b"a" * 150_000), "/data/local/tmp/x.apk", told.append)
    assert got[0] == b"/data/local/tmp/x.apk,33188"  # 0o100644
    assert b"".join(got[1:]) == b"a" * 150_000
    assert max(map(len, got[1:])) <= 65536
    assert told[-1] == 150_000


def test_a_file_that_the_device_does_not_take(server: FakeServer, link: AdbConnection) -> None:
    reason = b"No space left on device"
    server.services["sync:"] = receive_file([], b"FAIL" + struct.pack("<I", len(reason)) + reason)  # type: ignore[assignment]
    with pytest.raises(DeviceError, match="No space left"):
        link.push(io.BytesIO(b"a"), "/x")


def test_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(wire.PORT_VARIABLE, raising=False)
    assert wire.server_port() == 5037
    monkeypatch.setenv(wire.PORT_VARIABLE, "5039")
    assert wire.server_port() == 5039
    for wrong in ("milk", "70000", "0", "-1"):
        monkeypatch.setenv(wire.PORT_VARIABLE, wrong)
        with pytest.raises(UnavailableError, match=wrong):
            wire.server_port()


def test_two_streams_at_once(server: FakeServer, link: AdbConnection) -> None:
    server.services["exec:quiet"] = silence
    server.services["exec:loud"] = says(b"x")
    quiet, loud = link.open("exec:quiet"), link.open("exec:loud")
    assert wire.any_waiting([quiet, loud], 10) == [loud]
    assert wire.any_waiting([quiet], 0.01) == []
    quiet.close()
    assert quiet in wire.any_waiting([quiet, loud], 10)
