"""What a picture file has beside its pixels costs nothing, and pixels cost what is allowed."""

from __future__ import annotations

import struct
import threading
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

from stepscope.core import limits
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging import decode as decoding
from stepscope.core.imaging.decode import decode, decode_bytes, decode_draft
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.probe import PictureInfo, probe_bytes
from stepscope.core.imaging.still import still

SIGNATURE = b"\x89PNG\r\n\x1a\n"
FOUR = zlib.compress(bytes(13 * 4))
"""The pixels of 4 × 4, red, green and blue."""


def chunk(name: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def header(width: int = 4, height: int = 4, depth: int = 8, colours: int = 2) -> bytes:
    return SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0))


def png(*between: bytes) -> bytes:
    return header() + b"".join(between) + chunk(b"IDAT", FOUR) + chunk(b"IEND")


def segment(code: int, data: bytes) -> bytes:
    return bytes([0xFF, code]) + struct.pack(">H", len(data) + 2) + data


def jpeg(scans: int, side: int = 64) -> bytes:
    """A grey progressive JPEG; every scan after the first says in few bytes that nothing changes."""
    start = segment(0xDB, b"\0" + bytes([1]) * 64) + segment(0xC2, struct.pack(">BHHB", 8, side, side, 1) + b"\1\x11\0")
    codes = segment(0xC4, b"\0\1" + bytes(15) + b"\0") + segment(0xC4, b"\x10\1" + bytes(15) + b"\xe0")
    blocks = (side // 8) ** 2
    first = segment(0xDA, b"\1\1\0\0\0\0") + bytes(blocks // 8)
    run = int("011111111111111" * -(-blocks // 32767) + "1", 2)
    coded = run.to_bytes((run.bit_length() + 8) // 8, "big").replace(b"\xff", b"\xff\0")
    return b"\xff\xd8" + start + codes + first + (segment(0xDA, b"\1\1\0\1\x3f\0") + coded) * (scans - 1) + b"\xff\xd9"


def webp(flags: int) -> bytes:
    done, data = cv2.imencode(".webp", np.zeros((4, 4, 3), np.uint8), [cv2.IMWRITE_WEBP_QUALITY, 101])
    assert done
    body = b"VP8X" + struct.pack("<I", 10) + bytes([flags, 0, 0, 0]) + b"\3\0\0\3\0\0" + data.tobytes()[12:]
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def test_texts_profiles_and_animations_never_reach_a_decoder() -> None:
    text = chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(7 << 20)))
    whole = png(chunk(b"acTL", struct.pack(">II", 2, 0)), chunk(b"fcTL", bytes(26)), text, chunk(b"eXIf", b"II*\0"))
    data, info = still(whole)
    assert data == png() and info.size == Size(4, 4)
    assert np.array_equal(decode_bytes(whole), np.zeros((4, 4, 3), np.uint8))


def test_thousand_packed_texts_take_no_time() -> None:
    text = chunk(b"iTXt", b"k\0\1\0\0\0" + zlib.compress(bytes(7 << 20)))
    whole, start = png(text * 200), time.process_time()
    decode_bytes(whole)
    assert time.process_time() - start < 1.0  # libpng unpacks each of them: 7 seconds


def test_a_chunk_longer_than_the_file_is_told_and_takes_no_memory() -> None:
    whole = header() + struct.pack(">I", 2**31 - 1) + b"tEXtxxxx" + chunk(b"IDAT", FOUR) + chunk(b"IEND")
    with pytest.raises(SourceError, match="cut short inside a chunk"):
        decode_bytes(whole)


def test_palette_and_transparency_stay() -> None:
    palette = header(2, 1, 8, 3) + chunk(b"PLTE", bytes([1, 2, 3, 4, 5, 6])) + chunk(b"tRNS", b"\0\xff")
    whole = palette + chunk(b"IDAT", zlib.compress(b"\0\0\1")) + chunk(b"IEND")
    assert still(whole)[0] is whole
    assert decode_bytes(whole).tolist() == [[[1, 2, 3], [4, 5, 6]]]


@pytest.mark.parametrize("colours", [1, 3, 4])
def test_pixels_are_the_same_as_with_all_chunks(colours: int) -> None:
    pixels = np.random.default_rng(colours).integers(0, 255, (31, 17, colours), dtype=np.uint8)
    done, data = cv2.imencode(".png", pixels)
    assert done
    whole = data.tobytes()
    gamma = whole[:33] + chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"sRGB", b"\0") + whole[33:]
    expected = cv2.imdecode(np.frombuffer(gamma, np.uint8), cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION)
    assert still(gamma)[0] == whole
    assert np.array_equal(decode_bytes(gamma), expected)


def test_a_jpeg_of_too_many_scans_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    allowed, over = jpeg(100), jpeg(101)
    assert decode_bytes(allowed).shape == (64, 64, 3)
    path = tmp_path / "a.jpg"
    path.write_bytes(over)
    for attempt in (lambda: decode_bytes(over), lambda: decode_draft(Picture(path, Size(64, 64)), 2)):
        with pytest.raises(SourceError, match="goes over its picture 101 times") as caught:
            attempt()
        assert "--limit-picture-scans 200" in caught.value.hint


def test_a_limit_that_a_person_raised_holds() -> None:
    limits.choose({"picture-scans": 101})
    try:
        assert decode_bytes(jpeg(101)).shape == (64, 64, 3)
    finally:
        limits.choose({})


def test_an_animated_webp_is_no_picture() -> None:
    assert probe_bytes(webp(0)).size == Size(4, 4)
    with pytest.raises(SourceError, match="an animation"):
        probe_bytes(webp(2))


def test_the_limit_of_pixels_is_one_that_a_person_can_raise() -> None:
    with pytest.raises(SourceError, match="more than the 100,000,000 allowed") as caught:
        probe_bytes(header(65535, 65535) + chunk(b"IEND"))
    assert "--limit-picture-pixels 200000000" in caught.value.hint


def test_large_pictures_are_decoded_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "_LARGE", 15)
    both, whole = threading.Barrier(2), decoding._decoded
    met = []

    def counted(data: bytes, info: PictureInfo, path: Path, divisor: int) -> np.ndarray:
        try:
            both.wait(0.1)
            met.append(path)
        except threading.BrokenBarrierError:
            pass
        return whole(data, info, path, divisor)

    monkeypatch.setattr(decoding, "_decoded", counted)
    threads = [threading.Thread(target=decode_bytes, args=(png(),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert met == []


def test_a_real_file_of_another_kind_than_its_ending_is_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.webp"
    path.write_bytes(png(chunk(b"tIME", bytes(7))))
    assert decode(Picture(path, Size(4, 4))).shape == (4, 4, 3)
