"""A page as it is shown, as a file: with nothing filled in, or after what was done to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager

from stepscope.app.services.webtask.tasks import read_page
from stepscope.core.sources.source import Source
from stepscope.core.webtask.actions import CHANGES, CaptureScreen, GetHtml
from stepscope.core.webtask.browser import Browser, OpenPage
from stepscope.core.webtask.page import ExecutedCall, PageError
from stepscope.core.webtask.rendering import render


def page_picture(
    source: Source, instance_id: str, log: Sequence[ExecutedCall] = (), *, allowed: Collection[str] = ()
) -> tuple[bytes, tuple[str, ...]]:
    """A PNG of the whole page after the calls of the log, and what of them could not be done again, in words.

    Raises UsageError for an instance that there is not, UnavailableError without a browser engine, PageGone.
    """
    with _brought(source, instance_id, log, allowed) as (page, problems):
        return page.do(CaptureScreen("page")).png, problems


def page_html(
    source: Source, instance_id: str, log: Sequence[ExecutedCall] = (), *, allowed: Collection[str] = ()
) -> tuple[bytes, tuple[str, ...]]:
    """The page's HTML in UTF-8, with what is filled in as attributes; else as `page_picture`."""
    with _brought(source, instance_id, log, allowed) as (page, problems):
        return page.do(GetHtml()).text.encode("utf-8", "replace"), problems


@contextmanager
def _brought(
    source: Source, instance_id: str, log: Sequence[ExecutedCall], allowed: Collection[str]
) -> Iterator[tuple[OpenPage, tuple[str, ...]]]:
    read = read_page(source, instance_id)
    problems = []
    with closing(Browser(allowed=allowed)) as browser:
        page = browser.open(render(read.task, read.instance.inputs))
        for one in log:
            if one.ok and isinstance(one.action, CHANGES):
                try:
                    page.do(one.action)
                except PageError as error:
                    problems.append(f"{one.action.name} could not be done again: {error.message}")
        yield page, tuple(problems)
