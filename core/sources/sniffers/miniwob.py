"""MiniWoB++'s demonstrations are known by the keys in a JSON file's beginning, gzip or plain."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_SUFFIXES = (".json", ".json.gz")
GZIP = b"\x1f\x8b"
_HEAD = 16_384
_KEYS = (b'"states"', b'"bgColor"', b'"fgColor"')
"""What every demonstration has near its beginning, in whichever order its keys were written."""


def locate(listing: Listing) -> Iterator[Path]:
    """The demonstrations in a folder."""
    for name in listing.files_ending(*_SUFFIXES):
        head = _beginning(listing.head(name))
        if all(key in head for key in _KEYS):
            yield listing.folder / name


def _beginning(head: bytes) -> bytes:
    if not head.startswith(GZIP):
        return head
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, _HEAD)
    except zlib.error:
        return b""


FORMAT = Format(
    name="miniwob",
    title="MiniWoB++ demonstrations",
    platform=Platform.WEB,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("miniwob", "open_miniwob"),
)
