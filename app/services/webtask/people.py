"""What the data itself says beside people's answers: its tasks, how many instances they have, and its workers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from stepscope.app.services.webtask.annotations import submitted_by_instance
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.errors import UsageError, UserError
from stepscope.core.scoring.web_fields_match import OFFICIAL
from stepscope.core.sources.turkingbench import open_turkingbench
from stepscope.core.webtask.agreement import TaskAgreement, agreement


def task_names(data: Path) -> list[str]:
    """The tasks at `data`. Raises UsageError where there is none."""
    names = open_turkingbench(data).task_names()
    if not names:
        raise UsageError("there are no web tasks here.", place=data, hint="A task is a template.html and a batch.csv.")
    return names


def instance_count(data: Path, task: str) -> int:
    """0 for a task that is not there or cannot be read."""
    try:
        return len(open_turkingbench(data).instances_of(task))
    except UserError:
        return 0


def agreement_of(data: Path, task: str, answers: Iterable[WebAnswer], rules: str = OFFICIAL) -> TaskAgreement:
    """Agreement of the submitted answers to one task with each other and with the workers of the data. Errors as those
    of `TurkingBench.read_task`."""
    source = open_turkingbench(data)
    workers = {one.id: one.answers for one in source.instances_of(task)}
    given = submitted_by_instance(one for one in answers if one.task == task)
    return agreement(source.read_task(task), given, workers, rules)
