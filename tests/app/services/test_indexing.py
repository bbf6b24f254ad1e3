"""Data sets that a process of its own opens: what comes of it is what `library` does where it is called."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.app.services import index_child, indexing
from stepscope.app.services.indexing import check_aside, open_aside
from stepscope.app.services.library import IndexedSource, IndexProgress, check_indexed, open_indexed
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.worker import CheckJob, IndexJob, WorkProcess
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.process.kept import KeptProcesses
from stepscope.core.progress import CancelToken
from stepscope.core.sources.procedures import EpisodeProcedureSource
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import matching
from stepscope.core.store.repositories import sources

pytestmark = pytest.mark.xdist_group("indexing")


@pytest.fixture(scope="module", autouse=True)
def no_process_left() -> Iterator[None]:
    yield
    indexing._indexers.close()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(f"sqlite:///{tmp_path / 'store.db'}") as opened:
        yield opened


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "data"))


def whole(found: Iterator[object]) -> IndexProgress:
    *_, last = found
    assert isinstance(last, IndexProgress)
    assert last.whole
    return last


def test_the_index_is_that_which_is_made_here(database: Database, data: Path) -> None:
    made = whole(open_aside(database, data, CancelToken()))
    with Database.open("sqlite://") as other:
        here = whole(open_indexed(other, data, CancelToken()))
        list(check_indexed(other, here.source_id, here.source, CancelToken()))
        with other.reading() as db:
            ids, stored = matching(db, here.source_id), sources.get(db, here.source_id)
    *_, done = check_aside(database, made.source_id, made.source, CancelToken())
    with database.reading() as db:
        assert matching(db, made.source_id) == ids
    assert (made.episodes, made.problems, made.skipped) == (here.episodes, here.problems, here.skipped)
    assert made.source.path == data
    assert made.source.format == here.source.format
    assert stored is not None
    assert (done.stored.episodes, done.stored.steps) == (stored.episodes, stored.steps)
    assert done.progress.done == done.progress.total == made.episodes
    assert list(check_aside(database, made.source_id, made.source, CancelToken())) == []


def test_its_episodes_are_read_here_at_their_places(database: Database, data: Path) -> None:
    made = whole(open_aside(database, data, CancelToken()))
    with database.reading() as db:
        first = matching(db, made.source_id)[0]
    assert made.source.read(first) == IndexedSource(made.source.inner, lambda _: "").read(first)  # type: ignore[attr-defined]


def test_an_index_that_the_store_has_is_told_before_any_process_is_asked(
    database: Database, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = whole(open_aside(database, data, CancelToken()))

    def nobody() -> WorkProcess:
        raise UserError("asked")

    monkeypatch.setattr(indexing, "_indexers", KeptProcesses(nobody, 1))
    found = open_aside(database, data, CancelToken())
    known = next(found)
    assert isinstance(known, IndexProgress)
    assert (known.source_id, known.episodes, known.old, known.whole) == (made.source_id, made.episodes, True, False)
    with pytest.raises(UserError, match="asked"):
        next(found)


def test_an_index_that_is_right_keeps_its_source(database: Database, data: Path) -> None:
    whole(open_aside(database, data, CancelToken()))
    known, *_, last = open_aside(database, data, CancelToken())
    assert isinstance(known, IndexProgress)
    assert isinstance(last, IndexProgress)
    assert last.whole
    assert last.source is known.source, "who has shown it need not show it anew"


def test_read_again_has_a_source_of_its_own(database: Database, data: Path) -> None:
    before = whole(open_aside(database, data, CancelToken()))
    first, *_ = again = list(open_aside(database, data, CancelToken(), again=True))
    assert isinstance(first, IndexProgress)
    assert not first.old
    assert whole(iter(again)).source_id != before.source_id


def test_episodes_as_procedures(database: Database, data: Path) -> None:
    made = whole(open_aside(database, data, CancelToken(), as_procedures=True))
    assert isinstance(made.source, IndexedSource)
    assert isinstance(made.source.inner, EpisodeProcedureSource)
    *_, done = check_aside(database, made.source_id, made.source, CancelToken())
    assert done.progress.done == made.episodes
    with database.reading() as db:
        procedure = made.source.read_procedure(matching(db, made.source_id)[0])
    assert procedure.steps


def test_what_it_raises_comes_back_in_its_class(database: Database, data: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing at this place"):
        list(open_aside(database, tmp_path / "nowhere", CancelToken()))
    made = whole(open_aside(database, data, CancelToken()))
    shutil.rmtree(data)
    with pytest.raises(SourceError, match="not there any more"):
        list(check_aside(database, made.source_id, made.source, CancelToken()))


def test_a_process_that_dies_loses_nothing_and_the_next_goes_on(
    database: Database, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = whole(open_aside(database, data, CancelToken()))
    indexing._indexers.close()
    say = WorkProcess._send

    def say_and_end_it(process: WorkProcess, message: object) -> None:
        say(process, message)  # type: ignore[arg-type]
        if isinstance(message, CheckJob) and process.pid is not None:
            os.kill(process.pid, signal.SIGKILL)

    with monkeypatch.context() as patched, database.unit_of_work():  # it waits for its turn to write
        patched.setattr(WorkProcess, "_send", say_and_end_it)
        with pytest.raises(UserError, match=r"works on the data set was ended by SIGKILL.*open it again"):
            list(check_aside(database, made.source_id, made.source, CancelToken()))
    *_, done = check_aside(database, made.source_id, made.source, CancelToken())
    assert done.progress.done == made.episodes


def test_cancelled_it_ends_and_the_index_is_free(database: Database, data: Path) -> None:
    token = CancelToken()
    for _ in open_aside(database, data, token):
        token.cancel()
    assert whole(open_aside(database, data, CancelToken())).episodes == 52


def test_the_process_that_was_got_ready_is_the_one_that_reads(
    database: Database, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[WorkProcess] = []

    def make() -> WorkProcess:
        made.append(indexing._indexer())
        return made[-1]

    monkeypatch.setattr(indexing, "_indexers", KeptProcesses(make, 1))
    indexing.warm_up()
    ready = made[0].pid
    assert ready is not None
    whole(open_aside(database, data, CancelToken()))
    indexing.warm_up()
    assert [one.pid for one in made] == [ready]
    indexing._indexers.close()


def test_it_gets_ready_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for every window, which may follow one that was closed."""
    asked = []
    monkeypatch.setattr(index_child.library, "warm_up", lambda: asked.append("formats"))
    monkeypatch.setattr(index_child, "_warm_up_store", lambda: asked.append("store"))
    index_child._warm_up.cache_clear()
    try:
        for _ in range(2):
            index_child.do(IndexJob(), CancelToken(), None, asked.append)  # type: ignore[arg-type]
    finally:
        index_child._warm_up.cache_clear()
    assert asked == ["formats", "store"]


def test_a_store_in_memory_is_filled_here(data: Path) -> None:
    with Database.open("sqlite://") as memory:
        made = whole(open_aside(memory, data, CancelToken()))
        *_, done = check_aside(memory, made.source_id, made.source, CancelToken())
    assert done.progress.done == made.episodes
