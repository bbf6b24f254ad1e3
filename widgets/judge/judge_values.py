"""What the views of Judge show: frozen values, in which no text says where it comes from."""

from __future__ import annotations

from stepscope.core.frozen import dataclass
from stepscope.widgets.scores.breakdown_values import Bar
from stepscope.widgets.scores.figure_values import FigureTable

QUESTION_COUNT = 4
REASONS = ("A screen is broken", "A mark is wrong", "The goal is not reached")
"""Why a pair is bad data, to be chosen; other words can be typed. Those of the paper's annotators, in our words (User
goals from UI trajectories, appendix C)."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """A row of the list; `kind` is the look of its badge."""

    title: str
    detail: str
    state: str = "open"
    kind: str = "neutral"


@dataclass(frozen=True, slots=True)
class OriginChoice:
    """A text that can be judged, by its code; `why` it cannot be chosen now, "" where it can."""

    code: str
    words: str


@dataclass(frozen=True, slots=True)
class PairListHead:
    """`judge` is at work, `people` were before or have something to do. `given`: some pairs are the judge's to do, and
    whether only those are listed. `differing`: on so many a model judge differs from the judge, and whether only those
    are listed."""

    judge: str = ""
    people: tuple[str, ...] = ()
    done: int = 0
    total: int = 0
    pace: str = ""
    writes: bool = False
    given: int = 0
    only_given: bool = False
    note: str = ""
    differing: int = 0
    only_differing: bool = False


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """A yes/no question and what it means."""

    title: str
    detail: str


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """The pair as it stands: texts, questions and answers left and right. `chosen` is the question that a key answers.
    `rejected` says why it is bad data; `outlook` are badges (words, kind) of what the answers come to; `others` is what
    models said, once the person has finished."""

    left: str
    right: str
    questions: tuple[QuestionWords, ...]
    answers: tuple[bool | None, ...] = (None,) * QUESTION_COUNT
    chosen: int = 0
    rejected: str = ""
    remark: str = ""
    outlook: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()
    done: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class RequirementShown:
    """A requirement of a text; `mark` is supported, contradicted or nothing, `says` tells the steps in words. `leads`:
    there is a step to go to."""

    text: str
    mark: str
    says: str
    leads: bool = False


@dataclass(frozen=True, slots=True)
class RequirementGroup:
    """The requirements of one text as one judge listed them."""

    title: str
    rows: tuple[RequirementShown, ...]


@dataclass(frozen=True, slots=True)
class MatchBars:
    """How many pairs match under each name, such as an app."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class AgreementShown:
    """The short table beside the answers, and the tables and bars of the page; `sample`: the data is the program's
    own."""

    short: FigureTable
    tables: tuple[FigureTable, ...]
    sample: bool = False
    note: str = ""
    bars: tuple[MatchBars, ...] = ()
