"""Small tables of figures, as frozen values."""

from __future__ import annotations

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A cell of a table of figures with what stands below it; `role` is that of a label ("dim" for too few or none),
    `tip` tells where a figure is from."""

    text: str
    tip: str = ""
    role: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Columns, the first one words; rows of as many cells; `paper` rows are printed numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[FigureCell, ...], ...] = ()
    paper: frozenset[int] = frozenset()
    empty: str = ""
