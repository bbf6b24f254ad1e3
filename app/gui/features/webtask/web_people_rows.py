"""The people who fill in web tasks as the window shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.core.webtask.agreement import DIFFERENCE, KAPPA, ROUGE_L
from stepscope.widgets.webtask.people_values import FieldRow, PageDeliveryOptions, PeopleView, PersonRow, WorkersRow
from stepscope.widgets.webtask.side_values import PeopleProgress

if TYPE_CHECKING:
    from stepscope.app.services.webtask.annotations import PersonProgress
    from stepscope.core.webtask.agreement import TaskAgreement

MEASURES: Mapping[str, str] = {KAPPA: "Cohen's kappa", ROUGE_L: "ROUGE-L", DIFFERENCE: "difference"}


def people_view(
    habits: PageDeliveryOptions, names: Sequence[str], everybody: Sequence[PersonProgress], found: TaskAgreement | None
) -> PeopleView:
    """`found` is the agreement of the open task, None where none is open."""
    rows = tuple(
        PersonRow(one.task, one.annotator, one.submitted, one.drafts, one.instances, one.seconds) for one in everybody
    )
    if found is None:
        return PeopleView(habits, tuple(names), rows)
    fields = tuple(
        FieldRow(one.field, one.type.value, MEASURES[one.measure], one.value, one.observed, one.instances, one.n)
        for one in found.fields
    )
    workers = tuple(WorkersRow(one.annotator, one.score, one.n) for one in found.workers)
    return PeopleView(habits, tuple(names), rows, found.task, fields, workers)


def people_progress(me: str, task: str, everybody: Sequence[PersonProgress], total: int) -> PeopleProgress | None:
    """How far people are with a task; None where nobody has submitted any page of it."""
    done = {one.annotator: one.submitted for one in everybody if one.task == task and one.submitted}
    return PeopleProgress(done.get(me, 0), total, len(done)) if done else None
