"""Values of arguments and options that are written plainly, read without typer's validator.

typer hands each value to pydantic, which takes longer to load than most commands take to run. What this module does not
take as it stands, whatever is wrong included, goes there all the same: what is accepted, and the words for what is not,
are typer's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_origin

_WHOLE = re.compile(r"-?[0-9]{1,15}")
_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?([eE]-?[0-9]{1,2})?")


class _NotPlainError(Exception):
    """Not for this module to read."""


def read_plainly(parameter: Any) -> None:
    """Have a parameter of a typer command read by `PlainReading`, where it asks for a type and bounds only."""
    typers = getattr(parameter, "get_runtime_param", None)
    if typers is None or "get_runtime_param" in vars(parameter):  # a typer that needs no validator; done before
        return
    asked = parameter.type_descriptor
    read = _reader(asked.annotation, asked.parameter_info)
    if read is not None:
        reading = PlainReading(read, typers, several=parameter.multiple or parameter.nargs == -1)
        parameter.get_runtime_param = lambda: reading


class PlainReading:
    """What typer asks for a value, in the place of its own."""

    def __init__(self, read: Callable[[Any], object], typers: Callable[[], Any], *, several: bool) -> None:
        """`read` takes one value, `typers` gives what typer would ask."""
        self._read, self._typers, self._several = read, typers, several

    def coerce(self, value: Any, **place: Any) -> object:
        """The value that the command gets. Raises what typer raises."""
        try:
            if value is None:
                return () if self._several else None
            return self._each(value) if self._several else self._read(value)
        except _NotPlainError:
            return self._typers().coerce(value, **place)

    def _each(self, values: Any) -> list[object]:
        if isinstance(values, str):
            raise _NotPlainError
        return [self._read(one) for one in values]


def _reader(annotation: Any, asked: Any) -> Callable[[Any], object] | None:
    if get_origin(annotation) is list:
        (annotation,) = get_args(annotation)
    if asked.parser is not None or not asked.case_sensitive:
        return None
    if annotation is str:
        return _text
    if annotation is bool:
        return _flag
    if annotation is int:
        return lambda value: _bounded(_whole(value), asked)
    if annotation is float:
        return lambda value: _bounded(_number(value), asked)
    if annotation is Path and not (asked.exists or asked.writable or asked.resolve_path or asked.path_type):
        return _path if asked.file_okay and asked.dir_okay else None
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        members = {str(member.value): member for member in annotation}
        return lambda value: _member(value, members)
    return None


def _text(value: Any) -> str:
    if type(value) is not str or not value.isprintable():  # halves of surrogate pairs are not printable either
        raise _NotPlainError
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise _NotPlainError
    return value


def _whole(value: Any) -> int:
    if type(value) is int:
        return value
    if type(value) is str and _WHOLE.fullmatch(value):
        return int(value)
    raise _NotPlainError


def _number(value: Any) -> float:
    if type(value) in (int, float) or (type(value) is str and _NUMBER.fullmatch(value)):
        return float(value)
    raise _NotPlainError


def _bounded(number: float, asked: Any) -> float:
    above = asked.min is None or number >= asked.min
    if above and (asked.max is None or number <= asked.max) and not asked.clamp:
        return number
    raise _NotPlainError


def _path(value: Any) -> Path:
    path = value if isinstance(value, Path) else Path(_text(value))
    try:
        path.stat()
    except OSError:
        return path  # as typer takes what is not there
    if not os.access(path, os.R_OK):
        raise _NotPlainError
    return path


def _member(value: Any, members: dict[str, Enum]) -> Enum:
    if isinstance(value, str) and value in members:
        return members[value]
    raise _NotPlainError
