"""Where a hand touches the picture, in pixels of the device, at zooms and rotations a person worked out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.widgets.live.mirror import MirrorView
from stepscope.widgets.live.mirror.touch import AGAIN_MS, HELD_MS
from tests.widgets.live.mirror.conftest import LYING, MENU, SCREEN, Clock, frame
from tests.widgets.screen.hands import LEFT, MIDDLE, click, drag, let_go, mouse, point_at, press, turn_wheel

PRESS, MOVE, RELEASE = QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease
RIGHT = Qt.MouseButton.RightButton


def heard(signal: object) -> list[tuple[object, ...]]:
    """All that a signal says from now on."""
    said: list[tuple[object, ...]] = []
    signal.connect(lambda *values: said.append(values))  # type: ignore[attr-defined]
    return said


def tap(view: MirrorView, x: float, y: float) -> None:
    """A click, and on with the pointer, which tells that no second one comes."""
    click(view, QPointF(x, y))
    point_at(view, QPointF(x + 30, y + 30))


@pytest.mark.parametrize(
    ("place", "pixel"),
    [((64, 22), (0, 0)), ((200, 322), (544, 1200)), ((100, 100), (144, 312)), ((335.75, 621.75), (1087, 2399))],
)
def test_a_click_taps_the_pixel_under_it(
    view: MirrorView, place: tuple[float, float], pixel: tuple[float, float]
) -> None:
    taps = heard(view.tapped)
    tap(view, *place)
    assert taps == [(Point(*pixel, SCREEN),)]


def test_a_turned_screen_has_its_own_pixels(make_view: Callable[..., MirrorView]) -> None:
    """644 × 400: the width of 2400 on 600 is a quarter, the picture of 272 begins at (22, 64)."""
    view = make_view((644, 400), frame(LYING, (600, 272)))
    taps = heard(view.tapped)
    tap(view, 22, 64)
    tap(view, 322, 200)
    assert taps == [(Point(0, 0, LYING),), (Point(1200, 544, LYING),)]


def test_a_screen_that_turns_under_the_hand_is_touched_as_it_lies_now(view: MirrorView) -> None:
    """On 400 × 644 a lying screen is 352 wide: 24 + 352 × (1200 / 2400) = 200 is its middle column."""
    view.show_frame(frame(LYING, (352, 160)))
    taps = heard(view.tapped)
    tap(view, 200, 322)
    [(point,)] = taps
    assert isinstance(point, Point)
    assert point.size == LYING
    assert point.x == pytest.approx(1200)
    assert point.y == pytest.approx(544, abs=3.5)  # half a pixel of the glass, where its corner lies


def test_twice_as_large_a_pixel_of_the_glass_is_half_as_many(view: MirrorView) -> None:
    view.zoom_about(QPointF(200, 322), 2.0)
    taps = heard(view.tapped)
    tap(view, 200, 322)
    tap(view, 210, 330)
    assert taps == [(Point(544, 1200, SCREEN),), (Point(564, 1216, SCREEN),)]


def test_panning_moves_what_is_touched(view: MirrorView) -> None:
    view.zoom_about(QPointF(200, 322), 2.0)
    view.setFocus()
    press(view, Qt.Key.Key_Space)
    drag(view, QPointF(100, 100), QPointF(110, 90), LEFT)
    let_go(view, Qt.Key.Key_Space)
    taps = heard(view.tapped)
    tap(view, 210, 312)
    assert taps == [(Point(544, 1200, SCREEN),)]


def test_a_device_that_lies_about_its_size_is_not_stretched(make_view: Callable[..., MirrorView]) -> None:
    """A square picture of a screen that says 1088 × 2400 fills 356 × 356 of 400 × 644, from (22, 144) on."""
    view = make_view((400, 644), frame(SCREEN, (300, 300)))
    place = view.viewport.picture
    assert (place.left, place.top, place.width, place.height) == pytest.approx((22, 144, 356, 356))
    taps = heard(view.tapped)
    tap(view, 22 + 89, 144 + 89)
    [(point,)] = taps
    assert isinstance(point, Point)
    assert (point.x, point.y, point.size) == (pytest.approx(272), pytest.approx(600), SCREEN)


@pytest.mark.parametrize("place", [(63.5, 300), (336, 300), (200, 21), (200, 623)])
def test_clicks_beside_the_picture_do_nothing(view: MirrorView, qtbot: QtBot, place: tuple[float, float]) -> None:
    signals = (view.tapped, view.long_pressed, view.swiped, view.scrolled, view.back_wanted, view.home_wanted)
    said = [heard(signal) for signal in signals]
    where = QPointF(*place)
    tap(view, *place)
    drag(view, where, QPointF(200, 300), LEFT)
    for button in (RIGHT, MIDDLE):
        mouse(view, PRESS, where, button)
        mouse(view, RELEASE, where, button)
    turn_wheel(view, where, -1)
    assert said == [[]] * len(signals)


def test_a_tap_waits_for_a_second_one_and_no_longer(view: MirrorView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.tapped, timeout=20 * AGAIN_MS) as told:
        click(view, QPointF(200, 322))
        assert view.touch.waits
    assert told.args == [Point(544, 1200, SCREEN)]


def test_two_clicks_are_one_double_tap(view: MirrorView) -> None:
    taps, doubles = heard(view.tapped), heard(view.double_tapped)
    click(view, QPointF(200, 322))
    mouse(view, QEvent.Type.MouseButtonDblClick, QPointF(201, 322), LEFT)
    mouse(view, RELEASE, QPointF(201, 322), LEFT)
    assert doubles == [(Point(548, 1200, SCREEN),)]
    assert taps == []
    assert not view.touch.waits


def test_two_clicks_far_apart_are_two_taps(view: MirrorView) -> None:
    taps, doubles = heard(view.tapped), heard(view.double_tapped)
    click(view, QPointF(200, 322))
    tap(view, 250, 322)
    assert taps == [(Point(544, 1200, SCREEN),), (Point(744, 1200, SCREEN),)]
    assert doubles == []


def test_held_half_a_second_is_a_long_press_and_no_tap(view: MirrorView, qtbot: QtBot) -> None:
    taps = heard(view.tapped)
    with qtbot.waitSignal(view.long_pressed, timeout=20 * HELD_MS) as told:
        mouse(view, PRESS, QPointF(100, 100), LEFT)
        assert view.touch.trail == (Point(144, 312, SCREEN),)
    assert told.args == [Point(144, 312, SCREEN)]
    mouse(view, RELEASE, QPointF(100, 100), LEFT)
    point_at(view, QPointF(200, 200))
    assert taps == []


def test_a_drag_swipes_as_long_as_the_hand_took(view: MirrorView, clock: Clock, qtbot: QtBot) -> None:
    swipes, taps = heard(view.swiped), heard(view.tapped)
    mouse(view, PRESS, QPointF(200, 522), LEFT)
    clock.now += 0.1
    mouse(view, MOVE, QPointF(200, 400), LEFT)
    clock.now += 0.15
    mouse(view, MOVE, QPointF(200, 272), LEFT)
    assert [point.y for point in view.touch.trail] == [2000, 1512, 1000]
    mouse(view, RELEASE, QPointF(200, 272), LEFT)
    assert swipes == [(Point(544, 2000, SCREEN), Point(544, 1000, SCREEN), 250)]
    assert taps == []
    qtbot.waitUntil(lambda: view.touch.trail == ())  # it is seen a little longer than the hand took


def test_a_swipe_that_leaves_the_picture_ends_at_its_edge(view: MirrorView) -> None:
    swipes = heard(view.swiped)
    drag(view, QPointF(300, 322), QPointF(390, 322), LEFT)
    [(start, end, _ms)] = swipes
    assert (start, end) == (Point(944, 1200, SCREEN), Point(1087, 1200, SCREEN))


def test_a_trembling_hand_still_taps(view: MirrorView) -> None:
    taps, swipes = heard(view.tapped), heard(view.swiped)
    drag(view, QPointF(200, 322), QPointF(203, 320), LEFT)
    point_at(view, QPointF(100, 100))
    assert (taps, swipes) == ([(Point(544, 1200, SCREEN),)], [])


def test_right_is_back_and_middle_is_home(view: MirrorView) -> None:
    backs, homes = heard(view.back_wanted), heard(view.home_wanted)
    for button in (RIGHT, MIDDLE):
        mouse(view, PRESS, QPointF(200, 322), button)
        mouse(view, RELEASE, QPointF(200, 322), button)
    assert (backs, homes) == ([()], [()])


def test_the_wheel_scrolls_on_the_phone_and_with_ctrl_zooms(view: MirrorView, clock: Clock) -> None:
    scrolls = heard(view.scrolled)
    turn_wheel(view, QPointF(200, 322), -1)
    clock.now += 1
    turn_wheel(view, QPointF(200, 322), 1)
    clock.now += 1
    turn_wheel(view, QPointF(200, 322), -1, Qt.KeyboardModifier.ShiftModifier)
    at = Point(544, 1200, SCREEN)
    assert scrolls == [(Direction.DOWN, at), (Direction.UP, at), (Direction.RIGHT, at)]
    turn_wheel(view, QPointF(200, 322), 1, Qt.KeyboardModifier.ControlModifier)
    assert len(scrolls) == 3
    assert view.viewport.zoom == pytest.approx(344 / 1088)  # a quarter more than 272 is 340: the next multiple of 8


def test_notches_while_the_device_scrolls_are_one_scroll(view: MirrorView, clock: Clock) -> None:
    """A device takes a fifth of a second for one: a queue of them would go on after the hand rests."""
    scrolls = heard(view.scrolled)
    for _ in range(5):
        turn_wheel(view, QPointF(200, 322), -1)
        clock.now += 0.03
    assert len(scrolls) == 1
    turn_wheel(view, QPointF(200, 322), 1)  # the other way is another wish
    assert [way for way, _point in scrolls] == [Direction.DOWN, Direction.UP]


def test_what_is_not_the_phone_of_now_is_not_touched(view: MirrorView) -> None:
    said = [heard(signal) for signal in (view.tapped, view.scrolled, view.back_wanted)]
    view.set_notice("Reconnecting, attempt 3")
    tap(view, 200, 322)
    mouse(view, PRESS, QPointF(200, 322), RIGHT)
    view.set_notice("")
    view.set_paused(True)
    tap(view, 200, 322)
    turn_wheel(view, QPointF(200, 322), -1)
    assert said == [[], [], []]
    view.set_paused(False)
    view.set_notice("This window forbids pictures", touchable=True)
    tap(view, 200, 322)
    assert len(said[0]) == 1


def test_alt_click_chooses_without_touching_and_again_what_is_around(view: MirrorView) -> None:
    """(200, 247) is pixel (544, 900): in Standard, which lies in the root."""
    view.set_tree(MENU)
    chosen, taps = heard(view.element_chosen), heard(view.tapped)
    where = QPointF(200, 247)
    for _ in range(3):
        for kind in (PRESS, RELEASE):
            held = LEFT if kind is PRESS else Qt.MouseButton.NoButton
            alt = Qt.KeyboardModifier.AltModifier
            QApplication.sendEvent(view, QMouseEvent(kind, where, view.mapToGlobal(where), LEFT, held, alt))
    assert chosen == [(1,), (0,), (1,)]
    point_at(view, QPointF(100, 100))
    assert taps == []


def test_the_element_under_the_pointer_is_told_once(view: MirrorView) -> None:
    view.set_tree(MENU)
    hovered = heard(view.element_hovered)
    for place in ((200, 247), (201, 250), (200, 297), (200, 122), (10, 10)):
        point_at(view, QPointF(*place))
    assert hovered == [(1,), (2,), (0,), (-1,)]


def test_a_tree_of_another_size_is_hit_where_it_lies_on_this_one(view: MirrorView) -> None:
    """A device whose tree is in half pixels: (544, 900) of the screen is (272, 450) of the tree."""
    half = Size(544, 1200)
    root, *rest = MENU
    view.set_tree(type(MENU)(tuple(_halved(one, half) for one in (root, *rest)), MENU.origin, half))
    hovered = heard(view.element_hovered)
    point_at(view, QPointF(200, 247))
    assert hovered == [(1,)]


def test_the_tree_of_a_screen_that_has_turned_is_not_hit(view: MirrorView) -> None:
    view.set_tree(MENU)
    view.show_frame(frame(LYING, (352, 160)))
    hovered = heard(view.element_hovered)
    point_at(view, QPointF(200, 322))
    assert hovered == []


def _halved(element, size: Size):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return replace(element, box=element.box.rescaled(size))
