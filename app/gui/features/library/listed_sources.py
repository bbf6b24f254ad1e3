"""The list over one source, or over several one behind the other: which place of the list is which episode of which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.selection import OpenSource
from stepscope.core.frozen import dataclass

if TYPE_CHECKING:
    from stepscope.core.store.filter_search import FilterResult
    from stepscope.core.store.sorting import SortedEpisodes


@dataclass(frozen=True, eq=False)
class FilteredListing:
    """A source's list for a filter, worked out off the GUI thread as far as it goes: the place of each episode, and
    whether the list is `before` with more behind it."""

    filter: str
    listing: SortedEpisodes
    places: dict[str, int]
    before: tuple[str, ...]
    grown: bool

    @property
    def ids(self) -> tuple[str, ...]:
        return self.listing.ids

    @property
    def found(self) -> FilterResult:
        return self.listing.found


@dataclass(frozen=True, eq=False)
class ListedPart:
    """What the list shows of a source, from place `first` of the whole list on."""

    source: OpenSource
    listing: FilteredListing
    first: int


@dataclass(frozen=True, slots=True)
class RowsWanted:
    """Episodes of one source whose rows are wanted; the first of them stands at place `first` of the whole list."""

    source: OpenSource
    ids: tuple[str, ...]
    first: int


class ListedSources:
    """Never changed, but replaced."""

    def __init__(self, listings: Sequence[tuple[OpenSource, FilteredListing]] = ()) -> None:
        firsts = [0, *accumulate(len(listing.ids) for _source, listing in listings)]
        self.parts = tuple(
            ListedPart(source, listing, first) for (source, listing), first in zip(listings, firsts, strict=False)
        )
        self.total = firsts[-1]
        """episodes that the filter leaves of all of them"""

    def of(self, key: str) -> ListedPart | None:
        """The part of the source with this key, None where it is not listed."""
        return next((part for part in self.parts if part.source.key == key), None)

    def at(self, place: int) -> tuple[OpenSource, str] | None:
        """The episode at a place of the list with its source; None outside of it."""
        for wanted in self.rows(place, 1):
            return wanted.source, wanted.ids[0]
        return None

    def rows(self, offset: int, limit: int) -> Iterator[RowsWanted]:
        """What stands at `limit` places from `offset` on, by source."""
        for part in self.parts:
            start, end = max(offset - part.first, 0), offset + limit - part.first
            if ids := part.listing.ids[start : max(end, 0)]:
                yield RowsWanted(part.source, ids, part.first + start)

    def with_fresh(self, fresh: OpenSource) -> ListedSources:
        """The same where more is known of a source that is listed."""
        listings = [(fresh if part.source.key == fresh.key else part.source, part.listing) for part in self.parts]
        return ListedSources(listings)
