"""Work ahead of a model: reading and preparing in threads of their own, and inference in one, so that none waits long.

Both generators stop their threads when they are closed, and wait until what runs at that moment has ended.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

from stepscope.core.evaluation.batches import BatchSizer
from stepscope.core.frozen import dataclass

PATIENCE_SECONDS = 0.5

T = TypeVar("T")
P = TypeVar("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _QueueEnd:
    """The last entry of the queue; `error` is what the source raised."""

    error: BaseException | None = None


def prepared_ahead(
    items: Iterator[T],
    prepare: Callable[[T], P],
    *,
    workers: int,
    depth: int,
    waiting: Callable[[], None] = lambda: None,
) -> Generator[tuple[T, P | Exception], None, None]:
    """Each item with what `prepare` made of it, or the exception that it raised, in the order of `items`.

    `items` is advanced in a thread of its own, never more than `depth` items ahead of what was taken from here, and
    closed there; what it raises is raised here, after the items before it. `prepare` runs in `workers` threads.
    `waiting` is called after every `PATIENCE_SECONDS` in which nothing was ready.
    """
    room = threading.Semaphore(depth)
    stopped = threading.Event()
    ready: SimpleQueue[tuple[T, Future[P]] | _QueueEnd] = SimpleQueue()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="prepare")

    def read() -> None:
        error = None
        try:
            for item in _admitted(items, room, stopped):
                ready.put((item, pool.submit(prepare, item)))
        except BaseException as caught:  # noqa: BLE001 - raised again where the items are taken
            error = caught
        ready.put(_QueueEnd(error))

    # A daemon: a generator that nobody closes must not keep the process from ending.
    reader = threading.Thread(target=read, name="read-ahead", daemon=True)
    reader.start()
    try:
        while not isinstance(found := _next(ready, waiting), _QueueEnd):
            item, future = found
            _await(future, waiting)
            outcome = _outcome(future)
            room.release()
            yield item, outcome
        if found.error is not None:
            raise found.error
    finally:
        stopped.set()
        room.release()
        pool.shutdown(wait=False, cancel_futures=True)
        reader.join()
        pool.shutdown()


def predicted_ahead(
    prepared: Generator[tuple[T, P | Exception], None, None],
    predict: Callable[[Sequence[P]], Sequence[R]],
    *,
    sizer: BatchSizer,
    inference: Executor,
    waiting: Callable[[], None] = lambda: None,
) -> Generator[tuple[T, R | Exception], None, None]:
    """Each item with the model's answer, or with the exception of its preparation or inference, in order.

    What `prepared` raises is raised here, after the answers before it. `predict` gets batches of at most `sizer.size`
    inputs in `inference`, an executor with the one thread that the model runs in. While the answers of a batch are
    taken from here the next one runs; no third one waits. Closing this closes `prepared` too. `waiting` is called
    after every `PATIENCE_SECONDS` in which no batch was done.
    """
    running: deque[Future[list[tuple[T, R | Exception]]]] = deque()
    batch: list[tuple[T, P | Exception]] = []
    with closing(_with_end(prepared)) as entries:
        try:
            for entry in entries:
                end = entry if isinstance(entry, _QueueEnd) else None
                if not isinstance(entry, _QueueEnd):
                    batch.append(entry)
                while running and running[0].done():  # not held back until the next batch is full
                    yield from running.popleft().result()
                if end or len(batch) >= sizer.size:
                    running.append(inference.submit(_answered, batch, predict, sizer))
                    batch = []
                while len(running) > (0 if end else 1):
                    _await(running[0], waiting)
                    yield from running.popleft().result()
                if end and end.error is not None:
                    raise end.error
        finally:
            for future in running:
                if not future.cancel():
                    wait([future])


def _next(ready: SimpleQueue[T], waiting: Callable[[], None]) -> T:
    while True:
        with suppress(Empty):
            return ready.get(timeout=PATIENCE_SECONDS)
        waiting()


def _await(future: Future[R], waiting: Callable[[], None]) -> None:
    while not wait([future], PATIENCE_SECONDS).done:
        waiting()


def _with_end(prepared: Generator[T, None, None]) -> Generator[T | _QueueEnd, None, None]:
    """The entries, and what they ended with."""
    try:
        yield from prepared
    except Exception as error:  # noqa: BLE001 - raised again behind the answers to what came before
        yield _QueueEnd(error)
    else:
        yield _QueueEnd()


def _admitted(items: Iterator[T], room: threading.Semaphore, stopped: threading.Event) -> Iterator[T]:
    """The items, each taken when there is room for it; `items` is closed at the end."""
    try:
        while room.acquire() and not stopped.is_set():
            try:
                item = next(items)
            except StopIteration:
                return
            yield item
    finally:
        if isinstance(items, Generator):
            items.close()


def _outcome(future: Future[P]) -> P | Exception:
    """What was prepared, or why it was not; waits for it. What ends a program is raised."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, Exception):
        return error
    raise error


def _answered(
    batch: Sequence[tuple[T, P | Exception]], predict: Callable[[Sequence[P]], Sequence[R]], sizer: BatchSizer
) -> list[tuple[T, R | Exception]]:
    """The batch's items with their answers. What could not be prepared is not shown to the model."""
    inputs = [made for _item, made in batch if not isinstance(made, Exception)]
    answers = iter(sizer.run(inputs, predict))
    return [(item, made if isinstance(made, Exception) else next(answers)) for item, made in batch]
