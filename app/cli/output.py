"""Printing: one JSON document or readable words on stdout, everything else on stderr; files that appear whole.

Texts of data sets and models come from strangers: nothing in them steers the terminal (`core.plain_text`).
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any, TextIO

from stepscope.core.drafts import advice, draft_stream, reason
from stepscope.core.errors import UsageError, UserError
from stepscope.core.plain_text import calm_logs, safe, safe_json

_PIPE_WIDTH = 400
"""Width of tables that no terminal shows: rows stay whole for grep."""
_CELL_LIMIT = 300
_ONE_CELL_EACH = re.compile("[ -~–…]*")
_CLAIMS = frozenset({"FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "JUPYTER_COLUMNS"})
"""Variables by which rich takes a stream for a terminal."""
_LINE_ENDS = re.compile(r"\s*[\r\n]\s*")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def print_json(document: Any, indent: int | None = 2) -> None:
    """The one JSON document of a command, plain ASCII where the stream cannot take more. `indent` None: one line."""
    text = safe_json(document, indent)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        text = _NOT_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text)
    sys.stdout.write(text + "\n")


def say(*lines: str) -> None:
    """Lines for the reader on stdout."""
    for line in lines:
        sys.stdout.write(safe(line) + "\n")


def tell(text: str, *, end: str = "\n") -> None:
    """A remark on stderr, which is one line whatever words it quotes; a stream that nobody reads any more is no
    trouble."""
    try:
        sys.stderr.write(safe(_LINE_ENDS.sub(" ", text)) + end)
        sys.stderr.flush()
    except BrokenPipeError:
        close_quietly()


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, numbers: Sequence[str] = ()) -> None:
    """A table on stdout; columns named in `numbers` are set to the right."""
    names, lines = [cell(name) for name in columns], [[cell(value) for value in row] for row in rows]
    right = [name in numbers for name in columns]
    text = "" if _drawn_richly() else plain_table(names, lines, right)
    if text:
        sys.stdout.write(text)
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name, to_right in zip(names, right, strict=True):
        drawn.add_column(Text(name), justify="right" if to_right else "left", overflow="fold")
    for line in lines:
        drawn.add_row(*map(Text, line))
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False).print(drawn)


def _drawn_richly() -> bool:
    """Whether colours or folded lines may be wanted: in a terminal, or in what claims to be one; or lines of ASCII."""
    wide = (sys.stdout.encoding or "").lower().startswith("utf")
    return sys.stdout.isatty() or not wide or not os.environ.keys().isdisjoint(_CLAIMS)


def plain_table(names: Sequence[str], lines: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """The table as rich draws it where no terminal shows it, which takes a tenth of a short command to load; "" for
    what is left to it: no line, a table that is too wide, or a letter that may be wider than others."""
    if not lines or not all(_ONE_CELL_EACH.fullmatch(text) for line in (names, *lines) for text in line):
        return ""
    widths = [max(map(len, column)) for column in zip(names, *lines, strict=True)]
    whole = sum(widths) + 3 * (len(widths) - 1)
    if whole > _PIPE_WIDTH:
        return ""
    shapes = [*zip(widths, right, strict=True)]

    def line(texts: Sequence[str]) -> str:
        placed = zip(texts, shapes, strict=True)
        return "   ".join(text.rjust(width) if to_right else text.ljust(width) for text, (width, to_right) in placed)

    return "\n".join([line(names), "─" * whole, *map(line, lines)]) + "\n"


def cell(value: object) -> str:
    """A value as a table shows it: nothing is a dash, fractions have four digits."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    text = one_line(str(value))
    return text if len(text) <= _CELL_LIMIT else text[: _CELL_LIMIT - 1] + "…"


def number_of(count: int, things: str) -> str:
    """ "1 step", "5 steps": `things` is the plural with an s."""
    return f"{count} {things.removesuffix('s') if count == 1 else things}"


def one_line(text: str) -> str:
    """The text without control characters and line ends."""
    return " ".join(safe(text, keep_lines=True).split())


def calm_streams() -> None:
    """Characters that a stream cannot show are spelled out, never an error; what is logged is as plain as the rest."""
    calm_logs()
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def close_quietly() -> None:
    """The reader has gone: nothing more is written, and the interpreter's own last flush finds an open stream."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (BrokenPipeError, ValueError):
            _point_nowhere(stream)


def _point_nowhere(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def write_file(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Make the file `path` with what `write` puts into it: whole, or not at all.

    Raises UsageError when it cannot be made; what `write` raises leaves nothing behind either.
    """
    check_output(path)
    try:
        with draft_stream(path) as stream:
            write(stream)
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}.", place=path, hint=advice(error)) from error


def check_output(path: Path) -> None:
    """Raise UsageError at once where a file could not be made later."""
    if path.is_dir():
        raise UsageError("this is a folder.", place=path, hint="Name a file in it.")
    if path.exists() and not path.resolve().is_file():
        raise UsageError("this is a device or a pipe, which a file would replace.", place=path, hint="Name a file.")
    if not path.parent.is_dir():
        raise UsageError("the folder of this file is not there.", place=path, hint="Make it, or choose another place.")


def json_lines(rows: Iterable[Any]) -> Callable[[IO[bytes]], None]:
    """A writer of one JSON object a line, for `write_file`."""

    def write(stream: IO[bytes]) -> None:
        for row in rows:
            stream.write(safe_json(row).encode() + b"\n")

    return write
