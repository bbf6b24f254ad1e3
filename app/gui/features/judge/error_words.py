"""Makes of the classes of wrong goals the tables of the agreement page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stepscope.core.domain.goal_error import GOAL_ERRORS
from stepscope.core.domain.judgement import JudgeId
from stepscope.widgets import format as formats
from stepscope.widgets.scores.figure_values import FigureCell, FigureTable

if TYPE_CHECKING:
    from stepscope.core.scoring.goal_errors import GoalErrorAgreement, GoalErrorCounts

FEW = 10
"""Below this many a figure is grey."""


def judge_name(judge: JudgeId | None) -> str:
    """A judge in words; None is people together."""
    return "People together" if judge is None else f"{judge.name} (model)" if judge.by_model else judge.name


def error_tables(errors: Sequence[GoalErrorCounts], agreed: GoalErrorAgreement) -> tuple[FigureTable, ...]:
    """Counts by class and judge, and how far people agree; none where nobody named a class."""
    if not any(one.tagged for one in errors):
        return ()
    columns = ("Judge", *(error.value.capitalize() for error in GOAL_ERRORS), "No class", "No match")
    counts = FigureTable("What is wrong where it does not match", columns, tuple(map(_row, errors)))
    if agreed.kappa is None or agreed.observed is None:
        return (counts,)
    tip = f"Means over {formats.counted(agreed.people, 'pair of people', 'pairs of people')}"
    few = agreed.n < FEW
    below = f"n {formats.count(agreed.n)}{', few' if few else ''}"
    kappa = FigureCell(formats.confidence(agreed.kappa), tip, "dim" if few else "", below)
    equal = FigureCell(formats.share(agreed.observed), tip, "dim" if few else "", below)
    together = FigureTable(
        "Agreement on what is wrong", ("Who", "Cohen’s κ", "Equal"), ((FigureCell("People"), kappa, equal),)
    )
    return counts, together


def _row(one: GoalErrorCounts) -> tuple[FigureCell, ...]:
    numbers = [*one.counts.values(), one.mismatches - one.tagged, one.mismatches]
    return FigureCell(judge_name(one.judge)), *(FigureCell(formats.count(n), role="" if n else "dim") for n in numbers)
