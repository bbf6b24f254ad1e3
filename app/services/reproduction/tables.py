"""Tables of papers as data: which rows and columns they have, and how each row is run here.

A table is a TOML file, shipped in `resources/reproduce` or a person's own. Published numbers do not stand in it: rows
and columns name those of `core.scoring.published_numbers` by model, metric and data. docs/reproduce.md has the fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from stepscope import resources
from stepscope.app.services import training_config
from stepscope.app.services.reproduction.asking_columns import MORE, check_asking
from stepscope.app.services.reproduction.judged_columns import INTENT, WrittenRow, check_judged, platform_of
from stepscope.core.domain.filter import FilterError
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.prediction import Task
from stepscope.core.drafts import reason
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.rules import scoring_of
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_toml
from stepscope.core.scoring.annotator_agreement import RULES
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.scoring.published_numbers import PublishedNumber, of_protocol
from stepscope.core.scoring.registry import record_scorer, run_protocols, run_scorer
from stepscope.core.sources.registry import format_named
from stepscope.core.typed_forms import dataclass_of
from stepscope.models.feasibility.classifier_name import parse_classifier
from stepscope.models.learned.recipe import Hyper

SHIPPED = Path(resources.__file__).resolve().parent / "reproduce"
"""Tables that come with the program, one file each."""

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")
_HINT = "docs/reproduce.md says what a table's file holds."
_MOST = 200
"""Rows, columns and notes of a table at most (ours)."""

Settings = tuple[tuple[str, str], ...]
"""Options of a protocol or settings of a model, as text."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ModelRun:
    """A row of a model that has a name here. `seeded`: its answers hang on the seed."""

    kind: Literal["model"]
    model: str
    seeded: bool = False


@dataclass(frozen=True, slots=True)
class ServedRun:
    """A row of a model behind a server, which a person names. `prefix` is what such names begin with for the task, such
    as "page:", `settings` what the paper's row sets."""

    kind: Literal["served"]
    prefix: str
    settings: Settings = ()

    @property
    def seeded(self) -> bool:
        """Demonstrations are drawn by the run's seed."""
        return True


@dataclass(frozen=True, slots=True)
class TrainedRun:
    """A row that is trained here, once a seed, on the column's data. Where the recipe's inputs are chosen by name,
    `classifier` names them without how steps are brought together, which the column says, and `language` is what the
    command is. `texts` and `views` name encoders of another recipe, `preset` settings over the recipe's own, and
    `settings` some over both.

    `learns_from` "both": from further data too, which a person names; "further": from that alone. Where none is named
    both learn from the table's."""

    kind: Literal["trained"]
    recipe: str
    classifier: str = ""
    language: str = ""
    preset: str = ""
    texts: str = ""
    views: str = ""
    learns_from: Literal["table", "both", "further"] = "table"
    settings: Settings = ()

    def hyper(self, own: Hyper) -> Hyper:
        """The settings of a recipe whose own are these. Raises UsageError for some that there are not."""
        found = own if not self.preset else training_config.preset(self.preset).over(own)
        return replace(found, **training_config.typed_settings(dict(self.settings)))

    @property
    def seeded(self) -> bool:
        """Weights are drawn by the seed."""
        return True


RowRun = ModelRun | ServedRun | TrainedRun | WrittenRow
"""How a row is run: a further kind is one more class here, and what `planning.row_model` makes of it."""
_KINDS: Mapping[str, type[RowRun]] = {
    "model": ModelRun, "served": ServedRun, "trained": TrainedRun, "written": WrittenRow,
}  # fmt: skip


SettingWord = Literal["", "original", "incomplete", "ask", "dual"]
"""A setting of Navi-plus, table 1, under which a run of asking is looked at."""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A row: `label` as the paper prints it, `published` the model's name among the published numbers, "" for none;
    `options` of the protocol that differ from the table's.

    Of asking: `setting` is the one that the row is about, `data` the data's name among the published numbers where that
    says the setting. `like` names the row whose model it is run with, where a person chose one for that.
    """

    id: str
    label: str
    run: RowRun
    published: str = ""
    options: Settings = ()
    setting: SettingWord = ""
    data: str = ""
    like: str = ""


@dataclass(frozen=True, slots=True)
class PaperColumn:
    """A column: a metric on a part of a data set. `format` names our reader of the data, "" any, and `split` the part;
    `published` is the data's name among the published numbers, "" for none.

    `per_app` keeps the first episodes of each app (the pages of each web task), `apps` is how many of these the paper's
    part has. `options` are those of the protocol by which the column is scored: runs are made under the row's options,
    and scored again under these.

    `model` stands behind a row's name among the published numbers (", cat"). Rows that are trained learn from the split
    `train`, and bring steps together by `aggregation`. `agreement` keeps what annotators agree on ("all", "majority").

    `platform`: data of other formats is measured too where it is of this platform. `keep` is a filter of episodes, the
    paper's part of the data; where the data has no such part, all of it is measured.

    `judged`: the metric is one of `intent`'s over what was said of a run's goals, by "people" together, by a "judge",
    or by people where some judged the run and else by a judge ("any"). `pairs` is how many the paper has. `each` "app"
    stands for a column for each app of the data, `app` for the pairs of that app alone.

    Of asking: `setting` as of a row, before which it comes; `removed` keeps the episodes that leave out so many things,
    where 0 is all of them.
    """

    id: str
    title: str
    metric: str
    format: str = ""
    split: str = ""
    published: str = ""
    per_app: int | None = None
    apps: int | None = None
    options: Settings = ()
    model: str = ""
    train: str = ""
    aggregation: str = ""
    agreement: str = ""
    platform: Literal["", "android", "web"] = ""
    keep: str = ""
    judged: Literal["", "people", "judge", "any"] = ""
    pairs: int | None = None
    each: Literal["", "app"] = ""
    app: str | None = None
    setting: SettingWord = ""
    removed: int | None = None

    @property
    def takes_judge(self) -> bool:
        """Whether what a judge said can fill it."""
        return self.judged in ("judge", "any")

    def takes(self, format: str) -> bool:
        """Whether data of the format can be measured."""
        return self.format in ("", format) or (bool(self.platform) and platform_of(format) == self.platform)


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper. `place` is where it stands there, `section` where the paper says what was done. `percent` and
    `digits` say how the paper prints its numbers, `seeds` over how many it has its means."""

    name: str
    title: str
    paper: str
    place: str
    section: str
    task: Task
    protocol: str
    columns: tuple[PaperColumn, ...] = ()
    rows: tuple[PaperRow, ...] = ()
    options: Settings = ()
    notes: tuple[str, ...] = ()
    percent: bool = True
    digits: int = 1
    seeds: int = 1

    def run_options(self, row: PaperRow) -> Settings:
        """The protocol's options that the row's runs are made with."""
        return merged(self.options, row.options)

    def cell_options(self, row: PaperRow, column: PaperColumn) -> Settings:
        """The protocol's options by which a cell is scored."""
        return merged(self.run_options(row), column.options)

    def published(self, row: PaperRow, column: PaperColumn) -> PublishedNumber | None:
        """The paper's number of a cell, None where it has none. Raises ValueError where several fit."""
        cell = self.cell_options(row, column)
        if (column.setting or row.setting) == "ask":
            cell = merged(cell, (("dual", "off"),))  # what the paper's rows differ in is a setting here, of one run
        options = dict(scoring_of(self.protocol, dict(cell)).options)
        found = [
            number
            for number in of_protocol(INTENT if column.judged else self.protocol)
            if (number.metric, number.data) == (column.metric, row.data or column.published)
            and number.model in (row.published, row.published + column.model)
            and number.fits(options)
        ]
        if len(found) > 1:
            raise ValueError(f"row {row.id}: {len(found)} published numbers fit the column {column.id}")
        return found[0] if found else None


def merged(general: Settings, special: Settings) -> Settings:
    """The settings of both, `special` where both have one."""
    return tuple((dict(general) | dict(special)).items())


def table_names() -> tuple[str, ...]:
    """The names of the tables that come with the program."""
    return tuple(sorted(file.stem for file in SHIPPED.glob("*.toml")))


def find_table(name: str) -> PaperTable:
    """The table of that name, or of the file that `name` is the path of. Raises UsageError for one that there is not,
    UserError for a file that is no table."""
    if name in table_names():
        return read_table(SHIPPED / f"{name}.toml")
    if name.endswith(".toml"):
        return read_table(Path(name))
    names = table_names()
    hint = f"{did_you_mean(name, names)}Tables: {', '.join(names)}. Your own: the path of a .toml file."
    raise UsageError(f"There is no table {name!r}.", hint=hint)


def read_table(file: Path) -> PaperTable:
    """The table of a file. Raises UserError naming file and field for what is no table."""
    try:
        form = read_toml(file)
    except FileNotFoundError:
        raise UsageError("there is no such file.", place=file, hint="See 'stepscope reproduce list'.") from None
    except OSError as error:
        raise UserError(f"cannot be read: {reason(error)}.", place=file, hint=_HINT) from error
    except ValueError as error:
        raise UserError(f"is no table: {error}", place=file, hint=_HINT) from error
    try:
        table = _table(form)
        _check(table)
    except ValueError as error:
        raise UserError(f"{error}.", place=file, hint=_HINT) from error
    except UsageError as error:
        raise UserError(error.message, place=file, hint=error.hint or _HINT) from error
    return table


def _table(form: dict[str, Any]) -> PaperTable:
    """Raises ValueError naming the field."""
    task = form.get("task")
    if task not in list(Task):
        raise ValueError(f"task is {_told(task)}, not one of {', '.join(Task)}")
    parsed = {
        "task": Task(task),
        "options": _settings(form.get("options", {}), "options"),
        "columns": _each(form.get("columns"), "columns", _column),
        "rows": _each(form.get("rows"), "rows", _row),
    }
    return dataclass_of(PaperTable, form | parsed)


def _row(form: dict[str, Any]) -> PaperRow:
    parsed = {"options": _settings(form.get("options", {}), "options"), "run": _run(form.get("run"))}
    return dataclass_of(PaperRow, form | parsed)


def _run(form: object) -> RowRun:
    if not isinstance(form, dict) or form.get("kind") not in tuple(_KINDS):
        raise ValueError(f"run is {_told(form)}, not a table whose kind is {' or '.join(_KINDS)}")
    if "settings" in form:
        form = form | {"settings": _settings(form["settings"], "run.settings")}
    return dataclass_of(_KINDS[form["kind"]], form)


def _column(form: dict[str, Any]) -> PaperColumn:
    return dataclass_of(PaperColumn, form | {"options": _settings(form.get("options", {}), "options")})


def _each(forms: object, what: str, parse: Callable[[dict[str, Any]], T]) -> tuple[T, ...]:
    """Each of a list of tables, parsed; what is wrong in one is told with its number."""
    if not isinstance(forms, list) or not 0 < len(forms) <= _MOST:
        raise ValueError(f"{what} is {_told(forms)}, not 1 to {_MOST} tables")
    found: list[T] = []
    for number, form in enumerate(forms, start=1):
        try:
            if not isinstance(form, dict):
                raise ValueError(f"is {_told(form)}, not a table")
            found.append(parse(form))
        except ValueError as error:
            raise ValueError(f"{what.removesuffix('s')} {number}: {error}") from error
    return tuple(found)


def _settings(form: object, name: str) -> Settings:
    """Options by name: texts, numbers and yes or no, which protocols and models take as text."""
    if not isinstance(form, dict) or not all(type(value) in (str, int, float) for value in form.values()):
        raise ValueError(f"{name} is {_told(form)}, not names with texts or numbers")
    return tuple((key, str(value)) for key, value in form.items())


def _told(value: object) -> str:
    return "missing" if value is None else repr(value)[:60]


def _check(table: PaperTable) -> None:
    """Raises ValueError or UsageError for what does not fit together."""
    if not _NAME.fullmatch(table.name):
        raise ValueError(f"name is {_told(table.name)}, not small letters, digits, - and ., at most 40")
    if not 0 <= table.digits <= 6:
        raise ValueError(f"digits is {table.digits}, not 0 to 6")
    if not 1 <= table.seeds <= _MOST:
        raise ValueError(f"seeds is {table.seeds}, not 1 to {_MOST}")
    if len(table.notes) > _MOST:
        raise ValueError(f"notes has more than {_MOST} texts")
    info = run_scorer(table.protocol).info
    if info.task is not table.task:
        raise ValueError(f"protocol is {table.protocol!r}, not one of {', '.join(run_protocols(table.task))}")
    _check_ids([row.id for row in table.rows], "row")
    _check_ids([column.id for column in table.columns], "column")
    for column in table.columns:
        metrics = record_scorer(INTENT).info.metrics if column.judged else info.every_metric
        _check_column(column, (*metrics, *MORE) if table.task is Task.ASK else metrics)
        check_judged(table, column)
    check_asking(table)
    for row in table.rows:
        if isinstance(row.run, ServedRun) and not re.fullmatch(r"[a-z]+:", row.run.prefix):
            raise ValueError(f"row {row.id}: run.prefix is {_told(row.run.prefix)}, not such as 'page:'")
        if isinstance(row.run, TrainedRun):
            row.run.hyper(Hyper())
            _check_trained(row, row.run, table.columns)
        found = [table.published(row, column) for column in table.columns]
        if row.published and not any(found):
            raise ValueError(f"row {row.id}: published is {row.published!r}, of which no published number is known")


def _check_trained(row: PaperRow, run: TrainedRun, columns: Sequence[PaperColumn]) -> None:
    for column in columns:
        if not column.train:
            raise ValueError(f"column {column.id}: train is missing, from which the row {row.id} learns")
        if not run.classifier:
            continue
        if run.texts or run.views:
            raise ValueError(
                f"row {row.id}: texts and views have no meaning beside run.classifier, which names encoders"
            )
        try:
            parse_classifier(run.classifier, column.aggregation)
        except UsageError as error:
            raise ValueError(f"row {row.id}, column {column.id}: {error}") from error


def _check_column(column: PaperColumn, metrics: tuple[str, ...]) -> None:
    if column.metric not in metrics:
        raise ValueError(f"column {column.id}: metric is {column.metric!r}, not one of {', '.join(metrics)}")
    if column.format:
        format_named(column.format)
    if column.agreement not in ("", *RULES):
        raise ValueError(f"column {column.id}: agreement is {column.agreement!r}, not one of {', '.join(RULES)}")
    try:
        parse(column.keep)
    except FilterError as error:
        raise ValueError(f"column {column.id}: keep is no filter: {error.message}") from error
    for name, count in (("per_app", column.per_app), ("apps", column.apps), ("pairs", column.pairs)):
        if count is not None and count < 1:
            raise ValueError(f"column {column.id}: {name} is {count}, not 1 or more")


def _check_ids(ids: Sequence[str], what: str) -> None:
    for number, one in enumerate(ids, start=1):
        if not _NAME.fullmatch(one):
            raise ValueError(f"{what} {number}: id is {_told(one)}, not small letters, digits, - and ., at most 40")
        if one in ids[: number - 1]:
            raise ValueError(f"{what} {number}: the id {one!r} is in use")
