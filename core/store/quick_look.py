"""A look through a store's results by the database alone, some 10 ms for each megabyte: values of another kind than
their column, words that no state is called, and rows that do not belong together. Sums and counts are made by query,
where such a row would only make another number of it; what is read row by row is told when it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import Boolean, Column, Float, Integer, LargeBinary
from sqlalchemy.types import TypeDecorator

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.store import ask_tables  # noqa: F401 - they are among all tables
from stepscope.core.store.campaign_tables import CampaignRow

TABLES = CampaignRow.metadata.tables

_SUMMED = ("prediction", "scoring", "score", "model_call")
_WORDS: dict[tuple[str, str], type[StrEnum]] = {
    ("prediction", "status"): PredictionStatus,
    ("score", "status"): ScoreStatus,
}
_MORE = {
    ("score", "value"): "value NOT BETWEEN 0 AND 1",
    ("score", "parts"): "NOT json_valid(parts) OR json_type(parts) <> 'array' OR EXISTS (SELECT 1 FROM "
    "json_each(score.parts) WHERE type <> 'array' OR json_array_length(value) <> 2 OR json_type(value, '$[0]') <> "
    "'text' OR json_type(value, '$[1]') NOT IN ('real', 'integer'))",
}
"""What else looks wrong in a value; a part that is no number (NaN) does, and is none."""
_APART = (
    (
        "a score is that of another run's item",
        "SELECT 1 FROM score JOIN scoring ON scoring.id = score.scoring_id JOIN prediction ON "
        "prediction.id = score.prediction_id WHERE prediction.run_id <> scoring.run_id",
    ),
    (
        "an item has no score under its run's own rule",
        "SELECT 1 FROM prediction WHERE NOT EXISTS (SELECT 1 FROM score JOIN scoring ON scoring.id = score.scoring_id "
        "WHERE score.prediction_id = prediction.id AND scoring.own)",
    ),
    ("a run has several rules of its own", "SELECT 1 FROM scoring WHERE own GROUP BY run_id HAVING count(*) > 1"),
    (
        "a run was scored under another rule than it says",
        "SELECT 1 FROM scoring JOIN run ON run.id = scoring.run_id WHERE own AND run.protocol IS NOT scoring.scorer",
    ),
)


def first_fault(ask: Callable[[str], Iterable[Sequence[Any]]]) -> str:
    """What is wrong, "" where nothing is found. `ask` gives the rows of a query."""
    for table, query in _queries():
        for row in ask(query):
            why = row_fault(table, row)
            if why:
                return why
    return rows_apart(ask)


def row_fault(table: str, row: Sequence[Any]) -> str:
    """What is wrong with a row that looks wrong, "" for a sound one."""
    from stepscope.core.store.integrity import fault  # which needs the repositories, and those the engine

    form = dict(zip(TABLES[table].c.keys(), row, strict=True))
    why = fault(table, form)
    which = ", ".join(str(form[column.name])[:40] for column in TABLES[table].primary_key)
    return f"row {which} of the table {table} cannot be read ({why})" if why else ""


def rows_apart(ask: Callable[[str], Iterable[Sequence[Any]]]) -> str:
    """Which rows do not belong together, "" where all do."""
    for row in ask("PRAGMA foreign_key_check"):
        return f"a row of the table {row[0]} belongs to one of the table {row[2]} that is not there"
    for said, query in _APART:
        for _ in ask(f"{query} LIMIT 1"):
            return said
    return ""


@cache
def _queries() -> tuple[tuple[str, str], ...]:
    """A query for each table of which sums are made, for the rows in which some value looks wrong."""
    return tuple(
        (name, f"SELECT {', '.join(table.c.keys())} FROM {name} WHERE {' OR '.join(_conditions(name, table.c))}")
        for name in _SUMMED
        for table in [TABLES[name]]
    )


def _conditions(table: str, columns: Iterable[Column[Any]]) -> Iterator[str]:
    for column in columns:
        kinds = [*_kinds(column), *(["null"] if column.nullable and not column.primary_key else [])]
        yield f"typeof({column.name}) NOT IN ({_listed(kinds)})"
        if isinstance(column.type, Boolean):
            yield f"{column.name} NOT IN (0, 1)"
        words = _WORDS.get((table, column.name))
        if words is not None:
            yield f"{column.name} NOT IN ({_listed(words)})"
        if (table, column.name) in _MORE:
            yield _MORE[table, column.name]


def _kinds(column: Column[Any]) -> tuple[str, ...]:
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    match kind:
        case Boolean() | Integer():
            return ("integer",)
        case Float():
            return "real", "integer"
        case LargeBinary():
            return ("blob",)
        case _:
            return ("text",)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)
