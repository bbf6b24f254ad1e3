from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.cache import PictureCache
from stepscope.core.imaging.parts import Pixels

WAIT = 20.0


def picture(name: str) -> Picture:
    return Picture(Path(name), Size(10, 10))


class Decoder:
    """Counts what it decodes; may be held back, and fails on names that begin with "bad"."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begun = threading.Semaphore(0)
        self.free = threading.Event()
        self.free.set()

    def __call__(self, wanted: Picture, _max_size: Size | None) -> Pixels:
        self.asked.append(wanted.path.name)
        self.begun.release()
        assert self.free.wait(WAIT)
        if wanted.path.name.startswith("bad"):
            raise SourceError("damaged", place=wanted.path)
        return np.zeros((10, 10, 3), np.uint8)


@pytest.fixture
def decoder() -> Decoder:
    return Decoder()


@pytest.fixture
def cache(decoder: Decoder) -> Iterator[PictureCache]:
    """Room for three pictures."""
    yield PictureCache(decoder, 900)
    decoder.free.set()


def test_a_picture_is_decoded_once(cache: PictureCache, decoder: Decoder) -> None:
    assert cache.get(picture("a")) is cache.get(picture("a"))
    assert decoder.asked == ["a"]
    assert (cache.statistics.hits, cache.statistics.misses) == (1, 1)


def test_what_was_not_used_longest_goes_first(cache: PictureCache, decoder: Decoder) -> None:
    for name in "abcad":
        cache.get(picture(name))
    assert [name for name in "abcd" if cache.peek(picture(name)) is not None] == ["a", "c", "d"]
    assert cache.statistics.bytes == 900


def test_a_picture_beyond_the_bound_is_given_but_not_kept(decoder: Decoder) -> None:
    small = PictureCache(decoder, 100)
    assert small.get(picture("a")).shape == (10, 10, 3)
    assert small.statistics.bytes == 0


def test_sizes_are_kept_apart(cache: PictureCache, decoder: Decoder) -> None:
    cache.get(picture("a"))
    cache.get(picture("a"), Size(5, 5))
    assert decoder.asked == ["a", "a"]


def test_many_who_want_one_picture_wait_for_one_decoding(cache: PictureCache, decoder: Decoder) -> None:
    decoder.free.clear()
    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(cache.get, picture("a")) for _ in range(8)]
        assert decoder.begun.acquire(timeout=WAIT)
        decoder.free.set()
        assert len({id(answer.result(WAIT)) for answer in answers}) == 1
    assert decoder.asked == ["a"]


def test_a_failure_reaches_all_who_wait_and_is_tried_again(cache: PictureCache, decoder: Decoder) -> None:
    decoder.free.clear()
    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(cache.get, picture("bad")) for _ in range(2)]
        assert decoder.begun.acquire(timeout=WAIT)
        decoder.free.set()
        for answer in answers:
            with pytest.raises(SourceError):
                answer.result(WAIT)
    before = len(decoder.asked)
    with pytest.raises(SourceError):
        cache.get(picture("bad"))
    assert len(decoder.asked) == before + 1


def test_a_changed_file_is_forgotten(cache: PictureCache, decoder: Decoder) -> None:
    cache.get(picture("a"))
    cache.forget(Path("a"))
    assert cache.peek(picture("a")) is None
    assert cache.statistics.bytes == 0


def test_a_smaller_bound_frees_memory_at_once(cache: PictureCache, decoder: Decoder) -> None:
    for name in "abc":
        cache.get(picture(name))
    cache.set_limit(300)
    assert (cache.statistics.bytes, cache.statistics.pictures) == (300, 1)
    cache.clear()
    assert cache.statistics.bytes == 0


def test_what_came_about_elsewhere_is_kept_once(cache: PictureCache, decoder: Decoder) -> None:
    for _ in range(2):
        cache.put(picture("a"), None, np.zeros((10, 10, 3), np.uint8))
    assert cache.statistics.bytes == 300
    assert cache.is_at_hand(picture("a"))
    assert not cache.is_at_hand(picture("b"))
    cache.get(picture("a"))
    assert decoder.asked == []


def test_the_owner_hears_of_what_was_decoded(decoder: Decoder) -> None:
    heard: list[str] = []
    cache = PictureCache(decoder, 900, kept=lambda picture, _size, _pixels: heard.append(picture.path.name))
    for name in ("a", "a", "b"):
        cache.get(picture(name))
    assert heard == ["a", "b"]
