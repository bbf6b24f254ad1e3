"""AndroidWorld's results are known by pickles that name an episode's keys; nothing is unpickled."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.archives.opening import GZIP_MAGIC
from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing, with_empty
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

SUFFIXES = (".pkl.gz", ".pickle.gz", ".pkl", ".pickle")
_MARKS = (b"task_template", b"episode_data")


def locate(listing: Listing) -> Iterator[Path]:
    """Pickles whose first inflated 64 KB name an episode's keys."""

    def known(name: str) -> bool:
        head = listing.head(name)
        if head.startswith(GZIP_MAGIC):
            head = _inflated(head)
        return head.startswith(b"\x80") and all(mark in head for mark in _MARKS)

    return with_empty(listing, listing.files_ending(*SUFFIXES), known)


def _inflated(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(head, 1 << 16)
    except zlib.error:
        return b""


FORMAT = Format(
    name="android_world",
    title="AndroidWorld results",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("android_world", "open_android_world"),
)
