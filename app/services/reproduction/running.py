"""Working through a paper's table: every run that its cells need, one after the other.

They are ordinary runs of the store, found again by their data and settings. What is done is not done again, what was
broken off goes on, so the same command after a stop does the rest. Two tables that need one run share it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, cast

from stepscope.app.services import evaluation, training
from stepscope.app.services.evaluation import Load
from stepscope.app.services.made_with import weights_digest
from stepscope.app.services.reproduction.planning import CellPlan, PlannedRun, TablePlan
from stepscope.app.services.reproduction.trainings import PlannedTraining
from stepscope.app.services.rescoring import rescore_run
from stepscope.core.domain.judgement import REFERENCE, OriginKind, TextOrigin
from stepscope.core.domain.run import Run, RunState
from stepscope.core.errors import StoreError, UserError
from stepscope.core.evaluation.rules import Scoring, own_as_written, rules_scored, scoring_of
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from stepscope.models.learned.model_folders import find_trained
from stepscope.models.training.state import Epoch

if TYPE_CHECKING:
    from stepscope.app.services.goal_judging import JudgingCount
    from stepscope.core.evaluation.runs import RunUpdate
    from stepscope.models.goal.judges.judge import GoalJudge


@dataclass(frozen=True, slots=True)
class TableRunBegun:
    """The run that is worked on from now on, as the `number`-th of `total`; `kept` items were there before."""

    planned: PlannedRun
    run_id: str
    number: int
    total: int
    kept: int = 0
    finished: bool = False
    """It was done before: nothing is left to do."""
    warning: str = ""
    """What the model will miss in this data, "" for nothing."""


@dataclass(frozen=True, slots=True)
class TableRunProgressed:
    """The run after one more item."""

    planned: PlannedRun
    progress: Progress


@dataclass(frozen=True, slots=True)
class TableTrained:
    """The models of a run's cell are being trained; `doing` says what is under way."""

    planned: PlannedRun
    doing: str
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class TableRunFailed:
    """A run that could not begin or go on; the others are not touched by it."""

    planned: PlannedRun
    message: str


@dataclass(frozen=True, slots=True)
class StartedRun:
    """A run that has begun: its updates do the work. `warning` is what its model will miss, "" for nothing."""

    run_id: str
    updates: Iterator[RunUpdate]
    warning: str = ""


@dataclass(frozen=True, slots=True)
class TableJudging:
    """A judge goes through the pairs of a run; `count` is there when it has gone through all."""

    planned: PlannedRun
    run_id: str
    progress: Progress
    count: JudgingCount | None = None


Begin = Callable[[Database, PlannedRun, "Run | None", CancelToken], StartedRun]
"""Begins a run, or goes on with the one that is known: here, or in a process for evaluations."""

Train = Callable[[Database, PlannedTraining, CancelToken], "Iterator[object]"]
"""Trains what a cell lacks, telling the events of a training: here, or in a process for trainings."""

TableEvent = TableRunBegun | TableRunProgressed | TableTrained | TableJudging | TableRunFailed


def work_on_table(
    database: Database,
    plan: TablePlan,
    token: CancelToken | None = None,
    begin: Begin | None = None,
    train: Train | None = None,
    judge: GoalJudge | None = None,
) -> Iterator[TableEvent]:
    """Do what is left of the table's runs, in their order, score each under the rules of its columns, and let `judge`
    go through the pairs of those that have columns for it. Cancelled, it ends behind the current item with everything
    kept. `begin` and `train` None: in this process. Raises StoreError; other trouble costs its run only."""
    token, begin, train = token or CancelToken(), begin or begun_here(), train or trained_here
    every = plan.runs
    for number, planned in enumerate(every, start=1):
        if token.cancelled:
            return
        try:
            run_id = yield from _run(database, planned, number, len(every), token, begin, train)
            if not run_id:
                return
            yield from _score_again(database, plan, planned, run_id, token)
            if judge is not None and plan.takes_judge(planned) and not token.cancelled:
                yield from _judged(database, planned, run_id, judge, token)
        except StoreError:
            raise
        except UserError as error:
            yield TableRunFailed(planned, str(error))


def begun_here(load: Load | None = None) -> Begin:
    """Begins runs in this process; `load` makes the models, the registry's own when not given."""

    def begin(database: Database, planned: PlannedRun, known: Run | None, token: CancelToken) -> StartedRun:
        data = planned.data
        if known is None:
            prepared = evaluation.start(database, data.source, data.source_id, planned.request, token, load)
        else:
            prepared = evaluation.resume(database, known.id, token, source=data.source, load=load)
        return StartedRun(prepared.run.run_id, prepared.run.updates(), prepared.warning)

    return begin


def trained_here(database: Database, wanted: PlannedTraining, token: CancelToken) -> Iterator[object]:
    """Trains in this process."""
    yield from training.train(database, wanted.sources, wanted.request, token)


def stored_run(database: Database, planned: PlannedRun) -> Run | None:
    """The run of the store that is this one, done if there is such a one, else the latest that can go on; None when
    there is none. One of another version of the rule, and one whose model had other weights, is another run."""
    request = planned.request
    wanted = scoring_of(request.protocol, dict(request.options))
    version, weights = run_scorer(request.protocol).info.version, weights_digest(request.model)
    with database.reading() as db:
        found = []
        for run in runs.of_task(db, request.task, str(planned.data.source.path)):
            spec = run.spec
            same = (spec.model, spec.seed, spec.split, spec.scorer_version, spec.predictions)
            if (
                same == (request.model, request.seed, request.split, version, "")
                and own_as_written(run) == wanted
                and _same_weights(run.weights, weights)
                and runs.selection(db, run.id) == planned.episodes
            ):
                found.append(run)
    return min(found, key=lambda run: (run.state is not RunState.DONE, not run.state.resumable), default=None)


def scorings_of(plan: TablePlan, planned: PlannedRun) -> tuple[Scoring, ...]:
    """The rules by which the run's cells are scored, each once."""
    return tuple(dict.fromkeys(cell_scoring(plan, cell) for cell in plan.cells if planned in cell.runs))


def cell_scoring(plan: TablePlan, cell: CellPlan) -> Scoring:
    """The rule by which a cell is scored."""
    return scoring_of(plan.table.protocol, dict(plan.table.cell_options(cell.row, cell.column)))


def _same_weights(stored: str, now: str) -> bool:
    """Whether two digests may be of the same weights: where one is not known, nothing says that they differ."""
    return not stored or not now or stored == now


def _run(
    database: Database, planned: PlannedRun, number: int, total: int, token: CancelToken, begin: Begin, train: Train
) -> Generator[TableEvent, None, str]:
    """Do what is left of one run; its id, "" where it was cancelled before it had one."""
    known = stored_run(database, planned)
    if known is not None and known.state is RunState.DONE:
        yield TableRunBegun(planned, known.id, number, total, known.done, finished=True)
        return known.id
    if planned.training is not None and find_trained(planned.request.model) is None:
        yield from _trained(database, planned, planned.training, token, train)
        if token.cancelled:
            return ""
    run = begin(database, planned, known, token)
    kept = 0 if known is None else known.done
    with closing(cast("Generator[RunUpdate]", run.updates)) as updates:  # closed, it keeps what is done
        yield TableRunBegun(planned, run.run_id, number, total, kept, warning=run.warning)
        for update in updates:
            yield TableRunProgressed(planned, update.progress)
    return run.run_id


def _trained(
    database: Database, planned: PlannedRun, wanted: PlannedTraining, token: CancelToken, train: Train
) -> Iterator[TableEvent]:
    """Train the seeds of the cell that have no model yet. Raises what the training raises."""
    lacking = tuple(seed for seed in wanted.hyper.seeds if find_trained(wanted.model_of(seed)) is None)
    events = cast("Generator[object]", train(database, wanted.of_seeds(lacking), token))
    with closing(events):  # closed, it keeps what was learned
        for event in events:
            match event:
                case training.Stage(doing, progress):
                    yield TableTrained(planned, doing, progress)
                case Epoch():
                    words = f"Training seed {event.seed}"
                    yield TableTrained(planned, words, Progress(event.epoch + 1, event.epochs))


def _score_again(
    database: Database, plan: TablePlan, planned: PlannedRun, run_id: str, token: CancelToken
) -> Iterator[TableEvent]:
    """Score a finished run under the rules of columns that are not its own."""
    with database.reading() as db:
        run = runs.get(db, run_id)
        if run.state is not RunState.DONE:
            return
        known = rules_scored(db, run)
    lacking = [rule for rule in scorings_of(plan, planned) if rule not in known]
    if lacking:
        for update in rescore_run(database, run_id, lacking, source=planned.data.source, token=token):
            yield TableRunProgressed(planned, update.progress)


def _judged(
    database: Database, planned: PlannedRun, run_id: str, judge: GoalJudge, token: CancelToken
) -> Iterator[TableEvent]:
    """Let the judge go through the pairs of a finished run that it has not judged yet. Raises UserError."""
    from stepscope.app.services.goal_judging import ask_judge

    with database.reading() as db:
        if runs.get(db, run_id).state is not RunState.DONE:
            return
    data, origins = planned.data, (REFERENCE, TextOrigin(OriginKind.RUN, run_id))
    work = ask_judge(database, data.source_id, data.source, str(data.source.path), origins, judge, token=token)
    progress = Progress(0, None)
    while True:
        try:
            progress = next(work)
        except StopIteration as ended:
            yield TableJudging(planned, run_id, progress, ended.value)
            return
        yield TableJudging(planned, run_id, progress)
