"""What can go wrong while a run is at work: nothing scored is lost, and a resumed run comes to the numbers of one that
nothing happened to."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import event

from stepscope.core.domain.action import Tap, Type
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Candidate, FeasibilityAnswer, Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey, RunState
from stepscope.core.errors import OutOfMemory, StoreError
from stepscope.core.evaluation.runs import BATCH_ITEMS, EvaluationRun, mark_cancelled, reopen_errors
from stepscope.core.evaluation.summaries import summary
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store import queries
from stepscope.core.store.abandoned_runs import mark_interrupted
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from stepscope.core.store.worker import WorkerClaim
from tests.full_disk import fill, small_disk

TAPS = {"a": 40, "b": 40}
KEYS = [ItemKey(name, step) for name, taps in TAPS.items() for step in range(taps + 1)]
SIZE = Size(100, 200)

in_a_file = pytest.mark.parametrize("database", ["file"], indirect=True)


def tap(request: Any, x: Any = None, **more: Any) -> Prediction:
    return Prediction(request.episode, request.step, ActionAnswer(Tap(Point(x or request.step, 0, SIZE))), **more)


def start(database: Database, fakes: Any, predictor: Any, **more: Any) -> EvaluationRun:
    source = fakes.FakeSource.of(**TAPS)
    return EvaluationRun.start(database, fakes.SPEC, source, [*TAPS], predictor, fakes.FakeScorer(), **more)


def go_on(database: Database, fakes: Any, run: str, predictor: Any = None) -> None:
    """Resume to the end: every item is there once, with the numbers of an undisturbed run."""
    source = fakes.FakeSource.of(**TAPS)
    again = EvaluationRun.resume(database, run, source, predictor or fakes.FakePredictor(), fakes.FakeScorer())
    assert list(again.updates())[-1].state is RunState.DONE
    assert sorted(keys(database, run), key=KEYS.index) == KEYS
    assert_undisturbed(database, fakes, run)


def assert_undisturbed(database: Database, fakes: Any, run: str) -> None:
    assert {**summary(database, run, fakes.FakeScorer()), "run": ""} == _undisturbed(fakes)


@cache
def _undisturbed(fakes: Any) -> dict[str, Any]:
    with Database.open("sqlite://") as database:
        run = start(database, fakes, fakes.FakePredictor())
        list(run.updates())
        return {**summary(database, run.run_id, fakes.FakeScorer()), "run": ""}


def keys(database: Database, run: str) -> list[ItemKey]:
    with database.reading() as db:
        return [outcome.key for outcome in queries.each_item(db, run)]


def stored(database: Database, run: str) -> Any:
    with database.reading() as db:
        return runs.get(db, run)


# -- what a model answers


GARBAGE: dict[str, tuple[Callable[[Any], Any], str]] = {
    "nothing": (lambda _: None, "it answered with NoneType, not with a prediction"),
    "another episode": (lambda r: replace(tap(r), episode="z"), "of episode z"),
    "another step": (lambda r: replace(tap(r), step=None), "it answered step None of episode a"),
    "an answer of another task": (
        lambda r: Prediction(r.episode, r.step, FeasibilityAnswer(FeasibilityLabel.FEASIBLE)),
        "it answered with FeasibilityAnswer, where ActionAnswer is asked for",
    ),
    "no answer at all": (lambda r: Prediction(r.episode, r.step, "tap"), "it answered with str"),  # type: ignore[arg-type]
    "an infinite place": (lambda r: tap(r, float("inf")), "a point must be finite"),
    "a place beyond numbers": (lambda r: tap(r, 10**400), "OverflowError"),
    "a number as text": (
        lambda r: Prediction(r.episode, r.step, ActionAnswer(Type(5))),  # type: ignore[arg-type]
        "action.text must be text",
    ),
    "a score that is none": (
        lambda r: Prediction(r.episode, r.step, ActionAnswer(tap(r).action, (Candidate(tap(r).action, float("nan")),))),
        "not JSON compliant",
    ),
    "a number that JSON lacks": (lambda r: tap(r, Fraction(3)), "Fraction is no part of an answer"),
    "words in bytes": (lambda r: tap(r, raw=b"tap"), "raw is bytes, not text"),
    "confidence in words": (lambda r: tap(r, confidence="high"), "TypeError"),
    "the end of the program": (lambda _: sys.exit(3), "it called sys.exit(3)"),
    "no memory": (lambda _: bytearray(1 << 62), "MemoryError"),
    "too deep": (lambda r: GARBAGE["too deep"][0](r), "RecursionError"),
    "half a character": (lambda _: int("\ud800"), "ValueError: invalid literal"),
}


class _Odd:
    """Sound, but for the first steps of `a`, where the model does each of `oddities`."""

    def __init__(self, fakes: Any, *oddities: Callable[[Any], Any], batches: bool = False) -> None:
        self._sound, self._oddities = fakes.FakePredictor(), oddities
        self.info = replace(self._sound.info, batches=batches)
        self.batch_size, self.fingerprint = 8, ""

    def predict(self, request: Any) -> Any:
        odd = request.episode == "a" and request.step < len(self._oddities)
        return self._oddities[request.step](request) if odd else self._sound.predict(request)

    def prepare(self, request: Any) -> Any:
        return request

    def predict_batch(self, prepared: Any) -> list[Any]:
        return [self.predict(request) for request in prepared]

    def warm_up(self) -> None:
        """Nothing to warm."""

    def close(self) -> None:
        """Nothing to give back."""


@in_a_file
@pytest.mark.parametrize("batches", [False, True])
def test_garbage_costs_its_item_and_is_asked_for_again(database, fakes, batches):
    run = start(database, fakes, _Odd(fakes, *(what for what, _ in GARBAGE.values()), batches=batches))
    assert list(run.updates())[-1].state is RunState.DONE
    with database.reading() as db:
        failed = list(queries.each_item(db, run.run_id, "error"))
    assert [item.key for item in failed] == KEYS[: len(GARBAGE)]
    for item, (garbage, (_, words)) in zip(failed, GARBAGE.items(), strict=True):
        assert item.score.why.startswith("The model failed: ") and words in item.score.why, garbage
    assert reopen_errors(database, run.run_id) == len(GARBAGE)
    go_on(database, fakes, run.run_id)


def right(request: Any, x: Any = 0, **more: Any) -> Prediction:
    """What the sound model answers, with x in another kind of number."""
    point = Point(x + request.step + (request.step % 3 == 2), 0, SIZE)
    return Prediction(request.episode, request.step, ActionAnswer(Tap(point)), **more)


@in_a_file
def test_what_can_be_understood_is_scored(database, fakes):
    sound = (
        lambda r: right(r, np.float32(0)),
        lambda r: right(r, np.int64(0)),
        lambda r: right(r, confidence=np.float32(0.25), latency_ms=np.float32(3)),
        lambda r: right(r, confidence=float("nan"), latency_ms=float("inf")),
        lambda r: right(r, raw="\ud800 and NUL \0"),
        lambda r: right(r, raw="word " * 2_000_000),
    )
    run = start(database, fakes, _Odd(fakes, *sound))
    list(run.updates())
    assert_undisturbed(database, fakes, run.run_id)
    with database.reading() as db:
        found = [item.prediction for item in queries.each_item(db, run.run_id)][: len(sound)]
    assert [one.action for one in found] == [Tap(Point(x, 0, SIZE)) for x in (0, 1, 3, 3, 4, 6)]
    assert [one.confidence for one in found] == [None, None, 0.25, None, None, None]
    assert [one.latency_ms for one in found] == [None, None, 3, None, None, None]
    assert [len(one.raw) for one in found][-2:] == [len(r"\ud800 and NUL \x00"), 10_000_000]


@in_a_file
def test_a_refusal_is_a_wrong_answer_with_its_reason(database, fakes):
    def refuse(request: Any) -> Prediction:
        return Prediction(request.episode, request.step, None, PredictionStatus.REFUSED, why="I would rather not.")

    run = start(database, fakes, _Odd(fakes, refuse))
    list(run.updates())
    found = summary(database, run.run_id, fakes.FakeScorer())
    assert (found["errors"], found["malformed"], found["null"], found["n"]) == (0, 1, 1, 80)


# -- where a model breaks


class Batching(_Odd):
    """A sound model in batches, with whatever of it a test replaces."""

    def __init__(self, fakes: Any, **replaced: Any) -> None:
        super().__init__(fakes, batches=True)
        vars(self).update(replaced)


@in_a_file
@pytest.mark.parametrize("error", [OSError("no driver"), SystemExit(1), MemoryError()])
def test_a_model_that_cannot_warm_up_fails_the_run_with_the_reason(database, fakes, error):
    def warm_up() -> None:
        raise error

    run = start(database, fakes, Batching(fakes, warm_up=warm_up))
    with pytest.raises((OSError, RuntimeError, MemoryError)):
        list(run.updates())
    found = stored(database, run.run_id)
    assert found.state is RunState.FAILED
    assert found.message in ("OSError: no driver", "RuntimeError: it called sys.exit(1)", "MemoryError")
    go_on(database, fakes, run.run_id)


@in_a_file
@pytest.mark.parametrize("where", ["prepare", "predict_batch"])
def test_every_item_fails_where_the_model_always_does(database, fakes, where):
    def broken(_: Any) -> Any:
        raise KeyError("weights")

    run = start(database, fakes, Batching(fakes, **{where: broken}))
    list(run.updates())
    assert summary(database, run.run_id, fakes.FakeScorer())["errors"] == len(KEYS)
    with database.reading() as db:
        assert {item.score.why for item in queries.each_item(db, run.run_id)} == {
            "The model failed: KeyError: 'weights'"
        }
    assert reopen_errors(database, run.run_id) == len(KEYS)
    go_on(database, fakes, run.run_id)


@in_a_file
@pytest.mark.parametrize("given", [lambda batch: batch[:-1], lambda _: None, lambda batch: iter(batch), lambda _: []])
def test_a_wrong_number_of_answers_is_never_put_to_the_wrong_item(database, fakes, given):
    sound = Batching(fakes)

    def predict_batch(batch: Any) -> Any:
        answers = [sound.predict(request) for request in batch]
        return given(answers) if any(request.step == 1 for request in batch) else answers

    run = start(database, fakes, Batching(fakes, predict_batch=predict_batch))
    list(run.updates())
    with database.reading() as db:
        failed = [item.key for item in queries.each_item(db, run.run_id, "error")]
    assert failed == [ItemKey("a", 1), ItemKey("b", 1)]
    reopen_errors(database, run.run_id)
    go_on(database, fakes, run.run_id)


@in_a_file
@pytest.mark.parametrize(("room", "errors"), [(3, 0), (1, 0), (0, len(KEYS))])
def test_memory_of_the_device(database, fakes, room, errors):
    """`room` inputs fit at once: smaller batches where they can be, an error of each item where not even one fits."""
    sound, sizes = Batching(fakes), []

    def predict_batch(batch: Any) -> Any:
        sizes.append(len(batch))
        if len(batch) > room:
            raise OutOfMemory("the model does not fit into memory", place="cuda:0", hint="Choose another device.")
        return sound.predict_batch(batch)

    run = start(database, fakes, Batching(fakes, predict_batch=predict_batch))
    list(run.updates())
    assert summary(database, run.run_id, fakes.FakeScorer())["errors"] == errors
    assert max(sizes[10:]) <= max(room, 1), "what does not fit is not tried again"
    if errors:
        with database.reading() as db:
            item = next(iter(queries.each_item(db, run.run_id)))
        assert item.score.why.endswith("cuda:0: the model does not fit into memory. Choose another device.")
        reopen_errors(database, run.run_id)
        go_on(database, fakes, run.run_id)
    assert_undisturbed(database, fakes, run.run_id)


@in_a_file
def test_threads_of_a_model_and_its_noise_are_its_own_matter(database, fakes, capfd):
    done = threading.Event()
    helpers: list[threading.Thread] = []

    class Noisy(fakes.FakePredictor):
        def predict(self, request: Any) -> Prediction:
            helper = threading.Thread(target=done.wait)
            helper.start()
            helpers.append(helper)
            print("thinking about", request.step)
            return super().predict(request)

    run = start(database, fakes, Noisy())
    list(run.updates())
    assert stored(database, run.run_id).state is RunState.DONE
    done.set()
    for helper in helpers:
        helper.join()
    assert len(capfd.readouterr().out.splitlines()) == len(KEYS)


# -- where the store breaks


def limited(database: Database, pages: Callable[[int], int]) -> None:
    """From now on the store's file holds no more than `pages(pages now)`: SQLite itself says that the disk is full."""

    @event.listens_for(database._engine, "connect")
    def _limit(connection: Any, _: object) -> None:
        count = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages(count)}")

    database._engine.dispose()


def wordy(fakes: Any) -> Any:
    """A sound model of many words, so that a disk fills up."""
    return _Wordy(fakes.FakePredictor())


class _Wordy:
    def __init__(self, sound: Any) -> None:
        self.info, self._sound = sound.info, sound

    def predict(self, request: Any) -> Prediction:
        return replace(self._sound.predict(request), raw="words " * 1000)


@in_a_file
def test_a_full_store_keeps_what_was_committed_and_goes_on_when_there_is_room(database, fakes, tmp_path):
    run = start(database, fakes, wordy(fakes))
    limited(database, lambda now: now + 130)  # 520 KB
    with pytest.raises(StoreError, match=r"The disk is full: the last results were not saved\. Make room, then resume"):
        list(run.updates())
    left = keys(database, run.run_id)
    assert left == KEYS[: len(left)] and BATCH_ITEMS <= len(left) < len(KEYS)
    assert stored(database, run.run_id).state is RunState.FAILED, "a state takes no room"
    assert "disk is full" in stored(database, run.run_id).message
    database.close()
    with Database.open(f"sqlite:///{tmp_path}/one.db") as roomy:
        go_on(roomy, fakes, run.run_id, wordy(fakes))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting is for root")
def test_a_disk_that_is_really_full(fakes, tmp_path):
    with small_disk(tmp_path / "disk") as disk, Database.open(store_url(disk / "s.db")) as database:
        run = start(database, fakes, wordy(fakes))
        filler = fill(disk, 250_000)
        with pytest.raises(StoreError, match=r"The disk is full: the last results were not saved\. Make room"):
            list(run.updates())
        left = keys(database, run.run_id)
        assert left == KEYS[: len(left)]
        filler.unlink()
        mark_interrupted(database)
        assert stored(database, run.run_id).state in (RunState.FAILED, RunState.INTERRUPTED)
        go_on(database, fakes, run.run_id)


FILE_LIMIT = """
import resource, sys
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from fakes import SPEC, FakePredictor, FakeScorer, FakeSource
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.store.engine import Database

class Wordy(FakePredictor):
    def predict(self, request):
        return replace(super().predict(request), raw="words " * 1000)

with Database.open(sys.argv[1]) as database:
    source = FakeSource.of(a=40, b=40)
    run = EvaluationRun.start(database, SPEC, source, ["a", "b"], Wordy(), FakeScorer())
    print(run.run_id, flush=True)
    log = Path(sys.argv[1].removeprefix("sqlite:///") + "-wal")
    sys.dont_write_bytecode = True  # a compiled module would be cut off
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 250_000,) * 2)
    try:
        list(run.updates())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
"""


def test_a_file_that_may_not_grow(fakes, tmp_path):
    """The system refuses larger files: a quota, or a file system's own limit."""
    url, here = store_url(tmp_path / "s.db"), Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": str(here.parents[2])}
    command = [sys.executable, "-c", FILE_LIMIT, url, str(here)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True, timeout=60)
    run, told = done.stdout.splitlines()
    assert told.startswith("StoreError: ") and "Make room" in told
    with Database.open(url) as database:
        left = keys(database, run)
        assert left == KEYS[: len(left)] and len(left) < len(KEYS)
        mark_interrupted(database)
        assert stored(database, run).state in (RunState.FAILED, RunState.INTERRUPTED)
        go_on(database, fakes, run, wordy(fakes))


@pytest.mark.parametrize("when", ["begin", "batch", "end"])
def test_a_locked_store_fails_the_run_and_lets_go_of_it(fakes, tmp_path, when):
    """Another program writes for longer than a run waits. Once it is done, the run goes on."""
    with Database.open(store_url(tmp_path / "s.db"), busy_timeout_ms=1) as database:
        run = start(database, fakes, fakes.FakePredictor())
        work, items = run.updates(), {"begin": 0, "batch": BATCH_ITEMS, "end": len(KEYS)}[when]
        for _ in range(items + 1 if items else 0):
            next(work)
        with closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match=r"in use by another program. Wait until that is done, then try again"):
                list(work)
            left = keys(database, run.run_id)
            other.execute("ROLLBACK")
        assert items - BATCH_ITEMS < len(left) <= items
        assert mark_interrupted(database) == [run.run_id], "nobody holds on to it"
        go_on(database, fakes, run.run_id)


@in_a_file
def test_a_lock_that_is_let_go_in_time_costs_nothing(database, fakes, tmp_path):
    run = start(database, fakes, fakes.FakePredictor())
    work = run.updates()
    next(work)
    other = sqlite3.connect(tmp_path / "one.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    rest = threading.Timer(0.2, lambda: other.execute("ROLLBACK"))
    rest.start()
    assert list(work)[-1].state is RunState.DONE
    rest.join()
    other.close()
    assert keys(database, run.run_id) == KEYS


@in_a_file
def test_a_run_that_is_deleted_while_it_works_ends_in_words_and_leaves_nothing(database, fakes):
    run = start(database, fakes, fakes.FakePredictor())
    work = run.updates()
    for _ in range(BATCH_ITEMS + 5):
        next(work)
    with database.unit_of_work() as db:
        runs.remove(db, run.run_id)
    with pytest.raises(StoreError, match=f"Run {run.run_id} was taken over by another worker or deleted"):
        list(work)
    with database.reading() as db:
        assert queries.run_list(db) == []
    assert keys(database, run.run_id) == []


@in_a_file
def test_a_run_taken_over_while_it_works_has_every_item_once(database, fakes):
    run = start(database, fakes, fakes.FakePredictor())
    work = run.updates()
    for _ in range(BATCH_ITEMS + 5):
        next(work)
    with database.unit_of_work() as db:  # as a process on another machine that was told to
        runs.claim(db, run.run_id, replace(WorkerClaim.here(), claim="another"))
    with pytest.raises(StoreError, match="was taken over by another worker"):
        list(work)
    go_on(database, fakes, run.run_id)


@in_a_file
def test_a_worker_that_was_ended_leaves_a_cancelled_run_and_one_at_work_stays(database, fakes):
    run = start(database, fakes, fakes.FakePredictor())
    mark_cancelled(database, run.run_id)
    assert stored(database, run.run_id).state is RunState.QUEUED, "this process holds it"
    with database.unit_of_work() as db:
        runs.claim(db, run.run_id, replace(WorkerClaim.here(), claim="of a dead one", pid=2**22 + 1))
    mark_cancelled(database, run.run_id)
    assert stored(database, run.run_id).state is RunState.CANCELLED
    go_on(database, fakes, run.run_id)


# -- data that goes away


@in_a_file
def test_data_that_vanishes_costs_the_episodes_that_are_left(database, fakes):
    class Vanishing(fakes.FakeSource):
        def read(self, episode_id: str) -> Any:
            if episode_id == "b":
                raise FileNotFoundError(2, "No such file or directory", "data/b/episode.json")
            return super().read(episode_id)

    source = Vanishing.of(**TAPS)
    run = EvaluationRun.start(
        database, fakes.SPEC, source, [*TAPS], fakes.FakePredictor(), fakes.FakeScorer(), token=CancelToken()
    )
    assert list(run.updates())[-1].state is RunState.DONE
    with database.reading() as db:
        (lost,) = queries.each_item(db, run.run_id, "error")
    assert lost.key == ItemKey("b", -1)
    assert lost.score.why.startswith("The episode cannot be read: FileNotFoundError: ")
    assert reopen_errors(database, run.run_id) == 1
    go_on(database, fakes, run.run_id)
