"""What a model that says when to ask *and* what to do says as an agent: its question, or the action of the stream that
counts (Navi-plus, section 4)."""

from __future__ import annotations

from dataclasses import replace

from stepscope.core.domain.action import Action, AskUser
from stepscope.core.domain.model_name import ACTOR, is_asked, split_name
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, PredictionStatus, Task
from stepscope.core.evaluation.predictor import ModelInfo

NEVER_ACTS = "it says when to ask, not what to do"


def acts_and_asks(info: ModelInfo) -> bool:
    """Whether a model about asking can be an agent alone: it is asked in words, or has an actor beside it."""
    return info.task is Task.ASK and (is_asked(info.name) or _has_actor(info))


def as_agent(prediction: Prediction, *, replied: bool) -> Prediction:
    """The prediction as that of an agent: an answer about asking becomes the action of the first stream, an ask where a
    question is put, and once its question was answered (`replied`) that of the second. Every other is as it was.

    The confidence is dropped: it was that of the timing. A second stream in which nothing is done is one in which it
    asks again.
    """
    answer = prediction.answer
    if not isinstance(answer, AskAnswer):
        return prediction
    asks = None if answer.question is None else AskUser(answer.question)
    acts = (answer.after, answer.action, asks) if replied else (asks, answer.action)
    action: Action | None = next((one for one in acts if one is not None), None)
    if action is None:
        why = prediction.why or NEVER_ACTS
        return replace(prediction, answer=None, status=PredictionStatus.EMPTY, confidence=None, why=why)
    return replace(prediction, answer=ActionAnswer(action), confidence=None)


def _has_actor(info: ModelInfo) -> bool:
    """Whether its name says who acts beside it, or its usual actor is at hand."""
    from stepscope.models.ask.actor_choice import NO_ACTOR, actor_setting
    from stepscope.models.registry import model_info

    chosen = split_name(info.name)[1].get(ACTOR)
    if chosen is not None:
        return chosen != NO_ACTOR
    setting = actor_setting(info)
    if setting is None or setting.default == NO_ACTOR:
        return False
    return model_info(str(setting.default)).weights == "present"
