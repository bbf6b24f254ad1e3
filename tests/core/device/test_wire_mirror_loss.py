"""The mirror of an adb device over the real adb server when things go wrong: cut streams, pulled cables, garbage."""

from __future__ import annotations

import struct

import pytest

from stepscope.core.device.adb import scrcpy_file
from stepscope.core.device.adb.video import VideoKind
from stepscope.core.device.mirror import MirrorPhase
from stepscope.core.domain.action import Tap
from stepscope.core.domain.geometry import Size
from tests.core.device.wired import BLUE, BUTTON, GREEN, RED, note_pad, opened, press, shows, stand_in_server, watched
from tests.device_side.device import DeviceSide
from tests.device_side.fixtures import Plug
from tests.device_side.screens import NotePad

pytestmark = pytest.mark.xdist_group("adb")

VIDEOS = VideoKind.SCRCPY, VideoKind.SCREENRECORD
each_video = pytest.mark.parametrize("way", VIDEOS)


@pytest.fixture(autouse=True)
def server_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrcpy_file, "find", stand_in_server)


@each_video
@pytest.mark.parametrize("count", [150, 4000], ids=["in the first picture", "later"])
def test_a_cut_stream_goes_on(test_device: DeviceSide, way: VideoKind, count: int) -> None:
    phone = test_device.phone
    phone.faults.video_cut_after = count
    others = (VideoKind.SCREENRECORD,)  # a way that gives no picture at all is left for the next one
    with watched(opened(test_device, way, *others)) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
        for _ in range(200):
            if phone.wait(lambda: phone.faults.video_cut_after is None, 0.03):
                break
            press(phone)
        assert phone.faults.video_cut_after is None
        press(phone)
        colour = (BLUE, RED, GREEN)[note_pad(phone).count % 3]
        eyes.see(shows(colour, *BUTTON))
        assert all(state.phase is not MirrorPhase.FAILED for state in eyes.states)


@each_video
def test_a_pulled_cable_is_told_and_the_picture_comes_back(test_device: DeviceSide, way: VideoKind) -> None:
    with watched(opened(test_device, way)) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
        test_device.unplug()
        lost = eyes.hear(MirrorPhase.LOST)
        assert lost.why
        press(test_device.phone)
        test_device.plug_in()
        eyes.hear(MirrorPhase.LIVE, eyes.states.index(lost))
        eyes.see(shows(RED, *BUTTON))


def test_cut_in_the_middle_of_a_picture(test_device: DeviceSide) -> None:
    test_device.phone.faults.unplug_after = 700
    with watched(opened(test_device, VideoKind.SCREENRECORD)) as eyes:
        lost = eyes.hear(MirrorPhase.LOST)
        test_device.plug_in()
        eyes.hear(MirrorPhase.LIVE, eyes.states.index(lost))
        eyes.see(shows(BLUE, *BUTTON))


def test_the_next_way_is_taken_and_the_reason_kept(test_device: DeviceSide) -> None:
    faults = test_device.phone.faults
    faults.no_scrcpy = faults.no_screenrecord = True
    device = opened(test_device)
    with watched(device) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
        assert device.facts()["video"] == VideoKind.SCREENCAP
        scrcpy, screenrecord = device.notes
        assert "virtual display" in scrcpy and "not found" in screenrecord


@pytest.mark.parametrize("ways", [(VideoKind.SCRCPY,), (VideoKind.SCREENRECORD,)])
def test_garbage_instead_of_video_is_refused(test_device: DeviceSide, ways: tuple[VideoKind, ...]) -> None:
    test_device.phone.faults.video_garbage = True
    with watched(opened(test_device, *ways)) as eyes:
        assert "no H.264 video" in eyes.hear(MirrorPhase.FAILED).why
        test_device.phone.faults.video_garbage = False
        eyes.mirror.reconnect()
        eyes.see(shows(BLUE, *BUTTON))


SIZES = struct.pack(">4sII", b"h264", 360, 800)
LIES = {
    "nothing": b"",
    "no video": struct.pack(">III", 0, 0, 0),
    "another codec": struct.pack(">4sII", b"h265", 360, 800),
    "no size": struct.pack(">4sII", b"h264", 0, 0),
    "a vast size": struct.pack(">4sII", b"h264", 2**31, 2**31),
    "half a header": SIZES + b"\0" * 5,
    "a vast packet": SIZES + struct.pack(">QI", 0, 2**32 - 1) + b"x" * 100,
    "empty packets": SIZES + struct.pack(">QI", 0, 0) * 500,
    "parameters alone": SIZES + struct.pack(">QI", 1 << 63, 9) + b"\0\0\0\1\x67abcd",
}


@pytest.mark.parametrize("lie", LIES)
def test_a_server_that_lies_is_left_for_the_next_way(test_device: DeviceSide, lie: str) -> None:
    test_device.phone.faults.scrcpy_says = LIES[lie]
    device = opened(test_device)
    with watched(device) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
        assert device.facts()["video"] == VideoKind.SCREENRECORD
        assert any("scrcpy" in note for note in device.notes)


@pytest.mark.parametrize("words", [b"", b"Unable to get output buffers (err=-38)\n", bytes(range(256)) * 20])
def test_a_recorder_that_fails_is_left_for_screenshots(test_device: DeviceSide, words: bytes) -> None:
    faults = test_device.phone.faults
    faults.no_scrcpy, faults.screenrecord_says = True, words
    device = opened(test_device)
    with watched(device) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
        assert device.facts()["video"] == VideoKind.SCREENCAP


def test_an_old_phone_without_exit_codes(plug: Plug) -> None:
    side = plug(shell_v2=False)
    device = opened(side)
    with watched(device) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
        device.perform(Tap(side.phone.point(180, 400)))
        eyes.see(shows(RED, *BUTTON))
        assert len(device.tree()) == 3


def test_two_devices_are_two(plug: Plug) -> None:
    first, second = plug(NotePad()), plug(NotePad(Size(400, 640)))
    with watched(opened(first)) as left, watched(opened(second)) as right:
        left.see(shows(BLUE, *BUTTON))
        right.see(shows(BLUE, *BUTTON))
        press(first.phone)
        assert left.see(shows(RED, *BUTTON)).size == Size(360, 800)
        assert right.see(shows(BLUE, *BUTTON)).size == Size(400, 640)
        first.unplug()
        left.hear(MirrorPhase.LOST)
        press(second.phone)
        right.see(shows(RED, *BUTTON))
        assert all(state.phase is not MirrorPhase.LOST for state in right.states)


def test_closing_ends_everything_at_once(test_device: DeviceSide) -> None:
    device = opened(test_device)
    with watched(device) as eyes:
        eyes.see(shows(BLUE, *BUTTON))
    assert eyes.states[-1].phase is MirrorPhase.STOPPED
