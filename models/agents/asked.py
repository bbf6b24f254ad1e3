"""Models that are asked in words and pictures, by name and for each task: `served:SERVER/MODEL#automation?screens=4`
behind a server, `local:CHECKPOINT#automation` out of a folder.

Without a task the model is asked for goals, as it always was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from stepscope.core.domain.model_name import (
    INSTRUCTIONS,
    LOCAL,
    SERVED,
    TASK_MARK,
    is_asked,
    split_name,
    with_settings,
)
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ModelInfo, Predictor
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.options import checked
from stepscope.models.agents.predictor import (
    AgentPredictor,
    AskingPredictor,
    PointingPredictor,
    WholePredictor,
    model_version,
)
from stepscope.models.agents.settings import AskingSettings, asking_settings
from stepscope.models.agents.whole_questions import (
    FEASIBILITY_VERSION,
    ORDER_VERSION,
    WholeQuestion,
    feasibility_question,
    order_question,
)
from stepscope.models.chat import servers
from stepscope.models.chat.chat import ServedChat
from stepscope.models.chat.redaction_rules import mark
from stepscope.models.chat.servers import ChatServer, server_and_model
from stepscope.models.checkpoints import checkpoint as checkpoints
from stepscope.models.checkpoints import snapshots
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.goal.asking import GoalSettings, goal_question, goal_settings

if TYPE_CHECKING:
    from stepscope.models.checkpoints import generation
else:
    generation = lazy_module("stepscope.models.checkpoints.generation")

TASKS = (Task.GOAL, Task.AUTOMATION, Task.FEASIBILITY, Task.ORDERING, Task.ASK, Task.GROUNDING)
"""What such a model can be asked about; the first where its name does not say."""
AGENT_TASKS = (Task.AUTOMATION, Task.ASK, Task.GROUNDING)


@dataclass(frozen=True, slots=True)
class AskedModel:
    """A name taken apart. `origin` is the server, or the checkpoint, whose `model` it is. `settings` and `offered` are
    those of an agent, or of how it is asked for a goal."""

    origin: ChatServer | Checkpoint
    model: str
    task: Task
    settings: AskingSettings | GoalSettings | None = None
    offered: tuple[Option, ...] = ()

    @property
    def plain(self) -> str:
        """The name without task and settings."""
        if isinstance(self.origin, Checkpoint):
            return f"{LOCAL}{self.origin.name}"
        return f"{SERVED}{self.origin.name}/{self.model}"

    @property
    def name(self) -> str:
        """The name as it is written, with what is set other than usual."""
        named = self.plain if self.task is TASKS[0] else f"{self.plain}{TASK_MARK}{self.task}"
        if self.settings is None:
            return named
        values = self.settings.values
        changed = {one.name: values[one.name] for one in self.offered if values[one.name] != one.default}
        return with_settings(named, changed)

    @property
    def sees(self) -> bool:
        """Whether it is shown pictures."""
        return isinstance(self.origin, Checkpoint) or self.origin.pictures


def asked_model(name: str) -> AskedModel:
    """What the name says. Raises UsageError for a server or checkpoint that was not added, and for settings that cannot
    be."""
    plain, given = split_name(name)
    place, mark, word = plain.partition(TASK_MARK)
    task = _task(word if mark else TASKS[0].value, place)
    origin: ChatServer | Checkpoint
    if place.startswith(LOCAL):
        origin = snapshots.find(place.removeprefix(LOCAL))
        model, usual = snapshots.base_name(origin.name), origin.adapter
    else:
        origin, model = server_and_model(place)
        usual = origin.adapter
    if task in AGENT_TASKS:
        settings, offered = asking_settings(plain, model, given, usual, asks=task is Task.ASK)
        return AskedModel(origin, model, task, _for_agents_of(task, settings), offered)
    if task is Task.GOAL:
        sees = AskedModel(origin, model, task).sees
        return AskedModel(origin, model, task, *goal_settings(plain, given, sees=sees))
    checked(plain, (), given)  # raises: nothing of it can be set
    return AskedModel(origin, model, task)


def asked_checkpoint(origin: Checkpoint, task: Task = Task.AUTOMATION) -> AskedModel:
    """A checkpoint that need not have been added, as an agent with its usual settings. Raises UsageError for an adapter
    that there is not."""
    settings, offered = asking_settings(origin.name, origin.name, {}, origin.adapter, asks=task is Task.ASK)
    return AskedModel(origin, origin.name, task, _for_agents_of(task, settings), offered)


def asked_server(origin: ChatServer, model: str, task: Task = Task.AUTOMATION) -> AskedModel:
    """The same of a model behind a server that need not have been added."""
    settings, offered = asking_settings(origin.name, model, {}, origin.adapter, asks=task is Task.ASK)
    return AskedModel(origin, model, task, _for_agents_of(task, settings), offered)


def settings_of(name: str) -> AskingSettings | None:
    """How an agent of this name is asked and read, whether or not its server or checkpoint is still here; None for a
    name that is no agent's. Raises as `asking_settings`."""
    plain, given = split_name(name)
    given.pop(INSTRUCTIONS, None)
    place, _, task = plain.partition(TASK_MARK)
    if not is_asked(plain) or task not in AGENT_TASKS:
        return None
    if place.startswith(LOCAL):
        model = snapshots.base_name(place.removeprefix(LOCAL))
        own = [one.adapter for one in checkpoints.load() if one.name == model]
    else:
        server, _, model = place.removeprefix(SERVED).partition("/")
        own = [one.adapter for one in servers.load() if one.name == server]
    return _for_agents_of(
        Task(task), asking_settings(plain, model, given, own[0] if own else "", asks=task == Task.ASK)[0]
    )


def for_task(name: str, task: Task) -> str:
    """The name of the same model as it is asked about this task; one that says its task, or cannot be asked, is as it
    was."""
    plain, given = split_name(name)
    if not is_asked(plain) or TASK_MARK in plain or task not in TASKS[1:]:
        return name
    return with_settings(f"{plain}{TASK_MARK}{task}", given)


def info_of(name: str) -> ModelInfo:
    """What such a model is called, needs and comes from; made from the settings alone, nothing is asked or loaded.
    Raises as `asked_model`."""
    return info_of_model(asked_model(name))


def info_of_model(found: AskedModel) -> ModelInfo:
    """The same of a name taken apart; what a person's rules keep from being sent is part of the version."""
    info = _info(found)
    return replace(info, version=f"{info.version}{mark()}")


def _info(found: AskedModel) -> ModelInfo:
    usual = _usual(found)
    if isinstance(found.settings, AskingSettings):
        return _agent_info(usual, found, found.settings)
    if isinstance(found.settings, GoalSettings):
        return _goal_info(usual, found, found.settings)
    whole = _WHOLE[found.task]
    return replace(
        usual, name=found.name, task=found.task, description=whole.description, source=whole.source,
        version=whole.version,
    )  # fmt: skip


def load(name: str, *, seed: int = 0, device: str = "auto") -> Predictor[Any]:
    """Raises as `asked_model`, and for a checkpoint what loading it raises. The seed matters to none: answers are
    greedy. A server's device is its own matter."""
    return load_model(asked_model(name), device)


def load_model(found: AskedModel, device: str = "auto", key: str | None = None) -> Predictor[Any]:
    """The same of a name taken apart. `key` goes to a server in place of the one that is kept for it, "" none."""
    info = _info(found)
    more: dict[str, Any] = {"pictures": found.sees}
    chat: Any
    if isinstance(found.origin, Checkpoint):
        chat = generation.LoadedCheckpoint(found.origin, device)
        more |= {
            "parallel": found.origin.batch,
            "fingerprint": f"{info.name}; {info.version}; {chat.facts.digest} {chat.dtype} {chat.device.kind}",
            "weight_files": chat.facts.files,
        }
    else:
        chat = ServedChat(found.origin, found.model, key=None if key is None else lambda: key or None)
        looks = "pictures" if found.sees else "words"
        more |= {
            "parallel": found.origin.parallel,
            "fingerprint": f"{info.name} {found.origin.url}; {info.version}, {looks}",
        }
    if isinstance(found.settings, GoalSettings):
        return goal_predictor(info, chat, found.settings, **more)
    if found.settings is None:
        return WholePredictor(info, chat, partial(_WHOLE[found.task].ask, pictures=found.sees), **more)
    return _AGENTS[found.task](info, chat, found.settings, **more)


def goal_predictor(info: ModelInfo, chat: Any, settings: GoalSettings, **more: Any) -> WholePredictor:
    """What asks for goals; `more` as for every predictor that asks."""
    return WholePredictor(info, chat, partial(goal_question, settings=settings), tokens=settings.tokens, **more)


def _usual(found: AskedModel) -> ModelInfo:
    """What is true of the model whatever it is asked."""
    if isinstance(found.origin, ChatServer):
        server = found.origin
        return ModelInfo(
            name=found.plain,
            title=f"{found.model} at {server.name}",
            task=found.task,
            description="",
            source="",
            runtime="service",
            stand_in=False,
            inputs=("screens", "tree", "history") if server.pictures else ("tree", "history"),
            batches=True,
            weights_from=f"the server {server.name}, {server.url}",
        )
    folder = Path(found.origin.folder)
    here = (folder / "config.json").is_file()
    return ModelInfo(
        name=found.plain,
        title=found.origin.name,
        task=found.task,
        description="",
        source="",
        runtime="torch",
        weights="present" if here else "absent",
        stand_in=False,
        inputs=("screens", "history"),
        batches=True,
        weights_from=str(folder) if here else f"{folder} is not there any more.",
        devices=("cpu", "cuda"),
    )


def _agent_info(usual: ModelInfo, found: AskedModel, settings: AskingSettings) -> ModelInfo:
    what = _WANTED[found.task]
    blind = "" if found.sees else " This one is told the screen's elements in words only."
    return replace(
        usual,
        name=found.name,
        title=f"{usual.title} · {settings.words}",
        task=found.task,
        description=f"Asks a model that was added here for {what} in the words that its adapter says.{blind}",
        source=f"{settings.adapter.source}; prompt of this project",
        inputs=("screens", "history") if found.sees else ("tree", "history"),
        version=model_version(settings.adapter),
        settings=found.offered,
        own_history=settings.history == "predicted" and found.task is not Task.GROUNDING,
        asks_again=_AGAIN[settings.streams] if found.task is Task.ASK else "",
        reads_reply=True,
        past_screens=settings.screens if found.sees and found.task is Task.AUTOMATION else 0,
    )


def _goal_info(usual: ModelInfo, found: AskedModel, settings: GoalSettings) -> ModelInfo:
    blind = "" if found.sees else " This one is told the steps in words only."
    return replace(
        usual,
        name=found.name,
        title=f"{usual.title} · {settings.words}" if settings.words else usual.title,
        task=found.task,
        description="Asks a model that was added here for the goal behind a trajectory, in the words of a prompt's "
        f"file, from the screens with the actions drawn on them.{blind}",
        source="Berkovitch et al. 2024: screens with the action drawn, the answer after every step; prompt of this "
        "project",
        version=settings.version,
        settings=found.offered,
    )


_AGENTS = {Task.AUTOMATION: AgentPredictor, Task.ASK: AskingPredictor, Task.GROUNDING: PointingPredictor}
_AGAIN: dict[str, Literal["asked", "always"]] = {"two": "asked", "all": "asked", "paper": "always"}
_WANTED = {
    Task.AUTOMATION: "the next action,",
    Task.ASK: "the next action, or for a question,",
    Task.GROUNDING: "the place of what an expression means,",
}


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
        "Asks a model that was added here whether the goal can be reached, from what was done and the screens with the "
        "actions drawn on them.",
        "MoTIF (Burns et al. 2022), section 4: the task; prompt of this project",
    ),
    Task.ORDERING: _WholeTask(
        order_question,
        ORDER_VERSION,
        "Asks a model that was added here for the order of the steps, from their texts and pictures.",
        "Wu et al. 2022, section 5.1: the task; prompt of this project",
    ),
}


def _for_agents_of(task: Task, settings: AskingSettings) -> AskingSettings:
    """The settings as they are for this task: who may ask is told so."""
    return replace(settings, adapter=settings.adapter.asking) if task is Task.ASK else settings


def _task(word: str, plain: str) -> Task:
    if word not in TASKS:
        hint = f"Give {', '.join(TASKS)}."
        raise UsageError(f"{plain} cannot be asked about {word!r}.", hint=hint)
    return Task(word)
