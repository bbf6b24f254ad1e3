"""Reading a stranger's files: names stay inside a folder; what cannot be read as it should raises a SourceError."""

from __future__ import annotations

import csv
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PureWindowsPath
from typing import Any, BinaryIO

import orjson

from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import LFS_HINT, LFS_POINTER
from stepscope.core.json_bounds import TooManyValues, check_values
from stepscope.core.limits import BYTES, exceeded, limit, written_figure
from stepscope.core.regular_files import open_regular

_SURROGATES = re.compile("[\ud800-\udfff]")
_DIGITS = re.compile(r"(\d+)")
_PASSED = 1 << 20


def safe_join(root: Path, name: str) -> Path:
    """`root / name` for a `name` that comes from data.

    Raises SourceError for an absolute name, one with `..`, and one that leaves `root` through a symbolic link. The file
    need not exist.
    """
    parts = name.replace("\\", "/").split("/")
    windows = PureWindowsPath(name)
    if not name or "\0" in name or ".." in parts or name.startswith(("/", "\\", "~")) or windows.drive:
        raise SourceError(f"the name {shortened(name)!r} leads out of the data's folder", place=root)
    path = root / name
    try:
        outside = leads_out(root, path)
    except (OSError, ValueError, RuntimeError) as error:
        raise SourceError(f"the name {shortened(name)!r} cannot be a file's name", place=root) from error
    if outside:
        raise SourceError(f"{shortened(name)!r} is {A_LINK_OUT}", place=root)
    return path


A_LINK_OUT = "a link that leads out of the data's folder"


def leads_out(root: Path, path: Path) -> bool:
    """Whether `path`, below `root` by its name, lies outside `root` in truth: it or a folder on the way is a symbolic
    link. `root` itself may be one. In the cache of Hugging Face's hub every file of a snapshot is a link to the blobs
    of the same repository (huggingface_hub, "Understand caching"): these are inside.

    Raises OSError, ValueError or RuntimeError for what cannot be a path, links that lead in a circle among them.
    """
    if _without_links(root, path):
        return False
    real, base = path.resolve(), root.resolve()
    if real.is_relative_to(base):
        return False
    cached = (above.parent for above in (base, *base.parents) if above.name == "snapshots")
    return not any((one / "blobs").is_dir() and real.is_relative_to(one / "blobs") for one in cached)


def _without_links(root: Path, path: Path) -> bool:
    """Whether nothing on the way from `root` to `path` is a link, as nearly always: a few looks in the place of two
    walks from the top of the file system. False where that is not to be told so quickly."""
    parts = path.parts[len(root.parts) :]
    if os.name != "posix" or ".." in parts:
        return False
    place = str(root)
    try:
        for part in parts:
            place = f"{place}/{part}"
            if stat.S_ISLNK(os.lstat(place).st_mode):
                return False
    except FileNotFoundError:  # nor is there a link then
        return True
    except (OSError, ValueError):
        return False
    return True


def is_empty(path: Path) -> bool:
    """Whether the file is there and has no bytes; a pipe or device is no file."""
    try:
        facts = path.stat()
    except OSError:
        return False
    return stat.S_ISREG(facts.st_mode) and not facts.st_size


def read_bytes(path: Path) -> bytes:
    """The whole file; raises SourceError when it is missing, too large or only a git-lfs pointer."""
    try:
        if not path.is_file():
            raise SourceError("the file is not there", place=path)
        check_size(path, path.stat().st_size)
        with open_regular(path) as stream:
            data = stream.read()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=path) from error
    if data.startswith(LFS_POINTER):
        raise SourceError("the file is not there, only its git-lfs pointer", place=path, hint=LFS_HINT)
    return data


def check_size(path: Path, size: int) -> None:
    """Raise SourceError for a text of so many bytes that is to be held whole when it goes beyond the limit."""
    most = limit("json-bytes")
    if size > most:
        raise exceeded("json-bytes", f"the file is larger than {written_figure(BYTES, most)}", place=path)


def bound_cells() -> int:
    """Hold the `csv` module to `table-cell-bytes`, and return it. Its bound is one for the whole process, 131,072
    characters (below real pages) or what a reader left there: whoever uses the module says it anew."""
    cell = limit("table-cell-bytes")
    if csv.field_size_limit() != cell:
        csv.field_size_limit(cell)
    return cell


def bounded_lines(stream: BinaryIO) -> Iterator[tuple[int, int, bytes | None]]:
    """Number (from 1), offset and bytes of each line from where the stream stands; None in the place of one that is
    longer than `json-bytes`, which is passed over in pieces."""
    most, number, offset = limit("json-bytes"), 0, stream.tell()
    while line := stream.readline(most + 1):
        number += 1
        if len(line) <= most:
            yield number, offset, line
            offset += len(line)
            continue
        yield number, offset, None
        while line and not line.endswith(b"\n"):
            offset += len(line)
            line = stream.readline(_PASSED)
        offset += len(line)


def long_line() -> str:
    """Said of a line that `bounded_lines` passed over."""
    return f"the line is longer than {written_figure(BYTES, limit('json-bytes'))} and is left out"


def check_steps(count: int, path: Path, field: str = "steps") -> None:
    """Raise SourceError where an episode is to have more steps than `episode-steps`."""
    most = limit("episode-steps")
    if count > most:
        raise exceeded("episode-steps", f"the episode has {count:,} steps", place=path, field=field)


def read_text(path: Path) -> str:
    """A UTF-8 text file, with or without byte order mark."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"is not UTF-8 text (byte {error.start})", place=path) from error


def read_json(path: Path) -> Any:
    """The file's JSON value; raises SourceError saying where it stops making sense."""
    return parse_json(read_text(path), path)


def parse_json_bytes(data: bytes, place: Path | str = "") -> Any:
    """JSON in UTF-8, with or without byte order mark, of which nobody needs whole numbers beyond 64 bits: they may come
    as floats. What the quick parser refuses is read once more by the careful one: errors are those of `parse_json`."""
    check_json(data, place)
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"is not UTF-8 text (byte {error.start})", place=place) from error
    return parse_json(text, place)


def parse_json(text: str, place: Path | str = "") -> Any:
    """`text` as JSON. Besides broken syntax, more values than `json-nodes`, nesting too deep for the parser and endless
    numbers are refused."""
    if not text or text.isspace():
        raise SourceError("the JSON is empty", place=place)
    check_json(text, place)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SourceError(f"broken JSON at line {error.lineno}: {error.msg}", place=place) from error
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"
        raise SourceError(f"JSON that cannot be read: {reason}", place=place) from error


def check_json(text: str | bytes, place: Path | str = "", field: str = "") -> None:
    """Raise SourceError for JSON, also of several records, with more values than `json-nodes`."""
    try:
        check_values(text)
    except TooManyValues as error:
        raise exceeded("json-nodes", str(error), place=place, field=field) from error


def text_of(value: object) -> str:
    """`value` when it is text, else ""; lone surrogates, which no file can hold, become the replacement character."""
    return _SURROGATES.sub("�", value) if isinstance(value, str) else ""


def mapping_of(value: object) -> Mapping[str, Any]:
    """`value` when it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorting key under which `9` comes before `10` and `trace_2` before `trace_10`."""
    return tuple(
        (0, int(part), part) if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(name[:400]) if part
    )


def shortened(text: str, length: int = 60) -> str:
    """`text` cut for a message."""
    return text if len(text) <= length else text[: length - 1] + "…"


def json_words(value: object) -> str:
    """A JSON value for a message; of what is nested only its kind, since it may be nested deeply."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list) and any(isinstance(item, list | dict) for item in value):
        return "a list of lists or objects"
    return shortened(repr(value))
