"""Parts of a large picture: what panning puts together is what is made at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect

from stepscope.core.domain.geometry import Size
from stepscope.widgets.screen import ScreenPicture
from stepscope.widgets.screen.parts import PartKeeper
from stepscope.widgets.screen.picture import memory_of

PICTURE = ScreenPicture.from_pixels(np.random.default_rng(3).integers(0, 255, (300, 200, 3), np.uint8))
corners = st.tuples(st.integers(0, 250), st.integers(0, 350))


@given(st.lists(corners, min_size=1, max_size=6), st.sampled_from([1.0, 1.37, 2.0]), st.integers(20, 150))
def test_panning_gives_what_making_it_whole_gives(places: list[tuple[int, int]], scale: float, side: int) -> None:
    keeper = PartKeeper()
    bound = QRect(0, 0, int(200 * scale), int(300 * scale))
    for x, y in places:
        area = QRect(x, y, side, side).intersected(bound)
        if not area.isValid():
            continue
        shown = keeper.image(PICTURE, scale, area, nearest=False)
        whole = PICTURE.part(area.left(), area.top(), Size(area.width(), area.height()), scale, nearest=False)
        difference = np.abs(memory_of(shown).astype(int) - memory_of(whole))[:, :, :3]
        assert difference.max() <= 2  # OpenCV counts in 32nds of a pixel from where it begins


def test_at_full_size_the_pixels_are_the_pictures() -> None:
    part = PICTURE.part(17, 40, Size(100, 90), 1.0, nearest=False)
    assert np.array_equal(memory_of(part)[:, :, 2::-1], PICTURE.levels[0][40:130, 17:117])


@pytest.mark.parametrize("times", [4, 8])
def test_large_pixels_are_squares(times: int) -> None:
    part = PICTURE.part(0, 0, Size(10 * times, 10 * times), times, nearest=True)
    expected = PICTURE.levels[0][:10, :10].repeat(times, 0).repeat(times, 1)
    assert np.array_equal(memory_of(part)[:, :, 2::-1], expected)


def test_another_picture_or_zoom_is_made_anew() -> None:
    keeper, area = PartKeeper(), QRect(0, 0, 50, 50)
    first = keeper.image(PICTURE, 1.0, area, nearest=False).copy()
    assert keeper.image(PICTURE, 1.0, area, nearest=False) == first
    assert keeper.image(PICTURE, 2.0, area, nearest=False) == PartKeeper().image(PICTURE, 2.0, area, nearest=False)
    assert keeper.image(PICTURE, 2.0, area, nearest=False) != first
