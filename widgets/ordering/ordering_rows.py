"""What the ordering views show, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from stepscope.widgets import format as formats
from stepscope.widgets.common.verdict import ShownVerdict


@dataclass(frozen=True, slots=True)
class StepCard:
    """A step of the procedure by its id, in words; `has_picture`: one may be asked for."""

    id: str
    text: str
    has_picture: bool = False


@dataclass(frozen=True, slots=True)
class OrderRow:
    """The order of run `run` (0 is A), as step ids. `note` says why there is no order, or what became of it."""

    run: int
    name: str
    order: tuple[str, ...] = ()
    verdict: ShownVerdict | None = None
    note: str = ""


@dataclass(frozen=True)
class OrderBoardContent:
    """A procedure: its cards, the reference order that the rows are held against (`note` names it), and the runs."""

    goal: str
    cards: tuple[StepCard, ...]
    reference: tuple[str, ...]
    rows: tuple[OrderRow, ...] = ()
    note: str = ""

    @cached_property
    def by_id(self) -> dict[str, StepCard]:
        return {card.id: card for card in self.cards}

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Each step's place in the reference order."""
        return {step: place for place, step in enumerate(self.reference)}


@dataclass(frozen=True, slots=True)
class PairMatrix:
    """The confidence of run `run` that the row's step comes before the column's: `before[row][column]`, 0..1, rows and
    columns in the reference order with these `labels`. The diagonal means nothing."""

    run: int
    name: str
    labels: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]

    def is_against(self, row: int, column: int) -> bool:
        """Whether the run takes this pair the other way round than the reference."""
        return row != column and (self.before[row][column] > 0.5) == (row > column) and self.before[row][column] != 0.5


@dataclass(frozen=True, slots=True)
class OrderMetrics:
    """Metrics of one procedure: a title and the value of each run, None where it has none; `low`: lower is better;
    `whole`: it counts, and has no fractions."""

    title: str
    values: tuple[float | None, ...]
    low: bool = False
    whole: bool = False

    def words(self) -> list[str]:
        """The values as they are shown."""
        counts = [None if value is None else round(value) for value in self.values]
        return [formats.count(one) for one in counts] if self.whole else [formats.score(one) for one in self.values]
