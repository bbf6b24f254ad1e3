"""A run that moved to another store is the identical run; what is no whole and sound bundle changes nothing."""

from dataclasses import replace

import pytest
from evaluation_bundled import (  # conftest.py has loaded it
    CALL,
    CAUSE,
    FILE,
    ITEMS,
    SAID,
    SENT,
    enter,
    runs_in,
    store_run,
)

from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.run import RunState
from stepscope.core.errors import SourceError, StoreError, UsageError
from stepscope.core.evaluation.bundle import read_bundle, write_bundle
from stepscope.core.evaluation.summaries import summary
from stepscope.core.progress import CancelToken
from stepscope.core.store import queries
from stepscope.core.store.abandoned_runs import mark_interrupted
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations, cause_labels, model_calls, outcomes, runs


@pytest.fixture
def run_id(database):
    return store_run(database)


@pytest.fixture
def write(database, tmp_path):
    """Write a run's bundle; returns the file."""

    def of(run_id, name="run.bundle"):
        with (tmp_path / name).open("wb") as stream:
            list(write_bundle(database, run_id, stream))
        return tmp_path / name

    return of


@pytest.fixture
def elsewhere(tmp_path):
    """An empty store of another machine."""
    with Database.open(f"sqlite:///{tmp_path}/elsewhere.db") as opened:
        yield opened


def content(database, run_id, fakes):
    """Everything that can be asked about a run."""
    with database.reading() as db:
        known = queries.scorings(db, run_id)
        listed = [replace(one, id=0) for one in known]
        under = [list(queries.each_item(db, run_id, scoring_id=one.id)) for one in known]
        chosen, said = runs.selection(db, run_id), annotations.of_source(db, "data/fake")
        counts = queries.run_counts(db, run_id)
    return summary(database, run_id, fakes.FakeScorer()), counts, listed, under, chosen, said


def test_the_run_is_the_same_in_the_other_store(database, elsewhere, run_id, write, fakes):
    first = write(run_id)
    last = enter(elsewhere, first)
    assert (last.run_id, last.result, last.annotations) == (run_id, "imported", 2)
    assert (last.progress.done, last.progress.total) == (len(ITEMS), len(ITEMS))
    assert content(elsewhere, run_id, fakes) == content(database, run_id, fakes)
    with (first.with_name("again")).open("wb") as stream:
        list(write_bundle(elsewhere, run_id, stream))
    assert first.with_name("again").read_bytes() == first.read_bytes(), "and so on to the next one"


def test_what_was_sent_comes_along(database, elsewhere, run_id, write):
    enter(elsewhere, write(run_id))
    for opened in (database, elsewhere):
        with opened.reading() as db:
            assert model_calls.of_episode(db, run_id, "e/1") == {22: (CALL, replace(CALL, output="another"))}
            assert model_calls.picture(db, run_id, SENT.digest) == FILE
            assert cause_labels.of_run(db, run_id) == {("e/1", 0): CAUSE}
            run = runs.get(db, run_id)
            assert (run.machines, run.weights, run.worked_s) == (
                (MachineFacts("a processor", 4, gpus=("a GPU",)), ), "ab" * 32, 2.5,
            )  # fmt: skip


def test_it_comes_back_into_a_store_that_lost_it(database, run_id, write, fakes):
    before, file = content(database, run_id, fakes), write(run_id)
    with database.unit_of_work() as db:
        runs.remove(db, run_id)
    assert enter(database, file).annotations == 0, "they were never gone"
    assert content(database, run_id, fakes) == before


def test_a_second_import_changes_nothing(database, run_id, write):
    assert enter(database, write(run_id)).result == "there already"
    assert runs_in(database) == [run_id]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda db, run: runs.set_note(db, run, "mine"), "differ in note"),
        (lambda db, run: outcomes.scoring(db, run, "aitw", "1", ()), "rules"),
        (lambda db, run: outcomes.drop_errors(db, run), "items"),
    ],
)
def test_another_run_of_the_same_id_is_refused_unless_it_gets_a_new_one(database, run_id, write, fakes, change, words):
    file = write(run_id)
    with database.unit_of_work() as db:
        change(db, run_id)
    before = content(database, run_id, fakes)
    with pytest.raises(UsageError, match=words) as caught:
        enter(database, file)
    assert "--as-new" in caught.value.hint
    last = enter(database, file, run_id="abcd")
    assert last.run_id == "abcd"
    assert set(runs_in(database)) == {run_id, last.run_id}
    assert content(database, run_id, fakes) == before


def test_data_that_lies_elsewhere_here(elsewhere, run_id, write):
    enter(elsewhere, write(run_id), data="/data/here")
    with elsewhere.reading() as db:
        assert runs.get(db, run_id).spec.source == "/data/here"
        assert [one.source for one in annotations.of_source(db, "/data/here")] == ["/data/here"] * 2


def test_a_cause_that_was_given_here_does_not_make_it_another_run(database, run_id, write):
    file = write(run_id)
    with database.unit_of_work() as db:
        cause_labels.put(db, run_id, {("e/1", 0): None})
    assert enter(database, file).result == "there already"


def test_what_somebody_said_here_stays(elsewhere, run_id, write):
    mine = replace(SAID[1], value="my note", author="bob")
    with elsewhere.unit_of_work() as db:
        annotations.put(db, mine)
    assert enter(elsewhere, write(run_id)).annotations == 1
    with elsewhere.reading() as db:
        assert annotations.of_source(db, "data/fake") == [SAID[0], mine]


@pytest.mark.parametrize("state", [RunState.QUEUED, RunState.RUNNING, RunState.PAUSED])
def test_a_run_that_is_at_work_there_is_interrupted_here(database, elsewhere, run_id, write, state):
    with database.unit_of_work() as db:
        runs.set_state(db, run_id, state)
    file = write(run_id)
    enter(elsewhere, file)
    with elsewhere.reading() as db:
        run = runs.get(db, run_id)
        assert (run.state, run.state.resumable) == (RunState.INTERRUPTED, True)
        assert "not finished" in run.message
    assert mark_interrupted(elsewhere) == []
    assert enter(elsewhere, file).result == "there already"
    assert enter(database, file).result == "there already", "the same run, at work or not"


def test_an_import_can_be_cancelled_and_broken_off(elsewhere, run_id, write):
    file, token = write(run_id), CancelToken()
    for _ in read_bundle(elsewhere, file, token=token):
        token.cancel()
    assert [update.result for update in read_bundle(elsewhere, file, token=token)][-1] == "cancelled"
    assert runs_in(elsewhere) == []
    work = read_bundle(elsewhere, file)
    while not next(work).run_id:
        pass
    work.close()
    assert runs_in(elsewhere) == []
    assert enter(elsewhere, file).result == "imported"


def test_an_export_that_is_cancelled_is_no_bundle(database, elsewhere, run_id, tmp_path):
    token = CancelToken()
    with (tmp_path / "cut").open("wb") as stream:
        for _ in write_bundle(database, run_id, stream, token=token):
            token.cancel()
    with pytest.raises(SourceError, match="cut off"):
        enter(elsewhere, tmp_path / "cut")


def test_nothing_of_a_run_that_is_not_there(database, tmp_path):
    with (tmp_path / "x").open("wb") as stream, pytest.raises(UsageError, match="no run"):
        list(write_bundle(database, "none", stream))


def test_a_store_that_cannot_be_written_refuses(elsewhere, run_id, write, tmp_path):
    url = f"sqlite:///file:{tmp_path}/elsewhere.db?mode=ro&uri=true"
    with Database.open(url) as fixed, pytest.raises(StoreError, match="read-only"):
        enter(fixed, write(run_id))
