"""The quick decoders give OpenCV's pixels or leave the file to it, whatever the file says."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
import simplejpeg
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging import decode as decoding
from stepscope.core.imaging import quick_decoders
from stepscope.core.imaging.cache import PictureCache
from stepscope.core.imaging.decode import decode_bytes
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.probe import PictureInfo, probe_bytes
from stepscope.core.imaging.quick_decoders import quick_pixels
from stepscope.core.imaging.still import still

SIGNATURE = b"\x89PNG\r\n\x1a\n"
WIDTH, HEIGHT = 61, 47


def noise(channels: int, kind: type[np.generic] = np.uint8) -> np.ndarray:
    most = np.iinfo(kind).max  # type: ignore[type-var]
    return np.random.default_rng(channels).integers(0, most, (HEIGHT, WIDTH, channels), kind, endpoint=True)


def coded(ending: str, pixels: np.ndarray, *options: int) -> bytes:
    done, data = cv2.imencode(ending, pixels, options)
    assert done
    return bytes(data)


def chunk(name: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(rows: bytes, colours: int = 2, *between: bytes, depth: int = 8, interlaced: int = 0) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, colours, 0, 0, interlaced))
    return SIGNATURE + header + b"".join(between) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND")


def filtered(colours: int) -> bytes:
    """Random rows, each of another of the five filters (PNG specification, 9.2)."""
    length = WIDTH * (3 if colours == 2 else 4)
    random = np.random.default_rng(colours)
    return b"".join(bytes([row % 5]) + random.integers(0, 255, length, np.uint8).tobytes() for row in range(HEIGHT))


def by_opencv(data: bytes) -> np.ndarray | None:
    flag = cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
    return cv2.imdecode(np.frombuffer(data, np.uint8), flag)


def quickly(data: bytes) -> np.ndarray | None:
    return quick_pixels(*still(data))


def marked_as_turned(jpeg: bytes) -> bytes:
    """With an orientation tag (EXIF 0x0112) that says it lies on its side."""
    tag = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(tag) + 2) + tag + jpeg[2:]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(png(filtered(2)), id="rgb"),
        pytest.param(png(filtered(6), 6), id="rgba"),
        pytest.param(png(filtered(2), 2, chunk(b"tRNS", bytes(6))), id="one transparent colour"),
        pytest.param(png(filtered(2) + b"more"), id="more than its rows"),
        *(
            pytest.param(coded(".jpg", noise(3), cv2.IMWRITE_JPEG_QUALITY, by), id=f"quality {by}")
            for by in (20, 75, 97)
        ),
        *(
            pytest.param(coded(".jpg", noise(3), cv2.IMWRITE_JPEG_SAMPLING_FACTOR, factor), id=f"sampled {factor:x}")
            for factor in (0x411111, 0x221111, 0x211111, 0x121111, 0x111111)
        ),
        pytest.param(coded(".jpg", noise(3), cv2.IMWRITE_JPEG_PROGRESSIVE, 1), id="progressive"),
        pytest.param(coded(".jpg", noise(3), cv2.IMWRITE_JPEG_RST_INTERVAL, 2), id="restarted"),
        pytest.param(coded(".jpg", noise(1)), id="grey jpeg"),
        pytest.param(marked_as_turned(coded(".jpg", noise(3))), id="turned"),
    ],
)
def test_the_pixels_are_those_of_opencv(data: bytes) -> None:
    pixels = quickly(data)
    assert pixels is not None and pixels.dtype == np.uint8 and pixels.flags.c_contiguous
    assert np.array_equal(pixels, by_opencv(data))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(coded(".png", noise(1)), id="grey"),
        pytest.param(coded(".png", noise(3, np.uint16)), id="16 bit"),
        pytest.param(coded(".webp", noise(3)), id="webp"),
        pytest.param(
            png(b"".join(b"\0" + bytes(WIDTH) for _ in range(HEIGHT)), 3, chunk(b"PLTE", b"\1\2\3")), id="palette"
        ),
    ],
)
def test_other_kinds_are_left_to_opencv(data: bytes) -> None:
    assert quickly(data) is None
    assert np.array_equal(decode_bytes(data), by_opencv(data))


@pytest.mark.parametrize("ending", [".png", ".jpg"])
@pytest.mark.parametrize("missing", ["_png_decoder", "_simplejpeg"])
def test_without_a_library_opencv_decodes(ending: str, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = coded(ending, noise(3))
    monkeypatch.setattr(quick_decoders, missing, lambda: None)
    assert (quickly(data) is None) is ((ending == ".png") is (missing == "_png_decoder"))
    assert np.array_equal(decode_bytes(data), by_opencv(data))


@pytest.mark.parametrize("divisor", [2, 4, 8])
def test_a_reduced_png_is_what_opencv_makes_of_it(divisor: int) -> None:
    data = coded(".png", noise(3)[:40, :48])
    flag = getattr(cv2, f"IMREAD_REDUCED_COLOR_{divisor}")
    reduced = cv2.cvtColor(cv2.imdecode(np.frombuffer(data, np.uint8), flag), cv2.COLOR_BGR2RGB)
    assert np.array_equal(decode_bytes(data, Size(48 // divisor, 40 // divisor)), reduced)


def test_a_large_png_does_not_lock_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_decoders, "MOST_LOCKED", WIDTH * HEIGHT - 1)
    assert quickly(png(filtered(2))) is None


def test_a_cmyk_jpeg_is_left_to_opencv() -> None:
    data = simplejpeg.encode_jpeg(noise(4), 90, "CMYK", "444")
    assert quickly(data) is None
    assert np.array_equal(decode_bytes(data), by_opencv(data))


def test_rows_that_are_missing_are_not_made_up() -> None:
    short = png(filtered(2)[:-1])
    assert quickly(short) is None
    with pytest.raises(SourceError, match="damaged"):
        decode_bytes(short)


def test_a_sum_that_does_not_hold_is_told() -> None:
    data = bytearray(png(filtered(2)))
    data[60] ^= 1
    assert quickly(bytes(data)) is None
    with pytest.raises(SourceError, match="damaged"):
        decode_bytes(bytes(data))


def mended(data: bytes) -> bytes:
    """With right sums behind every chunk, so that what was changed inside reaches the decoder."""
    start, parts = len(SIGNATURE), [data[: len(SIGNATURE)]]
    while start + 12 <= len(data):
        end = start + 12 + int.from_bytes(data[start : start + 4], "big")
        if end > len(data):
            break
        parts.append(chunk(data[start + 4 : start + 8], data[start + 8 : end - 4]))
        start = end
    return b"".join([*parts, data[start:]])


SOUND = (
    png(filtered(2)),
    png(filtered(6), 6),
    coded(".jpg", noise(3)),
    coded(".jpg", noise(3), cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    coded(".jpg", noise(1), cv2.IMWRITE_JPEG_RST_INTERVAL, 2),
)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(SOUND),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255), st.booleans()), max_size=4),
    st.floats(0.02, 1),
    st.booleans(),
)
def test_damaged_files_are_opencvs_or_have_its_pixels(
    sound: bytes, changes: list[tuple[float, int, bool]], kept: float, whole: bool
) -> None:
    data = bytearray(sound)
    for where, value, in_header in changes:
        data[int(where * (min(len(data), 120) if in_header else len(data) - 1))] = value
    damaged = bytes(data) if whole else bytes(data[: int(kept * len(data))])
    damaged = mended(damaged) if damaged.startswith(SIGNATURE) else damaged
    try:
        if probe_bytes(damaged).size.width * probe_bytes(damaged).size.height > 1_000_000:
            return  # OpenCV would take its time for each
        pixels = quickly(damaged)
    except SourceError:
        return
    if pixels is not None and (expected := by_opencv(damaged)) is not None:
        assert np.array_equal(pixels, expected)


@settings(max_examples=30, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["png", "jpeg"]))
def test_bytes_at_random_harm_nobody(data: bytes, kind: str) -> None:
    """Behind a sound header, so that they reach the decoder."""
    if kind == "png":
        whole = SIGNATURE + png(b"")[8:33] + chunk(b"IDAT", data) + chunk(b"IEND")
    else:
        sound = SOUND[2]
        whole = sound[: sound.index(b"\xff\xda") + 14] + data + b"\xff\xd9"
    try:
        pixels = quickly(whole)
    except SourceError:
        return
    assert pixels is None or pixels.shape == (HEIGHT, WIDTH, 3)


def test_a_png_that_nobody_waits_for_is_left_to_a_decoder_that_lets_the_window_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def noting(data: bytes, info: PictureInfo) -> Pixels | None:
        asked.append(info.kind)
        return quick_pixels(data, info)

    monkeypatch.setattr(decoding, "quick_pixels", noting)
    pictures = []
    for name in ("beside.png", "waited.png", "hurried.png", "beside.jpg"):
        path = tmp_path / name
        path.write_bytes(coded(path.suffix, noise(3)))
        pictures.append(Picture(path, Size(WIDTH, HEIGHT)))
    cache: PictureCache[Pixels] = PictureCache(decoding.decode)
    beside = cache.fetch(pictures[0])
    assert asked == []
    waited = cache.get(pictures[1])
    hurried = cache.fetch(pictures[2], hurried=True)
    assert asked == ["png", "png"]
    assert (beside == waited).all() and (beside == hurried).all()
    cache.fetch(pictures[3])
    assert asked == ["png", "png", "jpeg"]
