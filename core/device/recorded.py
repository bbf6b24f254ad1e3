"""What a recorder holds and gives away, as frozen values, and the sink that it tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from stepscope.core.domain.action import Finish
from stepscope.core.domain.episode import Ask, Feasibility, FeasibilityLabel, InfeasibilityReason, Problem, Step
from stepscope.core.frozen import dataclass

NO_LAST_SCREEN = "the recording broke off: the screen after the last action is missing"
"""What is said of a recording whose last step is an action like any other."""


class SurveyOutcome(StrEnum):
    """The survey's first question: the goal was reached, the app cannot do it, the goal is unclear, or something else
    must be done first."""

    DONE = "done"
    IMPOSSIBLE = "impossible"
    UNCLEAR = "unclear"
    PREMATURE = "premature"


@dataclass(frozen=True, slots=True)
class Survey:
    """The person's answers at the end of a recording. `questions`: what would have to be known to reach the goal after
    all."""

    outcome: SurveyOutcome
    why: str = ""
    questions: tuple[str, ...] = ()

    @property
    def feasibility(self) -> Feasibility:
        questions = tuple(question.strip() for question in self.questions if question.strip())
        if self.outcome is SurveyOutcome.DONE:
            return Feasibility(FeasibilityLabel.FEASIBLE, None, questions)
        return Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason(self.outcome.value), questions)


class EntryKind(StrEnum):
    """The kind of a cell of the strip: a step, a time without the device, a login whose steps are left out, actions
    done during a pause."""

    STEP = "step"
    GAP = "gap"
    LOGIN = "login"
    PAUSE = "pause"


@dataclass(frozen=True, slots=True)
class Entry:
    """`number` names it as long as the recording lives; `at` seconds since the start. Of a step: `step`, the person's
    `note`, and `ask` where it is a question. Of the others: `seconds` it took (None: not over) and `actions` left out.
    `remark` says what a reader of the recording must know.
    """

    number: int
    kind: EntryKind
    at: float
    step: Step | None = None
    note: str = ""
    ask: Ask | None = None
    seconds: float | None = None
    actions: int = 0
    remark: str = ""


@dataclass(frozen=True, slots=True)
class RecordingStatus:
    """The recording as it is now. `asking`: a question waits for its answer."""

    goal: str
    entries: tuple[Entry, ...]
    paused: bool = False
    login: bool = False
    away: bool = False
    asking: str = ""
    can_undo: bool = False
    can_redo: bool = False
    survey: Survey | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(entry.step for entry in self.entries if entry.step is not None)


class RecordingSink:
    """The place where steps are stored; one call for each change, in order. This one stores nothing."""

    def keep(self, step: Step, picture: Callable[[], bytes | None] | None) -> None:
        """A new last step; `picture` gives an image file's bytes, in any thread, within some 0.1 s. What `drop` put
        aside is gone."""

    def amend(self, step: Step) -> None:
        """The last step has another action; screen and tree stay."""

    def drop(self) -> None:
        """The last step is taken back, and may come again."""

    def restore(self) -> None:
        """The step that was taken back last comes again."""


def finishes(entry: Entry | None) -> bool:
    """Whether it is the step that ends an episode."""
    return entry is not None and entry.step is not None and isinstance(entry.step.action, Finish)


def app_of(steps: Sequence[Step]) -> str | None:
    """The package that was in front most often."""
    seen = [step.observation.activity.split("/")[0] for step in steps if step.observation.activity]
    return max(seen, key=seen.count) if seen else None


def following(entries: Sequence[Entry], entry: Entry) -> int:
    """Index of the step that comes next after `entry`."""
    return sum(one.step is not None for one in entries[: entries.index(entry)])


def problems(entries: Sequence[Entry], episode: str) -> list[Problem]:
    """What a reader must know: gaps, actions that are missing, what is not known of a screen."""
    found = []
    for entry in entries:
        words = entry.remark
        if entry.kind is EntryKind.GAP:
            words = "the device was lost and did not come back"
            if entry.seconds is not None:
                words = f"the device was away for {_time_words(entry.seconds)}"
        if words:
            step = entry.step.index if entry.step is not None else following(entries, entry)
            found.append(Problem(words, episode, step, "steps"))
    return found


def _time_words(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
