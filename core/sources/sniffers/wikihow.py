"""WikiHow's files are known by the keys of the article that they begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.json_heads import SUFFIXES, locate_by_head
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_KEYS = (b'"sections"', b'"step_headline"', b'"step_text"', b'"step_assets"')


def locate(listing: Listing) -> Iterator[Path]:
    """Files that begin with an article."""

    def known(name: str) -> bool:
        head = listing.head(name)
        return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" and all(key in head for key in _KEYS)

    yield from locate_by_head(listing, SUFFIXES, known)


FORMAT = Format(
    name="wikihow",
    title="WikiHow of the multimodal sequencing release",
    platform=Platform.TEXT,
    kind="procedures",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("wikihow", "open_wikihow"),
)
