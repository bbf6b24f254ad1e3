"""Regions out of a detector's file, in both published layouts, and files that are none."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError
from stepscope.models.encoders.encoder import EncoderKind
from stepscope.models.encoders.families import recognised
from stepscope.models.features.region_file import RegionFile

BOXES = [[0, 0, 50, 100], [25, 50, 100, 200]]
FEATURES = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def packed(numbers: object) -> str:
    return base64.b64encode(np.asarray(numbers, "<f4").tobytes()).decode()


def bottom_up(name: str = "a", count: int = 2, boxes: object = BOXES, features: object = FEATURES) -> str:
    return "\t".join((name, "100", "200", str(count), packed(boxes), packed(features)))


def lxmert(name: str = "b") -> str:
    four = [packed([0, 0])] * 4
    return "\t".join((name, "200", "100", *four, "2", packed(BOXES), packed(FEATURES)))


def picture(name: str) -> Picture:
    return Picture(Path("screens") / name, Size(100, 200))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "regions.tsv"
    path.write_text(f"{bottom_up()}\n\n{lxmert()}\n")
    return path


def test_both_layouts_by_hand(file: Path) -> None:
    found = RegionFile(file)
    assert len(found) == 2 and found.size == 3 + 6
    for name in ("a.png", "b.jpg"):
        numbers = found.of(picture(name))
        assert numbers is not None and numbers.astype(float).tolist() == [
            [1, 2, 3, 0, 0, 0.5, 0.5, 0.5, 0.5],
            [4, 5, 6, 0.25, 0.25, 1, 1, 0.75, 0.75],
        ]
    assert found.of(picture("c.png")) is None


def test_it_is_known_among_weights(file: Path) -> None:
    known = recognised(file)
    assert known is not None and known[0].kind is EncoderKind.REGIONS and known[1].size == 9


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a\t1\t2", "line 2 has 3 columns, not 6 or 10"),
        (bottom_up("a"), "id 'a' stands there twice"),
        (bottom_up("", 2), "id is empty"),
        (bottom_up("z").replace("100", "-1", 1), "width '-1' is no whole number"),
        (bottom_up("z").replace("100", "0", 1), "size is nothing"),
    ],
)
def test_lines_that_are_none_are_named(file: Path, line: str, told: str) -> None:
    file.write_text(f"{bottom_up()}\n{line}\n")
    with pytest.raises(UserError, match=told) as error:
        RegionFile(file)
    assert str(file) in str(error.value)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (bottom_up("z", 3), "boxes has 8 numbers, 3 regions want 12"),
        (bottom_up("z", 2, BOXES, [1, 2, 3]), "features has 3 numbers for 2 regions"),
        (bottom_up("z", 2, BOXES, [[1, 2], [3, 4]]), "regions of 2 numbers, the first picture's have 3"),
        (bottom_up("z", 2, BOXES, [[1, 2, np.nan], [3, 4, 5]]), "features has something that is no number"),
        (bottom_up("z") + "!", "features is no base64"),
        (bottom_up("z", 2, BOXES, FEATURES)[:-4], "features has 22 bytes|features has 23 bytes|features has 21 bytes"),
    ],
)
def test_a_broken_line_is_told_where_it_is_read(file: Path, line: str, told: str) -> None:
    file.write_text(f"{bottom_up()}\n{line}\n")
    with pytest.raises(UserError, match=told) as error:
        RegionFile(file).of(picture("z.png"))
    assert "line 2" in str(error.value)


def test_files_without_regions_are_none(tmp_path: Path) -> None:
    empty = tmp_path / "empty.tsv"
    empty.write_text("")
    with pytest.raises(UserError, match="has no region"):
        RegionFile(empty)
    with pytest.raises(UserError, match="cannot be read"):
        RegionFile(tmp_path / "gone.tsv")
    assert recognised(empty) is None


@given(st.binary(max_size=200))
def test_whatever_stands_there_it_is_a_file_or_a_message(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "any.tsv"
    path.write_bytes(raw)
    try:
        RegionFile(path)
    except UserError as error:
        assert str(path) in str(error)
    recognised(path)
