"""Checks on the fields of scoring records. The format is strict: the first bad field ends the reading.

Every refusal is a UserError that names the line and the field; the caller that knows the file adds it.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Collection, Mapping
from contextlib import suppress
from itertools import chain
from operator import le
from typing import Any

from stepscope.core.errors import UserError

Identity = str | int

_HINT = "Correct this line or take it out."
_NUMBERS = frozenset((float, int))
_LISTS = frozenset((list,))
_FOUR = frozenset((4,))


def bad_field(line: int, field: str, wrong: str) -> UserError:
    """The error for one field of one record; `wrong` completes the sentence that starts with the field's name."""
    return UserError(f"{field} {wrong}.", record=line, hint=_HINT)


def quoted_value(value: object) -> str:
    """A value as it is quoted in a message: short, whatever stands in the file."""
    return "null" if value is None else reprlib.repr(value)


def required(record: Mapping[str, Any], field: str, line: int) -> Any:
    """The field's value, which may be null; a field that is not there is bad input, for it may be a misspelt one."""
    try:
        return record[field]
    except KeyError:
        raise bad_field(line, field, "is missing") from None


def required_in(form: Mapping[str, Any], field: str, name: str, line: int) -> Any:
    """The needed field of an object inside the record, which messages call `name`."""
    if field not in form:
        raise bad_field(line, f"{name}.{field}", "is missing")
    return form[field]


def identity(record: Mapping[str, Any], field: str, line: int) -> Identity:
    """An id: text or a whole number; "1" and 1 are two ids."""
    value = required(record, field, line)
    if type(value) is str or type(value) is int:
        return value
    raise bad_field(line, field, f"must be text or a whole number, not {quoted_value(value)}")


def whole(value: object, field: str, line: int) -> int:
    """A whole number that fits 32 bits; true, false and 4.0 are none."""
    if type(value) is not int:
        raise bad_field(line, field, f"must be a whole number, not {quoted_value(value)}")
    if not -(2**31) <= value < 2**31:
        raise bad_field(line, field, f"is out of range: {quoted_value(value)}")
    return value


def text(value: object, field: str, line: int) -> str:
    """The value, a string; any other kind is refused."""
    if type(value) is not str:
        raise bad_field(line, field, f"must be text, not {quoted_value(value)}")
    return value


def numbers(value: object, count: int, field: str, line: int) -> tuple[float, ...]:
    """`count` finite numbers out of a list, in double precision."""
    if type(value) is list and len(value) == count and _NUMBERS.issuperset(map(type, value)):
        try:
            # The sum settles it for nearly every list; only huge numbers need the second look.
            if math.isfinite(sum(value)) or all(map(math.isfinite, value)):
                return tuple(map(float, value))
        except OverflowError:
            pass  # a whole number beyond the floats: refused below like the others
    raise bad_field(line, field, f"must be a list of {count} finite numbers, not {quoted_value(value)}")


def mapping(value: object, field: str, line: int) -> Mapping[str, Any]:
    """The value, a JSON object; any other kind is refused."""
    if not isinstance(value, Mapping):
        raise bad_field(line, field, f"must be an object, not {quoted_value(value)}")
    return value


def flag(value: object, field: str, line: int) -> bool:
    """true or false; 0 and 1 are none."""
    if type(value) is not bool:
        raise bad_field(line, field, f"must be true or false, not {quoted_value(value)}")
    return value


def number(value: object, field: str, line: int) -> float:
    """One finite number, in double precision."""
    if type(value) not in _NUMBERS:
        raise bad_field(line, field, f"must be a number, not {quoted_value(value)}")
    try:
        found = float(value)  # type: ignore[arg-type]
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise bad_field(line, field, f"must be a finite number, not {quoted_value(value)}")
    return found


def list_of(value: object, field: str, line: int) -> list[Any]:
    """The value, a list of anything; any other kind is refused."""
    if type(value) is not list:
        raise bad_field(line, field, f"must be a list, not {quoted_value(value)}")
    return value


def one_of(value: object, choices: Collection[str], field: str, line: int) -> str:
    """The value, one of the `choices`; anything else is refused, with the choices named."""
    if type(value) is str and value in choices:
        return value
    raise bad_field(line, field, f"must be {' or '.join(choices)}, not {quoted_value(value)}")


def box(value: object, field: str, line: int) -> tuple[float, ...]:
    """[left, top, right, bottom], edges on their own sides."""
    found = numbers(value, 4, field, line)
    if found[0] > found[2] or found[1] > found[3]:
        raise bad_field(line, field, f"must be [left, top, right, bottom], not {quoted_value(value)}")
    return found


def boxes(record: Mapping[str, Any], field: str, line: int) -> tuple[float, ...] | None:
    """The numbers of all boxes in a row; None where the field is null or absent."""
    value = record.get(field)
    if value is None:
        return None
    form = list_of(value, field, line)
    # One look at all of them settles it for nearly every list; the second one tells which box is bad.
    if _LISTS.issuperset(map(type, form)) and _FOUR.issuperset(map(len, form)):
        flat = list(chain.from_iterable(form))
        with suppress(UserError):
            edges = numbers(flat, len(flat), field, line)
            if all(map(le, edges[0::4], edges[2::4])) and all(map(le, edges[1::4], edges[3::4])):
                return edges
    return tuple(edge for place, some in enumerate(form) for edge in box(some, f"{field}[{place}]", line))
