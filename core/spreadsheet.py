"""Tables for spreadsheets: CSV and lines for the clipboard in which no text of strangers is taken for a formula.

Every table that this program writes for people goes through here. A line of a cell that a spreadsheet could take for a
formula gets an apostrophe in front (`safe_cell`), and `plain_cell` takes exactly these away again, so that what is read
back is what was written. Every cell but plain ones stands in quotes. Tables of other tools, which must be exact, are
written with `exact_lines`: all cells in quotes, nothing else changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

_ENDS = r"\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
"""Ends of lines, as `str.splitlines` knows them."""
_LEAD = rf"(?:[^\S{_ENDS}]|[\x00-\x08\x0e-\x1b\x7f\u180e\u200b-\u200f\u2060\ufeff\"\u201c\u201d])*"
"""What a program may leave away in front of a formula: white space, signs without width, quotes."""
_DANGER = rf"(?:{_LEAD}[=+\-@\uff1d\uff0b\uff0d\uff20]|\t)"
"""How a formula begins: with one of `= + - @`, narrow or full-width; a tab moves what follows into a cell of its own
(OWASP, "CSV Injection")."""
_BEGIN = rf"(?:\A|(?<=[{_ENDS}]))"
"""Where a line begins: programs that do not know quotes take line ends inside a cell for ends of rows."""
_TO_MARK = re.compile(rf"{_BEGIN}(?='*{_DANGER})")
_MARKED = re.compile(rf"{_BEGIN}'(?='*{_DANGER})")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_PLAIN = re.compile(r"(?! )[\w.:/#%()\[\]{}<>!?&*=+@|~^$' -]*(?<! )")

Cell = str | int | float | None


def safe_cell(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula; a number stays as it is."""
    return text if _NUMBER.fullmatch(text) else _TO_MARK.sub("'", text)


def plain_cell(cell: str) -> str:
    """The text of which `safe_cell` made the cell. A cell that never was one is itself, unless it begins with an
    apostrophe before a formula."""
    return _MARKED.sub("", cell)


def write_rows(stream: TextIO, rows: Iterable[Sequence[Cell]]) -> None:
    """The rows as CSV (RFC 4180, with `\\n` at the end of lines as all files of this program). Open `stream` with
    newline="". None is an empty cell; NUL, which programs take for the end of a file, is written as `\\x00`."""
    for row in rows:
        stream.write(row_line(row))


def row_line(row: Sequence[Cell]) -> str:
    """One row of CSV with its line end."""
    cells = [_quoted(safe_cell(_text(cell))) for cell in row]
    return ('""' if cells == [""] else ",".join(cells)) + "\n"


def exact_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows of CSV for other tools: cells as they are, all in quotes, lines ended as RFC 4180 does."""
    for row in rows:
        yield ",".join(_in_quotes(cell) for cell in row) + "\r\n"


def clipboard_lines(rows: Iterable[Sequence[Cell]]) -> str:
    """The rows as spreadsheets paste them: tabs between the cells, each on one line."""
    return "".join("\t".join(safe_cell(" ".join(_text(cell).split())) for cell in row) + "\n" for row in rows)


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return cell.replace("\0", "\\x00") if isinstance(cell, str) else str(int(cell) if isinstance(cell, bool) else cell)


def _quoted(text: str) -> str:
    return text if (text.isascii() and _PLAIN.fullmatch(text)) or _NUMBER.fullmatch(text) else _in_quotes(text)


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
