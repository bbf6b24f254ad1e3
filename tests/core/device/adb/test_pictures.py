"""Screenshots that are whole, cut, damaged or none, and the sizes of screens."""

from __future__ import annotations

import numpy as np
import pytest

from stepscope.core.device.adb import pictures
from stepscope.core.device.adb.link import AdbConnection
from stepscope.core.device.adb.pictures import ScreencapVideo, png_size
from stepscope.core.device.adb.video import screen_size_of
from stepscope.core.device.device import DeviceError, DeviceLost
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.opencv import cv2
from tests.core.device.adb.fake_server import FakeServer, says, words

PIXELS = np.full((40, 24, 3), (10, 120, 230), np.uint8)  # blue, green, red
PNG = cv2.imencode(".png", PIXELS)[1].tobytes()


def test_a_whole_one(server: FakeServer, link: AdbConnection) -> None:
    server.services["exec:screencap -p"] = says(PNG)
    assert pictures.take(link) == (PNG, Size(24, 40))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (PNG[:-20], "cut off"),
        (b"", "no picture"),
        (b"screencap: error opening display\n", "error opening display"),
        (b"\xff\xd8\xff" + bytes(300), "no picture"),
        (PNG[:20] + b"\x7f" + PNG[21:], "cut off|no picture"),
    ],
)
def test_what_is_none(server: FakeServer, link: AdbConnection, data: bytes, words: str) -> None:
    server.services["exec:screencap -p"] = says(data)
    with pytest.raises(DeviceError, match=words) as told:
        pictures.take(link)
    assert not isinstance(told.value, DeviceLost)


def test_cut_by_the_cable(server: FakeServer, link: AdbConnection) -> None:
    server.services["exec:screencap -p"] = says(PNG[:50])
    server.hosts["host-serial:phone:get-state"] = b"FAIL" + words("device 'phone' not found")
    with pytest.raises(DeviceLost):
        pictures.take(link)


def test_sizes_in_headers() -> None:
    assert png_size(PNG) == Size(24, 40)
    for width, height in ((0, 10), (20000, 10), (16000, 16000)):
        header = PNG[:16] + width.to_bytes(4, "big") + height.to_bytes(4, "big") + PNG[24:29]
        import zlib

        assert png_size(header + zlib.crc32(header[12:]).to_bytes(4, "big")) is None


def test_a_video_of_screenshots(server: FakeServer, link: AdbConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_PAUSE", 0.0)
    other = cv2.imencode(".png", PIXELS[::-1, ::-1] // 2)[1].tobytes()
    shots = [PNG, PNG, PNG[:-9], other]
    server.services["exec:screencap -p"] = lambda connection: connection.sendall(shots.pop(0) if shots else other)
    video = ScreencapVideo(link)
    frames = []
    for frame in video:
        frames.append(frame)
        if len(frames) == 2:
            video.close()
    assert [frame.number for frame in frames] == [0, 1], "the same picture is not sent twice, a cut one not at all"
    assert frames[0].image.shape == (40, 24, 4)
    assert frames[0].image[0, 0].tolist() == [10, 120, 230, 255]
    assert frames[0].whole()[0, 0].tolist() == [230, 120, 10]


def test_a_video_of_nothing(server: FakeServer, link: AdbConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_PAUSE", 0.0)
    server.services["exec:screencap -p"] = says(b"screencap: no display\n")
    with pytest.raises(DeviceError, match="no display"):
        list(ScreencapVideo(link))


@pytest.mark.parametrize(
    ("picture", "claimed", "size"),
    [
        (Size(1080, 2336), Size(1080, 2340), Size(1080, 2340)),  # rounded by the encoder
        (Size(2336, 1080), Size(1080, 2340), Size(2340, 1080)),  # turned since it was asked
        (Size(720, 1560), Size(1080, 2340), Size(1080, 2340)),  # made smaller
        (Size(1080, 2340), Size(720, 1560), Size(1080, 2340)),  # larger than the screen: the claim is wrong
        (Size(1080, 1920), Size(1080, 2340), Size(1080, 1920)),  # another shape: the claim is wrong
        (Size(1080, 1920), None, Size(1080, 1920)),
    ],
)
def test_the_screen_by_a_video(picture: Size, claimed: Size | None, size: Size) -> None:
    assert screen_size_of(picture, claimed) == size
