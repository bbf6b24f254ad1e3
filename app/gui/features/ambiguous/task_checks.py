"""What the rules say of a task, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.core.domain.ambiguous_task import AmbiguousTask
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.models.ask.making import task_checks
else:
    task_checks = lazy_module("stepscope.models.ask.making.task_checks")


def failed_words(now: AmbiguousTask, task: AmbiguousTask) -> tuple[str, ...]:
    """The checks that a task does not stand in its words of `now`; those of `task`, as it was made, are known."""
    return task.failed if now is task else task_checks.failed_checks(now)
