"""What hands do to a page: mouse, wheel, keys, input methods and the clipboard, in pixels of the page."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Size
from stepscope.core.webtask.events import KeyPress as PageKey
from stepscope.core.webtask.events import Mouse, Wheel
from stepscope.widgets.webtask import PageFieldMark, PageView
from stepscope.widgets.webtask.page_view import LINE
from tests.widgets.webtask.page_parts import (
    CONTROL,
    LEFT,
    PLAIN,
    RIGHT,
    SHIFT,
    blank,
    box,
    click,
    hands,
    heard,
    key,
    mouse,
    move,
    page_view,
)

pytestmark = pytest.mark.usefixtures("themed")

Key = Qt.Key
PRESS, RELEASE, DOUBLE = (
    QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.MouseButtonDblClick,
)  # fmt: skip


@pytest.fixture
def view(qtbot: QtBot) -> PageView:
    """600 × 400 pixels of a page, the first at (16, 16)."""
    return page_view(qtbot)


def turn(
    view: QWidget, x: float, y: float, angle: tuple[int, int] = (0, 0), pixels: tuple[int, int] = (0, 0),
    modifiers: Qt.KeyboardModifier = PLAIN,
) -> None:  # fmt: skip
    place = QPointF(x, y)
    event = QWheelEvent(
        place, view.mapToGlobal(place), QPoint(*pixels), QPoint(*angle), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


# Mouse


def test_a_click_presses_and_lets_go_of_the_pixel_under_it(view: PageView) -> None:
    said = hands(view)
    click(view, 16 + 420, 16 + 330)
    assert said == [Mouse("press", 420, 330), Mouse("release", 420, 330)]


def test_pixels_are_those_of_the_picture_at_any_zoom(view: PageView) -> None:
    view.set_zoom(0.5)
    said = hands(view)
    click(view, 16 + 320, 16 + 150, RIGHT)
    assert said == [Mouse("press", 320, 150, "right"), Mouse("release", 320, 150, "right")]


def test_a_picture_of_a_size_of_its_own_is_shown_whole_and_has_its_own_pixels(view: PageView) -> None:
    """A page that was maximized: 1200 × 800 on 600 × 400."""
    view.show_picture(blank(1200, 800))
    said = hands(view)
    click(view, 16 + 420, 16 + 330)
    assert said[0] == Mouse("press", 840, 660)
    view.show_picture(blank())
    click(view, 16 + 420, 16 + 330)
    assert said[2] == Mouse("press", 420, 330)


def test_scrolling_does_not_move_what_is_on_the_screen(view: PageView) -> None:
    view.set_scroll(0, 500)
    said = hands(view)
    click(view, 16 + 20, 16 + 300)
    assert said[0] == Mouse("press", 20, 300)


def test_a_drag_beside_the_page_stays_at_its_edge(view: PageView) -> None:
    said = hands(view)
    mouse(view, PRESS, 16 + 400, 16 + 300)
    move(view, 630, 500, LEFT)
    mouse(view, RELEASE, 630, 500)
    assert said[1:] == [Mouse("move", 599, 399), Mouse("release", 599, 399)]


def test_a_double_click_is_told_as_one(view: PageView) -> None:
    said = hands(view)
    click(view, 216, 316)
    mouse(view, DOUBLE, 216, 316)
    mouse(view, RELEASE, 216, 316)
    assert [one.what for one in said] == ["press", "release", "double", "release"]


def test_modifiers_go_with_the_mouse(view: PageView) -> None:
    said = hands(view)
    mouse(view, PRESS, 216, 316, modifiers=SHIFT)
    assert said == [Mouse("press", 200, 300, "left", SHIFT.value)]


def test_the_pointer_is_told_over_the_page_and_once_when_it_leaves(view: PageView) -> None:
    said = hands(view)
    move(view, 416, 316)
    move(view, 5, 5)
    move(view, 4, 4)
    assert said == [Mouse("move", 400, 300, "none"), Mouse("move", -1, -1, "none")]


def test_beside_the_page_nothing_is_pressed(view: PageView) -> None:
    said = hands(view)
    click(view, 5, 200)
    assert said == []
    assert not view.is_inside


def test_the_pages_own_pointer_is_shown_over_it(view: PageView) -> None:
    view.set_cursor_shape("IBeamCursor")
    move(view, 400, 350)
    assert view.cursor().shape() == Qt.CursorShape.IBeamCursor
    move(view, 110, 60)
    assert view.cursor().shape() == Qt.CursorShape.IBeamCursor, "numbers are pressed through"
    view.set_live(False)
    move(view, 111, 61)
    assert view.cursor().shape() == Qt.CursorShape.PointingHandCursor, "over a field's number"
    view.set_live(True)
    move(view, 3, 3)
    assert view.cursor().shape() == Qt.CursorShape.ArrowCursor
    view.set_cursor_shape("NoSuchCursor")
    move(view, 400, 350)
    assert view.cursor().shape() == Qt.CursorShape.ArrowCursor


# Fields


def test_a_field_under_the_pointer_is_told(view: PageView) -> None:
    names = heard(view.field_hovered)
    move(view, 16 + 200, 16 + 80)
    move(view, 16 + 210, 16 + 80)
    move(view, 16 + 550, 16 + 380)
    assert names == [("sentence",), ("",)]


def test_of_fields_in_each_other_the_smallest_is_meant(view: PageView) -> None:
    view.set_marks([PageFieldMark(1, "inner", box(100, 60, 200, 90)), PageFieldMark(2, "outer", box(20, 30, 500, 300))])
    assert view.field_at(QPointF(16 + 150, 16 + 70)) == "inner"
    assert view.field_at(QPointF(16 + 300, 16 + 200)) == "outer"


def test_numbers_are_pressed_through_by_whoever_works_in_the_page(view: PageView) -> None:
    """They lie over buttons and words."""
    said, names = hands(view), heard(view.field_chosen)
    click(view, 110, 60)
    assert [hand.what for hand in said] == ["press", "release"] and names == []
    said.clear()
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, QPoint(110, 60))
    assert said == [] and names == [("sentence",)]
    assert view.selected == "sentence"


def test_a_click_on_a_number_chooses_its_field_where_a_runs_answers_are_shown(view: PageView) -> None:
    view.set_live(False)
    said, names = hands(view), heard(view.field_chosen)
    click(view, 110, 60)
    assert names == [("sentence",)] and said == []


def test_a_click_into_a_field_reaches_the_page_and_chooses_nothing(view: PageView) -> None:
    said, names = hands(view), heard(view.field_chosen)
    click(view, 16 + 200, 16 + 80)
    assert len(said) == 2
    assert names == []


# Wheel


def test_a_notch_of_the_wheel_scrolls_lines(view: PageView) -> None:
    said = hands(view)
    turn(view, 216, 116, angle=(0, -120))
    assert said == [Wheel(200, 100, 0, QGuiApplication.styleHints().wheelScrollLines() * LINE)]


def test_lines_are_larger_on_a_larger_page(view: PageView) -> None:
    view.set_zoom(2.0)
    said = hands(view)
    turn(view, 216, 116, angle=(0, 120))
    assert said == [Wheel(200, 100, 0, -2 * QGuiApplication.styleHints().wheelScrollLines() * LINE)]


def test_a_touch_pad_scrolls_by_its_pixels(view: PageView) -> None:
    said = hands(view)
    turn(view, 216, 116, angle=(8, -16), pixels=(3, -7))
    view.show_picture(blank(1200, 800))
    turn(view, 216, 116, angle=(8, -16), pixels=(3, -7))
    assert said == [Wheel(200, 100, -3, 7), Wheel(400, 200, -6, 14)]


def test_shift_and_the_wheel_scroll_sideways(view: PageView) -> None:
    said = hands(view)
    turn(view, 216, 116, angle=(0, 60), modifiers=SHIFT)
    lines = QGuiApplication.styleHints().wheelScrollLines()
    assert said == [Wheel(200, 100, -lines * LINE / 2, 0, SHIFT.value)]


def test_ctrl_and_the_wheel_zoom_by_whole_notches(view: PageView) -> None:
    said = hands(view)
    for _quarter in range(4):
        turn(view, 216, 116, angle=(0, 30), modifiers=CONTROL)
    assert view.frame.zoom == pytest.approx(1.1)
    turn(view, 216, 116, angle=(0, -240), modifiers=CONTROL)
    assert view.frame.zoom == pytest.approx(0.9)
    assert said == []


def test_a_field_out_of_sight_is_scrolled_to_the_middle(view: PageView) -> None:
    """The page's screen is 400 high; the field's middle, 920, comes to 200: 720 down."""
    said = hands(view)
    view.show_field("sure")
    view.show_field("sentence")
    assert said == [Wheel(300, 200, 0, 720)]


# A page that is only looked at


def test_a_page_that_is_only_looked_at_takes_nothing_but_the_wheel(view: PageView) -> None:
    view.enter()
    view.set_live(False)
    assert not view.is_inside
    said, names = hands(view), heard(view.field_chosen)
    click(view, 16 + 400, 16 + 380)
    move(view, 16 + 400, 16 + 380)
    key(view, Key.Key_A, "a")
    key(view, Key.Key_Return)
    assert said == []
    click(view, 16 + 200, 16 + 80)
    assert names == [("sentence",)]
    turn(view, 216, 116, angle=(0, -120))
    assert [type(one) for one in said] == [Wheel]


@pytest.mark.parametrize("state", ["lost", "waiting", "no picture"])
def test_a_page_that_is_not_there_takes_nothing(view: PageView, state: str) -> None:
    view.enter()
    if state == "lost":
        view.show_lost("It is gone.")
    elif state == "waiting":
        view.set_waiting(True)
    else:
        view.show_picture(None)
    said = hands(view)
    click(view, 16 + 400, 16 + 380)
    turn(view, 216, 116, angle=(0, -120))
    key(view, Key.Key_A, "a")
    assert said == []


def test_who_typed_into_the_page_goes_on_typing_into_the_next(view: PageView) -> None:
    view.enter()
    view.set_waiting(True)
    view.set_waiting(False)
    said = hands(view)
    key(view, Key.Key_A, "a")
    assert said == [PageKey("press", Key.Key_A, "a")]


def test_a_page_of_a_fixed_size_does_not_zoom(view: PageView) -> None:
    view.set_fixed(Size(1280, 800))
    before = view.frame
    turn(view, 216, 116, angle=(0, 240), modifiers=CONTROL)
    assert view.frame == before
