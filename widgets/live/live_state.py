"""What the panels of the Live workspace show and tell, as frozen values. Times are seconds since the recording's start
unless said otherwise."""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.frozen import dataclass

NO_AGENT = ""
"""Name of the choice "None: I do it myself"."""


class RowState(StrEnum):
    """The state of a device of the list; the value is the word in its pill."""

    LIVE = "live"
    CONNECTING = "connecting"
    BACK_SOON = "back soon"
    READY = "ready"
    UNAUTHORISED = "unauthorised"
    OFFLINE = "offline"
    NO_PERMISSION = "no permission"
    UNKNOWN = "unknown"

    @property
    def usable(self) -> bool:
        """Whether connecting can succeed as things are."""
        return self in (RowState.LIVE, RowState.CONNECTING, RowState.BACK_SOON, RowState.READY)

    @property
    def open(self) -> bool:
        """Whether it is in use, though perhaps away for a moment."""
        return self in (RowState.LIVE, RowState.CONNECTING, RowState.BACK_SOON)


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """`serial` names it to the owner; `kind` is simulated, USB, network or replay; `detail` is the second line; `hint`
    says what to do where it cannot be used. `forgettable`: it stays in the list only because it was once entered."""

    serial: str
    name: str
    kind: str
    state: RowState = RowState.READY
    detail: str = ""
    hint: str = ""
    forgettable: bool = False


@dataclass(frozen=True, slots=True)
class GoalSuggestion:
    """A goal that could be pursued; `detail` says where it comes from ("Campaign Shops, 2 of 5")."""

    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """A predictor that can act. `run` is the place of its letter (0 is A), `detail` where it computes, `why_not` what
    keeps it from being chosen."""

    name: str
    title: str
    detail: str = ""
    run: int = 0
    why_not: str = ""
    tip: str = ""


class AgentPhase(StrEnum):
    """The phase of an agent's work; `ACTING` until the screen shows the action."""

    IDLE = "idle"
    THINKING = "thinking"
    PROPOSED = "proposed"
    ASKING = "asking"
    ACTING = "acting"
    PAUSED = "paused"

    @property
    def running(self) -> bool:
        return self not in (AgentPhase.IDLE, AgentPhase.PAUSED)


@dataclass(frozen=True, slots=True)
class TaskState:
    """`words` tell what the agent does or how it ended; `problem` why it cannot be started ("No phone is connected.
    Choose one above."). `attention`: the words are no mere news, somebody has to see to it."""

    phase: AgentPhase = AgentPhase.IDLE
    words: str = ""
    problem: str = ""
    attention: bool = False


class LabelPhase(StrEnum):
    """`NOTHING`: no recording; `RECORDING`: one is running; `DUE`: it has ended and waits for its label; `SAVING`."""

    NOTHING = "nothing"
    RECORDING = "recording"
    DUE = "due"
    SAVING = "saving"


@dataclass(frozen=True, slots=True)
class SurveyAnswers:
    """A person's answers about a demonstration (MoTIF, section 3.1). `label` is feasible, infeasible or "" (not yet);
    `reason` of an infeasible one is impossible, unclear or premature; `follow_up` are questions, one a line."""

    label: str = ""
    reason: str = ""
    why: str = ""
    follow_up: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelState:
    """`questions`: questions with answers that the recording holds; `steps`: its actions; `problem`: why it could not
    be saved, and what to do; `name`: what it is called in the library."""

    phase: LabelPhase = LabelPhase.NOTHING
    steps: int = 0
    questions: int = 0
    problem: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class InstallState:
    """The state of an app's installation; `share` 0..1 while it is sent, None otherwise; `why_not`: this device takes
    no apps; `kind` of the words is "", done or error."""

    words: str = ""
    share: float | None = None
    kind: str = ""
    why_not: str = ""


class CellKind(StrEnum):
    """A cell of the recording: something done, a question with its answer, a time without the device, a log-in whose
    steps are left out."""

    ACTION = "action"
    ASK = "ask"
    GAP = "gap"
    LOGIN = "login"


@dataclass(frozen=True, slots=True)
class RecordedCell:
    """`number` counts from 1, 0 shows none; `icon` and `words` tell what was done ("Buy now"), `whole` all of it for
    tooltip and screen reader ("Tap Buy now"); `note` is a person's note."""

    kind: CellKind
    words: str
    number: int = 0
    time: float | None = None
    icon: str = ""
    whole: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class RecordingState:
    """`active`: a recording is running, paused or not; `undo_why_not`: why nothing can be undone, "" where it can;
    `message`: what has to be said about it ("The disk is full. Everything up to step 6 is kept.")."""

    active: bool = False
    paused: bool = False
    login: bool = False
    undo_why_not: str = "Nothing is recorded yet"
    message: str = ""


class LogLineKind(StrEnum):
    """The origin of a line of the log: done on the device, said by it, news of the connection, a problem."""

    DONE = "done"
    SAID = "said"
    NEWS = "news"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class LogLine:
    """`time` in seconds since 1970; `words` in one line, `detail` the whole of it."""

    time: float
    kind: LogLineKind
    words: str
    detail: str = ""
