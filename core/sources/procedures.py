"""Procedures and episodes made of each other: steps in words, each with its pictures.

A procedure is shown as an episode without actions; an episode whose steps have words is a procedure whose order can be
asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Type,
    Wait,
    action_target,
)
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.procedure import LEAST_STEPS, Procedure, ProcedureStep
from stepscope.core.domain.step_summary import step_summaries
from stepscope.core.errors import UsageError
from stepscope.core.sources.source import ProcedureSource, Source

PAGE = Size(640, 360)
"""The frame of a step without a picture: nothing is drawn on it but the step's words (ours)."""

_VERBS: dict[type[Action], str] = {
    Tap: "Tap",
    LongPress: "Long press",
    DoubleTap: "Double tap",
    Hover: "Point at",
    Swipe: "Swipe",
    Scroll: "Scroll",
    Drag: "Drag",
}


def episode_of(procedure: Procedure) -> Episode:
    """The procedure for showing: each step's text as its instruction, its first picture as its screenshot.

    A step without text is told by its title. There are no actions.
    """
    steps = []
    for index, step in enumerate(procedure.steps):
        picture = step.pictures[0] if step.pictures else None
        observation = Observation(picture.size if picture else PAGE, picture)
        steps.append(Step(index, observation, instruction=step.text or step.title))
    return Episode(
        id=procedure.id,
        format=procedure.format,
        platform=Platform.TEXT,
        goal=procedure.goal,
        steps=tuple(steps),
        app=procedure.category,
        splits=procedure.splits,
        problems=procedure.problems,
    )


def row_of(procedure: Procedure, place: str = "", *, checked: bool = True) -> EpisodeSummary:
    """The procedure's index row; `screens` counts the steps that have a picture."""
    return EpisodeSummary(
        id=procedure.id,
        goal=procedure.goal,
        app=procedure.category,
        platform=Platform.TEXT,
        steps=len(procedure.steps),
        screens=sum(bool(step.pictures) for step in procedure.steps),
        actions=(),
        splits=procedure.splits,
        problems=procedure.problems,
        kind="procedure",
        place=place,
        checked=checked,
        details=step_summaries(episode_of(procedure)),
    )


def procedure_of(episode: Episode) -> Procedure:
    """The episode's steps in words, each with the screen that its action was done on.

    A step's words are its instruction, else its action in words without places. Left out are steps that have neither
    and the mark that the task is over: it tells its own place. Raises UsageError when fewer than two steps are left.
    """
    steps = []
    for step in episode.steps:
        words = "" if isinstance(step.action, Finish) else (step.instruction or "").strip() or action_words(step.action)
        if words:
            picture = step.observation.shown
            pictures = (picture,) if picture else ()
            steps.append(ProcedureStep(str(step.index), words, pictures, tree=step.observation.tree))
    if len(steps) < LEAST_STEPS:
        have = "1 of its steps has" if len(steps) == 1 else "none of its steps has"
        raise UsageError(
            f"the episode {episode.id!r} is no procedure: {have} an instruction or an action in words",
            hint="An order needs two such steps.",
        )
    return Procedure(
        id=episode.id,
        format=episode.format,
        goal=episode.goal,
        steps=tuple(steps),
        category=episode.app,
        splits=episode.splits,
        problems=episode.problems,
    )


def read_procedure(source: Source, procedure_id: str, place: str = "") -> Procedure:
    """The procedure of that id out of any source: its own where it holds procedures, else the one its episode makes.

    Raises UsageError when there is none of that id or it has too few steps in words, SourceError when it is unreadable.
    """
    if isinstance(source, ProcedureSource):
        try:
            return source.read_procedure(procedure_id, place)
        except UsageError:
            if isinstance(source, EpisodeProcedureSource):
                raise
    return procedure_of(source.read(procedure_id, place))


class EpisodeProcedureSource:
    """A source of episodes as one of procedures, so that ordering can be asked of any data set.

    Rows are the source's own, none is read for them: `steps` counts the episode's steps, of which its procedure may
    have fewer (see `procedure_of`).
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.format = source.format
        self.path: Path = source.path

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        """The source's rows of episodes as rows of procedures; other rows and problems as they are. Episodes with fewer
        than two steps are none, which is told once."""
        short = 0
        for row in self.source.scan():
            if isinstance(row, EpisodeSummary) and row.kind == "episode":
                if row.steps < LEAST_STEPS:
                    short += 1
                    continue
                yield replace(row, kind="procedure")
            else:
                yield row
        if short:
            count = "1 episode has" if short == 1 else f"{short} episodes have"
            yield Problem(f"{count} fewer than two steps: there is no order to find")

    def read(self, episode_id: str, place: str = "") -> Episode:
        """The procedure for showing; errors as those of `read_procedure`."""
        return episode_of(self.read_procedure(episode_id, place))

    def read_procedure(self, procedure_id: str, place: str = "") -> Procedure:
        """The procedure; UsageError when there is none of that id or it has too few steps in words."""
        return read_procedure(self.source, procedure_id, place)


def action_words(action: Action | None) -> str:
    """What was done, without places on the screen; "" for nothing and for the end of the task."""
    match action:
        case None | Finish():
            return ""
        case Type(text=text):
            return f"Type “{text}”{_named(action, ' into')}"
        case Select(text=text):
            return f"Select “{text}”{_named(action, ' in')}"
        case OpenApp(text=text):
            return f"Open {text}"
        case AskUser(text=text):
            return f"Ask “{text}”"
        case Say(text=text):
            return f"Say “{text}”"
        case PressKey(key=key):
            return f"Press {key}"
        case Wait():
            return "Wait"
        case Swipe(direction=direction) | Scroll(direction=direction):
            return f"{_VERBS[type(action)]} {direction.value}{_named(action, ' on')}"
        case _:
            return f"{_VERBS[type(action)]}{_named(action, '')}"


def _named(action: Action, before: str) -> str:
    """The words for the action's target, "" when the data does not name it."""
    target = action_target(action)
    name = (target.text or (target.id or "").rsplit("/", 1)[-1].replace("_", " ")) if target else ""
    return f"{before} “{name}”" if name else ""
