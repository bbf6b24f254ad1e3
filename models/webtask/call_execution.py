"""A model's calls done on a page, one after the other; what must not or cannot be done is kept back with why."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace

from stepscope.core.webtask.actions import FARTHEST, LONGEST_WAIT_SECONDS, Click, PageAction, WaitTillLoaded
from stepscope.core.webtask.page import ExecutedCall, Page, PageError
from stepscope.models.webtask.shots import PageShot, click_at

MOST = 300
"""Calls of one answer that are done at most: real pages have some dozens of fields (ours)."""


class CallExecution:
    """All answers about one page. `kept_back` has the calls that were not done; those that failed are in the page's own
    log."""

    def __init__(self, page: Page, names: Collection[str], offered: Collection[type[PageAction]]) -> None:
        """`names` are the page's answer fields, `offered` the actions that the model was told of."""
        self._page, self._names, self._offered = page, frozenset(names), frozenset(offered)
        self.kept_back: list[ExecutedCall] = []

    def do(self, calls: Iterable[tuple[PageAction, str]], asked: str = "", shot: PageShot | None = None) -> None:
        """The calls with the pieces of output that they come from; `asked`: only this field was asked about; `shot` is
        the picture that places are meant in. Raises PageGone."""
        for number, (action, raw) in enumerate(calls):
            why = "It is one call too many." if number >= MOST else self._why_not(action, asked, shot)
            if why:
                self._keep_back(action, raw, why)
                continue
            with suppress(PageError):  # the page has logged it; the rest is done all the same
                if isinstance(action, WaitTillLoaded):
                    action = replace(action, seconds=min(action.seconds, LONGEST_WAIT_SECONDS))
                if isinstance(action, Click) and shot is not None:
                    action = click_at(self._page, shot, action, raw)
                self._page.do(action, raw=raw)

    def _why_not(self, action: PageAction, asked: str, shot: PageShot | None) -> str:
        field = getattr(action, "field", "")
        if type(action) not in self._offered:
            return f"{action.name} was not offered."
        if field and field not in self._names:
            return f"{field} is none of the fields that are asked for."
        if asked and field and field != asked:
            return f"Only {asked} was asked for."
        if isinstance(action, Click) and shot is None:
            return "There was no picture to click in."
        if isinstance(action, Click) and max(abs(action.x), abs(action.y)) > FARTHEST:
            return "There is no such place in the picture."
        return ""

    def _keep_back(self, action: PageAction, raw: str, why: str) -> None:
        last = self._page.log[-1] if self._page.log else None
        at = last.at + last.took if last is not None else 0.0
        self.kept_back.append(ExecutedCall(action, at, 0.0, False, why, raw))
