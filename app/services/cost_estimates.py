"""What a run will take, told before it begins: from the newest run of the same model, else for an agent from the
question that it would be asked first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from stepscope.app.services.question_size import QuestionSize, question_size
from stepscope.app.services.run_costs import money, price_of
from stepscope.core.domain.model_name import is_asked
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.core.frozen import dataclass
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls
from stepscope.models.agents import asked
from stepscope.models.agents.question import question
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.goal.asking import GoalSettings, goal_question

_TRAJECTORIES = 3
"""So many are looked at to tell how large a question for a goal is (ours)."""


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """`seconds`, tokens and `cost` of all items, None where nothing tells. `source` in words is what it is made of."""

    source: str
    seconds: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    currency: str = ""

    @property
    def words(self) -> str:
        """In one line, without the time; "" where no tokens are known."""
        if self.tokens_in is None:
            return ""
        read = f"about {_rounded(self.tokens_in)} tokens in"
        wrote = "" if self.tokens_out is None else f", {_rounded(self.tokens_out)} out"
        paid = "" if self.cost is None else f", {money(self.cost, self.currency)}"
        return f"{read}{wrote}{paid} ({self.source})"


def estimate(
    database: Database, source: Source, task: Task, model: str, episodes: Sequence[str], items: int | None
) -> CostEstimate | None:
    """What `model` would take over so many items; None where nothing is known, and for models that cost no tokens."""
    if not items or not is_asked(model):
        return None
    return _as_before(database, task, model, items) or _by_question(source, task, model, episodes, items)


def _as_before(database: Database, task: Task, model: str, items: int) -> CostEstimate | None:
    """By the newest run of this very model for the task that asked anything."""
    with database.reading() as db:
        runs = [one.run for one in queries.run_list(db, task=task) if one.run.spec.model == model]
        for run in runs:
            found = model_calls.totals(db, run.id)
            fresh = found.calls - found.remembered
            if not found.items or fresh < 1 or found.tokens_in is None:
                continue
            share = items / found.items
            read, wrote = round(share * found.tokens_in), round(share * (found.tokens_out or 0))
            price = price_of(model)
            return CostEstimate(
                f"as in run {run.id}",
                share * run.worked_s if run.worked_s and not found.remembered else None,
                read,
                wrote,
                None if price is None else price.of(read, wrote),
                "" if price is None else price.currency,
            )
    return None


def _by_question(source: Source, task: Task, model: str, episodes: Sequence[str], items: int) -> CostEstimate | None:
    """By the first questions that it would be asked; what it answers is not known."""
    try:
        found = asked.asked_model(model)
        sizes = [*_sizes(found, source, task, episodes)]
    except UserError:
        return None
    if not sizes:
        return None
    size = reduce(QuestionSize.plus, sizes).times(items / len(sizes))
    price = price_of(model)
    several = "its first question" if len(sizes) == 1 else f"{len(sizes)} of its questions"
    again = "; what runs again once it asks comes on top" if task is Task.ASK else ""
    pictures = f"{_rounded(size.pictures)} pictures; " if size.pictures and task is Task.GOAL else ""
    return CostEstimate(
        f"{pictures}by {several}; the answers are not known{again}", None, size.tokens, None,
        None if price is None else price.of(size.tokens, 0), "" if price is None else price.currency,
    )  # fmt: skip


def _sizes(found: asked.AskedModel, source: Source, task: Task, episodes: Sequence[str]) -> Iterator[QuestionSize]:
    """Of the first question of an agent; of goals of some trajectories, evenly out of all."""
    settings = found.settings
    if isinstance(settings, GoalSettings) and task is Task.GOAL:
        spread = {round(place * (len(episodes) - 1) / (_TRAJECTORIES - 1)) for place in range(_TRAJECTORIES)}
        for place in sorted(spread):
            messages = goal_question(goal_request(source.read(episodes[place])), settings).messages
            yield QuestionSize() if messages is None else question_size(messages)
    elif isinstance(settings, AskingSettings):
        item = next(task_kind(task).items(source, episodes[0], Setting(past_screens=settings.screens)), None)
        if item is None or not isinstance(item.request, StepRequest):
            return
        request = replace(item.request, reply=None)
        put = question(request, settings, pictures=found.sees)
        size = question_size(put.messages)
        if task is Task.ASK and settings.streams != "two" and request.whole not in (None, request.goal):
            size = size.times(2)  # it is told the whole goal at every step, too
        past = settings.screens if found.sees and task is Task.AUTOMATION else 0
        yield size.plus(QuestionSize(0, past, past * put.sent.width * put.sent.height))


def _rounded(tokens: int) -> str:
    """Digits that count: 340, 1,200, 48 thousand, 3.1 million."""
    if tokens >= 1_000_000:
        return f"{tokens / 1_000_000:,.1f} million"
    if tokens >= 10_000:
        return f"{tokens / 1_000:,.0f} thousand"
    return f"{round(tokens, -2) if tokens >= 1_000 else tokens:,}"
