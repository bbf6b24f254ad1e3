"""Ambiguous tasks and their reviews in the store: one for each slot, and what a change drops comes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from stepscope.core.domain.ambiguous_task import (
    AmbiguousTask,
    AskReview,
    Cut,
    MissingPiece,
    PieceEdit,
    PieceKind,
    ReviewVerdict,
    StepReading,
    StepRole,
    TaskSlot,
)
from stepscope.core.store.integrity import fault
from stepscope.core.store.repositories import ambiguous_tasks

NOON = datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)


def made(episode="e1", by="rules", removed=1, source="data", value="March 4"):
    piece = MissingPiece(1, value, "Which date?", f"{value}.", PieceKind.DATE, (Cut(9, 20), Cut(25, 26, "it's “so”")))
    readings = StepReading(0, "Tap Go"), StepReading(1, "Type", StepRole.INFORMATIVE, value)
    slot = TaskSlot(source, episode, by, removed)
    return AmbiguousTask(
        slot, f"See tides on {value}", "See tides", (piece,), readings, NOON, "rules 1", "Moon", ("a",)
    )


def said(task, who="ann", verdict=ReviewVerdict.ACCEPTED):
    return AskReview(task.slot, who, verdict, task.wording, NOON, "a goal", (PieceEdit(1, "Q?", "A"),), "a note", 1.5)


def test_tasks_come_back_as_they_were(database) -> None:
    every = [made(), made(removed=2), made(by="a model"), made("it's 50% “off”"), made(source="elsewhere")]
    with database.unit_of_work() as db:
        assert ambiguous_tasks.keep(db, every) == ()
    with database.reading() as db:
        assert ambiguous_tasks.tasks_of(db, "data") == [every[2], every[0], every[1], every[3]]
        assert ambiguous_tasks.tasks_of(db, "data", made_by="rules", episode="e1") == every[:2]
        assert ambiguous_tasks.makers(db, "data") == {"a model": 1, "rules": 3}
        assert ambiguous_tasks.made_slots(db, "elsewhere", "rules") == {every[4].slot: "rules 1"}


def test_a_task_that_is_made_anew_takes_the_place_of_the_old_one(database) -> None:
    old, new = made(), replace(made(), goal="See", version="rules 2")
    with database.unit_of_work() as db:
        ambiguous_tasks.keep(db, [old, made("e2")])
        assert ambiguous_tasks.keep(db, [new]) == (old,)
        assert ambiguous_tasks.drop(db, [new]) == (new,)
        assert ambiguous_tasks.tasks_of(db, "data") == [made("e2")]


def test_a_review_is_taken_back_and_put_again(database) -> None:
    task = made()
    mine, other = said(task), said(task, "ben", ReviewVerdict.REJECTED)
    edit = replace(mine, verdict=ReviewVerdict.EDITED, note="")
    with database.unit_of_work() as db:
        assert ambiguous_tasks.replace_reviews(db, (), [mine, other]) == ()
        gone = ambiguous_tasks.replace_reviews(db, (), [edit])
        assert gone == (mine,)
        assert ambiguous_tasks.replace_reviews(db, [edit], gone) == (edit,)
        assert ambiguous_tasks.reviews_of(db, "data") == [mine, other]
        assert ambiguous_tasks.reviewers(db, "data") == ["ann", "ben"]
        assert ambiguous_tasks.reviews_of(db, "data", episode="e2") == []


def test_texts_that_no_database_can_hold_are_kept_with_escapes(database) -> None:
    strange = made("e\ud800", "a\0b", value="x\0")
    with database.unit_of_work() as db:
        ambiguous_tasks.keep(db, [strange])
        (kept,) = ambiguous_tasks.tasks_of(db, "data")
        assert kept.slot.made_by == "a\\x00b" and kept.pieces[0].value == "x\0"
        assert ambiguous_tasks.keep(db, [strange]) == (kept,)


@pytest.mark.parametrize(
    ("column", "value"),
    [("pieces", "[[]]"), ("pieces", '[{"step": 1}]'), ("readings", "{}"), ("failed", "[1]"), ("removed", 0)],
)
def test_a_task_that_was_changed_by_hand_is_told(column, value) -> None:
    row = ambiguous_tasks._task_row(made()) | {"id": 1, "made": "2024-05-01 12:00:00"}
    assert fault("ambiguous_task", row) == ""
    assert fault("ambiguous_task", row | {column: value})


@pytest.mark.parametrize(("column", "value"), [("verdict", "maybe"), ("pieces", '[{"step": -1}]')])
def test_a_review_that_was_changed_by_hand_is_told(column, value) -> None:
    row = ambiguous_tasks._review_row(said(made())) | {"id": 1, "made": "2024-05-01 12:00:00"}
    assert fault("ask_review", row) == ""
    assert fault("ask_review", row | {column: value})
