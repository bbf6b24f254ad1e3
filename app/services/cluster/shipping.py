"""Data on its way to machines that cannot see it: by content, through Ray's object store, into each machine's cache.

Files go in pieces, so that none has to fit into memory at once. A folder in the cache is named by the SHA-256 over
names and contents: what is there already is not fetched again, and another run finds it. Links are not followed:
nothing from outside of the data leaves the machine.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from stepscope.app.services.cluster.choice import ClusterChoice, DataWay
from stepscope.app.services.recordings_consent import holds_recordings
from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.regular_files import open_regular
from stepscope.core.settings import user_cache_dir
from stepscope.core.sources.source import Source

PIECE_BYTES = 16 << 20
FOLDER = "cluster-data"
LIMIT = "cluster-data-bytes"
IN_USE_SECONDS = 24 * 3600.0
"""Data that was used so lately is not thrown away for other data."""


@dataclass(frozen=True, slots=True)
class ShippedFile:
    """A file under its `name` in the data, "" where the data is one file; `pieces` are references to its bytes."""

    name: str
    changed_ns: int
    size: int
    pieces: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ShippedData:
    """A data set in the object store: its own `name`, the digest of all that is in it, and its folders and files."""

    name: str
    digest: str
    folders: tuple[str, ...]
    files: tuple[ShippedFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def way_of(choice: ClusterChoice, source: Source) -> DataWay:
    """How workers come by this data: people's recordings are sent to other machines only where that was said."""
    return "shared" if choice.data == "auto" and holds_recordings(source) else choice.data


def not_shared(path: Path, machine: str, choice: ClusterChoice) -> UserError:
    """The error of data that is to be read where it lies, and does not lie there."""
    message = f"The data is not at this place on {machine}, or other than here."
    if choice.data == "auto":
        message += " It holds people's recordings, which are sent to other machines only where you say so."
    hint = "Put it on a disk that all machines see, or have it sent: --cluster-data shipped."
    return UserError(message, place=path, hint=hint)


def ship(path: Path, put: Callable[[bytes], Any]) -> ShippedData:
    """Put all that lies at the path into the store. Raises UserError where it is larger than the limit, or cannot be
    read."""
    digest = hashlib.sha256(path.name.encode("utf-8", "surrogateescape"))
    folders: list[str] = []
    files: list[ShippedFile] = []
    left = limits.limit(LIMIT)
    for file in _within(path):
        name = "" if file == path else file.relative_to(path).as_posix()
        digest.update(f"\0{name}\0".encode("utf-8", "surrogateescape"))
        if file.is_dir():
            folders.append(name)
            continue
        left -= file.stat().st_size
        if left < 0:
            most = limits.limit(LIMIT)
            raise limits.exceeded(LIMIT, f"The data is larger than the {most:,} bytes that are sent around", place=path)
        files.append(_shipped(file, name, put, digest))
    return ShippedData(path.name, digest.hexdigest(), tuple(folders), tuple(files))


def _within(path: Path) -> Iterator[Path]:
    """The path's folders and regular files, each folder before what is in it."""
    if path.is_file():
        yield path
        return
    for entry in sorted(path.iterdir()):
        if entry.is_symlink():
            continue
        if entry.is_dir():
            yield entry
            yield from _within(entry)
        elif entry.is_file():
            yield entry


def _shipped(file: Path, name: str, put: Callable[[bytes], Any], digest: Any) -> ShippedFile:
    pieces, size = [], 0
    try:
        with open_regular(file) as opened:
            while piece := opened.read(PIECE_BYTES):
                digest.update(piece)
                size += len(piece)
                pieces.append(put(piece))
            changed = os.fstat(opened.fileno()).st_mtime_ns
    except OSError as error:
        raise UserError(f"The data cannot be sent to the cluster ({error.strerror or error}).", place=file) from error
    digest.update(size.to_bytes(8, "little"))
    return ShippedFile(name, changed, size, tuple(pieces))


def unpack(data: ShippedData, get: Callable[[Any], bytes]) -> Path:
    """Where the data lies on this machine; it is fetched where it is not there yet. Several processes may do this at
    once: the first that has it whole gives it its place."""
    home = user_cache_dir() / FOLDER
    place = home / data.digest
    if not place.is_dir():
        home.mkdir(parents=True, exist_ok=True)
        _make_room(home, data.size)
        fresh = Path(tempfile.mkdtemp(prefix="fetching-", dir=home))
        try:
            _write(data, fresh / data.name, get)
            _take_place(fresh, place)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    os.utime(place)
    return place / data.name


def _write(data: ShippedData, root: Path, get: Callable[[Any], bytes]) -> None:
    if any(file.name for file in data.files) or not data.files:
        root.mkdir()
    for folder in data.folders:
        (root / folder).mkdir()
    for file in data.files:
        place = root / file.name if file.name else root
        with place.open("xb") as out:
            for piece in file.pieces:
                out.write(get(piece))
        os.utime(place, ns=(file.changed_ns, file.changed_ns))


def _take_place(fresh: Path, place: Path) -> None:
    try:
        fresh.rename(place)
    except OSError:
        if not place.is_dir():  # else another process was quicker, with the same content
            raise


def _make_room(home: Path, size: int) -> None:
    """Throw away what was not used for longest, until the data fits into the limit with what else is there."""
    kept = sorted((entry.stat().st_mtime, entry) for entry in home.iterdir() if entry.is_dir())
    sizes = {entry: sum(file.stat().st_size for file in entry.rglob("*") if file.is_file()) for _, entry in kept}
    whole = sum(sizes.values()) + size
    for used, entry in kept:
        if whole <= limits.limit(LIMIT) or time.time() - used < IN_USE_SECONDS:
            return
        shutil.rmtree(entry, ignore_errors=True)
        whole -= sizes[entry]
