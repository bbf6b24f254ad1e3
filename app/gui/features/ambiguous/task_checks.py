"""What the rules say of a task, in words."""

from __future__ import annotations

from stepscope.core.domain.ambiguous_task import AmbiguousTask


def failed_words(now: AmbiguousTask, task: AmbiguousTask) -> tuple[str, ...]:
    """The checks that a task does not stand in the words that it has now; `task` is as it was made."""
    return now.failed
