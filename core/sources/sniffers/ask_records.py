"""Ask records are known by the four keys that each has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.frozen import dataclass
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.json_heads import SUFFIXES, first_record, locate_by_head
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_NEEDED = ("episode_id", "original_task", "ambiguous_task", "asks")


@dataclass(frozen=True, slots=True)
class _AskRecordTest:
    """Tells whether a file called `name` in `listing` begins with an ask record."""

    listing: Listing

    def __call__(self, name: str) -> bool:
        form = first_record(self.listing.head(name))
        return form is not None and all(key in form for key in _NEEDED) and "steps" not in form


def locate(listing: Listing) -> Iterator[Path]:
    """JSON and JSON Lines files whose first object has a record's four keys, and no steps."""
    return locate_by_head(listing, SUFFIXES, _AskRecordTest(listing))


FORMAT = Format(
    name="asks",
    title="Ask records",
    platform=Platform.TEXT,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("ask_records", "open_asks"),
)
