"""Whether the files of a source are still those that were indexed, without reading them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path


def fingerprint(path: Path) -> str:
    """A digest of names, sizes and times of change of the file or of everything in the folder, links not followed.

    "" when the path cannot be read, which equals no stored fingerprint. Costs one look at every directory entry.
    """
    digest = hashlib.blake2b(digest_size=20)
    try:
        digest.update(_mark(path.name, path.stat()))
        if path.is_dir():
            for line in _entries(path):
                digest.update(line)
    except OSError:
        return ""
    return digest.hexdigest()


def _entries(folder: Path) -> Iterator[bytes]:
    """One line for each file, folders in order of their names."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield f"{entry.name}/\n".encode("utf-8", "surrogateescape")
            yield from _entries(Path(entry.path))
            yield b"..\n"
        else:
            yield _mark(entry.name, entry.stat(follow_symlinks=False))


def _mark(name: str, facts: os.stat_result) -> bytes:
    return f"{name}\t{facts.st_size}\t{facts.st_mtime_ns}\n".encode("utf-8", "surrogateescape")
