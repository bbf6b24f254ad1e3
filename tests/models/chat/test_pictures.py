"""Actions drawn as the paper draws them, and pages cut around the element."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.action import Action, Scroll, Tap, Target
from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.probe import probe_bytes
from stepscope.models.chat.pictures import marked_part, marked_screen, picture_url


@pytest.fixture
def grey(tmp_path: Path):  # type: ignore[no-untyped-def]
    def made(width: int, height: int) -> Observation:
        file = tmp_path / f"{width}x{height}.png"
        file.write_bytes(encode_png(np.full((height, width, 3), 128, np.uint8)))
        return Observation(Size(width, height), Picture(file, Size(width, height)))

    return made


def coloured(pixels: np.ndarray, colour: tuple[int, int, int]) -> tuple[int, int, int, int]:  # type: ignore[type-arg]
    """Left, top, right, bottom of what is of this colour."""
    rows, columns = np.nonzero((pixels == np.array(colour, np.uint8)).all(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


BLUE, RED = (0, 80, 255), (255, 0, 0)


def test_a_tap_is_a_blue_plus(grey) -> None:  # type: ignore[no-untyped-def]
    size = Size(412, 800)
    pixels = marked_screen(grey(412, 800), Tap(Point(100, 300, size)), Platform.ANDROID)
    left, top, right, bottom = coloured(pixels, BLUE)
    assert (left + right) / 2 == pytest.approx(100, abs=1) and (top + bottom) / 2 == pytest.approx(300, abs=1)
    assert right - left == pytest.approx(30, abs=4) and bottom - top == pytest.approx(30, abs=4)
    assert tuple(pixels[310, 110]) == (128, 128, 128)  # a plus, no box


def test_a_scroll_is_an_arrow_along_its_way(grey) -> None:  # type: ignore[no-untyped-def]
    pixels = marked_screen(grey(412, 800), Scroll(Direction.DOWN), Platform.ANDROID)
    left, top, right, bottom = coloured(pixels, BLUE)
    assert bottom - top > 150 and right - left < 40
    assert (left + right) / 2 == pytest.approx(206, abs=2)


def test_on_the_web_the_element_has_a_red_box_and_the_page_is_cut_around_it(grey) -> None:  # type: ignore[no-untyped-def]
    size = Size(600, 5000)
    action: Action = Tap(Point(150, 4020, size), Target(Box(100, 4000, 200, 4040, size), "Buy", None))
    pixels = marked_screen(grey(600, 5000), action, Platform.WEB)
    assert pixels.shape == (600, 600, 3)
    left, top, right, bottom = coloured(pixels, RED)
    assert (top + bottom) / 2 == pytest.approx(300, abs=2)
    assert (left, right) == (pytest.approx(98, abs=3), pytest.approx(202, abs=3))
    part = marked_part(grey(600, 5000), action, Platform.WEB)
    assert part is not None and (part.top, part.size) == (4020 - 300, size), "where on the page it lies"


def test_a_page_without_an_element_is_its_beginning_and_a_short_one_stays(grey) -> None:  # type: ignore[no-untyped-def]
    assert marked_screen(grey(600, 5000), None, Platform.WEB).shape == (600, 600, 3)
    assert marked_screen(grey(600, 300), None, Platform.WEB).shape == (300, 600, 3)
    assert marked_screen(Observation(Size(10, 10)), None, Platform.WEB) is None


def test_what_is_sent_is_a_jpeg_of_a_bounded_size(grey) -> None:  # type: ignore[no-untyped-def]
    url = picture_url(grey(1080, 2400), None, Platform.ANDROID)
    head, _, data = url.partition(",")
    assert head == "data:image/jpeg;base64"
    assert probe_bytes(base64.b64decode(data), "picture").size == Size(461, 1024)
