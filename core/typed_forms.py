"""Values of dataclasses out of JSON that anybody may have written: each part has the type that the class says."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_LARGEST = 1 << 53
"""The largest whole number that every reader of JSON knows exactly."""


def dataclass_of(kind: type[T], form: object) -> T:
    """The dataclass with these parts; lists become tuples. Raises ValueError naming a part that is missing, unknown or
    of another type. Types: text, whole number, number (finite), yes or no, None, Literal, and tuples of one of them."""
    if not isinstance(form, Mapping):
        raise ValueError(f"{kind.__name__} is {_told(form)}, not an object")
    types_of: Mapping[str, Any] = _hints(kind)  # type: ignore[arg-type]
    parts: dict[str, Any] = {}
    for name, value in form.items():
        if name not in types_of:
            raise ValueError(f"{kind.__name__} has no {str(name)[:40]!r}")
        given = tuple(value) if isinstance(value, list) else value
        if not fits(given, types_of[name]):
            raise ValueError(f"{name} of {kind.__name__} is {_told(value)}")
        parts[name] = given
    try:
        return kind(**parts)
    except TypeError as error:
        raise ValueError(f"{kind.__name__} is not complete: {error}") from error


def fits(value: object, hint: Any) -> bool:
    """Whether the value is of the type."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in get_args(hint))
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in get_args(hint))
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(one, get_args(hint)[0]) for one in value)
    if origin is Mapping:
        return isinstance(value, dict) and all(fits(one, get_args(hint)[1]) for one in value.values())
    if hint is float:
        return type(value) in (int, float) and abs(value) <= _LARGEST  # type: ignore[arg-type]  # NaN is not
    if hint is int:
        return type(value) is int and abs(value) <= _LARGEST
    return type(value) is (type(None) if hint is None else hint)


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {one.name: hints[one.name] for one in fields(kind)}


def _told(value: object) -> str:
    return repr(value)[:40]
