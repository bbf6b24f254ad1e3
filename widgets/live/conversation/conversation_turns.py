"""What a conversation shows, as frozen values. Nothing here knows whether it is read from a file or happens now."""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.frozen import dataclass


class TurnKind(StrEnum):
    """`GOAL` and `SAY` are the person's, `ASK` is the agent's question, `ACTION` something done, `NEWS` what the
    workbench says of it ("You took over")."""

    GOAL = "goal"
    SAY = "say"
    ASK = "ask"
    ACTION = "action"
    NEWS = "news"

    @property
    def bubble(self) -> bool:
        return self in (TurnKind.GOAL, TurnKind.SAY, TurnKind.ASK)


class Origin(StrEnum):
    """Whether a turn is of the data, answered by a program in a person's stead, or happens now."""

    RECORDED = "recorded"
    SIMULATED = "simulated"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Turn:
    """`who` speaks ("You", "Northstar 7B"); `time` in seconds since the start; `icon` names an action's icon; `run` is
    the place of the run's letter whose colour it has, None for the recording; `step` is where a click leads, None for
    nowhere; `waiting`: a question nobody has answered yet."""

    kind: TurnKind
    text: str
    who: str = ""
    time: float | None = None
    origin: Origin = Origin.LIVE
    icon: str = ""
    run: int | None = None
    step: int | None = None
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class AnswerSuggestion:
    """An answer that was found on the screen; the first nine have number keys. `tip` says which element it is."""

    text: str
    tip: str = ""


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question that waits for the person: `offers` to answer with, below their `title`; `changes` are (name, value)
    rows of what the answer changes, below `about`. `note` stands beside the answer button and says where the answer
    goes. `of_agent`: an agent is at work and waits, so that it can be told to decide, to hand over or to give up.
    `from_data` is the answer that the data has, "" where it has none; key 0 gives it."""

    offers: tuple[AnswerSuggestion, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    note: str = "SAY: goes to the agent and into the recording"
    of_agent: bool = True
    title: str = "Answers found on the screen"
    from_data: str = ""
    about: str = "What the answer changes"
