"""What a run of step ordering gets wrong, in the values of its page."""

from __future__ import annotations

from dataclasses import replace

from stepscope.app.gui.features.results.breakdown_presenter import NamedEpisodes
from stepscope.app.services.order_results import OrderResults
from stepscope.app.services.order_tables import (
    CATEGORIES,
    Cell,
    Column,
    OrderTable,
    OrderTableRow,
    order_tables,
    words_of_row,
)
from stepscope.widgets import format as words
from stepscope.widgets.results.order_values import OrderLine, OrderSheet

NO_PROCEDURES = "No order of this run is scored."


def order_sheets(found: OrderResults) -> tuple[OrderSheet, ...]:
    return tuple(map(_sheet, order_tables(found))) if found.n else ()


def said_of(found: OrderResults) -> str:
    """The line above the tables."""
    if not found.n:
        return NO_PROCEDURES
    return (
        f"{words.counted(found.n, 'procedure')}. A click on a row lists its procedures, a double click shows the first."
    )


def _sheet(table: OrderTable) -> OrderSheet:
    heads = tuple((head, kind is Column.WORDS) for head, kind in table.columns)
    lines = tuple(_line(table, row) for row in table.rows)
    if table.name == CATEGORIES:
        lines = _shortened(lines)
    return OrderSheet(table.name, table.title, heads, lines, table.note)


def _line(table: OrderTable, row: OrderTableRow) -> OrderLine:
    key = NamedEpisodes(row.said, frozenset(row.procedures)) if row.procedures else None
    return OrderLine(tuple(words_of_row(table, row)), tuple(map(_value, row.cells)), key)


def _shortened(lines: tuple[OrderLine, ...]) -> tuple[OrderLine, ...]:
    """Categories that are apps by the names that people know; two that are short for the same keep their own."""
    short = [words.app_name(line.cells[0]) for line in lines]
    return tuple(
        replace(line, cells=(name, *line.cells[1:])) if short.count(name) == 1 else line
        for name, line in zip(short, lines, strict=True)
    )


def _value(cell: Cell) -> str | float | None:
    """What a cell is sorted by: of an interval its lower end."""
    return cell[0] if isinstance(cell, tuple) else cell
