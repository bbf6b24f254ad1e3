"""Decoded pictures, kept within a bound of memory. Knows no window and no decoder, and has no thread of its own.

Whoever waits for a picture decodes it in its own thread; what is fetched ahead (`core.imaging.fetcher`) stands back
while anyone waits: the gate says so. It is asked before each picture and between the parts of decoding one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.frozen import dataclass

DEFAULT_LIMIT = 512 * 2**20
"""Bytes of decoded pictures that are kept."""


class MemorySized(Protocol):
    """A value that the cache can keep: it says how much memory it takes."""

    @property
    def nbytes(self) -> int: ...


Value = TypeVar("Value", bound=MemorySized)
_Key = tuple[Picture, Size | None]


@dataclass(frozen=True, slots=True)
class CacheStatistics:
    """`bytes` of `limit` are in use by `pictures`; `hits` needed no decoding, `misses` did."""

    bytes: int
    limit: int
    pictures: int
    hits: int
    misses: int


_standing_back: ContextVar[Callable[[], object] | None] = ContextVar("standing back", default=None)
_hurried: ContextVar[bool] = ContextVar("hurried", default=False)


def stand_back() -> None:
    """To be called between two parts of decoding: what is fetched ahead of its use lets those go first who wait for
    another picture. Nothing happens where somebody waits for this one. No lock may be held."""
    wait = _standing_back.get()
    if wait is not None:
        wait()


def may_take_its_time() -> bool:
    """Whether this is fetched ahead of its use and nobody hurries: a decoder that lets other threads run is better then
    than a quicker one that does not."""
    return _standing_back.get() is not None and not _hurried.get()


@dataclass(eq=False, slots=True)
class _UnderWay(Generic[Value]):
    """A picture that is being decoded; `wanted`: somebody waits for it by now."""

    answer: Future[Value] = field(default_factory=Future)
    wanted: bool = False


class Gate:
    """Tells whether anyone waits for a picture; `changed` is notified when that may be so no more. Shared by caches
    whose pictures are decoded on the same processor."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._waiting = 0

    @property
    def is_free(self) -> bool:
        return self._waiting == 0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        with self.changed:
            self._waiting += 1
        try:
            yield
        finally:
            with self.changed:
                self._waiting -= 1
                self.changed.notify_all()

    def wait_until_free(self, unless: Callable[[], bool]) -> None:
        """Wait while anyone waits, and `unless` does not hold; whoever changes that notifies `changed`."""
        with self.changed:
            self.changed.wait_for(lambda: self.is_free or unless())


class PictureCache(Generic[Value]):
    """Least recently used pictures go first. Every method may be called from any thread.

    What is kept is what `decode` makes of a picture: pixels, or whatever a view paints from. `kept` hears of each
    picture that was decoded, in the thread that did it.
    """

    def __init__(
        self,
        decode: Callable[[Picture, Size | None], Value],
        limit: int = DEFAULT_LIMIT,
        gate: Gate | None = None,
        kept: Callable[[Picture, Size | None, Value], object] | None = None,
    ) -> None:
        self._limit, self._decode, self._tell = limit, decode, kept
        self._gate = gate or Gate()
        self._kept: OrderedDict[_Key, Value] = OrderedDict()
        self._under_way: dict[_Key, _UnderWay[Value]] = {}
        self._state = threading.Lock()
        self._bytes = self._hits = self._misses = 0

    def get(self, picture: Picture, max_size: Size | None = None) -> Value:
        """The pixels, decoded here when they are not kept; waits for another thread that is decoding them.

        Raises SourceError as `decode` does; a failure is not kept.
        """
        with self._gate.waiting():
            return self._obtain((picture, max_size), ahead=False)

    def fetch(self, picture: Picture, max_size: Size | None = None, *, hurried: bool = False) -> Value:
        """Get the picture ahead of its use: nobody who waits for one stands back for it. `hurried`: it will be needed
        in a moment."""
        before = _hurried.set(hurried)
        try:
            return self._obtain((picture, max_size), ahead=True)
        finally:
            _hurried.reset(before)

    def _obtain(self, key: _Key, *, ahead: bool) -> Value:
        with self._state:
            pixels = self._kept.get(key)
            if pixels is not None:
                self._hits += 1
                self._kept.move_to_end(key)
                return pixels
            under_way = self._under_way.get(key)
            if under_way is None:
                self._misses += 1
                mine = self._under_way[key] = _UnderWay[Value]()
            else:
                self._hits += 1
        if under_way is None:
            return self._decode_ahead(key, mine) if ahead else self._decode_for(key, mine)
        if not ahead:
            with self._gate.changed:
                under_way.wanted = True
                self._gate.changed.notify_all()
        return under_way.answer.result()

    def _decode_ahead(self, key: _Key, mine: _UnderWay[Value]) -> Value:
        before = _standing_back.set(lambda: self._gate.wait_until_free(lambda: mine.wanted))
        try:
            return self._decode_for(key, mine)
        finally:
            _standing_back.reset(before)

    def peek(self, picture: Picture, max_size: Size | None = None) -> Value | None:
        """The pixels if they are kept, without decoding or waiting."""
        key = (picture, max_size)
        with self._state:
            pixels = self._kept.get(key)
            if pixels is not None:
                self._hits += 1
                self._kept.move_to_end(key)
            return pixels

    def is_at_hand(self, picture: Picture, max_size: Size | None = None) -> bool:
        """Whether the picture is kept or being decoded."""
        key = (picture, max_size)
        with self._state:
            return key in self._kept or key in self._under_way

    def put(self, picture: Picture, max_size: Size | None, pixels: Value) -> None:
        """Keep what came about elsewhere."""
        with self._state:
            self._keep((picture, max_size), pixels)

    def forget(self, path: Path) -> None:
        """Drop a file's pictures: it has changed."""
        with self._state:
            for key in [key for key in self._kept if key[0].path == path]:
                self._bytes -= self._kept.pop(key).nbytes

    def clear(self) -> None:
        with self._state:
            self._kept.clear()
            self._bytes = 0

    def set_limit(self, limit: int) -> None:
        """Change the bound (bytes); what is beyond it goes at once."""
        with self._state:
            self._limit = limit
            self._make_room(0)

    @property
    def statistics(self) -> CacheStatistics:
        with self._state:
            return CacheStatistics(self._bytes, self._limit, len(self._kept), self._hits, self._misses)

    def _decode_for(self, key: _Key, mine: _UnderWay[Value]) -> Value:
        """Decode, keep, and answer everyone who waits for the same picture."""
        try:
            pixels = self._decode(*key)
        except BaseException as error:
            with self._state:
                del self._under_way[key]
            mine.answer.set_exception(error)
            raise
        with self._state:
            del self._under_way[key]
            self._keep(key, pixels)
        mine.answer.set_result(pixels)
        if self._tell is not None:
            self._tell(*key, pixels)
        return pixels

    def _keep(self, key: _Key, pixels: Value) -> None:
        if key in self._kept:
            self._bytes -= self._kept.pop(key).nbytes
        if pixels.nbytes <= self._limit:
            self._make_room(pixels.nbytes)
            self._kept[key] = pixels
            self._bytes += pixels.nbytes

    def _make_room(self, size: int) -> None:
        while self._kept and self._bytes + size > self._limit:
            self._bytes -= self._kept.popitem(last=False)[1].nbytes
