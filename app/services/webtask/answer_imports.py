"""Tables of answers from elsewhere, merged with those of the store: other people's, or one's own from another machine.

Both layouts of `answer_files` are read, and the platform's own batch results. A row belongs to the instance
with the same inputs; what belongs to none is kept out and told by its row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from stepscope.app.services.webtask.annotations import AnswerChange, checked_name, known_as, make
from stepscope.app.services.webtask.answer_files import MONTHS, TABLE, AnswerBatch, read_batch
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.assignments import input_columns
from stepscope.core.sources.csv_table import TableRow, read_table
from stepscope.core.sources.web_answers import PREFIX, AnswerTable
from stepscope.core.store.engine import Database

_WORKER, _STATUS, _SPENT, _SUBMITTED = "WorkerId", "AssignmentStatus", "WorkTimeInSeconds", "SubmitTime"
_REJECTED = "rejected"
_TIME = re.compile(r"\w{3} (\w{3}) (\d{1,2}) (\d{2}):(\d{2}):(\d{2}) ([A-Z]{2,4}) (\d{4})")
_ZONES = {"UTC": 0, "GMT": 0, "PST": -8, "PDT": -7}
"""Hours from UTC: the platform writes Pacific time."""
_LONGEST_WORK = 10.0**8


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A row that was kept out; `row` counts from 1, the header not counted."""

    row: int
    message: str
    file: Path


@dataclass(frozen=True, slots=True)
class AnswerImport:
    """The outcome of an import: the change that was made, and the rows that were kept out."""

    change: AnswerChange
    problems: tuple[RowProblem, ...] = ()


def import_file(
    database: Database,
    data: Path,
    task: str,
    path: Path,
    annotator: str = "",
    now: datetime | None = None,
) -> AnswerImport:
    """Take over the answers of a table for the web tasks at `data`. An answer takes the place of the one that the same
    person gave to the same instance; all others stay. `annotator` is whose answers they are where the
    table names no workers, `now` when they were submitted where it names no time.

    Raises SourceError for a table that cannot be read, UsageError for one of another task.
    """
    return _import_all(database, data, [(task, path)], annotator, now)


def import_folder(
    database: Database,
    data: Path,
    folder: Path,
    tasks: Sequence[str],
    annotator: str = "",
    now: datetime | None = None,
) -> AnswerImport:
    """The same of a folder with a table for each task, `<task>/batch.csv`: all of them, or none where one fails."""
    tables = [(task, folder / task / TABLE) for task in tasks if (folder / task / TABLE).is_file()]
    if not tables:
        hint = f"It should have folders named like the tasks, each with a {TABLE}."
        raise UsageError("there are no answers to these tasks.", place=folder, hint=hint)
    return _import_all(database, data, tables, annotator, now)


def _import_all(
    database: Database,
    data: Path,
    tables: Sequence[tuple[str, Path]],
    annotator: str,
    now: datetime | None,
) -> AnswerImport:
    """All tables are read before anything is written."""
    answers: list[WebAnswer] = []
    problems: list[RowProblem] = []
    for task, path in tables:
        table = _ImportTable(read_batch(data, task), known_as(data), path, annotator, now or datetime.now(UTC))
        answers += table.answers()
        problems += sorted(table.problems, key=lambda one: one.row)
    return AnswerImport(make(database, AnswerChange(after=tuple(answers))), tuple(problems))


class _ImportTable:
    """The rows of one file, held against a task."""

    def __init__(self, batch: AnswerBatch, source: str, path: Path, annotator: str, now: datetime) -> None:
        header, rows = read_table(path)
        self.problems: list[RowProblem] = []
        self._batch, self._source, self._path, self._now = batch, source, path, now
        self._header = {name: place for place, name in reversed(list(enumerate(header)))}
        self._rows = [row for row in rows if any(row.cells) and self._is_whole(row, len(header))]
        self._answers = AnswerTable.of(header, [row.cells for row in self._rows], batch.task.fields)
        self._annotator = annotator and checked_name(annotator)
        self._inputs, self._instances = self._known(input_columns(header))
        if not any(name.startswith(PREFIX) for name in header):
            raise UsageError("the table has no answers.", place=path, hint=f"They stand in columns {PREFIX}<field>.")
        if _WORKER not in self._header and not self._annotator:
            raise UsageError("the table names no workers.", place=path, hint="Say whose answers they are.")

    def answers(self) -> Iterator[WebAnswer]:
        """What can be taken over; the rest is in `problems` afterwards."""
        seen: dict[tuple[str, str, str], int] = {}
        for row in self._rows:
            try:
                answer = self._answer(row)
                if (earlier := seen.setdefault(answer.key, row.number)) != row.number:
                    raise ValueError(f"{answer.annotator} answered {answer.instance} in row {earlier} already")
            except ValueError as error:
                self._tell(row.number, str(error))
            except UsageError as error:
                self._tell(row.number, error.message)
            else:
                yield answer

    def _known(self, given: Mapping[str, int]) -> tuple[list[int], dict[tuple[str, ...], list[str]]]:
        """Places in this table of the inputs that both tables have, and the instances by the cells of these."""
        ours = self._batch.inputs
        names = [name for name in ours if name in given]
        missing = [name for name in self._batch.task.columns if name not in given]
        if missing or (ours and not names):
            hint = f"Its header has no {', '.join(missing or ours)}. Choose the task that it is of."
            raise UsageError(f"this is no table of {self._batch.task.name}.", place=self._path, hint=hint)
        instances: dict[tuple[str, ...], list[str]] = {}
        for instance, cells in self._batch.rows.items():
            instances.setdefault(tuple(cells[ours[name]] for name in names), []).append(instance)
        return [given[name] for name in names], instances

    def _is_whole(self, row: TableRow, width: int) -> bool:
        if row.damaged:
            self._tell(row.number, "it is not UTF-8 text")
        elif len(row.cells) != width:
            self._tell(row.number, f"it has {len(row.cells)} cells, the header {width}")
        else:
            return True
        return False

    def _tell(self, row: int, message: str) -> None:
        self.problems.append(RowProblem(row, message, self._path))

    def _answer(self, row: TableRow) -> WebAnswer:
        """Raises ValueError or UsageError for a row that cannot be taken over."""
        if self._cell(row, _STATUS).strip().lower() == _REJECTED:
            raise ValueError("it was rejected")
        found = self._instances.get(tuple(row.cells[place] for place in self._inputs), [])
        if len(found) != 1:
            task = self._batch.task.name
            raise ValueError(
                f"{task} has no instance with these inputs" if not found else f"{len(found)} instances have its inputs"
            )
        annotator = checked_name(self._cell(row, _WORKER) or self._annotator)
        submitted = moment_of(self._cell(row, _SUBMITTED)) or self._now
        fields = self._answers.answers(row.cells)
        seconds = _seconds(self._cell(row, _SPENT))
        task = self._batch.task.name
        return WebAnswer(self._source, task, found[0], annotator, fields, submitted, seconds, submitted)

    def _cell(self, row: TableRow, name: str) -> str:
        place = self._header.get(name)
        return "" if place is None else row.cells[place]


def moment_of(text: str) -> datetime | None:
    """A time as the platform or ISO 8601 writes it; None for any other. Without a zone it is UTC."""
    found = _TIME.fullmatch(text.strip())
    try:
        if found is None:
            moment = datetime.fromisoformat(text.strip())
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        month, day, hour, minute, second, zone, year = found.groups()
        hours = timezone(timedelta(hours=_ZONES[zone]))
        clock = int(hour), int(minute), int(second)
        return datetime(int(year), MONTHS.index(month) + 1, int(day), *clock, tzinfo=hours).astimezone(UTC)
    except (ValueError, KeyError, OverflowError):
        return None


def _seconds(text: str) -> float:
    """0 for what is no sensible number."""
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < _LONGEST_WORK else 0.0
