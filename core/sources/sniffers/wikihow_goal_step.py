"""The goal-step tables are known by the header of a CSV file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

HEADER = ("goal", "steps", "ordered?")


def locate(listing: Listing) -> Iterator[Path]:
    """Tables with the three columns."""
    for name in listing.files_ending(".csv"):
        first = listing.head(name).removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
        if first.replace(b'"', b"").strip().split(b",")[:3] == [column.encode() for column in HEADER]:
            yield listing.folder / name


FORMAT = Format(
    name="wikihow_goal_step",
    title="wikiHow goal-step order annotations",
    platform=Platform.TEXT,
    kind="procedures",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("wikihow_goal_step", "open_wikihow_goal_step"),
)
