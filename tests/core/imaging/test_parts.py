"""Pictures that are parts of larger files decode to the same pixels as the file alone."""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from stepscope.core.archives import cells, gzip_access
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Cell, Drawing, Encoding, Picture, Slice
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.cache import PictureCache
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.parts import Pixels

SIZE = Size(90, 160)


@pytest.fixture(autouse=True)
def nothing_held_open() -> Iterator[None]:
    yield
    gzip_access.close_all()
    cells.close_all()


@pytest.fixture(scope="module")
def pixels() -> Pixels:
    return np.random.default_rng(1).integers(0, 256, (160, 90, 3), dtype=np.uint8)


@pytest.fixture(scope="module")
def png(pixels: Pixels) -> bytes:
    return cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))[1].tobytes()


Place = Callable[..., Picture]


@pytest.fixture(params=[False, True], ids=["plain", "gzip"])
def placed(tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    """Puts bytes into the middle of a file and says where."""

    def place(data: bytes, encoding: Encoding, size: Size = SIZE, length: int | None = None) -> Picture:
        before = os.urandom(5_000)
        whole = before + data + os.urandom(3_000)
        path = tmp_path / "shard"
        path.write_bytes(gzip.compress(whole) if request.param else whole)
        part = Slice(len(before), len(data) if length is None else length, request.param, encoding)
        return Picture(path, size, part)

    return place


def test_a_picture_file_inside_a_file(placed: Place, png: bytes, pixels: Pixels) -> None:
    found = decode(placed(png, Encoding.FILE))
    assert np.array_equal(found, pixels)
    assert not found.flags.writeable


def test_raw_pixels_inside_a_file(placed: Place, pixels: Pixels) -> None:
    found = decode(placed(pixels.tobytes(), Encoding.RGB))
    assert np.array_equal(found, pixels)
    assert not found.flags.writeable


@pytest.mark.parametrize("form", ["plain", "data URL", "escaped"])
def test_a_picture_in_base64(placed: Place, png: bytes, pixels: Pixels, form: str) -> None:
    text = base64.b64encode(png).decode()
    if form == "data URL":
        text = "data:image/png;base64," + text
    elif form == "escaped":
        text = json.dumps(text)[1:-1].replace("/", "\\/")
    assert np.array_equal(decode(placed(text.encode(), Encoding.BASE64)), pixels)


@pytest.mark.parametrize("encoding", [Encoding.FILE, Encoding.RGB])
def test_a_part_is_reduced_as_a_file_is(placed: Place, png: bytes, pixels: Pixels, encoding: Encoding) -> None:
    data = png if encoding is Encoding.FILE else pixels.tobytes()
    found = decode(placed(data, encoding), Size(40, 40))
    assert found.shape == (40, 22, 3)
    assert found.mean() == pytest.approx(pixels.mean(), abs=1.5)


@pytest.mark.parametrize("wrong", [-1, 1, -90 * 160 * 3])
def test_raw_pixels_of_another_length_are_refused(placed: Place, pixels: Pixels, wrong: int) -> None:
    with pytest.raises(SourceError, match="not the 43200 of 90 × 160 pixels") as told:
        decode(placed(pixels.tobytes(), Encoding.RGB, length=43_200 + wrong))
    assert told.value.field == "screenshot"


def test_raw_pixels_beyond_the_limit_are_refused(placed: Place) -> None:
    size = Size(20_000, 6_000)
    with pytest.raises(SourceError, match="more than the 100,000,000"):
        decode(placed(b"", Encoding.RGB, size, 20_000 * 6_000 * 3))


@pytest.mark.parametrize("data", [b"", b"not a picture", b"version https://git-lfs.github.com/spec/v1"])
@pytest.mark.parametrize("encoding", [Encoding.FILE, Encoding.BASE64])
def test_a_part_that_is_no_picture_is_told(placed: Place, data: bytes, encoding: Encoding) -> None:
    with pytest.raises(SourceError):
        decode(placed(data, encoding))


def test_a_part_beyond_the_end_is_told(placed: Place, png: bytes) -> None:
    with pytest.raises(SourceError) as told:
        decode(placed(png, Encoding.FILE, length=50_000_000))
    assert told.value.field == "screenshot"


def test_a_picture_in_a_table(tmp_path: Path, png: bytes, pixels: Pixels) -> None:
    kind = pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])
    rows = [{"bytes": b"other", "path": "a"}, {"bytes": png, "path": "b"}, None]
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"screenshot": pyarrow.array(rows, kind)}), path)
    assert np.array_equal(decode(Picture(path, SIZE, Cell(0, 1, "screenshot.bytes"))), pixels)
    for row, message in ((0, "not a PNG"), (2, "no picture in this row"), (3, "no row 3")):
        with pytest.raises(SourceError, match=message):
            decode(Picture(path, SIZE, Cell(0, row, "screenshot.bytes")))


def drawing(key: str, size: Size) -> Picture:
    tree = UITree((UIElement(0, Box(10, 10, 60, 40, size), text="OK", clickable=True),), TreeOrigin.DETECTOR, size)
    return Picture(Path("drawing"), size, Drawing(key, tree))


def test_a_drawing_is_drawn_in_the_size_that_is_asked_for() -> None:
    assert decode(drawing("a", Size(160, 210))).shape == (210, 160, 3)
    assert decode(drawing("a", Size(1440, 2560)), Size(300, 300)).shape == (300, 169, 3)
    with pytest.raises(SourceError, match="more than the 100,000,000"):
        decode(drawing("a", Size(20_000, 6_000)))


def test_the_cache_keeps_parts_apart_and_forgets_them_by_file(tmp_path: Path) -> None:
    asked: list[Picture] = []

    def count(picture: Picture, _size: Size | None) -> Pixels:
        asked.append(picture)
        return np.zeros((2, 2, 3), np.uint8)

    path, cache = tmp_path / "shard", PictureCache(count, 10_000)
    pictures = [
        Picture(path, SIZE, Slice(0, 10)),
        Picture(path, SIZE, Slice(10, 10)),
        Picture(path, SIZE, Cell(0, 1, "a")),
        Picture(path, SIZE),
        drawing("one", SIZE),
        drawing("two", SIZE),
        drawing("two", Size(50, 50)),
    ]
    for _ in range(2):
        for picture in pictures:
            cache.get(picture)
    assert asked == pictures
    cache.get(drawing("one", SIZE))  # another tree object of the same key
    assert len(asked) == 7
    cache.forget(path)
    assert cache.peek(pictures[1]) is None
    assert cache.peek(pictures[4]) is not None
    assert cache.statistics.pictures == 3


@given(
    data=st.binary(max_size=300),
    offset=st.integers(-5, 2**64),
    length=st.integers(-5, 400),
    encoding=st.sampled_from(Encoding),
    zipped=st.booleans(),
)
def test_any_slice_gives_pixels_or_a_source_error(
    tmp_path: Path, data: bytes, offset: int, length: int, encoding: Encoding, zipped: bool
) -> None:
    path = tmp_path / "slice"
    path.write_bytes(gzip.compress(data) if zipped else data)
    try:
        decode(Picture(path, Size(3, 4), Slice(offset % (len(data) + 9), length, zipped, encoding)))
        decode(Picture(path, Size(3, 4), Slice(offset, length, zipped, encoding)))
    except SourceError:
        return
    finally:
        gzip_access.close_all()
