"""Models behind servers by name, for each task: `served:SERVER/MODEL#automation?adapter=ui-tars-1.5`.

Without a task the model is asked for goals, as it always was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from stepscope.core.domain.model_name import split_name, with_settings
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ModelInfo, Predictor
from stepscope.core.scoring.options import checked
from stepscope.core.scoring.rule import Option
from stepscope.models.agents.predictor import AgentPredictor, AskingPredictor, WholePredictor, model_version
from stepscope.models.agents.settings import AskingSettings, asking_settings
from stepscope.models.agents.whole_questions import (
    FEASIBILITY_VERSION,
    ORDER_VERSION,
    WholeQuestion,
    feasibility_question,
    order_question,
)
from stepscope.models.chat import predictor as goals
from stepscope.models.chat.chat import ServedChat
from stepscope.models.chat.servers import ChatServer

MARK = "#"
TASKS = (Task.GOAL, Task.AUTOMATION, Task.FEASIBILITY, Task.ORDERING, Task.ASK)
AGENT_TASKS = (Task.AUTOMATION, Task.ASK)
"""What a model behind a server can be asked about; the first where its name does not say."""


@dataclass(frozen=True, slots=True)
class ServedName:
    """A name taken apart. `settings` and `offered` are those of an agent, for automation and asking."""

    server: ChatServer
    model: str
    task: Task
    settings: AskingSettings | None = None
    offered: tuple[Option, ...] = ()

    @property
    def name(self) -> str:
        """The name as it is written, with what is set other than usual."""
        plain = f"{goals.PREFIX}{self.server.name}/{self.model}"
        if self.settings is None:
            return plain if self.task is TASKS[0] else f"{plain}{MARK}{self.task}"
        values = self.settings.values
        changed = {one.name: values[one.name] for one in self.offered if values[one.name] != one.default}
        return with_settings(f"{plain}{MARK}{self.task}", changed)


def served_name(name: str) -> ServedName:
    """What the name says. Raises UsageError for a server that was not added, and for settings that cannot be."""
    plain, given = split_name(name)
    place, mark, word = plain.partition(MARK)
    task = _task(word if mark else TASKS[0].value, place)
    server, model = goals.server_and_model(place)
    if task not in AGENT_TASKS:
        checked(plain, (), given)  # raises: nothing of it can be set
        return ServedName(server, model, task)
    settings, offered = asking_settings(plain, model, given)
    return ServedName(server, model, task, settings, offered)


def for_task(name: str, task: Task) -> str:
    """The name of the same model as it is asked about this task; one that says its task, or cannot be asked, is as it
    was."""
    plain, given = split_name(name)
    if not plain.startswith(goals.PREFIX) or MARK in plain or task not in TASKS[1:]:
        return name
    return with_settings(f"{plain}{MARK}{task}", given)


def info_of(name: str) -> ModelInfo:
    """What such a model is called, needs and comes from; made from the settings alone, nothing is asked. Raises as
    `served_name`."""
    found = served_name(name)
    usual = goals.info_of(found.server, found.model)
    if found.settings is not None:
        return _agent_info(usual, found, found.settings)
    if found.task is TASKS[0]:
        return usual
    whole = _WHOLE[found.task]
    return replace(
        usual, name=found.name, task=found.task, description=whole.description, source=whole.source,
        version=whole.version,
    )  # fmt: skip


def _agent_info(usual: ModelInfo, found: ServedName, settings: AskingSettings) -> ModelInfo:
    sees = found.server.pictures
    what = "the next action, or for a question," if found.task is Task.ASK else "the next action,"
    return replace(
        usual,
        name=found.name,
        title=f"{usual.title} · {settings.words}",
        task=found.task,
        description=f"Asks a model behind a server that was added here for {what} in the words that its adapter says."
        + ("" if sees else " This one is told the screen's elements in words only."),
        source=f"{settings.adapter.source}; prompt of this project",
        inputs=("screens", "history") if sees else ("tree", "history"),
        version=model_version(settings.adapter),
        settings=found.offered,
        past_screens=settings.screens if sees and found.task is Task.AUTOMATION else 0,
    )


@dataclass(frozen=True, slots=True)
class _WholeTask:
    """A task about a whole episode or procedure: how it is asked, and what is said of it."""

    ask: Callable[..., WholeQuestion]
    version: str
    description: str
    source: str


_WHOLE = {
    Task.FEASIBILITY: _WholeTask(
        feasibility_question,
        FEASIBILITY_VERSION,
        "Asks a model behind a server that was added here whether the goal can be reached, from what was done and the "
        "screens with the actions drawn on them.",
        "MoTIF (Burns et al. 2022), section 4: the task; prompt of this project",
    ),
    Task.ORDERING: _WholeTask(
        order_question,
        ORDER_VERSION,
        "Asks a model behind a server that was added here for the order of the steps, from their texts and pictures.",
        "Wu et al. 2022, section 5.1: the task; prompt of this project",
    ),
}
WHOLE_TOKENS = 1_024
"""The longest answer about a whole episode (ours)."""


def load(name: str, *, seed: int = 0, device: str = "auto") -> Predictor[Any]:
    """Raises as `served_name`. Seed and device are the server's own matter."""
    found = served_name(name)
    if found.task is TASKS[0]:
        return goals.ServedGoals(found.server, found.model)
    info, server, chat = info_of(name), found.server, ServedChat(found.server, found.model)
    looks = "pictures" if server.pictures else "words"
    fingerprint = f"{info.name} {server.url}; {info.version}, {looks}"
    if found.settings is None:
        return WholePredictor(
            info, chat, _WHOLE[found.task].ask, tokens=WHOLE_TOKENS, parallel=server.parallel,
            pictures=server.pictures, fingerprint=fingerprint,
        )  # fmt: skip
    kind = AskingPredictor if found.task is Task.ASK else AgentPredictor
    return kind(info, chat, found.settings, parallel=server.parallel, pictures=server.pictures, fingerprint=fingerprint)


def _task(word: str, plain: str) -> Task:
    if word not in TASKS:
        hint = f"Give {', '.join(TASKS)}."
        raise UsageError(f"{plain} cannot be asked about {word!r}.", hint=hint)
    return Task(word)
