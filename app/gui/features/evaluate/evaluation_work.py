"""The work of an evaluation off the GUI thread: in the process for evaluations, or in this one where nobody else can
share the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from stepscope.core.domain.run import RunState
from stepscope.core.domain.walk import WalkUnderWay
from stepscope.core.errors import StoreError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.services.evaluation import QueuedRun
    from stepscope.app.services.worker import AnswerWords, Job
    from stepscope.core.evaluation import runs
    from stepscope.core.evaluation.runs import RunUpdate
    from stepscope.core.sources.predictions import LineProblem
    from stepscope.core.store import abandoned_runs
    from stepscope.core.store.engine import Database
    from stepscope.models.registry import Registry
else:
    runs = lazy_module("stepscope.core.evaluation.runs")
    abandoned_runs = lazy_module("stepscope.core.store.abandoned_runs")

REASONS_TOLD, NUMBERS_TOLD = 3, 40
_AT_WORK = (RunState.QUEUED, RunState.RUNNING, RunState.PAUSED)

Work = Callable[["Database", "Job", CancelToken], Iterator["RunUpdate | AnswerWords | WalkUnderWay"]]


def look_up_models(_token: object) -> Registry:
    """The models that are here."""
    from stepscope.models.registry import registry

    return registry()


def elsewhere(database: Database, job: Job, token: CancelToken) -> Iterator[RunUpdate | AnswerWords | WalkUnderWay]:
    """The run's updates out of the process for evaluations, and the words and steps of its model. Should that die, its
    run is interrupted at once; should it not answer to being cancelled, it is ended, and the run cancelled."""
    from stepscope.app.services.worker import AnswerWords, evaluation_worker
    from stepscope.core.store.worker import let_go_claim

    last: RunUpdate | None = None
    try:
        for update in evaluation_worker().run(job, token):
            if not isinstance(update, AnswerWords | WalkUnderWay):
                last = update
            yield update
    except UserError as error:
        let_go_claim(job.claim)
        if isinstance(error, StoreError):
            evaluation_worker().close()  # it could not write how the run ended: alive, it would hold on to it
        with suppress(StoreError):  # the trouble itself is what is to be told
            abandoned_runs.mark_interrupted(database)
        raise
    if token.cancelled and (last is None or last.state in _AT_WORK):
        let_go_claim(job.claim)
        runs.mark_cancelled(database, job.run)
        if last is not None:
            yield replace(last, state=RunState.CANCELLED)


def here(database: Database, job: Job, token: CancelToken) -> Iterator[RunUpdate]:
    """The same in this thread."""
    from stepscope.app.services.evaluation import work_on

    yield from work_on(database, job.run, job.claim, token, cluster=job.cluster)


def lacking(update: RunUpdate) -> str:
    """What is to be told of a run that is done and has not the items that its data should give, else ""."""
    from stepscope.core.evaluation.completeness import uneven

    total = update.progress.total
    return "" if total is None else uneven(update.committed, total)


def withdraw(database: Database, queued: QueuedRun) -> None:
    """Give up a run that nobody has begun."""
    runs.withdraw(database, queued.run_id, queued.worker)


def reopen_failed(database: Database, run: str) -> int:
    """Forget the run's items that ended in an error, so that resuming does them again; how many there were."""
    return runs.reopen_errors(database, run)


def kept_out(problems: Sequence[LineProblem]) -> str:
    """Which lines of a prediction file are not scored, each by its number, the first ones with the reason."""
    told = "; ".join(f"line {problem.line}: {problem.message}" for problem in problems[:REASONS_TOLD])
    rest = [str(problem.line) for problem in problems[REASONS_TOLD:NUMBERS_TOLD]]
    more = f"; also lines {', '.join(rest)}" if rest else ""
    beyond = f" and {len(problems) - NUMBERS_TOLD:,} further ones" if len(problems) > NUMBERS_TOLD else ""
    return f"Kept out: {told}{more}{beyond}. All other lines are scored."
