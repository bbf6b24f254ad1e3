from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.imaging.diff import BLOCK, MOST_REGIONS, THRESHOLD, changed_blocks, changed_regions

SIZE = Size(108, 240)
WHITE = np.full((240, 108, 3), 255, np.uint8)


def with_patch(left: int, top: int, right: int, bottom: int, shade: int = 0) -> np.ndarray:
    pixels = WHITE.copy()
    pixels[top:bottom, left:right] = shade
    return pixels


def test_the_same_picture_has_not_changed() -> None:
    assert changed_regions(WHITE, WHITE.copy()) == ()


def test_a_button_is_found_by_the_blocks_that_it_touches() -> None:
    """20..50 × 40..60 lies in the blocks 1..3 × 2..3, each 16 wide."""
    assert changed_regions(WHITE, with_patch(20, 40, 50, 60)) == (Box(16, 32, 64, 64, SIZE),)


def test_blocks_at_the_edge_are_cut_off_there() -> None:
    """The picture ends in the middle of its seventh column of blocks."""
    assert changed_regions(WHITE, with_patch(100, 230, 108, 240)) == (Box(96, 224, 108, 240, SIZE),)


def test_two_places_far_apart_are_two_regions_from_the_top() -> None:
    both = np.minimum(with_patch(0, 200, 16, 216), with_patch(80, 0, 96, 16))
    assert changed_regions(WHITE, both) == (Box(80, 0, 96, 16, SIZE), Box(0, 192, 16, 224, SIZE))


def test_faint_noise_and_single_pixels_are_no_change() -> None:
    noise = 255 - np.random.default_rng(0).integers(0, THRESHOLD + 1, WHITE.shape).astype(np.uint8)
    assert changed_regions(WHITE, noise) == ()
    assert changed_regions(WHITE, with_patch(50, 50, 53, 53)) == ()  # 9 of a block's 256, 3.5 %


def test_a_change_of_one_channel_counts() -> None:
    red = WHITE.copy()
    red[0:16, 0:16, 1:] = 0
    assert changed_regions(WHITE, red) == (Box(0, 0, 16, 16, SIZE),)


def test_a_picture_of_another_size_is_brought_to_this_one() -> None:
    assert changed_regions(np.full((120, 54, 3), 255, np.uint8), WHITE) == ()


def test_very_many_places_are_told_as_one() -> None:
    tall = np.full((4096, 64, 3), 255, np.uint8)
    dotted = tall.copy()
    for row in range(MOST_REGIONS + 1):
        dotted[row * 48 : row * 48 + 16, :16] = 0
    assert changed_regions(tall, dotted) == (Box(0, 0, 16, (MOST_REGIONS * 3 + 1) * BLOCK, Size(64, 4096)),)


@given(st.integers(0, 90), st.integers(0, 220), st.integers(4, 60), st.integers(4, 90))
def test_changed_blocks_cover_what_changed_and_reach_no_further_than_a_block(
    left: int, top: int, wide: int, tall: int
) -> None:
    pixels = with_patch(left, top, left + wide, top + tall)
    blocks = changed_blocks(WHITE, pixels)
    rows, columns = np.nonzero((pixels != WHITE).any(axis=2))
    touched = np.zeros_like(blocks)
    touched[rows // BLOCK, columns // BLOCK] = True
    assert not (blocks & ~touched).any()
    whole = [(y // BLOCK, x // BLOCK) for y, x in zip(rows, columns, strict=True)]
    counts = np.zeros(blocks.shape, int)
    np.add.at(counts, tuple(np.array(whole).T), 1)
    assert blocks[counts > BLOCK * BLOCK * 0.05].all()
