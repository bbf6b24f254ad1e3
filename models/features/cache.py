"""Vectors by content, in an SQLite file of their own: it can be deleted at any time."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

log = logging.getLogger("stepscope")

FILE_NAME = "features.db"
_AT_ONCE = 500

Vector = NDArray[np.float32]


class KeptVectors(Protocol):
    """Vectors by content, kept for the next time."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Vector]: ...

    def has(self, key: bytes) -> bool: ...

    def put(self, vectors: Mapping[bytes, Vector]) -> None: ...


class FeatureCache:
    """Threads and processes may share the file. Trouble with it costs the vectors, never the work."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        self._is_full = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = sqlite3.connect(path, check_same_thread=False, timeout=5.0)
            file.execute("pragma journal_mode=wal")
            file.execute("pragma synchronous=off")
            with file:
                file.execute("create table if not exists vector (key blob primary key, value blob not null)")
            self._file = file
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        """The vectors among these that are kept."""
        found: dict[bytes, Vector] = {}
        with self._lock:
            for at in range(0, len(keys), _AT_ONCE):
                if self._file is None:
                    break
                part = keys[at : at + _AT_ONCE]
                ask = f"select key, value from vector where key in ({','.join('?' * len(part))})"
                try:
                    rows = self._file.execute(ask, part).fetchall()
                except sqlite3.Error as error:
                    self._give_up(error)
                    break
                found.update((key, np.frombuffer(value, np.float32)) for key, value in rows)
        return found

    def has(self, key: bytes) -> bool:
        with self._lock:
            if self._file is None:
                return False
            try:
                return self._file.execute("select 1 from vector where key = ?", (key,)).fetchone() is not None
            except sqlite3.Error as error:
                self._give_up(error)
                return False

    def put(self, vectors: Mapping[bytes, Vector] | Iterable[tuple[bytes, Vector]]) -> None:
        pairs = vectors.items() if isinstance(vectors, Mapping) else vectors
        rows = [(key, np.ascontiguousarray(vector, np.float32).tobytes()) for key, vector in pairs]
        with self._lock:
            if self._file is None or self._is_full or not rows:
                return
            try:
                with self._file:
                    self._file.executemany("insert or ignore into vector values (?, ?)", rows)
            except sqlite3.Error as error:  # on a full disk, say: what is kept can still be read
                log.warning("no further vectors of texts and pictures are kept: %s", error)
                self._is_full = True

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()
            self._file = None

    def _give_up(self, error: Exception) -> None:
        log.warning("vectors of texts and pictures are not kept: %s", error)
        if self._file is not None:
            self._file.close()
        self._file = None
