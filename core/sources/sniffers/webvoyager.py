"""WebVoyager's runs are known by the name and the beginning of their conversation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.archives.opening import LFS_POINTER
from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

MESSAGES = "interact_messages.json"


def locate(listing: Listing) -> Iterator[Path]:
    """The conversation, by its name and its beginning."""
    if MESSAGES not in listing.files:
        return
    head = listing.head(MESSAGES)
    if head.startswith(LFS_POINTER) or (head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[") and b'"role"' in head):
        yield listing.folder / MESSAGES


FORMAT = Format(
    name="webvoyager",
    title="WebVoyager agent runs",
    platform=Platform.WEB,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("webvoyager", "open_webvoyager"),
)
