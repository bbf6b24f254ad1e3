"""WebLINX's demonstrations are known by `replay.json` that begins with turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.archives.opening import LFS_POINTER
from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

REPLAY = "replay.json"
FORM = "form.json"

_KEYS = (b'"speaker"', b'"intent"')


def locate(listing: Listing) -> Iterator[Path]:
    """`replay.json` that begins with turns."""
    if REPLAY in listing.files:
        head = listing.head(REPLAY)
        known = b'"data"' in head and b'"type"' in head and any(key in head for key in _KEYS)
        if known or (head.startswith(LFS_POINTER) and FORM in listing.files):
            yield listing.folder / REPLAY


FORMAT = Format(
    name="weblinx",
    title="WebLINX demonstrations",
    platform=Platform.WEB,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("weblinx", "open_weblinx"),
)
