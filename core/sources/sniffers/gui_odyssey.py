"""GUI-Odyssey's annotation files are known by an object's first keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.json_heads import locate_by_head
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_KEYS = (b'"episode_id"', b'"device_info"', b'"task_info"')


def locate(listing: Listing) -> Iterator[Path]:
    """Annotation files: one object that begins with the episode's id, device and task."""

    def known(name: str) -> bool:
        head = listing.head(name)
        return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and all(key in head for key in _KEYS)

    return locate_by_head(listing, (".json",), known)


FORMAT = Format(
    name="gui_odyssey",
    title="GUI-Odyssey",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("gui_odyssey", "open_gui_odyssey"),
)
