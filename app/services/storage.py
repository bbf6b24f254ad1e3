"""What this program keeps on the disk, how much each part takes, and taking away what can be made again; and which
machines anything is sent to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import make_url

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.core.settings import user_cache_dir, user_data_dir, user_log_dir

CACHES = {
    "gzip": ("Indexes of compressed files", "Where to begin reading in a large file; made again when it is opened."),
    "unpacked": ("Unpacked archives", "Pictures out of archives that can only be read from their beginning."),
    "predictions.db": ("Answers of models", "So that the same question is not asked twice of the same model."),
    "features.db": ("Features of pictures and texts", "What encoders made of them."),
    "texts": ("Words read from pictures", "What was read where data has no UI tree."),
    "columns": ("Columns of stores on servers", "What filters and results read; made again when it is needed."),
    "weights.json": ("Digests of weights", "SHA-256 of model files that were hashed before."),
    "runtimes.json": ("Fastest runtimes", "Which runtime was measured to be the fastest for a model."),
}
"""What the cache folder has by name: words, and why it is kept."""
OTHER = "other"


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A part of what is kept: `bytes` on the disk; a cache `can_clean`."""

    name: str
    words: str
    about: str
    path: Path
    bytes: int
    can_clean: bool


@dataclass(frozen=True, slots=True)
class Destination:
    """A machine that something is sent to: its `host`, what is sent and when. `is_here`: it is this machine."""

    host: str
    what: str
    is_here: bool


def stored_parts(store: str, token: CancelToken | None = None) -> list[StoredPart]:
    """The store, models, recordings, logs and each cache, the caches last. Counts all files: not for the GUI thread."""
    data, parts = user_data_dir(), []
    address = make_url(store)
    if address.get_backend_name() == "sqlite" and address.database:
        file = Path(address.database)
        files = [file, *(file.with_name(file.name + end) for end in ("-wal", "-shm", "-columns"))]
        parts.append(StoredPart("store", "Store", "Runs, notes, indexes and sessions.", file, _bytes(files), False))
    for name, words, about, path in (
        ("models", "Trained models", "Their weights, cards and exports.", data / "models"),
        ("recordings", "Recordings", "What was recorded on devices.", data / "recordings"),
        ("pages", "Pages of web tasks", "Pages that were kept.", data / "pages"),
        ("logs", "Logs", "Messages of the last starts, and reports of crashes.", user_log_dir()),
    ):
        parts.append(StoredPart(name, words, about, path, _bytes([path], token), False))
    return parts + [part for part in _caches(token) if part.bytes]


def clean(name: str) -> int:
    """Take a cache away; how many bytes that gave back. Raises UserError for what is no cache, and where the disk
    refuses."""
    part = next((part for part in _caches(None) if part.name == name), None)
    if part is None:
        raise UserError(f"{name} is no cache, so nothing was deleted.")
    for path in _files_of(name):
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise UserError(
                f"cannot be deleted: {error.strerror}", place=path, hint="Close what uses it, and try again."
            ) from error
    return part.bytes


def destinations(store: str, devices: Sequence[str] = ()) -> list[Destination]:
    """Every machine that anything can be sent to as things are set: chat servers, a store on a server, and the
    `devices` that are connected over the network ("host:port"). Raises UserError when the list of servers is
    unreadable."""
    from stepscope.models.chat import servers

    found = []
    address = make_url(store)
    if address.get_backend_name() != "sqlite":
        host = address.host or "localhost"
        found.append(Destination(host, "The store: runs, notes, indexes of data", host in ("localhost", "127.0.0.1")))
    for server in servers.load():
        host = urlsplit(server.url).hostname or server.url
        what = f"Chat server {server.name}: goals, texts and pictures of the steps it is asked about"
        found.append(Destination(host, what, server.is_here))
    found += [Destination(device, "A phone: what is done on it in Live", False) for device in devices]
    return found


def _caches(token: CancelToken | None) -> list[StoredPart]:
    folder, parts = user_cache_dir(), []
    for name, (words, about) in CACHES.items():
        path = folder / name
        parts.append(StoredPart(name, words, about, path, _bytes(_files_of(name), token), True))
    if files := _files_of(OTHER):
        parts.append(StoredPart(OTHER, "Other caches", "Files made from models.", folder, _bytes(files, token), True))
    return parts


def _files_of(name: str) -> list[Path]:
    """A cache's own files; a SQLite file has others beside it."""
    folder = user_cache_dir()
    there = sorted(folder.iterdir()) if folder.is_dir() else []
    if name != OTHER:
        return [path for path in there if path.name in (name, f"{name}-wal", f"{name}-shm")]
    known = {f"{one}{end}" for one in CACHES for end in ("", "-wal", "-shm")}
    return [path for path in there if path.name not in known]


def _bytes(paths: Sequence[Path], token: CancelToken | None = None) -> int:
    return sum(size for path in paths for size in _sizes(path, token))


def _sizes(path: Path, token: CancelToken | None) -> Iterator[int]:
    if token is not None and token.cancelled:
        return
    with suppress(OSError):  # it went meanwhile, or may not be read
        if path.is_dir() and not path.is_symlink():
            for entry in path.iterdir():
                yield from _sizes(entry, token)
        elif path.is_file():
            yield path.lstat().st_size
