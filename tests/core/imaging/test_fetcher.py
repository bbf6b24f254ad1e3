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
from stepscope.core.imaging.cache import Gate, PictureCache, may_take_its_time, stand_back
from stepscope.core.imaging.fetcher import Fetcher, PictureRequest
from stepscope.core.imaging.parts import Pixels

WAIT = 20.0


def picture(name: str) -> Picture:
    return Picture(Path(name), Size(10, 10))


class Bench:
    """A fetcher with a cache whose decoder may be held back; names that begin with "bad" are damaged."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.passed: list[str] = []
        self.begun = threading.Semaphore(0)
        self.free = threading.Event()
        self.free.set()
        self.gate = Gate()
        self.cache: PictureCache[Pixels] = PictureCache(self._decode, 9000, self.gate)
        self.fetcher: Fetcher[Pixels] = Fetcher(self.gate, ("screen", "strip"))

    def _decode(self, wanted: Picture, _max_size: Size | None) -> Pixels:
        self.asked.append(wanted.path.name)
        self.begun.release()
        assert self.free.wait(WAIT)
        stand_back()
        self.passed.append(wanted.path.name)
        if wanted.path.name.startswith("bad"):
            raise SourceError("damaged", place=wanted.path)
        return np.zeros((10, 10, 3), np.uint8)

    def wishes(self, *names: str) -> list[PictureRequest[Pixels]]:
        return [PictureRequest(self.cache, picture(name)) for name in names]

    def idle(self) -> bool:
        return self.fetcher.wait_until_idle(WAIT)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.free.set()
    made.fetcher.close()


def test_pictures_are_kept_and_damaged_ones_passed_over(bench: Bench) -> None:
    bench.fetcher.request("screen", bench.wishes("a", "bad", "b"))
    assert bench.idle()
    assert [name for name in ("a", "bad", "b") if bench.cache.peek(picture(name)) is not None] == ["a", "b"]


def test_who_wished_is_told(bench: Bench) -> None:
    told: list[Pixels] = []
    bench.cache.put(picture("kept"), None, np.ones((1, 1, 3), np.uint8))
    names = ("a", "bad", "kept")
    bench.fetcher.request("screen", [PictureRequest(bench.cache, picture(name), None, told.append) for name in names])
    assert bench.idle()
    assert [pixels.shape for pixels in told] == [(10, 10, 3), (1, 1, 3)]


def test_a_new_wish_replaces_what_has_not_begun(bench: Bench) -> None:
    bench.free.clear()
    bench.fetcher.request("screen", bench.wishes("a", "b"))
    assert bench.begun.acquire(timeout=WAIT)
    bench.fetcher.request("screen", bench.wishes("c"))
    bench.free.set()
    assert bench.idle()
    assert bench.asked == ["a", "c"]


def test_the_first_queue_comes_first_and_another_can_be_added_to(bench: Bench) -> None:
    bench.free.clear()
    bench.fetcher.want_more("strip", bench.wishes("1"))
    assert bench.begun.acquire(timeout=WAIT)
    bench.fetcher.want_more("strip", bench.wishes("2"))
    bench.fetcher.want_more("strip", bench.wishes("3"))
    bench.fetcher.request("screen", bench.wishes("a"))
    bench.free.set()
    assert bench.idle()
    assert bench.asked == ["1", "a", "2", "3"]


def test_a_queue_can_be_dropped(bench: Bench) -> None:
    bench.free.clear()
    bench.fetcher.want_more("strip", bench.wishes("1", "2"))
    assert bench.begun.acquire(timeout=WAIT)
    bench.fetcher.drop("strip")
    bench.free.set()
    assert bench.idle()
    assert bench.asked == ["1"]


def test_one_decodes_at_a_time_and_two_for_who_is_in_a_hurry(bench: Bench) -> None:
    bench.free.clear()
    bench.fetcher.request("screen", bench.wishes("a", "b", "c", "d"), threads=2)
    assert bench.begun.acquire(timeout=WAIT)
    assert bench.begun.acquire(timeout=WAIT)
    assert set(bench.asked) == {"a", "b"}
    bench.fetcher.request("screen", bench.wishes("e"), threads=1)
    bench.free.set()
    assert bench.idle()
    assert bench.asked[2:] == ["e"]


def test_fetching_stands_back_for_who_waits(bench: Bench) -> None:
    bench.free.clear()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(bench.cache.get, picture("now"))
        assert bench.begun.acquire(timeout=WAIT)
        bench.fetcher.request("screen", bench.wishes("later"))
        assert not bench.fetcher.wait_until_idle(0)
        assert not bench.gate.is_free
        bench.free.set()
        waiting.result(WAIT)
    assert bench.idle()
    assert bench.asked == ["now", "later"]


def test_what_is_half_fetched_stands_back_for_who_waits(bench: Bench) -> None:
    bench.free.clear()
    bench.fetcher.request("screen", bench.wishes("ahead"))
    assert bench.begun.acquire(timeout=WAIT)
    with bench.gate.waiting():
        bench.free.set()
        bench.cache.get(picture("now"))
        assert bench.passed == ["now"]
    assert bench.idle()
    assert bench.passed == ["now", "ahead"]


def test_what_is_half_fetched_goes_on_for_who_waits_for_it(bench: Bench) -> None:
    bench.free.clear()
    bench.fetcher.request("screen", bench.wishes("ahead"))
    assert bench.begun.acquire(timeout=WAIT)
    with bench.gate.waiting(), ThreadPoolExecutor(1) as pool:
        bench.free.set()
        assert pool.submit(bench.cache.get, picture("ahead")).result(WAIT).shape == (10, 10, 3)
    assert bench.asked == ["ahead"]


def test_nothing_is_fetched_after_closing(bench: Bench) -> None:
    bench.fetcher.close()
    bench.fetcher.request("screen", bench.wishes("a"))
    assert bench.asked == []


def test_what_nobody_waits_for_nor_hurries_to_may_take_its_time(bench: Bench) -> None:
    told: dict[str, bool] = {}
    decode = bench._decode

    def noting(wanted: Picture, size: Size | None) -> Pixels:
        told[wanted.path.name] = may_take_its_time()
        return decode(wanted, size)

    bench.cache._decode = noting
    bench.fetcher.request("screen", bench.wishes("beside"))
    assert bench.idle()
    bench.fetcher.request("screen", bench.wishes("hurried", "to"), threads=2)
    assert bench.idle()
    bench.cache.get(picture("waited for"))
    assert told == {"beside": True, "hurried": False, "to": False, "waited for": False}
