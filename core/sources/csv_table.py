"""A comma-separated table of a stranger's: header and rows, whatever lies in the cells.

UTF-8 with or without byte order mark, quoted cells over many lines, cells of any length.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import LFS_HINT, LFS_POINTER
from stepscope.core.limits import BYTES, exceeded, limit, written_figure
from stepscope.core.sources.files import bound_cells, check_size, text_of

_SURROGATE = re.compile("[\udc80-\udcff]")

_QUOTED_REST = re.compile('[^"]*(?:""[^"]*)*"')
_CELL = re.compile(r'(?:"[^"]*(?:""[^"]*)*(?:"[^,\r\n]*|\Z)|[^,\r\n]*)(,?)')


@dataclass(frozen=True, slots=True)
class TableRow:
    """Row `number` (from 1, the header not counted) as it stands: it may be shorter or longer than the header.

    `damaged`: bytes that are no UTF-8 were in it, and the replacement character stands for them.
    """

    number: int
    cells: tuple[str, ...]
    damaged: bool = False


def read_table(path: Path) -> tuple[tuple[str, ...], Iterator[TableRow]]:
    """The header and the rows, read as they are asked for; lines without any cell are skipped.

    Raises SourceError, also while the rows are read, for a file that is missing, only a git-lfs pointer, broken, or
    beyond a limit of tables, and for one without a header or with one that is not UTF-8.
    """
    lines = _lines(path)
    header = next(lines, None)
    if header is None:
        raise SourceError("the table is empty", place=path)
    if any(map(_is_damaged, header)):
        raise SourceError("the header is not UTF-8 text", place=path)
    return tuple(header), _rows(lines, len(header), path)


def _rows(lines: Iterator[list[str]], width: int, path: Path) -> Iterator[TableRow]:
    rows, most, cells_met = limit("table-rows"), limit("table-cells"), 0
    for number, cells in enumerate(lines, start=1):
        cells_met += max(width, len(cells))  # readers fill up short rows
        if number > rows:
            raise exceeded("table-rows", f"the table has more than {rows:,} rows", place=path, record=number)
        if cells_met > most:
            raise exceeded("table-cells", f"the table has more than {most:,} cells", place=path, record=number)
        if any(map(_is_damaged, cells)):
            yield TableRow(number, tuple(map(text_of, cells)), damaged=True)
        else:
            yield TableRow(number, tuple(cells))


def _is_damaged(cell: str) -> bool:
    """Whether bytes of the cell were no UTF-8: they come as lone surrogates, which no UTF-8 holds."""
    return not cell.isascii() and _SURROGATE.search(cell) is not None


def _lines(path: Path) -> Iterator[list[str]]:
    cell, line = bound_cells(), 0
    try:
        check_size(path, path.stat().st_size)
        with path.open(encoding="utf-8-sig", newline="", errors="surrogateescape") as stream:
            if stream.read(len(LFS_POINTER)) == LFS_POINTER.decode():
                raise SourceError("the file is not there, only its git-lfs pointer", place=path, hint=LFS_HINT)
            stream.seek(0)
            columns = _ColumnLimiter(stream, path)
            reader = csv.reader(columns)
            for cells in reader:
                line = reader.line_num
                columns.row_ends()
                if cells:
                    yield cells
    except csv.Error as error:
        if "field larger than" in str(error):
            message = f"after line {line} a cell has more than {written_figure(BYTES, cell)}"
            raise exceeded("table-cell-bytes", message, place=path) from error
        raise SourceError(f"broken table after line {line}: {error}", place=path) from error
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=path) from error


def check_columns(text: str, delimiter: str, path: Path) -> None:
    """Raise SourceError for a text of short cells that has a line of more of them than `table-columns`."""
    most = limit("table-columns")
    for number, line in enumerate(text.splitlines(), start=1) if text.count(delimiter) > most else ():
        if line.count(delimiter) > most:
            raise exceeded("table-columns", f"the table has more than {most:,} columns", place=path, record=number)


class _ColumnLimiter:
    """The lines of a table on their way to the `csv` module, which makes a list of a whole row: it is kept from lines
    of more cells than `table-columns`. Commas are counted, which cells may hold too; only a line with too many of them
    is looked at as `csv` does."""

    def __init__(self, stream: Iterable[str], path: Path) -> None:
        self._stream = iter(stream)
        self._path = path
        self._most = limit("table-columns")
        self._met = 0
        self._inside = False
        """Whether the row goes on in the next line: `csv` asks for one within quotation marks only."""
        self._number = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._stream:
            self._number += 1
            commas = line.count(",")
            self._met += commas if self._met + commas <= self._most else self._cells(line)
            if self._met > self._most:
                message = f"the table has more than {self._most:,} columns"
                raise exceeded("table-columns", message, place=self._path, record=self._number)
            self._inside = True
            yield line

    def row_ends(self) -> None:
        """The row of the lines so far is whole."""
        self._met, self._inside = 0, False

    def _cells(self, line: str) -> int:
        """How many commas of the line part cells, as far as they may."""
        place = count = 0
        if self._inside:
            end = _QUOTED_REST.match(line)
            if end is None:
                return 0
            place = end.end()
        while count + self._met <= self._most:
            cell = _CELL.match(line, place)
            if cell is None or not cell[1]:
                return count
            count, place = count + 1, cell.end()
        return count
