"""What a predictor answered."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from stepscope.core.domain.action import Action
from stepscope.core.domain.affordance import AffordanceAnswer
from stepscope.core.domain.episode import LAST_STEP, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.geometry import Box
from stepscope.core.domain.model_call import MOST_CALLS, ModelCall
from stepscope.core.domain.walk import WalkAnswer
from stepscope.core.frozen import dataclass


class Task(StrEnum):
    """The tasks of the workbench; the names are those of the command line."""

    AUTOMATION = "automation"
    FEASIBILITY = "feasibility"
    GOAL = "goal"
    ORDERING = "ordering"
    ASK = "ask"
    WEBTASK = "webtask"
    GROUNDING = "grounding"
    ROLLOUT = "rollout"
    AFFORDANCE = "affordance"


WITH_PLACES = (Task.AUTOMATION, Task.GROUNDING)
"""Tasks whose answers have places on a screen."""


class PredictionStatus(StrEnum):
    """ok: usable; malformed: the model answered nonsense; empty: it gave no answer; refused: it would not answer;
    failed: it crashed."""

    OK = "ok"
    MALFORMED = "malformed"
    EMPTY = "empty"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of several actions that a predictor weighed; `score` is the predictor's own, higher is better."""

    action: Action
    score: float


@dataclass(frozen=True, slots=True)
class ActionAnswer:
    """The next action; `candidates` are what was weighed, as far as the predictor tells."""

    action: Action
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something on a screen that spoke for the answer: an element with its `text` and `box` in pixels of the step's
    screenshot, or with neither the whole screen. `weight` is how much the predictor's score falls without it."""

    step: int
    weight: float
    text: str = ""
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class FeasibilityAnswer:
    """`score` is P(infeasible), 0..1; `curve` the same after each of the episode's steps, as far as the predictor
    looks; `evidence` what spoke for infeasible, the strongest first. `reason` is why an infeasible goal is so, and
    `question` what would clear it up, where the predictor says so."""

    label: FeasibilityLabel
    score: float | None = None
    curve: tuple[float, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    reason: InfeasibilityReason | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class GoalAnswer:
    """The goal of a trajectory in one sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class OrderAnswer:
    """Step ids in the predicted order. `before` has, rows and columns in that order, P(row's step before column's);
    empty where the predictor has no such."""

    order: tuple[str, ...]
    before: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class AskAnswer:
    """The question put at a step; None: the agent does not ask. `score` is P(a question is due).

    `action` is what the agent does at this step (its first stream); `after` what it does there once its question has
    been answered (the second stream). None for predictors that only ask. `whole` is what it does when it was told the
    goal with nothing left out, an ask included; `unasked` what it does when it may not ask, None where that is
    `action`.
    """

    question: str | None
    score: float | None = None
    action: Action | None = None
    after: Action | None = None
    whole: Action | None = None
    unasked: Action | None = None


ASKER_DOES = {"does": "action", "does_after": "after", "does_whole": "whole", "does_unasked": "unasked"}
"""The actions of an answer that may ask, by the names under which they are written."""


@dataclass(frozen=True, slots=True)
class FieldsAnswer:
    """Values of a web task's fields by name. `missing` are fields that the page itself did not have: nobody could fill
    them in, and they are not scored."""

    fields: tuple[tuple[str, str], ...]
    missing: tuple[str, ...] = ()


Answer = (
    ActionAnswer
    | FeasibilityAnswer
    | GoalAnswer
    | OrderAnswer
    | AskAnswer
    | FieldsAnswer
    | WalkAnswer
    | AffordanceAnswer
)


def answer_word(answer: Answer | None) -> str:
    """What the answer is in one word, by which confusions are counted: the kind of the action, the label, whether it
    asks, how a walk ended. "" for no answer and for those that cannot be said in a word."""
    match answer:
        case ActionAnswer(action):
            return action.kind
        case FeasibilityAnswer(label):
            return label.value
        case AskAnswer(question):
            return ASKS if question is not None else ASKS_NOT
        case WalkAnswer():
            return answer.said.value if answer.said is not None else answer.end.value
        case _:
            return ""


ASKS, ASKS_NOT = "ask", "no ask"


MOST_PICTURES = 8
"""Pictures that one prediction may have."""
LARGEST_PICTURE = 2 << 20
"""Bytes of an attached picture's file."""
LONGEST_PICTURE_NAME = 60


@dataclass(frozen=True, slots=True)
class AttachedPicture:
    """A picture that a predictor shows beside its answer: saliency, an occlusion map and the like.

    `data` is a PNG, JPEG or WebP file. It covers `box`, in pixels of the step's screenshot, or without one the whole
    screenshot, whatever its own size. `step` is the index of the step that it is about; None: the prediction's own, of
    an answer about a whole episode all of its steps. A grey picture is a map: the brighter, the more. Raises ValueError
    for a name or file that cannot be kept.
    """

    name: str
    data: bytes = field(repr=False)
    box: Box | None = None
    step: int | None = None

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > LONGEST_PICTURE_NAME or not self.name.isprintable():
            raise ValueError(f"an attached picture needs a name of at most {LONGEST_PICTURE_NAME} printable characters")
        if not 0 < len(self.data) <= LARGEST_PICTURE:
            raise ValueError(f"the picture {self.name!r} has {len(self.data):,} bytes, of {LARGEST_PICTURE:,} at most")
        if self.step is not None and not 0 <= self.step <= LAST_STEP:
            raise ValueError(f"the picture {self.name!r} is about step {self.step}, which cannot be")

    def lies_on(self, predicted: int | None, step: int) -> bool:
        """Whether it lies over the step with this index, where the prediction is about step `predicted`."""
        return lies_on(self.step, predicted, step)


def lies_on(about: int | None, predicted: int | None, step: int) -> bool:
    """Whether a picture about step `about` (None: the prediction's own) lies over `step`; `predicted` None: the
    prediction is about the whole episode."""
    about = predicted if about is None else about
    return about is None or about == step


@dataclass(frozen=True, slots=True)
class Prediction:
    """`step` is None for an answer about a whole episode. `confidence` 0..1; `latency_ms` is the model's own time.
    `pictures` are at most MOST_PICTURES; a stored prediction has them apart, since they are large. `trace` is what was
    done on the way to the answer, in the words of the task (web tasks: `core.webtask.solving`); "" where nothing was.
    `calls` are the questions that were put to a model, at most MOST_CALLS; a stored prediction has them apart too.

    A prediction that is not ok has no answer, and `why` says what was wrong.
    """

    episode: str
    step: int | None
    answer: Answer | None
    status: PredictionStatus = PredictionStatus.OK
    confidence: float | None = None
    latency_ms: float | None = None
    raw: str = ""
    why: str = ""
    pictures: tuple[AttachedPicture, ...] = ()
    trace: str = field(default="", repr=False)
    calls: tuple[ModelCall, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if len(self.calls) > MOST_CALLS:
            raise ValueError(f"a prediction has at most {MOST_CALLS} calls, not {len(self.calls)}")
        if len(self.pictures) > MOST_PICTURES:
            raise ValueError(f"a prediction has at most {MOST_PICTURES} pictures, not {len(self.pictures)}")
        if (self.answer is None) == (self.status is PredictionStatus.OK):
            raise ValueError(
                f"a prediction that is {self.status} cannot {'lack' if self.answer is None else 'have'} an answer"
            )

    def pictures_at(self, step: int) -> tuple[AttachedPicture, ...]:
        """The pictures that lie over the step with this index."""
        return tuple(one for one in self.pictures if one.lies_on(self.step, step))

    @property
    def action(self) -> Action | None:
        """The predicted action, None when there is none."""
        return self.answer.action if isinstance(self.answer, ActionAnswer) else None
