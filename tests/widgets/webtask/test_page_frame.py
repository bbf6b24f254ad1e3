"""Where a page lies and how large it is drawn, at sizes a person worked out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.geometry import Box, Size
from widgets.webtask.page_frame import LEAST_WIDTH, ZOOMS, frame_in, next_zoom


@pytest.mark.parametrize(
    ("view", "ratio", "zoom", "viewport", "pixels"),
    [
        ((632, 432), 1.0, None, (600, 400), (600, 400)),
        ((632, 432), 2.0, None, (600, 400), (1200, 800)),
        ((632, 432), 1.0, 2.0, (300, 200), (600, 400)),
        ((632, 432), 1.5, 0.5, (1200, 800), (900, 600)),
        ((272, 232), 1.0, None, (480, 400), (240, 200)),
    ],
    ids=["as it is", "fine display", "larger", "smaller on a finer one", "never narrower than it is readable"],
)
def test_a_page_fills_the_view_and_is_drawn_for_its_pixels(
    view: tuple[int, int], ratio: float, zoom: float | None, viewport: tuple[int, int], pixels: tuple[int, int]
) -> None:
    frame = frame_in(*view, ratio, zoom=zoom)
    assert frame.wanted.viewport == Size(*viewport)
    assert frame.wanted.pixels == pixels


def test_a_page_of_a_fixed_size_is_shown_whole_in_the_middle() -> None:
    """600 × 400 for 1280 × 800: 600 / 1280 = 0.46875; at 375 high it begins at the margins. 300 wide: 150 free."""
    frame = frame_in(632, 432, 1.0, fixed=Size(1280, 800))
    assert (frame.left, frame.top, frame.zoom) == (16, 16, 0.46875)
    small = frame_in(632, 432, 1.0, fixed=Size(300, 200))
    assert (small.left, small.zoom) == (16 + 150, 1.0)


def test_places_of_the_view_are_pixels_of_the_screen_and_boxes_those_of_the_document() -> None:
    frame = frame_in(632, 432, 1.0, zoom=2.0)
    assert frame.to_page(16 + 50, 16 + 70) == (25, 35)
    scrolled = frame_in(632, 432, 1.0, zoom=2.0)
    scrolled = type(scrolled)(scrolled.left, scrolled.top, scrolled.zoom, 1.0, scrolled.viewport, x=10, y=100)
    place = scrolled.rect_of(Box(20, 130, 70, 150, Size(600, 1500)))
    assert (place.left, place.top, place.right, place.bottom) == (36, 76, 136, 116)


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
    wide, high = frame.wanted.pixels
    least = 64 * frame.wanted.scale
    assert wide <= max(least, (width - 32) * ratio) + 1
    assert high <= max(least, (height - 32) * ratio) + 1
    assert zoom is not None or frame.viewport.width >= min(LEAST_WIDTH, width - 32) - 1
    x, y = frame.to_page(frame.left + 7 * frame.zoom, frame.top + 9 * frame.zoom)
    assert (x, y) == pytest.approx((7, 9))
