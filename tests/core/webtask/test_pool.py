"""Browsers side by side: order, faults of one page, ends. Events steer the threads, never time."""

from __future__ import annotations

import threading
import time

import pytest

from stepscope.core.errors import UnavailableError
from stepscope.core.progress import CancelToken
from stepscope.core.webtask.page import PageGone, PageSource
from stepscope.core.webtask.pool import PagePool
from tests.core.webtask.fake import FakeBrowser, FakePage, field


def page(name: str) -> PageSource:
    return PageSource(name, "", ())


class Makers:
    """Makes browsers and remembers them."""

    def __init__(self, **how) -> None:
        self.made: list[FakeBrowser] = []
        self._how = how

    def __call__(self) -> FakeBrowser:
        self.made.append(FakeBrowser(lambda source: FakePage(field(source.title)), **self._how))
        return self.made[-1]


def open_one(browser, name: str) -> str:
    return browser.open(page(name)).look().fields[0].name


def test_answers_come_in_order_and_each_browser_has_its_share() -> None:
    makers = Makers()
    both = threading.Barrier(2, timeout=10)

    def work(browser, name: str) -> str:
        if name in "ab":
            both.wait()  # the first two only come through together
        return open_one(browser, name)

    pool = PagePool(2, make=makers)
    assert pool.each(work, "abcd") == list("abcd")
    assert [one.starts for one in makers.made] == [1, 1]
    assert sorted(source.title for one in makers.made for source in one.opened) == list("abcd")
    assert all(one.opened for one in makers.made)
    pool.close()
    assert all(one.closed for one in makers.made)


def test_what_breaks_costs_its_own_job_alone() -> None:
    pool = PagePool(1, make=Makers())

    def work(browser, name: str) -> str:
        if name == "b":
            raise PageGone("it hung")
        return open_one(browser, name)

    first, lost, third = pool.each(work, "abc")
    assert (first, third) == ("a", "c") and isinstance(lost, PageGone) and str(lost) == "it hung"
    pool.close()


def test_outcomes_come_one_by_one_and_a_slow_job_holds_up_no_other() -> None:
    last, second = threading.Event(), threading.Event()

    def work(browser, name: str) -> str:
        if name == "a":
            assert last.wait(10)  # until all others are done
        if name == "d":
            last.set()
        if name == "e":
            assert second.wait(10)  # until somebody has seen the second outcome
        return open_one(browser, name)

    pool = PagePool(2, make=Makers())
    seen = []
    for name in pool.in_order(work, "abcde"):
        seen.append(name)
        if name == "b":
            second.set()
    assert seen == list("abcde")
    pool.close()


def test_outcomes_one_by_one_end_with_a_cancelled_token() -> None:
    token, makers = CancelToken(), Makers()
    pool = PagePool(1, make=makers)
    seen = []
    for name in pool.in_order(open_one, "abc", token):
        seen.append(name)
        token.cancel()
    assert seen == ["a"]
    assert [one.closed for one in makers.made] == [True]
    pool.close()


def test_a_rest_ends_the_browsers_and_the_next_work_has_new_ones() -> None:
    makers = Makers()
    pool = PagePool(1, make=makers)
    pool.each(open_one, "a")
    pool.release()
    pool.release()
    assert [one.closed for one in makers.made] == [True]
    assert pool.each(open_one, "b") == ["b"]
    assert [one.closed for one in makers.made] == [True, False]
    pool.close()
    with pytest.raises(PageGone, match="closed"):
        pool.each(open_one, "c")


def test_a_cancelled_token_ends_the_waiting_within_a_second() -> None:
    makers = Makers(wait=threading.Event())
    pool, token = PagePool(2, make=makers), CancelToken()
    opening = threading.Event()

    def work(browser, name: str) -> str:
        opening.set()
        return open_one(browser, name)

    def cancel() -> None:
        opening.wait(10)
        token.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    began = time.monotonic()
    found = pool.each(work, "abcd", token)
    assert time.monotonic() - began < 1
    canceller.join()
    assert len(found) == 4 and all(isinstance(one, PageGone) for one in found)
    assert all(one.closed for one in makers.made)


def test_work_that_does_not_notice_its_end_holds_nobody_up() -> None:
    pool, token = PagePool(1, make=Makers()), CancelToken()
    stuck = threading.Event()

    def work(browser, name: str) -> str:
        token.cancel()
        stuck.wait(10)
        return name

    (lost,) = pool.each(work, "a", token)
    assert isinstance(lost, PageGone)
    stuck.set()
    pool.close()


def test_without_an_engine_it_says_so_and_leaves_nothing() -> None:
    class Without(FakeBrowser):
        def start(self) -> None:
            raise UnavailableError("There is no browser engine.", hint="Install it.")

    made: list[FakeBrowser] = []

    def make() -> FakeBrowser:
        made.append(Without(lambda source: FakePage()))
        return made[-1]

    with pytest.raises(UnavailableError, match="no browser engine"):
        PagePool(2, make=make).start()
    assert all(one.closed for one in made)


def test_one_browser_of_two_is_enough_to_begin() -> None:
    made: list[FakeBrowser] = []

    def make() -> FakeBrowser:
        made.append(FakeBrowser(lambda source: FakePage(field(source.title)), start="" if made else "it crashed"))
        return made[-1]

    pool = PagePool(2, make=make)
    assert pool.each(open_one, "abc") == list("abc")
    pool.close()
    with pytest.raises(PageGone, match="it crashed"):
        PagePool(2, make=Makers(start="it crashed")).start()
