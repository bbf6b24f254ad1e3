"""Memory of pictures that nobody has any more is used again, and no other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.geometry import Size
from stepscope.core.imaging import pixel_memory
from stepscope.core.imaging.decode import decode_bytes
from stepscope.core.imaging.pixel_memory import LEAST, MOST_UNUSED, PixelMemory
from stepscope.core.imaging.resampling import resized


def place(pixels: np.ndarray) -> int:
    return int(pixels.__array_interface__["data"][0])


def test_what_nobody_has_is_used_again() -> None:
    memory = PixelMemory()
    first = memory.take(600, 400)
    before = place(first)
    del first
    assert place(memory.take(600, 398)) == before


def test_what_is_looked_at_in_part_is_not_used_again() -> None:
    memory = PixelMemory()
    first = memory.take(600, 400)
    row, before = first[10:11], place(first)
    row[:] = 7
    del first
    other = memory.take(600, 400)
    other[:] = 0
    assert place(other) != before and (row == 7).all()


def test_a_much_smaller_picture_gets_a_block_of_its_own() -> None:
    memory = PixelMemory()
    before = place(memory.take(1000, 1000))
    small = memory.take(300, 400)
    assert place(small) != before and memory.unused_bytes >= 3_000_000


def test_what_is_made_ready_is_what_the_next_one_gets() -> None:
    memory = PixelMemory()
    memory.get_ready(3 * 600 * 400)
    ready = memory.unused_bytes
    assert ready >= 3 * 600 * 400
    memory.get_ready(3 * 600 * 400)
    assert memory.unused_bytes == ready
    kept = memory.take(600, 400)
    assert memory.unused_bytes == 0 and kept.shape == (600, 400, 3)


def test_small_ones_and_those_beyond_the_bound_are_not_kept() -> None:
    memory = PixelMemory()
    memory.get_ready(LEAST - 1)
    memory.get_ready(MOST_UNUSED + 1)
    assert memory.take(100, 100).shape == (100, 100, 3) and memory.unused_bytes == 0


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 3000), st.integers(1, 3000), st.booleans()), max_size=25))
def test_never_more_than_the_bound_is_kept_unused(taken: list[tuple[int, int, bool]]) -> None:
    memory, held = PixelMemory(), []
    for height, width, is_held in taken:
        pixels = memory.take(height, width)
        assert pixels.shape == (height, width, 3)
        if is_held:
            held.append(pixels)
        most = pixels.nbytes + 2**16
        del pixels
        assert memory.unused_bytes <= MOST_UNUSED + most
    places = sorted((place(one), one.nbytes) for one in held)
    assert all(here + size <= there for (here, size), (there, _) in pairwise(places))


def test_threads_never_share_a_block() -> None:
    memory = PixelMemory()

    def work(number: int) -> bool:
        whole = True
        for _ in range(40):
            mine = memory.take(300, 300)
            mine[:] = number
            memory.get_ready(mine.nbytes)
            whole = whole and bool((mine == number).all())
        return whole

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


@pytest.mark.parametrize("kind", [".jpg", ".png"])
def test_pictures_are_the_same_whatever_lay_in_the_memory_before(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = PixelMemory()
    for module in ("quick_decoders", "resampling"):
        monkeypatch.setattr(f"stepscope.core.imaging.{module}.pixel_memory", memory)
    random = np.random.default_rng(1)
    files = [cv2.imencode(kind, random.integers(0, 255, (700, 500, 3), np.uint8))[1].tobytes() for _ in range(3)]
    fresh = [decode_bytes(data).copy() for data in files]
    halves = [resized(pixels, Size(250, 350)).copy() for pixels in fresh]
    for data, pixels, half in zip(files, fresh, halves, strict=True):
        again = decode_bytes(data)
        assert np.array_equal(again, pixels) and np.array_equal(resized(again, Size(250, 350)), half)


def test_python_counts_one_more_where_a_block_is_looked_at() -> None:
    blocks = [np.empty(LEAST, np.uint8)]
    (alone,) = pixel_memory._references(blocks)
    part = blocks[0][:10]
    assert alone == pixel_memory._ALONE < pixel_memory._references(blocks)[0]
    assert part.size == 10
