"""Several browsers side by side: each works on one page, and a page that hangs or crashes costs only itself."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from stepscope.core.errors import UnavailableError
from stepscope.core.progress import CancelToken
from stepscope.core.webtask.page import Page, PageGone, PageSource

PROCESSES = 2
"""Browsers at most where no number is asked for (ours): each takes a core while it loads a page, and some 290 MB with
its first one (measured on real pages)."""
_LOOK_SECONDS = 0.1
"""So often it is asked whether the work was cancelled."""
_END_SECONDS = 0.5
"""So long work that was cancelled may take to notice that its page is gone."""

T = TypeVar("T")
R = TypeVar("R")


class PageBrowser(Protocol):
    """A browser as a pool needs it; `core.webtask.browser.Browser` is one."""

    def start(self) -> None:
        """Raises UnavailableError where there is no browser engine, PageGone."""
        ...

    def open(self, source: PageSource, *, patience: float = ...) -> Page:
        """The page in place of the one before; starts the process again where it ended. Raises PageGone when it does
        not answer for `patience` seconds."""
        ...

    def close(self) -> None:
        """End all browsers, from any thread; whoever waits for a page gets PageGone at once."""
        ...


class PagePool:
    """Starts with its first work, or by `start`; ended by `release`, after which it can begin anew, and for good by
    `close`. Both may come from any thread. The processes end with this one, however it ends."""

    def __init__(
        self,
        processes: int = 0,
        *,
        allowed: Collection[str] = (),
        make: Callable[[], PageBrowser] | None = None,
    ) -> None:
        """`processes` 0: one for each core, `PROCESSES` at most. Pages may reach the hosts that are `allowed`. `make`
        makes a browser that was not started."""
        self.processes = processes or min(PROCESSES, os.cpu_count() or 1)
        self._allowed = tuple(allowed)
        self._make = make or self._browser
        self._worker_pool: _WorkerPool | None = None
        self._lock = threading.Lock()
        self._closed = False

    def start(self) -> None:
        """All browsers at once; returns when they stand. Raises UnavailableError where there is no browser engine, and
        PageGone when none of them can be started."""
        self._at_work()

    def each(
        self, work: Callable[[PageBrowser, T], R], jobs: Sequence[T], token: CancelToken | None = None
    ) -> list[R | Exception]:
        """What `work` made of each job, or the exception that it raised, in order.

        As many jobs at a time as there are browsers. When the token is cancelled, all browsers are ended and this
        comes back within a second, with PageGone for what was not done. Raises what `start` raises.
        """
        token = token or CancelToken()
        worker_pool = self._at_work()
        running = [worker_pool.take(work, job) for job in jobs]
        while wait(running, _LOOK_SECONDS).not_done:
            if token.cancelled:
                self.release()
                wait([one for one in running if not one.done()], _END_SECONDS)
                break
        return [_outcome(one) for one in running]

    def in_order(
        self, work: Callable[[PageBrowser, T], R], jobs: Sequence[T], token: CancelToken | None = None
    ) -> Iterator[R | Exception]:
        """Do what `each` does, but give each outcome as soon as it and all before it are there; a slow job holds up no
        other. Ends early when the token is cancelled, with all browsers ended."""
        token = token or CancelToken()
        worker_pool = self._at_work()
        for one in [worker_pool.take(work, job) for job in jobs]:
            while wait([one], _LOOK_SECONDS).not_done or token.cancelled:
                if token.cancelled:
                    self.release()
                    return
            yield _outcome(one)

    def release(self) -> None:
        """End all processes; the next work starts new ones."""
        with self._lock:
            worker_pool, self._worker_pool = self._worker_pool, None
        if worker_pool is not None:
            worker_pool.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
        self.release()

    def _at_work(self) -> _WorkerPool:
        with self._lock:
            if self._closed:
                raise PageGone("The browsers were closed.")
            if self._worker_pool is None:
                self._worker_pool = _WorkerPool([self._make() for _ in range(self.processes)])
            worker_pool = self._worker_pool
        try:
            worker_pool.start()
        except (UnavailableError, PageGone):
            self.release()
            raise
        return worker_pool

    def _browser(self) -> PageBrowser:
        from stepscope.core.webtask.browser import Browser

        return Browser(allowed=self._allowed)


class _WorkerPool:
    """Browsers and as many threads; a browser is with one thread at a time."""

    def __init__(self, browsers: Sequence[PageBrowser]) -> None:
        self._browsers = browsers
        self._free: queue.SimpleQueue[PageBrowser] = queue.SimpleQueue()
        for browser in browsers:
            self._free.put(browser)
        self._threads = ThreadPoolExecutor(len(browsers), thread_name_prefix="page")
        self._starting = threading.Lock()
        self._stands = False

    def start(self) -> None:
        with self._starting:
            if self._stands:
                return
            try:
                starts = [self._threads.submit(browser.start) for browser in self._browsers]
            except RuntimeError as closed:  # meanwhile
                raise PageGone("The browsers were closed.") from closed
            errors = [start.exception() for start in starts]
            for error in errors:
                if error is not None and (isinstance(error, UnavailableError) or all(errors)):
                    raise error
            self._stands = True

    def take(self, work: Callable[[PageBrowser, T], R], job: T) -> Future[R]:
        def run() -> R:
            browser = self._free.get()
            try:
                return work(browser, job)
            finally:
                self._free.put(browser)

        try:
            return self._threads.submit(run)
        except RuntimeError:  # closed meanwhile
            over: Future[R] = Future()
            over.cancel()
            return over

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for browser in self._browsers:
            with suppress(PageGone):
                browser.close()


def _outcome(done: Future[Any]) -> Any:
    """What the job gave, or the exception that it raised; what ends a program is raised."""
    if done.cancelled() or not done.done():
        return PageGone("The work was cancelled.")
    error = done.exception()
    if error is None:
        return done.result()
    if isinstance(error, Exception):
        return error
    raise error
