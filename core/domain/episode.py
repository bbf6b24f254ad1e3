"""Episodes: one attempt at one goal, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.domain.action import Action
from core.domain.elements import UITree
from core.domain.geometry import Size


class Platform(StrEnum):
    ANDROID = "android"
    WEB = "web"
    TEXT = "text"


class FeasibilityLabel(StrEnum):
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"


class InfeasibilityReason(StrEnum):
    """Why a goal cannot be reached (MoTIF, section 3.2): the app cannot do it, the goal is unclear or under-specified,
    or something else must be done first."""

    IMPOSSIBLE = "impossible"
    UNCLEAR = "unclear"
    PREMATURE = "premature"


@dataclass(frozen=True, slots=True)
class Feasibility:
    label: FeasibilityLabel | None = None
    reason: InfeasibilityReason | None = None
    follow_up: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that was due at step `step` (its index) and the person's answer."""

    step: int
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Where a screenshot lies and how large it is; the pixels are decoded by `core.imaging`, never kept here."""

    path: Path
    size: Size


@dataclass(frozen=True, slots=True)
class Observation:
    """What the agent saw before it acted. `time` is in seconds since the episode's start, None when not recorded.

    `size` is the frame of all places of the step; it is known without a picture too when the data names it.
    """

    size: Size
    screenshot: Picture | None = None
    tree: UITree | None = None
    time: float | None = None
    activity: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """`action` is the reference action done on this observation; the last step may have none."""

    index: int
    observation: Observation
    action: Action | None = None
    instruction: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the data that could not be read. `step` None concerns the whole episode, `episode` "" the source."""

    message: str
    episode: str = ""
    step: int | None = None
    field: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Episode:
    """`id` is unique within its source and always text; `split` is the data set's own word, "" when it has none."""

    id: str
    format: str
    platform: Platform
    goal: str
    steps: tuple[Step, ...]
    app: str | None = None
    feasibility: Feasibility = Feasibility()
    asks: tuple[Ask, ...] = ()
    split: str = ""
    problems: tuple[Problem, ...] = ()

    def position_of(self, index: int) -> int:
        """Place in `steps` of the step with this index; a step that could not be read leaves a gap. -1: none."""
        return next((place for place, step in enumerate(self.steps) if step.index == index), -1)

    def ask_at(self, step: int) -> Ask | None:
        return next((ask for ask in self.asks if ask.step == step), None)


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """An episode's row in lists and in the store's index: what can be shown and filtered without opening it.

    `actions` counts reference actions by kind, in order of first appearance.
    """

    id: str
    goal: str
    app: str | None
    platform: Platform
    steps: int
    screens: int
    actions: tuple[tuple[str, int], ...]
    feasibility: Feasibility = Feasibility()
    asks: int = 0
    split: str = ""
    problems: tuple[Problem, ...] = ()


def summarise(episode: Episode) -> EpisodeSummary:
    """The episode's index row."""
    counts: dict[str, int] = {}
    for step in episode.steps:
        if step.action is not None:
            counts[step.action.kind] = counts.get(step.action.kind, 0) + 1
    return EpisodeSummary(
        id=episode.id,
        goal=episode.goal,
        app=episode.app,
        platform=episode.platform,
        steps=len(episode.steps),
        screens=sum(step.observation.screenshot is not None for step in episode.steps),
        actions=tuple(counts.items()),
        feasibility=episode.feasibility,
        asks=len(episode.asks),
        split=episode.split,
        problems=episode.problems,
    )
