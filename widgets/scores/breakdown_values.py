"""What the plots and lists of the results' pages show, as frozen values.

Whatever can be chosen carries an opaque `key`; the widget gives it back when the person chooses the thing, and marks
the thing when its owner names that key. A key is hashable and unique within its widget; None: it cannot be chosen.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.verdict import ShownVerdict

Key = Any
Interval = tuple[float, float]
FEW = 10
"""Below this many items a share says little: it is shown in grey, as "few"."""


@dataclass(frozen=True, slots=True)
class ConfusionCell:
    """The count of items of the row's reference that got the column's prediction. `tag` is such as TP; `hit`: that is
    right."""

    count: int
    hit: bool
    key: Key = None
    tag: str = ""


@dataclass(frozen=True, slots=True)
class ConfusionTable:
    """References (rows) against predictions (columns): `cells[row][column]`.

    `rows` and `columns` are bare names such as "infeasible" or "tap". `noun` is what is counted, in the singular.
    """

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    cells: tuple[tuple[ConfusionCell, ...], ...] = ()
    noun: str = "episode"

    @property
    def total(self) -> int:
        return sum(cell.count for row in self.cells for cell in row)

    def row_total(self, row: int) -> int:
        return sum(cell.count for cell in self.cells[row])


@dataclass(frozen=True, slots=True)
class Bar:
    """`count` of `total` items under one name; `interval` is the 95 % interval of the share, 0 to 1."""

    label: str
    count: int
    total: int
    key: Key = None
    interval: Interval | None = None
    tip: str = ""

    @property
    def share(self) -> float | None:
        return self.count / self.total if self.total else None


class BarOrder(StrEnum):
    """The order of a list of bars."""

    WORST = "Worst first"
    ITEMS = "Most items first"
    NAME = "By name"


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Precision and recall when items from `threshold` on count as positive.

    `flips` items would be judged differently than at the threshold in force; `key` stands for those.
    """

    threshold: float
    recall: float
    precision: float
    flips: int | None = None
    key: Key = None

    @property
    def f1(self) -> float | None:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else None


@dataclass(frozen=True, slots=True)
class CurveLine:
    """A run's curve: `run` is its letter (0 for A), `points` in any order, `average` its average precision."""

    run: int
    points: tuple[CurvePoint, ...] = ()
    average: float | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class CurveDetails:
    """Precision and recall of the run shown. `threshold` is the one that the run used, None: the model gives no scores.

    `used` has precision and recall of what the run decided, as its metrics have them; it lies on the curve where the
    threshold explains all of its decisions (`explained`). `chance` is the share of positives, which is the precision of
    guessing. `best` is the point of the best F1.
    """

    own: CurveLine
    baseline: CurveLine | None = None
    chance: float | None = None
    threshold: float | None = None
    best: CurvePoint | None = None
    noun: str = "episode"
    used: CurvePoint | None = None
    explained: bool = True


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Items whose confidence lies from `low` to `high`: their mean confidence, and the share of them that was right."""

    low: float
    high: float
    confidence: float
    count: int
    total: int
    interval: Interval | None = None
    key: Key = None

    @property
    def share(self) -> float | None:
        return self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class CalibrationDiagram:
    """A reliability diagram. `error` is the expected calibration error (Guo et al. 2017, equation 3)."""

    run: int
    bins: tuple[CalibrationBin, ...] = ()
    error: float | None = None
    noun: str = "episode"


@dataclass(frozen=True, slots=True)
class StepBar:
    """`wrong` of `total` items at one place: a step's number counted from 1, or a range of lengths in rising order.
    `label` says what the place is where its number does not."""

    place: int
    wrong: int
    total: int
    interval: Interval | None = None
    key: Key = None
    label: str = ""

    @property
    def words(self) -> str:
        return self.label or str(self.place)

    @property
    def share(self) -> float | None:
        return self.wrong / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class StepShares:
    """Wrong shares by the step's number and by the episode's length, each in rising order of place."""

    by_step: tuple[StepBar, ...] = ()
    by_length: tuple[StepBar, ...] = ()
    noun: str = "step"


@dataclass(frozen=True, slots=True)
class CriterionText:
    """One thing by which the selection is made, such as "reference: infeasible"."""

    words: str
    key: Key


@dataclass(frozen=True, slots=True)
class SelectionDetails:
    """The number of selected items and the criteria. `compare` are the words of the second button, "" hides it.

    `confidence` names what the rows' small bars say, such as "P(infeasible)"; `run` gives their colour (0 for A).
    """

    total: int = 0
    noun: str = "episode"
    criteria: tuple[CriterionText, ...] = ()
    compare: str = ""
    confidence: str = "Confidence"
    run: int = 0


@dataclass(frozen=True, slots=True)
class SelectionListRow:
    """An item of the selection. `badge` is a reason or a verdict's words; `kind` is hit, miss, warn or neutral.

    `detail` stands after the app, such as "step 3 of 6". `question` is what could be asked back. `said` is what the
    model answered where that is a sentence of its own (a goal, a question), `why` the verdict's reason beside it.
    """

    key: Key
    goal: str
    app: str = ""
    detail: str = ""
    badge: str = ""
    kind: str = "warn"
    confidence: float | None = None
    question: str = ""
    said: str = ""
    why: str = ""
    star: bool = False
    note: bool = False
    defect: bool = False


@dataclass(frozen=True, slots=True)
class PairCell:
    count: int
    key: Key = None


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The same items under two runs; `a` and `b` are their letters (0 for A). `test` are words on the difference."""

    both_right: PairCell
    only_a: PairCell
    only_b: PairCell
    both_wrong: PairCell
    a: int = 0
    b: int = 1
    noun: str = "step"
    test: str = ""


@dataclass(frozen=True, slots=True)
class ItemPairRow:
    """One item under both runs. `difference` is A's score less that of B, the baseline; None where one has
    none."""

    key: Key
    goal: str
    detail: str = ""
    a: ShownVerdict = ShownVerdict.UNSCORED
    b: ShownVerdict = ShownVerdict.UNSCORED
    difference: float | None = None


@dataclass(frozen=True, slots=True)
class RunScore:
    """A run's score beside the baseline's, over their common items. `difference` is the run's less the baseline's; the
    baseline itself has none. `is_apart`: it cannot be compared, for what `tip` says; `doubt`: why its places may be
    misread."""

    run: int
    name: str
    score: float | None
    key: Key = None
    difference: float | None = None
    interval: Interval | None = None
    p: float | None = None
    lower_is_better: bool = False
    tip: str = ""
    is_apart: bool = False
    doubt: str = ""
