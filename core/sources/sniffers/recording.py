"""Recordings are known by the mark in `episode.json`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

MARK = "stepscope-recording"
EPISODE_FILE = "episode.json"


def locate(listing: Listing) -> Iterator[Path]:
    """The folder itself when its `episode.json` begins as a recording does."""
    if EPISODE_FILE in listing.files and MARK.encode() in listing.head(EPISODE_FILE):
        yield listing.folder


FORMAT = Format(
    name="recording",
    title="Stepscope recordings",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("recording", "open_recording"),
)
