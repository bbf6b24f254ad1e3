"""Parquet tables of a stranger's: what they take is told by their pages' headers, and bounded, before it is taken."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from stepscope.core import limits
from stepscope.core.archives.cells import close_all, read_cell
from stepscope.core.archives.parquet import opened_table, read_footer
from stepscope.core.errors import SourceError

MB = 1 << 20


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    yield
    limits.choose({})
    close_all()


def write(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    parquet.write_table(pa.table(columns), path, **options)
    return path


def rows_of(path: Path, columns: tuple[str, ...], rows: int = 100) -> list[dict[str, Any]]:
    with opened_table(path) as table:
        return [
            row
            for group in range(len(table.groups))
            for batch in table.batches(group, columns, rows)
            for row in table.values(batch, f"row group {group}")
        ]


def repeated(text: str, rows: int) -> pa.Array:
    """A text that stands in the file once, in a dictionary."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([text]))


@pytest.mark.parametrize("encoding", ["PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "dictionary"])
@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "brotli", "zstd", "lz4"])
def test_rows_are_those_that_were_written(tmp_path: Path, encoding: str, codec: str) -> None:
    texts = [f"text {number % 7}" if number % 5 else None for number in range(40)]
    lists = [[f"{number}", None, "x" * number] if number % 3 else None for number in range(40)]
    kept = encoding == "dictionary"
    path = write(
        tmp_path / "a.parquet",
        {"text": pa.array(texts), "texts": pa.array(lists), "number": list(range(40)), "other": [0.5] * 40},
        row_group_size=15,
        compression=codec,
        use_dictionary=kept,
        column_encoding=None if kept else {"text": encoding, "texts.list.element": encoding},
    )
    found = rows_of(path, ("text", "texts", "number"), 4)
    assert found == [
        {"text": text, "texts": texts, "number": number}
        for number, (text, texts) in enumerate(zip(texts, lists, strict=True))
    ]


def test_a_text_that_a_dictionary_repeats_is_counted_as_often_as_it_occurs(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", {"goal": repeated("b" * MB, 2_000)})
    assert path.stat().st_size < 100_000
    with pytest.raises(SourceError, match="of its rows take more than 512 MB") as caught:
        rows_of(path, ("goal",), 1024)
    assert caught.value.field == "goal" and "--limit-table-bytes" in caught.value.hint
    with pytest.raises(SourceError, match="unpacks to more than 250 times its size"):
        rows_of(path, ("goal",), 100)
    limits.choose({"archive-bytes": 3_000 * MB})
    with opened_table(path) as table:
        batch = next(table.batches(0, ("goal",), 10))
        assert batch.get_total_buffer_size() < 3 * MB  # in its dictionary
        assert [len(row["goal"]) for row in table.values(batch)] == [MB] * 10


def test_values_of_lists_are_counted_before_they_become_python_values(tmp_path: Path) -> None:
    nulls = pa.ListArray.from_arrays(pa.array([0, 3_000], pa.int32()), pa.nulls(3_000, pa.string()))
    path = write(tmp_path / "a.parquet", {"texts": nulls})
    limits.choose({"json-nodes": 2_000})
    with pytest.raises(SourceError, match="1 of its rows have more than 2,000 values") as caught:
        rows_of(path, ("texts",))
    assert caught.value.record == "row group 0"


def test_a_page_that_unpacks_to_very_much_is_not_unpacked(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", {"text": ["a" * (2 * MB)]}, compression="zstd", use_dictionary=False)
    assert path.stat().st_size < 20_000
    limits.choose({"table-bytes": MB})
    with pytest.raises(SourceError, match="a page of the column takes more than 1 MB"):
        rows_of(path, ("text",))
    with pytest.raises(SourceError, match="a page of the column takes more than 1 MB"):
        read_cell(path, 0, 0, "text")
    with pytest.raises(SourceError, match="a page of the column takes more than 1 MB"):
        read_cell(path, 0, 0, "text")  # told again, not an error of the reader that was kept


def test_texts_that_repeat_their_predecessors_come_in_smaller_batches(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.parquet",
        {"text": ["a" * 10_000] * 50},
        use_dictionary=False,
        column_encoding={"text": "DELTA_BYTE_ARRAY"},
    )
    limits.choose({"table-bytes": 100_000})
    with opened_table(path) as table:
        sizes = [batch.num_rows for batch in table.batches(0, ("text",), 50)]
    assert sum(sizes) == 50 and max(sizes) < 10


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"table-rows": 9}, "the table has 10 rows"),
        ({"table-columns": 1}, "the table has 2 columns"),
        ({"table-cells": 9}, "the column has 10 values in row group 0"),
        ({"table-footer-bytes": 100}, "its footer is larger than 100 bytes"),
        ({"table-cell-bytes": 2}, ""),
    ],
)
def test_each_limit_is_told_by_its_name(tmp_path: Path, chosen: dict[str, int], words: str) -> None:
    path = write(tmp_path / "a.parquet", {"text": ["abc"] * 10, "number": range(10)})
    assert len(rows_of(path, ("text", "number"))) == 10
    limits.choose(chosen)
    if not words:
        with pytest.raises(SourceError, match="a cell has more than 2 bytes"):
            rows_of(path, ("text",), 1)
        return
    with pytest.raises(SourceError, match=words) as caught:
        rows_of(path, ("text", "number"))
    assert f"--limit-{next(iter(chosen))}" in caught.value.hint


def test_the_cell_that_is_read_again_and_again_does_not_use_up_what_a_table_may_take(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", {"raw": pa.array([b"x" * 1000] * 4)})
    limits.choose({"archive-bytes": 20_000, "archive-ratio": 1})
    for _ in range(100):
        assert len(read_cell(path, 0, 3, "raw")) == 1000


def test_a_footer_that_is_none_is_empty(tmp_path: Path) -> None:
    for data in (b"", b"PAR1", b"PAR1" + struct.pack("<I", 1 << 31) + b"PAR1", b"x" * 40):
        (tmp_path / "a.parquet").write_bytes(data)
        assert read_footer(tmp_path / "a.parquet") == b""


@settings(max_examples=settings().max_examples // 2)
@given(st.data())
def test_a_damaged_table_is_read_or_told(tmp_path: Path, data: st.DataObject) -> None:
    path = write(
        tmp_path / "a.parquet",
        {"text": ["abc", None, "d"], "texts": [["a", "b"], None, []]},
        compression="gzip",
        row_group_size=2,
    )
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    (tmp_path / "b.parquet").write_bytes(content)
    try:
        found = rows_of(tmp_path / "b.parquet", ("text", "texts"))
    except SourceError as error:
        assert error.place
    else:
        assert len(found) < 1000


def test_no_byte_of_a_footer_ends_the_program(tmp_path: Path) -> None:
    """pyarrow 26 calls `terminate` where the histograms of a column's sizes have other lengths than its levels."""
    path = write(tmp_path / "a.parquet", {"text": ["abc", None], "texts": [["a"], []]}, compression="gzip")
    content = path.read_bytes()
    start = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    damaged, told = tmp_path / "b.parquet", 0
    for place in range(start, len(content)):
        for value in (content[place] ^ 16, content[place] ^ 32, 0):
            damaged.write_bytes(content[:place] + bytes([value]) + content[place + 1 :])
            try:
                rows_of(damaged, ("text", "texts"))
            except SourceError:
                told += 1
    assert told > 300
