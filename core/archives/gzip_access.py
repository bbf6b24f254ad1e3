"""Random access into gzip files by an index of places from which inflating can begin.

The index is built once, at about the cost of inflating the file, and kept in the user's cache folder under the file's
path, size and time of change; indexed_gzip builds and reads it. A read inflates from the nearest place before it.
"""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.core.archives.budget import Budget
from stepscope.core.archives.index_files import FileKey, load_index, store_index
from stepscope.core.archives.inflate import InflateError, pieces
from stepscope.core.archives.opening import is_gzip, open_file, unreadable
from stepscope.core.errors import SourceError
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    import indexed_gzip

SPACING = 2 << 20
"""Inflated bytes between two places of the index: a read inflates half of it too much, about 5 ms, and a gigabyte takes
16 MB of index (measured)."""

MAX_PLACES = 1 << 15
"""An index ends after so many places (one gigabyte): only files beyond 64 GB have more. What lies behind is read by
inflating from the start; what lies behind the most that may come out of a file of its size is not read."""

_OPEN_FILES = 4
_STEP = 32 << 20
_READ = 1 << 17
_HINT = "It has changed or was cut short: fetch or open it again."


def read_span(path: Path, offset: int, length: int) -> bytes:
    """`length` bytes from `offset` of the gzip file's inflated stream, from any thread.

    The index is built first where there is none. Of a damaged file what lies before the damage can be read; beyond it,
    beyond the end, and beyond what may come out of the file (`Budget`), SourceError.
    """
    key = FileKey.of(path)
    budget = Budget(path, key.size)
    if offset + length > budget.most:
        raise budget.refusal()
    while True:
        opened = _opened(key)
        with opened.lock:
            if opened.closed:  # pushed out by another thread between the two lines above
                continue
            data = opened.read(offset, length)
        return data if data is not None else _read_from_start(path, offset, length)


def prepare(path: Path, token: CancelToken | None = None) -> None:
    """Build the file's index now, unless there is one; nothing to do for a file that is not gzip.

    May run beside a scan of the same file: it holds Python's lock for moments only. When `token` is cancelled it ends
    soon and leaves no index. Raises SourceError for a file that cannot be opened.
    """
    if not is_gzip(path):
        return
    key = FileKey.of(path)
    with _building(key):
        if load_index(key) is None:
            _build(key, token or CancelToken())


@contextmanager
def prepared_beside(path: Path) -> Iterator[None]:
    """Build the index in a thread while the body scans the file; ready after the body, given up when the body fails."""
    token = CancelToken()
    thread = threading.Thread(target=_prepare_quietly, args=(path, token), name="gzip index", daemon=True)
    thread.start()
    try:
        yield
    except BaseException:
        token.cancel()
        raise
    finally:
        if thread is not threading.current_thread():  # a scan that was given up may be collected in any thread
            thread.join()


def close_all() -> None:
    """Close the files that are held open for further reads."""
    with _state:
        held = list(_held.values())
        _held.clear()
    for opened in held:
        opened.close()


class _IndexedGzip:
    """A gzip file with its index, open for reads by one thread at a time."""

    def __init__(self, key: FileKey, index: bytes) -> None:
        self.lock = threading.Lock()
        self.closed = False
        self._key = key
        self._file = _open(key)
        try:
            self._file.import_index(fileobj=io.BytesIO(index))
        except (OSError, ValueError) as error:
            self._file.close()
            raise SourceError("its gzip index does not fit", place=key.path, hint=_HINT) from error

    def read(self, offset: int, length: int) -> bytes | None:
        """The bytes, None when the index does not lead to all of them. The lock is held by the caller."""
        buffer = bytearray(length)
        view = memoryview(buffer)
        try:
            if self._file.seek(offset) != offset:
                return None
            while view and (count := self._file.readinto(view)):
                view = view[count:]
        except (OSError, ValueError):
            return None
        return None if view else bytes(buffer)

    def close(self) -> None:
        with self.lock:
            if not self.closed:
                self.closed = True  # a closed one must not be touched again: the library would crash
                self._file.close()


_state = threading.Lock()
_held: OrderedDict[FileKey, _IndexedGzip] = OrderedDict()
_builders: dict[FileKey, tuple[threading.Lock, int]] = {}


def _opened(key: FileKey) -> _IndexedGzip:
    """The file, held open; the one that was not used for longest makes room."""
    with _state:
        if key in _held:
            _held.move_to_end(key)
            return _held[key]
    with _building(key):
        with _state:
            if key in _held:
                return _held[key]
        index = load_index(key)
        opened = _IndexedGzip(key, index if index is not None else _build(key, CancelToken()))
        with _state:
            _held[key] = opened
            beyond = [_held.popitem(last=False)[1] for _ in range(len(_held) - _OPEN_FILES)]
    for old in beyond:
        old.close()
    return opened


@contextmanager
def _building(key: FileKey) -> Iterator[None]:
    """One thread at a time builds or loads a file's index; the others wait for it."""
    with _state:
        lock, waiting = _builders.get(key, (threading.Lock(), 0))
        _builders[key] = (lock, waiting + 1)
    try:
        with lock:
            yield
    finally:
        with _state:
            waiting = _builders[key][1] - 1
            if waiting:
                _builders[key] = (lock, waiting)
            else:
                del _builders[key]


def _open(key: FileKey) -> indexed_gzip._IndexedGzipFile:
    """The library's unbuffered file: the buffered one reads a megabyte where ten bytes are wanted."""
    import indexed_gzip  # takes as long to load as all of this package

    try:
        return indexed_gzip._IndexedGzipFile(
            str(key.path),
            spacing=max(SPACING, key.size // MAX_PLACES),
            readbuf_size=_READ,
            skip_crc_check=True,  # the scan has checked each record
            drop_handles=False,
        )
    except (OSError, ValueError) as error:
        raise SourceError(f"cannot be read: {error}", place=key.path) from error


def _build(key: FileKey, token: CancelToken) -> bytes:
    """The file's index, also put into the cache folder; up to the damage when the gzip data is damaged.

    Cancelled, it is returned as far as it goes and not kept.
    """
    file = _open(key)
    try:
        _walk(file, Budget(key.path, key.size).most, token)
        index = io.BytesIO()
        file.export_index(fileobj=index)
    except (OSError, ValueError) as error:
        raise SourceError(f"no gzip index can be made: {error}", place=key.path) from error
    finally:
        file.close()
    if not token.cancelled:
        store_index(key, index.getvalue())
    return index.getvalue()


def _walk(file: indexed_gzip._IndexedGzipFile, most: int, token: CancelToken) -> None:
    """Go through what the file holds, `most` bytes of it, in steps, so that the index grows; the library lets other
    threads run within a step."""
    goal = 0
    while not token.cancelled and file.npoints < MAX_PLACES and goal < most:
        goal = min(goal + _STEP, most)
        try:
            if file.seek(goal) < goal:
                return
        except (OSError, ValueError):  # damaged here: the places before it are good
            return


def _prepare_quietly(path: Path, token: CancelToken) -> None:
    try:
        prepare(path, token)
    except SourceError:
        return  # the scan of the same file tells it


def _read_from_start(path: Path, offset: int, length: int) -> bytes:
    """What the index does not lead to: the last bytes before a damage."""
    parts: list[bytes] = []
    place, end = 0, offset + length
    try:
        with open_file(path) as stream:
            for piece in pieces(stream):
                if place + len(piece) > offset:
                    parts.append(piece[max(offset - place, 0) : end - place])
                place += len(piece)
                if place >= end:
                    return b"".join(parts)
    except InflateError as error:
        raise SourceError(f"{error}, before byte {end} of what it holds", place=path, hint=_HINT) from error
    except OSError as error:
        raise unreadable(error, path) from error
    raise SourceError(f"what the gzip file holds ends at byte {place}, before byte {end}", place=path, hint=_HINT)
