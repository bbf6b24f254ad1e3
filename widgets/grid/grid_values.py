"""What the grid shows, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.core.domain.geometry import Size
from stepscope.core.domain.mark import Mark

TileKey = tuple[str, int]
"""An episode and a step's index in it."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A step. `title` is the target, `taken` what was taken instead; `number` and `distance` are words; `middle` is the
    height, as a share of the picture of `size`, around which it is cut; `tags` are those that it has."""

    key: TileKey
    title: str
    taken: str
    number: str
    distance: str
    size: Size
    middle: float
    marks: tuple[Mark, ...]
    has_picture: bool = True
    tags: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """For who hears it."""
        tags = f", tagged {', '.join(self.tags)}" if self.tags else ""
        return f"Step {self.number}, {self.title}, taken instead: {self.taken}, {self.distance}{tags}".rstrip(", ")


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Tiles under a heading."""

    title: str
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of the list at the left: `value` is written into the filter, "" for the line of all. `section` stands
    above the first line that has it."""

    value: str
    title: str
    count: int
    section: str = ""
    chosen: bool = False
    tip: str = ""
