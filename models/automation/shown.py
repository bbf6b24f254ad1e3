"""Predictors of task automation that are shown less, or something else, than the data has: the goal and no step
instruction; of the steps before what they answered themselves, or nothing.

The goal alone is how an agent does that has to find the steps itself: AndroidControl's high-level setting (Li et al.
2024, section 4), put to any model and any data. What was answered as history is what an agent has on a phone, where one
mistake leads to others (ours).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from stepscope.core.domain.action import Wait
from stepscope.core.domain.model_name import split_name
from stepscope.core.evaluation.predictor import ModelInfo, Predictor, StepRequest
from stepscope.models.behind import behind
from stepscope.models.history_choice import HISTORY, PREDICTED, RECORDED, TITLES


def goal_alone(predictor: Predictor[Any], info: ModelInfo) -> Predictor[Any]:
    """The predictor without step instructions; `info` is what it says of itself there."""
    return behind(predictor, info, _without_instruction, "; without instructions")


def shown_history(predictor: Predictor[Any], info: ModelInfo) -> Predictor[Any]:
    """The predictor with the history that its name asks for. Agents have a setting of that name too and see to it
    themselves."""
    chosen = split_name(info.name)[1].get(HISTORY.name, RECORDED)
    if chosen == RECORDED or HISTORY not in info.settings:
        return predictor
    change = _with_own_answers if chosen == PREDICTED else _without_history
    return behind(predictor, info, change, f"; {TITLES[chosen]}")


def _without_instruction(request: StepRequest) -> StepRequest:
    return replace(request, instruction=None)


def _without_history(request: StepRequest) -> StepRequest:
    return replace(request, history=(), past=())


def _with_own_answers(request: StepRequest) -> StepRequest:
    """Where an answer could not be read nothing was done."""
    return replace(request, history=tuple(one.action or Wait() for one in request.own), own=())
