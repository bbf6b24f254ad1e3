"""The wrong steps of the sample's two runs, and their causes as a person counted them."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.app.services import error_causes
from stepscope.app.services.error_causes import CauseBook, filter_causes, wrong_steps
from stepscope.app.services.library import open_known
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.sample_runs import EPISODE, STEP, enter_shipped_runs
from stepscope.core.domain.error_cause import ErrorCause
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.mark import BoxMark, MissLine, PointMark
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database


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
    assert causes.causes[nearest][EPISODE, STEP] is ErrorCause.ROW and text_match not in causes.causes
    assert filter_causes(parse("cause:row")) is causes.causes and filter_causes(parse("wrong:A")) == {}
    causes.forget(nearest)
    assert nearest not in causes.causes


def test_what_is_stopped_is_not_kept(database: Database, causes: CauseBook) -> None:
    _text_match, nearest = enter_shipped_runs(database)
    token = CancelToken()
    token.cancel()
    assert list(wrong_steps(database, open_known(SAMPLE, "recording"), nearest, 1, token)) == []
    assert nearest not in causes.causes
