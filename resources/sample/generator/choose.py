"""What each episode of a build is to be, drawn before any phone is opened: app, split, content and means.

Episode `n` of a seed is the same however many there are and whoever performs it. Apps take turns; within an app the
means follow a sequence that keeps every beginning of it near the shares wanted, instead of independent draws.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from stepscope.resources.sample.generator.plan import AppGoals

TRAIN, VALIDATION, UNSEEN = "train", "validation", "app_unseen"
VALIDATION_EVERY = 7
"""Of a seen app's episodes one in so many is for validation."""
ATTEMPTS = 12
"""So often an episode is drawn anew before it is left out."""
ELSEWHERE_TOO = frozenset(
    {
        "player/sleep_timer",
        "player/sleep_and_wake",
        "player/clear_queue",
        "player/drop_from_queue",
        "player/play_or_pause",
        "podcasts/podcasts-sleep",
        "podcasts/podcasts-sleep-off",
        "podcasts/podcasts-clear-queue",
        "mail/all_read",
    }
)
"""Templates whose goals another app could reach as well: they are put to none."""
_GOLDEN = 0.6180339887498949
_SEEDS = 1_000_000
"""Content of an app is drawn from so many seeds: two episodes hardly ever share it."""


class GoalKinds(StrEnum):
    """Which goals a build has: all kinds, or, to learn asking from, half that leave something out and half that are
    whole, none of them infeasible."""

    ALL = "all"
    ASKING = "asking"


class Means(StrEnum):
    """What is made of a goal. The last four are infeasible by the means of the papers."""

    STRAIGHT = "straight"
    DETOUR = "detour"
    ASK = "ask"
    ASK_TWICE = "ask twice"
    OTHER_APP = "other app"
    REMOVED = "removed"
    PREMATURE = "premature"
    UNCLEAR = "unclear"


SHARES = {
    Means.STRAIGHT: 0.29,
    Means.DETOUR: 0.29,
    Means.ASK: 0.15,
    Means.OTHER_APP: 0.0675,
    Means.REMOVED: 0.0675,
    Means.PREMATURE: 0.0675,
    Means.UNCLEAR: 0.0675,
}
ASKING_SHARES = {Means.STRAIGHT: 0.25, Means.DETOUR: 0.25, Means.ASK: 0.4, Means.ASK_TWICE: 0.1}
INFEASIBLE = (Means.OTHER_APP, Means.REMOVED, Means.PREMATURE, Means.UNCLEAR)


@dataclass(frozen=True, slots=True)
class Draw:
    """One try at one episode: open `app` at `seed` (content, theme) and make of it what `means` says.

    `rough` says whether its trees are made like those of real apps where a build has both kinds.
    """

    build_seed: int
    number: int
    attempt: int
    app: str
    split: str
    means: Means
    seed: int
    rough: bool

    @property
    def id(self) -> str:
        """The episode's id: the same for every try."""
        return f"{self.number:05}-{self.app}"

    def chance(self, purpose: str) -> random.Random:
        """A stream of its own for each purpose, so that one draw more here changes nothing there."""
        return random.Random(f"{self.build_seed} {self.number} {self.attempt} {purpose}")


def drawn(
    build_seed: int, number: int, attempt: int, apps: Sequence[AppGoals], kinds: GoalKinds = GoalKinds.ALL
) -> Draw:
    """Episode `number` of a build, at its `attempt`-th try (0 the first)."""
    turn, place = divmod(number, len(apps))
    order = random.Random(f"{build_seed} apps {turn}").sample(range(len(apps)), len(apps))
    goals = apps[order[place]]
    means = _means(build_seed, goals.app, turn, kinds)
    if means is Means.ASK_TWICE and attempt >= ATTEMPTS // 2:  # no goal of this app says two things
        means = Means.ASK
    if means in INFEASIBLE and attempt >= ATTEMPTS // 2:  # this app has nothing of the kind: another kind instead
        means = INFEASIBLE[(INFEASIBLE.index(means) + attempt) % len(INFEASIBLE)]
    content = random.Random(f"{build_seed} {number} {attempt} content").randrange(1, _SEEDS)
    rough = _rough(build_seed, goals.app, turn)
    return Draw(build_seed, number, attempt, goals.app, split_of(goals, turn), means, content, rough)


def split_of(goals: AppGoals, turn: int) -> str:
    """The split of an app's `turn`-th episode: apps never mix, and a held-out app is in no other split."""
    if goals.held_out:
        return UNSEEN
    return VALIDATION if turn % VALIDATION_EVERY == VALIDATION_EVERY - 2 else TRAIN


def _means(build_seed: int, app: str, turn: int, kinds: GoalKinds) -> Means:
    place = (random.Random(f"{build_seed} means {app}").random() + turn * _GOLDEN) % 1.0
    shares = ASKING_SHARES if kinds is GoalKinds.ASKING else SHARES
    edge = 0.0
    for means, share in shares.items():
        edge += share
        if place < edge:
            return means
    return [*shares][-1]


def _rough(build_seed: int, app: str, turn: int) -> bool:
    """One of each two turns of an app, the first or the second by chance: whatever the means are."""
    pair, second = divmod(turn, 2)
    return random.Random(f"{build_seed} trees {app} {pair}").randrange(2) == second


def donors(goals: AppGoals, apps: Sequence[AppGoals]) -> tuple[tuple[AppGoals, ...], tuple[AppGoals, ...]]:
    """Apps whose goals may be put to this one: those of its own category, and the others.

    A seen app never gets a held-out app's goals, or training would read them.
    """
    allowed = [other for other in apps if other.app != goals.app and (goals.held_out or not other.held_out)]
    near = tuple(other for other in allowed if other.category == goals.category)
    return near, tuple(other for other in allowed if other.category != goals.category)
