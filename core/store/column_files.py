"""The folder of a store's kept columns (`core.store.kept_columns`): where it is, and which of its files may go.

A file's name begins with the thing that it is of, such as `source-12` or `scoring-7`.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session

from stepscope.core.settings import user_cache_dir

SUFFIX = ".arrow"

_DRAFT = ".partial"
_DRAFT_SECONDS = 24 * 60 * 60
"""A draft that is older was left behind by a program that ended in the midst of it."""


def columns_folder(address: URL) -> Path | None:
    """Where the columns of a store are kept: beside its file, or in the user's cache for one on a server. None for a
    store in memory, and for a file that can only be read."""
    if address.get_backend_name() != "sqlite":
        place = address.set(password=None).render_as_string()
        return user_cache_dir() / "columns" / digest(place)
    name = address.database or ""
    if name in ("", ":memory:") or name.startswith("file:"):
        return None
    return Path(f"{name}-columns")


def digest(text: str) -> str:
    """A part of a file's name that stands for a text."""
    import hashlib  # with the first file: it brings OpenSSL

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def drop_after_commit(db: Session, things: Collection[str]) -> None:
    """Delete the files of things that are being deleted, when that is done."""
    folder = columns_folder(db.get_bind().engine.url)
    if folder is not None and things:
        event.listen(db, "after_commit", lambda _: _drop(folder, things), once=True)


def clean(folder: Path, known: Collection[str], of: str, beginning: str) -> None:
    """Delete the files of things that are not among the known ones, those of `of` that do not begin so, and drafts that
    were left behind."""
    for file, thing in _files(folder):
        if thing not in known or (thing == of and not file.name.startswith(beginning)):
            _delete(file)
    for draft in folder.glob(f".*{_DRAFT}"):
        with suppress(OSError):
            if draft.stat().st_mtime < time.time() - _DRAFT_SECONDS:
                draft.unlink(missing_ok=True)


def _drop(folder: Path, things: Collection[str]) -> None:
    with suppress(OSError):
        for file, thing in _files(folder):
            if thing in things:
                _delete(file)


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Each file of columns, and the thing that it is of."""
    for file in folder.glob(f"*{SUFFIX}"):
        yield file, "-".join(file.name.split("-")[:2])


def _delete(file: Path) -> None:
    with suppress(OSError):  # Windows keeps a file that is mapped; the next to clean deletes it
        file.unlink(missing_ok=True)
