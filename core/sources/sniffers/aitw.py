"""AITW's shards are known by the features of their records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.sniffers.tfrecord_shards import feature_names, shards
from stepscope.core.sources.source import Format, sniffer

_OWN = ("image/ui_annotations_positions", "results/yx_touch", "results/yx_lift")
_PIXELS = "image/encoded"


def locate(listing: Listing) -> Iterator[Path]:
    """Shards with AITW's features."""
    return shards(listing, (*_OWN, _PIXELS), _is_own)


def _is_own(shard: Path, start: bytes) -> bool:
    """Where the first pixels fill a shard's beginning, its first record is asked."""
    return any(name.encode() in start for name in _OWN) or feature_names(shard).issuperset(_OWN)


FORMAT = Format(
    name="aitw",
    title="Android in the Wild",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("aitw", "open_aitw"),
)
