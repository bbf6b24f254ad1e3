"""Screens with one, one and a half and two device pixels for a logical one: pictures are as sharp as they can be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import PointMark, TreeMark
from stepscope.widgets.screen import ScreenContent, ScreenPicture, ScreenView
from stepscope.widgets.screen.picture import memory_of

SIZE = Size(600, 900)
NOISE = np.random.default_rng(5).integers(0, 255, (SIZE.height, SIZE.width, 3), np.uint8)
RATIOS = (1.0, 1.5, 2.0)
Pixels = NDArray[np.uint8]
See = Callable[[ScreenView], Pixels]


@pytest.fixture(params=RATIOS)
def ratio(request: pytest.FixtureRequest) -> float:
    return float(request.param)


@pytest.fixture
def view(qtbot: QtBot, themed: object, ratio: float, monkeypatch: pytest.MonkeyPatch) -> ScreenView:
    """A view of 500 × 400 logical pixels on such a screen."""
    shown = ScreenView()
    qtbot.addWidget(shown)
    monkeypatch.setattr(shown, "devicePixelRatioF", lambda: ratio)
    shown.resize(500, 400)
    shown.show()
    qtbot.waitExposed(shown)
    shown._resized()
    shown.show_step(ScreenContent(SIZE, ScreenPicture.from_pixels(NOISE)))
    return shown


@pytest.fixture
def see(ratio: float) -> See:
    """The view's device pixels, height × width × red, green, blue."""

    def render(view: ScreenView) -> Pixels:
        image = QImage(round(500 * ratio), round(400 * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        view.render(image)
        return memory_of(image)[:, :, 2::-1].copy()

    return render


def test_at_100_percent_every_device_pixel_is_a_pixel_of_the_picture(view: ScreenView, see: See, ratio: float) -> None:
    view.actual_size()
    left, top = round(view.viewport.left * ratio), round(view.viewport.top * ratio)
    seen = see(view)
    x, y = max(left, 0), max(top, 0)
    height, width = seen.shape[0] - y - 1, min(seen.shape[1] - x, SIZE.width - (x - left))
    height = min(height, SIZE.height - (y - top))
    assert width > 400 and height > 300
    # the small map lies at the right
    shown = seen[y : y + height, x : x + 300]
    assert np.array_equal(shown, NOISE[y - top : y - top + height, x - left : x - left + 300])


def test_above_300_percent_pixels_are_squares(view: ScreenView, see: See, ratio: float) -> None:
    view.follow(view.viewport.actual_size(250, 200).zoomed(4, 250, 200))
    assert view.viewport.percent == pytest.approx(400)
    left, top = round(view.viewport.left * ratio), round(view.viewport.top * ratio)
    seen = see(view)
    row, column = (100 - top) // 4, (100 - left) // 4
    squares = NOISE[row : row + 30, column : column + 40].repeat(4, 0).repeat(4, 1)
    y, x = row * 4 + top, column * 4 + left
    assert np.array_equal(seen[y : y + 120, x : x + 160], squares)


def test_below_100_percent_pixels_are_averaged(view: ScreenView, see: See) -> None:
    stripes = np.zeros((SIZE.height, SIZE.width, 3), np.uint8)
    stripes[:, ::2] = 255
    view.show_step(ScreenContent(SIZE, ScreenPicture.from_pixels(stripes)))
    view.follow(view.viewport.actual_size(250, 200).zoomed(0.25, 250, 200))
    seen = see(view)
    middle = seen[seen.shape[0] // 2, seen.shape[1] // 2 - 20 : seen.shape[1] // 2 + 20, 0]
    assert middle.min() > 100 and middle.max() < 155


def test_between_one_sees_neither_squares_nor_jumps(view: ScreenView, see: See) -> None:
    ramp = np.repeat(np.arange(SIZE.width)[None, :] * 255 // SIZE.width, SIZE.height, 0)
    pixels = np.dstack([ramp.astype(np.uint8)] * 3)
    view.show_step(ScreenContent(SIZE, ScreenPicture.from_pixels(pixels)))
    view.follow(view.viewport.actual_size(250, 200).zoomed(2.5, 250, 200))
    seen = see(view)
    steps = np.diff(seen[seen.shape[0] // 2, 20:300, 0].astype(int))
    assert steps.min() >= 0 and steps.max() <= 1


def test_marks_and_boxes_lie_where_they_are(view: ScreenView, see: See, ratio: float) -> None:
    white = ScreenPicture.from_pixels(np.full((SIZE.height, SIZE.width, 3), 250, np.uint8))
    place, box = Point(200.5, 300.5, SIZE), Box(300, 380, 360, 460, SIZE)
    view.show_step(ScreenContent(SIZE, white, (TreeMark((box,)), PointMark(Layer.REFERENCE, place))))
    view.actual_size()
    view.follow(view.viewport.panned(0, -10))
    seen = see(view)
    x, y = view.viewport.to_view(place)
    assert tuple(seen[int(y * ratio), int(x * ratio)]) == (0x4C, 0xC9, 0xFF)
    left, top = round(view.viewport.rect_of(box).left * ratio), round(view.viewport.rect_of(box).top * ratio)
    inside = seen[top + 20, left - 3 : left + 6, 0].astype(int)
    line = round(ratio) if ratio != 1.5 else 2
    assert [value < 240 for value in inside] == [3 <= at < 3 + line for at in range(9)]
