"""What the views of Review show, as frozen values."""

from __future__ import annotations

from stepscope.core.domain.goal_words import GoalPart
from stepscope.core.frozen import dataclass
from stepscope.widgets.scores.breakdown_values import Bar
from stepscope.widgets.scores.figure_values import FigureTable

ALL = ""
"""The filter that leaves everything."""
REASONS = ("The goal still tells it", "Too much was left out", "Nobody would ask this", "The answer does not answer")
"""Why a task is no good, to be chosen; other words can be typed (ours)."""


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A task in the list: its goal, where it is from, and what the person said of it. `kind` is the badge's look;
    `fails`: a rule found something."""

    title: str
    detail: str
    state: str = "open"
    kind: str = "neutral"
    fails: bool = False


@dataclass(frozen=True, slots=True)
class ReviewChoice:
    """Something by which the list can be filtered, with how many tasks it leaves."""

    value: str
    words: str
    count: int = 0


@dataclass(frozen=True, slots=True)
class ReviewListHead:
    """`reviewer` is at work, `people` were before. `states`, `kinds` and `apps` are what can be filtered by, and what
    is. `blind`: what others say is shown once the reviewer has said something."""

    reviewer: str = ""
    people: tuple[str, ...] = ()
    done: int = 0
    total: int = 0
    pace: str = ""
    states: tuple[ReviewChoice, ...] = ()
    state: str = ALL
    kinds: tuple[ReviewChoice, ...] = ()
    kind: str = ALL
    apps: tuple[ReviewChoice, ...] = ()
    app: str = ALL
    blind: bool = True


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """What was left out of one step, which people count as `number`: the kind of value, the words, and how an agent
    gets them back."""

    step: int
    number: int
    kind: str
    value: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task as it stands. `parts` are the words of the original goal, kept, left out and put in; `failed` what rules
    found, in words; `state` with its look `kind` what the person said, `reason` why. `others` is what other people
    said, `note` something to know."""

    title: str
    detail: str
    goal: str
    parts: tuple[GoalPart, ...] = ()
    pieces: tuple[ShownPiece, ...] = ()
    failed: tuple[str, ...] = ()
    state: str = "open"
    kind: str = "neutral"
    reason: str = ""
    others: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReviewEdit:
    """What the person has written: the goal, and question and answer by the step that they are about."""

    goal: str
    pieces: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownReading:
    """A step in words: which of how many, what is done, whether the goal decides it, and the goal's words that it
    needs. `left_out`: the goal says nothing of it any more."""

    place: str = ""
    instruction: str = ""
    role: str = ""
    words: str = ""
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class LengthBar:
    """`count` of `total` episodes have so many steps; `words` tell it."""

    steps: int
    count: int
    total: int
    words: str

    @property
    def share(self) -> float:
        return self.count / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """The statistics: how long episodes are, how many of their steps are informative, whether there are enough to leave
    one, two, … out, and tables. `sample`: the data is the program's own."""

    tables: tuple[FigureTable, ...] = ()
    lengths: tuple[LengthBar, ...] = ()
    informative: tuple[LengthBar, ...] = ()
    enough: tuple[Bar, ...] = ()
    mean_length: str = ""
    mean_informative: str = ""
    note: str = ""
    sample: bool = False
