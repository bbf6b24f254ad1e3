"""Moving around in a picture that is larger than the view: small map, wheel, keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.rect import Rect
from stepscope.widgets.screen import ScreenContent, ScreenPicture, ScreenView
from stepscope.widgets.screen.minimap import looked_at, map_place, seen_part
from stepscope.widgets.screen.viewport import Viewport
from tests.widgets.screen.hands import LEFT, click, drag, grabbed, press, turn_wheel

PAGE = Size(1280, 9600)


@pytest.fixture
def page(graded_view: ScreenView) -> ScreenView:
    """A page whose upper half is white and whose lower half is green, fitted by its width."""
    pixels = np.full((PAGE.height, PAGE.width, 3), 250, np.uint8)
    pixels[PAGE.height // 2 :] = (10, 120, 10)
    graded_view.show_step(ScreenContent(PAGE, ScreenPicture.from_pixels(pixels)))
    return graded_view


def test_a_picture_that_is_all_seen_has_no_map(graded_view: ScreenView) -> None:
    assert map_place(graded_view.viewport) is None
    graded_view.zoom_in()
    assert map_place(graded_view.viewport) is not None


def test_the_map_shows_the_whole_page_and_frames_what_is_seen(page: ScreenView) -> None:
    place = map_place(page.viewport)
    assert place is not None
    assert place.height == pytest.approx(0.6 * 660)
    assert place.width / place.height == pytest.approx(PAGE.width / PAGE.height)
    frame = seen_part(page.viewport, place)
    assert frame is not None
    share = (660 - 14) / page.viewport.picture.height
    assert (frame.top, frame.height) == (place.top, pytest.approx(share * place.height))
    image = grabbed(page)
    middle = round((place.left + place.right) / 2)
    assert image.pixelColor(middle, round(place.top + 0.3 * place.height)) == QColor(250, 250, 250)
    assert image.pixelColor(middle, round(place.top + 0.8 * place.height)) == QColor(10, 120, 10)


def test_a_click_and_a_drag_on_the_map_go_there(page: ScreenView, qtbot: QtBot) -> None:
    place = map_place(page.viewport)
    assert place is not None
    x = (place.left + place.right) / 2
    with qtbot.assertNotEmitted(page.clicked), qtbot.waitSignal(page.view_changed):
        click(page, QPointF(x, place.top + 0.75 * place.height))
    assert page.viewport.y == pytest.approx(0.75, abs=0.01)
    assert grabbed(page).pixelColor(430, 330) == QColor(10, 120, 10)
    drag(page, QPointF(x, place.top + 0.75 * place.height), QPointF(x, place.top + 0.25 * place.height), LEFT)
    assert page.viewport.y == pytest.approx(0.25, abs=0.01)


def test_what_is_looked_at_is_in_the_middle() -> None:
    place, view = Rect(700, 14, 760, 464), Viewport(800, 600, 1.0, PAGE).actual_size(400, 300)
    there = looked_at(view, place, 730, 239)
    assert (there.x, there.y) == (pytest.approx(0.5, abs=1e-3), pytest.approx(0.5, abs=1e-3))


def test_a_narrow_view_has_no_map() -> None:
    assert map_place(Viewport(300, 600, 1.0, PAGE)) is None
    assert seen_part(Viewport(800, 600, 1.0, PAGE), Rect(0, 0, 10, 75)) is not None


def test_the_wheel_scrolls_with_shift(page: ScreenView) -> None:
    top, zoom = page.viewport.top, page.viewport.zoom
    turn_wheel(page, QPointF(430, 330), -3, Qt.KeyboardModifier.ShiftModifier)
    assert page.viewport.top == top - 180
    assert page.viewport.zoom == zoom


def test_up_and_down_pan_and_so_do_left_and_right_with_ctrl(page: ScreenView) -> None:
    page.actual_size()
    left, top = page.viewport.left, page.viewport.top
    press(page, Qt.Key.Key_Down)
    assert page.viewport.top == top - round(0.15 * 660)
    press(page, Qt.Key.Key_Up)
    assert page.viewport.top == top
    press(page, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert page.viewport.left == left - round(0.15 * 860)
    press(page, Qt.Key.Key_Right)
    assert page.viewport.left == left - round(0.15 * 860)


def test_while_a_zoom_goes_on_speed_counts_and_afterwards_the_picture_is_smooth(
    graded_view: ScreenView, qtbot: QtBot
) -> None:
    stripes = np.zeros((2400, 1080, 3), np.uint8)
    stripes[:, ::2] = 255
    graded_view.show_step(ScreenContent(Size(1080, 2400), ScreenPicture.from_pixels(stripes)))
    graded_view.actual_size()

    def shades() -> set[int]:
        image = grabbed(graded_view)
        return {image.pixelColor(x, 400).red() for x in range(300, 500)}

    assert shades() == {0, 255}
    graded_view.zoom_about(QPointF(430, 330), 1.3)
    graded_view.zoom_about(QPointF(430, 330), 1.3)
    assert shades() == {0, 255}  # pixels as they are, each once or twice
    qtbot.waitUntil(lambda: len(shades()) > 2)
    graded_view.fit()
    graded_view.actual_size()
    graded_view.pan(3, 0)
    assert shades() == {0, 255}
