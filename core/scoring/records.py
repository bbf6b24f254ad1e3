"""Reading scoring records: JSON Lines, one object a line, in batches. Knows no protocol.

Source of the rules (ours): the record number is the 1-based line number, blank lines count and are skipped, NaN and
Infinity are bad input. The first bad record ends the reading, or bad records are left out and told of (`skip_bad`).

Lines are parsed by orjson, a block at a time. Whatever it or a protocol's reader refuses is read once more by the
standard library's exact decoder (whole numbers beyond 64 bits, lone surrogates, words for what is wrong) before it is
called bad.
"""

from __future__ import annotations

import gc
import json
import math
import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn, TypeVar, overload

import numpy as np
import orjson
from numpy.typing import NDArray

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.json_bounds import TooManyValues, check_values
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import BYTES, exceeded, limit, written_figure
from stepscope.core.scoring import fields
from stepscope.core.scoring.file_parts import FilePart, parts_of

if TYPE_CHECKING:
    from stepscope.core.scoring import part_readers
else:
    part_readers = lazy_module("stepscope.core.scoring.part_readers")

Found = TypeVar("Found")
Form = Mapping[str, Any]
ReadBlock = Callable[[bytes, int], Found | None]
"""Reads whole lines at once, given the number of the first; None for a block that has to be read by its forms. What it
gives has the numbers of all of them as `lines`."""

_LONG_NUMBER = re.compile(rb"\d{19}")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NO_JSON_LINES = (
    (b"\x1f\x8b", "compressed with gzip", "Unpack it first: gzip -d."),
    (b"PK\x03\x04", "a zip archive", "Unpack it first."),
    (b"BZh", "compressed with bzip2", "Unpack it first: bzip2 -d."),
    (b"\xfd7zXZ", "compressed with xz", "Unpack it first: xz -d."),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "Unpack it first: zstd -d."),
    (b"PAR1", "a Parquet table", "Write its rows as JSON Lines."),
    (b"\xff\xfe", "UTF-16 text", "Save it as UTF-8."),
    (b"\xfe\xff", "UTF-16 text", "Save it as UTF-8."),
)
"""How files start that are given by mistake."""
_BREAK, _OPEN, _CLOSE = b"\n{}"
_PASSED = 1 << 20
_BLOCK = 1 << 16
"""Bytes of lines that are parsed at a time: what they become stays in the processor's cache."""


class BadRecord(NamedTuple):
    """A record that was left out: its line number, from 1, and what is wrong with it."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """Some records that are JSON objects, with their line numbers; `raw` are their bytes, empty when they come from
    memory."""

    lines: Sequence[int]
    forms: Sequence[Form]
    raw: Sequence[bytes] = ()


class UnusualBatchError(Exception):
    """The batch cannot be read by columns, but has to be read record by record."""


def require_types(types: Collection[type], values: Iterable[Any]) -> None:
    """Raises UnusualBatchError for values of any other type; subtypes are others."""
    if not frozenset(types).issuperset(map(type, values)):
        raise UnusualBatchError


class Records:
    """Records to be read once. Afterwards `skipped` tells what was left out, and `cluster_of` to which cluster each
    accepted record belongs."""

    def __init__(
        self,
        batches: Callable[[Records], Iterator[RecordBatch]],
        *,
        stream: BinaryIO | None = None,
        path: Path | None = None,
        skip_bad: bool = False,
        cluster: str = "",
    ) -> None:
        """Use `of`, `from_stream` or `reading`. `cluster` names the field whose value groups records for intervals;
        without it the protocol's own units are resampled."""
        self.next_line = 1
        """Number of the line that is read next."""
        self._batches = batches
        self._stream, self._path = stream, path
        self._left: int | None = None
        self.skips_bad = skip_bad
        self._cluster = cluster
        self._codes: dict[fields.Identity, int] = {}
        self._cluster_of = array("q")
        self.skipped: list[BadRecord] = []

    @classmethod
    def of(cls, forms: Iterable[Form], *, skip_bad: bool = False, cluster: str = "") -> Records:
        """Records from memory, numbered from 1."""

        def batches(_: Records) -> Iterator[RecordBatch]:
            whole = list(forms)
            if whole:
                yield RecordBatch(range(1, len(whole) + 1), whole)

        return cls(batches, skip_bad=skip_bad, cluster=cluster)

    @classmethod
    def from_stream(
        cls, stream: BinaryIO, *, path: Path | None = None, skip_bad: bool = False, cluster: str = ""
    ) -> Records:
        """Records out of an open stream of bytes. A byte order mark is passed over. `path`: the file that it reads,
        which several processes may read too where it is long."""
        return cls(
            lambda records: records._parsed(stream), stream=stream, path=path, skip_bad=skip_bad, cluster=cluster
        )

    @classmethod
    def of_part(cls, stream: BinaryIO, part: FilePart, *, skip_bad: bool = False) -> Records:
        """Records of a part of a file. Lines are counted as if every byte before it were one."""
        records = cls.from_stream(stream, skip_bad=skip_bad)
        records.next_line = part.start + 1
        records._turn_to(part)
        return records

    @property
    def cluster_of(self) -> NDArray[np.int64] | None:
        """Number of the cluster of each accepted record; None when the units are the clusters."""
        return np.array(self._cluster_of, dtype=np.int64) if self._cluster else None

    def batches(self) -> Iterator[RecordBatch]:
        """Batches for readers that take many records at once; they give what they refuse to `checked`, and call
        `accept` for what they took by themselves."""
        return self._batches(self)

    def blocks(self, read: ReadBlock[Found]) -> Iterator[Found | RecordBatch]:
        """What `read` makes of the lines of a file, a block at a time, and batches where it makes nothing of them.

        The first block comes as batches, for a short file is read before `read` is ready, and so does everything that
        is to be grouped by a field."""
        if self._stream is None or self._cluster:
            yield from self.batches()
        else:
            yield from self._parsed(self._stream, read)

    def in_parts(self, read: Callable[[Records], Found]) -> Iterator[tuple[Found, int]]:
        """What `read`, a function of a module, makes of the records: of all of them, or of one part of a long file
        after the other. With each comes what is to be added to the line numbers in it."""
        parts = parts_of(self._stream) if self._stream and self._path and not self._cluster else ()
        if len(parts) < 2 or self._stream is None or self._path is None:
            yield read(self), 0
            return
        by_children = part_readers.read_by_children(read, self._stream, self._path, parts, skip_bad=self.skips_bad)
        with closing(by_children) as answers:
            for part, answer in zip(parts, answers, strict=True):
                if answer is None:
                    self._turn_to(part)
                    yield read(self), 0
                    continue
                more = self.next_line - part.start - 1
                self.skipped += [BadRecord(line + more, message) for line, message in answer.skipped]
                self.next_line += answer.lines
                yield answer.found, more

    def _turn_to(self, part: FilePart) -> None:
        assert self._stream is not None
        self._stream.seek(part.start)
        self._left = part.size

    def each(self, read: Callable[[int, Form], Found], *, exact: bool = False) -> Iterator[Found]:
        """What `read` makes of each record; it raises UserError for a bad one. `exact`: whole numbers beyond 64 bits
        keep all their digits, for records whose numbers are names."""
        for batch in self.batches():
            if exact and batch.raw:
                batch = _with_long_numbers(batch)
            yield from self.checked(batch, read)
            del batch  # its memory serves the next one

    def checked(self, batch: RecordBatch, read: Callable[[int, Form], Found]) -> Iterator[Found]:
        """One record after the other, with the exact decoder's word where `read` refuses one."""
        for place, (line, form) in enumerate(zip(batch.lines, batch.forms, strict=True)):
            try:
                found = self._read(line, form, batch.raw[place] if batch.raw else b"", read)
                if self._cluster:
                    self._cluster_of.append(self._code(self._cluster_value(form, line)))
            except UserError as error:
                self._refuse(line, error)
                continue
            yield found

    def accept(self, batch: RecordBatch) -> bool:
        """Note the clusters of a batch that was read as a whole; False when it must be given to `checked` instead."""
        if self._cluster:
            values = [form.get(self._cluster) for form in batch.forms]
            if not {str, int}.issuperset(map(type, values)):
                return False
            self._cluster_of.extend(map(self._code, values))
        return True

    def _cluster_value(self, form: Form, line: int) -> fields.Identity:
        if self._cluster not in form:
            raise UserError(
                f"{self._cluster} is missing, and the records are to be drawn by it.",
                record=line,
                hint="Name a field that every record has.",
            )
        return fields.identity(form, self._cluster, line)

    def _code(self, value: Any) -> int:
        return self._codes.setdefault(value, len(self._codes))

    def _read(self, line: int, form: Form, raw: bytes, read: Callable[[int, Form], Found]) -> Found:
        try:
            return read(line, form)
        except UserError:
            if not raw:
                raise
        return read(line, _exact(raw, line))

    def _refuse(self, line: int, error: UserError) -> None:
        if not self.skips_bad:
            raise error
        self.skipped.append(BadRecord(line, error.message))

    @overload
    def _parsed(self, stream: BinaryIO) -> Iterator[RecordBatch]: ...

    @overload
    def _parsed(self, stream: BinaryIO, read: ReadBlock[Found]) -> Iterator[Found | RecordBatch]: ...

    def _parsed(self, stream: BinaryIO, read: ReadBlock[Any] | None = None) -> Iterator[Any]:
        for data in _blocks(stream, self._left):
            line = self.next_line
            if line == 1:
                data = data.removeprefix(_BYTE_ORDER_MARK)
            found = read(data, line) if read and line > 1 and len(data) <= limit("json-nodes") else None
            if found is not None:
                self.next_line += len(found.lines)
                yield found
                del found  # its memory serves the next one
            else:
                block = BytesIO(data).readlines()
                yield from self._quick_or_careful(block, line)
                self.next_line += len(block)

    def _quick_or_careful(self, block: Sequence[bytes], first: int) -> Iterator[RecordBatch]:
        """Parse a block in a frame of its own: a batch must not live on while the next one is parsed."""
        quick = _quick(block, first)
        yield from self._careful(block, first) if quick is None else (quick,)

    def _careful(self, block: Sequence[bytes], first: int) -> Iterator[RecordBatch]:
        """A block with something unusual in it, line by line; what stands before a bad line is judged before it."""
        lines: list[int] = []
        forms: list[Form] = []
        raw: list[bytes] = []
        for line, data in enumerate(block, start=first):
            content = data.strip(b" \t\r\n")
            if not content:
                continue
            try:
                form = _form(content, line)
            except UserError as error:
                if lines:
                    yield RecordBatch(lines, forms, raw)
                    lines, forms, raw = [], [], []
                self._refuse(line, error)
                continue
            lines.append(line)
            forms.append(form)
            raw.append(content)
        if lines:
            yield RecordBatch(lines, forms, raw)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Search for no garbage meanwhile: parsed records are very many objects, which have no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def reading(path: Path, read: Callable[[BinaryIO], Found]) -> Found:
    """What `read` makes of the open file. Raises UserError, with the file and the line where one is to blame."""
    try:
        with path.open("rb") as stream:
            return read(stream)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError(f"cannot be read: {reason}.", place=path, hint="Give a JSON Lines file.") from error
    except UserError as error:
        if error.record and not error.place:
            raise UserError(error.message, place=path, record=error.record, hint=error.hint) from error
        raise


def _with_long_numbers(batch: RecordBatch) -> RecordBatch:
    """The batch with those lines decoded exactly that have a row of digits too long for 64 bits."""
    forms = [
        _exact(raw, line) if _LONG_NUMBER.search(raw) else form
        for line, form, raw in zip(batch.lines, batch.forms, batch.raw, strict=True)
    ]
    return RecordBatch(batch.lines, forms, batch.raw)


def one_a_line(data: bytes, objects: int) -> bool:
    """Whether a block that holds so many JSON objects has each on a line of its own, with nothing else beside them."""
    octets = np.frombuffer(data, np.uint8)
    breaks = np.flatnonzero(octets == _BREAK)
    between = breaks[:-1] if data.endswith(b"\n") else breaks
    if len(between) != objects - 1:
        return False
    return bool((octets[between - 1] == _CLOSE).all() and (octets[between + 1] == _OPEN).all())


def _blocks(stream: BinaryIO, left: int | None = None) -> Iterator[bytes]:
    """Whole lines, some at a time; of one that is longer than `json-bytes` only so much that this can be told. With
    `left` so many bytes, which end with a line."""
    most = limit("json-bytes")
    stop = None if left is None else stream.tell() + left
    while start := stream.read(_BLOCK if stop is None else max(0, min(_BLOCK, stop - stream.tell()))):
        rest = b"" if start.endswith(b"\n") else stream.readline(most + 1)
        yield start + rest
        while len(rest) > most and not rest.endswith(b"\n"):
            rest = rest[-1:] + stream.readline(_PASSED)
            if len(rest) == 1:
                break


def _quick(block: Sequence[bytes], first: int) -> RecordBatch | None:
    """The block's records when every line is an object; None when any is not, be it blank."""
    if sum(map(len, block)) > limit("json-nodes"):  # long lines are looked through before they are parsed
        return None
    try:
        forms = list(map(orjson.loads, block))
    except ValueError:
        return None
    if set(map(type, forms)) != {dict}:
        return None
    return RecordBatch(range(first, first + len(forms)), forms, block)


def _form(content: bytes, line: int) -> Form:
    if len(content) > limit("json-bytes"):
        message = f"the line is longer than {written_figure(BYTES, limit('json-bytes'))}."
        raise exceeded("json-bytes", message, record=line)
    try:
        check_values(content)
    except TooManyValues as error:
        raise exceeded("json-nodes", f"{error}.", record=line) from error
    try:
        found = orjson.loads(content)
    except ValueError:
        return _exact(content, line)
    if not isinstance(found, dict):
        raise _bad("is not an object: every line must be {…}", line)
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:20]} is too large for a number")
    return value


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


def _exact(content: bytes, line: int) -> Form:
    if line == 1:
        _check_kind(content)
    try:
        found = _DECODER.decode(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _bad(f"is not UTF-8 (byte {error.start + 1} of the line)", line) from error
    except json.JSONDecodeError as error:
        raise _bad(f"is not JSON: {error.msg.removesuffix(' at')} at column {error.colno}", line) from error
    except (ValueError, RecursionError) as error:
        raise _bad(f"is not usable JSON: {_reason(error)}", line) from error
    if not isinstance(found, dict):
        raise _bad("is not an object: every line must be {…}", line)
    return found


def _check_kind(start: bytes) -> None:
    for mark, kind, hint in _NO_JSON_LINES:
        if start.startswith(mark):
            raise UserError(f"the file is {kind}, not JSON Lines.", record=1, hint=hint)


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return "a whole number has too many digits" if "digits" in str(error) else str(error)


def _bad(wrong: str, line: int) -> UserError:
    return UserError(f"the line {wrong}.", record=line, hint="Correct this line or take it out.")
