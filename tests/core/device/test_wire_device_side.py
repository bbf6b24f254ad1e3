"""The real adb, alone, against the device side of its transport: is the test device one?"""

from __future__ import annotations

import subprocess
from pathlib import Path

import av
import numpy as np
import pytest

from stepscope.core.domain.action import Swipe, Tap, Type
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.opencv import cv2
from tests.device_side import timecode
from tests.device_side.adb_server import AdbServer
from tests.device_side.coded import CodedScreens
from tests.device_side.device import DeviceSide
from tests.device_side.fixtures import Plug
from tests.device_side.screens import NotePad
from tests.device_side.words import ShellSyntaxError, commands

pytestmark = pytest.mark.xdist_group("adb")


def shell(server: AdbServer, device: DeviceSide, line: str) -> str:
    return server.run("-s", device.address, "shell", line, check=False).strip()


def test_adb_lists_the_device_with_its_model(adb_server: AdbServer, test_device: DeviceSide) -> None:
    listed = adb_server.run("devices", "-l")
    assert test_device.address in listed and "model:Stepscope_Test_Phone" in listed


def test_quotes_reach_the_programs_as_a_shell_would_pass_them(adb_server: AdbServer, test_device: DeviceSide) -> None:
    assert (
        shell(adb_server, test_device, "echo 'a  b' \"c\\\"d\" e\\ f 'it'\\''s' \"$HOME\"x") == "a  b c\"d e f it's x"
    )
    assert commands("a 'b;c' && d > /e 2>&1")[0].words == ["a", "b;c"]
    with pytest.raises(ShellSyntaxError):
        commands("input text $(reboot)")


@pytest.mark.parametrize("shell_v2, code", [(True, 127), (False, 0)])
def test_exit_codes_are_known_only_with_shell_v2(adb_server: AdbServer, plug: Plug, shell_v2: bool, code: int) -> None:
    device = plug(shell_v2=shell_v2)
    done = subprocess.run(
        [adb_server.adb, "-s", device.address, "shell", "nosuch"], env=adb_server.environment, capture_output=True
    )
    assert done.returncode == code
    assert b"not found" in done.stdout + done.stderr


def test_touches_reach_the_screen(adb_server: AdbServer, test_device: DeviceSide) -> None:
    shell(adb_server, test_device, "input tap 180 140")
    shell(adb_server, test_device, "input text 'one%stwo'")
    shell(adb_server, test_device, "input swipe 100 700 100 300 20")
    pad, point = test_device.phone.screens, test_device.phone.point
    assert isinstance(pad, NotePad) and pad.typed == "one two"
    assert test_device.phone.done == [
        Tap(point(180, 140)), Type("one two"), Swipe(point(100, 700), point(100, 300))
    ]  # fmt: skip
    assert 'text="one two"' in adb_server.run("-s", test_device.address, "exec-out", "uiautomator", "dump", "/dev/tty")


def test_files_are_pushed_pulled_and_installed(adb_server: AdbServer, test_device: DeviceSide, tmp_path: Path) -> None:
    package = tmp_path / "app.apk"
    package.write_bytes(b"APK com.example.other\n" + bytes(300_000))
    adb_server.run("-s", test_device.address, "push", str(package), "/sdcard/app.apk")
    adb_server.run("-s", test_device.address, "pull", "/sdcard/app.apk", str(tmp_path / "back.apk"))
    assert (tmp_path / "back.apk").read_bytes() == package.read_bytes()
    assert "Success" in adb_server.run("-s", test_device.address, "install", str(package))
    assert "package:com.example.other" in shell(adb_server, test_device, "pm list packages -3")


def test_screenrecord_is_video_that_a_decoder_reads(adb_server: AdbServer, plug: Plug) -> None:
    device = plug(CodedScreens(Size(320, 640), 30, 20))
    data = _out(adb_server, device, "screenrecord --output-format=h264 --time-limit 1 -")
    decoder = av.CodecContext.create("h264", "r")
    assert isinstance(decoder, av.VideoCodecContext)
    packets = [*decoder.parse(data), *decoder.parse(None)]
    frames = [frame for packet in [*packets, None] for frame in decoder.decode(packet)]
    numbers = [timecode.read(np.asarray(frame.to_ndarray(format="bgra"), np.uint8)) for frame in frames]
    assert numbers == [index % 20 for index in range(len(numbers))]
    assert 20 <= len(numbers) <= 31


def test_the_screenshot_is_the_screen(adb_server: AdbServer, test_device: DeviceSide) -> None:
    data = np.frombuffer(_out(adb_server, test_device, "screencap -p"), np.uint8)
    pixels = cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)
    assert pixels is not None and np.array_equal(pixels, test_device.phone.picture())


def test_pulled_out_unauthorised_and_back(adb_server: AdbServer, test_device: DeviceSide) -> None:
    test_device.unplug()
    assert f"{test_device.address}\toffline" in adb_server.run("devices")
    test_device.port.authorised = False
    test_device.plug_in()
    adb_server.disconnect(test_device.address)
    adb_server.connect(test_device.address)
    assert f"{test_device.address}\tunauthorized" in adb_server.run("devices")
    test_device.unplug()
    test_device.port.authorised = True
    test_device.plug_in()
    adb_server.disconnect(test_device.address)
    assert adb_server.connect(test_device.address).startswith("connected")


def _out(server: AdbServer, device: DeviceSide, line: str) -> bytes:
    command = [server.adb, "-s", device.address, "exec-out", line]
    return subprocess.run(command, env=server.environment, capture_output=True, timeout=30, check=True).stdout
