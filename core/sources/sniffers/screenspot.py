"""ScreenSpot's files are lists of objects with a picture's name, a box and an instruction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_KEYS = ((b'"img_filename"', b'"bbox"', b'"instruction"'), (b'"image_path"', b'"box_type"', b'"instruction"'))


def locate(listing: Listing) -> Iterator[Path]:
    """The lists in a folder."""
    for suffix in (".json", ".jsonl"):
        for name in listing.files_ending(suffix):
            if any(all(key in listing.head(name) for key in keys) for keys in _KEYS):
                yield listing.folder / name


FORMAT = Format(
    name="screenspot",
    title="ScreenSpot and its like",
    platform=Platform.WEB,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("screenspot", "open_screenspot"),
)
