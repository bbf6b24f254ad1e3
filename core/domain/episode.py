"""Episodes: one attempt at one goal, step by step."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Literal, TypeGuard

from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.step_summary import StepSummary, step_summaries
from stepscope.core.frozen import dataclass

LAST_STEP = 999_999_999
"""The largest index of a step: links have nine digits for it, and the whole numbers of all databases hold it (ours)."""
STEP_INDEX = f"a whole number from 0 to {LAST_STEP}"
"""What an index of a step must be, in words for messages."""


def is_step_index(value: object) -> TypeGuard[int]:
    """Whether a value out of data can be a step's index; true, 1.0 and "1" cannot."""
    return type(value) is int and 0 <= value <= LAST_STEP


class Platform(StrEnum):
    """The platform on which an episode was recorded; text: steps in words, such as written procedures."""

    ANDROID = "android"
    WEB = "web"
    TEXT = "text"


class FeasibilityLabel(StrEnum):
    """Whether an episode's goal can be reached in its app (MoTIF, section 3.2)."""

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
    """The feasibility of the goal as the data says it: `label` None where nothing is said, `reason` of an infeasible
    one, and `follow_up`, questions that would clear it up."""

    label: FeasibilityLabel | None = None
    reason: InfeasibilityReason | None = None
    follow_up: tuple[str, ...] = ()


ONE_TOO_MANY = "one too many"
"""Kind of a question that an agent put behind its limit in a recording of it: nobody answered, and none was due."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that was due at step `step` (its index) and the person's answer; `kind` is the data set's own word for
    it (such as "confirmation needed"), "" where it has none."""

    step: int
    question: str
    answer: str
    kind: str = ""


class Encoding(StrEnum):
    """The encoding of a picture's bytes inside a larger file."""

    FILE = "file"
    """a PNG, JPEG or WebP file"""
    RGB = "rgb"
    """height × width × 3 bytes, red, green, blue, top row first"""
    BASE64 = "base64"
    """a picture file in base64"""


@dataclass(frozen=True, slots=True)
class Slice:
    """`length` bytes from `offset` on; both count in the inflated stream when the file is gzip."""

    offset: int
    length: int
    gzip: bool = False
    encoding: Encoding = Encoding.FILE


@dataclass(frozen=True, slots=True)
class Cell:
    """A picture file in a parquet table: row `row` of row group `group`; `column` is its path with dots."""

    group: int
    row: int
    column: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing of the elements' boxes in place of a picture. `key` tells one drawing from another."""

    key: str
    tree: UITree = field(compare=False, repr=False)


Part = Slice | Cell | Drawing


@dataclass(frozen=True, slots=True)
class Picture:
    """The place of a screenshot and its size; the pixels are decoded by `core.imaging`, never kept here.

    `part` says where in the file; None is the whole file.
    """

    path: Path
    size: Size
    part: Part | None = None

    @property
    def name(self) -> str:
        """The file's name, with the place inside it where it holds more than this picture."""
        match self.part:
            case Slice(offset=offset):
                return f"{self.path.name}@{offset}"
            case Cell(group=group, row=row):
                return f"{self.path.name}@{group}.{row}"
            case _:
                return self.path.name


@dataclass(frozen=True, slots=True)
class Observation:
    """The screen that the agent saw before it acted. `time` is in seconds since the episode's start, None when not
    recorded.

    `size` is the frame of all places of the step; it is known without a picture too when the data names it.
    """

    size: Size
    screenshot: Picture | None = None
    tree: UITree | None = None
    time: float | None = None
    activity: str = ""

    @property
    def shown(self) -> Picture | None:
        """What can be looked at: the screenshot, else a drawing of the UI tree's boxes when there are any."""
        if self.screenshot is not None or self.tree is None:
            return self.screenshot
        if not any(element.visible and element.box.area > 0 for element in self.tree):
            return None
        return Picture(Path("drawing"), self.size, Drawing(self.tree.key, self.tree))


@dataclass(frozen=True, slots=True)
class Step:
    """`action` is the reference action done on this observation; the last step may have none. Raises ValueError for an
    `index` below 0 or above LAST_STEP."""

    index: int
    observation: Observation
    action: Action | None = None
    instruction: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.index <= LAST_STEP:
            raise ValueError(f"a step's index must be {STEP_INDEX}")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the data that could not be read. `step` None concerns the whole episode, `episode` "" the source."""

    message: str
    episode: str = ""
    step: int | None = None
    field: str = ""
    file: str = ""


def is_lost(problem: Problem) -> bool:
    """Whether a problem of a source stands for a record that could not be read; one that names neither episode nor file
    is a note about the source as a whole."""
    return bool(problem.episode or problem.file)


@dataclass(frozen=True, slots=True)
class Episode:
    """`id` is unique within its source and always text.

    `goal` is what the agent was told; where that leaves out something on purpose, `original_goal` is the full goal.
    `splits` are the data set's own words; one of several partitions is written `partition/split`.
    """

    id: str
    format: str
    platform: Platform
    goal: str
    steps: tuple[Step, ...]
    app: str | None = None
    feasibility: Feasibility = Feasibility()
    asks: tuple[Ask, ...] = ()
    splits: tuple[str, ...] = ()
    original_goal: str | None = None
    problems: tuple[Problem, ...] = ()

    def position_of(self, index: int) -> int:
        """Place in `steps` of the step with this index; a step that could not be read leaves a gap. -1: none."""
        return next((place for place, step in enumerate(self.steps) if step.index == index), -1)

    def shown_at(self, place: int) -> Picture | None:
        """What can be looked at, at a place in `steps`. A screenshot that the data names and that cannot be read is not
        replaced by a drawing."""
        if not 0 <= place < len(self.steps):
            return None
        step = self.steps[place]
        if step.observation.screenshot is None and any(
            problem.field == "screenshot" and problem.step == step.index for problem in self.problems
        ):
            return None
        return step.observation.shown

    def ask_at(self, step: int) -> Ask | None:
        return next((ask for ask in self.asks if ask.step == step), None)


Kind = Literal["episode", "procedure", "instance"]
"""What an index row stands for: an attempt at a goal, steps to be ordered, or one filled-in page of a web task."""


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """An episode's row in lists and in the store's index: what can be shown and filtered without opening it.

    `actions` counts reference actions by kind, in order of first appearance. `place` is the source's own note of where
    the episode lies, so that it is read without a search. `checked`: the whole episode was read for this row; otherwise
    only its outline, and problems inside it are not known yet. `details` are its steps for the index to search, None
    where they were not read; what comes out of the index never has them.
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
    splits: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    kind: Kind = "episode"
    place: str = ""
    checked: bool = True
    details: tuple[StepSummary, ...] | None = field(default=None, compare=False, repr=False)


def summarise(episode: Episode, place: str = "", kind: Kind = "episode") -> EpisodeSummary:
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
        splits=episode.splits,
        problems=episode.problems,
        kind=kind,
        place=place,
        details=step_summaries(episode),
    )
