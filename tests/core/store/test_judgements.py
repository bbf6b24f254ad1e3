"""Judgements in the store: one for each pair and judge, and what a change drops comes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import (
    REFERENCE,
    WHOLE,
    JudgeAssignment,
    JudgeId,
    Judgement,
    OriginKind,
    PairAnswers,
    TextOrigin,
    WrittenText,
    pair_of,
)
from stepscope.core.store.repositories import judgements

NOON = datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
RUN, OTHER = TextOrigin(OriginKind.RUN, "r1"), TextOrigin(OriginKind.RUN, "r2")


def said(who="ann", episode="e1", *, by_model=False, other=RUN, source="data", text="answer", answers=(True,)):
    pair = pair_of(source, episode, WHOLE, (REFERENCE, "goal"), (other, text))
    return Judgement(pair, JudgeId(who, by_model), PairAnswers(*answers), NOON, "", "why", 1.5, 7)


def test_what_was_judged_comes_back_as_it_was(database) -> None:
    every = [
        said(answers=(True, False, None, True)),
        said(episode="it's 50% “off”", text="line\nline"),
        said("ann", by_model=True, answers=(None, None, True, False)),
        replace(said(other=OTHER), error=GoalErrorClass.WRONG_DETAIL),
        said("zoe", source="elsewhere"),
    ]
    with database.unit_of_work() as db:
        assert judgements.replace_judgements(db, (), every) == ()
    with database.reading() as db:
        assert judgements.of_pairs(db, "data", (RUN, REFERENCE), "e1") == [every[0], every[2]], "people before models"
        assert set(judgements.of_pairs(db, "data")) == set(every[:4])
        assert judgements.judgement_at(db, every[2].pair.key, JudgeId("ann", True)) == every[2]
        assert judgements.judgement_at(db, every[0].pair.key, JudgeId("ben")) is None
        assert judgements.judges(db, "data") == [JudgeId("ann"), JudgeId("ann", True)]


def test_a_change_gives_back_what_it_dropped(database) -> None:
    first, second = said(), replace(said(), answers=PairAnswers(False), remark="other")
    with database.unit_of_work() as db:
        judgements.replace_judgements(db, (), [first])
        assert judgements.replace_judgements(db, (), [second]) == (first,), "nobody has two of one pair"
        assert judgements.replace_judgements(db, [second], [first]) == (second,)
        assert judgements.replace_judgements(db, [first], []) == (first,)
        assert judgements.of_pairs(db, "data") == []


def test_texts_that_no_database_can_hold_are_kept_with_escapes(database) -> None:
    strange = said("a\0b", "e\ud800", text="x\0")
    with database.unit_of_work() as db:
        judgements.replace_judgements(db, (), [strange])
        kept = judgements.judgement_at(db, strange.pair.key, strange.judge)
        assert kept is not None and kept.pair.second == "x\\x00"
        assert judgements.replace_judgements(db, [strange], []) == (kept,)


def test_written_texts_and_assignments(database) -> None:
    mine, theirs = (WrittenText("data", "e1", WHOLE, who, f"by {who}", NOON, 2.0) for who in ("ann", "ben"))
    given = [JudgeAssignment(said(episode=f"e{n}").pair.key, "ann", 2 - n) for n in range(3)]
    with database.unit_of_work() as db:
        assert judgements.replace_written(db, (), [mine, theirs]) == ()
        assert judgements.replace_written(db, [theirs], [replace(mine, text="new")]) == (mine, theirs)
        assert [one.text for one in judgements.written_of(db, "data", author="ann")] == ["new"]
        assert judgements.authors(db, "data") == ["ann"]
        judgements.replace_assignments(db, (), given)
        found = judgements.assignments_of(db, "data", (REFERENCE, RUN))
        assert [one.key.episode for one in found] == ["e2", "e1", "e0"]
        assert judgements.assignments_of(db, "data", (REFERENCE, OTHER)) == []
        assert judgements.replace_assignments(db, given, []) and not judgements.assignments_of(db, "data")


@pytest.mark.parametrize("column", ["judge", "first"])
def test_a_row_that_was_changed_by_hand_is_told_apart(column) -> None:
    from stepscope.core.store.integrity import fault

    row = judgements._judgement_row(said()) | {"id": 1, "made": "2024-05-01 12:00:00"}
    assert fault("judgement", row) == ""
    assert fault("judgement", row | {column: "run:zzz" if column == "first" else None})
