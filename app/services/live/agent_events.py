"""What an agent on a device tells, and what it is told beforehand; all frozen."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from stepscope.core.device.confirmation_policy import ConfirmationPolicy
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import Action
from stepscope.core.domain.prediction import Candidate, Prediction
from stepscope.core.frozen import dataclass

ASK_BELOW = 0.6
STEP_LIMIT = 20
STUCK_AFTER = 3
QUESTION_LIMIT = 5
"""Questions of its own that an agent may put in one task (ours)."""
QUESTIONS_PER_STEP = 2
"""Questions of its own about one step: the second asks after an answer that was not enough (ours)."""


class Mode(StrEnum):
    """Whether every action waits for a person's word, or only those that must."""

    APPROVE = "after approval"
    OWN = "on its own"


class Phase(StrEnum):
    """`PAUSED` is also before the start and while a person has taken over."""

    PAUSED = "paused"
    LOOKING = "looking"
    THINKING = "thinking"
    PROPOSED = "proposed"
    ASKING = "asking"
    ACTING = "acting"
    FINISHED = "finished"


class ActionOrigin(StrEnum):
    """The chooser of an action: the agent alone, a person who approved it, a person instead of the agent."""

    AGENT = "agent"
    APPROVED = "approved"
    PERSON = "person"


class AnswerOrigin(StrEnum):
    """Who answered a question: a person in words, a person who left it to the agent, the data; or nobody, so that the
    agent was told to go on."""

    PERSON = "person"
    LEFT_TO_AGENT = "left to the agent"
    DATA = "data"
    NOBODY = "nobody"


class PauseReason(StrEnum):
    """Why the agent paused."""

    PERSON = "person"
    TAKEN_OVER = "taken over"
    STEP = "one step"
    REJECTED = "rejected"
    LIMIT = "limit"
    STUCK = "stuck"
    PROBLEM = "problem"


class AgentOutcome(StrEnum):
    """How a run ended: as the agent or the person says of the goal, broken off, or stopped because the agent went on
    asking."""

    COMPLETE = "complete"
    IMPOSSIBLE = "impossible"
    STOPPED = "stopped"
    ASKED_ON = "asked on"


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """Below the confidence `ask_below` it asks instead of acting. After `step_limit` actions, and after `stuck_after`
    that changed nothing on the screen, it pauses. `confirmation` knows what always asks, in either mode. Of the
    questions that the agent puts by itself the first `question_limit` are answered; behind them it is told to go on
    without an answer, and stopped if it asks again."""

    mode: Mode = Mode.APPROVE
    ask_below: float = ASK_BELOW
    step_limit: int = STEP_LIMIT
    stuck_after: int = STUCK_AFTER
    question_limit: int = QUESTION_LIMIT
    confirmation: ConfirmationPolicy = field(default_factory=ConfirmationPolicy)


@dataclass(frozen=True, slots=True)
class PredictionStarted:
    """The agent looks at the screen before step `step` (as the recording counts, from 0) and weighs what to do."""

    step: int


@dataclass(frozen=True, slots=True, eq=False)
class ActionProposed:
    """The agent proposes `choices[0]`; the others are what it weighed, best first, and can be approved instead.

    `reasons` say why a person has to confirm it even where the agent acts on its own; () : only because of the mode.
    `number` names this proposal to `approve` and `reject`: one that was replaced meanwhile is never done.
    """

    number: int
    step: int
    prediction: Prediction
    choices: tuple[Candidate, ...]
    reasons: tuple[str, ...]
    seen: ScreenSnapshot


@dataclass(frozen=True, slots=True, eq=False)
class QuestionAsked:
    """The agent puts `question`; `offers` are actions whose elements stand as answers. `unsure`: the question is ours,
    because the best of them (`confidence`) is below the limit. `wordless`: the agent asked, and the words are ours.
    `count`: how many questions of its own the agent has put with this one, 0 for ours. `waits`: False for one behind
    the limit, which nobody is asked. `number` as in `ActionProposed`."""

    number: int
    step: int
    question: str
    offers: tuple[Candidate, ...]
    unsure: bool
    confidence: float | None
    seen: ScreenSnapshot
    wordless: bool = False
    count: int = 0
    waits: bool = True


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """The answer, which the recording and the agent have now. `why` says why there was none to give, where `by` is
    nobody."""

    step: int
    question: str
    answer: str
    by: AnswerOrigin = AnswerOrigin.PERSON
    why: str = ""


@dataclass(frozen=True, slots=True)
class ActionStarted:
    """The action is on its way to the device."""

    step: int
    action: Action
    by: ActionOrigin


@dataclass(frozen=True, slots=True)
class ActionPerformed:
    """The action was done on the device; `action` has the element under it."""

    step: int
    action: Action
    by: ActionOrigin


@dataclass(frozen=True, slots=True)
class AgentPaused:
    """The agent does nothing until it is told to; `why` in words for people."""

    stop: PauseReason
    why: str


@dataclass(frozen=True, slots=True)
class AgentFinished:
    """The last event of an agent. `steps` were done; `why` in words."""

    how: AgentOutcome
    steps: int
    why: str


AgentEvent = (
    PredictionStarted
    | ActionProposed
    | QuestionAsked
    | QuestionAnswered
    | ActionStarted
    | ActionPerformed
    | AgentPaused
    | AgentFinished
)
