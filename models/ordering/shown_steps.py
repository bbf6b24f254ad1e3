"""What a model that puts steps in order is shown of them: words, screens or both; a setting in its name,
`pairwise-pointer?steps=words`.

Source: Wu et al. 2022, section 5 (paper): text alone, images alone and both, for models and people; put to any model
and any data (ours).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from stepscope.core.domain.model_name import split_name, with_settings
from stepscope.core.evaluation.predictor import ModelInfo, OrderRequest, Predictor
from stepscope.core.scoring.option import Option

BOTH, WORDS, SCREENS = "both", "words", "screens"
SHOWN = Option(
    "steps",
    BOTH,
    "Words and screens of the steps, the words alone, or the screens alone.",
    "paper",
    choices=(BOTH, WORDS, SCREENS),
)
TITLES = {WORDS: "words alone", SCREENS: "screens alone"}
_BOTH_READ = {"screens", "text"}


def offered(info: ModelInfo) -> ModelInfo:
    """What a model of ordering says of itself, with the setting where it looks at both, and without it elsewhere."""
    others = tuple(one for one in info.settings if one != SHOWN)
    return replace(info, settings=(*others, SHOWN) if {*info.inputs} >= _BOTH_READ else others)


def shown_info(info: ModelInfo, chosen: str) -> ModelInfo:
    """What it says of itself with one of the choices."""
    if chosen == BOTH:
        return info
    name = with_settings(info.name, split_name(info.name)[1] | {SHOWN.name: chosen})
    seen = "text" if chosen == WORDS else "screens"
    inputs = tuple(one for one in info.inputs if one == seen or one not in _BOTH_READ)
    return replace(info, name=name, title=f"{info.title}, {TITLES[chosen]}", inputs=inputs)


def shown_steps(predictor: Predictor[Any], info: ModelInfo) -> Predictor[Any]:
    """The predictor with what its name says of steps."""
    from stepscope.models.behind import behind

    chosen = split_name(info.name)[1].get(SHOWN.name, BOTH)
    if chosen == BOTH:
        return predictor
    return behind(predictor, info, _words_alone if chosen == WORDS else _screens_alone, f"; {TITLES[chosen]}")


def _words_alone(request: OrderRequest) -> OrderRequest:
    return replace(request, steps=tuple(replace(one, pictures=(), tree=None) for one in request.steps))


def _screens_alone(request: OrderRequest) -> OrderRequest:
    return replace(request, steps=tuple(replace(one, text="", title="") for one in request.steps))
