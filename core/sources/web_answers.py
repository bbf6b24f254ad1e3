"""Workers' answers in the columns of a batch table: `Answer.<field>`, or `Answer.<field>.<option>` with True or False.

Mechanical Turk writes a group of radio buttons or checkboxes as one column per option; some tables have the chosen
value in a column of the field as well, which is taken then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property

from stepscope.core.domain.webtask import FieldType, WebField
from stepscope.core.frozen import dataclass
from stepscope.core.json_bounds import bounded_loads

PREFIX = "Answer."
CHOICES = (FieldType.RADIO, FieldType.CHECKBOX, FieldType.SELECT)
"""Fields that are answered by choosing among options."""

JOINED = "|"
"""Stands between the values of several ticked checkboxes."""

EMPTY = frozenset({"", "{}", "'{}'"})
"""Cells that say that the field was left empty (released evaluation code)."""

_FLAGS = frozenset({"true", "false", ""})


@dataclass
class _FieldColumns:
    """The columns of the answers to one field: the cell of its own, and those of its options."""

    web_field: WebField
    own: int = -1
    options: dict[str, int] = field(default_factory=dict)

    @cached_property
    def chosen(self) -> frozenset[str]:
        """The options, to be asked quickly: a stranger's page may have very many, and a cell too."""
        return frozenset(self.web_field.options)


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """The answered fields of a page, and how a row's cells answer them."""

    fields: tuple[WebField, ...]
    _columns: tuple[_FieldColumns, ...]

    @classmethod
    def of(cls, header: Sequence[str], rows: Iterable[Sequence[str]], page: Sequence[WebField]) -> AnswerTable:
        """Fields of the page in its order, then those that only the table knows: a script makes them."""
        known = {one.name: one for one in page}
        answers = {name.removeprefix(PREFIX): place for place, name in enumerate(header) if name.startswith(PREFIX)}
        flags = _flag_columns(answers, rows, known)
        lengths = sorted({len(name) for name in known}, reverse=True)
        columns: dict[str, _FieldColumns] = {}
        for name, place in answers.items():
            group = "" if name in known else _group_of(name, known, lengths, flags)
            if group:
                columns.setdefault(group, _FieldColumns(_field(group, known))).options[name[len(group) + 1 :]] = place
            else:
                columns.setdefault(name, _FieldColumns(_field(name, known))).own = place
        ordered = [columns.pop(one.name) for one in page if one.name in columns] + list(columns.values())
        finished = tuple(_finished(one, rows, one.web_field.name in known) for one in ordered)
        return cls(tuple(one.web_field for one in finished), finished)

    def answers(self, cells: Sequence[str]) -> Mapping[str, str]:
        """One worker's values by field; a field that was left empty is missing."""
        found = {}
        for columns in self._columns:
            value = _value(columns, cells)
            if value:
                found[columns.web_field.name] = value
        return found


def _flag_columns(answers: Mapping[str, int], rows: Iterable[Sequence[str]], known: Mapping[str, WebField]) -> set[str]:
    """Columns with a dot in their name that hold nothing but True and False."""
    left = {name: place for name, place in answers.items() if "." in name and name not in known}
    for cells in rows:
        if not left:
            break
        left = {name: place for name, place in left.items() if cells[place].strip().lower() in _FLAGS}
    return set(left)


def _group_of(name: str, known: Mapping[str, WebField], lengths: Sequence[int], flags: set[str]) -> str:
    """The field that the column `<field>.<option>` belongs to, "" when it is a field of its own. `lengths`
    are those of the known names, the greatest first."""
    for length in lengths:
        if name[length : length + 1] == "." and (group := name[:length]) in known and known[group].type in CHOICES:
            return group
    return name.rpartition(".")[0] if name in flags else ""


def _field(name: str, known: Mapping[str, WebField]) -> WebField:
    return known.get(name) or WebField(name, FieldType.TEXT)


def _finished(columns: _FieldColumns, rows: Iterable[Sequence[str]], on_page: bool) -> _FieldColumns:
    """The columns with the type and options of fields that only the table knows."""
    if on_page or not columns.options:
        return columns
    several = any(len(_ticked(columns, cells)) > 1 for cells in rows)
    kind = FieldType.CHECKBOX if several else FieldType.RADIO
    return replace(columns, web_field=replace(columns.web_field, type=kind, options=tuple(columns.options)))


def _value(columns: _FieldColumns, cells: Sequence[str]) -> str:
    own = cells[columns.own] if columns.own >= 0 else ""
    if own.strip() in EMPTY:
        return JOINED.join(_ticked(columns, cells))
    if columns.web_field.type is FieldType.CHECKBOX:
        return JOINED.join(_option(part, columns.chosen) for part in _parts(own))
    return _option(own, columns.chosen) if columns.web_field.type in CHOICES else own


def _parts(value: str) -> list[str]:
    """Values in one cell: joined, or the JSON list of a `crowd-classifier-multi-select`."""
    if value.startswith("["):
        with suppress(ValueError, RecursionError):
            parts = bounded_loads(value)
            if all(isinstance(part, str) for part in parts):
                return list(parts)
    return value.split(JOINED)


def _ticked(columns: _FieldColumns, cells: Sequence[str]) -> list[str]:
    return [option for option, place in columns.options.items() if cells[place].strip().lower() == "true"]


def _option(value: str, options: Set[str]) -> str:
    """The option that `value` means: a table read as numbers says 1.0 for 1."""
    if value in options or not value.endswith(".0"):
        return value
    return value[:-2] if value[:-2] in options else value
