"""What a goal template makes of an app's content: a goal in words, the moves that reach it, and what could be left out.

A template looks at the app as it stands (its own data at this seed) and draws from it by the chance it is handed; it
never remembers anything. The generator performs plans on the simulated phone and turns some of them into infeasible or
ambiguous ones by the means of the papers (docs/sample.md).
"""

from __future__ import annotations

import random
from collections.abc import Callable

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.core.frozen import dataclass
from stepscope.resources.sample.script import Move, PhoneView, Then


@dataclass(frozen=True, slots=True)
class Slot:
    """One piece of content that an informative step needs and the goal carries.

    `step` is the index in the plan's moves of the first move that cannot be made without it. `goal_without` is the
    goal with this content taken out and all else kept; `question` is what an agent should then ask, and `answer` what
    the person says. `wording` is the goal with its pieces marked (`wording.Wording`), to take out several at once.
    Source of the construction: the incomplete goals of Navi-plus.
    """

    name: str
    value: str
    step: int
    goal_without: str
    question: str
    answer: str
    wording: str = ""


@dataclass(frozen=True, slots=True)
class GoalPlan:
    """One goal on one app with the moves that reach it; the last move finishes.

    `result` must hold on the last screen. `reason` and `follow_up` are for plans that are infeasible by themselves: a
    goal that needs something else first (`premature`); such a plan's moves are the honest attempt and end by giving up.
    `key` is the index of the move whose button the function hangs on ("add alarm"): the phone can be opened without
    that button, which makes the goal impossible; None when no single button decides. It must be a tap found by id.
    """

    goal: str
    moves: tuple[Move, ...]
    result: Then
    slots: tuple[Slot, ...] = ()
    key: int | None = None
    reason: InfeasibilityReason | None = None
    follow_up: str = ""


Chance = random.Random


@dataclass(frozen=True, slots=True)
class Template:
    """One kind of goal in one app. `plan` gets the app's first page as it is seen and returns None when its content
    does not allow such a goal."""

    name: str
    app: str
    plan: Callable[[PhoneView, Chance], GoalPlan | None]


@dataclass(frozen=True, slots=True)
class AppGoals:
    """All that the generator knows of one app.

    `category` is shared by apps that people could take for one another. `held_out` apps are never trained on.
    `detours` are ways from the app's first page that lead back to it and change nothing: an open menu and back, another
    tab and back; each is a tuple of moves. `searches` are ways into the app that a person goes to look for something
    that is not there (they need not come back); each is a tuple of moves.
    """

    app: str
    title: str
    category: str
    held_out: bool
    templates: tuple[Template, ...]
    detours: Callable[[PhoneView, Chance], tuple[tuple[Move, ...], ...]]
    searches: Callable[[PhoneView, Chance], tuple[tuple[Move, ...], ...]]
