"""What the ordering views show, as frozen values."""

from __future__ import annotations

from functools import cached_property

from stepscope.core.frozen import dataclass
from stepscope.widgets import format as formats
from stepscope.widgets.common.verdict import ShownVerdict


@dataclass(frozen=True, slots=True)
class StepCard:
    """A step of the procedure by its id, in words; `has_picture`: one may be asked for. `letter` names it by the place
    at which it was shown when the steps were shuffled."""

    id: str
    text: str
    has_picture: bool = False
    letter: str = ""


@dataclass(frozen=True, slots=True)
class OrderRow:
    """The order of run `run` (0 is A), as step ids. `note` says why there is no order, or what became of it."""

    run: int
    name: str
    order: tuple[str, ...] = ()
    verdict: ShownVerdict | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class YourRow:
    """The person's own order, as step ids, with what stands below *You*. `locked`: its cards cannot be moved."""

    order: tuple[str, ...]
    note: str = ""
    locked: bool = False


BoardRow = OrderRow | YourRow | None
"""A row of the board; None is the reference."""


@dataclass(frozen=True)
class OrderBoardContent:
    """A procedure: its cards, the reference order that the rows are held against (`note` names it), the runs, and the
    person's own row. A reference that is not to be seen is empty."""

    goal: str
    cards: tuple[StepCard, ...]
    reference: tuple[str, ...]
    rows: tuple[OrderRow, ...] = ()
    note: str = ""
    you: YourRow | None = None

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
    columns in the reference order with these `labels`. The diagonal means nothing. `in_order`: the order that the run
    gave is the reference. With `attention` it is how much the row's step looked at the column's on the way to the
    answer, its own on the diagonal, and nothing is against the reference."""

    run: int
    name: str
    labels: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]
    in_order: bool = False
    attention: bool = False

    @property
    def strongest(self) -> float:
        """The number beside which the others are drawn: of attention the most there is."""
        return max(map(max, self.before)) or 1.0 if self.attention else 1.0

    def is_against(self, row: int, column: int) -> bool:
        """Whether the run takes this pair the other way round than the reference."""
        if self.attention:
            return False
        return row != column and (self.before[row][column] > 0.5) == (row > column) and self.before[row][column] != 0.5


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """A column of numbers about procedures; `run` None is the person's own. `whole`: it counts, and has no fractions;
    `short`: two of its digits are enough."""

    title: str
    run: int | None = None
    whole: bool = False
    tip: str = ""
    short: bool = False

    def words(self, value: float | None) -> str:
        """A value as it is shown."""
        if self.short:
            return formats.confidence(value)
        if not self.whole:
            return formats.score(value)
        return formats.count(None if value is None else round(value))


@dataclass(frozen=True, slots=True)
class ProcedureLine:
    """A procedure in the list: `mark` is "" for one that the person has not ordered, "draft" or "done"; `people` have
    accepted a blind order of it; `values` stand in the columns."""

    id: str
    goal: str
    steps: int
    mark: str = ""
    people: int = 0
    values: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a small table: its words, in the colour of `run` where that is one, dim, or strong."""

    text: str
    run: int | None = None
    is_number: bool = True
    is_dim: bool = False
    tip: str = ""


@dataclass(frozen=True, slots=True)
class YourState:
    """What stands in the bars above the board. `alternatives` are the other orders that the person called right, in
    letters. `inputs` are what can be shown of the steps."""

    blind: bool = False
    can_order: bool = False
    accepted: bool = False
    locked: bool = False
    paused: bool = False
    seconds: float = 0.0
    confidence: int | None = None
    helped: str = ""
    shown: str = "both"
    inputs: tuple[str, ...] = ("both", "text", "picture")
    alternatives: tuple[str, ...] = ()
