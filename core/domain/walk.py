"""A walk: what a predictor did when it went alone through an app, from screen to screen until it ended.

Screens are named by the recorded step that first showed them (`place_name`); one that no demonstration showed has a
name of its own that begins with `UNRECORDED`. Source: MoTIF's test-time environment (Burns et al., ECCV 2022, section
5.1); how a walk is judged beside a person's is ours (docs/protocols/rollout.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from itertools import pairwise
from typing import ClassVar

from stepscope.core.domain.action import Action, Finish, FinishStatus
from stepscope.core.frozen import dataclass

UNRECORDED = "unrecorded/"
"""How the names of screens begin that no demonstration showed."""


class World(StrEnum):
    """Where a predictor walks: the screens of an app's demonstrations, or the simulated phone."""

    GRAPH = "graph"
    PHONE = "phone"


class WalkEnd(StrEnum):
    """Why a walk ended. finished: the predictor said so; limit: after so many actions; stuck: its last actions led
    nowhere; loop: it did the same on the same screen again and again; failed: it gave no usable answer."""

    FINISHED = "finished"
    LIMIT = "limit"
    STUCK = "stuck"
    LOOP = "loop"
    FAILED = "failed"


class GoalCheck(StrEnum):
    """What tells whether the goal is reached: the app's own state, or the screen on which the demonstration ended."""

    OWN = "own"
    END_STATE = "end state"


class StepCourse(StrEnum):
    """How a step of a walk lies beside the demonstration's way."""

    ON_PATH = "on path"
    SHORT_CUT = "short cut"
    DETOUR = "detour"
    LOOP = "loop"
    NOWHERE = "nowhere"
    REACHED = "reached"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class WalkStep:
    """`action` was done on the screen `place`; None: the answer was not usable, and `why` says so. `led`: it led
    somewhere, on recorded screens because a demonstration did it there, on a phone because the screen changed."""

    place: str
    action: Action | None
    led: bool = False
    why: str = ""
    confidence: float | None = None
    latency_ms: float | None = None
    raw: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class WalkAnswer:
    """`last` is the screen on which it ended and `human` the demonstration's own screens, the last one its goal's.

    `human_actions` counts what the person did, the word that it is done left out. `reached`: the goal's check holds at
    the end; `goal_at` is the number of actions after which it held first, None for never. `way_on`: recorded actions
    lead from `last` to the goal's screen; None where that is not known.
    """

    steps: tuple[WalkStep, ...]
    end: WalkEnd
    last: str
    human: tuple[str, ...]
    human_actions: int
    reached: bool
    goal_at: int | None
    way_on: bool | None
    world: World = World.GRAPH
    check: GoalCheck = GoalCheck.END_STATE

    @property
    def actions(self) -> int:
        """How many actions were done, the word that it is done left out, and answers that were none counted."""
        return sum(not isinstance(step.action, Finish) for step in self.steps)

    @property
    def said(self) -> FinishStatus | None:
        """How the predictor said that it ended, None where it did not."""
        done = self.steps[-1].action if self.steps else None
        return done.status if isinstance(done, Finish) else None

    @property
    def places(self) -> tuple[str, ...]:
        """The screens in their order, the one on which it ended last."""
        return (*(step.place for step in self.steps), self.last)


@dataclass(frozen=True, slots=True)
class WalkUnderWay:
    """A walk to the goal of `episode` that goes on: its steps until now, and `last`, the screen that is shown. `human`
    and `human_actions` as in `WalkAnswer`."""

    episode: str
    goal: str
    app: str
    steps: tuple[WalkStep, ...]
    last: str
    human: tuple[str, ...]
    human_actions: int
    reached: ClassVar[bool] = False

    @property
    def actions(self) -> int:
        """How many actions were done, answers that were none counted."""
        return len(self.steps)

    @property
    def places(self) -> tuple[str, ...]:
        """The screens in their order, the one that is shown last."""
        return (*(step.place for step in self.steps), self.last)


def place_name(episode: str, step: int) -> str:
    """The name of the screen that was first seen at this place of an episode."""
    return f"{episode}/{step}"


def place_of_name(name: str) -> tuple[str, int] | None:
    """Episode and place of a screen's name; None for a screen that no demonstration showed, and for no name."""
    episode, slash, step = name.rpartition("/")
    return None if name.startswith(UNRECORDED) or not slash or not step.isdecimal() else (episode, int(step))


def courses(walk: WalkAnswer | WalkUnderWay) -> tuple[StepCourse, ...]:
    """How each step lies beside the demonstration's way.

    On path: from one of its screens to the one that follows there. Short cut: to a screen of it that lies further on
    than the next one. Loop: to a screen where the walk has been. Nowhere: what it did led to nothing. Detour:
    anywhere else. The last word is reached where the goal is, else ended.
    """
    found: list[StepCourse] = []
    seen: set[str] = set()
    furthest = 0
    for number, step in enumerate(walk.steps):
        to = walk.places[number + 1]
        seen.add(step.place)
        furthest = max(furthest, _place_on(walk.human, step.place))
        if isinstance(step.action, Finish):
            found.append(StepCourse.REACHED if walk.reached else StepCourse.ENDED)
        elif step.led and _follows(walk.human, step.place, to):
            found.append(StepCourse.ON_PATH)
        elif not step.led:
            found.append(StepCourse.NOWHERE)
        elif to in seen:
            found.append(StepCourse.LOOP)
        elif _place_on(walk.human, to) > furthest:
            found.append(StepCourse.SHORT_CUT)
        else:
            found.append(StepCourse.DETOUR)
    return tuple(found)


def walk_words(walk: WalkAnswer) -> str:
    """A walk in a few words: how long it was, and how it ended."""
    ends = {
        WalkEnd.FINISHED: f"said {walk.said}",
        WalkEnd.LIMIT: "stopped at the limit",
        WalkEnd.STUCK: "stuck",
        WalkEnd.LOOP: "in a loop",
        WalkEnd.FAILED: "gave no usable answer",
    }
    return f"{number_of_actions(walk.actions)}, {ends[walk.end]}"


def number_of_actions(count: int) -> str:
    """ "1 action", "3 actions"."""
    return f"{count:,} action{'' if count == 1 else 's'}"


def _place_on(way: Sequence[str], place: str) -> int:
    """The last place of a screen on a way, -1 where it is none of it."""
    return max((index for index, one in enumerate(way) if one == place), default=-1)


def _follows(way: Sequence[str], place: str, to: str) -> bool:
    return (place, to) in pairwise(way)
