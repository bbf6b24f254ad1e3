"""Whether the files of a source are still those that were indexed, without reading them whole."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.regular_files import open_regular

PROBES = 64
"""Files of which some bytes are read; in a large source they stand for the others (ours)."""

_PROBE_BYTES = 4096
_BETWEEN = "-"


def fingerprint(path: Path) -> str:
    """Two digests: the glance (see there), and one of names, sizes and times of change of the file or of everything in
    the folder, links not followed, and of the first and last bytes of some of the files.

    The files that are probed are chosen by their names alone, so that they are the same ones each time. "" when the
    path cannot be read, which equals no stored fingerprint. Costs one look at every directory entry and 128 reads.
    """
    digest = hashlib.blake2b(digest_size=20)
    try:
        digest.update(_mark(path.name, path.stat()))
        probes = _FileSample(len(str(path)))
        if path.is_dir():
            for line in _entries(path, probes):
                digest.update(line)
        else:
            probes.consider(str(path))
        for file in probes.chosen():
            digest.update(_probe(file))
    except OSError:
        return ""
    return f"{glance(path)}{_BETWEEN}{digest.hexdigest()}"


def glance(path: Path) -> str:
    """A digest of what lies directly at the path: quick, and enough to tell another data set in the same place."""
    digest = hashlib.blake2b(digest_size=10)
    try:
        digest.update(_mark(path.name, path.stat()))
        if path.is_dir():
            with os.scandir(path) as found:
                for entry in sorted(found, key=lambda entry: entry.name):
                    digest.update(_mark(entry.name, entry.stat(follow_symlinks=False)))
    except OSError:
        return ""
    return digest.hexdigest()


def looks_same(path: Path, stored: str) -> bool:
    """Whether a glance at the path is that of a stored fingerprint."""
    return bool(stored) and stored.partition(_BETWEEN)[0] == glance(path)


class _FileSample:
    """Keeps the files whose paths have the smallest digests: a sample that does not change while the names do not.
    The first `skipped` characters of a path are the source's own place and do not count."""

    def __init__(self, skipped: int) -> None:
        self._skipped = skipped
        self._kept: list[tuple[int, str]] = []
        self._limit = 1 << 32

    def consider(self, path: str) -> None:
        rank = hash_of(path[self._skipped :])
        if rank < self._limit:
            self._kept.append((rank, path))
            if len(self._kept) >= 2 * PROBES:
                self._kept = sorted(self._kept)[:PROBES]
                self._limit = self._kept[-1][0]

    def chosen(self) -> list[str]:
        return [path for _, path in sorted(self._kept)[:PROBES]]


def hash_of(name: str) -> int:
    """A number of 32 bits that is the same for a name in every process."""
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=4).digest(), "big")


def _probe(file: str) -> bytes:
    """The first and the last bytes of a file; nothing of one that cannot be read."""
    try:
        with open_regular(file) as stream:
            head = stream.read(_PROBE_BYTES)
            stream.seek(max(os.fstat(stream.fileno()).st_size - _PROBE_BYTES, 0))
            return head + stream.read(_PROBE_BYTES)
    except OSError:
        return b""


def _entries(folder: Path | str, probes: _FileSample) -> Iterator[bytes]:
    """One line for each file, folders in order of their names."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield f"{entry.name}/\n".encode("utf-8", "surrogateescape")
            yield from _entries(entry.path, probes)
            yield b"..\n"
        else:
            facts = entry.stat(follow_symlinks=False)
            if entry.is_file(follow_symlinks=False):
                probes.consider(entry.path)
            yield _mark(entry.name, facts)


def _mark(name: str, facts: os.stat_result) -> bytes:
    return f"{name}\t{facts.st_size}\t{facts.st_mtime_ns}\n".encode("utf-8", "surrogateescape")
