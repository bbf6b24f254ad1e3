"""A damaged store out of the way, and another in its place. Nothing is deleted: the damaged file stays in its folder
under another name, together with the files that SQLite put beside it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from stepscope.core.drafts import reason
from stepscope.core.errors import StoreError

_BESIDE = ("-wal", "-shm", "-journal")


def file_of(url: str) -> Path | None:
    """The file of a store's address, None where it has none of its own (a server, memory, a URI)."""
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        return None
    name = address.database or ""
    if address.get_backend_name() != "sqlite" or name in ("", ":memory:") or name.startswith("file:"):
        return None
    return Path(name)


def free_name(file: Path, word: str) -> Path:
    """A name beside `file` that nothing has: `results-damaged.db`, `results-damaged-2.db`, …"""
    number = 1
    while True:
        name = file.with_name(f"{file.stem}-{word}{'' if number == 1 else f'-{number}'}{file.suffix}")
        if not any(name.with_name(name.name + end).exists() for end in ("", *_BESIDE)):
            return name
        number += 1


def set_aside(file: Path) -> Path:
    """Rename the store to a free name and return it. Its log goes first, so that it never lies beside another store.
    Raises StoreError when it cannot be renamed; then everything is where it was."""
    kept = free_name(file, "damaged")
    moved: list[tuple[Path, Path]] = []
    try:
        for end in (*_BESIDE, ""):
            here, there = file.with_name(file.name + end), kept.with_name(kept.name + end)
            if here.exists():
                here.rename(there)
                moved.append((here, there))
    except OSError as error:
        for here, there in moved:
            there.rename(here)
        hint = "Close other programs that use it, and see that its folder can be written."
        raise StoreError(f"The store cannot be renamed ({reason(error)}).", place=file, hint=hint) from error
    return kept


def put_in_place(new: Path, file: Path) -> Path:
    """Set the store aside and put `new`, a closed store in the same folder, in its place; returns where the old one is.
    Raises StoreError as `set_aside` does."""
    kept = set_aside(file)
    try:
        new.rename(file)
    except OSError as error:
        hint = f"Open it with --store. The damaged store is {kept}."
        raise StoreError(f"The new store cannot be renamed ({reason(error)}).", place=new, hint=hint) from error
    return kept
