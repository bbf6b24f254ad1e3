"""Which cells of a paper's table can be run with the models and the data at hand, by which runs, and what the others
lack. Nothing is loaded and nothing is run here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from stepscope.app.services.evaluation import EvaluationRequest, check_device, check_model, selection, unfit
from stepscope.app.services.reproduction.judged_columns import PLATFORM_WORDS, WrittenRow
from stepscope.app.services.reproduction.tables import (
    ModelRun,
    PaperColumn,
    PaperRow,
    PaperTable,
    RowRun,
    ServedRun,
    TrainedRun,
)
from stepscope.app.services.reproduction.trainings import PlannedTraining, is_classifier, name_of_row, plan_training
from stepscope.app.services.splits import in_split
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.model_name import split_name, with_settings
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources
from stepscope.models.agents.asked import for_task
from stepscope.models.feasibility.classifier_name import AGGREGATIONS, parse_classifier
from stepscope.models.registry import model_info

MOST_APPS = 20
"""Columns at most in the place of one that stands for each app (ours): more are no table."""


@dataclass(frozen=True, slots=True, eq=False)
class TableData:
    """A data set with a whole index in the store."""

    path: Path
    source: Source
    source_id: int


@dataclass(frozen=True, slots=True)
class TableChoices:
    """What a person chooses for a table: `models` by row id; `seeds` for rows whose answers hang on them (none: as
    many as the paper has), `limit` and `per_app` as those of an evaluation; `train_data` for rows that learn from
    further data; `judge` is the name under which judged columns find a judge's judgements ("": the only one that
    there are any of)."""

    models: Mapping[str, str] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    limit: int | None = None
    per_app: int | None = None
    device: str = "auto"
    train_data: tuple[TableData, ...] = ()
    judge: str = ""


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run that cells need: the same for all that differ in metric or rule alone. `episodes` are those that it is
    about."""

    data: TableData
    request: EvaluationRequest
    episodes: tuple[str, ...] = field(repr=False)
    training: PlannedTraining | None = None


@dataclass(frozen=True, slots=True)
class CellPlan:
    """A cell with its runs, one a seed, or with what is `missing`; a cell of what people wrote has no run and the
    data that they wrote about."""

    row: PaperRow
    column: PaperColumn
    runs: tuple[PlannedRun, ...] = ()
    missing: str = ""
    written: TableData | None = None

    @property
    def data(self) -> TableData | None:
        """What the cell is measured on."""
        return self.runs[0].data if self.runs else self.written


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

    def takes_judge(self, planned: PlannedRun) -> bool:
        """Whether a cell of the run can be filled by what a judge says of it."""
        return any(cell.column.takes_judge for cell in self.cells if planned in cell.runs)


def plan_table(
    database: Database,
    table: PaperTable,
    data: Sequence[TableData],
    choices: TableChoices = TableChoices(),  # noqa: B008 - frozen
) -> TablePlan:
    """What can be run. Raises UsageError for choices that cannot be: a row that the table does not have, a model that
    does not fit, data of a format that no column is about, two data sets for one column."""
    check_choices(table, choices)
    _check_train_data(table, choices, data)
    by_column = _data_by_column(table, data)
    models: dict[str, str] = {}
    cells: list[CellPlan] = []
    planner = _CellPlanner(database, table, choices)
    table = planner.with_each_app(by_column)
    by_column = _data_by_column(table, data)
    for row in table.rows:
        model, missing = row_model(table.task, row, choices.models.get(row.like or row.id, ""))
        if model:
            models[row.id] = model
        for column in table.columns:
            found = by_column.get(column.id)
            if found is None:
                cells.append(CellPlan(row, column, (), missing or needed_data(column)))
            elif missing:
                cells.append(CellPlan(row, column, (), missing))
            elif isinstance(row.run, WrittenRow):
                cells.append(CellPlan(row, column, written=found))
            else:
                cells.append(planner.cell(row, column, model, found))
    return TablePlan(table, choices, models, tuple(cells))


def check_choices(table: PaperTable, choices: TableChoices) -> None:
    """Raises UsageError for a row or a device that there is not, and for a model that cannot be a row's."""
    check_device(choices.device)
    if choices.judge and not any(column.takes_judge for column in table.columns):
        raise UsageError(f"No column of {table.name} is filled by a judge.", hint="Leave --judge out.")
    rows = {row.id: row for row in table.rows if not row.like}
    for row_id, name in choices.models.items():
        if row_id not in rows:
            hint = f"{did_you_mean(row_id, rows)}Rows: {', '.join(rows)}."
            raise UsageError(f"{table.name} has no row {row_id!r}.", hint=hint)
        if isinstance(rows[row_id].run, WrittenRow):
            raise UsageError(f"The row {row_id} is what people wrote: no model can be named for it.")
        if _names_features(rows[row_id].run, name):
            parse_classifier(name, AGGREGATIONS[0])
            continue
        named = for_task(_named(rows[row_id], name), table.task)
        check_model(EvaluationRequest(model=named, task=table.task, device=choices.device))


def row_model(task: Task, row: PaperRow, chosen: str = "") -> tuple[str, str]:
    """The name of the row's model and "", or "" and what is missing; both are "" for what people wrote. `chosen` takes
    the place of the table's own."""
    if isinstance(row.run, WrittenRow):
        return "", ""
    if isinstance(row.run, ServedRun) and not chosen:
        return "", _needed_server(row.run)
    if isinstance(row.run, TrainedRun) and (not chosen or _names_features(row.run, chosen)):
        try:
            return name_of_row(task, row.run, chosen, AGGREGATIONS[0]), ""
        except UserError as error:
            return "", str(error)
    name = for_task(_named(row, chosen), task)
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
    other = f" (or other {PLATFORM_WORDS[column.platform]} data)" if column.platform else ""
    kind = f" in the format {column.format}{other}" if column.format else ""
    part = f" with a split {column.split}" if column.split else ""
    return f"Data{kind}{part} is missing. Name it with --data PATH."


def known_data(database: Database, column: PaperColumn) -> tuple[Path, ...]:
    """Data sets for a column that the store knows and that are still there, the last opened first."""
    with database.reading() as db:
        fitting = (one for one in sources.all_sources(db) if column.takes(one.format))
        known = [one for one in fitting if Path(one.path).exists()]
        return tuple(Path(one.path) for one in known if not column.split or in_split(db, one.id, column.split))


def column_format(table: PaperTable, data: TableData) -> str | None:
    """The format that the columns for this data name, "" for columns that take any; None where none takes it. Columns
    of the very format come before those that take data of its platform."""
    taking = [column.format for column in table.columns if column.takes(data.source.format)]
    own = [name for name in taking if name in ("", data.source.format)]
    return max(own or taking, key=bool, default=None)


def learns_from_further(table: PaperTable) -> bool:
    """Whether a row learns from data that is given besides the table's own."""
    return any(isinstance(row.run, TrainedRun) and row.run.learns_from != "table" for row in table.rows)


def check_learns_from_further(table: PaperTable, path: Path) -> None:
    """Raises UsageError where no row learns from data that is given besides, such as that at `path`."""
    if not learns_from_further(table):
        raise UsageError(f"No row of {table.name} learns from further data.", place=path, hint="Leave it out.")


def is_own_model(plan: TablePlan, row: PaperRow) -> bool:
    """Whether the row is run with the very model that the paper's row is."""
    if isinstance(row.run, TrainedRun):
        return row.id not in plan.choices.models
    return isinstance(row.run, ModelRun) and plan.models.get(row.id) == row.run.model


def _named(row: PaperRow, chosen: str) -> str:
    """The name of a row's model, with what the paper's row sets unless the name sets it."""
    if isinstance(row.run, ModelRun):
        return chosen or row.run.model
    if not isinstance(row.run, ServedRun):
        return chosen
    plain, given = split_name(chosen)
    return with_settings(plain, dict(row.run.settings) | given) if plain.startswith(row.run.prefix) else chosen


def _names_features(run: RowRun, chosen: str) -> bool:
    """Whether a person chose features for a row whose inputs are named, rather than a model."""
    return isinstance(run, TrainedRun) and bool(run.classifier) and is_classifier(chosen)


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
    by_format: dict[str, TableData] = {}
    for one in data:
        kind = column_format(table, one)
        if kind is None:
            hint = f"It needs {' and '.join(sorted({column.format for column in table.columns}))}."
            raise UsageError(f"{table.name} is not about {one.source.format}.", place=one.path, hint=hint)
        if kind in by_format:
            what = f"one data set of {kind}" if kind else "one data set"
            message = f"{table.name} takes {what}, and {by_format[kind].path} is another."
            raise UsageError(message, place=one.path, hint="Give one of them.")
        by_format[kind] = one
    return {column.id: by_format[column.format] for column in table.columns if column.format in by_format}


def _check_train_data(table: PaperTable, choices: TableChoices, data: Sequence[TableData]) -> None:
    """Raises UsageError for further data that no row learns from, and for data that is measured on."""
    if choices.train_data:
        check_learns_from_further(table, choices.train_data[0].path)
    for one in choices.train_data:
        if any(one.source_id == other.source_id for other in data):
            hint = "Name other data to learn from."
            raise UsageError(f"{table.name} is measured on this data.", place=one.path, hint=hint)


class _CellPlanner:
    """Plans cells whose model and data are there; what several share is looked up once."""

    def __init__(self, database: Database, table: PaperTable, choices: TableChoices) -> None:
        self._database, self._table, self._choices = database, table, choices
        self._trainings: dict[tuple[int, str, str, str], PlannedTraining | str] = {}
        self._parts: dict[tuple[int, str], bool] = {}
        self._selected: dict[tuple[int, EvaluationRequest], tuple[str, ...] | str] = {}

    def cell(self, row: PaperRow, column: PaperColumn, model: str, data: TableData) -> CellPlan:
        """The cell's runs, one a seed, or what is missing."""
        table, choices = self._table, self._choices
        seeds = (choices.seeds or tuple(range(table.seeds))) if row.run.seeded else (0,)
        training = self._training(row, column, data, seeds)
        if isinstance(training, str):
            return CellPlan(row, column, (), training)
        runs = []
        for seed in seeds:
            request = replace(
                self._request(column, data),
                model=training.model_of(seed) if training else model,
                options=table.run_options(row),
                seed=seed,
            )
            episodes = self._episodes(data, request)
            if isinstance(episodes, str):
                return CellPlan(row, column, (), episodes)
            runs.append(PlannedRun(data, request, episodes, training))
        return CellPlan(row, column, tuple(runs))

    def with_each_app(self, by_column: Mapping[str, TableData]) -> PaperTable:
        """The table with a column for each app of the data in the place of one that stands for them: the apps with the
        most episodes, and a note on how many more there are."""
        columns: list[PaperColumn] = []
        left_out = 0
        for column in self._table.columns:
            apps = self._apps(column, by_column.get(column.id)) if column.each else []
            left_out = max(left_out, len(apps) - MOST_APPS)
            columns += [
                replace(column, id=f"{column.id}-{at}", title=f"{column.title} in {app or 'no app'}", each="", app=app)
                for at, app in enumerate(apps[:MOST_APPS], start=1)
            ] or [column]
        note = f"{left_out:,} more apps or sites, each with fewer episodes, have no column."
        notes = (*self._table.notes, *([note] if left_out > 0 else []))
        return replace(self._table, columns=tuple(columns), notes=notes)

    def _apps(self, column: PaperColumn, data: TableData | None) -> list[str]:
        """The apps of the episodes that the column is about, "" for none, that of most episodes first; none at all
        where no episode has one."""
        episodes = () if data is None else self._episodes(data, self._request(column, data))
        if data is None or isinstance(episodes, str):
            return []
        with self._database.reading() as db:
            names = queries.names_of(db, data.source_id, "app")
        counts = Counter(names.get(episode, "") for episode in episodes)
        return sorted(counts, key=lambda app: (-counts[app], app)) if set(counts) != {""} else []

    def _request(self, column: PaperColumn, data: TableData) -> EvaluationRequest:
        """What a run of the column is about, without its model."""
        choices = self._choices
        keep = column.keep if self._has_part(column, data) else ""
        return EvaluationRequest(
            protocol=self._table.protocol,
            split=column.split,
            query=parse(keep),
            filter=keep,
            limit=choices.limit,
            per_app=choices.per_app or column.per_app,
            device=choices.device,
            task=self._table.task,
            agreement=column.agreement,
        )

    def _has_part(self, column: PaperColumn, data: TableData) -> bool:
        """Whether the data has episodes of the paper's part."""
        key = (data.source_id, column.keep)
        if key not in self._parts:
            with self._database.reading() as db:
                self._parts[key] = bool(column.keep and queries.matching(db, data.source_id, parse(column.keep)))
        return self._parts[key]

    def _training(
        self, row: PaperRow, column: PaperColumn, data: TableData, seeds: tuple[int, ...]
    ) -> PlannedTraining | str | None:
        """What trains the row's models for the column, None for a row that is not trained; else what is missing."""
        chosen = self._choices.models.get(row.id, "")
        if not isinstance(row.run, TrainedRun) or (chosen and not _names_features(row.run, chosen)):
            return None
        key = (data.source_id, row.id, column.train, column.aggregation)
        if key not in self._trainings:
            try:
                self._trainings[key] = plan_training(
                    self._database, self._table.task, row.run, column, data, self._choices, chosen, seeds
                )
            except UserError as error:
                self._trainings[key] = str(error)
        return self._trainings[key]

    def _episodes(self, data: TableData, request: EvaluationRequest) -> tuple[str, ...] | str:
        """What a run of the request is about, or why there is nothing; the model is no matter."""
        key = (data.source_id, replace(request, model="", seed=0, options=()))
        if key not in self._selected:
            self._selected[key] = self._look_up(data, request)
        return self._selected[key]

    def _look_up(self, data: TableData, request: EvaluationRequest) -> tuple[str, ...] | str:
        try:
            episodes = selection(self._database, data.source_id, request)
        except UsageError as error:
            return str(error)
        if not episodes:
            return "No episode is left of it."
        return unfit(self._database, data.source_id, request.task, episodes) or episodes
