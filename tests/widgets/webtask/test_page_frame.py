"""Where a page lies and how large it is drawn, at sizes a person worked out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.geometry import Box, Size
from stepscope.widgets.webtask import RenderSize
from stepscope.widgets.webtask.page_frame import LEAST_WIDTH, ZOOMS, frame_in, next_zoom


@pytest.mark.parametrize(
    ("view", "ratio", "zoom", "viewport", "scale"),
    [
        ((632, 432), 1.0, None, (600, 400), 1.0),
        ((632, 432), 2.0, None, (1200, 800), 2.0),
        ((632, 432), 1.0, 2.0, (600, 400), 2.0),
        ((632, 432), 1.5, 0.5, (900, 600), 0.75),
        ((272, 232), 1.0, None, (240, 200), 0.5),
        ((9032, 5032), 1.0, None, (4096, 2304), 1.0),
    ],
    ids=["as it is", "fine display", "larger", "smaller on a finer one", "never too narrow to read", "never too large"],
)
def test_a_page_is_drawn_for_the_pixels_of_the_view(
    view: tuple[int, int], ratio: float, zoom: float | None, viewport: tuple[int, int], scale: float
) -> None:
    """The view without its margins of 16; 480 CSS pixels on 240 are at a scale of a half."""
    assert frame_in(*view, ratio, zoom=zoom).wanted == RenderSize(Size(*viewport), scale)


def test_a_page_of_a_fixed_size_is_shown_whole_in_the_middle() -> None:
    """600 × 400 for 1280 × 800: 600 / 1280 = 0.46875; at 375 high it begins at the margins. 300 wide: 150 free."""
    frame = frame_in(632, 432, 1.0, fixed=Size(1280, 800))
    assert (frame.left, frame.top, frame.shown, frame.scale) == (16, 16, 0.46875, 1.0)
    small = frame_in(632, 432, 2.0, fixed=Size(300, 200))
    assert (small.left, small.shown) == (16 + 150, 1.0)
    assert small.wanted == RenderSize(Size(300, 200), 1.0)


def test_places_of_the_view_are_pixels_of_the_picture_and_boxes_those_of_the_document() -> None:
    """On a display with two device pixels for each of the view's."""
    frame = replace(frame_in(632, 432, 2.0), x=10, y=100)
    assert frame.to_page(16 + 50, 16 + 70) == (100, 140)
    place = frame.rect_of(Box(20, 130, 70, 150, Size(600, 1500)))
    assert (place.left, place.top, place.right, place.bottom) == (21, 31, 46, 41)


def test_a_place_beside_the_page_is_its_nearest_pixel() -> None:
    frame = frame_in(632, 432, 1.0)
    assert frame.clamped(0, 431) == (0, 399)
    assert frame.clamped(631, 0) == (599, 0)
    assert not frame.holds(15.9, 200)
    assert frame.holds(16, 16)
    assert not frame.holds(616, 200)


def test_zooms_go_from_one_to_the_next_and_stop_at_the_ends() -> None:
    assert next_zoom(1.0, 1) == 1.1
    assert next_zoom(1.0, -2) == 0.8
    assert next_zoom(0.7, 1) == 0.75
    assert next_zoom(0.7, -1) == 0.67
    assert next_zoom(3.0, 4) == 3.0
    assert next_zoom(0.25, -1) == 0.25
    assert [next_zoom(one, 1) for one in ZOOMS[:-1]] == list(ZOOMS[1:])


@given(
    st.floats(33, 4000), st.floats(33, 3000), st.sampled_from([1.0, 1.25, 1.5, 1.75, 2.0, 3.0]),
    st.one_of(st.none(), st.sampled_from(ZOOMS)),
)  # fmt: skip
def test_a_page_never_needs_more_pixels_than_the_view_has(
    width: float, height: float, ratio: float, zoom: float | None
) -> None:
    frame = frame_in(width, height, ratio, zoom=zoom)
    wanted = frame.wanted
    assert wanted.viewport.width <= max(64, (width - 32) * ratio) + 1e-6
    assert wanted.viewport.height <= max(64, (height - 32) * ratio) + 1e-6
    assert zoom is None or wanted.scale == zoom * ratio
    assert zoom is not None or (width - 32) * ratio / wanted.scale >= LEAST_WIDTH - 1e-6
    x, y = frame.to_page(frame.left + 7 * frame.shown, frame.top + 9 * frame.shown)
    assert (x, y) == pytest.approx((7, 9))
