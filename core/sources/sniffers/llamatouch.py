"""LlamaTouch's traces are known by the names of their two text files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

EVENTS = "eventStructs.txt"
INSTRUCTION = "instruction.txt"


def locate(listing: Listing) -> Iterator[Path]:
    """The folder itself when it is a trace: both text files, or one of them beside numbered screenshots."""
    named = [name in listing.files for name in (EVENTS, INSTRUCTION)]
    if all(named) or (any(named) and "0.png" in listing.files):
        yield listing.folder


FORMAT = Format(
    name="llamatouch",
    title="LlamaTouch recorded tasks",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("llamatouch", "open_llamatouch"),
)
