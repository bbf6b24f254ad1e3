"""RICO's traces are known by `gestures.json` beside a folder of screens or of view hierarchies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

GESTURES = "gestures.json"
VIEW_FOLDER = "view_hierarchies"


def locate(listing: Listing) -> Iterator[Path]:
    """The folder itself when it is a trace."""
    if GESTURES in listing.files and listing.has_folder("screenshots", VIEW_FOLDER):
        yield listing.folder


FORMAT = Format(
    name="rico",
    title="RICO interaction traces",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("rico", "open_rico"),
)
