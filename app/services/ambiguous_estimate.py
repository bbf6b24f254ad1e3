"""How many questions a model would be asked for ambiguous tasks, and what they would take, told before any is put."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from stepscope.app.services.ambiguous_tasks import MakingRequest
from stepscope.app.services.cost_estimates import CostEstimate
from stepscope.app.services.question_size import QuestionSize, question_size
from stepscope.app.services.run_costs import price_of
from stepscope.core.domain.model_name import is_asked, split_name
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.core.sources.source import Source
from stepscope.models.ask.making.asked_maker import AskedTaskMaker
from stepscope.models.ask.making.named import asked_settings
from stepscope.models.ask.making.step_texts import done_steps
from stepscope.models.chat.answers import ChatAnswer

LOOKED_AT = 3
"""Episodes whose questions are counted, evenly out of all (ours)."""


@dataclass(frozen=True, slots=True)
class MakingEstimate:
    """About so many questions, no more than the request allows, and what they take."""

    questions: int
    cost: CostEstimate


@dataclass(slots=True)
class _CountingChat:
    """Answers nothing; how large the questions are is what counts."""

    sizes: list[QuestionSize] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def set_token(self, token: CancelToken) -> None:
        """Nothing takes long."""

    def ask(self, messages: list[dict[str, Any]], most_tokens: int) -> ChatAnswer:
        with self._lock:
            self.sizes.append(question_size(messages))
        return ChatAnswer(PredictionStatus.OK)


def making_estimate(source: Source, episodes: Sequence[str], request: MakingRequest) -> MakingEstimate | None:
    """What `request` would ask over these episodes; None for rules, which ask nothing, and where nothing tells. Answers
    that are remembered cost nothing, and are not known here. Raises UsageError for a model or setting that there is
    not."""
    plain = split_name(request.model)[0]
    wanted = episodes[: request.limit]
    if not is_asked(plain) or not wanted:
        return None
    chat = _CountingChat()
    maker = AskedTaskMaker(request.model, chat, asked_settings(request.model))
    looked = 0
    for unit in _spread(wanted):
        try:
            episode = source.read(unit)
            if episode.goal.strip() and not episode.asks and done_steps(episode):
                maker.make(episode, (1,))
            looked += 1
        except UserError:
            continue  # told where it is made
    if not looked:
        return None
    share = len(wanted) / looked
    questions = round(share * len(chat.sizes))
    size = reduce(QuestionSize.plus, chat.sizes, QuestionSize()).times(share)
    if request.most_questions is not None and questions > request.most_questions:
        size, questions = size.times(request.most_questions / questions), request.most_questions
    price = price_of(plain)
    cost = CostEstimate(
        "the answers are not known",
        tokens_in=size.tokens,
        cost=None if price is None else price.of(size.tokens, 0),
        currency="" if price is None else price.currency,
    )
    return MakingEstimate(questions, cost)


def _spread(units: Sequence[str]) -> list[str]:
    """Some of them, evenly out of all."""
    places = {round(place * (len(units) - 1) / (LOOKED_AT - 1)) for place in range(LOOKED_AT)}
    return [units[place] for place in sorted(places)]
