"""AndroidArena's runs are known by the words and the style of the pages' template."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing, with_empty
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

TASK, PROMPT = b"<h2>Task</h2>", b"<h2>System Prompt</h2>"


def locate(listing: Listing) -> Iterator[Path]:
    """HTML files that begin as the template does."""

    def known(name: str) -> bool:
        head = listing.head(name)
        return TASK in head and PROMPT in head and b".green-font" in head

    return with_empty(listing, listing.files_ending(".html", ".htm"), known)


FORMAT = Format(
    name="androidarena",
    title="AndroidArena agent runs",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("androidarena", "open_androidarena"),
)
