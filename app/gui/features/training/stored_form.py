"""What was trained last for a task, as it is kept from one start of the window to the next."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

from stepscope.core.domain.prediction import Task
from stepscope.core.own_files import parsed_json
from stepscope.widgets.training import MoreData, RecipeChoice, TrainRequest
from stepscope.widgets.training.training_choices import SETTINGS

_MOST = 2**31 - 1
"""The largest whole number of a field."""


def stored(form: TrainRequest) -> str:
    """The form as text."""
    return json.dumps(asdict(form))


def restored(text: str, task: Task, recipes: Iterable[RecipeChoice]) -> TrainRequest | None:
    """The form that `stored` made for the task; a setting that it does not name, since it is of an earlier version, is
    that of its recipe. None for no form, and for one of a recipe that there is not."""
    try:
        form: Any = parsed_json(text)
        own = next(one for one in recipes if one.task is task and one.name == form["recipe"])
        return TrainRequest(**_values(form, task, own))
    except (ValueError, TypeError, KeyError, StopIteration):
        return None


def _values(form: Mapping[str, Any], task: Task, own: RecipeChoice) -> dict[str, Any]:
    example = TrainRequest(task, own.name, "all", "")
    values: dict[str, Any] = {name: getattr(own, name) for name in SETTINGS}
    for name in (one.name for one in fields(TrainRequest)):
        if name in form:
            values[name] = _checked(name, form[name], getattr(example, name))
    return {**values, "task": task}


def _checked(name: str, value: Any, example: Any) -> Any:
    """The value where it is of the example's kind. Raises ValueError, TypeError or KeyError."""
    match name, example:
        case "task", _:
            return value
        case "seeds", _:
            return tuple(_checked("seed", one, 0) for one in value)
        case "others", _:
            return tuple(
                MoreData(_checked("path", one["path"], ""), _checked("weight", one["weight"], 1.0)) for one in value
            )
        case _, float() if type(value) in (int, float) and math.isfinite(value):
            return float(value)
        case _, bool() | str() if type(value) is type(example):
            return value
        case _, int() if type(value) is type(example) and abs(value) <= _MOST:
            return value
    raise ValueError(name)
