"""A paper's table made again as HTML, Markdown and LaTeX (package booktabs): one set of words, three templates.

Everything that a template prints is escaped for its language by the template's own environment, never by hand. The HTML
file loads nothing from anywhere. Data is named by its folder's name, not by the path on this machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.app.services.provenance import title_of_key
from stepscope.app.services.reproduction.judged_columns import INTENT, PLATFORM_WORDS
from stepscope.app.services.reproduction.results import CellResult, TableResult
from stepscope.app.services.reproduction.tables import PaperColumn, PaperTable, merged
from stepscope.app.services.version import VERSION
from stepscope.core.domain.run import Run
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.latex import latex_words
from stepscope.core.evaluation.leaderboard_texts import marked_down
from stepscope.core.evaluation.report_numbers import MINUS, NONE, count_words
from stepscope.core.evaluation.rules import scoring_of
from stepscope.core.frozen import dataclass

if TYPE_CHECKING:
    from jinja2 import Environment

_RUN_COLUMNS = ("Run", "Model", "Data", "Split", "Seed", "Items", "Stepscope")
_JUDGED = {
    "people": "judged by people", "judge": "judged by a judge",
    "any": "judged by people, or by a judge where there are none",
}  # fmt: skip
_LATEX_MARKS = {
    "block_start_string": "<%", "block_end_string": "%>", "variable_start_string": "<<",
    "variable_end_string": ">>", "comment_start_string": "<#", "comment_end_string": "#>",
}  # fmt: skip
"""Braces and percent signs mean something in LaTeX."""


@dataclass(frozen=True, slots=True)
class CellWords:
    """A cell as it is printed, every part rounded as the paper's numbers are."""

    published: str
    ours: str
    spread: str
    difference: str


@dataclass(frozen=True, slots=True)
class RowWords:
    label: str
    cells: tuple[CellWords, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A list below the table: what is missing, what is different, notes."""

    id: str
    title: str
    lines: tuple[tuple[str, str], ...]


def row_words(result: TableResult) -> tuple[RowWords, ...]:
    """The rows as they are printed."""
    table = result.table
    return tuple(
        RowWords(row.label, tuple(cell_words(table, cell) for cell in result.of_row(row))) for row in table.rows
    )


def cell_words(table: PaperTable, cell: CellResult) -> CellWords:
    """One cell as it is printed."""
    ours = None if cell.ours is None else cell.ours.mean
    published = None if cell.published is None else cell.published.value
    return CellWords(
        number(table, published), number(table, ours), _spread(table, cell), number(table, cell.difference, sign=True)
    )


def number(table: PaperTable, value: float | None, *, sign: bool = False) -> str:
    """A number of the table as the paper rounds its own; a dash for none."""
    if value is None:
        return NONE
    rounded = round(100 * value if table.percent else value, table.digits) + 0.0  # never a minus before a zero
    return f"{rounded:{'+' if sign and rounded else ''}.{table.digits}f}".replace("-", MINUS)


def sections(result: TableResult) -> tuple[Section, ...]:
    """What the columns are, what is missing, how ours are other numbers than the paper's, what has to be known of the
    paper's; those that say nothing are left out."""
    table = result.table
    published = [(cell, (cell.published.note,)) for cell in result.cells if cell.published is not None]
    found = (
        Section("columns", "Columns", tuple((column.title, _column_words(table, column)) for column in table.columns)),
        Section("missing", "What is missing", _lines(result, [(cell, (cell.missing,)) for cell in result.cells])),
        Section("different", "How ours differ", _lines(result, [(cell, cell.remarks) for cell in result.cells])),
        Section("published", "The paper's numbers", _lines(result, published)),
        Section("notes", "Notes", tuple((str(at), note) for at, note in enumerate(table.notes, start=1))),
    )
    return tuple(section for section in found if section.lines)


def as_html(result: TableResult, now: datetime | None = None) -> str:
    """The table as one HTML file to send to somebody."""
    return _rendered("reproduction.html", result, now, autoescape=True)


def as_markdown(result: TableResult, now: datetime | None = None) -> str:
    """The table for a file of Markdown with tables."""
    return _rendered("reproduction.md", result, now, finalize=_each_word(marked_down))


def as_latex(result: TableResult, now: datetime | None = None) -> str:
    """The table as a LaTeX environment; comments above it name the runs and what is missing."""
    return _rendered("reproduction.tex", result, now, finalize=_each_word(latex_words), **_LATEX_MARKS)


def check_folder(folder: Path) -> None:
    """Raises UsageError at once where no documents can be put later."""
    if folder.exists() and not folder.is_dir():
        raise UsageError("this is no folder.", place=folder, hint="Name a folder with --out.")


def write_documents(result: TableResult, folder: Path) -> tuple[Path, ...]:
    """Write the table in all three languages, each file whole or not at all; the folder is made. Raises UserError."""
    now, name = datetime.now(UTC), result.table.name
    texts = {
        folder / f"{name}.html": as_html(result, now),
        folder / f"{name}.md": as_markdown(result, now),
        folder / f"{name}.tex": as_latex(result, now),
    }
    for file, text in texts.items():
        try:
            write_whole(file, text.encode())
        except OSError as error:
            raise UserError(f"cannot be written: {reason(error)}.", place=file, hint=advice(error)) from error
    return tuple(texts)


def _rendered(template: str, result: TableResult, now: datetime | None, **settings: Any) -> str:
    return _environment(**settings).get_template(template).render(_words(result, now or datetime.now(UTC)))


def _environment(**settings: Any) -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("stepscope.resources", "templates")
    return Environment(loader=loader, trim_blocks=True, undefined=StrictUndefined, **settings)


def _each_word(escape: Callable[[str], str]) -> Callable[[object], str]:
    """What a template's environment does to everything that it prints."""
    return lambda value: escape(str(value))


def _words(result: TableResult, now: datetime) -> Mapping[str, Any]:
    """What the templates print."""
    table = result.table
    return {
        "title": table.title,
        "source": f"{table.paper}, {table.place}; section {table.section}",
        "unit": "Numbers in percent" if table.percent else "Numbers as fractions",
        "spread": "95 % interval or SD",
        "about": _about(result),
        "sample": result.sample,
        "missing": not result.complete,
        "done": count_words(sum(not cell.missing for cell in result.cells)),
        "cells": count_words(len(result.cells)),
        "columns": [column.title for column in table.columns],
        "rows": row_words(result),
        "sections": sections(result),
        "run_columns": _RUN_COLUMNS,
        "runs": [_run_words(run) for run in result.runs.values()],
        "made": now.strftime("%Y-%m-%d %H:%M UTC"),
        "program": f"stepscope {VERSION}",
    }


def _about(result: TableResult) -> str:
    digits, judged = result.table.digits, {bool(column.judged) for column in result.table.columns}
    decimals = f"All numbers have {digits} decimal{'s' * (digits != 1)}, as the paper's have"
    of_runs = "bootstrap over whole episodes or tasks, 1,000 draws, seed 0"
    how = [*([of_runs] if False in judged else []), *(["Wilson over judged pairs"] if True in judged else [])]
    return (
        f"{decimals}; the difference is ours less the paper's, before rounding. Interval: 95 %, {'; '.join(how)}. "
        "SD: deviation over seeds."
    )


def _spread(table: PaperTable, cell: CellResult) -> str:
    """The interval of one seed, the deviation of several."""
    if cell.interval is not None:
        low, high = (number(table, end) for end in cell.interval)
        return f"{low} – {high}"
    if cell.ours is None or cell.ours.deviation is None:
        return NONE
    return f"± {number(table, cell.ours.deviation)}, {cell.ours.n} seeds"


def _column_words(table: PaperTable, column: PaperColumn) -> str:
    """What a column is: metric, rule or who judged, part of the data."""
    if column.judged:
        about = column.app if column.app is not None else column.keep
        return (
            f"{column.metric} of {INTENT}, {_JUDGED[column.judged]}; {_data_words(column)}{', ' * bool(about)}{about}."
        )
    rule = scoring_of(table.protocol, dict(merged(table.options, column.options)))
    part = f", split {column.split}" if column.split else ""
    first = f", the first {count_words(column.per_app)} of each app or task" if column.per_app else ""
    return f"{column.metric} under {rule.words}; {_data_words(column)}{part}{first}."


def _data_words(column: PaperColumn) -> str:
    other = f" or other {PLATFORM_WORDS[column.platform]} data" if column.platform else ""
    return f"{column.format or 'any data'}{other}"


def _lines(result: TableResult, said: Sequence[tuple[CellResult, tuple[str, ...]]]) -> tuple[tuple[str, str], ...]:
    """What is said of cells, each text once with all rows that it is about; the columns are named where it is not about
    all of a row's."""
    where: dict[str, dict[str, list[str]]] = {}
    for cell, texts in said:
        for text in filter(None, texts):
            where.setdefault(text, {}).setdefault(cell.row.label, []).append(cell.column.title)
    every = len(result.table.columns)
    return tuple(
        ("; ".join(label if len(columns) == every else f"{label} ({', '.join(columns)})"
                   for label, columns in rows.items()), text)
        for text, rows in where.items()
    )  # fmt: skip


def _run_words(run: Run) -> tuple[str, ...]:
    spec = run.spec
    part = spec.split or spec.filter or "all"
    return run.id, spec.model, title_of_key(spec.source), part, str(spec.seed), count_words(run.done), spec.code_version
