"""What the results views show, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.domain.run import RunState
from widgets.common.verdict import Verdict


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in the list. `group` is the heading it stands under, `letter` 0 for A, None while none is assigned.

    `metric` are words such as "F1 0.614", `when` such as "today 14:02". `total`, `rate` (items a second) and
    `seconds_left` are those of a run at work; `message` says why one failed.
    """

    id: str
    name: str
    group: str
    state: RunState = RunState.DONE
    done: int = 0
    total: int | None = None
    metric: str = ""
    when: str = ""
    letter: int | None = None
    rate: float | None = None
    seconds_left: float | None = None
    message: str = ""

    @property
    def at_work(self) -> bool:
        return self.state in (RunState.RUNNING, RunState.QUEUED, RunState.PAUSED)


@dataclass(frozen=True, slots=True)
class MetricRow:
    """A metric: value and 95 % interval over `n` items; `paper` is the paper's number, `paper_source` its place."""

    title: str
    value: float | None
    interval: tuple[float, float] | None = None
    n: int = 0
    lower_is_better: bool = False
    paper: float | None = None
    paper_source: str = ""
    main: bool = False
    tip: str = ""


@dataclass(frozen=True, slots=True)
class ResultDetails:
    """A run's results. `data` are words such as "MoTIF test"; a stand-in model shows no paper numbers."""

    id: str
    name: str
    data: str = ""
    letter: int | None = None
    items: int = 0
    unscored: int = 0
    malformed: int = 0
    errors: int = 0
    stand_in: bool = False
    metrics: tuple[MetricRow, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One scored item; `step` None when it is about the whole episode."""

    position: int
    episode: str
    step: int | None
    verdict: Verdict
    score: float | None = None
    why: str = ""
    predicted: str = ""
    reference: str = ""
    goal: str = ""


class ItemsFilter(StrEnum):
    """Which items the table lists."""

    ALL = "all"
    WRONG = "wrong"
    RIGHT = "right"
    MALFORMED = "malformed"
    UNSCORED = "unscored"
    ERRORS = "errors"
