"""Who acts beside an agent that asks: a setting in its name. Light: whoever lists models loads this and no library."""

from __future__ import annotations

from dataclasses import replace

from stepscope.core.domain.model_name import ACTOR, split_name
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.scoring.option import Option

NO_ACTOR, USUAL_ACTOR = "none", "two-tower"
ACTOR_CHOICE = Option(
    ACTOR,
    NO_ACTOR,
    "The model of task automation that acts beside the questions, so that success of steps is known too.",
    "ours",
    takes="the name of a model of task automation",
)
"""What an agent that only asks can be set to."""
TRAINED_ACTOR_CHOICE = replace(ACTOR_CHOICE, default=USUAL_ACTOR)
"""The same of one that usually acts by the two-tower model, where there is one."""


def actor_of(info: ModelInfo) -> str:
    """The name of the model that acts beside it, "" where none does."""
    setting = actor_setting(info)
    chosen = "" if setting is None else split_name(info.name)[1].get(ACTOR, str(setting.default))
    return "" if chosen == NO_ACTOR else chosen


def actor_setting(info: ModelInfo) -> Option | None:
    """The setting of a model that has it."""
    return next((one for one in info.settings if one.name == ACTOR), None)
