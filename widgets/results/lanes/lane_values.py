"""What the page of lanes shows of a run of asking, as frozen values and words."""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.verdict import ShownVerdict


class LanesGroup(StrEnum):
    """What became of a task's question."""

    WHEN_DUE = "when_due"
    NOT_WHEN_DUE = "not_when_due"
    MISSED = "missed"
    NOT_NEEDED = "not_needed"


GROUP_TITLES = {
    LanesGroup.WHEN_DUE: "Asked when due",
    LanesGroup.NOT_WHEN_DUE: "Asked, but not when due",
    LanesGroup.MISSED: "Missed ask",
    LanesGroup.NOT_NEEDED: "Nobody needed it",
}
GROUP_ICONS = {
    LanesGroup.WHEN_DUE: "check",
    LanesGroup.NOT_WHEN_DUE: "clock",
    LanesGroup.MISSED: "cross",
    LanesGroup.NOT_NEEDED: "ask",
}
WHOLE, DUE, ALONE, ANSWERED = "whole", "due", "alone", "answered"
"""The lanes below the reference."""


class FilmDot(StrEnum):
    """A step in the small film of a task: each has a shape of its own."""

    HIT = "h"
    MISS = "m"
    ASK = "a"
    UNSCORED = "u"


@dataclass(frozen=True, slots=True)
class LanesTaskRow:
    """A task in the list. `kind` is that of its missing value, "" where none is known; `film` has the dots of both
    streams, a letter a step (`FilmDot`); `rescued` None: the agent does not act."""

    episode: str
    goal: str
    app: str
    group: LanesGroup | None
    kind: str = ""
    rescued: int | None = None
    film: tuple[str, str] = ("", "")
    about: str = ""


@dataclass(frozen=True, slots=True)
class GoalPiece:
    """Words of a goal; `removed`: the agent was not told them."""

    words: str
    removed: bool = False


@dataclass(frozen=True, slots=True)
class LanesColumn:
    """A step of the recording: its reference action with icon, and whether a question is due."""

    step: int
    icon: str
    word: str
    detail: str
    is_due: bool = False


@dataclass(frozen=True, slots=True)
class LanesSquare:
    """A step in a lane. `verdict` None has no sign of the run; `ask` is "asks" where the agent asks, "due" where it
    should have."""

    words: str = ""
    verdict: ShownVerdict | None = None
    ask: str = ""
    is_rescued: bool = False
    tip: str = ""
    is_faint: bool = False


@dataclass(frozen=True, slots=True)
class LanesLine:
    """A lane: one of WHOLE, DUE, ALONE and ANSWERED."""

    key: str
    title: str
    note: str
    squares: tuple[LanesSquare, ...]


@dataclass(frozen=True, slots=True)
class LanesBar:
    """What the ask did from one column to another, both included: steps that it rescued, or by how many it was late or
    early."""

    first: int
    last: int
    words: str
    is_rescue: bool


@dataclass(frozen=True, slots=True)
class TalkBubble:
    """A sentence of the talk; `mine`: the person's."""

    words: str
    caption: str
    mine: bool
    is_goal: bool = False


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """A question in pieces with whether its words are in the other one too, behind a label."""

    label: str
    pieces: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class QuestionsBeside:
    """The agent's question beside another; `likeness` in words, `tip` says what measured it or why nothing did."""

    title: str
    likeness: str
    tip: str
    questions: tuple[ComparedQuestion, ...]


@dataclass(frozen=True, slots=True)
class LanesTalk:
    """The talk of a task: bubbles, questions side by side, and facts as (name, value)."""

    bubbles: tuple[TalkBubble, ...] = ()
    beside: tuple[QuestionsBeside, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LanesState:
    """A task's lanes. `run` is the run's letter (0 for A), None without one; `spoken` has a sentence a column for
    screen readers, `raw` the model's output a column."""

    episode: str
    goal: tuple[GoalPiece, ...]
    columns: tuple[LanesColumn, ...]
    lines: tuple[LanesLine, ...]
    bars: tuple[LanesBar, ...] = ()
    talk: LanesTalk = LanesTalk()
    run: int | None = None
    note: str = ""
    reference_note: str = ""
    raw: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    start: int = 0
    """the column that is shown first"""

    def spots(self) -> tuple[int, ...]:
        """Columns at which something went wrong, was asked, or should have been."""
        found = set()
        for line in self.lines:
            for place, square in enumerate(line.squares):
                if square.ask or square.is_rescued or (line.key == ALONE and square.verdict is ShownVerdict.MISS):
                    found.add(place)
        return tuple(sorted(found))


Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LanesSetting:
    """A row of the settings table. `drop` is the difference from the whole goal, `recovery` the share of the drop that
    came back, 0 to 1 (it may lie outside). `published` are the paper's SSRs in words. `is_other`: another way to decide
    when to ask. `is_chosen`: what the switches are set to."""

    key: str
    title: str
    note: str = ""
    ssr: float | None = None
    interval: Bounds | None = None
    sr: float | None = None
    drop: float | None = None
    recovery: float | None = None
    asks: float | None = None
    published: str = ""
    why: str = ""
    is_other: bool = False
    is_chosen: bool = False
    run: int | None = None


@dataclass(frozen=True, slots=True)
class SettingsTable:
    """The settings with what the rows are about, and the line below: how well it knows when to ask."""

    rows: tuple[LanesSetting, ...] = ()
    about: str = ""
    others_title: str = ""
    timing: tuple[tuple[str, str], ...] = ()
    foot: str = ""
    published_tip: str = ""
    why: str = ""
    """why there is no success at all, "" where there is"""


@dataclass(frozen=True, slots=True)
class AskCostPoint:
    """Asks a task and SSR where the agent asks above this threshold."""

    threshold: float
    asks: float
    ssr: float
    interval: Bounds | None = None


@dataclass(frozen=True, slots=True)
class CostMark:
    """Another way to decide when to ask, as a point."""

    name: str
    asks: float
    ssr: float
    words: str = ""


@dataclass(frozen=True, slots=True)
class AskingCost:
    """The curve by falling threshold, other ways as marks, the whole goal's SSR as a line, and the chosen threshold.
    `ends` are those of the slider."""

    points: tuple[AskCostPoint, ...] = ()
    marks: tuple[CostMark, ...] = ()
    whole: float | None = None
    threshold: float | None = None
    run: int | None = None
    gain: str = ""
    why: str = ""
    ends: Bounds = (0.0, 1.0)
    own: float | None = None
    """the threshold by which the run decided, where that is known"""

    def point(self) -> AskCostPoint | None:
        """The curve at the chosen threshold: of the thresholds at which it was measured the next one upwards, since
        nothing asks between the two."""
        if self.threshold is None:
            return None
        above = [one for one in self.points if one.threshold >= self.threshold]
        return min(above, key=lambda one: one.threshold, default=self.points[0] if self.points else None)
