"""Models behind servers by name, for each task: `served:SERVER/MODEL#automation?adapter=ui-tars-1.5`.

Without a task the model is asked for goals, as it always was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stepscope.core.domain.model_name import split_name, with_settings
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ModelInfo, Predictor
from stepscope.core.scoring.options import checked
from stepscope.core.scoring.rule import Option
from stepscope.models.agents.predictor import AgentPredictor, model_version
from stepscope.models.agents.settings import AskingSettings, asking_settings
from stepscope.models.chat import predictor as goals
from stepscope.models.chat.chat import ServedChat
from stepscope.models.chat.servers import ChatServer

MARK = "#"
TASKS = (Task.GOAL, Task.AUTOMATION)
"""What a model behind a server can be asked about; the first where its name does not say."""


@dataclass(frozen=True, slots=True)
class ServedName:
    """A name taken apart. `settings` and `offered` are those of an agent, for task automation."""

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
            return plain
        values = self.settings.values
        changed = {one.name: values[one.name] for one in self.offered if values[one.name] != one.default}
        return with_settings(f"{plain}{MARK}{self.task}", changed)


def served_name(name: str) -> ServedName:
    """What the name says. Raises UsageError for a server that was not added, and for settings that cannot be."""
    plain, given = split_name(name)
    place, mark, word = plain.partition(MARK)
    task = _task(word if mark else TASKS[0].value, place)
    server, model = goals.server_and_model(place)
    if task is Task.GOAL:
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
    if found.settings is None:
        return goals.info_of(found.server, found.model)
    settings, server = found.settings, found.server
    return ModelInfo(
        name=found.name,
        title=f"{found.model} at {server.name} · {settings.words}",
        task=found.task,
        description="Asks a model behind a server that was added here for the next action, in the words that its "
        "adapter says." + ("" if server.pictures else " This one is told the screen's elements in words only."),
        source=f"{settings.adapter.source}; prompt of this project",
        runtime="service",
        stand_in=False,
        inputs=("screens", "history") if server.pictures else ("tree", "history"),
        batches=True,
        version=model_version(settings.adapter),
        weights_from=f"the server {server.name}, {server.url}",
        settings=found.offered,
        past_screens=settings.screens if server.pictures else 0,
    )


def load(name: str, *, seed: int = 0, device: str = "auto") -> Predictor[Any]:
    """Raises as `served_name`. Seed and device are the server's own matter."""
    found = served_name(name)
    if found.settings is None:
        return goals.ServedGoals(found.server, found.model)
    info = info_of(name)
    looks = "pictures" if found.server.pictures else "words"
    return AgentPredictor(
        info,
        ServedChat(found.server, found.model),
        found.settings,
        parallel=found.server.parallel,
        pictures=found.server.pictures,
        fingerprint=f"{info.name} {found.server.url}; {info.version}, {looks}",
    )


def _task(word: str, plain: str) -> Task:
    if word not in TASKS:
        hint = f"Give {', '.join(TASKS)}."
        raise UsageError(f"{plain} cannot be asked about {word!r}.", hint=hint)
    return Task(word)
