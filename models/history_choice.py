"""What a model of task automation is told of the steps before: a setting in its name, `two-tower?history=predicted`."""

from __future__ import annotations

from dataclasses import replace

from stepscope.core.domain.model_name import with_settings
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.scoring.option import Option

RECORDED, PREDICTED, NONE = "recorded", "predicted", "none"
HISTORY = Option(
    "history",
    RECORDED,
    "The steps before as they were recorded, as the model itself answered them (predicted), or nothing of them.",
    "ours",
    choices=(RECORDED, PREDICTED, NONE),
)
"""What a model of task automation that looks at the steps before can be set to."""

TITLES = {PREDICTED: "own history", NONE: "no history"}


def with_history(info: ModelInfo, chosen: str) -> ModelInfo:
    """What the model says of itself with its history set to one of the choices."""
    if chosen == RECORDED:
        return info
    name, title = with_settings(info.name, {HISTORY.name: chosen}), f"{info.title}, {TITLES[chosen]}"
    return replace(info, name=name, title=title, own_history=chosen == PREDICTED)
