"""What the grid shows, as frozen values."""

from __future__ import annotations

from stepscope.core.domain.geometry import Size
from stepscope.core.domain.mark import Mark
from stepscope.core.frozen import dataclass

TileKey = tuple[str, int]
"""An episode and a step's index in it."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A step. `title` is the target, `taken` what was taken instead; `number` and `distance` are words; `middle` is the
    height, as a share of the picture of `size`, around which it is cut; `tags` are those that it has; `by_hand`:
    a person gave it its cause."""

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
    by_hand: bool = False

    @property
    def words(self) -> str:
        """For who hears it."""
        tags = f", tagged {', '.join(self.tags)}" if self.tags else ""
        hand = ", cause changed by hand" if self.by_hand else ""
        said = f"Step {self.number}, {self.title}, taken instead: {self.taken}, {self.distance}".rstrip(", ")
        return f"{said}{tags}{hand}"


@dataclass(frozen=True, slots=True)
class WrongStepDetails:
    """The step with the keyboard's place, in words: `place` is its app and number; `reference` and `answer` are the
    actions; `run` is the run's number (0: A); `why` is what the rule says, `explained` how such a cause is told,
    `by_hand` who gave it and what it was before, "" where nobody did."""

    tile: Tile
    goal: str
    place: str
    reference: str
    run: int
    answer: str
    confidence: str
    cause: str
    explained: str
    why: str
    by_hand: str


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
