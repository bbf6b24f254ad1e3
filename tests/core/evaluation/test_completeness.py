"""A run that ended is held against the index of its data."""

from dataclasses import replace

import pytest

from stepscope.core.domain.episode import summarise
from stepscope.core.domain.run import RunState
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.completeness import uneven
from stepscope.core.evaluation.runs import EvaluationRun, enqueue
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs, sources
from stepscope.core.store.worker import WorkerClaim


@pytest.fixture
def database():
    with Database.open("sqlite://") as opened:
        yield opened


def indexed(database, fakes, rows):
    with database.unit_of_work() as db:
        return sources.replace_index(db, fakes.SPEC.source, "fake", "f", rows).id


def rows_of(source):
    return [summarise(episode) for episode in source.episodes.values()]


def done(database, fakes, source, units, **more):
    run = EvaluationRun.start(database, fakes.SPEC, source, units, fakes.FakePredictor(), fakes.FakeScorer(), **more)
    last = list(run.updates())[-1]
    with database.reading() as db:
        return last, runs.get(db, run.run_id)


def test_items_that_the_index_has_and_the_run_has_not_are_told(database, fakes):
    source = fakes.FakeSource.of(a=3, b=1)
    indexed(database, fakes, rows_of(source))
    source.episodes["a"] = fakes.episode("a", 1)  # 2 of its 4 actions are gone
    last, run = done(database, fakes, source, ["a", "b"])
    assert (run.state, run.done, run.total) == (RunState.DONE, 4, 6)
    assert (last.committed, last.progress.total) == (4, 6)
    assert run.note == "The data's index has 6 items for this run, and 4 were done."


def test_an_even_run_and_one_with_an_episode_that_cannot_be_read_tell_nothing(database, fakes):
    source = fakes.FakeSource.of(a=3, b=1)
    indexed(database, fakes, rows_of(source))
    assert (done(database, fakes, source, ["a", "b"])[1].note) == ""
    source.episodes["b"] = None
    _, run = done(database, fakes, source, ["a", "b"])
    assert (run.done, run.total, run.note) == (5, 5, "")


def test_an_outline_is_believed_as_it_was_read_unless_nothing_was(database, fakes):
    source = fakes.FakeSource.of(a=3, b=1)
    indexed(database, fakes, [replace(row, checked=False, details=None) for row in rows_of(source)])
    source.episodes["a"] = fakes.episode("a", 5)
    assert done(database, fakes, source, ["a", "b"])[1].note == ""
    source.episodes["a"] = replace(fakes.episode("a", 3), steps=())
    assert done(database, fakes, source, ["a", "b"])[1].note == uneven(2, 6)


def test_data_that_is_not_in_the_store_is_taken_as_it_is(database, fakes):
    source = fakes.FakeSource.of(a=3)
    _, run = done(database, fakes, source, ["a"])
    assert (run.done, run.total, run.note) == (4, 4, "")


def test_a_run_is_not_written_for_half_an_index(database, fakes):
    source = fakes.FakeSource.of(a=3, b=1)
    with database.unit_of_work() as db:
        made = sources.begin_index(db, fakes.SPEC.source, "fake", WorkerClaim.here())
    for more in ({}, {"source_id": made}):
        with pytest.raises(UsageError, match="still being read"):
            enqueue(database, fakes.SPEC, ["a"], fakes.FakePredictor().info, fakes.FakeScorer(), **more)
    with database.reading() as db:
        assert runs.claimed(db) == []
    indexed(database, fakes, rows_of(source))
    enqueue(database, fakes.SPEC, ["a"], fakes.FakePredictor().info, fakes.FakeScorer())
