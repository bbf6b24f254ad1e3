"""One browser for all tests of a worker: starting one takes most of a second."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator

import pytest

from core.webtask.browser import Browser, OpenPage
from core.webtask.page import PageSource

Opens = Callable[..., OpenPage]


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
