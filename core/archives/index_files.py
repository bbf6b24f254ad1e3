"""Gzip indexes in the user's cache folder: written whole or not at all, checked when read, the oldest go first."""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import google_crc32c

from stepscope.core.archives.opening import unreadable
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import limit
from stepscope.core.settings import user_cache_dir

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")

_SUFFIX = ".gzindex"
_HEADER = struct.Struct("<8sII")
_MAGIC = b"STSPGZI1"

_INDEX = struct.Struct("<5sBBQQIII")
"""How indexed_gzip writes an index: its mark, version and flags, the sizes of the file and of what it holds, spacing,
window and number of places (zran.c, `zran_export_index`, version 1)."""
_PLACE = [("packed", "<u8"), ("inflated", "<u8"), ("bits", "u1"), ("window", "u1")]
_INDEX_MAGIC, _INDEX_VERSION, _WINDOW = b"GZIDX", 1, 1 << 15
"""Deflate never looks further back."""


@dataclass(frozen=True, slots=True)
class FileKey:
    """A file as it is now; another size or time of change is another file."""

    path: Path
    size: int
    changed: int

    @classmethod
    def of(cls, path: Path) -> FileKey:
        """SourceError when the file is not there."""
        try:
            status = path.stat()
        except FileNotFoundError as error:
            raise SourceError("the file is not there", place=path) from error
        except OSError as error:
            raise unreadable(error, path) from error
        except ValueError as error:
            raise SourceError("this cannot be a file's name", place=path) from error
        return cls(path.absolute(), status.st_size, status.st_mtime_ns)

    @property
    def digest(self) -> str:
        text = f"{self.path}\n{self.size}\n{self.changed}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def index_folder() -> Path:
    """The folder of all indexes, inside the user's cache; may not exist yet."""
    return user_cache_dir() / "gzip"


def index_file(key: FileKey) -> Path:
    """Where the index of the file in that state lies, or would lie."""
    return index_folder() / (key.digest + _SUFFIX)


def load_index(key: FileKey) -> bytes | None:
    """The kept index, None when there is none or it is damaged."""
    file = index_file(key)
    try:
        if file.stat().st_size > limit("gzip-index-bytes"):
            return None
        data = file.read_bytes()
    except OSError:
        return None
    if len(data) < _HEADER.size:
        return None
    magic, length, check = _HEADER.unpack_from(data)
    index = data[_HEADER.size :]
    if magic != _MAGIC or length != len(index) or check != google_crc32c.value(index):
        return None
    if not _fits(index, key):
        return None
    _mark_used(file)
    return index


def _fits(index: bytes, key: FileKey) -> bool:
    """Whether an index leads to places of the file in their order, and has a window where it says so: the library
    takes its numbers as they are."""
    if len(index) < _INDEX.size:
        return False
    magic, version, _, size, _, _, window, count = _INDEX.unpack_from(index)
    if (magic, version, size, window) != (_INDEX_MAGIC, _INDEX_VERSION, key.size, _WINDOW):
        return False
    place = np.dtype(_PLACE)
    if not count or count * place.itemsize > len(index) - _INDEX.size:
        return False
    places = np.frombuffer(index, place, count, _INDEX.size)
    rest = len(index) - _INDEX.size - places.nbytes
    return bool(
        (places["packed"][1:] >= places["packed"][:-1]).all()
        and (places["inflated"][1:] > places["inflated"][:-1]).all()
        and places["packed"][-1] <= size
        and (places["bits"] < 8).all()
        and (places["window"] < 2).all()
        and int(places["window"].sum()) * _WINDOW == rest
    )


def store_index(key: FileKey, index: bytes) -> None:
    """Keep an index. Where the folder cannot be written it is not kept, and is built again next time."""
    folder = index_folder()
    temporary = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=_SUFFIX + ".part", delete=False) as stream:
            temporary = Path(stream.name)
            stream.write(_HEADER.pack(_MAGIC, len(index), google_crc32c.value(index)))
            stream.write(index)
        temporary.replace(index_file(key))
    except OSError:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        return
    with contextlib.suppress(OSError):  # another process makes room at the same time
        make_room(folder, limit("gzip-index-bytes"), keep=index_file(key))


def make_room(folder: Path, limit: int, keep: Path | None = None) -> None:
    """Delete the files that were not used for longest until all together have at most `limit` bytes; `keep` stays."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            found.append((status.st_mtime_ns, status.st_size, Path(entry.path)))
    total = sum(size for _, size, _ in found)
    for _, size, file in sorted(found):
        if total <= limit:
            return
        if file != keep:
            file.unlink(missing_ok=True)
            total -= size


def _mark_used(file: Path) -> None:
    with contextlib.suppress(OSError):  # in a read-only folder it keeps its age
        os.utime(file)
