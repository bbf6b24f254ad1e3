"""Arithmetic of zoom and pan."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.widgets.screen.viewport import FitMode, Viewport

PHONE = Size(1080, 2400)
sizes = st.builds(Size, st.integers(20, 4000), st.integers(20, 10_000))
ratios = st.sampled_from([1.0, 1.25, 1.5, 2.0])


@st.composite
def viewports(draw: st.DrawFn) -> Viewport:
    made = Viewport(draw(st.integers(200, 2000)), draw(st.integers(200, 1400)), draw(ratios), draw(sizes))
    return made.zoomed(draw(st.floats(0.2, 40)), draw(st.floats(0, 200)), draw(st.floats(0, 200)))


def test_a_phone_fits_as_in_the_drawing() -> None:
    place = Viewport(860, 660, 1.0, PHONE)
    assert place.percent == pytest.approx(26.33, abs=0.01)
    before, after = place.sides(PHONE, PHONE)
    assert before is not None and after is not None
    assert before.width == pytest.approx(200, abs=1)
    assert before.height == pytest.approx(444, abs=1)
    assert place.picture.left - before.right == pytest.approx(44, abs=1)
    assert after.left - place.picture.right == pytest.approx(44, abs=1)


@given(st.integers(60, 3000), st.integers(60, 2000), sizes, st.booleans())
def test_a_fitted_picture_is_inside_the_view_in_the_middle(width: int, height: int, size: Size, beside: bool) -> None:
    place = Viewport(width, height, 1.0, size, beside, by=FitMode.WHOLE).picture
    assert place.left >= -1 and place.top >= -1
    assert place.right <= width + 1 and place.bottom <= height + 1
    assert (place.left + place.right) / 2 == pytest.approx(width / 2, abs=1)


@given(viewports(), st.floats(0, 1), st.floats(0, 1))
def test_a_place_comes_back_from_the_view_as_it_went(place: Viewport, x: float, y: float) -> None:
    point = Point.from_fraction(x, y, place.size)
    back = place.to_picture(*place.to_view(point))
    assert (back.x, back.y) == pytest.approx((point.x, point.y), abs=1e-6)


@given(st.floats(0.3, 3), st.floats(0, 1), st.floats(0, 1), ratios)
def test_zooming_keeps_what_is_under_the_pointer(factor: float, x: float, y: float, ratio: float) -> None:
    place = Viewport(860, 660, ratio, PHONE).zoomed(4, 430, 330)
    picture = place.picture
    at = (max(0.0, picture.left) + x * 200, max(0.0, picture.top) + y * 200)
    before, after = place.to_picture(*at), place.zoomed(factor, *at)
    moved = after.to_picture(*at)
    one_device_pixel = 1 / ratio / after.zoom
    if 0 < after.x < 1 and 0 < after.y < 1:
        assert (moved.x, moved.y) == pytest.approx((before.x, before.y), abs=one_device_pixel)


@given(viewports())
def test_the_picture_begins_on_a_device_pixel(place: Viewport) -> None:
    assert place.left * place.ratio == pytest.approx(round(place.left * place.ratio), abs=1e-6)


def test_a_picture_of_the_same_size_leaves_everything_as_it_is() -> None:
    place = Viewport(860, 660, 1.0, PHONE).zoomed(5, 300, 200)
    assert place.with_picture(Size(1080, 2400)) is place


def test_a_picture_of_another_size_is_shown_at_the_same_fractions() -> None:
    place = Viewport(860, 660, 1.0, PHONE).zoomed(5, 300, 200)
    other = place.with_picture(Size(540, 1200))
    assert (other.x, other.y) == (place.x, place.y)
    assert other.picture.width == pytest.approx(place.picture.width)
    assert Viewport(860, 660, 1.0, PHONE).with_picture(Size(540, 1200)).fit


def test_pages_as_wide_keep_their_scale_and_place() -> None:
    place = Viewport(860, 660, 1.0, Size(1280, 5808)).actual_size(430, 330).panned(0, -400)
    other = place.with_picture(Size(1280, 4000))
    assert other.zoom == place.zoom == 1.0
    assert other.top == pytest.approx(place.top, abs=1)


def test_a_picture_of_another_shape_is_fitted_anew() -> None:
    assert Viewport(860, 660, 1.0, PHONE).zoomed(5, 300, 200).with_picture(Size(2400, 1080)).fit


def test_a_very_tall_page_is_fitted_by_its_width_from_its_top_on() -> None:
    page = Viewport(760, 660, 1.0, Size(1280, 20_000))
    assert page.fit_words == "Fit width"
    assert page.percent == pytest.approx(100 * (760 - 28) / 1280)
    assert page.top == 14
    whole = page.fitted_otherwise()
    assert (whole.fit_words, whole.picture.height) == ("Fit", pytest.approx(632))
    assert whole.fitted_otherwise() == replace(page, by=FitMode.WIDTH)
    assert whole.zoomed(2, 1, 1).fitted().fit_words == "Fit width"


@pytest.mark.parametrize("size", [PHONE, Size(1440, 3120), Size(1920, 1080), Size(600, 1500), Size(300, 1000)])
def test_screens_are_fitted_whole(size: Size) -> None:
    assert Viewport(1100, 500, 1.0, size).fit_words == "Fit"


def test_a_width_is_not_enlarged() -> None:
    assert Viewport(1600, 600, 2.0, Size(1000, 9000)).percent == 100


def test_the_neighbours_of_a_tall_page_lie_beside_it() -> None:
    page = Viewport(760, 660, 1.0, Size(1280, 20_000))
    before, after = page.sides(PHONE, Size(1280, 20_000))
    assert before is not None and before.right <= page.left - page.gap + 1
    assert after is None


def test_panning_cannot_lose_the_picture() -> None:
    place = Viewport(860, 660, 1.0, PHONE).zoomed(3, 430, 330).panned(-1e6, 1e6)
    assert (place.x, place.y) == (1.0, 0.0)


def test_zoom_has_ends() -> None:
    place = Viewport(860, 660, 2.0, PHONE)
    assert place.zoomed(1e9, 0, 0).percent == pytest.approx(3200)
    assert place.zoomed(1e-9, 0, 0).percent == pytest.approx(2)


def test_a_hundred_percent_is_one_device_pixel_for_a_pixel() -> None:
    place = Viewport(860, 660, 2.0, PHONE).actual_size(430, 330)
    assert place.percent == 100
    assert place.zoom == 0.5


def test_zooming_to_a_box_shows_it_whole() -> None:
    box = Box(900, 100, 1000, 2000, PHONE)
    place = Viewport(860, 660, 1.0, PHONE).showing(box)
    shown = place.rect_of(box)
    assert shown.left >= 79 and shown.top >= 79 and shown.right <= 781 and shown.bottom <= 581


def test_an_enlarged_picture_pushes_its_neighbours_out() -> None:
    fitted = Viewport(860, 660, 1.0, PHONE)
    large = fitted.zoomed(2, 430, 330)
    before, after = large.sides(PHONE, PHONE)
    first, _ = fitted.sides(PHONE, PHONE)
    assert before is not None and after is not None and first is not None
    assert before.right <= large.picture.left
    assert after.left >= large.picture.right
    assert before.width == first.width


def test_neighbours_without_room_are_left_out() -> None:
    assert Viewport(200, 660, 1.0, PHONE).sides(PHONE, PHONE) == (None, None)
    assert Viewport(860, 660, 1.0, PHONE).sides(None, None) == (None, None)


def test_a_picture_in_steps_is_a_multiple_of_them_wide_below_100_percent() -> None:
    """324 high leaves 300 for 800: 150 of 400 would fit; 144 is the next of 8. Doubled that is 288 of itself."""
    view = Viewport(500, 324, 1.0, Size(400, 800), beside=False, margin=12, side=12, step=8)
    assert view.picture.width == pytest.approx(144)
    assert view.zoomed(2.0, 250, 160).picture.width == pytest.approx(288)
    assert view.zoomed(1.25, 250, 160).picture.width == pytest.approx(184)  # of 180: 22.5 steps round up
    assert view.zoomed(8.0, 250, 160).picture.width == pytest.approx(8 * 144)  # above 100 % as it is
