"""AndroidControl's shards are known by the features of their records. AndroidInteraction adds some to them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.sniffers.tfrecord_shards import feature_names, shards
from stepscope.core.sources.source import Format, sniffer

_BASIC = ("episode_id", "goal", "screenshots", "accessibility_trees")
INTERACTION = ("messages_to_user", "interaction_types")
"""Features that AndroidInteraction adds."""


def locate_dialect(interaction: bool, listing: Listing) -> Iterator[Path]:
    """Shards with AndroidControl's features, and with or without those that AndroidInteraction adds."""
    return shards(listing, (*_BASIC[2:], *INTERACTION), partial(_is_own, interaction))


def _is_own(interaction: bool, shard: Path, start: bytes) -> bool:
    names = feature_names(shard) or {name for name in (*_BASIC, *INTERACTION) if name.encode() in start}
    own = "accessibility_trees" in names and ("screenshots" in names or "goal" in names)
    return own and any(name in names for name in INTERACTION) is interaction


locate = partial(locate_dialect, False)

FORMAT = Format(
    name="android_control",
    title="AndroidControl",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("android_control", "open_android_control"),
)
