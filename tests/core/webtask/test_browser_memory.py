"""Pages that take all they can get are ended at their limit, and nobody else notices."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from stepscope.core import limits
from stepscope.core.webtask.actions import GetHtml
from stepscope.core.webtask.browser import Browser
from stepscope.core.webtask.events import PageEvent, PageProcessEnded
from stepscope.core.webtask.page import PageError, PageGone, PageLook, PageSource
from stepscope.core.webtask.pool import PageBrowser, PagePool
from tests.core.webtask.conftest import until

FIELD = '<!doctype html><input name="f" value="here">'
GROWING = FIELD + "<script>const kept = []; setInterval(() => kept.push(new Uint8Array(8e6).fill(7)), 5)</script>"
MOST = 700 << 20
WORDS = r"The page took more than 700 MB of memory \(.*\) and was ended\. The limit is 700 MB; .*--limit-page-memory"
linux = pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is known on Linux")


@pytest.fixture
def limited() -> Iterator[None]:
    limits.choose({"page-memory": MOST, "page-answer-bytes": 4 << 20})
    yield
    limits.choose({})


@pytest.fixture
def browser(limited: None) -> Iterator[Browser]:
    pytest.importorskip("PySide6")
    heard: list[PageEvent] = []
    one = Browser(heard=heard.append)
    one.heard = heard  # type: ignore[attr-defined]
    yield one
    one.close()


def looked(browser: Browser, html: str) -> PageLook:
    return browser.open(PageSource("test", html, ("f",))).look()


@linux
@pytest.mark.timeout(120)
def test_a_page_that_grows_is_ended_and_the_next_one_opens(browser: Browser) -> None:
    with pytest.raises(PageGone, match=WORDS):
        page = browser.open(PageSource("test", GROWING, ("f",)))
        until(lambda: page.look() is None, 60)
    ends = [event.why for event in browser.heard if isinstance(event, PageProcessEnded)]  # type: ignore[attr-defined]
    assert len(ends) == 1 and "--limit-page-memory" in ends[0]
    assert looked(browser, FIELD).values == {"f": "here"}


@linux
@pytest.mark.timeout(120)
def test_in_a_pool_it_costs_its_own_work_alone(limited: None) -> None:
    pytest.importorskip("PySide6")

    def work(browser: PageBrowser, html: str) -> dict[str, str]:
        page = browser.open(PageSource("test", html, ("f",)))
        if html == GROWING:
            until(lambda: page.look() is None, 60)
        return page.look().values

    pool = PagePool(1)
    try:
        grown, after = pool.each(work, [GROWING, FIELD])
    finally:
        pool.close()
    assert isinstance(grown, PageGone) and "--limit-page-memory" in str(grown)
    assert after == {"f": "here"}


@pytest.mark.parametrize(
    "script",
    [
        "document.querySelector('input').value = 'x'.repeat(5e6)",
        "document.querySelector('input').value = '\\u0001'.repeat(1e6)",
        "document.title = 'x'.repeat(5e6)",
    ],
)
def test_what_a_page_says_has_an_end(browser: Browser, script: str) -> None:
    page = browser.open(PageSource("test", f"{FIELD}<script>{script}</script>", ("f",)))
    with pytest.raises(PageError, match=r"answers with more than 4 MB\. The limit is 4 MB; .*page-answer-bytes"):
        page.look()
    assert browser.pid is not None
    assert looked(browser, FIELD).values == {"f": "here"}


def test_so_has_its_html(browser: Browser) -> None:
    html = f"{FIELD}<p id=p></p><script>p.textContent = 'x'.repeat(5e6)</script>"
    page = browser.open(PageSource("test", html, ("f",)))
    with pytest.raises(PageError, match="answers with more than 4 MB"):
        page.do(GetHtml())
    assert page.look().values == {"f": "here"}
