"""People's answers as tables of the crowd platform, whole or not at all.

Two layouts: `mturk` has the columns of Mechanical Turk's batch results (HITId … AssignmentId, WorkerId, …,
`Input.<column>`, `Answer.<field>`), what this program cannot know left empty; `turkingbench` those of the data's own
table, input columns under their plain names. A table of either beside its `template.html` opens as web tasks again and
gives the same answers. Cells are exact, all of them in quotes: one that begins with `=`, `+`, `-` or `@` is written as
the platform writes it, so that nothing changes on the way; a spreadsheet program may take it for a formula.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import IO

from stepscope.app.services.export.whole_files import utf8, whole_file
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.domain.webtask import FieldType, WebField, WebTask
from stepscope.core.drafts import advice, reason
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.assignments import input_columns
from stepscope.core.sources.files import read_bytes
from stepscope.core.sources.turkingbench import open_turkingbench, read_cells
from stepscope.core.sources.web_answers import CHOICES, JOINED, PREFIX
from stepscope.core.spreadsheet import exact_lines

TABLE, TEMPLATE = "batch.csv", "template.html"
ABOUT = ("Title", "Description", "Keywords")

_BATCH_COLUMNS = (
    "HITId", "HITTypeId", *ABOUT, "Reward", "CreationTime", "MaxAssignments", "RequesterAnnotation",
    "AssignmentDurationInSeconds", "AutoApprovalDelayInSeconds", "Expiration", "NumberOfSimilarHITs",
    "LifetimeInSeconds", "AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime", "SubmitTime",
    "AutoApprovalTime", "ApprovalTime", "RejectionTime", "RequesterFeedback", "WorkTimeInSeconds",
    "LifetimeApprovalRate", "Last30DaysApprovalRate", "Last7DaysApprovalRate",
)  # fmt: skip
"""In the order of the platform's files, before the inputs; `Approve` and `Reject` are the last (its own downloads)."""

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_EXPLODED = (FieldType.RADIO, FieldType.CHECKBOX)
_ID_LENGTH = 30


class AnswerTableLayout(StrEnum):
    """Columns of a table of answers."""

    MTURK = "mturk"
    TURKINGBENCH = "turkingbench"


@dataclass(frozen=True, slots=True)
class _AnswerColumn:
    """`Answer.<field>`, or with an `option` `Answer.<field>.<option>`, which is True where that is chosen; `several`
    can be chosen at once."""

    field: str
    option: str | None = None
    several: bool = False

    @property
    def name(self) -> str:
        return f"{PREFIX}{self.field}" if self.option is None else f"{PREFIX}{self.field}.{self.option}"

    def cell(self, answer: WebAnswer) -> str:
        value = answer.fields.get(self.field, "")
        return value if self.option is None else str(self.option in _chosen(value, self.several))


@dataclass(frozen=True, slots=True)
class AnswerBatch:
    """A task with its own table: `header`, and the cells of the first row of each instance, by the instance's id."""

    task: WebTask
    header: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]

    @property
    def inputs(self) -> dict[str, int]:
        """Places of the inputs by name, in order; what is about the whole task only where the page shows it."""
        found = sorted(input_columns(self.header).items(), key=lambda column: column[1])
        return {name: place for name, place in found if name not in ABOUT or name in self.task.columns}


def read_batch(data: Path, task: str) -> AnswerBatch:
    """The task in the web tasks at `data`. Raises UsageError where there is none of that name, SourceError for one that
    is broken."""
    source = open_turkingbench(data)
    header, rows = read_cells(source.table_of(task))
    return AnswerBatch(source.read_task(task), header, {f"{task}/{number}": cells for number, cells in enumerate(rows)})


def export_file(
    data: Path,
    task: str,
    answers: Iterable[WebAnswer],
    path: Path,
    layout: AnswerTableLayout = AnswerTableLayout.MTURK,
    exploded: bool | None = None,
) -> int:
    """Write the submitted answers to one task of the web tasks at `data` into the file `path`; returns how many.

    `exploded`: radio buttons and checkboxes as one column for each option; None: as the data's own table has them.
    Raises UserError when it cannot be written, or an instance is no longer in the data.
    """
    batch = read_batch(data, task)
    text = io.StringIO(newline="")
    count = write_table(batch, answers, text, layout, exploded)
    with whole_file(path) as stream:
        _write(stream, text.getvalue(), layout)
    return count


def export_folder(
    data: Path,
    answers: Sequence[WebAnswer],
    folder: Path,
    layout: AnswerTableLayout = AnswerTableLayout.MTURK,
    exploded: bool | None = None,
) -> dict[str, int]:
    """Write a folder for each task that somebody answered, its template beside the table of answers: a data set that
    opens. Returns how many answers of each. Raises UserError as `export_file`; files that are there are replaced."""
    written: dict[str, int] = {}
    for task in sorted({one.task for one in answers if one.submitted is not None}):
        template = read_bytes(open_turkingbench(data).table_of(task).with_name(TEMPLATE))
        try:
            (folder / task).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot be made: {reason(error)}.", place=folder / task, hint=advice(error)) from error
        of_task = [one for one in answers if one.task == task]
        written[task] = export_file(data, task, of_task, folder / task / TABLE, layout, exploded)
        with whole_file(folder / task / TEMPLATE) as stream:
            stream.write(template)
    return written


def write_table(
    batch: AnswerBatch,
    answers: Iterable[WebAnswer],
    stream: IO[str],
    layout: AnswerTableLayout = AnswerTableLayout.MTURK,
    exploded: bool | None = None,
) -> int:
    """The same as text; drafts are left out. Raises UserError for an instance that the data does not have."""
    wanted = [one for one in answers if one.submitted is not None]
    for one in wanted:
        if one.instance not in batch.rows:
            hint = "The data has changed since. Delete the answer, or open the data as it was."
            raise UserError(f"{one.instance}, which {one.annotator} answered, is not in the data.", hint=hint)
    order = {instance: number for number, instance in enumerate(batch.rows)}
    wanted.sort(key=lambda one: (order[one.instance], one.annotator))
    columns = _answer_columns(batch, wanted, exploded)
    table = _mturk(batch, columns, wanted) if layout is AnswerTableLayout.MTURK else _plain(batch, columns, wanted)
    stream.writelines(exact_lines(table))
    return len(wanted)


def _write(stream: IO[bytes], text: str, layout: AnswerTableLayout) -> None:
    """The platform's own files have no byte order mark, those of the data do."""
    with utf8(stream) as lines:
        lines.write(("" if layout is AnswerTableLayout.MTURK else "\ufeff") + text)


def _mturk(batch: AnswerBatch, columns: Sequence[_AnswerColumn], answers: Sequence[WebAnswer]) -> Iterator[list[str]]:
    inputs = batch.inputs
    yield [*_BATCH_COLUMNS, *(f"Input.{name}" for name in inputs), *(one.name for one in columns), "Approve", "Reject"]
    for answer in answers:
        cells = batch.rows[answer.instance]
        known = _about(batch, cells) | _bookkeeping(answer)
        given = [cells[place] for place in inputs.values()]
        first = [known.get(name, "") for name in _BATCH_COLUMNS]
        yield [*first, *given, *(column.cell(answer) for column in columns), "", ""]


def _plain(batch: AnswerBatch, columns: Sequence[_AnswerColumn], answers: Sequence[WebAnswer]) -> Iterator[list[str]]:
    inputs = {name: place for name, place in batch.inputs.items() if name not in ABOUT}
    yield [*ABOUT, *inputs, *(column.name for column in columns)]
    for answer in answers:
        cells = batch.rows[answer.instance]
        about = _about(batch, cells)
        given = [cells[place] for place in inputs.values()]
        yield [*(about[name] for name in ABOUT), *given, *(column.cell(answer) for column in columns)]


def _about(batch: AnswerBatch, cells: Sequence[str]) -> dict[str, str]:
    """Title, description and keywords as the data's own table has them."""
    task = batch.task
    known = dict(zip(ABOUT, (task.title, task.description, task.keywords), strict=True))
    return {name: cells[batch.header.index(name)] if name in batch.header else value for name, value in known.items()}


def _bookkeeping(answer: WebAnswer) -> dict[str, str]:
    """What the platform tells of an assignment. Its ids are made of what they stand for: the same answer always has
    the same."""
    submitted = answer.submitted or answer.changed
    return {
        "HITId": _id(answer.instance),
        "HITTypeId": _id(answer.task),
        "AssignmentId": _id(answer.instance, answer.annotator),
        "WorkerId": answer.annotator,
        "AssignmentStatus": "Submitted",
        "AcceptTime": _time(submitted - timedelta(seconds=answer.seconds)),
        "SubmitTime": _time(submitted),
        "WorkTimeInSeconds": str(round(answer.seconds)),
    }


def _id(*parts: str) -> str:
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()
    return base64.b32encode(digest).decode("ascii")[:_ID_LENGTH]


def _time(moment: datetime) -> str:
    """The time as the platform writes times: Fri Dec 02 14:25:41 UTC 2016."""
    moment = moment.astimezone(UTC)
    return f"{_DAYS[moment.weekday()]} {MONTHS[moment.month - 1]} {moment:%d %H:%M:%S} UTC {moment:%Y}"


def _answer_columns(batch: AnswerBatch, answers: Sequence[WebAnswer], exploded: bool | None) -> list[_AnswerColumn]:
    """Columns for all fields of the task, and for others that people's answers have."""
    fields = {field.name: field for field in batch.task.fields}
    names = dict.fromkeys([*fields, *(name for one in answers for name in one.fields)])
    if exploded is None:
        own = _own_columns(batch.header, fields)
        left = [name for name in names if name not in {column.field for column in own}]
        return [*_with_new_options(own, answers), *map(_AnswerColumn, left)]
    columns: list[_AnswerColumn] = []
    for name in names:
        field = fields.get(name)
        if exploded and field is not None and field.type in _EXPLODED:
            columns += _options(name, field.options, answers, field.type is FieldType.CHECKBOX)
        else:
            columns.append(_AnswerColumn(name))
    return columns


def _own_columns(header: Sequence[str], fields: Mapping[str, WebField]) -> list[_AnswerColumn]:
    """The answer columns of the data's own table, in its order."""
    names = dict.fromkeys(name.removeprefix(PREFIX) for name in header if name.startswith(PREFIX))
    return [column for name in names if (column := _own_column(name, fields)) is not None]


def _own_column(name: str, fields: Mapping[str, WebField]) -> _AnswerColumn | None:
    if name in fields:
        return _AnswerColumn(name)
    parts = name.split(".")
    groups = (".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
    group = next((group for group in groups if group in fields and fields[group].type in CHOICES), None)
    if group is None:
        return None
    return _AnswerColumn(group, name[len(group) + 1 :], fields[group].type is FieldType.CHECKBOX)


def _with_new_options(own: Sequence[_AnswerColumn], answers: Sequence[WebAnswer]) -> list[_AnswerColumn]:
    """Options that the data's table has no column for stand behind all others."""
    whole = {column.field for column in own if column.option is None}
    several = {column.field: column.several for column in own if column.field not in whole}
    new: list[_AnswerColumn] = []
    for name, many in several.items():
        known = [column.option for column in own if column.field == name]
        new += [one for one in _options(name, (), answers, many) if one.option not in known]
    return [*own, *new]


def _options(name: str, options: Sequence[str], answers: Sequence[WebAnswer], several: bool) -> list[_AnswerColumn]:
    """One column for each option, those included that were chosen and are not on the page."""
    chosen = (part for one in answers for part in _chosen(one.fields.get(name, ""), several))
    return [_AnswerColumn(name, option, several) for option in dict.fromkeys([*options, *chosen])]


def _chosen(value: str, several: bool) -> list[str]:
    return [part for part in (value.split(JOINED) if several else [value]) if part]
