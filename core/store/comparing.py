"""A column compared with what a filter's term says: part of a text or the whole, a number, a range."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, func, or_

from core.domain.filter import Number, Pattern, Range, Term, Text, Value

Condition = ColumnElement[bool]
_Numbers = SQLColumnExpression[int] | SQLColumnExpression[float] | SQLColumnExpression[float | None]


def compared_text(column: SQLColumnExpression[str], operator: str, value: Value, dialect: str) -> Condition:
    """`:` part of the text, `=` the whole; without regard to case."""
    if isinstance(value, Pattern):
        return column.regexp_match(value.expression)
    wanted = value.text if isinstance(value, Text) else str(value)
    fold: Callable[[SQLColumnExpression[str]], ColumnElement[str]] = func.lower
    folded = wanted.lower()
    if not wanted.isascii():
        fold, folded = func.fold if dialect == "sqlite" else _folded, wanted.casefold()
    if operator == "=":
        return fold(column) == folded
    if dialect == "sqlite" and wanted.isascii():
        return column.contains(wanted, autoescape=True)  # SQLite's LIKE ignores the case of ASCII letters by itself
    return fold(column).contains(folded, autoescape=True)


def _folded(column: SQLColumnExpression[str]) -> ColumnElement[str]:
    """As much of casefold() as a server without our `fold` can do: beside case, the letters that it spells anew."""
    return func.replace(func.replace(func.lower(column), "ß", "ss"), "ς", "σ")


def compared_number(column: _Numbers, term: Term) -> Condition:
    """The number, next to any of the term's values."""
    return or_(*(_compared(column, term.operator, value) for value in term.values))


def _compared(column: _Numbers, operator: str, value: Value) -> Condition:
    match value:
        case Range(low, high):
            ends: Iterable[Condition] = (
                *((column >= low,) if low is not None else ()),
                *((column <= high,) if high is not None else ()),
            )
            return and_(*ends)
        case Number(number):
            comparisons: dict[str, Condition] = {
                "<": column < number,
                "<=": column <= number,
                ">": column > number,
                ">=": column >= number,
            }
            return comparisons.get(operator, column == number)
    raise AssertionError(value)
