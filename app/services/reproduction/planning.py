"""Which cells of a paper's table can be run with the models and the data at hand, by which runs, and what the others
lack. Nothing is loaded and nothing is run here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from stepscope.app.services import training_config
from stepscope.app.services.evaluation import EvaluationRequest, check_device, check_model, selection, unfit
from stepscope.app.services.reproduction.tables import (
    ModelRun,
    PaperColumn,
    PaperRow,
    PaperTable,
    ServedRun,
    TrainedRun,
)
from stepscope.app.services.training import TrainingRequest
from stepscope.core.domain.model_name import split_name, with_settings
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources
from stepscope.models.encoders import registry
from stepscope.models.feasibility.classifier_name import AGGREGATIONS, parse_classifier
from stepscope.models.learned.encoder_choice import ClassifierChoice
from stepscope.models.learned.recipe import ChosenInputs, takes_classifier
from stepscope.models.learned.recipes import recipe as recipe_named
from stepscope.models.registry import model_info


@dataclass(frozen=True, slots=True, eq=False)
class TableData:
    """A data set with a whole index in the store."""

    path: Path
    source: Source
    source_id: int


@dataclass(frozen=True, slots=True)
class TableChoices:
    """What a person chooses for a table: `models` by row id; `seeds` for rows whose answers hang on them (none: as
    many as the paper has), `limit` and
    `per_app` as those of an evaluation."""

    models: Mapping[str, str] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    limit: int | None = None
    per_app: int | None = None
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class PlannedTraining:
    """The training that makes the models of a cell, one a seed; `model_of` names them. What its name hangs on is all
    that decides about them but the seed, so that a model of that name is taken as it is."""

    data: TableData
    request: TrainingRequest

    def model_of(self, seed: int) -> str:
        return f"{self.request.name}-s{seed}"


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
        if isinstance(rows[row_id].run, TrainedRun) and is_classifier(name):
            parse_classifier(name, AGGREGATIONS[0])
            continue
        check_model(EvaluationRequest(model=_named(rows[row_id], name), task=table.task, device=choices.device))


def row_model(task: Task, row: PaperRow, chosen: str = "") -> tuple[str, str]:
    """The name of the row's model and "", or "" and what is missing. `chosen` takes the place of the table's own."""
    if isinstance(row.run, ServedRun) and not chosen:
        return "", _needed_server(row.run)
    if isinstance(row.run, TrainedRun) and (not chosen or is_classifier(chosen)):
        try:
            return _recipe_of(row.run, chosen, AGGREGATIONS[0]).name_of_inputs.rpartition("+")[0], ""
        except UserError as error:
            return "", str(error)
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
    if isinstance(row.run, TrainedRun):
        return row.id not in plan.choices.models
    return isinstance(row.run, ModelRun) and plan.models.get(row.id) == row.run.model


def _named(row: PaperRow, chosen: str) -> str:
    """The name of a row's model, with what the paper's row sets unless the name sets it."""
    if isinstance(row.run, ModelRun):
        return chosen or row.run.model
    if isinstance(row.run, TrainedRun):
        return chosen
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


def is_classifier(chosen: str) -> bool:
    """Whether what a person chose for a row names features (minilm(et,id)) rather than a model."""
    return "(" in chosen or "+" in chosen


def _recipe_of(run: TrainedRun, chosen: str, aggregation: str) -> ChosenInputs:
    """The recipe of a row with encoders that are here. Raises UserError saying what is missing."""
    found = recipe_named(run.recipe)
    if not takes_classifier(found):
        raise UsageError(f"{run.recipe} has inputs of its own.", hint="Name a recipe that takes a classifier.")
    name = str(parse_classifier(chosen or run.classifier, aggregation))
    return found.chosen(ClassifierChoice(name, run.language)).resolved()


def _training(
    database: Database,
    run: TrainedRun,
    column: PaperColumn,
    data: TableData,
    choices: TableChoices,
    chosen: str,
    seeds: tuple[int, ...],
) -> PlannedTraining:
    """What makes a cell's models. Raises UserError where an encoder or the split to learn from is missing."""
    found = _recipe_of(run, chosen, column.aggregation)
    hyper = found.hyper if not run.preset else training_config.preset(run.preset).over(found.hyper)
    hyper = replace(hyper, seeds=seeds)
    with database.reading() as db:
        learned = queries.in_split(db, data.source_id, column.train)
        labels = [row for row in queries.labels_of(db, data.source_id) if row[0] in learned]
    if not labels:
        raise UsageError(f"The data has no split {column.train!r} to learn from.", place=data.path)
    encoders = registry.encoders()
    digests = {name: encoders[name].sha256 for one in _references(found) for name in registry.names_in(one)}
    told = [
        found.info.name, found.version, found.name_of_inputs, run.language, asdict(replace(hyper, seeds=())), labels,
        column.train, digests,
    ]  # fmt: skip
    digest = hashlib.sha256(json.dumps(told, sort_keys=True, default=list).encode()).hexdigest()
    request = TrainingRequest(
        Task.FEASIBILITY,
        run.recipe,
        f"{run.recipe}-{digest[:10]}",
        train=column.train,
        validation="",
        held_out="",
        hyper=hyper,
        device=choices.device,
        onnx=False,
        choice=ClassifierChoice(found.name_of_inputs, run.language),
        each_seed=True,
    )
    return PlannedTraining(data, request)


def _references(found: ChosenInputs) -> tuple[str, str]:
    return found.encoder_names.texts, found.encoder_names.views


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
    seeds = (choices.seeds or tuple(range(table.seeds))) if row.run.seeded else (0,)
    training = None
    try:
        chosen = choices.models.get(row.id, "")
        if isinstance(row.run, TrainedRun) and (not chosen or is_classifier(chosen)):
            training = _training(database, row.run, column, data, choices, chosen, seeds)
    except UserError as error:
        return CellPlan(row, column, (), str(error))
    for seed in seeds:
        request = EvaluationRequest(
            protocol=table.protocol,
            model=training.model_of(seed) if training else model,
            options=table.run_options(row),
            split=column.split,
            limit=choices.limit,
            per_app=choices.per_app or column.per_app,
            seed=seed,
            device=choices.device,
            task=table.task,
            agreement=column.agreement,
        )
        try:
            episodes = selection(database, data.source_id, request)
        except UsageError as error:
            return CellPlan(row, column, (), str(error))
        why_not = unfit(database, data.source_id, table.task, episodes) if episodes else "No episode is left of it."
        if why_not:
            return CellPlan(row, column, (), why_not)
        runs.append(PlannedRun(data, request, episodes, training))
    return CellPlan(row, column, tuple(runs))
