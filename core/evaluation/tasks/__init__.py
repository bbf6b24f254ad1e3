"""What the items of each task are: how they come out of the data, what a predictor gets to see, what a rule compares.

One module a task; `task_kind` finds it.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import cast

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.tasks.kind import Item, Setting, TaskKind

__all__ = ["Item", "Setting", "TaskKind", "task_kind"]

_WHERE = {
    Task.AUTOMATION: "automation:Automation",
    Task.FEASIBILITY: "feasibility:Feasibilities",
    Task.GOAL: "goal:Goals",
    Task.ORDERING: "ordering:Orderings",
    Task.ASK: "ask:Asks",
    Task.WEBTASK: "webtask:WebTasks",
    Task.GROUNDING: "grounding:Grounding",
}
"""Module and class of each task; a module is imported when its task is asked for."""


@cache
def task_kind(task: Task) -> TaskKind:
    """What knows the items of this task; imported at the first call, the same object ever after."""
    module, _, kind = _WHERE[task].partition(":")
    return cast(TaskKind, getattr(importlib.import_module(f"stepscope.core.evaluation.tasks.{module}"), kind)())
