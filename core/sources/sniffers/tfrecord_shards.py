"""Which files are shards of a TFRecord data set.

A shard is known by the names of the features in its first record, since a shard's name says nothing for certain. What
reads records is imported only where a file begins with one that may be a data set's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from stepscope.core.archives.tfrecord_head import looks_like_tfrecord
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import Listing, visible

_SHARD_NAME = re.compile(r"[^.]+|.+\.tfrecords?(\.gz)?|.+-\d+-of-\d+(\.\w+){0,2}", re.IGNORECASE)
"""Names that a shard may have: without an ending, ending as TFRecord, or numbered as TensorFlow numbers shards."""

_NAMED_SO = re.compile(r".+\.tfrecords?(\.gz)?", re.IGNORECASE)

_NUMBERED = re.compile(r"(.+)-\d+(-of-\d+.*)")

_TRIES = 3
"""So many shards of a series, and so many records of a shard, are looked at: the first may be damaged (ours)."""


def shards(listing: Listing, marks: tuple[str, ...], is_own: Callable[[Path, bytes], bool]) -> Iterator[Path]:
    """Shards here of the data set that `is_own` knows by a path and the beginning of its first record.

    It is asked where one of the feature names `marks` stands near. A numbered series is asked about its first shards
    only and is taken whole: a damaged shard of it is to be told, and there may be thousands. So is what lies beside an
    own shard, is called `.tfrecord` and does not begin as such.
    """
    wanted = [mark.encode() for mark in marks]
    own: set[str] = set()
    for names in _series(listing):
        for name in names[:_TRIES]:
            start = looks_like_tfrecord(listing.head(name))
            if any(mark in start for mark in wanted) and is_own(listing.folder / name, start):
                yield from (listing.folder / one for one in names)
                own.update(names)
                break
    for name in visible(listing.files) if own else ():
        if name not in own and _NAMED_SO.fullmatch(name) and not looks_like_tfrecord(listing.head(name)):
            yield listing.folder / name


def _series(listing: Listing) -> Iterable[list[str]]:
    """Names that may be shards', those of a numbered series together."""
    together: dict[str, list[str]] = {}
    for name in visible(listing.files):
        if _SHARD_NAME.fullmatch(name):
            numbered = _NUMBERED.fullmatch(name)
            together.setdefault("-#".join(numbered.groups()) if numbered else name, []).append(name)
    return together.values()


def feature_names(path: Path) -> frozenset[str]:
    """Names of the features of the shard's first whole record; none when it cannot be read."""
    try:
        state = path.stat()
    except OSError:
        return frozenset()
    return _feature_names(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=64)
def _feature_names(path: Path, size: int, changed: int) -> frozenset[str]:
    from stepscope.core.archives.example import Example
    from stepscope.core.archives.tfrecord import TfRecord, read_records

    try:
        for _, record in zip(range(_TRIES), read_records(path), strict=False):
            if isinstance(record, TfRecord):
                return frozenset(Example.parse(record.data).names)
    except SourceError:
        pass
    return frozenset()
