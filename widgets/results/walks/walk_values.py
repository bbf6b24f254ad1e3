"""What the page of walks shows."""

from __future__ import annotations

from stepscope.core.domain.walk import StepCourse
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.rollout import CLASSES, WalkClass

HUMAN = "person"
"""The id of the person's lane."""

CLASS_TITLES = {
    WalkClass.DIRECT: "Without a detour",
    WalkClass.DETOUR: "With a detour",
    WalkClass.WRONG_ELEMENT: "Wrong element",
    WalkClass.NEVER_FINISHED: "Never finished",
    WalkClass.LOOP: "Loop",
    WalkClass.DEAD_END: "Dead end",
    WalkClass.FINISHED_EARLY: "Finished too early",
    WalkClass.LEFT_GRAPH: "Left the graph",
    WalkClass.NO_ANSWER: "No answer",
}
CLASS_ICONS = {
    WalkClass.DIRECT: "check",
    WalkClass.DETOUR: "detour",
    WalkClass.WRONG_ELEMENT: "target",
    WalkClass.NEVER_FINISHED: "clock",
    WalkClass.LOOP: "repeat",
    WalkClass.DEAD_END: "dead_end",
    WalkClass.FINISHED_EARLY: "finish",
    WalkClass.LEFT_GRAPH: "warning",
    WalkClass.NO_ANSWER: "error",
}
COURSE_BADGES = {
    StepCourse.ON_PATH: "neutral",
    StepCourse.SHORT_CUT: "hit",
    StepCourse.DETOUR: "neutral",
    StepCourse.LOOP: "warn",
    StepCourse.NOWHERE: "warn",
    StepCourse.REACHED: "hit",
    StepCourse.ENDED: "miss",
}
assert set(CLASS_TITLES) == set(CLASS_ICONS) == set(CLASSES)


@dataclass(frozen=True, slots=True)
class GoalRow:
    """A goal and how its walk came out; `kind` None: it could not be walked, or is being walked (`under_way`)."""

    episode: str
    goal: str
    app: str
    kind: WalkClass | None
    actions: int | None
    human: int | None
    why: str = ""
    under_way: bool = False


@dataclass(frozen=True, slots=True)
class WalkMove:
    """A step of a way from screen `place` to screen `to`; `title` says what was done, `detail` to what. `course` None:
    the person's. `at` is where it touched, in fractions of the screen."""

    place: str
    to: str
    icon: str
    title: str
    detail: str
    course: StepCourse | None = None
    led: bool = True
    at: tuple[float, float] | None = None
    raw: str = ""
    why: str = ""
    seconds: float | None = None

    @property
    def label(self) -> str:
        """What is drawn beside an edge."""
        return self.detail or self.title


@dataclass(frozen=True, slots=True)
class WalkLane:
    """A way through the screens; `letter` is the run's, None for the person and for a run without one."""

    id: str
    title: str
    moves: tuple[WalkMove, ...]
    letter: int | None = None

    @property
    def places(self) -> tuple[str, ...]:
        """The screens in their order."""
        last = self.moves[-1:] if self.moves and self.moves[-1].icon != "finish" else ()
        return (*(move.place for move in self.moves), *(move.to for move in last))


@dataclass(frozen=True, slots=True)
class WalkScreen:
    """A screen; `near` are screens that recorded actions lead to from it, with what does."""

    name: str
    words: str
    near: tuple[tuple[str, str], ...] = ()
    recorded: bool = True


@dataclass(frozen=True, slots=True)
class WalkState:
    """A goal with the walks to it. `lanes` has the person's first, then the run that is shown, then others. `screens`
    are all of the app, by name; `now` is the one on which the run that is shown is, where its walk is under way."""

    goal: GoalRow
    lanes: tuple[WalkLane, ...]
    screens: dict[str, WalkScreen]
    goal_screen: str
    check_words: str
    check_holds: bool
    facts: tuple[tuple[str, str], ...] = ()
    now: str = ""

    @property
    def shown(self) -> WalkLane | None:
        """The lane of the run that is shown."""
        return self.lanes[1] if len(self.lanes) > 1 else None


def parting(one: WalkLane, other: WalkLane) -> tuple[int, ...]:
    """The steps of `one` at which it is on a screen of both ways and goes on elsewhere than the other."""
    follows: dict[str, set[str]] = {}
    for move in other.moves:
        follows.setdefault(move.place, set()).add(move.to)
    return tuple(
        number
        for number, move in enumerate(one.moves)
        if move.place in follows and move.to not in follows[move.place] and (move.to != move.place or not move.led)
    )
