"""AndroidInteraction's shards are known by the features that it adds to AndroidControl's."""

from __future__ import annotations

from functools import partial

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.sniffers.android_control import locate_dialect
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

locate = partial(locate_dialect, True)

FORMAT = Format(
    name="android_interaction",
    title="AndroidInteraction",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("android_interaction", "open_android_interaction"),
)
