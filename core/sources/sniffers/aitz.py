"""AITZ's episodes are known by a JSON list whose steps have AITZ's own keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.regular_files import open_regular
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_HEAD_BYTES = 65_536
_MARK = b'"result_action_type"'

_MISSES = 50


def beginning(path: Path) -> bytes:
    """The first 64 KB of the file; empty where it cannot be read."""
    try:
        if not path.is_file():
            return b""
        with open_regular(path) as stream:
            return stream.read(_HEAD_BYTES)
    except OSError:
        return b""


def locate(listing: Listing) -> Iterator[Path]:
    """JSON files that begin as a list of steps. A folder whose first 50 JSON files are none is not searched on."""
    misses = 0
    for name in listing.files_ending(".json"):
        head = beginning(listing.folder / name)
        if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[") and _MARK in head:
            misses = -1
            yield listing.folder / name
        elif misses >= 0:
            misses += 1
            if misses == _MISSES:
                return


FORMAT = Format(
    name="aitz",
    title="Android in the Zoo (CoAT)",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("aitz", "open_aitz"),
)
