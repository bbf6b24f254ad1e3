"""META-GUI's dialogues are known by `dialog.json` beside turns or a category."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

DIALOG = "dialog.json"
CATEGORY = "category.txt"

_TURN = re.compile(r"turn_(0|[1-9][0-9]{0,3})")


def turn_numbers(folders: Iterable[str]) -> frozenset[int]:
    """The numbers of the folders called `turn_<k>`."""
    return frozenset(int(match[1]) for name in folders if (match := _TURN.fullmatch(name)))


def locate(listing: Listing) -> Iterator[Path]:
    """The folder itself when it holds `dialog.json` with texts, and turns or a category."""
    beside = CATEGORY in listing.files or bool(turn_numbers(listing.folders))
    if beside and DIALOG in listing.files and b'"text"' in listing.head(DIALOG):
        yield listing.folder


FORMAT = Format(
    name="meta_gui",
    title="META-GUI dialogues",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("meta_gui", "open_meta_gui"),
)
