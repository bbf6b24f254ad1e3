"""Reading scoring records: JSON Lines, one object a line, streamed. Knows no protocol.

Source of the rules (ours): the record number is the 1-based line number, blank lines count and are skipped, NaN and
Infinity are bad input. The first bad line ends the reading.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from core.errors import UserError

Record = tuple[int, Mapping[str, Any]]

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def read_records(path: Path) -> Iterator[Record]:
    """(line number, object) for every line that is not blank. Raises UserError with file and line."""
    try:
        with path.open("rb") as stream:
            yield from parse_records(stream, path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError(f"cannot be read: {reason}.", place=path, hint="Give a JSON Lines file.") from error


def parse_records(stream: BinaryIO, place: Path | str = "") -> Iterator[Record]:
    """The same from an open stream of bytes; `place` is what messages call it. A byte order mark is passed over."""
    for line, data in enumerate(stream, start=1):
        content = (data.removeprefix(_BYTE_ORDER_MARK) if line == 1 else data).strip(b" \t\r\n")
        if content:
            yield line, _object(content, line, place)


def _object(content: bytes, line: int, place: Path | str) -> Mapping[str, Any]:
    try:
        found = _DECODER.decode(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _bad(f"is not UTF-8 (byte {error.start + 1} of the line)", line, place) from error
    except json.JSONDecodeError as error:
        raise _bad(f"is not JSON: {error.msg} at column {error.colno}", line, place) from error
    except (ValueError, RecursionError) as error:
        raise _bad(f"is not usable JSON: {_reason(error)}", line, place) from error
    if not isinstance(found, dict):
        raise _bad("is not an object: every line must be {…}", line, place)
    return found


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error).split(";")[0]


def _bad(wrong: str, line: int, place: Path | str) -> UserError:
    return UserError(f"the line {wrong}.", place=place, record=line, hint="Correct this line or take it out.")
