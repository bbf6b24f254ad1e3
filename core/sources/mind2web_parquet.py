"""Rows of Mind2Web actions in parquet files: few columns for an index, all of them for some rows; pictures by cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from stepscope.core.archives.parquet import Table, opened_table
from stepscope.core.domain.episode import Cell, Picture
from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import LFS_HINT, LFS_POINTER, probe_bytes
from stepscope.core.regular_files import open_regular
from stepscope.core.sources.files import mapping_of
from stepscope.core.sources.findings import told_reason
from stepscope.core.sources.mind2web_rows import SMALL, WHOLE, Mind2WebRow, RowHead, Spot, head_of, picture_beside

_INDEX_ROWS = 1024
_READ_ROWS = 4
"""Rows have some megabytes each: few are decoded at once."""

_PICTURE = "screenshot"


def parquet_heads(path: Path) -> Iterator[RowHead]:
    """What an index needs of every row."""
    _refuse_pointer(path)
    with opened_table(path) as table:
        shown = _PICTURE in table.names
        columns = _present(table, SMALL)
        for group in range(len(table.groups)):
            number = 0
            for batch in table.batches(group, columns, _INDEX_ROWS) if table.groups[group] else ():
                for row in table.values(batch, f"row group {group}, from row {number}"):
                    yield head_of(row, path.name, (group, number), shown)
                    number += 1


def parquet_rows(path: Path, spots: Sequence[Spot]) -> Iterator[Mind2WebRow]:
    """The rows at the spots, row group by row group."""
    _refuse_pointer(path)
    with opened_table(path) as table:
        columns = (*_present(table, WHOLE), *_present(table, (_PICTURE,)))
        for group in sorted({group for group, _ in spots}):
            wanted = {row for own, row in spots if own == group}
            if group >= len(table.groups) or max(wanted) >= table.groups[group]:
                raise SourceError("the table is shorter than it was when it was indexed", place=path)
            for number, row in _chosen(table, group, columns, wanted):
                picture, note = _picture(path, Cell(group, number, _PICTURE), row.pop(_PICTURE, None))
                yield Mind2WebRow(row, picture, note, path.name)


def _chosen(table: Table, group: int, columns: Sequence[str], wanted: set[int]) -> Iterator[tuple[int, Any]]:
    """The wanted rows of a group with their numbers; what stands behind the last one is not decoded."""
    first = 0
    for batch in table.batches(group, columns, _READ_ROWS):
        for place in range(batch.num_rows):
            if first + place in wanted:
                row = table.values(batch.slice(place, 1), f"row group {group}, row {first + place}")[0]
                yield first + place, row
        first += batch.num_rows
        if first > max(wanted):
            return


def _present(table: Table, columns: Sequence[str]) -> tuple[str, ...]:
    names = set(table.names)
    return tuple(column for column in columns if column in names)


def _refuse_pointer(path: Path) -> None:
    try:
        with open_regular(path) as stream:
            head = stream.read(len(LFS_POINTER))
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=path) from error
    if head == LFS_POINTER:
        raise SourceError("the file is not there, only its git-lfs pointer", place=path, hint=LFS_HINT)


def _picture(path: Path, cell: Cell, value: object) -> tuple[Picture | None, str]:
    """The picture of a row: bytes in the table, else the file that it names. "" and None where it has none."""
    form = mapping_of(value)
    data = value if isinstance(value, bytes) else form.get("bytes")
    name = value if isinstance(value, str) else form.get("path")
    try:
        if isinstance(data, bytes) and data:
            inner = cell if isinstance(value, bytes) else Cell(cell.group, cell.row, f"{_PICTURE}.bytes")
            return Picture(path, probe_bytes(data, path).size, inner), ""
    except SourceError as error:
        return None, told_reason(error)
    return (
        picture_beside(path, name) if isinstance(name, str) and name else (None, "there is no screenshot in this row")
    )
