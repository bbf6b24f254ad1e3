"""UIBert's referring expressions are known by the features of a shard's records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.sniffers.tfrecord_shards import shards
from stepscope.core.sources.source import Format, sniffer

_MARKS = ("image/ref_exp/text", "image/ref_exp/label")


def locate(listing: Listing) -> Iterator[Path]:
    """The shards in a folder."""
    return shards(listing, _MARKS, lambda path, start: True)


FORMAT = Format(
    name="uibert_refexp",
    title="UIBert referring expressions",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("uibert", "open_uibert_refexp"),
)
