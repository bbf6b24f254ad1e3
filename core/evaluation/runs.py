"""The use case of a stored evaluation: start, go on, cancel, resume.

`EvaluationRun.updates` is the one generator behind the command line's progress bar and the window's table. It owns the
transactions: outcomes are committed in small batches, and each batch proves that this worker still owns the run. What a
kill destroys is the batch in hand; the next worker goes on behind the last committed item. A store's server that is
away is waited for (`core.store.absence`), with the batch in hand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import Prediction
from stepscope.core.domain.run import Outcome, Run, RunSpec, RunState
from stepscope.core.domain.score import Metrics
from stepscope.core.errors import StoreError, UsageError
from stepscope.core.evaluation.completeness import items_due, uneven
from stepscope.core.evaluation.predictor import ModelInfo, Predictor
from stepscope.core.evaluation.runner import evaluate, words_of
from stepscope.core.evaluation.tasks import count_items
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter, WorkerPace
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import step_metrics
from stepscope.core.scoring.rule import AggregatingScorer, Options, ScoredItem
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.abandoned_runs import abandoned
from stepscope.core.store.absence import StillAwayError, tried_until_there
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import index_claims, outcomes, readings, runs, sources
from stepscope.core.store.worker import WorkerClaim, hold, is_alive, let_go

Made = TypeVar("Made")
Evaluate = Callable[..., Iterator[Outcome]]
"""`runner.evaluate`, or what stands in its place."""
BATCH_ITEMS = 32
BATCH_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class RunUpdate:
    """The run after one more item, or in a new state. `committed` counts items that are safe in the store; `metrics`
    are the latest known ones, None before the first batch. `remembered` answers were known from earlier runs. `workers`
    are those of a cluster that work on it, none where the run is worked on here. The store's server has been `away` for
    so many seconds, None: it is there."""

    run_id: str
    state: RunState
    progress: Progress
    committed: int
    outcome: Outcome | None = None
    metrics: Metrics | None = None
    remembered: int = 0
    workers: tuple[WorkerPace, ...] = ()
    away: float | None = None

    @property
    def known(self) -> str:
        """How many answers were known, in a sentence; "" for none."""
        return _known(self.remembered)


def _known(count: int) -> str:
    if not count:
        return ""
    return f"{count:,} {'answer was' if count == 1 else 'answers were'} known from earlier runs."


def enqueue(
    database: Database,
    spec: RunSpec,
    units: Sequence[str],
    model: ModelInfo,
    scorer: AggregatingScorer,
    *,
    source_id: int | None = None,
    total: int | None = None,
) -> tuple[str, WorkerClaim]:
    """A new queued run over these rows of the source, claimed by this process: its id and the claim.

    `source_id` is the index that the rows are of, the one that counts when not given. `total` items are counted from
    it when not given. Model, protocol, its version and all its options are written as model and scorer name them.
    Should this process end before somebody works on it, it is interrupted.

    Raises UsageError for options that the protocol does not have and for data whose index is not whole, StoreError when
    nothing can be written.
    """
    spec = _completed(spec, model, scorer)
    worker = WorkerClaim.here()
    hold(worker)  # before anybody can read the claim
    try:
        with database.unit_of_work() as db:
            source_id = _whole_index(db, spec, source_id)
            if total is None and source_id is not None:
                total = count_items(db, spec.task, source_id, units, dict(spec.options), spec.protocol)
            run_id = runs.add(db, spec, units, worker, total=total)
    except BaseException:
        let_go(worker)
        raise
    return run_id, worker


def _whole_index(db: Session, spec: RunSpec, source_id: int | None) -> int | None:
    """The index that a run's rows are of, None where the store has none. Raises UsageError for one that is not whole:
    whatever it does not have yet would be missing from the run."""
    if source_id is not None:
        index_claims.check_whole(db, source_id)
        return source_id
    known = sources.find(db, spec.source)
    if known is None:
        index_claims.check_none_unfinished(db, spec.source)
    return None if known is None else known.id


def withdraw(database: Database, run_id: str, worker: WorkerClaim) -> None:
    """Give up a queued run that nobody has begun: it is cancelled, and can be resumed."""
    with database.unit_of_work() as db:
        if any(claim.worker.claim == worker.claim for claim in runs.claimed(db, run_id)):
            runs.set_state(db, run_id, RunState.CANCELLED)
    let_go(worker)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A commit of which it is not known whether it was one, since the server's word of it may have been lost: it wrote
    `moment` as the sign of life, so many of the items in hand, and the state."""

    moment: datetime
    items: int
    state: RunState | None


class EvaluationRun:
    """A run that this process has claimed. Iterate `updates` once; closing it stops the run and keeps what is there."""

    def __init__(
        self,
        database: Database,
        run: Run,
        episodes: Sequence[str],
        source: Source,
        predictor: Predictor[Any],
        scorer: AggregatingScorer,
        worker: WorkerClaim,
        *,
        token: CancelToken | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Use `start` or `resume`."""
        self.run_id = run.id
        self.spec = run.spec
        self.token = token or CancelToken()
        self._database, self._episodes, self._worker = database, episodes, worker
        self._source, self._predictor, self._scorer = source, predictor, scorer
        self._options = parse_options(scorer.info, dict(run.spec.options))
        self._clock = clock
        self._state = run.state
        self._meter = ProgressMeter(run.total, run.done, clock)
        self._pending: list[Outcome] = []
        self._attempt: _Attempt | None = None
        self._committed = run.done
        self._scoring = 0
        self._flushed = 0.0
        self._counted: float | None = None
        self._remembered_before: int = getattr(predictor, "remembered", 0)
        self._metrics = LiveMetrics(scorer, self._options, clock)
        self.evaluate: Evaluate = evaluate
        """What predicts and scores the items; others than the runner give the same outcomes in the same order."""
        self.batch_items = BATCH_ITEMS
        """Items that are committed at once, or fewer where they take `BATCH_SECONDS`."""
        self.paces: Callable[[], tuple[WorkerPace, ...]] = tuple
        """What the workers of a cluster have done, where such work on it."""

    @classmethod
    def start(
        cls,
        database: Database,
        spec: RunSpec,
        source: Source,
        episode_ids: Sequence[str],
        predictor: Predictor[Any],
        scorer: AggregatingScorer,
        *,
        source_id: int | None = None,
        total: int | None = None,
        token: CancelToken | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> EvaluationRun:
        """A new run over the episodes, as `enqueue` writes it, and at once this process's own. Errors as there."""
        run_id, worker = enqueue(database, spec, episode_ids, predictor.info, scorer, source_id=source_id, total=total)
        with database.reading() as db:
            run = runs.get(db, run_id)
        return cls(database, run, tuple(episode_ids), source, predictor, scorer, worker, token=token, clock=clock)

    @classmethod
    def resume(
        cls,
        database: Database,
        run_id: str,
        source: Source,
        predictor: Predictor[Any],
        scorer: AggregatingScorer,
        *,
        take_over: bool = False,
        handed_over: str = "",
        token: CancelToken | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> EvaluationRun:
        """The run again, to go on behind its last item.

        Raises UsageError when it is done, when somebody works on it, or when the predictor or the rule is not the one
        it was begun with. Whether a worker on another machine lives is not known: `take_over` says that it is dead.
        `handed_over` is the claim of a process that queued the run for this one.
        """
        worker = WorkerClaim.here()
        hold(worker)
        try:
            with database.unit_of_work() as db:
                run = runs.get(db, run_id)
                check_unclaimed([c for c in runs.claimed(db, run_id) if c.worker.claim != handed_over], take_over)
                _check_resumable(run, predictor, scorer)
                runs.claim(db, run_id, worker)
                episodes = runs.selection(db, run_id)
                if not episodes:
                    raise UsageError(f"Which episodes run {run_id} is about is not known.", hint="Start a new run.")
        except BaseException:
            let_go(worker)
            raise
        return cls(database, run, episodes, source, predictor, scorer, worker, token=token, clock=clock)

    def updates(self) -> Iterator[RunUpdate]:
        """Work, yielding after every item and every change of state. Ends with one update in the final state.

        Cancelling the token, closing the generator and Ctrl+C leave the run cancelled with all its items; what raises
        leaves it failed and is raised again.
        """
        try:
            yield from self._work()
        except (GeneratorExit, KeyboardInterrupt):
            self._break_off(RunState.CANCELLED)
            raise
        except BaseException as error:
            if not (isinstance(error, StoreError) and error.of_absence):  # else nothing can be said of the run now
                with suppress(StoreError):  # the first trouble is the one to tell
                    self._break_off(RunState.FAILED, words_of(error))
            raise
        finally:
            let_go(self._worker)

    __iter__ = updates

    def _answered(self, episode: str) -> Mapping[int, Prediction]:
        """What the run has of an episode's steps."""
        with self._database.reading() as db:
            rows = queries.items(db, self.run_id, episodes=[episode], limit=None).rows
        return {outcome.key.step: outcome.prediction for outcome in rows}

    def _work(self) -> Iterator[RunUpdate]:
        done = yield from self._when_there(self._begin)
        yield self._update()
        yield from self._pause()
        self._counted = self._clock()
        while True:
            try:
                yield from self._evaluated(done)
                break
            except StoreError as error:  # of whatever reads in the store: data, a model's stored answers
                if not error.of_absence or isinstance(error, StillAwayError):
                    raise
            yield from self._flush()
            done = yield from self._when_there(self._done)
        yield from self._flush(RunState.CANCELLED if self.token.cancelled else RunState.DONE)
        yield self._update()

    def _done(self) -> frozenset[Any]:
        with self._database.reading() as db:
            return outcomes.keys(db, self.run_id)

    def _evaluated(self, done: frozenset[Any]) -> Iterator[RunUpdate]:
        """Work on what is not done, and commit it batch by batch but the last."""
        items = self.evaluate(
            self._source,
            self._episodes,
            self._predictor,
            self._scorer,
            self._options,
            seed=self.spec.seed,
            done=done,
            token=_CancelOnly(self.token),
            waiting=self._flush_waiting,
            answered=self._answered,
        )
        before = self._flushed = self._clock()
        for outcome in items:
            now = self._clock()
            self._pending.append(outcome)
            self._meter.advance()
            # an item as slow as the last one would leave this one waiting for too long: commit before it
            if len(self._pending) >= self.batch_items or (now - self._flushed) + (now - before) >= BATCH_SECONDS:
                yield from self._flush()
            yield self._update(outcome)
            yield from self._pause()
            before = self._clock()

    def _begin(self) -> frozenset[Any]:
        """Enter the running state; returns the items that are done."""
        info = self._scorer.info
        with self._database.unit_of_work() as db:
            runs.beat(db, self.run_id, self._worker)
            self._scoring = outcomes.scoring(db, self.run_id, info.name, info.version, self.spec.options, own=True)
            runs.set_state(db, self.run_id, RunState.RUNNING)
            done = outcomes.keys(db, self.run_id)
            earlier = queries.scores(db, self.run_id) if done else []
        self._state = RunState.RUNNING
        self._metrics.take(ScoredItem(*row) for row in earlier)
        return done

    def _pause(self) -> Iterator[RunUpdate]:
        """Wait while the token is paused, with everything committed and the run marked as paused."""
        if not self.token.paused:
            return
        since = self._clock()
        yield from self._flush(RunState.PAUSED)
        yield self._update()
        self.token.wait_if_paused()
        self._counted = self._clock()
        self._meter.discount(self._clock() - since)
        yield from self._flush(RunState.RUNNING)
        yield self._update()

    def _flush_waiting(self) -> None:
        """The next batch takes its time: what the last one gave is kept meanwhile. Where the server is away, the next
        batch waits for it."""
        if self._pending:
            try:
                self._keep()
            except StoreError as error:
                if not error.of_absence:
                    raise

    def _flush(self, state: RunState | None = None) -> Iterator[RunUpdate]:
        """Commit, and bring the live metrics up to date; tells how long a server that is away has been waited for."""
        yield from self._when_there(lambda: self._keep(state))

    def _when_there(self, work: Callable[[], Made]) -> Generator[RunUpdate, None, Made]:
        """What the work makes of the store, once its server is there; the time until then counts as none."""
        trying, before = tried_until_there(work, self.token, self._clock), self._clock()
        while True:
            try:
                seconds = next(trying)
            except StopIteration as end:
                return cast("Made", end.value)
            yield replace(self._update(), away=seconds)
            now = self._clock()
            self._meter.discount(now - before)
            self._counted = None if self._counted is None else self._counted + now - before
            before = now

    def _keep(self, state: RunState | None = None) -> None:
        self._flushed = self._clock()
        items = [ScoredItem(o.key.episode, o.key.step, replace(o.score, why="")) for o in self._pending]
        self._commit(state)
        self._metrics.take(items, final=self._state not in runs.UNFINISHED)

    def _commit(self, state: RunState | None = None, message: str = "") -> None:
        """The pending items, a sign of life and, when given, a new state: all or nothing."""
        with self._database.unit_of_work() as db:
            if self._attempt is not None and self._was_kept(db, self._attempt, state):
                return
            batch, now, moment = self._pending, self._clock(), datetime.now(UTC)
            self._attempt = _Attempt(moment, len(batch), state)
            runs.beat(db, self.run_id, self._worker, moment)
            outcomes.add_many(db, self.run_id, self._scoring, batch)
            if self._counted is not None:
                runs.add_worked(db, self.run_id, now - self._counted)
            if state is not None:
                runs.set_state(db, self.run_id, state, message)
            total = self._committed + len(batch)
            if state is RunState.DONE:
                total = items_due(db, self.run_id, self.spec, self._episodes, total)
                runs.set_total(db, self.run_id, total)
                if missing := uneven(self._committed + len(batch), total):
                    runs.add_note(db, self.run_id, missing)
                readings.take_place(db, self.run_id)
            if state in (RunState.DONE, RunState.CANCELLED) and self._remembered:
                runs.add_note(db, self.run_id, _known(self._remembered))
        self._attempt, self._pending = None, []
        self._committed += len(batch)
        self._counted = None if self._counted is None else now
        self._state = state or self._state
        if state is RunState.DONE:
            self._meter.total = total

    def _was_kept(self, db: Session, attempt: _Attempt, state: RunState | None) -> bool:
        """Find out what became of an attempt, and reckon with it; whether nothing is left to be written."""
        was_kept = runs.last_beat(db, self.run_id) == attempt.moment
        self._attempt = None
        if not was_kept:
            return False
        self._pending, self._committed = self._pending[attempt.items :], self._committed + attempt.items
        self._counted = None if self._counted is None else self._clock()
        self._state = attempt.state or self._state
        is_over = self._state not in runs.UNFINISHED
        if is_over:
            self._meter.total = runs.get(db, self.run_id).total
        return is_over or (not self._pending and state in (None, attempt.state))

    def _break_off(self, state: RunState, message: str = "") -> None:
        """Keep what is there and leave the run in its last state, unless it has one already."""
        if self._state not in runs.UNFINISHED:
            return
        if state is RunState.FAILED:
            with suppress(Exception):  # the items may be what cannot be written; the state still can
                self._commit()
            self._pending = []
        self._commit(state, message)

    def _update(self, outcome: Outcome | None = None) -> RunUpdate:
        metrics = self._metrics.latest
        progress, remembered = self._meter.snapshot(), self._remembered
        workers = self.paces()
        return RunUpdate(self.run_id, self._state, progress, self._committed, outcome, metrics, remembered, workers)

    @property
    def _remembered(self) -> int:
        """Answers that cost nothing: the predictor counts them over all its runs."""
        return getattr(self._predictor, "remembered", 0) - self._remembered_before


def mark_cancelled(database: Database, run_id: str) -> None:
    """Mark a run as cancelled whose worker was ended because it did not answer; one that somebody works on stays."""
    with database.unit_of_work() as db:
        if abandoned(runs.claimed(db, run_id)):
            runs.set_state(db, run_id, RunState.CANCELLED)


def reopen_errors(database: Database, run_id: str) -> int:
    """Forget the items that ended in an error and make the run resumable; returns how many. Raises UsageError while
    somebody works on it."""
    with database.unit_of_work() as db:
        runs.get(db, run_id)
        check_unclaimed(runs.claimed(db, run_id))
        dropped = outcomes.drop_errors(db, run_id)
        if dropped:
            runs.set_state(db, run_id, RunState.INTERRUPTED, "Items that ended in an error are to be done again.")
    return dropped


def check_unclaimed(claims: Sequence[runs.ClaimedRun], take_over: bool = False) -> None:
    """Raises UsageError for a run that somebody works on, or may work on unless `take_over` says that they do not."""
    for claim in claims:
        alive = is_alive(claim.worker)
        if alive or (alive is None and not take_over):
            place = f"{claim.worker.host}, process {claim.worker.pid}"
            raise UsageError(f"Run {claim.run_id} is at work on {place}.", hint="Cancel it there first.")


def options_as_text(options: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Checked options as `RunSpec` keeps them."""
    return tuple(sorted((name, str(value)) for name, value in options.items()))


def _completed(spec: RunSpec, model: ModelInfo, scorer: AggregatingScorer) -> RunSpec:
    options = options_as_text(parse_options(scorer.info, dict(spec.options)))
    info = scorer.info
    return replace(spec, model=model.name, protocol=info.name, scorer_version=info.version, options=options)


def _check_resumable(run: Run, predictor: Predictor[Any], scorer: AggregatingScorer) -> None:
    if run.state is RunState.DONE:
        raise UsageError(f"Run {run.id} is done: there is nothing to resume.")
    begun = run.spec.model, run.spec.protocol, run.spec.scorer_version
    now = predictor.info.name, scorer.info.name, scorer.info.version
    if begun != now:
        was, given = (f"{model} under {rule} {version}" for model, rule, version in (begun, now))
        hint = "Start a new run: results of two settings must not be mixed."
        raise UsageError(f"Run {run.id} was begun with {was}, not {given}.", hint=hint)


class _CancelOnly(CancelToken):
    """The run's token for the runner: pausing is the run's own matter, which commits and says so before it waits."""

    def __init__(self, token: CancelToken) -> None:
        super().__init__()
        self._token = token

    @property
    def cancelled(self) -> bool:
        return self._token.cancelled


METRICS_SHARE = 0.05
"""Live metrics are computed again when that takes at most this share of the running time."""


class LiveMetrics:
    """Metrics so far. They are computed over all items, so ever more seldom the longer that takes."""

    def __init__(self, scorer: AggregatingScorer, options: Options, clock: Callable[[], float]) -> None:
        self.latest: Metrics | None = None
        self._scorer, self._options, self._clock = scorer, options, clock
        self._items: list[ScoredItem] = []
        self._not_before = float("-inf")

    def take(self, items: Iterable[ScoredItem], *, final: bool = False) -> None:
        self._items.extend(items)
        began = self._clock()
        if not self._items or (began < self._not_before and not final):
            return
        self.latest = step_metrics(self._scorer, self._items, self._options)
        ended = self._clock()
        self._not_before = ended + (ended - began) / METRICS_SHARE
