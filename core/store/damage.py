"""The error about a store whose content is not what the program wrote, and the types that raise it.

A value of another kind than its column is refused as it is read (`strict_types`). What goes wrong in other ways while
a store is read is the store's fault where `inspection` names one in it; in a sound store it is the program's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Dialect, Float, Integer, LargeBinary, String, Text
from sqlalchemy.dialects.sqlite import DATETIME
from sqlalchemy.types import DateTime, TypeEngine

from stepscope.core.errors import StoreError

UNREADABLE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    AssertionError,
    RecursionError,
    OverflowError,
)
"""What reading a value of a wrong form may raise."""

HINT = (
    "Nothing was changed. Make a copy of the file first; 'stepscope runs rescue STORE -o NEW.db' copies what can be "
    "read into a new store."
)


class DamagedStore(StoreError):  # noqa: N818 - a fact
    """The store's file is damaged. `place` is filled in by the transaction that meets it."""

    of_damage = True

    def __init__(self, what: str, place: Path | str = "") -> None:
        super().__init__(f"The store is damaged: {what.removesuffix('.')}.", place=place, hint=HINT)


def speaks_of_damage(words: str) -> bool:
    """Whether SQLite's words for an error say that the file is not what it should be."""
    lower = words.lower()
    return any(sign in lower for sign in _SIGNS)


_SIGNS = (
    "malformed",
    "could not decode",
    "no such table",
    "no such column",
    "unsupported file format",
    "datatype mismatch",
    "too big",
    "unknown error",
    "integer overflow",
)


# Values of the kind that their column says ----------------------------------------------------------------------------


def _refusing(said: str, fits: Callable[[Any], bool]) -> Callable[[Any], Any]:
    def checked(value: Any) -> Any:
        if value is None or fits(value):
            return value
        raise DamagedStore(f"it has {_KINDS.get(type(value), 'something else')} where {said} should be")

    return checked


_KINDS = {int: "a whole number", float: "a number with a fraction", str: "a text", bytes: "bytes"}


def _is_text(value: object) -> bool:
    return type(value) is str


class _StrictString(String):
    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        return _refusing("a text", _is_text)


class _StrictText(Text):
    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        return _refusing("a text", _is_text)


class _StrictInteger(Integer):
    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        return _refusing("a whole number", lambda value: type(value) is int)


class _StrictFloat(Float[Any]):
    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        return _refusing("a number", lambda value: type(value) in (int, float))


class _StrictBytes(LargeBinary):
    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        return _refusing("bytes", lambda value: type(value) is bytes)


class _StrictBoolean(Boolean):
    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        checked = _refusing("yes or no", lambda value: value in (0, 1))
        return lambda value: None if checked(value) is None else value == 1


class _StrictTime(DATETIME):
    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        def checked(value: Any) -> datetime | None:
            try:
                return None if value is None else datetime.fromisoformat(value)
            except (ValueError, TypeError):
                raise DamagedStore("it has something else where a time should be") from None

        return checked


_STRICT: Mapping[type[TypeEngine[Any]], type[TypeEngine[Any]]] = {
    Text: _StrictText,
    String: _StrictString,
    Integer: _StrictInteger,
    Float: _StrictFloat,
    LargeBinary: _StrictBytes,
    Boolean: _StrictBoolean,
    DateTime: _StrictTime,
}


def strict_types(dialect: Dialect) -> None:
    """SQLite keeps a value of any kind in any column: from now on one of a wrong kind raises DamagedStore."""
    dialect.colspecs = {**dialect.colspecs, **_STRICT}
