"""One browser for all tests of a worker: starting one takes most of a second."""

from __future__ import annotations

import importlib.util
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from stepscope.core.webtask.browser import Browser, OpenPage
from stepscope.core.webtask.page import PageSource

Opens = Callable[..., OpenPage]


def until(fact: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait for a fact about a page, which tells nobody of it."""
    end, pause = time.monotonic() + seconds, threading.Event()
    while not fact():
        assert time.monotonic() < end, "it did not come about"
        pause.wait(0.02)


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[Browser]:
    """A browser that runs; it starts again by itself after a page was killed. Tests leave it at 1280 × 800."""
    if importlib.util.find_spec("PySide6") is None:
        pytest.skip("there is no browser engine (PySide6)")
    browser = Browser()
    browser.start()
    yield browser
    browser.close()


@pytest.fixture
def opened(shared_browser: Browser) -> Opens:
    """`opened(html, names)`: the page, open in the shared browser."""

    def open_page(html: str, names: tuple[str, ...] = (), **how: float) -> OpenPage:
        return shared_browser.open(PageSource("test", html, names), **how)

    return open_page
