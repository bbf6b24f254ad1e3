"""The work behind the page of papers' tables, off the GUI thread: looking them up, running one, its words."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.services.evaluation import queue
from stepscope.app.services.provenance import source_title
from stepscope.app.services.reproduction.documents import cell_words, write_documents
from stepscope.app.services.reproduction.planning import (
    PlannedRun,
    TableChoices,
    TableData,
    TablePlan,
    column_format,
    learns_from_further,
    plan_table,
)
from stepscope.app.services.reproduction.results import CellResult, TableResult, table_result
from stepscope.app.services.reproduction.running import (
    Begin,
    StartedRun,
    TableRunFailed,
    TableRunProgressed,
    TableTrained,
    Train,
    work_on_table,
)
from stepscope.app.services.reproduction.tables import PaperTable, TrainedRun, find_table, table_names
from stepscope.app.services.reproduction.trainings import PlannedTraining, is_classifier, name_of_row
from stepscope.app.services.worker import AnswerWords, Job, TrainingJob, training_worker
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.domain.walk import WalkUnderWay
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.store.engine import Database
from stepscope.models.feasibility.classifier_name import AGGREGATIONS, TREE_TEXTS, parse_classifier
from stepscope.models.learned.encoder_choice import USUAL
from stepscope.widgets.reports import ReportRow, ReportSection

if TYPE_CHECKING:
    from stepscope.app.gui.features.evaluate.evaluation_work import Work
    from stepscope.core.evaluation.runs import RunUpdate

COLUMNS = ("Row", "Paper", "Ours", "95 % or SD", "Difference", "What is missing")

Chosen = Mapping[str, TableChoices]
"""What a person chose, by table."""


@dataclass(frozen=True, slots=True)
class MadeTable:
    """A table that was run: its files, and runs that could not be done, each with why."""

    result: TableResult
    files: tuple[Path, ...]
    failures: tuple[str, ...]


def look_up(database: Database, data: Sequence[TableData], chosen: Chosen) -> list[ReportSection]:
    """Every table as the store has it now, a section a column."""
    found = []
    for name in table_names():
        table = find_table(name)
        about = measured_data(table, data)
        found += _sections(table_result(database, _plan(database, table, data, chosen)), about)
    return found


def run_table(
    database: Database,
    name: str,
    data: Sequence[TableData],
    chosen: Chosen,
    folder: Path,
    token: CancelToken,
    begin: Begin,
    train: Train | None = None,
) -> Generator[Progress, None, MadeTable]:
    """Do what is left of a table and write its files into the folder, also where it was cancelled."""
    plan = _plan(database, find_table(name), data, chosen)
    failures: dict[PlannedRun, str] = {}
    for event in work_on_table(database, plan, token, begin, train):
        if isinstance(event, TableRunFailed):
            failures[event.planned] = event.message
        elif isinstance(event, TableRunProgressed | TableTrained) and event.progress is not None:
            yield event.progress
    result = table_result(database, plan, failures)
    return MadeTable(result, write_documents(result, folder), tuple(failures.values()))


def begun_elsewhere(work: Work, store: str) -> Begin:
    """Begins runs by the window's way of working on them: in the process for evaluations."""

    def begin(database: Database, planned: PlannedRun, known: Run | None, token: CancelToken) -> StartedRun:
        if known is not None:
            return StartedRun(known.id, _updates(work(database, Job(store, known.id), token)))
        queued = queue(database, planned.data.source, planned.data.source_id, planned.request)
        job = Job(store, queued.run_id, queued.worker.claim)
        return StartedRun(queued.run_id, _updates(work(database, job, token)))

    return begin


def trained_elsewhere(store: str) -> Train:
    """Trains in the window's process for trainings, after what is at work there."""

    def train(_database: Database, wanted: PlannedTraining, token: CancelToken) -> Iterator[object]:
        worker = training_worker()
        data, further = wanted.data, tuple(one.path for one in wanted.further)
        job = TrainingJob(store, data.path, data.source.format, wanted.request, further=further)
        try:
            yield from worker.run(job, token)
        finally:
            worker.close()

    return train


def _updates(told: Iterator[RunUpdate | AnswerWords | WalkUnderWay]) -> Iterator[RunUpdate]:
    """What is told of a run, without the words and steps of its model: nobody reads them while a table is made."""
    for one in told:
        if not isinstance(one, AnswerWords | WalkUnderWay):
            yield one


def measured_data(table: PaperTable, data: Sequence[TableData]) -> tuple[TableData, ...]:
    """What the table is about of the open data: of several data sets that fit the same columns the first."""
    fitting: dict[str, TableData] = {}
    for one in data:
        kind = column_format(table, one)
        if kind is not None:
            fitting.setdefault(kind, one)
    return tuple(fitting.values())


def further_data(table: PaperTable, data: Sequence[TableData]) -> tuple[TableData, ...]:
    """What rows of the table may learn from besides: the other open data, where they learn from any."""
    if not learns_from_further(table):
        return ()
    about = measured_data(table, data)
    return tuple(one for one in data if one not in about)


def features_instead(task: Task, run: TrainedRun) -> list[str]:
    """Features for a row with named inputs whose own encoders are not all here: of the encoders that come along, first
    those that read what the row's read. None where all are here."""
    try:
        name_of_row(task, run, "", AGGREGATIONS[0])
    except UserError:
        texts, views = f"{USUAL.texts}(et,id)", f"{USUAL.views}(screen)"
        read = {part for term in parse_classifier(run.classifier, AGGREGATIONS[0]).terms for part in term.parts}
        first = views if not read else texts if "screen" not in read and read & {*TREE_TEXTS} else ""
        return list(dict.fromkeys(filter(None, (first, f"{texts}+{views}", texts, views))))
    return []


def check_features(task: Task, run: TrainedRun, chosen: str) -> None:
    """Raises UserError where a row cannot be run with such features, saying why."""
    if not is_classifier(chosen):
        hint = f"Write such as {USUAL.texts}(et,id)+{USUAL.views}(screen)."
        raise UsageError(f"{chosen!r} names no features.", hint=hint)
    name_of_row(task, run, chosen, AGGREGATIONS[0])


def _plan(database: Database, table: PaperTable, data: Sequence[TableData], chosen: Chosen) -> TablePlan:
    choices = chosen.get(table.name, TableChoices())
    offered = {one.path for one in further_data(table, data)}  # it may be closed, or be what is looked at by now
    choices = replace(choices, train_data=tuple(one for one in choices.train_data if one.path in offered))
    return plan_table(database, table, measured_data(table, data), choices)


def _sections(result: TableResult, data: Sequence[TableData]) -> list[ReportSection]:
    table = result.table
    about = f"{table.paper}, {table.place}. Numbers {'in percent' if table.percent else 'as fractions'}."
    if data:
        about += f" Measured on {' and '.join(source_title(one.path) for one in data)}."
    if result.sample:
        about += " Sample data made by this project: no number of it is a finding."
    return [
        ReportSection(
            f"{table.title}: {column.title}",
            COLUMNS,
            tuple(_row(table, cell) for cell in result.cells if cell.column is column),
            about,
        )
        for column in table.columns
    ]


def _row(table: PaperTable, cell: CellResult) -> ReportRow:
    words = cell_words(table, cell)
    what, end, to_do = cell.missing.partition(". ")
    missing = UserError(what + end.rstrip(), hint=to_do).words_in_window
    told = " ".join(filter(None, (missing, *cell.remarks)))
    cells = (cell.row.label, words.published, words.ours, words.spread, words.difference, told)
    return ReportRow(cells, f"{table.name}\n{cell.row.id}", "warn" if cell.missing else "")
