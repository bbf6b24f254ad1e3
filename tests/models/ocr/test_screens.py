"""Reading screens: what is kept, what is read, what goes wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UnavailableError
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.parts import Pixels
from stepscope.core.progress import CancelToken
from stepscope.models.ocr.lines import TextLine
from stepscope.models.ocr.reader import TextReader
from stepscope.models.ocr.screens import kept_screen, read_screens
from stepscope.models.ocr.text_cache import TextCache

SIZE = Size(40, 60)


class ShadeReader:
    """Says of a picture how dark it is, and counts what it was asked."""

    asked = 0

    def read(self, pixels: Pixels) -> tuple[TextLine, ...]:
        ShadeReader.asked += 1
        return (TextLine(f"shade {pixels[0, 0, 0]}", (1, 2, 30, 20), 0.75),)


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    ShadeReader.asked = 0
    monkeypatch.setattr("stepscope.models.ocr.screens.TextReader", ShadeReader)


@pytest.fixture
def kept(tmp_path: Path) -> TextCache:
    return TextCache(tmp_path / "texts")


def shaded(shade: int) -> Pixels:
    return np.full((60, 40, 3), shade, np.uint8)


def picture(folder: Path, shade: int, name: str = "") -> Picture:
    file = folder / f"{name or shade}.png"
    file.write_bytes(encode_png(shaded(shade)))
    return Picture(file, SIZE)


def words(tree: UITree | SourceError) -> list[str]:
    assert isinstance(tree, UITree)
    return [element.text for element in tree]


def test_each_picture_is_read_once_whatever_it_is_called(tmp_path: Path, kept: TextCache) -> None:
    pictures = [picture(tmp_path, 10), picture(tmp_path, 20), picture(tmp_path, 10, "again")]
    found = list(read_screens(pictures, CancelToken(), kept))
    assert [words(tree) for _, tree in found] == [["shade 10"], ["shade 20"], ["shade 10"]]
    assert [one for one, _ in found] == pictures
    assert ShadeReader.asked == 2
    assert words(kept_screen(shaded(20), kept) or SourceError("not kept")) == ["shade 20"]
    assert kept_screen(shaded(30), kept) is None


def test_a_picture_with_transparency_is_the_same_as_one_without(tmp_path: Path, kept: TextCache) -> None:
    list(read_screens([picture(tmp_path, 10)], CancelToken(), kept))
    opaque = np.full((60, 40, 1), 255, np.uint8)
    assert kept_screen(np.concatenate([shaded(10), opaque], axis=2), kept) is not None


def test_a_broken_picture_is_named_and_the_rest_is_read(tmp_path: Path, kept: TextCache) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\nno more")
    found = list(read_screens([Picture(broken, SIZE), picture(tmp_path, 10)], CancelToken(), kept))
    assert isinstance(found[0][1], SourceError) and "broken.png" in str(found[0][1])
    assert words(found[1][1]) == ["shade 10"]


def test_cancelling_ends_after_the_screen_in_hand(tmp_path: Path, kept: TextCache) -> None:
    token = CancelToken()
    found = []
    for answer in read_screens([picture(tmp_path, shade) for shade in (10, 20, 30)], token, kept):
        found.append(answer)
        token.cancel()
    assert len(found) == 1 and ShadeReader.asked == 1


def test_a_damaged_file_is_read_anew(tmp_path: Path, kept: TextCache) -> None:
    kept.put(shaded(10), [TextLine("kept", (0, 0, 9, 9), 1.0)])
    (file,) = (tmp_path / "texts").rglob("*.json")
    for damage in ("", "{", "[]", '{"lines": [["a", [1, 2], 3]]}'):
        file.write_text(damage, "utf-8")
        assert kept.get(shaded(10)) is None


def test_a_folder_that_cannot_be_written_costs_only_the_keeping(tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("a file in the folder's place", "utf-8")
    kept = TextCache(tmp_path / "texts")
    kept.put(shaded(10), [])
    assert kept.get(shaded(10)) is None


def test_without_the_package_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepscope.models.ocr.reader.find_spec", lambda _name: None)
    with pytest.raises(UnavailableError) as told:
        TextReader()
    assert str(told.value) == "Reading text needs rapidocr. Install it: pip install 'stepscope[ocr]'."
