"""What the leaderboard shows, as frozen values: the table with its groups, runs over time, what two runs differ in."""

from __future__ import annotations

from stepscope.core.frozen import dataclass

RowKey = tuple[str, int]
"""A run's id and a number of the rule that it is shown under."""
Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A column that can be shown: its id, its title, and which way is better."""

    id: str
    title: str
    lower_is_better: bool = False


@dataclass(frozen=True, slots=True)
class BoardCell:
    """Words in a cell; `warn` for what asks for attention, `tip` says why there is nothing."""

    words: str
    warn: bool = False
    tip: str = ""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A run under a rule. `own_name` is what people call it ("": nothing of their own), `settings` what tells it apart,
    `badges` words with their kinds. `value` is the main number with its interval, `dots` those of each seed; `cells`
    are the further columns. `grey`: it is not ranked. `whole` is everything in words, for the tip."""

    key: RowKey
    name: str
    own_name: str = ""
    settings: str = ""
    letter: int | None = None
    pinned: bool = False
    ticked: bool = False
    badges: tuple[tuple[str, str], ...] = ()
    value: BoardCell = BoardCell("")
    interval: BoardCell = BoardCell("")
    number: float | None = None
    bounds: Span | None = None
    dots: tuple[float, ...] = ()
    cells: tuple[BoardCell, ...] = ()
    grey: bool = False
    whole: str = ""


@dataclass(frozen=True, slots=True)
class BoardHeading:
    """A group: its data, its rule, what it is about; `warning` where its runs have not the same items, `badge` where
    its scores are no findings."""

    key: str
    title: str
    rule: str
    detail: str = ""
    warning: str = ""
    badge: str = ""
    is_open: bool = True
    tip: str = ""


@dataclass(frozen=True, slots=True)
class BoardContent:
    """The table: the main column, further ones, and rows under their headings. `ticks` are numbers of the plot's scale,
    which goes from `span[0]` to `span[1]`. `metrics` of the further columns are metrics, which stand first."""

    main: BoardColumn = BoardColumn("", "Score")
    columns: tuple[BoardColumn, ...] = ()
    rows: tuple[BoardHeading | BoardRow, ...] = ()
    span: Span = (0.0, 1.0)
    ticks: tuple[float, ...] = (0.0, 0.5, 1.0)
    sorted_by: str = ""
    best_first: bool = True
    metrics: int = 0


@dataclass(frozen=True, slots=True)
class BoardScope:
    """Data of a task in the list at the left: `source` "" is all data of the task. `runs`: how many there are."""

    task: str
    title: str
    source: str = ""
    runs: int = 0


@dataclass(frozen=True, slots=True)
class TimePoint:
    """A run over time: `date` in seconds, `step` of its training (None: not known), in the line of its `name`."""

    key: RowKey
    name: str
    date: float
    step: int | None
    value: float
    bounds: Span | None = None
    letter: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class TimeLine:
    """The runs of a group over time."""

    title: str = ""
    points: tuple[TimePoint, ...] = ()
    lower_is_better: bool = False


@dataclass(frozen=True, slots=True)
class SettingApart:
    """A setting that two runs have otherwise; `badge` says how it is known to move scores."""

    name: str
    a: str
    b: str
    badge: str = ""
    kind: str = "neutral"
    tip: str = ""


@dataclass(frozen=True, slots=True)
class DifferencePart:
    """`n` items of one kind, and the difference of the mean scores there."""

    name: str
    n: int
    difference: float


@dataclass(frozen=True, slots=True)
class DifferenceDetails:
    """What two runs differ in. `gap`: the paired difference, its interval and p in words; `why` there is none.
    `by` says what the items are told apart by."""

    names: tuple[str, str]
    letters: tuple[int | None, int | None]
    gap: str = ""
    detail: str = ""
    tip: str = ""
    why: str = ""
    warning: str = ""
    unequal: tuple[SettingApart, ...] = ()
    equal: tuple[tuple[str, str], ...] = ()
    by: str = ""
    parts: tuple[DifferencePart, ...] = ()
    noun: str = "item"
    keys: tuple[RowKey, RowKey] = (("", 0), ("", 0))

    def text(self) -> str:
        """All of it in lines, for the clipboard."""
        lines = [f"{self.names[0]} − {self.names[1]}: {self.gap} {self.detail}".strip()] if self.gap else [self.why]
        lines += [f"{one.name}\t{one.a}\t{one.b}\t{one.badge}".rstrip() for one in self.unequal]
        lines += [f"{part.name}\t{part.difference:+.3f}\t{part.n}" for part in self.parts]
        return "\n".join(filter(None, lines))
