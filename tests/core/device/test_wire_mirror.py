"""The mirror of an adb device, over the real adb server: pictures, turns, darkness, cut streams, pulled cables."""

from __future__ import annotations

import pytest

from core.device.adb import scrcpy_file
from core.device.adb.decoder import DecodedVideo
from core.device.adb.screenrecord import Screenrecord
from core.device.adb.server import AdbServer as AdbAccess
from core.device.adb.video import VideoKind
from core.device.mirror import MirrorPhase
from core.domain.action import PressKey, Tap
from core.domain.geometry import Size
from tests.core.device.wired import opened, shows, stand_in_server, watched
from tests.device_side import timecode
from tests.device_side.coded import CodedScreens
from tests.device_side.device import DeviceSide
from tests.device_side.fixtures import Plug
from tests.device_side.phone import Phone
from tests.device_side.screens import NotePad

pytestmark = pytest.mark.xdist_group("adb")

BUTTON = 0.5, 0.5
BLUE, RED, GREEN = (40, 90, 200), (200, 60, 40), (40, 170, 70)
VIDEOS = VideoKind.SCRCPY, VideoKind.SCREENRECORD
each_way = pytest.mark.parametrize("way", list(VideoKind))
each_video = pytest.mark.parametrize("way", VIDEOS)


@pytest.fixture(autouse=True)
def server_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrcpy_file, "find", stand_in_server)


def press(phone: Phone, place: tuple[float, float] = BUTTON) -> None:
    """A finger of the phone's owner."""
    phone.perform(Tap(phone.point(place[0] * phone.size.width, place[1] * phone.size.height)))


def note_pad(phone: Phone) -> NotePad:
    assert isinstance(phone.screens, NotePad)
    return phone.screens


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
        eyes.mirror.fit(Size(90, 400))
        frame = eyes.see(lambda frame: frame.image.shape[1] <= 90 or not press(test_device.phone))
        assert frame.size == Size(360, 800)
        assert frame.image.shape[2] == 4 and frame.image.flags.c_contiguous and frame.image.shape[0] <= 400


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
        eyes.see(lambda frame: "forbids" in device.condition or not phone.touch(), "words on the black window")
        phone.faults.black = False
        phone.touch()
        eyes.see(shows(BLUE, *BUTTON))
        assert device.condition == ""
        device.perform(PressKey("power"))
        assert phone.wait(lambda: "off" in device.condition)
        device.perform(PressKey("power"))
        eyes.see(shows(BLUE, *BUTTON))
        assert phone.wait(lambda: device.condition == "")


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
