"""Which cells of a paper's table can be run with the models and the data at hand, by which runs, and what the others
lack. Nothing is loaded and nothing is run here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stepscope.app.services.evaluation import EvaluationRequest, check_device, check_model, selection, unfit
from stepscope.app.services.reproduction.tables import ModelRun, PaperColumn, PaperRow, PaperTable, ServedRun
from stepscope.core.domain.model_name import split_name, with_settings
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources
from stepscope.models.registry import model_info


@dataclass(frozen=True, slots=True, eq=False)
class TableData:
    """A data set with a whole index in the store."""

    path: Path
    source: Source
    source_id: int


@dataclass(frozen=True, slots=True)
class TableChoices:
    """What a person chooses for a table: `models` by row id; `seeds` for rows whose answers hang on them, `limit` and
    `per_app` as those of an evaluation."""

    models: Mapping[str, str] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0,)
    limit: int | None = None
    per_app: int | None = None
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run that cells need: the same for all that differ in metric or rule alone. `episodes` are those that it is
    about."""

    data: TableData
    request: EvaluationRequest
    episodes: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class CellPlan:
    """A cell with its runs, one a seed, or with what is `missing`."""

    row: PaperRow
    column: PaperColumn
    runs: tuple[PlannedRun, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table with the plan of each cell, row by row. `models` are the names by row id, those of rows that lack
    theirs left out."""

    table: PaperTable
    choices: TableChoices
    models: Mapping[str, str]
    cells: tuple[CellPlan, ...]

    @property
    def runs(self) -> tuple[PlannedRun, ...]:
        """Each run once, in the order of the cells."""
        return tuple(dict.fromkeys(run for cell in self.cells for run in cell.runs))


def plan_table(
    database: Database, table: PaperTable, data: Sequence[TableData], choices: TableChoices = TableChoices()
) -> TablePlan:
    """What can be run. Raises UsageError for choices that cannot be: a row that the table does not have, a model that
    does not fit, data of a format that no column is about, two data sets for one column."""
    check_choices(table, choices)
    by_column = _data_by_column(table, data)
    models: dict[str, str] = {}
    cells: list[CellPlan] = []
    for row in table.rows:
        model, missing = row_model(table.task, row, choices.models.get(row.id, ""))
        if model:
            models[row.id] = model
        for column in table.columns:
            found = by_column.get(column.id)
            if found is None:
                cells.append(CellPlan(row, column, (), missing or needed_data(column)))
            elif missing:
                cells.append(CellPlan(row, column, (), missing))
            else:
                cells.append(_cell(database, table, row, column, model, found, choices))
    return TablePlan(table, choices, models, tuple(cells))


def check_choices(table: PaperTable, choices: TableChoices) -> None:
    """Raises UsageError for a row or a device that there is not, and for a model that cannot be a row's."""
    check_device(choices.device)
    rows = {row.id: row for row in table.rows}
    for row_id, name in choices.models.items():
        if row_id not in rows:
            hint = f"{did_you_mean(row_id, rows)}Rows: {', '.join(rows)}."
            raise UsageError(f"{table.name} has no row {row_id!r}.", hint=hint)
        check_model(EvaluationRequest(model=_named(rows[row_id], name), task=table.task, device=choices.device))


def row_model(task: Task, row: PaperRow, chosen: str = "") -> tuple[str, str]:
    """The name of the row's model and "", or "" and what is missing. `chosen` takes the place of the table's own."""
    if isinstance(row.run, ServedRun) and not chosen:
        return "", _needed_server(row.run)
    name = _named(row, chosen)
    try:
        info = model_info(name)
    except UserError as error:
        return "", str(error)
    if not info.serves(task):
        return "", f"The model {info.name} is none for {task}."
    if info.weights == "absent":
        return "", f"The weights of {info.name} are missing: {info.weights_from}"
    return info.name, ""


def needed_data(column: PaperColumn) -> str:
    """What has to be given for a column, in words."""
    part = f" with a split {column.split}" if column.split else ""
    return f"Data in the format {column.format}{part} is missing. Name it with --data PATH."


def known_data(database: Database, column: PaperColumn) -> tuple[Path, ...]:
    """Data sets for a column that the store knows and that are still there, the last opened first."""
    with database.reading() as db:
        known = [one for one in sources.all_sources(db) if one.format == column.format and Path(one.path).exists()]
        return tuple(Path(one.path) for one in known if not column.split or queries.in_split(db, one.id, column.split))


def is_own_model(plan: TablePlan, row: PaperRow) -> bool:
    """Whether the row is run with the very model that the paper's row is."""
    return isinstance(row.run, ModelRun) and plan.models.get(row.id) == row.run.model


def _named(row: PaperRow, chosen: str) -> str:
    """The name of a row's model, with what the paper's row sets unless the name sets it."""
    if isinstance(row.run, ModelRun):
        return chosen or row.run.model
    plain, given = split_name(chosen)
    return with_settings(plain, dict(row.run.settings) | given) if plain.startswith(row.run.prefix) else chosen


def _needed_server(run: ServedRun) -> str:
    from stepscope.models.chat import servers

    wanted = with_settings(f"{run.prefix}SERVER/MODEL", run.settings)
    try:
        known = [f"{run.prefix}{one.name}/{one.model}" for one in servers.load() if one.model]
    except UserError as error:
        return str(error)
    if known:
        return f"A model behind a server is to be chosen: {wanted} would run it. Give --model, such as {known[0]}."
    return f"A server is missing: {wanted} would run it. Add one: stepscope servers add."


def _data_by_column(table: PaperTable, data: Sequence[TableData]) -> dict[str, TableData]:
    formats = {column.format for column in table.columns}
    by_format: dict[str, TableData] = {}
    for one in data:
        if one.source.format not in formats:
            hint = f"It needs {' and '.join(sorted(formats))}."
            raise UsageError(f"{table.name} is not about {one.source.format}.", place=one.path, hint=hint)
        if one.source.format in by_format:
            message = f"{table.name} takes one data set of {one.source.format}, and {by_format[one.source.format].path}"
            raise UsageError(f"{message} is another.", place=one.path, hint="Give one of them.")
        by_format[one.source.format] = one
    return {column.id: by_format[column.format] for column in table.columns if column.format in by_format}


def _cell(
    database: Database,
    table: PaperTable,
    row: PaperRow,
    column: PaperColumn,
    model: str,
    data: TableData,
    choices: TableChoices,
) -> CellPlan:
    """The runs of a cell, whose model and data are there."""
    runs = []
    for seed in choices.seeds if row.run.seeded else (0,):
        request = EvaluationRequest(
            protocol=table.protocol,
            model=model,
            options=table.run_options(row),
            split=column.split,
            limit=choices.limit,
            per_app=choices.per_app or column.per_app,
            seed=seed,
            device=choices.device,
            task=table.task,
        )
        try:
            episodes = selection(database, data.source_id, request)
        except UsageError as error:
            return CellPlan(row, column, (), str(error))
        why_not = unfit(database, data.source_id, table.task, episodes) if episodes else "No episode is left of it."
        if why_not:
            return CellPlan(row, column, (), why_not)
        runs.append(PlannedRun(data, request, episodes))
    return CellPlan(row, column, tuple(runs))
