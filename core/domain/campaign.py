"""A campaign: several people demonstrate goals in apps and say whether each can be reached (MoTIF, section 3.1), or
order the steps of procedures (Wu et al. 2022, appendix B.2; `core.domain.order_assignment`).

Values name each other by what they are: an app by its package, a goal by that app and its words, a pair by the app in
which the goal is demonstrated and the goal, an assignment by a pair and a person.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

from stepscope.core.domain.episode import Feasibility
from stepscope.core.domain.human_order import StepInput
from stepscope.core.frozen import dataclass

DEMONSTRATIONS = 5
"""Demonstrations of each pair ("at least five", MoTIF, section 3.2)."""
MAX_DEMONSTRATIONS = 1000
MAX_GOAL = 400
"""Characters of a goal (ours; the longest of MoTIF has 44 words)."""
MAX_NAME = 200
"""Characters of every other name (ours)."""


class CampaignTask(StrEnum):
    """What is asked of the people of a campaign."""

    DEMONSTRATION = "demonstration"
    ORDERING = "ordering"


class PairOrigin(StrEnum):
    """Why a goal is demonstrated in an app: it was written for it, it stands for a cluster of the app's category (both
    MoTIF, section 3.1), or somebody wants it so (ours)."""

    APP_SPECIFIC = "app-specific"
    CATEGORY = "category-clustered"
    BY_HAND = "by hand"


class AssignmentState(StrEnum):
    """The outcome of an assignment so far."""

    OPEN = "open"
    DONE = "done"
    SKIPPED = "skipped"


class GoalKey(NamedTuple):
    """The package of the app that a goal was written for, and its words."""

    app: str
    text: str


class PairKey(NamedTuple):
    """The package of the app in which the goal is demonstrated, and the goal."""

    app: str
    goal: GoalKey


class AssignmentKey(NamedTuple):
    """Pair and annotator name an assignment: nobody has a pair twice."""

    pair: PairKey
    annotator: str


def tidy(text: str) -> str:
    """The text on one line, without what no store holds (NUL, half of a surrogate pair)."""
    return " ".join(text.replace("\0", " ").encode("utf-8", "replace").decode().split())


def checked_name(text: str, what: str, most: int = MAX_NAME) -> str:
    """The tidy text. Raises ValueError that says what `what` lacks or has too much of."""
    name = tidy(text)
    if not name:
        raise ValueError(f"{what} is empty")
    if len(name) > most:
        raise ValueError(f"{what} has {len(name):,} characters, {most} at most are kept")
    return name


@dataclass(frozen=True, slots=True)
class Campaign:
    """`instructions` are for those who demonstrate; `k` demonstrations of each pair are wanted, or `k` orders of each
    procedure under each condition."""

    name: str
    instructions: str = ""
    k: int = DEMONSTRATIONS
    task: CampaignTask = CampaignTask.DEMONSTRATION


@dataclass(frozen=True, slots=True)
class AppEntry:
    """`package` names it to a device, `title` to people; goals are clustered within its `category`."""

    package: str
    title: str
    category: str = ""

    @property
    def key(self) -> str:
        return self.package


@dataclass(frozen=True, slots=True)
class CampaignGoal:
    """`app` is the package of the app that it was written for, `author` who wrote it ("" where nobody knows)."""

    app: str
    text: str
    author: str = ""

    @property
    def key(self) -> GoalKey:
        return GoalKey(self.app, self.text)


@dataclass(frozen=True, slots=True)
class Pair:
    """A goal to be demonstrated in the app `app`. `cluster` is the number of the goal's cluster within the category,
    None where there was none."""

    app: str
    goal: CampaignGoal
    origin: PairOrigin
    cluster: int | None = None

    @property
    def key(self) -> PairKey:
        return PairKey(self.app, self.goal.key)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A pair that somebody is to demonstrate, or a procedure of which they are to be shown `shown`."""

    pair: PairKey
    annotator: str
    state: AssignmentState = AssignmentState.OPEN
    shown: StepInput | None = None

    @property
    def key(self) -> AssignmentKey:
        return AssignmentKey(self.pair, self.annotator)


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The outcome of an assignment: the recording `episode` in the folder `folder`, what the person said of the goal,
    and how many `seconds` it took (None: not known)."""

    assignment: AssignmentKey
    folder: str
    episode: str
    said: Feasibility
    seconds: float | None
    made: datetime

    @property
    def key(self) -> AssignmentKey:
        return self.assignment


@dataclass(frozen=True, slots=True)
class CampaignContents:
    """The contents of a campaign, or of a part of it. A whole one is sorted and closed: whatever is named in it is in
    it."""

    apps: tuple[AppEntry, ...] = ()
    goals: tuple[CampaignGoal, ...] = ()
    annotators: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    demonstrations: tuple[Demonstration, ...] = ()

    def __bool__(self) -> bool:
        return any((self.apps, self.goals, self.annotators, self.pairs, self.assignments, self.demonstrations))

    def sorted(self) -> CampaignContents:
        """The contents in the order in which they are shown: apps by category and title, all else by app and words."""
        return CampaignContents(
            tuple(sorted(self.apps, key=lambda app: (app.category, app.title.casefold(), app.package))),
            tuple(sorted(self.goals, key=lambda goal: goal.key)),
            tuple(sorted(self.annotators)),
            tuple(sorted(self.pairs, key=lambda pair: pair.key)),
            tuple(sorted(self.assignments, key=lambda one: one.key)),
            tuple(sorted(self.demonstrations, key=lambda one: one.key)),
        )

    def hanging_on(self, part: CampaignContents) -> CampaignContents:
        """What of this has a key of `part`, or goes with something that has: an app's goals and pairs, a goal's pairs,
        a pair's assignments, an annotator's too, and the demonstrations of those."""
        apps = {app.key for app in part.apps}
        goals = {goal.key for goal in part.goals} | {goal.key for goal in self.goals if goal.app in apps}
        pairs = {pair.key for pair in part.pairs}
        pairs |= {pair.key for pair in self.pairs if pair.app in apps or pair.goal.key in goals}
        people = set(part.annotators)
        given = {one.key for one in part.assignments}
        given |= {one.key for one in self.assignments if one.pair in pairs or one.annotator in people}
        shown = given | {one.key for one in part.demonstrations}
        return CampaignContents(
            tuple(app for app in self.apps if app.key in apps),
            tuple(goal for goal in self.goals if goal.key in goals),
            tuple(name for name in self.annotators if name in people),
            tuple(pair for pair in self.pairs if pair.key in pairs),
            tuple(one for one in self.assignments if one.key in given),
            tuple(one for one in self.demonstrations if one.key in shown),
        )

    def without(self, part: CampaignContents) -> CampaignContents:
        """What has no key of `part`; nothing else goes with it."""
        return CampaignContents(
            _left(self.apps, part.apps),
            _left(self.goals, part.goals),
            tuple(name for name in self.annotators if name not in part.annotators),
            _left(self.pairs, part.pairs),
            _left(self.assignments, part.assignments),
            _left(self.demonstrations, part.demonstrations),
        )

    def among(self, part: CampaignContents) -> CampaignContents:
        """What has a key of `part`; nothing else goes with it."""
        return self.without(self.without(part))

    def __add__(self, other: CampaignContents) -> CampaignContents:
        return CampaignContents(
            self.apps + other.apps,
            self.goals + other.goals,
            self.annotators + other.annotators,
            self.pairs + other.pairs,
            self.assignments + other.assignments,
            self.demonstrations + other.demonstrations,
        )


@dataclass(frozen=True, slots=True)
class WholeCampaign:
    """A campaign with everything that it has."""

    campaign: Campaign
    contents: CampaignContents = field(default_factory=CampaignContents)


class _KeyedValue(Protocol):
    @property
    def key(self) -> Hashable: ...


Value = TypeVar("Value", bound=_KeyedValue)


def _left(mine: Iterable[Value], theirs: Iterable[Value]) -> tuple[Value, ...]:
    keys = {one.key for one in theirs}
    return tuple(one for one in mine if one.key not in keys)


def titles(apps: Iterable[AppEntry]) -> dict[str, str]:
    """What people call each app, by package."""
    return {app.package: app.title for app in apps}
