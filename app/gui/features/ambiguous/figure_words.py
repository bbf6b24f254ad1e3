"""Makes of agreement the tables of its page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stepscope.core.domain.ambiguous_task import AskReview
from stepscope.widgets import format as formats
from stepscope.widgets.ambiguous.review_values import TaskFigures
from stepscope.widgets.scores.breakdown_values import FEW
from stepscope.widgets.scores.figure_values import FigureCell, FigureTable

if TYPE_CHECKING:
    from stepscope.app.services.review_agreement import ReviewAgreement, ReviewerCount, ReviewerPair

MOST_DIFFERING = 30
"""Tasks that the page lists; the list of Review has all of them."""
NOBODY = "Agreement is told once two people have reviewed the same tasks."


def agreement_figures(found: ReviewAgreement, seen: Sequence[str], *, sample: bool) -> TaskFigures:
    """`seen` are the ids of the tasks of which the person may know what others say."""
    pairs = FigureTable(
        "Two people on the same tasks",
        ("People", "Cohen’s κ", "Same", "Edited alike", "Tasks"),
        tuple(map(_pair_row, found.pairs)),
        empty=NOBODY,
    )
    people = FigureTable(
        "Who reviewed",
        ("Person", "Accepted", "Edited", "Rejected", "Tasks"),
        tuple(map(_person_row, found.people)),
        empty="Nobody has reviewed a task yet.",
    )
    told = [(task, said) for task, said in found.differing if task.id in set(seen)]
    rows = tuple(
        (FigureCell(task.goal, task.original), FigureCell(", ".join(map(_said, said))))
        for task, said in told[:MOST_DIFFERING]
    )
    more = len(told) - len(rows)
    title = "Tasks on which people differ" + (f", {MOST_DIFFERING} of {formats.count(len(told))}" if more > 0 else "")
    differing = FigureTable(title, ("Task", "What they said"), rows, empty="None that you have reviewed.")
    note = "Same: both let the task stand, edited or not, or both reject it. What was said of other words is left out."
    return TaskFigures((pairs, people, differing), note=note, sample=sample)


def _pair_row(one: ReviewerPair) -> tuple[FigureCell, ...]:
    role = "dim" if one.tasks < FEW else ""
    few = "few tasks" if one.tasks < FEW else ""
    alike = f"{one.same_words} of {one.both_stand}" if one.both_stand else formats.NONE
    return (
        FigureCell(f"{one.first}, {one.second}"),
        FigureCell(formats.NONE if one.kappa is None else formats.confidence(one.kappa), few, role),
        FigureCell(formats.share(one.same), few, role),
        FigureCell(alike, "Of the tasks that both let stand: both edited the words, or neither did", role),
        FigureCell(formats.count(one.tasks), few, role),
    )


def _person_row(one: ReviewerCount) -> tuple[FigureCell, ...]:
    counts = (one.accepted, one.edited, one.rejected, one.total)
    return (FigureCell(one.name), *(FigureCell(formats.count(count), role="" if count else "dim") for count in counts))


def _said(one: AskReview) -> str:
    return f"{one.reviewer} {one.verdict.value}" + (f" ({one.note})" if one.note else "")
