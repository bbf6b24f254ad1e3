"""The page that the window shows: a browser, and a thread that talks to it, so that nobody waits for a page.

Every method returns at once. Of several pages that are asked for while one is being opened only the last is opened.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from stepscope.core.device.ring import RingFrame
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import Prediction
from stepscope.core.frozen import dataclass
from stepscope.core.webtask.actions import CHANGES, PageAction
from stepscope.core.webtask.browser import ANSWER_SECONDS, Browser, OpenPage
from stepscope.core.webtask.events import Hand, Mouse, PageEvent
from stepscope.core.webtask.page import (
    VIEWPORT,
    BlockedRequest,
    ExecutedCall,
    PageError,
    PageGone,
    PageLook,
    PageSource,
    Result,
)
from stepscope.core.webtask.predictor import PreparedPage, solve
from stepscope.core.webtask.solving import Solver, trace_from_json

END_SECONDS = 3.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """A page as it stands: how it looks and how many actions of the log that it was shown with are done."""

    source: PageSource
    look: PageLook
    done: int = 0
    failed: tuple[int, ...] = ()
    """places in the log whose action could not be done again"""


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of one action, and the page after it."""

    result: Result
    logged: ExecutedCall
    look: PageLook


@dataclass(frozen=True, slots=True)
class _PagePosition:
    """The state that the page was brought to: so many calls of a log are done, and so often somebody had touched it by
    then."""

    source: PageSource
    log: tuple[ExecutedCall, ...]
    done: int
    failed: tuple[int, ...]
    touched: int


@dataclass(frozen=True, slots=True)
class _WatchedBrowser:
    """The browser as a solver's work asks for it: what it opens is the page that the window shows."""

    ready: Callable[[], Browser]
    opened: Callable[[PageSource], OpenPage]

    def start(self) -> None:
        self.ready()

    def open(self, source: PageSource, *, patience: float = ANSWER_SECONDS) -> OpenPage:
        """The window has one patience for all pages."""
        return self.opened(source)

    def close(self) -> None:
        """It stays the window's."""


class LivePage:
    """`heard` is told what the page says of itself, in threads of the browser."""

    def __init__(self, heard: Callable[[PageEvent], object], *, viewport: Size = VIEWPORT, scale: float = 1.0) -> None:
        self._heard, self._viewport, self._scale = heard, viewport, scale
        self._allowed: frozenset[str] = frozenset()
        self._browser: Browser | None = None
        self._page: OpenPage | None = None
        self._shown: _PagePosition | None = None
        self._latest: Future[PageSnapshot] | None = None
        self._touched = 0
        self._watched = True
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="web page", daemon=True)
        self._thread.start()

    # What is on the screen ---------------------------------------------------------------------------------------

    def show(
        self, source: PageSource, log: Sequence[ExecutedCall] = (), upto: int | None = None, *, fresh: bool = False
    ) -> Future[PageSnapshot]:
        """Open the page and do the first `upto` (None: all) calls of a log again, those that changed something. A page
        that stands at an earlier call of the same log goes on from there, unless somebody touched it since or it is to
        be `fresh`. Errors: PageGone, UnavailableError."""
        wanted = tuple(log)
        count = len(wanted) if upto is None else min(upto, len(wanted))
        if self._latest is not None:
            self._latest.cancel()
        self._latest = self._ask(lambda: self._bring(source, wanted, count, fresh))
        return self._latest

    def do(self, action: PageAction) -> Future[ActionResult]:
        """Errors: PageError, PageGone."""

        def work() -> ActionResult:
            page = self._open_page()
            if isinstance(action, CHANGES):
                self._shown = None
            result = page.do(action)
            return ActionResult(result, page.log[-1], page.look())

        return self._ask(work)

    def look(self) -> Future[PageLook]:
        return self._ask(lambda: self._open_page().look())

    def tree(self) -> Future[UITree]:
        """All elements that are drawn. Errors: PageError, PageGone."""
        return self._ask(lambda: self._open_page().tree())

    def solve(self, prepared: PreparedPage, solver: Solver) -> Future[Prediction]:
        """Open the page and let a solver act on it while it is watched; nothing is raised for its faults. A solver that
        waits for others ends when the token that it heeds is cancelled."""

        def work() -> Prediction:
            self._shown = None
            prediction = solve(_WatchedBrowser(self._ready, self._opened), prepared, solver)
            if prediction.trace and self._page is not None:
                log = trace_from_json(prediction.trace).log
                self._shown = _PagePosition(prepared.source, log, len(log), (), self._touched)
            return prediction

        return self._ask(work)

    @property
    def blocked(self) -> tuple[BlockedRequest, ...]:
        page = self._page
        return page.blocked if page is not None else ()

    def newest(self) -> RingFrame | None:
        """A copy of the newest picture, None before the first; from any thread."""
        browser = self._browser
        return browser.ring.newest() if browser is not None else None

    # Hands -------------------------------------------------------------------------------------------------------

    def send(self, hand: Hand) -> None:
        """What the person does to the page; lost where there is no page."""
        if not (isinstance(hand, Mouse) and hand.what == "move"):
            self._touched += 1
        browser = self._browser
        if browser is not None and self._page is not None:
            with contextlib.suppress(PageGone):
                browser.send(hand)

    def resize(self, viewport: Size, scale: float) -> None:
        """Lay pages out on another size, the one that is open too."""
        self._viewport, self._scale = viewport, scale

        def work() -> None:
            if self._browser is not None:
                self._browser.resize(self._viewport, self._scale)

        self._ask(work)

    def watch(self, on: bool) -> None:
        """Whether somebody looks: a page that nobody sees draws no pictures."""

        def work() -> None:
            self._watched = on
            if self._browser is not None:
                self._browser.watch(on)

        self._ask(work)

    def allow(self, hosts: Collection[str]) -> None:
        """Hosts that pages may reach from the next `show` on, which opens the page anew."""

        def work() -> None:
            if frozenset(hosts) != self._allowed:
                self._allowed = frozenset(hosts)
                self._let_go()

        self._ask(work)

    def close(self) -> None:
        """End the browser and the thread; what was not begun is dropped."""
        with self._lock:
            self._closed = True
        browser = self._browser
        if browser is not None:
            browser.close()
        self._jobs.put(None)
        self._thread.join(END_SECONDS)  # a solver may still wait for an answer from elsewhere; the thread is a daemon
        self._let_go()

    # In the thread -----------------------------------------------------------------------------------------------

    def _ask(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                future.cancel()
            else:
                self._jobs.put((future, work))
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, work = job
            if self._closed or not future.set_running_or_notify_cancel():
                future.cancel()
                continue
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001 - told to whoever asked
                if isinstance(error, PageGone):
                    self._page = self._shown = None
                future.set_exception(error)

    def _bring(self, source: PageSource, log: tuple[ExecutedCall, ...], upto: int, fresh: bool) -> PageSnapshot:
        page, before, touched = self._page, self._shown, self._touched
        failed: list[int] = []
        same = before is not None and before.source == source and before.log == log and before.touched == touched
        if page is None or before is None or not log or fresh or not same or before.done > upto:
            page, begin = self._opened(source), 0
        else:
            begin, failed = before.done, list(before.failed)
        self._shown = None
        for place in range(begin, upto):
            if isinstance(log[place].action, CHANGES):
                try:
                    page.do(log[place].action)
                except PageError:
                    failed.append(place)
        self._shown = _PagePosition(source, log, upto, tuple(failed), touched)
        return PageSnapshot(source, page.look(), upto, tuple(failed))

    def _opened(self, source: PageSource) -> OpenPage:
        browser = self._ready()
        self._page = None
        self._page = browser.open(source)
        return self._page

    def _ready(self) -> Browser:
        """The browser, which tells of its pictures."""
        browser = self._browser
        if browser is None:
            browser = Browser(viewport=self._viewport, scale=self._scale, allowed=self._allowed, heard=self._tell)
            browser.watch(self._watched)
            self._browser = browser
        browser.start()
        return browser

    def _tell(self, event: PageEvent) -> None:
        """Tell the listener, in a thread of the browser. The end of one that was given up is no news."""
        if self._browser is not None and not self._closed:
            self._heard(event)

    def _open_page(self) -> OpenPage:
        if self._page is None:
            raise PageGone("No page is open.", hint="Open it again.")
        return self._page

    def _let_go(self) -> None:
        browser, self._browser = self._browser, None
        self._page = self._shown = None
        if browser is not None:
            browser.close()
