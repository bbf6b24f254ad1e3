"""How far people agree on ambiguous tasks: numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from stepscope.app.services.review_agreement import review_agreement
from stepscope.core.domain.ambiguous_task import (
    RULES,
    AmbiguousTask,
    AskReview,
    MissingPiece,
    ReviewVerdict,
    TaskSlot,
)

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
LETTERS = {"a": ReviewVerdict.ACCEPTED, "e": ReviewVerdict.EDITED, "r": ReviewVerdict.REJECTED}
PIECE = MissingPiece(0, "x", "Which?", "x")
TASKS = [AmbiguousTask(TaskSlot("/d", str(n), RULES, 1), "A lamp", f"Buy {n}", (PIECE,), (), NOON) for n in range(8)]


def said(who: str, verdicts: str) -> list[AskReview]:
    """What somebody says of the tasks in order, "." nothing."""
    return [
        AskReview(task.slot, who, LETTERS[letter], task.wording, NOON)
        for task, letter in zip(TASKS, verdicts, strict=False)
        if letter != "."
    ]


def test_each_two_people_are_compared_over_what_both_reviewed() -> None:
    """Ana and Ben have six in common: both let 1, 2, 3 stand, both reject 5; of 4 and 6 they differ. 4 of 6 are the
    same. By chance: each lets 4 of 6 stand, 2/3 · 2/3 + 1/3 · 1/3 = 5/9; κ = (2/3 − 5/9) / (4/9) = 1/4. Of the three
    that both let stand both edit the second, and neither the first: 2 of 3 in the same words."""
    found = review_agreement(TASKS, said("ana", "aeaarr.a") + said("ben", "aeerra..") + said("cem", ".......r"))
    assert [(one.first, one.second, one.tasks) for one in found.pairs] == [("ana", "ben", 6), ("ana", "cem", 1)]
    both = found.pairs[0]
    assert both.same == pytest.approx(4 / 6) and both.kappa == pytest.approx(0.25)
    assert (both.same_words, both.both_stand) == (2, 3)
    assert [(one.name, one.accepted, one.edited, one.rejected, one.total) for one in found.people] == [
        ("ana", 4, 1, 2, 7), ("ben", 2, 2, 2, 6), ("cem", 0, 0, 1, 1),
    ]  # fmt: skip
    assert [task.slot.episode for task, _ in found.differing] == ["3", "5", "7"]


def test_what_was_said_of_other_words_counts_for_nothing() -> None:
    old = [replace(one, wording="before") for one in said("ben", "r")]
    found = review_agreement(TASKS, said("ana", "a") + old)
    assert found.pairs == () and [one.name for one in found.people] == ["ana"] and found.differing == ()
