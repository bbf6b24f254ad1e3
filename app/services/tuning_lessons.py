"""What a checkpoint is tuned on: one lesson an episode for goals, one a step for agents. Lessons are named and counted
before; what they hold is read when they are learned from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepscope.app.services.evaluation import EvaluationRequest, selection, unfit
from stepscope.core.domain.action import Action, AskUser
from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import task_kind
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.core.evaluation.tasks.kind import WHOLE_EPISODE, Item, Setting
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.checkpoints.lora_settings import TuningExample
from stepscope.models.goal.asking import GoalSettings, goal_question, solved

if TYPE_CHECKING:
    from stepscope.models.agents import lessons as agent_lessons
else:
    agent_lessons = lazy_module("stepscope.models.agents.lessons")

LEARNED = (Task.GOAL, Task.AUTOMATION, Task.ASK)
"""Tasks that a checkpoint can be tuned for."""
HINT = "Choose other data, another split or filter."


@dataclass(frozen=True, slots=True)
class TuningData:
    """A data set with a whole index in the store."""

    source: Source
    source_id: int


@dataclass(frozen=True, slots=True)
class Taught:
    """What is learned: the task, how the model is asked, and which episodes are chosen."""

    task: Task
    settings: GoalSettings | AskingSettings
    split: str = ""
    limit: int | None = None
    query: Query = EVERYTHING


@dataclass(frozen=True, slots=True)
class Lesson:
    """An episode, or one of its steps; `answered`: as it goes on once the person has answered what was asked there."""

    data: TuningData
    unit: str
    step: int = WHOLE_EPISODE
    answered: bool = False

    @property
    def name(self) -> str:
        if self.step == WHOLE_EPISODE:
            return self.unit
        return f"{self.unit}, step {self.step + 1}{', answered' if self.answered else ''}"


@dataclass(frozen=True, slots=True)
class Lessons:
    """All lessons in the order of the data; `left_out` chosen episodes have none."""

    lessons: tuple[Lesson, ...]
    left_out: int


def lessons(
    database: Database, data: Sequence[TuningData], taught: Taught, token: CancelToken
) -> Iterator[Progress | Lessons]:
    """How far reading is, and last the lessons; nothing last where it was cancelled. Raises UsageError for data that
    has nothing of what is to be learned."""
    found: list[Lesson] = []
    left_out = 0
    for count, one in enumerate(data, start=1):
        units = _chosen(database, one, taught)
        if taught.task is Task.GOAL:
            with database.reading() as db:
                goals = {row.id: row.goal for row in sources.summaries(db, one.source_id, units)}
            kept = [Lesson(one, unit) for unit in units if goals.get(unit, "").strip()]
            left_out += len(units) - len(kept)
            found += kept
            yield Progress(count, len(data))
            continue
        for place, unit in enumerate(units, start=1):
            if token.cancelled:
                return
            steps = _of_steps(one, unit, taught)
            left_out += not steps
            found += steps
            yield Progress(place, len(units))
    yield Lessons(tuple(found), left_out)


def example_of(lesson: Lesson, taught: Taught) -> TuningExample:
    """Reads what is learned from. Raises UserError for what cannot be told."""
    if isinstance(taught.settings, GoalSettings):
        episode = lesson.data.source.read(lesson.unit)
        question = goal_question(goal_request(episode), taught.settings)
        if question.messages is None:
            raise UserError(question.why)
        return TuningExample(lesson.name, question.messages, solved(episode, taught.settings.prompt))
    item = next(one for one in _items(lesson.data, lesson.unit, taught) if one.key.step == lesson.step)
    request, action = _asked(item, taught.task, lesson.answered)
    return agent_lessons.agent_lesson(lesson.name, request, action, taught.settings)


def _chosen(database: Database, data: TuningData, taught: Taught) -> tuple[str, ...]:
    wanted = EvaluationRequest(model="", task=taught.task, split=taught.split, limit=taught.limit, query=taught.query)
    units = selection(database, data.source_id, wanted)
    fits = Task.AUTOMATION if taught.task is Task.ASK else taught.task  # whole goals are learned from beside others
    if why := unfit(database, data.source_id, fits, units):
        raise UsageError(why, place=data.source.path, hint=HINT)
    return units


def _items(data: TuningData, unit: str, taught: Taught) -> Iterator[Item]:
    settings = taught.settings
    screens = settings.screens if isinstance(settings, AskingSettings) and taught.task is Task.AUTOMATION else 0
    return task_kind(taught.task).items(data.source, unit, Setting(past_screens=screens))


def _of_steps(data: TuningData, unit: str, taught: Taught) -> list[Lesson]:
    """A lesson for each step with an action; where a question is due one for it, and one for the step once it is
    answered. An episode that cannot be read has none."""
    found: list[Lesson] = []
    try:
        for item in _items(data, unit, taught):
            due = taught.task is Task.ASK and item.material.now
            acts = _recorded(item, taught.task) is not None
            found += [Lesson(data, unit, item.key.step)] if due or acts else []
            found += [Lesson(data, unit, item.key.step, answered=True)] if due and acts else []
    except UserError:
        return []
    return found


def _recorded(item: Item, task: Task) -> object:
    """The action that was recorded at the step, but a question."""
    step = item.material.reference if task is Task.ASK else item.material
    return None if step is None or isinstance(step.action, AskUser) else step.action


def _asked(item: Item, task: Task, answered: bool) -> tuple[StepRequest, Action]:
    """The request, and the action that is right."""
    assert isinstance(item.request, StepRequest)
    if task is Task.AUTOMATION:
        return item.request, item.material.action
    request = item.request if answered else replace(item.request, reply=None)
    if item.material.now and not answered:
        return request, AskUser(item.material.question)
    return request, item.material.reference.action
