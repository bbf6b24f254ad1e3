from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.decode import decode, decode_draft
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.resampling import fitted, halved, sample


def written(path: Path, pixels: np.ndarray) -> Picture:
    cv2.imwrite(str(path), cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR) if pixels.shape[2] == 3 else pixels)
    return Picture(path, Size(pixels.shape[1], pixels.shape[0]))


def gradient(width: int, height: int) -> np.ndarray:
    across, down = np.meshgrid(np.linspace(0, 255, width), np.linspace(0, 255, height))
    return np.stack([across, down, np.full_like(across, 40)], axis=2).astype(np.uint8)


def test_pixels_come_as_red_green_blue_and_cannot_be_written(tmp_path: Path) -> None:
    pixels = decode(written(tmp_path / "a.png", gradient(60, 80)))
    assert pixels.shape == (80, 60, 3)
    assert pixels[0, 59].tolist() == [255, 0, 40]
    with pytest.raises(ValueError, match="read-only"):
        pixels[0, 0] = 1


def test_an_alpha_channel_is_left_out(tmp_path: Path) -> None:
    bgra = np.full((20, 30, 4), (10, 20, 30, 0), np.uint8)
    assert decode(written(tmp_path / "a.png", bgra))[5, 5].tolist() == [30, 20, 10]


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp"])
@pytest.mark.parametrize("limit", [Size(300, 300), Size(64, 999), Size(9999, 9999)])
def test_a_reduced_picture_fits_and_keeps_its_shape_and_colours(tmp_path: Path, name: str, limit: Size) -> None:
    full = gradient(540, 1200)
    pixels = decode(written(tmp_path / name, full), limit)
    assert Size(pixels.shape[1], pixels.shape[0]) == fitted(Size(540, 1200), limit)
    middle = pixels[pixels.shape[0] // 2, pixels.shape[1] // 2]
    assert middle.tolist() == pytest.approx([127, 127, 40], abs=6)


def test_a_draft_is_had_of_what_is_quicker_reduced(tmp_path: Path) -> None:
    full = gradient(540, 1200)
    draft = decode_draft(written(tmp_path / "a.jpg", full), 4)
    assert draft is not None and draft.shape == (300, 135, 3)
    assert draft[150, 67].tolist() == pytest.approx([127, 127, 40], abs=6)
    assert decode_draft(written(tmp_path / "a.png", full), 4) is None
    assert decode_draft(written(tmp_path / "a.webp", full), 4) is None
    (tmp_path / "a.jpg").write_bytes((tmp_path / "a.jpg").read_bytes()[:500])
    with pytest.raises(SourceError):
        decode_draft(Picture(tmp_path / "a.jpg", Size(540, 1200)), 4)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not there"):
        decode(Picture(tmp_path / "none.png", Size(1, 1)))


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp"])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.98])
def test_a_cut_file_is_an_error_not_a_half_grey_picture(tmp_path: Path, name: str, share: float) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (200, 100, 3), np.uint8)
    picture = written(tmp_path / name, noise)
    data = picture.path.read_bytes()
    picture.path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(SourceError):
        decode(picture)


def test_a_file_that_is_no_picture_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n")
    with pytest.raises(SourceError):
        decode(Picture(path, Size(1, 1)))


def test_a_very_tall_picture_is_decoded(tmp_path: Path) -> None:
    assert decode(written(tmp_path / "a.png", gradient(120, 10_000))).shape == (10_000, 120, 3)


def test_halving_averages_and_drops_an_odd_row() -> None:
    pixels = np.array([[[0], [100], [7]], [[100], [200], [7]], [[9], [9], [9]]], np.uint8).repeat(3, axis=2)
    assert halved(pixels)[:, :, 0].tolist() == [[100]]


def test_a_part_of_a_picture_is_where_it_was_asked_for() -> None:
    pixels = np.arange(100, dtype=np.uint8).reshape(10, 10)[:, :, None].repeat(4, axis=2)
    part = np.zeros((6, 6, 4), np.uint8)
    sample(np.ascontiguousarray(pixels), 2.0, 3.0, 0.5, part, nearest=True)
    assert part[:, :, 0].tolist() == np.kron([[32, 33, 34], [42, 43, 44], [52, 53, 54]], np.ones((2, 2))).tolist()


@pytest.mark.parametrize("own", [None, "/opt/qt/plugins"])
def test_opencv_leaves_the_variables_of_qt_as_they_were(own: str | None) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QT_QPA_")}
    if own is not None:
        environment["QT_QPA_PLATFORM_PLUGIN_PATH"] = own
    code = (
        "import os\n"
        "from stepscope.core.imaging.opencv import cv2\n"
        "cv2.resize\n"
        "print(os.environ.get('QT_QPA_PLATFORM_PLUGIN_PATH'), os.environ.get('QT_QPA_FONTDIR'))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(own), "None"]


def test_only_one_module_imports_opencv() -> None:
    root = Path(__file__).resolve().parents[3]
    folders = (root / name for name in ("app", "core", "widgets", "models"))
    users = [
        path.relative_to(root).as_posix()
        for folder in folders
        for path in folder.rglob("*.py")
        if any(line.strip().startswith(("import cv2", "from cv2")) for line in path.read_text("utf-8").splitlines())
    ]
    assert users == ["core/imaging/opencv.py"]
