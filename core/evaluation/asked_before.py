"""What an agent has asked of an episode so far, for one that is asked again once it has asked
(`ModelInfo.asks_again`): only from its first ask on does its second stream run, and what it was answered about an
earlier question stays in its context."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from stepscope.core.domain.prediction import AskAnswer, Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.scoring.ask_steps import DueAsk


@dataclass
class AskedBefore:
    """The state of one episode. `always`: after the step at which a question is due the agent is asked with the answer
    whether or not it has asked."""

    always: bool = False
    _replies: dict[int, tuple[str, str] | None] = field(default_factory=dict)
    """by the step at which a question is due: what it was answered, of those it has asked"""

    def put(self, request: StepRequest, about: Any) -> StepRequest:
        """The request with what was asked before; `about` is the step's `DueAsk`."""
        due = about.due if isinstance(about, DueAsk) else None
        told = tuple(reply for place, reply in sorted(self._replies.items()) if place != due and reply is not None)
        asked, over = due in self._replies, due is not None and request.step > due
        return replace(request, asked=asked or (self.always and over), behind=(asked and over) or None, told=told)

    def hear(self, request: StepRequest, about: Any, answer: object) -> None:
        """What the agent said of the step."""
        said = answer.answer if isinstance(answer, Prediction) else None
        asks = isinstance(said, AskAnswer) and said.question is not None
        if asks and isinstance(about, DueAsk) and about.due is not None:
            self._replies[about.due] = request.reply
