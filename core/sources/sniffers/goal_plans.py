"""Rated plans are known by the columns of a table; beside its page the table is a web task unless it is given alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.sniffers.plan_table import is_plan_table
from stepscope.core.sources.sniffers.turkingbench import TEMPLATE
from stepscope.core.sources.source import Format, sniffer


def locate(listing: Listing) -> Iterator[Path]:
    """Tables with the three columns, where no page lies beside them. A listing of a single file has none beside it."""
    if TEMPLATE in listing.files:
        return
    for name in listing.files_ending(".csv"):
        if is_plan_table(listing.head(name)):
            yield listing.folder / name


FORMAT = Format(
    name="goal_plans",
    title="Goals with plans that people rated",
    platform=Platform.TEXT,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("goal_plans", "open_goal_plans"),
)
