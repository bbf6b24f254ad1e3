"""The recipes by name: those of the program and those that installed packages add; none is imported before it is asked
for.

A package adds a recipe by an entry point of the group `stepscope.recipes`, named as the recipe is: TASK.NAME
(`feasibility.my-recipe`). Its object is the recipe (`models.learned.recipe.Recipe`, or `TunedRecipe`), whose `info` has
the same name and task.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.learned.encoder_choice import classifier_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from stepscope.models.learned.card import ModelCard
    from stepscope.models.learned.recipe import Recipe

GROUP = "stepscope.recipes"

_RECIPES = {
    "feasibility-mlp": (Task.FEASIBILITY, "stepscope.models.feasibility.recipe"),
    "feasibility-reasons": (Task.FEASIBILITY, "stepscope.models.feasibility.reasons_recipe"),
    "feasibility-set": (Task.FEASIBILITY, "stepscope.models.feasibility.set_recipe"),
    "feasibility-tuned": (Task.FEASIBILITY, "stepscope.models.feasibility.tuned_recipe"),
    "motif-feasibility": (Task.FEASIBILITY, "stepscope.models.feasibility.paper_recipe"),
    "pairwise-pointer": (Task.ORDERING, "stepscope.models.ordering.recipe"),
    "berson": (Task.ORDERING, "stepscope.models.ordering.berson_recipe"),
    "pairwise-topological": (Task.ORDERING, "stepscope.models.ordering.topological_recipe"),
    "position-prior": (Task.ORDERING, "stepscope.models.ordering.position_recipe"),
    "two-tower": (Task.AUTOMATION, "stepscope.models.automation.recipe"),
    "seq2act": (Task.AUTOMATION, "stepscope.models.automation.seq2act_recipe"),
    "seq2seq": (Task.AUTOMATION, "stepscope.models.automation.seq2seq_recipe"),
    "moca": (Task.AUTOMATION, "stepscope.models.automation.moca_recipe"),
    "ask-timing": (Task.ASK, "stepscope.models.ask.recipe"),
    "ask-goal-words": (Task.ASK, "stepscope.models.ask.goal_words_recipe"),
    "element-affordance": (Task.AFFORDANCE, "stepscope.models.affordance.recipe"),
    "goal-retrieval": (Task.GOAL, "stepscope.models.goal.recipe"),
}
"""Each module has its recipe as `RECIPE`. A model that comes with the program has its recipe's name."""


def recipe(name: str) -> Recipe:
    """Raises UsageError naming the nearest, UserError for one of a package that cannot be used."""
    if name in _RECIPES:
        return cast("Recipe", importlib.import_module(_RECIPES[name][1]).RECIPE)
    added = _added()
    if name in added:
        return _plugged_in(*added[name])
    known = (*_RECIPES, *added)
    raise UsageError(f"There is no recipe {name!r}.", hint=f"{did_you_mean(name, known)}{', '.join(known)}.")


def recipe_of(card: ModelCard) -> Recipe:
    """The recipe that a model was trained by, with the inputs that its card names. Errors as those of `recipe`."""
    from stepscope.models.learned.recipe import takes_classifier

    found = recipe(card.recipe)
    return found.chosen(classifier_of(card.config)) if takes_classifier(found) else found


def recipes_of(task: Task) -> tuple[str, ...]:
    """Names of what can be trained for a task, the program's own first."""
    own = (name for name, (one, _) in _RECIPES.items() if one is task)
    return (*own, *(name for name, (one, _) in _added().items() if one is task))


def _plugged_in(task: Task, point: EntryPoint) -> Recipe:
    name = point.name.partition(".")[2]
    try:
        found: Any = point.load()
        info = found.info
        if (info.name, info.task) != (name, task):
            raise ValueError(f"it calls itself {info.name} for {info.task}")
    except Exception as error:
        why = f"The recipe {name} of a package cannot be used: {type(error).__name__}: {error}"
        raise UserError(why, hint="Install that package anew, or leave it out.") from error
    return cast("Recipe", found)


@cache
def _added() -> dict[str, tuple[Task, EntryPoint]]:
    """The recipes that packages declare, without loading them; one of a name that is in use, or of no task, is none."""
    from stepscope.core.process.packages import entry_points_of  # slow to import, and few packages have any

    found: dict[str, tuple[Task, EntryPoint]] = {}
    for point in entry_points_of(GROUP):
        task, _, name = point.name.partition(".")
        if name and name not in _RECIPES and name not in found and task in {one.value for one in Task}:
            found[name] = (Task(task), point)
    return found
