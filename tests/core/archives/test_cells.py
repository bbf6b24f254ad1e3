"""Byte strings in parquet tables: each is the one that was written, and little more than it is read."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from stepscope.core.archives import cells
from stepscope.core.archives.cells import close_all, read_cell
from stepscope.core.errors import SourceError

ROWS = 30


def picture(row: int) -> bytes:
    return bytes([row]) * (1000 + row)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Three row groups of ten rows, as the Hugging Face datasets library writes pictures; row 7 has none."""
    kind = pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])
    pictures = [None if row == 7 else {"bytes": picture(row), "path": f"{row}.png"} for row in range(ROWS)]
    made = pyarrow.table(
        {
            "action_uid": [str(row) for row in range(ROWS)],
            "screenshot": pyarrow.array(pictures, kind),
            "raw": pyarrow.array([picture(row) for row in range(ROWS)]),
        }
    )
    parquet.write_table(made, tmp_path / "a.parquet", row_group_size=10)
    return tmp_path / "a.parquet"


@pytest.mark.parametrize("column", ["screenshot.bytes", "screenshot", "raw"])
def test_rows_in_any_order(table: Path, column: str) -> None:
    for row in (0, 1, 29, 12, 11, 19, 3, 28, 9):
        assert read_cell(table, row // 10, row % 10, column) == picture(row)


def test_a_read_goes_on_where_the_last_one_stopped(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    before = cells._GroupReader._begin
    monkeypatch.setattr(cells._GroupReader, "_begin", lambda self, table: (begun.append(1), before(self, table))[1])
    monkeypatch.setattr(cells, "KEPT_BYTES", 5_000)
    for row in (2, 3, 5, 9, 8):
        assert read_cell(table, 1, row, "raw") == picture(10 + row)
    assert len(begun) == 1
    assert read_cell(table, 1, 0, "raw") == picture(10)  # no longer kept: from the start again
    assert len(begun) == 2


def test_a_changed_table_is_read_anew(table: Path) -> None:
    assert read_cell(table, 0, 0, "raw") == picture(0)
    parquet.write_table(pyarrow.table({"raw": [b"new"]}), table)
    os.utime(table, ns=(9, 9))
    assert read_cell(table, 0, 0, "raw") == b"new"


@pytest.mark.parametrize(
    ("group", "row", "column", "message"),
    [
        (3, 0, "raw", "no row group 3"),
        (-1, 0, "raw", "no row group -1"),
        (0, 10, "raw", "no row 10"),
        (0, -1, "raw", "no row -1"),
        (0, 0, "picture", "no column 'picture'"),
        (0, 0, "screenshot.pixels", "no column"),
        (0, 0, "action_uid", "holds no byte strings"),
        (0, 7, "screenshot.bytes", "no picture in this row"),
    ],
)
def test_what_is_not_there_is_told(table: Path, group: int, row: int, column: str, message: str) -> None:
    with pytest.raises(SourceError, match=message) as told:
        read_cell(table, group, row, column)
    assert told.value.place == str(table)
    assert told.value.field == column


def test_a_missing_or_broken_table_is_told(tmp_path: Path, table: Path) -> None:
    with pytest.raises(SourceError, match="not there"):
        read_cell(tmp_path / "none.parquet", 0, 0, "raw")
    table.write_bytes(table.read_bytes()[:-200])
    with pytest.raises(SourceError, match="cannot be read"):
        read_cell(table, 0, 0, "raw")


def test_many_threads_read_many_groups(table: Path) -> None:
    """More row groups and columns than are held open."""

    def read(n: int) -> bool:
        row = n * 7 % ROWS
        return row == 7 or read_cell(table, row // 10, row % 10, ("raw", "screenshot")[n % 2]) == picture(row)

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(read, range(150)))


@settings(max_examples=settings().max_examples // 2)
@given(edits=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=5))
def test_a_damaged_table_gives_bytes_or_a_source_error(table: Path, edits: list[tuple[int, int]]) -> None:
    data = bytearray(table.read_bytes())
    for place, value in edits:
        data[place % len(data)] = value
    broken = table.with_name("broken.parquet")
    broken.write_bytes(data)
    try:
        assert isinstance(read_cell(broken, 1, 5, "screenshot.bytes"), bytes)
    except SourceError:
        return
    finally:
        close_all()
