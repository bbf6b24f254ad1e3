"""The wrong steps of the sample's two runs, and their causes as a person counted them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from stepscope.app.services import error_causes
from stepscope.app.services.error_causes import CauseBook, wrong_steps
from stepscope.app.services.filtering import filter_inputs
from stepscope.app.services.library import open_known
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.sample_runs import EPISODE, STEP, enter_shipped_runs
from stepscope.core.domain.error_cause import CauseLabel, ErrorCause
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.mark import BoxMark, MissLine, PointMark
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.named_rules import rule_by_id
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import cause_labels


@pytest.fixture
def database(tmp_path: Path):
    with Database.open(store_url(tmp_path / "runs.db")) as opened:
        yield opened


@pytest.fixture
def causes(monkeypatch: pytest.MonkeyPatch) -> CauseBook:
    """A book of its own: that of the program may know of runs already."""
    book = CauseBook()
    monkeypatch.setattr(error_causes, "CAUSES", book)
    return book


def test_the_sample_runs_wrong_steps(database: Database, causes: CauseBook) -> None:
    text_match, nearest = enter_shipped_runs(database)
    source = open_known(SAMPLE, "recording")
    told = list(wrong_steps(database, source, nearest, 1, CancelToken()))
    assert [(one.done, one.total) for one in told] == [(16, 52), (32, 52), (48, 52), (52, 52)]
    found = told[-1].found
    assert len(found) == 216 and [one.cause for one in found].count(ErrorCause.MISSED_ASK) == 7, (
        "as many as the sample has questions"
    )
    (shown,) = [one for one in found if one.place == (EPISODE, STEP)]
    assert shown.cause is ErrorCause.ROW, "the second run takes the row below"
    assert (shown.target, shown.taken, shown.number) == ("option 4", "option 5", STEP + 1)
    assert {type(mark) for mark in shown.marks} == {BoxMark, PointMark, MissLine}
    assert shown.distance == pytest.approx(0.1775, abs=1e-4)
    known = causes.get(nearest, "")
    assert known is not None and known[EPISODE, STEP] is ErrorCause.ROW and causes.get(text_match, "") is None
    with database.reading() as db:
        runs = {"A": text_match, "B": nearest}
        assert filter_inputs(db, parse("cause:row"), runs).causes == {nearest: known}
        assert filter_inputs(db, parse("wrong:A"), runs).causes == {}
        by_rule = filter_inputs(db, parse("cause:row"), runs, rule_by_id("aitz"))
        assert by_rule.causes == {}, "nobody has looked what is wrong under that rule"
    causes.forget(nearest)
    assert causes.get(nearest, "") is None


def test_a_cause_by_hand_counts_until_it_is_taken_back(database: Database, causes: CauseBook) -> None:
    _text_match, nearest = enter_shipped_runs(database)
    source, query = open_known(SAMPLE, "recording"), parse("cause:near")
    *_, told = wrong_steps(database, source, nearest, 1, CancelToken())
    near = sum(one.cause is ErrorCause.NEAR for one in told.found)
    said = CauseLabel(ErrorCause.NEAR, "ann", datetime(2024, 5, 1, tzinfo=UTC))
    with database.unit_of_work() as db:
        cause_labels.put(db, nearest, {(EPISODE, STEP): said, ("gone", 0): said})
    with database.reading() as db:
        assert cause_labels.of_run(db, nearest) == {(EPISODE, STEP): said}, "a step that the run has not is passed over"
        found = filter_inputs(db, query, {"B": nearest}).causes[nearest]
        assert [*found.values()].count(ErrorCause.NEAR) == near + 1
    *_, again = wrong_steps(database, source, nearest, 1, CancelToken())
    (shown,) = [one for one in again.found if one.place == (EPISODE, STEP)]
    assert (shown.cause, shown.worked_out, shown.label) == (ErrorCause.NEAR, ErrorCause.ROW, said)
    known = causes.get(nearest, "")
    assert known is not None and known[EPISODE, STEP] is ErrorCause.ROW, "what was worked out is kept beside it"
    with database.unit_of_work() as db:
        cause_labels.put(db, nearest, {(EPISODE, STEP): None})
        assert cause_labels.of_run(db, nearest) == {}


def test_what_is_stopped_is_not_kept(database: Database, causes: CauseBook) -> None:
    _text_match, nearest = enter_shipped_runs(database)
    token = CancelToken()
    token.cancel()
    assert list(wrong_steps(database, open_known(SAMPLE, "recording"), nearest, 1, token)) == []
    assert causes.get(nearest, "") is None
