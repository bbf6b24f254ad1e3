"""How many questions a model is put to make ambiguous tasks, and about what they cost, told before it begins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from stepscope.app.services.ambiguous_tasks import MakingRequest, chosen_episodes, price_of_maker
from stepscope.app.services.cost_estimates import CostEstimate
from stepscope.app.services.question_size import QuestionSize, question_size
from stepscope.core.domain.action import DoubleTap, Hover, LongPress, OpenApp, Select, Swipe, Tap, Type
from stepscope.core.domain.model_name import is_asked
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources
from stepscope.models.ask.making.asked_maker import (
    AskedMakerSettings,
    asks_instruction,
    rewriting_messages,
    step_messages,
)
from stepscope.models.ask.making.named import maker_settings
from stepscope.models.ask.making.step_texts import can_inform, done_steps, instruction_of
from stepscope.models.chat.redaction_rules import redaction_of

_ASKED_ABOUT = frozenset(kind.kind for kind in (Type, Select, OpenApp, Tap, LongPress, DoubleTap, Hover, Swipe))
_LOOKED_AT = 3
"""Episodes whose first questions are looked at to tell how large one is (ours)."""


@dataclass(frozen=True, slots=True)
class MakingEstimate:
    """`questions` at most, as far as the index knows the steps; `cost` of them, None where nothing tells."""

    questions: int
    cost: CostEstimate | None = None


def making_estimate(
    database: Database, source_id: int, source: Source, request: MakingRequest
) -> MakingEstimate | None:
    """None for rules, which ask nothing. Raises as `ambiguous_tasks.make_tasks` for a request that cannot be."""
    if not is_asked(request.model):
        return None
    settings = maker_settings(request.model)
    units = chosen_episodes(database, source_id, source, request)
    with database.reading() as db:
        known = sources.summaries(db, source_id, units)
    steps = sum(count for one in known if not one.asks for kind, count in one.actions if kind in _ASKED_ABOUT)
    sizes, asked, seen = QuestionSize(), 0, 0
    for unit in units[:_LOOKED_AT]:
        try:
            found = [question_size(messages) for messages in _first_questions(source, unit, settings)]
        except UserError:
            continue
        sizes, asked, seen = reduce(QuestionSize.plus, found, sizes), asked + len(found), seen + bool(found)
    each = asked / seen if seen else 2.0
    questions = round(steps * each) + len(known) * (max(request.removed) - 1)
    questions = questions if request.most_questions is None else min(questions, request.most_questions)
    if not asked:
        return MakingEstimate(questions)
    size, price = sizes.times(questions / asked), price_of_maker(request.model)
    paid = None if price is None else price.of(size.tokens, 0)
    words = f"at most {questions:,} questions; the answers are not known"
    return MakingEstimate(
        questions, CostEstimate(words, None, size.tokens, None, paid, "" if price is None else price.currency)
    )


def _first_questions(source: Source, unit: str, settings: AskedMakerSettings) -> Iterator[list[dict[str, object]]]:
    """What is put about the first step that a goal may decide."""
    episode = source.read(unit)
    step = next((one for one in done_steps(episode) if one.action is not None and can_inform(one.action)), None)
    if step is None:
        return
    redaction = redaction_of(episode.app)
    if asks_instruction(step, settings):
        yield step_messages(episode, step, settings, redaction)
    yield rewriting_messages(episode.goal, instruction_of(episode, step, redaction), settings)
