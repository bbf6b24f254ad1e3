"""What the results views show, as frozen values."""

from __future__ import annotations

from stepscope.core.domain.run import RunState
from stepscope.core.frozen import dataclass
from stepscope.core.progress import WorkerPace
from stepscope.widgets.common.verdict import ShownVerdict

BELOW_RULES = "⚠ below the rules"
"""Marks a run whose model is below a rule on real data."""


@dataclass(frozen=True, slots=True)
class RunListRow:
    """A run in the list. `group` is the heading it stands under, `letter` 0 for A, None while none is assigned.

    `metric` are words such as "F1 0.614", `when` such as "today 14:02". `total`, `rate` (items a second) and
    `seconds_left` are those of a run at work; `message` says why one failed. `is_new`: it ended, and nobody has looked
    at it since. `own_name`, `tags` and `remark` are what people call it and say of it; `archived`: put away. `shipped`:
    it came with the sample. `no_finding`: no score of its data is one. `elsewhere`: it is of another task than the one
    that is looked at. `writing` is the end of the answer that its model is writing. `doubt` says why its places may be
    misread, "" where they are not known to be. `workers` are those of a cluster that work on it.
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
    is_new: bool = False
    own_name: str = ""
    tags: tuple[str, ...] = ()
    remark: str = ""
    pinned: bool = False
    archived: bool = False
    shipped: bool = False
    no_finding: bool = False
    elsewhere: bool = False
    phase: str = ""
    writing: str = ""
    doubt: str = ""
    workers: tuple[WorkerPace, ...] = ()

    @property
    def at_work(self) -> bool:
        return self.state in (RunState.RUNNING, RunState.QUEUED, RunState.PAUSED)


@dataclass(frozen=True, slots=True)
class MetricRow:
    """A metric: value and 95 % interval over `n` items; `paper` is the paper's number, `paper_source` its place.

    `why` says why there is no value. `paper_elsewhere`: the paper's number is about other data than the run, or it is
    not known to be about the same.

    `baseline` is another run's value over the common items, `difference` this run's over the same items less that one,
    `p` how likely chance alone makes it. `of_feasible` and `of_infeasible` are the values over goals that can, and that
    cannot be reached.
    """

    title: str
    value: float | None
    interval: tuple[float, float] | None = None
    n: int = 0
    lower_is_better: bool = False
    paper: float | None = None
    paper_source: str = ""
    of_feasible: float | None = None
    of_infeasible: float | None = None
    main: bool = False
    tip: str = ""
    baseline: float | None = None
    difference: float | None = None
    p: float | None = None
    difference_tip: str = ""
    paper_elsewhere: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class ResultDetails:
    """A run's results under one rule. `data` are words such as "MoTIF test"; `no_finding` says why its scores are none,
    and then no paper's numbers stand beside them. `below_rules` says where its model is below a rule on real data.

    `baseline` is the letter (0 for A) of the run that the metrics are compared with. `malformed` predictions are wrong
    for making no sense; `null` counts those that were none at all.
    """

    id: str
    name: str
    data: str = ""
    letter: int | None = None
    items: int = 0
    unscored: int = 0
    malformed: int = 0
    null: int = 0
    errors: int = 0
    no_finding: str = ""
    below_rules: str = ""
    metrics: tuple[MetricRow, ...] = ()
    baseline: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One scored item; `step` None when it is about the whole episode. `before` is the verdict under the run's own rule
    where another one is shown and says otherwise."""

    position: int
    episode: str
    step: int | None
    verdict: ShownVerdict
    score: float | None = None
    why: str = ""
    predicted: str = ""
    reference: str = ""
    goal: str = ""
    before: ShownVerdict | None = None


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """A rule in the protocol box. `scored`: its scores are stored; `own`: the run was made under it."""

    id: str
    title: str
    scored: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A run's score under one rule. `metric` names the one that stands for the protocol. `flips` None: not known.

    `why` says why there are no numbers, `left_out` why the rule does not count items, each with how many.
    """

    id: str
    title: str
    metric: str = ""
    value: float | None = None
    interval: tuple[float, float] | None = None
    n: int = 0
    unscored: int = 0
    malformed: int = 0
    null: int = 0
    errors: int = 0
    flips: int | None = None
    own: bool = False
    scored: bool = False
    why: str = ""
    tip: str = ""
    left_out: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FlipCounts:
    """The changes by another rule: items that become right and wrong, and items that only one of the rules judges."""

    rule: str
    own: str
    now_right: int = 0
    now_wrong: int = 0
    only_before: int = 0
    only_after: int = 0

    @property
    def flips(self) -> int:
        return self.now_right + self.now_wrong
