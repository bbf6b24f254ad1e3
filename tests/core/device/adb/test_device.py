"""The device as a whole, over a fake server: phones that tell little, tell lies, or stay as they are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from stepscope.core.device.adb import device as module
from stepscope.core.device.adb import scrcpy_file
from stepscope.core.device.adb.device import AdbDevice
from stepscope.core.device.adb.packets import UnsupportedVideoError
from stepscope.core.device.adb.server import AdbServer
from stepscope.core.device.adb.video import BLACK, SCREEN_OFF, AdbVideo, VideoKind
from stepscope.core.device.device import (
    DeviceCapability,
    DeviceError,
    DeviceInfo,
    DeviceKind,
    DeviceLost,
    DeviceState,
    ScreenGeometry,
)
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.opencv import cv2
from tests.core.device.adb.fake_server import FakeServer, says, words

PHONE = DeviceInfo("phone", "Phone 9", DeviceKind.USB)
DISPLAY = 'mOverrideDisplayInfo=DisplayInfo{{"Built-in Screen", real {} x {}, rotation {}, state {}, app 1 x 1}}'


def png(width: int, height: int, shade: int = 90) -> bytes:
    return cv2.imencode(".png", np.full((height, width, 3), shade, np.uint8))[1].tobytes()


def display(width: int, height: int, rotation: int = 0, state: str = "ON") -> bytes:
    return DISPLAY.format(width, height, rotation, state).encode()


@pytest.fixture
def phone(server: FakeServer) -> Iterator[AdbDevice]:
    server.services["exec:dumpsys display"] = says(display(1080, 2400))
    made = AdbDevice(
        AdbServer(port=server.port),
        PHONE,
        lambda xml, size: UITree((), TreeOrigin.DUMP, size),
        ways=(VideoKind.SCREENCAP,),
    )
    yield made
    made.close()


def test_a_device_that_is_not_ready_is_not_opened(server: FakeServer) -> None:
    shut = DeviceInfo("x", "X", DeviceKind.USB, DeviceState.UNAUTHORISED, hint="Unlock it.")
    with pytest.raises(DeviceError, match="X is unauthorised") as told:
        AdbDevice(AdbServer(port=server.port), shut, lambda xml, size: UITree((), TreeOrigin.DUMP, size))
    assert told.value.hint == "Unlock it."


def test_a_screen_told_in_parts(server: FakeServer, phone: AdbDevice) -> None:
    server.services["exec:dumpsys display"] = says(b"DISPLAY MANAGER in words of another maker")
    server.services["exec:wm size"] = says(b"Physical size: 1080x2400\n")
    server.services["exec:dumpsys input"] = says(b"  SurfaceOrientation: 3\n")
    server.services["exec:dumpsys power"] = says(b"  Display Power: state=OFF mScreenState=OFF\n")
    assert phone.screen() == ScreenGeometry(Size(2400, 1080), 3, False)
    server.services["exec:wm size"] = says(b"error")
    with pytest.raises(DeviceError, match="does not tell"):
        phone.screen()


def test_the_pictures_own_size_counts_from_then_on(server: FakeServer, phone: AdbDevice) -> None:
    server.services["exec:screencap"] = says(png(720, 1600))
    assert phone.screen().size == Size(1080, 2400)
    phone.screenshot()
    assert phone.screen().size == Size(720, 1600)
    assert "1080 × 2400" in phone.notes[0] and "720 × 1600" in phone.notes[0]
    server.services["exec:dumpsys display"] = says(display(2400, 1080, 1))
    assert phone.screen().size == Size(1600, 720), "turned, too"
    phone.screenshot()
    assert len(phone.notes) <= 2


def test_a_screen_that_was_turned_is_no_lie(server: FakeServer, phone: AdbDevice) -> None:
    phone.screen()
    server.services["exec:screencap"] = says(png(2400, 1080))
    phone.screenshot()
    assert phone.notes == ()


def test_a_phone_that_does_not_turn(server: FakeServer, phone: AdbDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TURN_PAUSE", 0.0)
    server.services["exec:"] = says(b"")
    with pytest.raises(DeviceError, match="does not turn"):
        phone.rotate()
    commands = [asked for asked in server.asked if asked.startswith(("exec:settings", "exec:wm"))]
    assert commands == [
        "exec:settings put system accelerometer_rotation 0",
        "exec:settings put system user_rotation 1",
        "exec:wm user-rotation lock 1",
    ]


def test_turning_back_upright(server: FakeServer, phone: AdbDevice) -> None:
    shown = [display(2400, 1080, 1), display(1080, 2400)]
    server.services["exec:dumpsys display"] = lambda connection: connection.sendall(shown.pop(0))
    server.services["exec:"] = says(b"")
    phone.rotate()
    assert "exec:settings put system user_rotation 0" in server.asked


def test_facts_name_nobody(server: FakeServer, phone: AdbDevice) -> None:
    server.services["exec:getprop"] = says(
        b"[ro.product.model]: [P9]\n[ro.serialno]: [SECRET]\n[ro.build.version.sdk]: [35]\n[gsm.operator]: [SECRET]\n"
    )
    server.services["exec:wm density"] = says(b"Physical density: 420\n")
    assert phone.facts() == {"model": "P9", "sdk": "35", "size": "1080x2400", "density": "420"}


def test_what_it_can_do(phone: AdbDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrcpy_file, "find", lambda: scrcpy_file.ServerFile(b""))
    assert phone.abilities == frozenset(DeviceCapability)

    def missing() -> None:
        raise UnsupportedVideoError("none")

    monkeypatch.setattr(scrcpy_file, "find", missing)
    assert DeviceCapability.ANY_TEXT not in phone.abilities


def test_conditions(server: FakeServer, phone: AdbDevice) -> None:
    server.services["exec:screencap"] = says(png(24, 40, 0))
    assert phone.condition == ""
    video = phone.video()
    next(iter(video))
    assert phone.condition == BLACK
    video._note_screen(ScreenGeometry(Size(24, 40), on=False))
    assert phone.condition == SCREEN_OFF


def test_coming_back(server: FakeServer) -> None:
    far = DeviceInfo("10.0.0.2:5555", "Far", DeviceKind.NETWORK)
    device = AdbDevice(AdbServer(port=server.port), far, lambda xml, size: UITree((), TreeOrigin.DUMP, size))
    state = "host-serial:10.0.0.2:5555:get-state"
    server.hosts[state] = b"OKAY" + words("offline")
    server.hosts["host:connect:10.0.0.2:5555"] = b"OKAY" + words("failed to connect to '10.0.0.2:5555': No route")
    with pytest.raises(DeviceLost, match="No route"):
        device.reconnect()
    assert "host:disconnect:10.0.0.2:5555" in server.asked, "adb takes a dead connection for one"
    server.hosts["host:connect:10.0.0.2:5555"] = b"OKAY" + words("connected to 10.0.0.2:5555")
    with pytest.raises(DeviceLost, match="offline"):
        device.reconnect()
    server.hosts[state] = b"OKAY" + words("device")
    device.reconnect()
    device.close()
    with pytest.raises(DeviceLost, match="closed"):
        device.screen()


def test_a_watch_that_gets_no_answer_ends_the_video(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone of the network that fell silent: the connection does not end, and nothing comes any more."""
    from stepscope.core.device.adb.link import AdbConnection
    from stepscope.core.device.device import DeviceTimeout

    server.services["exec:screencap"] = says(png(24, 40))

    def silent() -> ScreenGeometry:
        raise DeviceTimeout("late")

    link = AdbConnection("phone", server.port)
    video = AdbVideo(link, silent, lambda size: size, [], (VideoKind.SCREENCAP,), watch=0.01)
    with pytest.raises(DeviceLost, match="does not answer any more"):
        list(video)
    link.close()
