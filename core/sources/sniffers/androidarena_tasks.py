"""AndroidArena's lists of tasks are known by the keys in a YAML file's beginning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing, with_empty
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_MARKS = (b"tasks:", b"instruction:", b"max_repeat_step:")


def locate(listing: Listing) -> Iterator[Path]:
    """YAML files whose beginning has the keys of a list of tasks."""

    def known(name: str) -> bool:
        return all(mark in listing.head(name) for mark in _MARKS)

    return with_empty(listing, listing.files_ending(".yaml", ".yml"), known)


FORMAT = Format(
    name="androidarena_tasks",
    title="AndroidArena tasks",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("androidarena_tasks", "open_androidarena_tasks"),
    beside="androidarena",
)
