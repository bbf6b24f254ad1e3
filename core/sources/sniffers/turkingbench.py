"""TurkingBench's tasks are known by a table beside a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import safe_join
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.sniffers.plan_table import is_plan_table
from stepscope.core.sources.source import Format, sniffer

TEMPLATE = "template.html"
_TABLE = "batch.csv"


def locate(listing: Listing) -> Iterator[Path]:
    """The table that lies beside a page; either file may be the one that is given."""
    pair = (_TABLE, TEMPLATE)
    if any(name in listing.files for name in pair) and all(_lies_in(listing, name) for name in pair):
        yield listing.folder / _TABLE


def _opens(listing: Listing) -> Iterator[Path]:
    """What `locate` finds, without a table of rated plans that is given alone: that opens as plans."""
    alone = TEMPLATE not in listing.files and _TABLE in listing.files
    if not (alone and is_plan_table(listing.head(_TABLE))):
        yield from locate(listing)


def _lies_in(listing: Listing, name: str) -> bool:
    """Whether the file lies there. A listing of a single file does not have what lies beside it."""
    if name in listing.files:
        return (listing.folder / name).is_file()
    try:
        return safe_join(listing.folder, name).is_file()
    except SourceError:
        return False


FORMAT = Format(
    name="turkingbench",
    title="TurkingBench web tasks",
    platform=Platform.WEB,
    kind="webtasks",
    checked="real",
    sniff=sniffer(_opens),
    open=LateReader("turkingbench", "open_turkingbench"),
)
