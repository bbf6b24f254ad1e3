"""What a run will take, told before it begins: from the newest run of the same model, else for an agent from the
question that it would be asked first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.app.services.run_costs import money, price_of
from stepscope.core.domain.model_name import is_asked
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls
from stepscope.models.agents import asked
from stepscope.models.agents.question import question

LETTERS = 4
"""Letters of a token (ours, for English)."""
PATCH = 28 * 28
"""Pixels of a token of a picture: Qwen2-VL's and Qwen2.5-VL's; of other families another number (ours)."""


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
    """By the first question that an agent would be asked; what it answers is not known."""
    settings = asked.settings_of(model)
    if settings is None:
        return None
    try:
        found = asked.asked_model(model)
        item = next(task_kind(task).items(source, episodes[0], Setting(past_screens=settings.screens)), None)
        if item is None or not isinstance(item.request, StepRequest):
            return None
        put = question(item.request, settings, pictures=found.sees)
    except UserError:
        return None
    letters = sum(len(str(part.get("text", ""))) for message in put.messages for part in _parts(message["content"]))
    pictures = sum(part.get("type") == "image_url" for message in put.messages for part in _parts(message["content"]))
    pictures += settings.screens if found.sees and task is Task.AUTOMATION else 0
    read = items * round(letters / LETTERS + pictures * put.sent.width * put.sent.height / PATCH)
    price = price_of(model)
    return CostEstimate(
        "by its first question; the answers are not known", None, read, None,
        None if price is None else price.of(read, 0), "" if price is None else price.currency,
    )  # fmt: skip


def _parts(content: object) -> list[dict[str, object]]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _rounded(tokens: int) -> str:
    """Digits that count: 340, 1,200, 48 thousand, 3.1 million."""
    if tokens >= 1_000_000:
        return f"{tokens / 1_000_000:,.1f} million"
    if tokens >= 10_000:
        return f"{tokens / 1_000:,.0f} thousand"
    return f"{round(tokens, -2) if tokens >= 1_000 else tokens:,}"
