"""The recipes by name; none is imported before it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.scoring.names import did_you_mean

if TYPE_CHECKING:
    from stepscope.models.learned.recipe import Recipe

_RECIPES = {
    "feasibility-mlp": (Task.FEASIBILITY, "stepscope.models.feasibility.recipe"),
    "feasibility-tuned": (Task.FEASIBILITY, "stepscope.models.feasibility.tuned_recipe"),
    "pairwise-pointer": (Task.ORDERING, "stepscope.models.ordering.recipe"),
    "two-tower": (Task.AUTOMATION, "stepscope.models.automation.recipe"),
    "ask-timing": (Task.ASK, "stepscope.models.ask.recipe"),
    "goal-retrieval": (Task.GOAL, "stepscope.models.goal.recipe"),
}
"""Each module has its recipe as `RECIPE`. A model that comes with the program has its recipe's name."""


def recipe(name: str) -> Recipe:
    """Raises UsageError naming the nearest."""
    if name not in _RECIPES:
        raise UsageError(f"There is no recipe {name!r}.", hint=f"{did_you_mean(name, _RECIPES)}{', '.join(_RECIPES)}.")
    return cast("Recipe", importlib.import_module(_RECIPES[name][1]).RECIPE)


def recipes_of(task: Task) -> tuple[str, ...]:
    """Names of what can be trained for a task."""
    return tuple(name for name, (one, _) in _RECIPES.items() if one is task)
