"""What a checkpoint is tuned on: one lesson an episode for goals, one a step for agents. Lessons are named and counted
before; what they hold is read when they are learned from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from stepscope.app.services.evaluation import EvaluationRequest, selection, unfit
from stepscope.core.domain.action import Action, AskUser
from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import task_kind
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.core.evaluation.tasks.kind import WHOLE_EPISODE, Item, Setting
from stepscope.core.frozen import dataclass
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
Goals = Literal["full", "ambiguous"]
Mixture = tuple[Goals, ...]
"""Which goals an agent that asks is taught: `full`, those that say all, be it that the whole goal of an ambiguous
episode takes its place and nothing is asked; `ambiguous`, those that leave something out, as they are. Without any word
every episode is taught once, as it is. Source: Navi-plus, section 4 (full and ambiguous tasks together)."""
MIXTURES: tuple[Goals, ...] = ("full", "ambiguous")


@dataclass(frozen=True, slots=True)
class TuningData:
    """A data set with a whole index in the store."""

    source: Source
    source_id: int


@dataclass(frozen=True, slots=True)
class Taught:
    """What is learned: the task, how the model is asked, which episodes are chosen, and which of their goals."""

    task: Task
    settings: GoalSettings | AskingSettings
    split: str = ""
    limit: int | None = None
    query: Query = EVERYTHING
    mixture: Mixture = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """An episode, or one of its steps; `answered`: as it goes on once the person has answered what was asked there;
    `whole`: with the goal as it was before something was left out of it."""

    data: TuningData
    unit: str
    step: int = WHOLE_EPISODE
    answered: bool = False
    whole: bool = False

    @property
    def name(self) -> str:
        if self.step == WHOLE_EPISODE:
            return self.unit
        how = ", whole goal" if self.whole else ", answered" if self.answered else ""
        return f"{self.unit}, step {self.step + 1}{how}"


@dataclass(frozen=True, slots=True)
class Lessons:
    """All lessons in the order of the data; `left_out` chosen episodes have none."""

    lessons: tuple[Lesson, ...]
    left_out: int


def mixture_of(words: str) -> Mixture:
    """The mixture of words with commas between them, "" none. Raises UsageError for other words."""
    named = tuple(dict.fromkeys(word.strip() for word in words.split(",") if word.strip()))
    unknown = [word for word in named if word not in MIXTURES]
    if unknown:
        raise UsageError(
            f"A mixture has no {unknown[0]!r}.", hint=f"Give {' or '.join(MIXTURES)}, or both with a comma."
        )
    return tuple(word for word in MIXTURES if word in named)


def check_mixture(mixture: Mixture, task: Task) -> None:
    """Raises UsageError for a task without questions."""
    if mixture and task is not Task.ASK:
        hint = "Tune local:NAME#ask, or leave the mixture out."
        raise UsageError("Full and ambiguous goals are mixed for agents that ask only.", hint=hint)


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
    answered: dict[int, tuple[str, str]] = {}
    for one in _items(lesson.data, lesson.unit, taught):
        if one.key.step == lesson.step:
            item = one
            break
        assert isinstance(one.request, StepRequest)
        if _is_due(one, taught) and one.request.reply is not None:
            answered[one.key.step] = one.request.reply
    request, action = _asked(item, taught.task, lesson, answered)
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
    answered. Of an ambiguous episode also, or only, those with its whole goal, as the mixture says. An episode that
    cannot be read has none."""
    try:
        items = [(item.key.step, _is_due(item, taught), _recorded(item, taught.task) is not None)
                 for item in _items(data, unit, taught)]  # fmt: skip
        whole = _whole_goal(data, unit) if taught.mixture else ""
    except UserError:
        return []
    ambiguous = bool(whole) or any(due for _, due, _ in items)
    found: list[Lesson] = []
    if not taught.mixture or ("ambiguous" if ambiguous else "full") in taught.mixture:
        for step, due, acts in items:
            found += [Lesson(data, unit, step)] if due or acts else []
            found += [Lesson(data, unit, step, answered=True)] if due and acts else []
    if whole and "full" in taught.mixture:
        found += [Lesson(data, unit, step, whole=True) for step, _, acts in items if acts]
    return found


def _is_due(item: Item, taught: Taught) -> bool:
    return taught.task is Task.ASK and bool(item.material.now)


def _whole_goal(data: TuningData, unit: str) -> str:
    """The goal as it was before something was left out of it, "" where nothing was. Raises UserError."""
    return (data.source.read(unit).original_goal or "").strip()


def _recorded(item: Item, task: Task) -> object:
    """The action that was recorded at the step, but a question."""
    step = item.material.reference if task is Task.ASK else item.material
    return None if step is None or isinstance(step.action, AskUser) else step.action


def _asked(
    item: Item, task: Task, lesson: Lesson, answered: Mapping[int, tuple[str, str]]
) -> tuple[StepRequest, Action]:
    """The request, and the action that is right. `answered`: what was asked and answered at the steps before, which
    stays in the context as in a run that asks when it is due (Navi-plus, section 2.3)."""
    assert isinstance(item.request, StepRequest)
    if task is Task.AUTOMATION:
        return item.request, item.material.action
    alone = replace(item.request, reply=None)
    if lesson.whole:
        return replace(alone, goal=_whole_goal(lesson.data, lesson.unit)), item.material.reference.action
    due = item.material.due
    told = tuple(reply for step, reply in answered.items() if step != due)
    known = lesson.answered or (due is not None and due < item.key.step)
    request = replace(item.request if known else alone, told=told)
    if item.material.now and not lesson.answered:
        return request, AskUser(item.material.question)
    return request, item.material.reference.action
