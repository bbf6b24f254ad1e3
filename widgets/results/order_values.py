"""What the page of orders shows of a run of step ordering, as frozen values."""

from __future__ import annotations

from stepscope.core.frozen import dataclass
from stepscope.widgets.scores.breakdown_values import Key


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A row in words; `values` has by column what it is sorted by, None where there is nothing. `key` stands for the
    procedures behind it."""

    cells: tuple[str, ...]
    values: tuple[str | float | None, ...]
    key: Key = None


@dataclass(frozen=True, slots=True)
class OrderSheet:
    """One table: `heads` with whether words or numbers stand below; `note` says what it is about or why it is empty."""

    name: str
    title: str
    heads: tuple[tuple[str, bool], ...] = ()
    lines: tuple[OrderLine, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class OrderOther:
    """What the run can be compared with."""

    key: str
    name: str
