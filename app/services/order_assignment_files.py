"""Assignments of procedures as files, out and in: CSV or JSON Lines, by the file's ending.

Three columns, or keys: `annotator`, `procedure` (an id in the data) and `shown` (`text`, `picture` or `both`, which it
is where nothing stands there). Others are left aside. A crowd platform gets such a file, and gives one back.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from stepscope.app.services.annotations import parsed_lines
from stepscope.app.services.export.whole_files import utf8
from stepscope.app.services.human_orders import ProcedureOf
from stepscope.app.services.order_assignments import CAMPAIGN, keep, tasks
from stepscope.core.domain.campaign import checked_name
from stepscope.core.domain.human_order import StepInput
from stepscope.core.domain.order_assignment import OrderAssignment
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.csv_table import check_columns
from stepscope.core.sources.files import bound_cells, check_size
from stepscope.core.sources.predictions import LineProblem
from stepscope.core.spreadsheet import plain_cell, write_rows
from stepscope.core.store.engine import Database

COLUMNS = ("annotator", "procedure", "shown")
_HINT = f"Give the columns {', '.join(COLUMNS)}, with commas between them."


@dataclass(frozen=True, slots=True)
class AssignmentImport:
    """The outcome of an import: how many assignments are new, how many were there, and the lines kept out."""

    taken: int
    known: int
    problems: tuple[LineProblem, ...]


def write_assignments(path: Path, given: Iterable[OrderAssignment]) -> Callable[[IO[bytes]], None]:
    """A writer of the file, in the form that its name says."""
    rows = [(one.annotator, one.procedure, one.shown.value) for one in given]

    def write(stream: IO[bytes]) -> None:
        with utf8(stream) as text:
            if _is_csv(path):
                write_rows(text, [COLUMNS, *rows])
            else:
                for row in rows:
                    text.write(json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) + "\n")

    return write


def import_assignments(
    database: Database, source: str, procedure_of: ProcedureOf, path: Path, campaign: str = CAMPAIGN
) -> AssignmentImport:
    """Take over the assignments of a file for the data known as `source`. Lines that name a procedure that is not
    there, or give somebody a procedure that they have under another condition, or in another campaign, are kept out and
    told by number and field. Raises UserError for a file that cannot be read."""
    found, problems = read_assignments(path)
    there = {one.assignment.key: (one.campaign, one.assignment) for one in tasks(database, source)}
    new: dict[tuple[str, str], tuple[int, OrderAssignment]] = {}
    known = 0
    for number, one in found:
        earlier, same = new.get(one.key, (0, None))
        where, given = there.get(one.key, (campaign, None))
        if procedure_of(one.procedure) is None:
            problems.append(LineProblem(number, f"procedure: there is no {one.procedure!r} in the data"))
        elif where != campaign:
            problems.append(LineProblem(number, f"procedure: {one.annotator} has it in the campaign “{where}”"))
        elif (other := same or given) is not None and other.shown is not one.shown:
            place = f" by line {earlier}" if earlier else ""
            problems.append(LineProblem(number, f"shown: {one.annotator} is to see {other.shown} of it{place}"))
        elif other is not None:
            known += 1
        else:
            new[one.key] = number, one
    if new:
        keep(database, source, [one for _, one in new.values()], campaign)
    return AssignmentImport(len(new), known, tuple(sorted(problems, key=lambda problem: problem.line)))


def read_assignments(path: Path) -> tuple[list[tuple[int, OrderAssignment]], list[LineProblem]]:
    """Assignments by line, and the lines that are none. Raises UserError for a file that cannot be read."""
    if not _is_csv(path):
        return parsed_lines(path, _assignment)
    good: list[tuple[int, OrderAssignment]] = []
    problems: list[LineProblem] = []
    for number, row in _rows(path):
        try:
            good.append((number, _assignment(row)))
        except ValueError as error:
            problems.append(LineProblem(number, str(error)))
    return good, problems


def _assignment(form: object) -> OrderAssignment:
    """Raises ValueError with the field and what is wrong with it."""
    if not isinstance(form, Mapping):
        raise ValueError("an assignment is an object")
    procedure = form.get("procedure")
    if not isinstance(procedure, str) or not procedure:
        raise ValueError("procedure must be a text")
    annotator = form.get("annotator")
    if not isinstance(annotator, str):
        raise ValueError("annotator must be a text")
    word = form.get("shown") or StepInput.BOTH.value
    try:
        shown = StepInput(word)
    except ValueError:
        raise ValueError(f"shown {word!r} is not one of {', '.join(StepInput)}") from None
    return OrderAssignment(checked_name(annotator, "annotator"), procedure, shown)


def _rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    try:
        check_size(path, path.stat().st_size)
        text = path.read_text("utf-8-sig")
        for delimiter in ",;\t":
            check_columns(text, delimiter, path)
        bound_cells()
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        names = {" ".join((name or "").split()).lower(): name for name in rows.fieldnames or ()}
        if missing := [name for name in COLUMNS[:2] if name not in names]:
            raise UserError(f"has no column {missing[0]!r}.", place=path, hint=_HINT)
        return [
            (rows.line_num, {name: plain_cell(row.get(names[name]) or "").strip() for name in COLUMNS if name in names})
            for row in rows
        ]
    except UnicodeDecodeError as error:
        raise UserError("is not UTF-8 text.", place=path, hint="Save it as CSV in UTF-8.") from error
    except csv.Error as error:
        raise UserError(f"is no CSV: {error}.", place=path, hint="Quotes must be closed.") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError(f"cannot be read: {reason}.", place=path, hint="Choose another file.") from error


def _is_csv(path: Path) -> bool:
    return path.suffix.lower() in (".csv", ".tsv", ".txt")
