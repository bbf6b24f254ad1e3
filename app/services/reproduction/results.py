"""What a paper's table came to here: our numbers beside the published ones, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from stepscope.app.services.provenance import is_sample, is_stand_in_model
from stepscope.app.services.reproduction.asking_cells import AskingCells
from stepscope.app.services.reproduction.judged_cells import CellNumber, JudgedCells
from stepscope.app.services.reproduction.judged_columns import WrittenRow
from stepscope.app.services.reproduction.planning import CellPlan, PlannedRun, TableData, TablePlan, is_own_model
from stepscope.app.services.reproduction.running import cell_scoring, stored_run
from stepscope.app.services.reproduction.tables import PaperColumn, PaperRow, PaperTable, TrainedRun
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunState
from stepscope.core.errors import UserError
from stepscope.core.evaluation.report_numbers import Interval, ReportNumbers, numbers_of
from stepscope.core.evaluation.rules import Scoring, rules_scored, stored_scoring
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.paired_tests import SeedStatistics, over_seeds
from stepscope.core.scoring.published_numbers import PublishedNumber
from stepscope.core.store import queries
from stepscope.core.store.engine import Database

OTHER_DATA = "On other data than the paper's, so there is no difference."


@dataclass(frozen=True, slots=True)
class CellResult:
    """A cell: `published` is the paper's number, `ours` mean and deviation over the finished seeds, None without one.
    `interval`: 95 %, of a single seed. `n` items were scored and `errors` failed, over all seeds; `apps` is how many
    apps or web tasks they are of. `missing` says why there is no number, or not that of every seed; `remarks` how it is
    another than the paper's."""

    row: PaperRow
    column: PaperColumn
    published: PublishedNumber | None = None
    ours: SeedStatistics | None = None
    interval: Interval | None = None
    n: int = 0
    errors: int = 0
    apps: int = 0
    runs: tuple[str, ...] = ()
    missing: str = ""
    remarks: tuple[str, ...] = ()
    sample: bool = False
    other_data: bool = False

    @property
    def difference(self) -> float | None:
        """Ours less the paper's; None on data of this project's own, and on other data than the paper's."""
        if self.published is None or self.ours is None or self.ours.mean is None or self.sample or self.other_data:
            return None
        return self.ours.mean - self.published.value


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table with all its cells, row by row. `models` are the names of the rows' models, `runs` all runs by id."""

    table: PaperTable
    models: Mapping[str, str]
    cells: tuple[CellResult, ...]
    runs: Mapping[str, Run]

    @property
    def sample(self) -> bool:
        """Whether some number is of data that this project made."""
        return any(cell.sample for cell in self.cells)

    @property
    def complete(self) -> bool:
        """Whether every cell has its number."""
        return not any(cell.missing for cell in self.cells)

    @property
    def errors(self) -> int:
        """Items that failed, each run counted once for each column that shows it."""
        return sum(cell.errors for cell in self.cells)

    def of_row(self, row: PaperRow) -> tuple[CellResult, ...]:
        """The row's cells, in the order of the columns."""
        return tuple(cell for cell in self.cells if cell.row is row)


def table_result(database: Database, plan: TablePlan, failures: Mapping[PlannedRun, str] | None = None) -> TableResult:
    """What the store has of the planned runs now. `failures` say why a run could not be done."""
    found = {planned: stored_run(database, planned) for planned in plan.runs}
    judged, asking = JudgedCells(database, plan.choices.judge), AskingCells(database)
    cells = tuple(_cell(database, plan, cell, found, failures or {}, judged, asking) for cell in plan.cells)
    used = {run_id for cell in cells for run_id in cell.runs}
    runs = {run.id: run for run in found.values() if run is not None and run.id in used}
    return TableResult(plan.table, plan.models, cells, runs)


def _cell(
    database: Database,
    plan: TablePlan,
    cell: CellPlan,
    found: Mapping[PlannedRun, Run | None],
    failures: Mapping[PlannedRun, str],
    judged: JudgedCells,
    asking: AskingCells,
) -> CellResult:
    published = plan.table.published(cell.row, cell.column)
    data = cell.data
    if data is None:
        return CellResult(cell.row, cell.column, published, missing=cell.missing)
    if cell.written is not None:
        numbers = [_written_number(cell, data, judged)]
        lacking = [number.missing for number in numbers if number.missing]
        apps = len(set(_names(database, data).values()))
    else:
        numbers, lacking = _run_numbers(database, plan, cell, found, failures, judged, asking)
        apps = _apps(database, cell.runs[0])
    known = [number for number in numbers if number.known]
    errors = sum(number.errors for number in numbers)
    other_data = published is not None and published.format not in ("", data.source.format)
    remarks = (
        *(() if cell.written else _remarks(plan, cell, apps)),
        *_learned_words(database, plan, cell),
        *_failed_words(errors),
        *dict.fromkeys(remark for number in numbers for remark in number.remarks),
    )
    return CellResult(
        row=cell.row,
        column=cell.column,
        published=published,
        ours=over_seeds([number.value for number in known]) if known else None,
        interval=known[0].interval if len(known) == 1 else None,
        n=sum(number.n for number in numbers),
        errors=errors,
        apps=apps,
        runs=tuple(number.run for number in numbers if number.run),
        missing=_lacking_words(lacking, len(cell.runs) or 1),
        remarks=(*((OTHER_DATA,) if other_data else ()), *remarks) if known else (),
        sample=is_sample(data.path),
        other_data=other_data,
    )


def _run_numbers(
    database: Database,
    plan: TablePlan,
    cell: CellPlan,
    found: Mapping[PlannedRun, Run | None],
    failures: Mapping[PlannedRun, str],
    judged: JudgedCells,
    asking: AskingCells,
) -> tuple[list[CellNumber], list[str]]:
    """The numbers of the cell's finished runs, and what the others lack."""
    numbers: list[CellNumber] = []
    lacking: list[str] = []
    for planned in cell.runs:
        run = found[planned]
        if run is None or run.state is not RunState.DONE:
            lacking.append(failures.get(planned) or _unfinished(planned, run))
            continue
        number = (
            _judged_number(database, cell, planned, run, judged)
            if cell.column.judged
            else _scored_number(database, plan, cell, run, asking)
        )
        if number is None:
            lacking.append(failures.get(planned) or _unfinished(planned, run))
            continue
        numbers.append(number)
        lacking += filter(None, [number.missing])
    return numbers, lacking


def _scored_number(
    database: Database, plan: TablePlan, cell: CellPlan, run: Run, asking: AskingCells
) -> CellNumber | None:
    """The number of a finished run, None where it is not scored under the cell's rule."""
    if plan.table.task is Task.ASK and (cell.row.setting or cell.column.setting):
        return asking.of_run(cell.row, cell.column, run)
    numbers = _numbers(database, run, cell_scoring(plan, cell))
    if numbers is None:
        return None
    line = next(line for line in numbers.lines if line.name == cell.column.metric)
    return CellNumber(line.value, line.interval, numbers.metrics.n, errors=numbers.metrics.errors, run=run.id)


def _judged_number(
    database: Database, cell: CellPlan, planned: PlannedRun, run: Run, judged: JudgedCells
) -> CellNumber:
    """What was said of a finished run; where its data cannot be read, why."""
    with database.reading() as db:
        errors = queries.run_counts(db, run.id).errors
    try:
        found = judged.of_run(cell.column, planned.data, run.id, len(planned.episodes) - errors)
    except UserError as error:
        found = CellNumber(missing=str(error))
    return replace(found, errors=errors, run=run.id)


def _written_number(cell: CellPlan, data: TableData, judged: JudgedCells) -> CellNumber:
    """What was said of what people wrote; where the data cannot be read, why."""
    assert isinstance(cell.row.run, WrittenRow)
    try:
        return judged.of_written(cell.column, data, cell.row.run)
    except UserError as error:
        return CellNumber(missing=str(error))


def _numbers(database: Database, run: Run, rule: Scoring) -> ReportNumbers | None:
    """The numbers of a finished run under the rule, None where it is not scored under it."""
    with database.reading() as db:
        known = stored_scoring(db, run.id, rule) if rule in rules_scored(db, run) else None
    return None if known is None else numbers_of(database, run.id, scoring_id=known.id)


def _unfinished(planned: PlannedRun, run: Run | None) -> str:
    if run is None and planned.training is not None and planned.training.is_begun:
        return "Its training was stopped: run the table again to go on."
    if run is None:
        return "Not run yet."
    if run.state is RunState.DONE:
        return f"Run {run.id} is not scored under the rule of this column yet."
    of = "" if run.total is None else f" of {run.total:,}"
    return f"Run {run.id} has {run.done:,}{of} items: run the table again to go on."


def _lacking_words(lacking: list[str], runs: int) -> str:
    if not lacking:
        return ""
    return lacking[0] if runs == 1 else f"{len(lacking)} of {runs} seeds: {lacking[0]}"


def _failed_words(errors: int) -> tuple[str, ...]:
    return (f"Items that failed and are left out: {errors:,}.",) if errors else ()


def _learned_words(database: Database, plan: TablePlan, cell: CellPlan) -> tuple[str, ...]:
    """What a row that learns from further data has learned from."""
    run, training = cell.row.run, cell.runs[0].training if cell.runs else None
    if not isinstance(run, TrainedRun) or run.learns_from == "table" or training is None:
        return ()
    if not training.further:
        return ("Learned from the table's data alone: no further data was named.",)
    found = []
    with database.reading() as db:
        for one in training.further:
            words = "alone" if training.request.further_alone else "too"
            found.append(f"Learned from {one.path.name} {words}.")
            if len(queries.names_of(db, one.source_id, "app")) < len(queries.goals_and_steps(db, one.source_id)):
                found.append(f"{one.path.name} does not name every app: some may be those that are tested.")
    return tuple(found)


def _apps(database: Database, planned: PlannedRun) -> int:
    """How many apps or web tasks the run's episodes are of."""
    names = _names(database, planned.data)
    return len({names[episode] for episode in planned.episodes if episode in names})


def _names(database: Database, data: TableData) -> dict[str, str]:
    """The app of each episode that has one."""
    with database.reading() as db:
        return queries.names_of(db, data.source_id, "app")


def _remarks(plan: TablePlan, cell: CellPlan, apps: int) -> tuple[str, ...]:
    """How our number is another than the paper's."""
    column, choices = cell.column, plan.choices
    found = []
    if column.apps is not None and apps != column.apps:
        found.append(f"{apps:,} of the paper's {column.apps:,} apps or tasks.")
    if choices.limit is not None:
        found.append(f"The first {choices.limit:,} items only.")
    if choices.per_app is not None and choices.per_app != column.per_app:
        found.append(f"The first {choices.per_app:,} of each app or task.")
    if column.keep and not cell.runs[0].request.filter:
        found.append(f"The data has no such part ({column.keep}): all of it is measured.")
    model = plan.models[cell.row.id]
    if not is_own_model(plan, cell.row):
        found.append(f"Run with {model}.")
        if not isinstance(cell.row.run, TrainedRun) and is_stand_in_model(model):
            found.append("A stand-in model: no finding.")
    return tuple(found)
