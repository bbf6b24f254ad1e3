"""Records of `stepscope score ordering`. The format is in docs/protocols/ordering.md; it is read strictly.

Orders become numbers: an item's number is its place in the record's first reference.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from enum import IntEnum
from itertools import chain, count
from typing import Any, NamedTuple

from stepscope.core.scoring import fields

_PLAIN = frozenset((str, int, type(None)))
"""Types whose values dictionaries tell apart as JSON does."""

_TRUE, _FALSE = object(), object()
"""Keys that equal no number: in Python true would be 1."""


class OrderingAnswerKind(IntEnum):
    """The kind of a prediction, or of the want of one."""

    UNSCORED = 0
    ORDER = 1
    NO_PERMUTATION = 2
    NULL = 3


class OrderingRecord(NamedTuple):
    """`orders` are all references in a row, each of them the numbers 0…items − 1 in some order, the first 0, 1, 2, …;
    empty when unscored. `prediction` is empty unless `word` is ORDER."""

    line: int
    id: fields.Identity
    word: OrderingAnswerKind
    items: int
    orders: Sequence[int]
    prediction: Sequence[int]


def read_record(line: int, record: Mapping[str, Any]) -> OrderingRecord:
    """Raises UserError with the line and the bad field."""
    name = fields.identity(record, "id", line)
    references = fields.required(record, "references", line)
    prediction = fields.required(record, "prediction", line)
    answer = None if prediction is None else keys(fields.list_of(prediction, "prediction", line), "prediction", line)
    orders = [] if references is None else fields.list_of(references, "references", line)
    numbers = numbered_items(orders[0], "references[0]", line) if orders else {}
    row = numbers_of(orders, numbers, "references", line)
    if not numbers:
        return OrderingRecord(line, name, OrderingAnswerKind.UNSCORED, 0, (), ())
    if answer is None:
        return OrderingRecord(line, name, OrderingAnswerKind.NULL, len(numbers), row, ())
    order = list(map(numbers.get, answer))
    if not _is_permutation(order, len(numbers)):
        return OrderingRecord(line, name, OrderingAnswerKind.NO_PERMUTATION, len(numbers), row, ())
    return OrderingRecord(line, name, OrderingAnswerKind.ORDER, len(numbers), row, order)  # type: ignore[arg-type]


def numbered_items(order: object, field: str, line: int) -> dict[Hashable, int]:
    """Each item's number, its place in `order`. Raises UserError unless these are distinct plain values."""
    items = fields.list_of(order, field, line)
    found = dict(zip(keys(items, field, line), count(), strict=False))
    for item in items:
        if type(item) is list or type(item) is dict:
            raise fields.bad_field(line, field, f"has an item that is no plain value: {fields.quoted_value(item)}")
    if len(found) < len(items):
        raise fields.bad_field(line, field, f"names an item twice: {fields.quoted_value(items)}")
    return found


def numbers_of(orders: Sequence[Any], numbers: Mapping[Hashable, int], field: str, line: int) -> list[int]:
    """All orders in numbers, in a row. Raises UserError unless each has each item once."""
    for place, order in enumerate(orders):
        if type(order) is not list:
            fields.list_of(order, f"{field}[{place}]", line)
    row = list(map(numbers.get, keys(list(chain.from_iterable(orders)), field, line)))
    start = 0
    for place, order in enumerate(orders):
        end = start + len(order)
        if not _is_permutation(row[start:end], len(numbers)):
            wrong = f"does not name each item once: {fields.quoted_value(order)}"
            raise fields.bad_field(line, f"{field}[{place}]", wrong)
        start = end
    return row  # type: ignore[return-value]


def _is_permutation(row: Sequence[int | None], items: int) -> bool:
    return len(row) == items and len(set(row)) == items and None not in row


def keys(items: Sequence[Any], field: str, line: int) -> Sequence[Hashable]:
    """Items as they are compared: by JSON type and value, 1 and 1.0 being one number, true and "1" others (ours).

    A list or an object is no item and equals none. Raises UserError for a number that is not finite.
    """
    if _PLAIN.issuperset(map(type, items)):
        return items
    return [_key(item, field, line) for item in items]


def _key(item: Any, field: str, line: int) -> Hashable:
    kind = type(item)
    if kind is float and not math.isfinite(item):
        raise fields.bad_field(line, field, f"has a number that is not finite: {item}")
    if kind is bool:
        return _TRUE if item else _FALSE
    found: Hashable = object() if kind is list or kind is dict else item
    return found
