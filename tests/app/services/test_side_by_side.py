"""Several programs open the same data at once: one makes its index, the others follow; nothing is lost or half."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services import library
from stepscope.app.services.evaluation import EvaluationRequest, queue, start
from stepscope.app.services.library import (
    ExternalIndexProgress,
    IndexProgress,
    check_indexed,
    open_indexed,
    whole_index,
)
from stepscope.core.domain.action import PressKey
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.registry import open_known, open_source
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import index_claims, sources
from stepscope.core.store.worker import WorkerClaim, hold, let_go

ROOT = Path(__file__).parents[3]
EPISODES, ACTIONS = 12, 4


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Twelve episodes of four actions."""
    folder = tmp_path / "data"
    seen = Observation(Size(10, 20))
    steps = tuple(Step(n, seen, PressKey("back")) for n in range(ACTIONS))
    for n in range(EPISODES):
        write_recording(Episode(f"e{n:02}", "recording", Platform.ANDROID, "goal", steps), folder / f"e{n:02}")
    return folder


@pytest.fixture(params=("file", "postgresql"))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty store that programs can share."""
    if request.param == "file":
        yield f"sqlite:///{tmp_path}/shared.db"
    else:
        with request.getfixturevalue("postgresql").database() as url:
            yield url


@pytest.fixture
def database(store: str) -> Iterator[Database]:
    with Database.open(store) as opened:
        yield opened


@contextmanager
def another(database: Database, data: Path, worker: WorkerClaim, found: int = 5) -> Iterator[int]:
    """Another program has begun to read the data and found some of it."""
    hold(worker)
    with database.unit_of_work() as db:
        source_id = sources.begin_index(db, data.resolve(), "recording", worker)
        entries = list(open_known(data, "recording").scan())[:found]
        sources.add_index(db, source_id, 0, entries, worker.claim)
    try:
        yield source_id
    finally:
        let_go(worker)


def ended_program() -> WorkerClaim:
    """The claim of a process that is no more: another one has its number."""
    return replace(WorkerClaim.here(), started="before this one")


def elsewhere() -> WorkerClaim:
    return replace(WorkerClaim.here(), host="another machine")


def test_whoever_comes_second_follows_and_gets_the_whole(database: Database, data: Path) -> None:
    owner = WorkerClaim.here()
    with another(database, data, owner) as made:
        opening = open_indexed(database, data, CancelToken())
        first = next(opening)
        assert isinstance(first, ExternalIndexProgress)
        assert str(first) == "Another program is reading this data: 5 episodes so far"
        with database.unit_of_work() as db:
            rest = list(open_known(data, "recording").scan())[5:]
            sources.add_index(db, made, 5, rest, owner.claim)
        assert next(opening) == ExternalIndexProgress(EPISODES, 0)
        with database.unit_of_work() as db:
            sources.finish_index(db, made, library.fingerprint(data.resolve()), owner.claim)
        *_, last = opening
        assert isinstance(last, IndexProgress)
        assert (last.source_id, last.episodes, last.whole) == (made, EPISODES, True)


def test_two_threads_of_one_program_make_one_index(database: Database, data: Path) -> None:
    found: list[IndexProgress | None] = []
    together = threading.Barrier(2)

    def work() -> None:
        together.wait()
        found.append(whole_index(database, data, CancelToken()))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, second = found
    assert first and second
    assert (first.source_id, first.episodes) == (second.source_id, EPISODES)
    assert second.episodes == EPISODES


def test_who_looked_before_another_was_done_takes_what_is_there(
    database: Database, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other program begins and ends between the look into the store and the claim."""
    others: list[IndexProgress] = []

    def open_slowly(path: Path, format_name: str | None) -> Source:
        opened = open_source(path, format_name)
        monkeypatch.setattr(library, "open_source", open_source)
        other = whole_index(database, data, CancelToken())
        assert other
        others.append(other)
        return opened

    monkeypatch.setattr(library, "open_source", open_slowly)
    mine = whole_index(database, data, CancelToken())
    assert mine
    assert [(other.source_id, other.episodes) for other in others] == [(mine.source_id, EPISODES)]


def test_a_dead_owners_work_is_done_anew(database: Database, data: Path) -> None:
    with another(database, data, ended_program()) as left:
        told: list[IndexProgress | ExternalIndexProgress] = []
        whole = whole_index(database, data, CancelToken(), told=told.append)
    assert whole and whole.episodes == EPISODES
    assert whole.source_id != left
    assert not any(isinstance(one, ExternalIndexProgress) for one in told)


def test_an_owner_elsewhere_is_followed_until_it_is_silent_too_long(
    database: Database, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(library.time, "monotonic", lambda: now[0])
    owner = elsewhere()
    with another(database, data, owner) as made:
        with database.reading() as db:
            following = library._follow(database, lambda db: index_claims.making(db, data.resolve()), CancelToken())
        next(following)
        now[0] = library.SILENT_SECONDS - 1
        next(following)  # not long enough
        with database.unit_of_work() as db:
            index_claims.beat(db, made, owner.claim)
        now[0] = library.SILENT_SECONDS + 1
        next(following)  # it was heard of a moment ago
        now[0] += library.SILENT_SECONDS
        with pytest.raises(StopIteration) as end:
            next(following)
        with database.reading() as db:
            sign = index_claims.making(db, data.resolve())
        assert sign and end.value.value == (owner.claim, sign.beat)


def test_the_work_of_a_silent_owner_is_taken_over_and_it_follows(
    database: Database, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "SILENT_SECONDS", 0.0)
    with another(database, data, elsewhere()):
        whole = whole_index(database, data, CancelToken())
    assert whole and whole.episodes == EPISODES


def test_an_owner_that_was_taken_over_follows_whoever_did(database: Database, data: Path) -> None:
    opening = open_indexed(database, data, CancelToken())
    begun = next(opening)
    assert isinstance(begun, IndexProgress)
    with another(database, data, WorkerClaim.here()):
        rest = iter(opening)
        followed = next(one for one in rest if isinstance(one, ExternalIndexProgress))
        assert followed.episodes == 5
    *_, last = rest  # who took over has ended: this one reads anew
    assert isinstance(last, IndexProgress)
    assert (last.whole, last.episodes) == (True, EPISODES)


def test_waiting_can_be_cancelled(database: Database, data: Path) -> None:
    token = CancelToken()
    with another(database, data, WorkerClaim.here()):
        opening = open_indexed(database, data, token)
        assert isinstance(next(opening), ExternalIndexProgress)
        token.cancel()
        assert list(opening) == []


def test_who_stops_gives_its_index_up(database: Database, data: Path) -> None:
    token = CancelToken()
    opening = open_indexed(database, data, token)
    begun = next(opening)
    assert isinstance(begun, IndexProgress)
    token.cancel()
    assert not any(one.whole for one in opening if isinstance(one, IndexProgress))
    with database.reading() as db:
        assert index_claims.making(db, data.resolve()) is None
    with pytest.raises(UsageError, match="not read to its end"):
        start(database, begun.source, begun.source_id, EvaluationRequest(model="noisy-copy"))
    assert (whole := whole_index(database, data, CancelToken())) and whole.episodes == EPISODES


def test_no_run_begins_on_half_an_index(database: Database, data: Path) -> None:
    source = open_known(data, "recording")
    with another(database, data, WorkerClaim.here()) as made:
        for begin in (start, queue):
            with pytest.raises(
                UsageError, match=f"still being read, by process {os.getpid()} on .*: 5 episodes so far"
            ):
                begin(database, source, made, EvaluationRequest(model="noisy-copy"))


def test_reading_again_leaves_others_the_old_index(database: Database, data: Path) -> None:
    before = whole_index(database, data, CancelToken())
    assert before
    opening = open_indexed(database, data, CancelToken(), again=True)
    begun = next(opening)
    assert isinstance(begun, IndexProgress) and begun.source_id != before.source_id
    other = whole_index(database, data, CancelToken())
    assert other and other.source_id == before.source_id
    list(opening)
    with database.reading() as db:
        assert sources.place_of(db, before.source_id, "e03")
        index_claims.check_whole(db, before.source_id)
        known = sources.find(db, data.resolve())
    assert known and known.id == begun.source_id


def test_completing_is_followed_and_taken_over(database: Database, data: Path) -> None:
    index = whole_index(database, data, CancelToken())
    assert index
    worker = WorkerClaim.here()
    hold(worker)
    with database.unit_of_work() as db:
        index_claims.claim(db, index.source_id, worker)
    checking = check_indexed(database, index.source_id, index.source, CancelToken())
    assert next(checking).progress.done == 0
    let_go(worker)
    assert [step.progress.done for step in checking][-1] == EPISODES
    with database.reading() as db:
        assert sources.count_unchecked(db, index.source_id) == 0


def started(store: str, data: Path, home: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "stepscope.app.main", "evaluate", "automation", str(data), "--model", "noisy-copy"]
    return subprocess.Popen(
        [*command, "--store", store, "--json"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "STEPSCOPE_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", range(int(os.environ.get("STEPSCOPE_STARTS", "2"))))
def test_programs_side_by_side_all_evaluate_everything(data: Path, tmp_path: Path, number: int) -> None:
    """Two to four programs on a new store at once. `STEPSCOPE_STARTS` says how often (2)."""
    store = f"sqlite:///{tmp_path}/new.db"
    programs = [started(store, data, tmp_path / "home") for _ in range(2 + number % 3)]
    ends: list[tuple[int, Any]] = []
    for program in programs:
        out, err = program.communicate(timeout=300)
        form = json.loads(out) if program.returncode == 0 else {"said": err}
        ends.append((program.returncode, form.get("said") or form["n"] + form["unscored"]))
    assert ends == [(0, EPISODES * ACTIONS)] * len(programs)
