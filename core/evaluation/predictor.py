"""What a model is to the workbench: it says of itself what it needs and answers requests with predictions.

One request type a task; what a request does not hold, the model does not get to see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeGuard, TypeVar, runtime_checkable

from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.model_name import TASK_MARK
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.domain.webtask import WebTask
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.core.scoring.option import Option

Input = Literal["screens", "tree", "text", "history"]
"""What a model looks at: pictures, UI trees, goal and instructions, the actions before."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """`needs_reference` marks a predictor for tests that is shown the right answer; every other never sees it.

    `version` changes whenever the same request may be answered differently. `weights_from` says in words which weights
    it needs and how they are had. `devices` are those it can use, by kind. `as_recorded`: its answers
    are in the words of the data (ids of steps), where requests use others. `settings` can be set in its name
    (`core.domain.model_name`); `name` has those that are. `demonstrations`: how many pages that people solved it wants
    to see beside each web task; `past_screens`: how many screens before the step's. `own_history`: it is asked about a
    step with what it answered about those before, so that an episode's steps come one after the other.
    `asks_again`, of asking only: it is asked about a step with whether it has asked before, so that what it does with
    the answer is found out from its first ask on and nowhere else; always: after the due step everywhere. ""
    says all at every step. `step_instructions`: it reads the instructions of the steps where a whole episode is judged.
    `reads_reply`: it acts by what a person answered as the request has it; others are told it behind the goal.
    """

    name: str
    title: str
    task: Task
    description: str
    source: str
    runtime: Literal["none", "torch", "onnx", "service"] = "none"
    weights: Literal["none", "present", "absent"] = "none"
    trained_on: str | None = None
    needs_reference: bool = False
    stand_in: bool = True
    inputs: tuple[Input, ...] = ()
    batches: bool = False
    version: str = "1"
    weights_from: str = ""
    devices: tuple[str, ...] = ("cpu",)
    as_recorded: bool = False
    settings: tuple[Option, ...] = ()
    demonstrations: int = 0
    past_screens: int = 0
    own_history: bool = False
    asks_again: Literal["", "asked", "always"] = ""
    step_instructions: bool = False
    reads_reply: bool = False

    def serves(self, task: Task) -> bool:
        """Whether it can be asked for this task: its own, and one that acts where something is, unless its name says
        which of its tasks it is asked. Whatever acts can walk alone."""
        if task is Task.ROLLOUT:
            return self.task is Task.AUTOMATION
        acts = self.task is Task.AUTOMATION and TASK_MARK not in self.name
        return task is self.task or (task is Task.GROUNDING and acts)


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """What a predictor answered about a step before: its action, None where there was none, and its raw output."""

    action: Action | None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class StepRequest:
    """All that a predictor of one step may look at: the next action, or whether to ask.

    `history` holds the reference actions of the steps before, and `past` the screens on which the last of them were
    done, as many as the model wants to see.

    For asking only: `reply` is the question that is due at this step or next, after the last one that one, and what the
    person answers: what would be in the agent's context had it asked by now. None where nothing is missing, or the data
    has no answer. It is for the action after an ask (the second stream); whether to ask, and what, must not be told by
    it. `whole` is the goal with nothing left out, where the one that is told leaves something out: for what an agent
    does that was told all (`AskAnswer.whole`), and nothing else may hang on it. `asked`: whether it has asked this
    question at a step before, None where that is not known; `behind` true: it has, and the step at which it was due is
    over; `told` are its earlier questions with their answers, which are in both streams' context. These are for those
    that are asked again (`ModelInfo.asks_again`).

    `own` are the predictor's answers about the steps before, where it wants them.
    """

    episode: str
    step: int
    goal: str
    platform: Platform
    observation: Observation
    instruction: str | None = None
    app: str | None = None
    history: tuple[Action, ...] = ()
    reference: Action | None = None
    reply: tuple[str, str] | None = None
    past: tuple[Observation, ...] = ()
    own: tuple[OwnAnswer, ...] = ()
    whole: str | None = None
    asked: bool | None = None
    behind: bool | None = None
    told: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeRequest:
    """A whole episode: whether its goal is feasible, or, with `goal` None, what the goal was.

    `actions` has one entry for each observation, None where nothing was done on it. `reference` is the right answer in
    the words of the wire form, for predictors that need it. `words` has one entry for each observation where the
    episode is in words (`Platform.TEXT`): they are what is there to see; none for episodes of screens, whose
    instructions are no part of what was visited. `instructions` are those of the steps, one for each observation, where
    the model asks for them (`ModelInfo.step_instructions`); none for every other.
    """

    episode: str
    goal: str | None
    platform: Platform
    observations: tuple[Observation, ...]
    actions: tuple[Action | None, ...]
    app: str | None = None
    reference: str | None = None
    words: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """Steps whose order is to be found, shuffled by the run's seed; their ids are the places "1", "2", … as shown, so
    that they betray nothing. The answer names these."""

    procedure: str
    goal: str
    steps: tuple[ProcedureStep, ...]
    reference: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PageDemonstration:
    """A page of another task, and what each worker who answered it filled in."""

    instance: str
    task: WebTask
    inputs: Mapping[str, str]
    answers: tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class FieldsRequest:
    """A web page to be filled in: the task's template and the values put into it. `reference` are people's answers,
    `demonstrations` pages of other tasks, as many as the model wants to see and the data has."""

    instance: str
    task: WebTask
    inputs: Mapping[str, str]
    reference: tuple[Mapping[str, str], ...] | None = None
    demonstrations: tuple[PageDemonstration, ...] = ()


@dataclass(frozen=True, slots=True)
class WalkRequest:
    """A goal to be reached alone, from where the episode began. Nothing of how a person reached it is told."""

    episode: str
    goal: str
    platform: Platform
    app: str | None = None


@dataclass(frozen=True, slots=True)
class ScreenRequest:
    """One screen, and the elements of its tree about which it is asked which kinds of action they allow, by index.
    Nothing in the tree tells: it has words, classes, ids and boxes, and no flags."""

    episode: str
    step: int
    platform: Platform
    observation: Observation
    elements: tuple[int, ...]
    app: str | None = None


Request = StepRequest | EpisodeRequest | OrderRequest | FieldsRequest | WalkRequest | ScreenRequest
RequestT = TypeVar("RequestT", contravariant=True)


def place_of(request: Request) -> tuple[str, int | None]:
    """Episode and step that the request is about."""
    match request:
        case StepRequest(episode=episode, step=step) | ScreenRequest(episode=episode, step=step):
            return episode, step
        case EpisodeRequest(episode=name) | OrderRequest(procedure=name) | FieldsRequest(instance=name):
            return name, None
        case WalkRequest(episode=name):
            return name, None


class Predictor(Protocol[RequestT]):
    """Answers one task. Same request and seed, same answer."""

    @property
    def info(self) -> ModelInfo: ...

    def predict(self, request: RequestT) -> Prediction:
        """May raise: the runner books the error on this item and goes on."""
        ...


class BatchPredictor(Predictor[RequestT], Protocol[RequestT]):
    """A predictor that works on several items at once, prepared ahead of it in other threads.

    `batch_size` is the size to begin with: it is halved when the memory of the device runs out. `fingerprint` names all
    that the same request's answer hangs on besides the request (weights, preprocessing, precision); "" : never kept.
    """

    batch_size: int
    fingerprint: str

    def prepare(self, request: RequestT) -> Any:
        """Decode and convert; called in any thread. May raise: an error of this item."""
        ...

    def predict_batch(self, prepared: Sequence[Any]) -> Sequence[Prediction]:
        """One prediction for each, in order; called in one thread only. Raises OutOfMemory when they are too many."""
        ...

    def warm_up(self) -> None:
        """Make the first batch as quick as the others."""
        ...

    def close(self) -> None:
        """Give memory back; not used afterwards."""
        ...


@runtime_checkable
class Speaking(Protocol):
    """A predictor that tells the words of an answer while they are written."""

    def listen(self, heard: Callable[[str], None] | None) -> None:
        """`heard` is given each piece, in the thread that predicts, where one question is put; None: nobody listens."""
        ...


@runtime_checkable
class Cancellable(Protocol):
    """A predictor that waits for others, and ends its waiting when the run is cancelled."""

    def set_token(self, token: CancelToken) -> None:
        """Called once when a run begins. Soon after the token is cancelled, `predict` and `predict_batch` come back;
        what they say then is not looked at."""
        ...


@runtime_checkable
class Releasable(Protocol):
    """A predictor that holds something while a run lasts which nobody shall pay for afterwards: processes, pages."""

    def release(self) -> None:
        """Called once when a run has ended, however it ended; the next run's `warm_up` gets it again."""
        ...


def is_batching(predictor: Predictor[Any]) -> TypeGuard[BatchPredictor[Any]]:
    """Whether the predictor says that it answers several requests at once, and has the method for it."""
    return predictor.info.batches and hasattr(predictor, "predict_batch")
