"""What the items of each task are: how they come out of the data, what a predictor gets to see, what a rule compares.

One module a task; `task_kind` finds it.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from sqlalchemy.orm import Session

from stepscope.core.domain.model_name import is_goal_alone
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation.tasks.kind import Item, Setting, TaskKind
from stepscope.core.scoring.registry import PROTOCOLS
from stepscope.core.scoring.rule import FINISHES, LAST_SCREEN
from stepscope.core.store.repositories import sources

__all__ = [
    "Item",
    "Setting",
    "TaskKind",
    "asks_after_each_step",
    "count_items",
    "has_last_screens",
    "setting_of",
    "task_kind",
]

_WHERE = {
    Task.AUTOMATION: "automation:Automation",
    Task.FEASIBILITY: "feasibility:Feasibilities",
    Task.GOAL: "goal:Goals",
    Task.ORDERING: "ordering:Orderings",
    Task.ASK: "ask:Asks",
    Task.WEBTASK: "webtask:WebTasks",
    Task.GROUNDING: "grounding:Grounding",
    Task.ROLLOUT: "rollout:Rollouts",
    Task.AFFORDANCE: "affordance:Affordances",
}
"""Module and class of each task; a module is imported when its task is asked for."""


@cache
def task_kind(task: Task) -> TaskKind:
    """What knows the items of this task; imported at the first call, the same object ever after."""
    module, _, kind = _WHERE[task].partition(":")
    return cast(TaskKind, getattr(importlib.import_module(f"stepscope.core.evaluation.tasks.{module}"), kind)())


def has_last_screens(options: Mapping[str, object]) -> bool:
    """Whether a run with these options of its rule asks about the screens that episodes end on."""
    return options.get(LAST_SCREEN) == FINISHES


def asks_after_each_step(protocol: str) -> bool:
    """Whether a run under this protocol asks about a trajectory after each of its steps; "" : the task's own, which
    does not."""
    return bool(protocol) and protocol in PROTOCOLS and PROTOCOLS[protocol].info.after_each_step


def count_items(
    db: Session, task: Task, source_id: int, units: Sequence[str], options: Mapping[str, object], protocol: str
) -> int | None:
    """How many items these rows of an indexed source have in a run under this protocol with these options; None where
    that is not known before reading."""
    if asks_after_each_step(protocol):
        return sources.count_steps(db, source_id, units)
    found = task_kind(task).count(db, source_id, units)
    if found is None or not has_last_screens(options):
        return found
    return found + sources.count_last_screens(db, source_id, units)


def setting_of(spec: RunSpec) -> Setting:
    """How the items of a stored run look."""
    last_screen = has_last_screens(dict(spec.options))
    return Setting(
        spec.seed,
        last_screen=last_screen,
        goal_alone=is_goal_alone(spec.model),
        after_each_step=asks_after_each_step(spec.protocol),
    )
