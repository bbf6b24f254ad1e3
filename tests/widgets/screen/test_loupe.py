"""The loupe: where it is, what it shows, what leads it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import BoxMark, PointMark
from stepscope.widgets.screen import ScreenContent, ScreenView
from stepscope.widgets.screen.loupe import RADIUS, Loupe, area
from tests.widgets.screen.conftest import SIZE, graded
from tests.widgets.screen.hands import grabbed, is_kept, let_go, point_at, press, turn_wheel

Key = Qt.Key
REFERENCE = PointMark(Layer.REFERENCE, Point(100, 200, SIZE))


def pixel(view: ScreenView) -> tuple[int, int] | None:
    """The pixel under the loupe."""
    loupe = view.loupe
    return (int(loupe.place.x), int(loupe.place.y)) if loupe is not None else None


def seen(view: ScreenView, dx: int, dy: int) -> QColor:
    """What the loupe shows so many pixels of the picture beside its middle, at 4×."""
    place = area(view.loupe, view.viewport)
    x, y = (place.left + place.right) / 2, (place.top + place.bottom) / 2
    return grabbed(view).pixelColor(round(x + 4 * dx), round(y + 4 * dy))


def test_the_loupe_is_at_the_pointer_while_its_key_is_held(graded_view: ScreenView) -> None:
    point_at(graded_view, QPointF(*graded_view.viewport.to_view(Point(150.5, 300.5, SIZE))))
    assert pixel(graded_view) is None
    press(graded_view, Key.Key_Z)
    assert pixel(graded_view) == (150, 300)
    point_at(graded_view, QPointF(*graded_view.viewport.to_view(Point(20.5, 700.5, SIZE))))
    assert pixel(graded_view) == (20, 700)
    let_go(graded_view, Key.Key_Z)
    assert pixel(graded_view) is None


def test_it_shows_the_pixels_around_four_times_as_large(graded_view: ScreenView) -> None:
    graded_view.show_step(ScreenContent(SIZE, graded(), (REFERENCE,)))
    press(graded_view, Key.Key_Z)
    press(graded_view, Key.Key_O)  # the mark would cover the pixels
    assert pixel(graded_view) == (100, 200)
    for dx, dy in ((8, 8), (-12, 6), (14, -10)):
        assert seen(graded_view, dx, dy).getRgb()[:3] == ((100 + dx) // 2, (200 + dy) // 4, 30)


def test_arrows_move_it_and_the_wheel_and_keys_change_its_zoom(graded_view: ScreenView) -> None:
    graded_view.show_step(ScreenContent(SIZE, graded(), (REFERENCE,)))
    assert not is_kept(graded_view, Key.Key_Right)
    press(graded_view, Key.Key_Z)
    assert is_kept(graded_view, Key.Key_Right)
    press(graded_view, Key.Key_Right)
    press(graded_view, Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert pixel(graded_view) == (101, 210)
    for _ in range(30):
        press(graded_view, Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert pixel(graded_view) == (101, 0)
    before = graded_view.viewport
    turn_wheel(graded_view, QPointF(430, 330), 1)
    assert graded_view.loupe is not None and graded_view.loupe.zoom == 8
    press(graded_view, Key.Key_Minus)
    assert graded_view.loupe.zoom == 4
    assert graded_view.viewport == before


def test_pixel_and_colour_are_read_out(graded_view: ScreenView) -> None:
    picture = graded()
    loupe = Loupe.at(Point(150.9, 301.2, SIZE), 4)
    assert loupe.words(picture) == "x 150 y 301  #4B4B1E  4×"
    assert loupe.words(picture.small) == "x 150 y 301  4×", "a small version has other pixels"
    assert Loupe.at(Point(150, 301, Size(800, 1600)), 4).words(picture) == "x 150 y 301  4×"


def test_a_chosen_loupe_stays_and_follows_the_reference(graded_view: ScreenView) -> None:
    graded_view.pin_loupe(True)
    assert pixel(graded_view) == (200, 400), "no mark, no pointer: the middle"
    graded_view.show_step(ScreenContent(SIZE, graded(), (REFERENCE,)))
    assert pixel(graded_view) == (100, 200)
    box = BoxMark(Box(300, 600, 320, 640, SIZE))
    graded_view.show_step(ScreenContent(SIZE, graded(), (box,)))
    assert pixel(graded_view) == (310, 620)
    point_at(graded_view, QPointF(*graded_view.viewport.to_view(Point(20.5, 700.5, SIZE))))
    graded_view.show_step(ScreenContent(SIZE, graded(), (REFERENCE,)))
    assert pixel(graded_view) == (20, 700), "the pointer is there"
    graded_view.pin_loupe(False)
    assert pixel(graded_view) is None


def test_a_key_let_go_elsewhere_takes_the_loupe_away(graded_view: ScreenView) -> None:
    press(graded_view, Key.Key_Z)
    assert pixel(graded_view) is not None
    QApplication.sendEvent(graded_view, QEvent(QEvent.Type.Leave))
    assert pixel(graded_view) is not None
    graded_view.hold_loupe(False)
    assert pixel(graded_view) is None


@pytest.mark.parametrize(("x", "y"), [(0, 0), (399, 799), (0, 799), (399, 0)])
def test_the_loupe_stays_in_the_view(graded_view: ScreenView, x: int, y: int) -> None:
    graded_view.zoom_in()
    graded_view.pan(-2000 if x else 2000, -2000 if y else 2000)
    place = area(Loupe.at(Point(x, y, SIZE), 4), graded_view.viewport)
    assert place.left >= 0 and place.right <= 860 and place.top >= 0 and place.bottom <= 660
    assert place.width == 2 * RADIUS
