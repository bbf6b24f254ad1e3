"""WebLINX's candidates are known by the keys of a row of JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.json_heads import first_record
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_KEYS = ("query", "demo_name", "turn_index", "elem_dict", "uid")


def locate(listing: Listing) -> Iterator[Path]:
    """JSON Lines whose first row is such an element."""
    for name in listing.files_ending(".jsonl", ".ndjson"):
        first = first_record(listing.head(name))
        if first is not None and all(key in first for key in _KEYS):
            yield listing.folder / name


FORMAT = Format(
    name="weblinx_candidates",
    title="WebLINX candidate elements",
    platform=Platform.WEB,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("weblinx_candidates", "open_weblinx_candidates"),
    beside="weblinx",
)
