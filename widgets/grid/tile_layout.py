"""Where tiles and headings lie. Pure: numbers in, rectangles out, in pixels of the whole scroll."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from stepscope.core.frozen import dataclass
from stepscope.widgets.grid.grid_values import Tile, TileGroup

MARGIN, GAP, HEADING = 16, 14, 40
CUT, WHOLE_MOST = 0.9, 2.2
"""Height of a cut picture, and the largest of a whole one, for a width of 1."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile's place: `top` from the beginning of the scroll; `picture` is the height of its picture."""

    left: int
    top: int
    width: int
    height: int
    picture: int

    @property
    def bottom(self) -> int:
        return self.top + self.height

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x < self.left + self.width and self.top <= y < self.bottom

    def touches(self, left: float, top: float, right: float, bottom: float) -> bool:
        return self.left < right and self.left + self.width > left and self.top < bottom and self.bottom > top


class TileLayout:
    """All groups one below the other, rows of equal tiles in each. `wide` is the width of the view, `tile` that of a
    tile at least, `caption` the height of the words below a picture."""

    def __init__(self, groups: Sequence[TileGroup], wide: int, tile: int, caption: int, *, whole: bool) -> None:
        room = max(wide - 2 * MARGIN, tile)
        self.columns = max(1, (room + GAP) // (tile + GAP))
        width = (room - GAP * (self.columns - 1)) // self.columns
        self.tiles: list[Tile] = []
        self.places: list[Placed] = []
        self.headings: list[tuple[int, TileGroup]] = []
        self.starts: list[int] = []
        """the number of each group's first tile"""
        top = 4
        for group in groups:
            self.headings.append((top, group))
            self.starts.append(len(self.tiles))
            top += HEADING
            for first in range(0, len(group.tiles), self.columns):
                row = group.tiles[first : first + self.columns]
                picture = max(round(width * _share(tile, whole=whole)) for tile in row)
                for column, one in enumerate(row):
                    self.tiles.append(one)
                    self.places.append(Placed(MARGIN + column * (width + GAP), top, width, picture + caption, picture))
                top += picture + caption + GAP
        self.height = top + MARGIN
        self._tops = [place.top for place in self.places]

    def at(self, x: float, y: float) -> int | None:
        """The number of the tile at a place."""
        for number in self.between(y, y + 1):
            if self.places[number].holds(x, y):
                return number
        return None

    def between(self, top: float, bottom: float) -> range:
        """The tiles that are seen between two heights, and perhaps some beside them."""
        if not self.places:
            return range(0)
        tallest = max(place.height for place in self.places)
        return range(bisect_left(self._tops, top - tallest), bisect_right(self._tops, bottom))

    def moved(self, number: int, across: int, down: int) -> int:
        """The tile beside one, or above or below it: in its column of the next row, or the last of a shorter one."""
        if not self.places:
            return -1
        number = min(max(number, 0), len(self.places) - 1)
        if across:
            return min(max(number + across, 0), len(self.places) - 1)
        here = self.places[number]
        tops = sorted(set(self._tops))
        row = tops.index(here.top) + down
        if not 0 <= row < len(tops):
            return number
        first, end = bisect_left(self._tops, tops[row]), bisect_right(self._tops, tops[row])
        return min(range(first, end), key=lambda one: abs(self.places[one].left - here.left))

    def group_of(self, number: int) -> range:
        """The tiles of the group that a tile is in."""
        group = bisect_right(self.starts, number) - 1
        end = self.starts[group + 1] if group + 1 < len(self.starts) else len(self.tiles)
        return range(self.starts[group], end)


def _share(tile: Tile, *, whole: bool) -> float:
    tall = tile.size.height / tile.size.width
    return min(tall, WHOLE_MOST if whole else CUT)
