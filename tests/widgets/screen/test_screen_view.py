from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Box, Ellipse, Point, Region, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import Mark, MarkVerdict, PointMark, RegionMark, TreeMark
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.screen import Neighbour, ScreenContent, ScreenPicture, ScreenView, image_of
from stepscope.widgets.screen.content import ScreenColors
from stepscope.widgets.screen.minimap import map_place
from tests.widgets.screen.hands import LEFT, MIDDLE, click, colour, drag, grabbed, let_go, mouse, press, turn_wheel

PHONE = Size(400, 800)
REFERENCE = QColor("#4CC9FF")


def picture(size: Size = PHONE, colour: tuple[int, int, int] = (250, 250, 250)) -> ScreenPicture:
    return ScreenPicture.from_pixels(np.full((size.height, size.width, 3), colour, np.uint8))


def at(x: float, y: float, size: Size = PHONE) -> Point:
    return Point(x, y, size)


def content(*marks: Mark, size: Size = PHONE, number: int = 3) -> ScreenContent:
    beside = picture(size, (200, 60, 60)), picture(size, (60, 60, 200))
    return ScreenContent(size, picture(size), marks, number, 5, Neighbour(2, beside[0]), Neighbour(4, beside[1]))


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> ScreenView:
    shown = ScreenView()
    qtbot.addWidget(shown)
    shown.resize(860, 660)
    shown.show_step(content())
    shown.show()
    qtbot.waitExposed(shown)
    return shown


# What is seen


@pytest.mark.parametrize("chosen", [theme.DARK, theme.LIGHT])
def test_marks_do_not_depend_on_the_theme(view: ScreenView, chosen: theme.Theme) -> None:
    view.set_colors(ScreenColors.of(chosen))
    view.show_step(content(PointMark(Layer.REFERENCE, at(200, 300))))
    assert colour(view, at(200, 300), 12) == REFERENCE
    assert colour(view, at(200, 300)) == REFERENCE
    assert grabbed(view).pixelColor(2, 2) == QColor(chosen.canvas)


def test_a_glyph_has_the_same_size_at_any_zoom(view: ScreenView) -> None:
    view.show_step(content(PointMark(Layer.REFERENCE, at(200, 300))))
    for _ in range(6):
        assert colour(view, at(200, 300), 12) == REFERENCE
        assert colour(view, at(200, 300), 30) == QColor(250, 250, 250)
        view.zoom_in()


def test_the_tolerance_of_a_tall_screen_is_an_ellipse(view: ScreenView) -> None:
    region = Region((Ellipse(at(200, 400), 0.14 * 400, 0.14 * 800),), "aitw")
    view.show_step(content(RegionMark(region)))
    plain, x, y = QColor(250, 250, 250), 50, 100
    assert colour(view, at(200 + x, 400)) != plain
    assert colour(view, at(200, 400 + y)) != plain
    assert colour(view, at(200 + 70, 400)) == plain
    assert colour(view, at(200, 400 + 125)) == plain
    assert colour(view, at(200 + x, 400 + y)) == plain


def test_the_tolerance_stays_on_the_picture(view: ScreenView) -> None:
    view.show_step(content())
    before = grabbed(view)
    view.show_step(content(RegionMark(Region((Box(-900, -900, 2000, 2000, PHONE),), "all"))))
    after, place = grabbed(view), view.viewport.picture
    outside = QPoint(round(place.right) + 12, round(place.top) + 5)
    assert after.pixelColor(outside) == before.pixelColor(outside)


def test_hit_and_miss_look_different(view: ScreenView) -> None:
    view.show_step(content(PointMark(Layer.RUN_A, at(200, 300), MarkVerdict.HIT)))
    hit = colour(view, at(200, 300), -8)
    view.show_step(content(PointMark(Layer.RUN_A, at(200, 300), MarkVerdict.MISS)))
    assert hit == QColor("#FFB020")
    assert colour(view, at(200, 300), -8) == QColor("#14171C")


def test_later_marks_lie_over_earlier_ones(view: ScreenView) -> None:
    run, reference = PointMark(Layer.RUN_A, at(200, 300), MarkVerdict.HIT), PointMark(Layer.REFERENCE, at(200, 300))
    view.show_step(content(run, reference))
    assert colour(view, at(200, 300)) == REFERENCE
    view.set_marks((reference, run))
    assert colour(view, at(200, 300), -8) == QColor("#FFB020")


def test_a_bare_picture_has_no_marks(view: ScreenView) -> None:
    view.show_step(content(PointMark(Layer.REFERENCE, at(200, 300))))
    press(view, Qt.Key.Key_O)
    assert colour(view, at(200, 300)) == QColor(250, 250, 250)
    let_go(view, Qt.Key.Key_O)
    assert colour(view, at(200, 300)) == REFERENCE


def test_a_weak_layer_is_seen_through(view: ScreenView) -> None:
    view.show_step(content(PointMark(Layer.REFERENCE, at(200, 300))))
    view.set_strengths({Layer.REFERENCE: 0.5})
    assert colour(view, at(200, 300)).red() > REFERENCE.red() + 20


def test_large_pixels_are_squares_and_reduced_ones_are_averaged(view: ScreenView) -> None:
    stripes = np.zeros((800, 400, 3), np.uint8)
    stripes[:, ::2] = 255
    view.show_step(ScreenContent(PHONE, ScreenPicture.from_pixels(stripes)))
    place = view.viewport.actual_size(430, 330).zoomed(8, 430, 330)
    view.follow(place)
    row = [grabbed(view).pixelColor(x, 330).red() for x in range(400, 440)]
    assert set(row) == {0, 255}
    view.follow(view.viewport.actual_size(430, 330).zoomed(0.25, 430, 330))
    assert 100 < colour(view, at(200, 400)).red() < 155


def test_boxes_of_the_tree_are_drawn_where_they_are(view: ScreenView) -> None:
    view.show_step(content(TreeMark((Box(100, 200, 300, 400, PHONE),))))
    view.follow(view.viewport.actual_size(430, 330))
    assert colour(view, at(100, 300)).red() < 200
    assert colour(view, at(299, 300)).red() < 200
    assert colour(view, at(101, 300)) == QColor(250, 250, 250)
    assert colour(view, at(200, 300)) == QColor(250, 250, 250)


def test_boxes_are_drawn_once_while_panning(view: ScreenView, monkeypatch: pytest.MonkeyPatch) -> None:
    from stepscope.widgets.screen import sketch_painter

    drawings: list[int] = []
    honest = sketch_painter._grid_image
    monkeypatch.setattr(sketch_painter, "_grid_image", lambda *args: (drawings.append(1), honest(*args))[1])
    view.show_step(content(TreeMark((Box(100, 200, 300, 400, PHONE),))))
    grabbed(view)
    view.follow(view.viewport.zoomed(1.5, 430, 330))
    grabbed(view)
    many = len(drawings)
    for _ in range(5):
        view.follow(view.viewport.panned(7, 3))
        grabbed(view)
    assert len(drawings) == many
    assert many > 0


def test_a_step_without_a_picture_says_so_and_still_has_marks(view: ScreenView) -> None:
    view.show_step(ScreenContent(PHONE, None, (PointMark(Layer.REFERENCE, at(200, 300)),)))
    assert colour(view, at(200, 300)) == REFERENCE


def test_a_very_tall_picture_is_shown(view: ScreenView) -> None:
    tall = Size(1080, 10_000)
    view.show_step(content(PointMark(Layer.REFERENCE, at(500, 300, tall)), size=tall))
    assert view.viewport.fit_words == "Fit width"
    assert view.viewport.picture.width == 860 - 28
    assert colour(view, at(500, 300, tall)) == REFERENCE
    view.toggle_fit()
    assert view.viewport.fit_words == "Fit"
    assert view.viewport.picture.height == pytest.approx(660 - 28)
    assert colour(view, at(500, 300, tall)) == REFERENCE
    view.show_step(content(PointMark(Layer.REFERENCE, at(500, 9_900, tall)), size=tall))
    view.zoom_to_marks()
    assert colour(view, at(500, 9_900, tall), 12) == REFERENCE


def test_a_page_longer_than_pictures_can_be_is_shown_to_its_end(view: ScreenView) -> None:
    page = Size(100, 40_000)
    pixels = np.full((page.height, page.width, 3), 250, np.uint8)
    pixels[-300:] = (10, 120, 10)
    view.show_step(ScreenContent(page, ScreenPicture.from_pixels(pixels)))
    view.actual_size()
    view.show_box(Box(0, 39_900, 100, 40_000, page))
    assert colour(view, at(50, 39_950, page)) == QColor(10, 120, 10)
    assert colour(view, at(50, 39_690, page)) == QColor(250, 250, 250)


def test_the_picture_does_not_share_memory_with_the_array() -> None:
    pixels = np.full((600, 301, 3), 9, np.uint8)
    image, shown = image_of(pixels), ScreenPicture.from_pixels(pixels)
    pixels[:] = 200
    del pixels
    assert image.pixelColor(300, 599) == QColor(9, 9, 9)
    assert [level[1, 1].tolist() for level in shown.levels] == [[9, 9, 9]] * len(shown.levels)
    assert [level.shape[1] for level in shown.levels] == [301, 150]


def test_colours_are_not_swapped() -> None:
    pixels = np.full((4, 4, 3), (10, 20, 30), np.uint8)
    assert image_of(pixels).pixelColor(2, 2) == QColor(10, 20, 30)
    rgba = np.full((4, 4, 4), (10, 20, 30, 0), np.uint8)
    assert image_of(rgba).pixelColor(2, 2) == QColor(10, 20, 30)


# Stepping


def test_zoom_and_place_stay_while_stepping(view: ScreenView) -> None:
    turn_wheel(view, QPointF(400, 200), 5)
    before = view.viewport
    view.show_step(content(number=4))
    assert view.viewport == before
    view.show_step(content(size=Size(800, 1600)))
    assert view.viewport.picture.width == pytest.approx(before.picture.width)
    view.show_step(content())
    assert view.viewport.zoom == pytest.approx(before.zoom)
    view.show_step(content(size=Size(800, 400)))
    assert view.viewport.fit


def test_a_fitted_view_stays_fitted(view: ScreenView) -> None:
    view.resize(500, 400)
    assert view.viewport.fit
    assert view.viewport.picture.bottom <= 400


def test_the_time_to_paint_is_told(view: ScreenView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.step_painted) as painted:
        view.show_step(content(number=4))
    assert painted.args[0] > 0


def test_a_neighbour_is_a_way_to_go_there(view: ScreenView, qtbot: QtBot) -> None:
    before, after = view.viewport.sides(PHONE, PHONE)
    assert before is not None and after is not None
    image = grabbed(view)
    dimmed = image.pixelColor(round(before.left + 20), round(before.top + 20))
    assert 130 < dimmed.red() < 200 and dimmed.green() < 80
    for place, step in ((before, -1), (after, 1)):
        with qtbot.waitSignal(view.step_wanted) as wanted:
            click(view, QPointF(place.left + 20, place.top + 20))
        assert wanted.args == [step]


def test_words_below_a_neighbour_stay_clear_of_the_picture(view: ScreenView, qtbot: QtBot) -> None:
    font = view.font()
    font.setPixelSize(24)
    view.setFont(font)
    view.resize(460, 160)
    qtbot.waitUntil(lambda: view.viewport.picture.height < 160)
    middle, places = view.viewport.picture, view.viewport.sides(PHONE, PHONE)
    image, dim = grabbed(view), view._scene.colors.dim
    top = round(max(place.bottom for place in places if place is not None)) + 2
    rows = range(top, min(top + 40, image.height()))
    words = [x for x in range(image.width()) if any(image.pixelColor(x, y) == QColor(dim) for y in rows)]
    before, after = [x for x in words if x < middle.left], [x for x in words if x > middle.right]
    needed = QFontMetrics(derived(view.font(), 11)).horizontalAdvance("After: step 4") - 12  # smoothed edges
    assert before and before[-1] < middle.left - 4
    assert after and after[0] > middle.right + 4 and after[-1] - after[0] >= needed


def test_without_neighbours_the_picture_has_the_whole_view(view: ScreenView, qtbot: QtBot) -> None:
    wide = content(size=Size(1280, 800))
    view.show_step(wide)
    narrow = view.viewport.picture.width
    view.set_beside(False)
    assert view.viewport.picture.width > narrow
    with qtbot.assertNotEmitted(view.step_wanted):
        click(view, QPointF(5, 330))


# Linked views


@pytest.fixture
def linked(view: ScreenView, qtbot: QtBot) -> ScreenView:
    """Another view, of another size, that follows the first and is followed by it."""
    other = ScreenView()
    qtbot.addWidget(other)
    other.resize(500, 600)
    other.show_step(content())
    view.view_changed.connect(other.follow)
    other.view_changed.connect(view.follow)
    return other


def test_a_linked_view_shows_the_same_place_as_large_for_its_size(view: ScreenView, linked: ScreenView) -> None:
    turn_wheel(view, QPointF(400, 200), 4)
    drag(view, QPointF(430, 330), QPointF(400, 370), MIDDLE)
    ours, theirs = view.viewport, linked.viewport
    assert (theirs.x, theirs.y) == (ours.x, ours.y)
    assert theirs.zoom / theirs.fit_scale == pytest.approx(ours.zoom / ours.fit_scale)
    turn_wheel(linked, QPointF(250, 300), -2)
    assert view.viewport.zoom / view.viewport.fit_scale == pytest.approx(1.25**2)
    view.fit()
    assert linked.viewport.fit


def test_linked_views_do_not_answer_each_other(view: ScreenView, linked: ScreenView) -> None:
    told: list[object] = []
    view.view_changed.connect(told.append)
    linked.view_changed.connect(told.append)
    turn_wheel(view, QPointF(400, 200), 1)
    assert told == [view.viewport]
    linked.resize(300, 300)
    linked.show_step(content(size=Size(800, 1600)))
    assert len(told) == 1


# The pointer


@given(st.integers(0, 399), st.integers(0, 799), st.integers(-4, 14))
def test_a_click_is_the_pixel_under_the_pointer(view: ScreenView, x: int, y: int, notches: int) -> None:
    view.fit()
    view.zoom_about(QPointF(430, 330), 1.25**notches)
    clicked: list[Point] = []
    view.clicked.connect(clicked.append)
    place = view.viewport.to_view(at(x + 0.5, y + 0.5))
    small_map = map_place(view.viewport)
    assume(small_map is None or not small_map.contains(*place))  # a click there moves the view
    click(view, QPointF(*place))
    view.clicked.disconnect(clicked.append)
    assert [(int(point.x), int(point.y)) for point in clicked] == [(x, y)]
    assert clicked[0].size == PHONE


def test_a_click_on_a_mark_is_its_runs(view: ScreenView, qtbot: QtBot) -> None:
    view.show_step(content(PointMark(Layer.RUN_B, at(200, 300), MarkVerdict.MISS)))
    with qtbot.waitSignal(view.mark_clicked) as found, qtbot.assertNotEmitted(view.clicked):
        click(view, QPointF(*view.viewport.to_view(at(200, 300))))
    assert found.args == [Layer.RUN_B]


def test_a_click_outside_the_picture_is_nothing(view: ScreenView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(view.clicked), qtbot.assertNotEmitted(view.step_wanted):
        click(view, QPointF(430, 4))


def test_a_drag_with_the_left_button_is_no_click(view: ScreenView, qtbot: QtBot) -> None:
    before = view.viewport
    with qtbot.assertNotEmitted(view.clicked):
        drag(view, QPointF(430, 300), QPointF(470, 300), LEFT)
    assert view.viewport == before


def test_the_wheel_zooms_at_the_pointer(view: ScreenView, qtbot: QtBot) -> None:
    place = QPointF(400, 200)
    before = view.viewport.to_picture(place.x(), place.y())
    with qtbot.waitSignal(view.zoom_changed) as told:
        turn_wheel(view, place, 3)
    after = view.viewport.to_picture(place.x(), place.y())
    assert (after.x, after.y) == pytest.approx((before.x, before.y), abs=1.0)
    assert told.args == [pytest.approx(view.viewport.percent), ""]


def test_the_middle_button_pans(view: ScreenView) -> None:
    turn_wheel(view, QPointF(430, 330), 6)
    left, top = view.viewport.left, view.viewport.top
    drag(view, QPointF(430, 330), QPointF(400, 370), MIDDLE)
    assert (view.viewport.left - left, view.viewport.top - top) == (-30, 40)


def test_space_and_a_drag_pan_and_space_alone_plays(view: ScreenView, qtbot: QtBot) -> None:
    turn_wheel(view, QPointF(430, 330), 6)
    left = view.viewport.left
    press(view, Qt.Key.Key_Space)
    drag(view, QPointF(430, 330), QPointF(400, 330), LEFT)
    with qtbot.assertNotEmitted(view.space_tapped):
        let_go(view, Qt.Key.Key_Space)
    assert view.viewport.left - left == -30
    press(view, Qt.Key.Key_Space)
    with qtbot.waitSignal(view.space_tapped):
        let_go(view, Qt.Key.Key_Space)


def test_a_double_click_changes_between_fit_and_full_size(view: ScreenView) -> None:
    place = QPointF(430, 200)
    before = view.viewport.to_picture(430, 200)
    mouse(view, QEvent.Type.MouseButtonDblClick, place, LEFT)
    assert view.viewport.percent == pytest.approx(100)
    after = view.viewport.to_picture(430, 200)
    assert (after.x, after.y) == pytest.approx((before.x, before.y), abs=1.0)
    mouse(view, QEvent.Type.MouseButtonDblClick, place, LEFT)
    assert view.viewport.fit


def test_zoom_to_marks_brings_them_all_into_view(view: ScreenView) -> None:
    view.show_step(content(PointMark(Layer.REFERENCE, at(390, 20)), PointMark(Layer.RUN_A, at(380, 90))))
    view.zoom_to_marks()
    for point in (at(390, 20), at(380, 90)):
        x, y = view.viewport.to_view(point)
        assert 0 < x < view.width() and 0 < y < view.height()
    assert view.viewport.percent == pytest.approx(200)


def test_the_readout_tells_pixel_and_element(view: ScreenView, qtbot: QtBot) -> None:
    asked: list[Point] = []
    view.set_readout_source(lambda point: (asked.append(point), "guidebook · TextView")[1])
    corner = QPoint(20, view.height() - 26)
    before = grabbed(view).pixelColor(corner)
    with qtbot.waitSignal(view.hovered) as hovered:
        mouse(view, QEvent.Type.MouseMove, QPointF(*view.viewport.to_view(at(100.5, 200.5))), Qt.MouseButton.NoButton)
    assert (int(hovered.args[0].x), int(hovered.args[0].y)) == (100, 200)
    assert asked == [hovered.args[0]]
    assert grabbed(view).pixelColor(corner) != before
    with qtbot.waitSignal(view.hovered) as gone:
        QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert gone.args == [None]
    assert grabbed(view).pixelColor(corner) == before


def test_element_boxes_light_up(view: ScreenView) -> None:
    plain = colour(view, at(120, 220))
    view.set_hover_box(Box(100, 200, 300, 400, PHONE))
    assert colour(view, at(120, 220)) != plain
    view.set_hover_box(None)
    view.set_selected_box(Box(100, 200, 300, 400, PHONE))
    assert colour(view, at(120, 220)) != plain
    view.show_step(content())
    assert colour(view, at(120, 220)) == plain


def test_the_selected_element_is_named_beside_its_box(view: ScreenView) -> None:
    """Over its box where there is room, else below its upper edge."""
    for top, inside in ((200, False), (0, True)):
        box = Box(100, top, 300, top + 200, PHONE)
        view.set_selected_box(box)
        edge = view._viewport.rect_of(box)
        name = QRect(round(edge.left), round(edge.top) + (4 if inside else -22), 60, 18)
        plain = view.grab(name).toImage()
        view.set_selected_box(box, "Search · Button · 1 of 3 here")
        assert view.grab(name).toImage() != plain


# States


def test_the_old_picture_is_dimmed_only_after_a_while(view: ScreenView, qtbot: QtBot) -> None:
    view.set_loading(True)
    assert colour(view, at(200, 300)) == QColor(250, 250, 250)
    qtbot.waitUntil(lambda: colour(view, at(200, 300)).red() < 200)
    view.show_step(content())
    assert colour(view, at(200, 300)) == QColor(250, 250, 250)


def test_a_quick_picture_is_never_dimmed(view: ScreenView) -> None:
    view.set_loading(True)
    view.set_loading(False)
    assert not view._loading.isActive()
    assert colour(view, at(200, 300)) == QColor(250, 250, 250)


def test_an_error_stands_in_the_pictures_place(view: ScreenView, qtbot: QtBot) -> None:
    view.set_error("Cannot read step 3", "3.png is cut short.", "details to copy")
    buttons = {button.text(): button for button in view.findChildren(QPushButton) if button.isVisible()}
    assert set(buttons) == {"Show file", "Copy details"}
    buttons["Copy details"].click()
    assert QGuiApplication.clipboard().text() == "details to copy"
    with qtbot.waitSignal(view.show_file_wanted):
        buttons["Show file"].click()
    with qtbot.assertNotEmitted(view.clicked):
        click(view, QPointF(430, 60))
    view.show_step(content())
    assert not any(button.isVisible() for button in view.findChildren(QPushButton))


def test_an_empty_view_says_why_and_what_to_do(view: ScreenView, qtbot: QtBot) -> None:
    view.set_empty("No episode matches.", "Clear filter")
    (button,) = [button for button in view.findChildren(QPushButton) if button.isVisible()]
    with qtbot.waitSignal(view.empty_action_wanted):
        button.click()
    assert view.content is None
    view.set_empty("No step.")
    assert not button.isVisible()


def test_the_screen_reads_out_what_it_shows(view: ScreenView) -> None:
    view.describe("Step 3 of 5. Reference tap, Lesson oval. Run A hit.")
    assert view.accessibleName() == "Screen"
    assert view.accessibleDescription().startswith("Step 3 of 5.")


def test_a_theme_change_reaches_the_canvas(view: ScreenView) -> None:
    theme.set_current(theme.LIGHT)
    try:
        assert grabbed(view).pixelColor(2, 2) == QColor(theme.LIGHT.canvas)
    finally:
        theme.set_current(theme.DARK)
