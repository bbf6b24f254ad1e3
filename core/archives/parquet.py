"""Parquet tables of a stranger's, read a few rows at a time, with all that they take bounded before it is taken.

A small file can stand for very much: pages that unpack to gigabytes, one long text that a dictionary repeats for each
row, rows without end that are all null, footers that tell the same page many times. So a column's pages are walked by
their headers before any is read (what each unpacks to, how many values it has); texts stay in their dictionaries; and
what a batch of rows takes is counted before it becomes Python values. Over all of a reading the table may not unpack to
more than an archive of its size may. Facts: the format's `parquet.thrift` and its Thrift compact protocol.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from stepscope.core.errors import SourceError
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import BYTES, exceeded, limit, written_figure
from stepscope.core.regular_files import open_regular

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import parquet
else:
    pa = lazy_module("pyarrow")
    pc = lazy_module("pyarrow.compute")
    parquet = lazy_module("pyarrow.parquet")

MARK = b"PAR1"
"""Stands at the beginning and at the end of a table."""

_READ = 1 << 20
_HEADER_BYTES = (1 << 10, 1 << 16, 1 << 24)
"""How much is read to hold a page's header: it has some 50 bytes, and statistics where the writer put some in."""
_DELTA_LENGTHS, _DELTA_TEXTS = 6, 7
"""Encodings of texts that pyarrow cannot keep in a dictionary; in the second each repeats a part of the one before."""
_DICTIONARY_PAGE = 2
_FEW = 16
"""Of so few values the lengths are asked for one by one, not those of a whole dictionary."""
_DEEPEST = 16


def read_footer(path: Path) -> bytes:
    """The file's footer; empty where there is none or it is larger than `table-footer-bytes`. Raises OSError."""
    with open_regular(path) as stream:
        length, start = _footer_place(stream)
        if not 0 < length <= limit("table-footer-bytes") or start < 0:
            return b""
        stream.seek(start)
        return stream.read(length)


def _footer_place(stream: BinaryIO) -> tuple[int, int]:
    """How long the footer says that it is, 0 where there is none, and where it begins."""
    size = stream.seek(0, 2)
    stream.seek(max(size - 8, 0))
    end = stream.read(8)
    length = int.from_bytes(end[:4], "little") if end[4:] == MARK else 0
    return length, size - 8 - length


class Table:
    """An open table. `names` are its columns, `groups` the numbers of rows of its row groups."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with open_regular(path) as stream:
            length, _ = _footer_place(stream)
        most = limit("table-footer-bytes")
        if length > most:
            raise exceeded("table-footer-bytes", f"its footer is larger than {written_figure(BYTES, most)}", place=path)
        self._file = parquet.ParquetFile(path, memory_map=False, buffer_size=_READ, pre_buffer=False)
        try:
            meta = self._file.metadata
            if meta.num_columns > limit("table-columns"):
                raise exceeded("table-columns", f"the table has {meta.num_columns:,} columns", place=path)
            # pyarrow 26 ends the whole program where what it is asked of a row group's columns does not fit together.
            groups = _row_groups(read_footer(path), meta.num_columns)
            self.groups = tuple(rows for rows, _ in groups)
            self._chunks = [chunks for _, chunks in groups]
            if sum(self.groups) > limit("table-rows"):
                raise exceeded("table-rows", f"the table has {sum(self.groups):,} rows", place=path)
            if min(self.groups, default=0) < 0:
                raise SourceError("the table cannot be read: a row group has fewer rows than none", place=path)
            self.names: tuple[str, ...] = tuple(self._file.schema_arrow.names)
            self._leaves = [
                (leaf.path, leaf.physical_type == "BYTE_ARRAY", leaf.max_repetition_level > 0)
                for leaf in map(meta.schema.column, range(meta.num_columns))
            ]
        except BaseException:
            self._file.close()
            raise
        self._readers: dict[tuple[str, ...], parquet.ParquetFile] = {}
        self._walked: set[tuple[int, int]] = set()
        self._left = max(limit("archive-bytes"), limit("archive-ratio") * path.stat().st_size)

    def close(self) -> None:
        for file in (self._file, *self._readers.values()):
            file.close()

    def batches(self, group: int, columns: Sequence[str], rows: int) -> Iterator[pa.RecordBatch]:
        """Rows of a row group from its start on, `rows` at a time or fewer; `columns` are names, or paths with dots.
        Texts are in dictionaries. Raises SourceError for what goes beyond a limit, before it is read."""
        leaves = [place for place, leaf in enumerate(self._leaves) if _is_of(leaf[0], columns)]
        texts = []
        for place in leaves:
            most = self._walk(group, place)
            rows = min(rows, most or rows)
            if self._leaves[place][1] and most is None:
                texts.append(self._leaves[place][0])
        yield from self._reader(tuple(texts)).iter_batches(
            rows, row_groups=[group], columns=list(columns), use_threads=False
        )

    def values(self, batch: pa.RecordBatch, record: str | int = "") -> list[dict[str, Any]]:
        """A batch as Python values, a dict for each row. Raises SourceError where they would go beyond a limit."""
        for name, size in self.check(batch, record).items():
            self._take(size, name)
        found: list[dict[str, Any]] = batch.to_pylist()
        return found

    def check(self, batch: pa.RecordBatch, record: str | int = "") -> dict[str, int]:
        """The bytes that each column of a batch takes as Python values. Raises SourceError where that, or their number,
        goes beyond a limit."""
        sizes: dict[str, int] = {}
        most, cell, nodes, taken, count = (
            limit("table-bytes"), limit("table-cell-bytes"), limit("json-nodes"), 0, 0
        )  # fmt: skip
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            size, values = _extent(column)
            taken, count = taken + size, count + values
            if batch.num_rows == 1 and size > cell:
                message = f"a cell has more than {written_figure(BYTES, cell)}"
                raise exceeded("table-cell-bytes", message, place=self.path, record=record, field=name)
            if taken > most:
                message = f"{batch.num_rows} of its rows take more than {written_figure(BYTES, most)}"
                raise exceeded("table-bytes", message, place=self.path, record=record, field=name)
            if count > nodes:
                message = f"{batch.num_rows} of its rows have more than {nodes:,} values"
                raise exceeded("json-nodes", message, place=self.path, record=record, field=name)
            sizes[name] = size
        return sizes

    def _reader(self, texts: tuple[str, ...]) -> parquet.ParquetFile:
        """The file, opened so that these columns stay in dictionaries."""
        if texts not in self._readers:
            self._readers[texts] = parquet.ParquetFile(
                self.path,
                metadata=self._file.metadata,
                read_dictionary=list(texts),
                memory_map=False,
                buffer_size=_READ,
                pre_buffer=False,
            )
        return self._readers[texts]

    def _walk(self, group: int, place: int) -> int | None:
        """Look at the pages of a column of a row group by their headers. Returns how many rows may be read at once
        where texts cannot be kept in a dictionary."""
        chunk = self._chunks[group][place]
        name, _, nested = self._leaves[place]
        where = f"row group {group}"
        if chunk.values > limit("table-cells"):
            message = f"the column has {chunk.values:,} values in {where}"
            raise exceeded("table-cells", message, place=self.path, record=where, field=name)
        most, longest, values, deltas = limit("table-bytes"), 0, 0, False
        known = (group, place) in self._walked
        self._walked.add((group, place))
        for page in _pages(self.path, chunk.start, chunk.packed, chunk.values):
            if page.unpacked > most or page.packed > most:
                message = f"a page of the column takes more than {written_figure(BYTES, most)}"
                raise exceeded("table-bytes", message, place=self.path, record=where, field=name)
            if not known:
                self._take(page.unpacked, name)
            values += page.values
            longest = max(longest, page.unpacked)
            deltas = deltas or page.encoding in (_DELTA_LENGTHS, _DELTA_TEXTS)
        if values > chunk.values:
            raise SourceError("the table cannot be read: pages hold more than they say", place=self.path, field=name)
        if not deltas:
            return None
        if nested and longest * values > most:
            message = f"the column may take more than {written_figure(BYTES, most)} in {where}"
            raise exceeded("table-bytes", message, place=self.path, record=where, field=name)
        return max(1, most // max(longest, 1))

    def _take(self, size: int, name: str) -> None:
        self._left -= size
        if self._left < 0:
            message = f"the table unpacks to more than {limit('archive-ratio')} times its size"
            raise exceeded("archive-ratio", message, place=self.path, field=name)


@contextmanager
def opened_table(path: Path) -> Iterator[Table]:
    """The open table; whatever is wrong with it becomes a SourceError."""
    with told_errors(path):
        table = Table(path)
        try:
            yield table
        finally:
            table.close()


@contextmanager
def told_errors(path: Path) -> Iterator[None]:
    """What goes wrong while a table is read as a SourceError."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = (str(error).splitlines() or [""])[0][:200]
        raise SourceError(f"the table cannot be read: {reason}", place=path, hint="Fetch the file again.") from error


def _is_of(leaf: str, columns: Sequence[str]) -> bool:
    return any(leaf == column or leaf.startswith(f"{column}.") for column in columns)


def _extent(array: pa.Array) -> tuple[int, int]:
    """The bytes of all that the array stands for, texts of dictionaries as often as they occur, and the number of its
    values."""
    kind = array.type
    if isinstance(array, pa.ExtensionArray):
        return _extent(array.storage)
    if pa.types.is_dictionary(kind):
        if not (pa.types.is_binary(kind.value_type) or pa.types.is_string(kind.value_type)):
            return 8 * len(array), len(array)
        if len(array) <= _FEW:
            return sum(one.value.as_buffer().size for one in array if one.is_valid), len(array)
        lengths = pc.binary_length(array.dictionary).cast("int64")
        return pc.sum(pc.take(lengths, array.indices)).as_py() or 0, len(array)
    inner: Sequence[pa.Array] = ()
    if pa.types.is_struct(kind) or pa.types.is_list(kind) or pa.types.is_large_list(kind):
        found = array.flatten()
        inner = found if isinstance(found, list) else (found,)
    elif pa.types.is_map(kind):
        inner = (array.keys, array.items)
    else:
        return array.nbytes, len(array)
    extents = [_extent(one) for one in inner]
    return sum(size for size, _ in extents), len(array) + sum(values for _, values in extents)


class _ColumnChunk(NamedTuple):
    """A column of a row group: where its pages begin, how many bytes they have, and how many values are in them."""

    start: int
    packed: int
    values: int


def _row_groups(footer: bytes, columns: int) -> list[tuple[int, list[_ColumnChunk]]]:
    """The number of rows and the columns of each row group. Raises ValueError."""
    try:
        form, _ = _struct(footer, 0, 0, lists=True)
    except IndexError:
        raise ValueError("the footer is cut short") from None
    found = []
    for group in _structs(form.get(4, [])):
        chunks = [_chunk(one) for one in _structs(group.get(1))]
        if len(chunks) != columns:
            raise ValueError("a row group has other columns than the table")
        found.append((_whole(group.get(3)), chunks))
    return found


def _chunk(form: dict[int, Any]) -> _ColumnChunk:
    (meta,) = _structs([form.get(3)])
    start, dictionary = _whole(meta.get(9)), meta.get(11)
    if type(dictionary) is int and 0 < dictionary < start:
        start = dictionary
    return _ColumnChunk(start, _whole(meta.get(7)), _whole(meta.get(5)))


def _structs(value: object) -> list[dict[int, Any]]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ValueError("the footer is broken")
    return value


class _PageHeader:
    """The header of a page. `packed` bytes follow it; `values` is 0 for a dictionary."""

    def __init__(self, form: dict[int, Any]) -> None:
        data = form.get(5) or form.get(8) or {}
        self.unpacked = _whole(form.get(2))
        self.packed = _whole(form.get(3))
        self.values = 0 if form.get(1) == _DICTIONARY_PAGE else _whole(data.get(1, 0) if isinstance(data, dict) else 0)
        self.encoding = data.get(4 if 8 in form else 2) if isinstance(data, dict) else None


def _whole(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("a page has no size")
    return value


def _pages(path: Path, start: int, length: int, values: int) -> Iterator[_PageHeader]:
    """The pages of a column of a row group that has so many bytes and values."""
    with open_regular(path) as stream:
        size = stream.seek(0, 2)
        if start < 0 or length < 0 or start + length > size:
            raise ValueError("a column lies outside of the file")
        place, end, found, met = start, start + length, 0, 0
        while place < end and found < values:
            form, header = _page_header(stream, place)
            page = _PageHeader(form)
            place += header + page.packed
            if place > end:
                raise ValueError("a page is longer than its column")
            found, met = found + page.values, met + 1
            if met > values + 1:
                raise ValueError("a column has more pages than values")
            yield page


def _page_header(stream: BinaryIO, place: int) -> tuple[dict[int, Any], int]:
    """A page's header and how long it is."""
    for size in _HEADER_BYTES:
        stream.seek(place)
        data = stream.read(size)
        try:
            return _struct(data, 0, 0)
        except IndexError:
            if len(data) < size:
                break
    raise ValueError("a page's header is cut short")


def _struct(data: bytes, place: int, depth: int, *, lists: bool = False) -> tuple[dict[int, Any], int]:
    """A Thrift struct by the numbers of its fields, and where it ends. Raises IndexError where the data ends early."""
    if depth > _DEEPEST:
        raise ValueError("a header nests too deeply")
    found: dict[int, Any] = {}
    field = 0
    while mark := data[place]:
        place += 1
        if mark >> 4:
            field += mark >> 4
        else:
            number, place = _number(data, place)
            field = number >> 1 ^ -(number & 1)
        found[field], place = _value(data, place, mark & 15, depth, lists=lists)
    return found, place + 1


def _value(data: bytes, place: int, kind: int, depth: int, *, lists: bool = False) -> tuple[Any, int]:
    """A value of a compact type, and where it ends; texts are passed over, and so are lists unless they are asked
    for."""
    if kind in (1, 2):  # the truth is told by the type
        return kind == 1, place
    if kind == 3:
        return data[place], place + 1
    if kind in (4, 5, 6):
        number, place = _number(data, place)
        return number >> 1 ^ -(number & 1), place
    if kind == 7:
        return None, place + 8
    if kind == 8:
        length, place = _number(data, place)
        if place + length > len(data):
            raise IndexError(place)
        return None, place + length
    if kind in (9, 10):
        count, inner = data[place] >> 4, data[place] & 15
        place += 1
        if count == 15:
            count, place = _number(data, place)
        if count > len(data):
            raise IndexError(place)
        items = []
        for _ in range(count):
            one, place = (None, place + 1) if inner in (1, 2) else _value(data, place, inner, depth + 1, lists=lists)
            if lists:
                items.append(one)
        return (items if lists else None), place
    if kind == 12:
        return _struct(data, place, depth + 1, lists=lists)
    raise ValueError("a header is broken")


def _number(data: bytes, place: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[place]
        place += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, place
        shift += 7
        if shift > 63:
            raise ValueError("a header is broken")
