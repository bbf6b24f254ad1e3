"""OS-Genesis's instructions are known by the keys of a JSON list's first item."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.json_heads import first_record
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_KEYS = ("episode_id", "step_id", "app_name", "task_name", "instruction")


def locate(listing: Listing) -> Iterator[Path]:
    """JSON lists whose first item has the five keys."""
    for name in listing.files_ending(".json"):
        head = listing.head(name)
        if b'"step_id"' in head and b'"task_name"' in head:
            first = first_record(head)
            if first is not None and all(key in first for key in _KEYS):
                yield listing.folder / name


FORMAT = Format(
    name="os_genesis",
    title="OS-Genesis instructions",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("os_genesis", "open_os_genesis"),
)
