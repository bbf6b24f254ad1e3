"""Coded pictures decoded: the right pixels, the newest first, turned screens, damage, garbage."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from stepscope.core.device.adb.decoder import DecodedVideo, Decoder, fitted
from stepscope.core.device.adb.packets import Packet
from stepscope.core.device.device import DeviceError, DeviceLost
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.resampling import resized
from tests.device_side.encoder import Encoder

SIZE = Size(240, 480)


def page(size: Size, shade: int) -> np.ndarray:
    """A slope from left to right, a bar of the shade at the top."""
    picture = np.repeat(np.linspace(0, 255, size.width).astype(np.uint8)[None, :, None], size.height, 0).repeat(3, 2)
    picture[: size.height // 4] = (shade, 40, 200)
    return picture


@cache
def coded(size: Size, count: int = 6) -> tuple[bytes, ...]:
    """Pictures as access units, the first with its parameter sets."""
    encoder = Encoder(size)
    units: list[bytes] = []
    for number in range(count):
        packets = encoder.encode(page(size, 40 * number), 16_667 * number)
        units.append(b"".join(packet.data for packet in packets))
    return tuple(units)


class Source:
    """Packets at hand. `gate`: those from its number on wait until it is set."""

    def __init__(self, packets: list[Packet], end: BaseException | None = None) -> None:
        self._packets, self._end = packets, end
        self.closed = threading.Event()

    def packets(self) -> Iterator[Packet]:
        yield from self._packets
        if self._end is not None:
            raise self._end

    def close(self) -> None:
        self.closed.set()


def packets(units: tuple[bytes, ...]) -> list[Packet]:
    return [Packet(unit, float(number), begins=number == 0) for number, unit in enumerate(units)]


def last(video: DecodedVideo):  # type: ignore[no-untyped-def]
    return list(video)[-1]


def test_the_pixels() -> None:
    frame = last(DecodedVideo(Source(packets(coded(SIZE)))))
    assert frame.size == SIZE
    assert frame.image.shape == (480, 240, 4)
    assert frame.image.flags.c_contiguous
    whole = frame.whole()
    assert whole.shape == (480, 240, 3)
    assert np.array_equal(frame.image[:, :, 2::-1], whole), "blue, green, red against red, green, blue"
    assert np.abs(whole.astype(int) - page(SIZE, 200)).mean() < 4
    assert frame.arrived == 5.0
    assert (frame.image[:, :, 3] == 255).all()


def test_scaled_to_what_is_shown() -> None:
    video = DecodedVideo(Source(packets(coded(SIZE))))
    video.fit(Size(125, 1000))
    frame = last(video)
    assert frame.image.shape == (240, 120, 4), "as wide as it may be in eights, and of the same shape"
    assert frame.size == SIZE
    assert frame.whole().shape == (480, 240, 3)
    assert np.abs(frame.image[:, :, 2::-1].astype(int) - resized(page(SIZE, 200), Size(120, 240))).mean() < 6


@pytest.mark.parametrize("width", [170, 182, 204, 172])
def test_the_last_columns_of_odd_widths(width: int) -> None:
    """libswscale's fast way to colours leaves them out where rows are packed closely."""
    frame = last(DecodedVideo(Source(packets(coded(Size(width, 96), 1)))))
    assert np.abs(frame.image[40:, -8:, 0].astype(int) - frame.whole()[40:, -8:, 2]).max() <= 3
    assert frame.whole()[40:, -2:].mean() > 240


def test_what_fits() -> None:
    assert fitted(Size(1080, 2400), None) == Size(1080, 2400)
    assert fitted(Size(1080, 2400), Size(2000, 3000)) == Size(1080, 2400)
    assert fitted(Size(1080, 2400), Size(405, 900)) == Size(400, 888)
    assert fitted(Size(1080, 2400), Size(3, 3)) == Size(8, 18)


def test_numbers_are_whole_and_only_the_newest_is_converted() -> None:
    """The one who shows is away while five pictures are decoded: he gets the last of them."""
    entered, looks = threading.Event(), []

    def look(image: np.ndarray, size: Size) -> None:
        looks.append(size)
        source.closed.wait(10)  # until everything is decoded

    source = Source(packets(coded(SIZE)))
    video = DecodedVideo(source, looked=look)
    frames = []
    for frame in video:
        frames.append(frame)
        entered.set()
    assert [frame.number for frame in frames] == list(range(len(frames)))
    assert video.decoded == 6
    assert video.skipped == 6 - len(frames) == sum(frame.skipped for frame in frames)
    assert len(frames) <= 2 or video.skipped == 0
    assert frames[-1].arrived == 5.0


def test_a_screen_that_turns() -> None:
    wide = Size(480, 240)
    both = [*packets(coded(SIZE)), *packets(coded(wide))]
    sizes = [frame.size for frame in DecodedVideo(Source(both))]
    assert sizes[-1] == wide


def test_damage_costs_a_picture_and_is_counted() -> None:
    units = list(coded(SIZE))
    units[2] = b"\0\0\0\1\x41\x9a" + random.Random(1).randbytes(400)
    video = DecodedVideo(Source(packets(tuple(units))))
    assert last(video).arrived == 5.0
    assert video.corrupt >= 1


def test_the_middle_of_a_stream_gives_nothing_and_breaks_nothing() -> None:
    video = DecodedVideo(Source(packets(coded(SIZE)[3:])))
    assert list(video) == []
    assert video.corrupt == 3


def test_endless_garbage_is_no_video() -> None:
    chance = random.Random(2)
    garbage = [Packet(b"\0\0\0\1" + chance.randbytes(3000), 0.0) for _ in range(200)]
    with pytest.raises(DeviceError, match=r"no H\.264 video"):
        list(DecodedVideo(Source(garbage)))


def test_a_picture_too_large_to_be_one() -> None:
    """Parameter sets that ask for 16384 × 16384: nothing of that size is ever taken from memory."""
    decoder = Decoder()
    huge = Encoder(Size(16384, 16))
    unit = b"".join(packet.data for packet in huge.encode(np.zeros((16, 16384, 3), np.uint8), 0))
    assert decoder.decode(Packet(unit, 0.0, True)), "wide alone is no harm"
    import stepscope.core.device.adb.decoder as module

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIXEL_LIMIT", 16384 * 8)
        assert Decoder().decode(Packet(unit, 0.0, True)) == []


def test_the_end_of_the_source_reaches_who_iterates() -> None:
    with pytest.raises(DeviceLost, match="gone"):
        list(DecodedVideo(Source(packets(coded(SIZE)), DeviceLost("gone"))))


def test_closing_and_failing_from_another_thread() -> None:
    class Endless(Source):
        def packets(self) -> Iterator[Packet]:
            yield from packets(coded(SIZE))
            self.closed.wait(30)

    for end, wanted in ((lambda v: v.close(), None), (lambda v: v.fail(DeviceLost("silent")), DeviceLost)):
        source = Endless([])
        video = DecodedVideo(source)
        try:
            for _frame in video:
                threading.Thread(target=end, args=(video,)).start()
        except DeviceLost:
            assert wanted is DeviceLost
        assert source.closed.is_set()
