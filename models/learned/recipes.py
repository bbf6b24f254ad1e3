"""The recipes by name; none is imported before it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

from core.domain.prediction import Task
from core.errors import UsageError
from core.scoring.names import did_you_mean

if TYPE_CHECKING:
    from models.learned.recipe import Recipe

_RECIPES = {
    "feasibility-mlp": (Task.FEASIBILITY, "models.feasibility.recipe"),
    "pairwise-pointer": (Task.ORDERING, "models.ordering.recipe"),
    "two-tower": (Task.AUTOMATION, "models.automation.recipe"),
    "ask-timing": (Task.ASK, "models.ask.recipe"),
    "goal-retrieval": (Task.GOAL, "models.goal.recipe"),
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
