"""Real pages in a real browser engine: QtWebEngine in a process of its own, one page at a time.

Nothing of a page runs in this process, and nothing of the page's process outlives it. No Qt here: the process is told
what to do in lines of JSON and hands pictures over in shared memory (`resources.webtask.server`).
"""

from __future__ import annotations

import base64
import contextlib
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from stepscope.core.device.ring import FrameRing
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UsageError
from stepscope.core.webtask.actions import (
    CHANGES,
    LONGEST_WAIT_SECONDS,
    GetHtml,
    PageAction,
    WaitTillLoaded,
    action_to_json,
)
from stepscope.core.webtask.browser_process import MOST_PIXELS, BrowserProcess, hangs
from stepscope.core.webtask.browser_values import drawn_tree, event_from, hand_form, look_from
from stepscope.core.webtask.events import DialogShown, Hand, PageEvent, PageProcessEnded, RequestBlocked
from stepscope.core.webtask.hosts import allowed_host
from stepscope.core.webtask.html_parts import relevant
from stepscope.core.webtask.page import (
    VIEWPORT,
    BlockedRequest,
    ExecutedCall,
    PageError,
    PageFault,
    PageGone,
    PageLook,
    PageSource,
    Result,
)

ANSWER_SECONDS = 20.0
"""A page that does not answer for so long is taken to hang (ours)."""
PING_SECONDS = 3.0
"""The same of a page that is to give way to another one."""
MOST_PAGES = 64
"""Pages that one process opens: the engine keeps some 5 MB of each (measured on real pages)."""
_LOAD_SHARE = 0.6
"""Of the patience with a page that is opened: what has not come by then, from an allowed host, may come later."""


class Browser:
    """One process, one page at a time; used from one thread, `close` from any. It starts again by itself at the next
    `open` after its process was lost.

    `viewport` is the size of a picture in pixels, `scale` how many of them a CSS pixel is. Pages may reach the hosts in
    `allowed`: exact names or IPv4 addresses, no patterns; UsageError for anything else. `heard` is called, in a thread
    of its own, with what pages tell. `ring` has the pictures of a page that is watched; each process has its own.
    """

    def __init__(
        self,
        *,
        viewport: Size = VIEWPORT,
        scale: float = 1.0,
        allowed: Collection[str] = (),
        heard: Callable[[PageEvent], object] | None = None,
    ) -> None:
        self._viewport, self._scale = _fitting(viewport), scale
        self._allowed = tuple(map(allowed_host, allowed))
        self._heard = heard or (lambda _event: None)
        self._watched = self._closed = False
        self._pages = self._opened = 0
        self._page: OpenPage | None = None
        self._process = self._new_process()

    @property
    def pid(self) -> int | None:
        """The process id while it lives."""
        return self._process.pid

    @property
    def ring(self) -> FrameRing:
        return self._process.ring

    def start(self) -> None:
        """Returns when pages can be opened; nothing where it runs already. Raises UnavailableError without a browser
        engine, PageGone."""
        if self._process.pid is not None:
            return
        if self._process.begun:  # it has ended; its reader may not have noticed yet
            self._process.kill("The browser has ended.")
            self._process = self._new_process()
        process = self._process
        if self._closed:
            process.kill("The browser was closed.")
            raise PageGone("The browser was closed.")
        process.start()
        if self._watched:
            process.tell(do="watch", on=True)

    def open(self, source: PageSource, *, patience: float = ANSWER_SECONDS) -> OpenPage:
        """The page in place of the one before, loaded and drawn. Raises PageGone when it does not answer for `patience`
        seconds, and what `start` raises."""
        page = OpenPage(self, source, patience)
        page._load()
        return page

    def watch(self, on: bool) -> None:
        """Begin or cease to tell pictures and changes."""
        self._watched = on
        with contextlib.suppress(PageGone):
            self._process.tell(do="watch", on=on)

    def send(self, hand: Hand) -> None:
        """Bring it to the page that stands there; does not wait. Raises PageGone."""
        self._process.tell(**hand_form(hand))

    def resize(self, viewport: Size, scale: float) -> None:
        """Resize this page and all others. Does not wait. Raises UsageError for more pixels than pictures can have."""
        self._viewport, self._scale = _fitting(viewport), scale
        with contextlib.suppress(PageGone):
            self._process.tell(do="resize", viewport=_pair(viewport), scale=scale)

    def close(self) -> None:
        """End the browser, from any thread; whoever waits for the page gets PageGone at once."""
        self._closed = True
        self._process.kill("The browser was closed.")

    # --- for its pages ---------------------------------------------------------------------------------------------

    def _show(self, page: OpenPage, source: PageSource, patience: float) -> None:
        self._clear()
        if self._opened >= MOST_PAGES:
            worn, self._process = self._process, self._new_process()
            worn.kill("Another browser takes its place.")
        self.start()
        self._pages += 1
        self._opened += 1
        page._number, self._page = self._pages, page
        self._process.ask(
            "open",
            patience,
            page=self._pages,
            html=source.html,
            viewport=_pair(self._viewport),
            scale=self._scale,
            load_seconds=patience * _LOAD_SHARE,
        )

    def _ask(self, page: OpenPage, do: str, seconds: float, **what: object) -> Any:
        if page is not self._page:
            raise PageGone("Another page was opened in its place.")
        return self._process.ask(do, seconds, **what)

    # --- inside ----------------------------------------------------------------------------------------------------

    def _clear(self) -> None:
        """A page that hangs unnoticed would take the next one with it: they have one process."""
        if self._page is not None and self._process.pid is not None:
            with contextlib.suppress(PageGone, PageError, PageFault):
                self._process.ask("ping", PING_SECONDS)

    def _new_process(self) -> BrowserProcess:
        self._opened = 0
        process = BrowserProcess(self._allowed, lambda line: self._hear(process, line))
        return process

    def _hear(self, process: BrowserProcess, line: dict[str, Any]) -> None:
        """Take an answer, in the reader's thread."""
        page = self._page
        if "ended" in line:
            if process is self._process:  # else another one is in its place
                self._heard(PageProcessEnded(line["ended"]))
        elif "crashed" in line:
            process.kill("The page crashed.")
        elif "hangs" in line:
            if line["hangs"] > ANSWER_SECONDS:
                process.kill(hangs(ANSWER_SECONDS))
        elif "refused" in line:
            if page is not None and line["page"] == page._number:
                for one in (BlockedRequest(**form) for form in line["refused"]):
                    page._blocked[one.url, one.kind] = one
                    self._heard(RequestBlocked(one))
        elif "asked" in line:
            if page is not None and line["page"] == page._number:
                page._dialogs.append(line["asked"])
                self._heard(DialogShown(line["asked"]))
        elif (event := event_from(line)) is not None:
            self._heard(event)


class OpenPage:
    """A page that `Browser` opened; a `core.webtask.page.Page`. It is over when the browser opens another one."""

    def __init__(self, browser: Browser, source: PageSource, patience: float) -> None:
        self.source = source
        self._browser, self._patience = browser, patience
        self._number = 0
        self._opened = time.monotonic()
        self._log: list[ExecutedCall] = []
        self._blocked: dict[tuple[str, str], BlockedRequest] = {}
        self._dialogs: list[str] = []

    @property
    def log(self) -> tuple[ExecutedCall, ...]:
        """All calls of `do` since the page was opened or put back."""
        return tuple(self._log)

    @property
    def blocked(self) -> tuple[BlockedRequest, ...]:
        return tuple(self._blocked.copy().values())

    @property
    def dialogs(self) -> tuple[str, ...]:
        return tuple(self._dialogs)

    def do(self, action: PageAction, *, raw: str = "") -> Result:
        """Raises PageError when it cannot be done, PageFault when our part of the page failed, and PageGone when the
        page is lost; it is in the log all the same."""
        begun = time.monotonic()

        def note(ok: bool, said: str) -> None:
            self._log.append(ExecutedCall(action, begun - self._opened, time.monotonic() - begun, ok, said, raw))

        try:
            result = self._done(action)
        except (PageError, PageGone) as error:
            note(False, error.message)
            raise
        except PageFault as fault:
            note(False, str(fault))
            raise
        note(True, result.said)
        return result

    def look(self, names: Sequence[str] | None = None) -> PageLook:
        wanted = None if names is None else list(names)
        return look_from(self._browser._ask(self, "look", ANSWER_SECONDS, names=wanted))

    def tree(self) -> UITree:
        """The elements that are drawn, in document order, at most 5,000; places as in `look`. Raises PageGone, and
        PageError for a page that cannot be walked through."""
        return drawn_tree(self._browser._ask(self, "tree", ANSWER_SECONDS))

    def reload(self) -> None:
        """Load the page as it was at first, with an empty log."""
        self.replay(0)

    def replay(self, upto: int) -> None:
        """Load the page again and do the first `upto` actions of the log again that changed it and succeeded; the log
        then has these. Raises PageError for one that does not succeed this time, PageGone."""
        again = self._changes()[:upto]
        self._load()
        for one in again:
            self.do(one.action, raw=one.raw)

    def undo(self) -> None:
        """Put the page back to before the last action that changed it; nothing where there is none."""
        self.replay(max(0, len(self._changes()) - 1))

    # --- inside ----------------------------------------------------------------------------------------------------

    def _changes(self) -> list[ExecutedCall]:
        return [one for one in self._log if one.ok and isinstance(one.action, CHANGES)]

    def _load(self) -> None:
        self._number = 0  # what the page that stands there still does is no longer ours
        self._log.clear()
        self._blocked.clear()
        self._dialogs.clear()
        self._browser._show(self, self.source, self._patience)
        self._opened = time.monotonic()

    def _done(self, action: PageAction) -> Result:
        seconds = ANSWER_SECONDS
        if isinstance(action, WaitTillLoaded):
            action = replace(action, seconds=min(LONGEST_WAIT_SECONDS, max(0.0, action.seconds)))
            seconds += action.seconds
        form = self._browser._ask(self, "act", seconds, action=action_to_json(action))
        text, png = form.get("text", ""), base64.b64decode(form.get("png", ""))
        if isinstance(action, GetHtml) and action.field:
            text = relevant(text, action.field, action.lines)
        length = len(text.encode(errors="replace"))  # a page may hold half a surrogate
        said = form.get("said") or (f"{length / 1000:.1f} KB" if isinstance(action, GetHtml) else "")
        return Result(said, text, png)


def _fitting(size: Size) -> Size:
    if size.width * size.height > MOST_PIXELS:
        raise UsageError(f"A page cannot be drawn at {size} pixels.")
    return size


def _pair(size: Size) -> list[int]:
    return [size.width, size.height]
