"""The mirror of an adb device, over the real adb server: pictures, sizes, turns, darkness, seams."""

from __future__ import annotations

import pytest

from stepscope.core.device.adb import scrcpy_file
from stepscope.core.device.adb.decoder import DecodedVideo
from stepscope.core.device.adb.screenrecord import Screenrecord
from stepscope.core.device.adb.server import AdbServer as AdbAccess
from stepscope.core.device.adb.video import VideoKind
from stepscope.core.domain.action import PressKey, Tap
from stepscope.core.domain.geometry import Size
from tests.core.device.wired import BLUE, BUTTON, GREEN, RED, opened, press, shows, stand_in_server, watched
from tests.device_side import timecode
from tests.device_side.coded import CodedScreens
from tests.device_side.device import DeviceSide
from tests.device_side.fixtures import Plug

pytestmark = pytest.mark.xdist_group("adb")

VIDEOS = VideoKind.SCRCPY, VideoKind.SCREENRECORD
each_way = pytest.mark.parametrize("way", list(VideoKind))
each_video = pytest.mark.parametrize("way", VIDEOS)


@pytest.fixture(autouse=True)
def server_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrcpy_file, "find", stand_in_server)


@each_way
def test_a_tap_is_seen_though_nothing_moves_after_it(test_device: DeviceSide, way: VideoKind) -> None:
    device = opened(test_device, way)
    with watched(device) as eyes:
        frame = eyes.see(shows(BLUE, *BUTTON))
        assert frame.size == Size(360, 800) and frame.whole().shape == (800, 360, 3)
        device.perform(Tap(test_device.phone.point(180, 400)))
        eyes.see(shows(RED, *BUTTON))
        press(test_device.phone)
        eyes.see(shows(GREEN, *BUTTON))
    assert test_device.phone.wait(lambda: not test_device.phone.sockets)


@each_way
def test_pictures_are_as_small_as_they_are_shown(test_device: DeviceSide, way: VideoKind) -> None:
    with watched(opened(test_device, way)) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
        eyes.mirror.fit(Size(90, 400))
        press(test_device.phone)
        frame = eyes.see(shows(RED, *BUTTON))
        assert frame.size == Size(360, 800)
        assert (
            frame.image.shape[1] <= 90
            and frame.image.shape[2] == 4
            and frame.image.flags.c_contiguous
            and frame.image.shape[0] <= 400
        )


@each_video
def test_a_turned_screen_is_shown_turned_and_back(test_device: DeviceSide, way: VideoKind) -> None:
    device = opened(test_device, way)
    with watched(device) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
        device.rotate()
        frame = eyes.see(lambda frame: frame.size == Size(800, 360) and shows(BLUE, *BUTTON)(frame), "a wide picture")
        assert frame.image.shape[:2] == (360, 800)
        assert shows((240, 240, 240), 0.02, 0.5)(frame), "black bars"
        assert device.tree().size == Size(800, 360)
        device.perform(Tap(test_device.phone.point(400, 180)))
        eyes.see(shows(RED, *BUTTON))
        device.rotate()
        eyes.see(lambda frame: frame.size == Size(360, 800) and shows(RED, *BUTTON)(frame), "an upright picture")


@each_video
def test_darkness_is_said_in_words(test_device: DeviceSide, way: VideoKind) -> None:
    phone, device = test_device.phone, opened(test_device, way)
    with watched(device) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
        phone.faults.black = True
        phone.touch()
        eyes.see(lambda frame: "forbids" in device.condition, "words on the black window")
        phone.faults.black = False
        phone.touch()
        eyes.see(shows(BLUE, *BUTTON))
        assert device.condition == ""
        device.perform(PressKey("power"))
        assert phone.wait(lambda: "off" in device.condition)
        device.perform(PressKey("power"))
        eyes.see(shows(BLUE, *BUTTON))
        assert phone.wait(lambda: device.condition == "")


def test_a_device_that_lies_about_its_size(test_device: DeviceSide) -> None:
    test_device.phone.faults.claimed_size = Size(1440, 3120)
    device = opened(test_device)
    with watched(device) as eyes:
        frame = eyes.see(shows(BLUE, *BUTTON))
        assert frame.size == Size(360, 800)
        device.screenshot()
        assert device.screen().size == Size(360, 800)
        assert "1440 × 3120" in device.notes[-1]
        device.perform(Tap(test_device.phone.point(180, 400)))
        eyes.see(shows(RED, *BUTTON))


def test_recordings_follow_each_other_without_a_gap(plug: Plug) -> None:
    """`screenrecord` ends by itself: no picture is missing over the seam."""
    coded = CodedScreens(Size(160, 320), 30, 120)
    device = plug(coded)
    source = Screenrecord(AdbAccess().link(device.address), limit=2, lead=1.0)
    video, seen = DecodedVideo(source), []
    for frame in video:
        seen.append(timecode.read(frame.image))
        if source.restarts >= 2 and len(seen) > 60:
            break
    video.close()
    assert None not in seen and source.restarts >= 2
