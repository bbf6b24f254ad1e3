"""What the compare workspace shows, as frozen values. Runs are numbers: 0 is A; None stands for no verdict there."""

from __future__ import annotations

from stepscope.core.domain.mark import Mark
from stepscope.core.frozen import dataclass
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.scores.breakdown_values import Key


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A run, or a pair of runs, that a menu offers; `why` it cannot be taken, "" where it can."""

    key: Key
    words: str
    why: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class CompareMenus:
    """The offers of the panel's menus: further runs, bases, pairs, and the runs that can be taken away."""

    further: tuple[MenuEntry, ...] = ()
    bases: tuple[MenuEntry, ...] = ()
    pairs: tuple[MenuEntry, ...] = ()
    shown: tuple[MenuEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A step in the list: `verdicts` has each shown run with what came of it there."""

    key: Key
    goal: str
    detail: str
    verdicts: tuple[tuple[int, ShownVerdict | None], ...]


@dataclass(frozen=True, slots=True)
class RunAtStep:
    """One run at the step that is shown. `action` is what it does there in words, `why` its verdict in one line;
    `marks` are those of its own screen, with the reference and the tolerance."""

    run: int
    name: str
    verdict: ShownVerdict | None = None
    action: str = ""
    confidence: float | None = None
    why: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class AlignedStep:
    """The reference's action at a step: icon, kind and what it is done to."""

    icon: str
    words: str


@dataclass(frozen=True, slots=True)
class AlignedCell:
    """A run's action at a step, in words, and what came of it; `why` for the tooltip."""

    words: str
    verdict: ShownVerdict
    why: str = ""


@dataclass(frozen=True, slots=True)
class AlignedLane:
    """A run's cells, None where it has nothing for the step; or, without cells, its `words` on the whole episode."""

    run: int
    name: str
    cells: tuple[AlignedCell | None, ...] = ()
    words: str = ""
    verdict: ShownVerdict | None = None


@dataclass(frozen=True, slots=True)
class RuleVerdicts:
    """One rule over the shown runs. `here` are verdicts on the step that is shown, `scores` those over all steps, both
    in the order of `runs`. `flips` against the current rule, of the runs of which that can be said, None for none;
    `why` there is no number, "" where there is. `here_why` says what each run lacks on this step."""

    id: str
    title: str
    runs: tuple[int, ...]
    here: tuple[ShownVerdict | None, ...] = ()
    scores: tuple[float | None, ...] = ()
    metric: str = ""
    flips: int | None = None
    why: str = ""
    here_why: str = ""


@dataclass(frozen=True, slots=True)
class FlipTotals:
    """Numbers of steps that flip from the rule `current` to `other`, by run; "" for `other`: no rule is chosen."""

    current: str = ""
    other: str = ""
    by_run: tuple[tuple[int, int], ...] = ()

    @property
    def total(self) -> int:
        return sum(count for _run, count in self.by_run)


@dataclass(frozen=True, slots=True)
class FlipRow:
    """A step whose verdict for `run` is `before` under the current rule and `after` under the other."""

    key: Key
    run: int
    goal: str
    detail: str
    before: ShownVerdict
    after: ShownVerdict
