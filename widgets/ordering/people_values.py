"""What the page of people shows, as frozen values."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.frozen import dataclass
from stepscope.widgets.ordering.ordering_rows import GridCell

Grid = Sequence[Sequence[GridCell]]


@dataclass(frozen=True, slots=True)
class OrdererLine:
    """A person: why they are flagged, "" for not, and the rest in words, by the columns of the page's table."""

    name: str
    flag: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderedLine:
    """A procedure in words, by the columns of the page's table."""

    id: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderPeopleContent:
    """Grids have their head first and are empty where there is nothing to tell. `hidden` says why figures are not to be
    seen, "" where they are; `assigned` and `ordered`: there is something of it to be written; `alternatives`: some
    called other orders right; `seen` are the conditions under which somebody ordered, text, picture and both."""

    people: tuple[OrdererLine, ...] = ()
    procedures: tuple[OrderedLine, ...] = ()
    conditions: Grid = ()
    helped: Grid = ()
    test: Grid = ()
    test_words: str = ""
    detail: str = ""
    hidden: str = ""
    assigned: bool = False
    ordered: bool = False
    alternatives: bool = False
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FlagChoice:
    """Below which mean kappa people are flagged, and whether their orders are left out."""

    agreement: float
    leave_out: bool


@dataclass(frozen=True, slots=True)
class AssignChoice:
    """Who is to order the procedures of the list, how many people each procedure wants under each of these conditions,
    and the seed by which it is drawn who."""

    people: tuple[str, ...]
    k: int
    shown: tuple[str, ...]
    seed: int
