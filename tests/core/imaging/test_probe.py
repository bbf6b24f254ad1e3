"""A picture's size and wholeness are read from the file's own structure."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging import probe
from stepscope.core.imaging.probe import PictureInfo, probe_bytes, probe_picture

NOISE = np.random.default_rng(7).integers(0, 255, (37, 53, 3), dtype=np.uint8)
KINDS = {".png": "png", ".jpg": "jpeg", ".webp": "webp"}


def encoded(suffix: str, *options: int) -> bytes:
    done, data = cv2.imencode(suffix, NOISE, list(options))
    assert done
    return data.tobytes()


@pytest.mark.parametrize("suffix", KINDS)
def test_size_and_kind_come_from_the_header(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "any name"
    path.write_bytes(encoded(suffix))
    assert probe_picture(path) == PictureInfo(Size(53, 37), KINDS[suffix])


def test_lossy_webp_and_progressive_jpeg() -> None:
    assert probe_bytes(encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 60)).size == Size(53, 37)
    assert probe_bytes(encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 101)).size == Size(53, 37)
    assert probe_bytes(encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1)).size == Size(53, 37)


def test_extended_webp() -> None:
    body = b"VP8X" + struct.pack("<I", 10) + bytes(4) + (799).to_bytes(3, "little") + (599).to_bytes(3, "little")
    assert probe_bytes(b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body).size == Size(800, 600)


@pytest.mark.parametrize("suffix", KINDS)
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.98])
def test_a_picture_cut_short_is_refused(suffix: str, kept: float) -> None:
    data = encoded(suffix)
    with pytest.raises(SourceError, match="cut short"):
        probe_bytes(data[: int(len(data) * kept)])


@pytest.mark.parametrize("suffix", KINDS)
def test_bytes_after_the_end_do_no_harm(suffix: str) -> None:
    assert probe_bytes(encoded(suffix) + b"\0" * 70_000 + b"trailer").size == Size(53, 37)


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_picture() -> None:
    data = encoded(".jpg")
    thumbnail = b"\xff\xe1" + struct.pack(">H", 2 + len(data)) + data
    whole = data[:2] + thumbnail + data[2:]
    assert probe_bytes(whole).size == Size(53, 37)
    with pytest.raises(SourceError, match="end marker is missing"):
        probe_bytes(whole[:-40])


def test_a_git_lfs_pointer_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "0.png"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1234\n")
    with pytest.raises(SourceError, match="only its git-lfs pointer") as caught:
        probe_picture(path)
    assert "git lfs pull" in caught.value.hint
    assert caught.value.place == str(path)


def test_pictures_beyond_the_pixel_limit_are_refused() -> None:
    def png(width: int, height: int) -> bytes:
        header = struct.pack(">I4sIIBBBBBI", 13, b"IHDR", width, height, 8, 2, 0, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + header + probe._PNG_END

    assert probe_bytes(png(10_000, 10_000)).size == Size(10_000, 10_000)
    with pytest.raises(SourceError, match="10001 × 10000 pixels"):
        probe_bytes(png(10_001, 10_000))
    with pytest.raises(SourceError, match="no size"):
        probe_bytes(png(0, 5))


@pytest.mark.parametrize(("data", "message"), [(b"", "empty"), (b"GIF89a, no", "not a PNG, JPEG or WebP")])
def test_other_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        probe_bytes(data)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.png", tmp_path):
        with pytest.raises(SourceError, match="not there"):
            probe_picture(path)


@given(
    start=st.sampled_from(
        [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF\x10\0\0\0WEBPVP8X", b"RIFF\0\0\0\0WEBPVP8L"]
    ),
    rest=st.binary(max_size=200),
)
def test_no_bytes_raise_anything_but_a_source_error(start: bytes, rest: bytes) -> None:
    with contextlib.suppress(SourceError):
        probe_bytes(start + rest)
