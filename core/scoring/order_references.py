"""A file of reference orders: what several people voted right, in the place of the data's own references.

JSON Lines, `{"id": ID, "references": [[step id, …], …]}`; further fields are left aside. Procedures that the file does
not name keep the references that they have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from stepscope.core.errors import UserError
from stepscope.core.scoring import fields
from stepscope.core.scoring.ordering_records import numbered_items, numbers_of
from stepscope.core.scoring.records import Records, reading

OF_DATA = "data"
"""The option's word for the references that the data has."""

References = Mapping[fields.Identity, Sequence[list[Any]]]


def references_of(option: object) -> References:
    """The references by id that the option names, none where it says `data`. A file that has not changed is read once.

    Raises UserError with file, line and field for what is no such file.
    """
    if option == OF_DATA:
        return {}
    path = Path(str(option))
    try:
        state = path.stat()
    except OSError as error:
        hint = "Give references=data, or a file of 'stepscope orders references'."
        raise UserError("there is no such file of references.", place=path, hint=hint) from error
    return _read(path, state.st_mtime_ns, state.st_size)


def check_references(options: Mapping[str, str]) -> None:
    """Raises UserError before anything is scored under these options of `ordering`, where their file cannot be read."""
    references_of(options.get("references", OF_DATA))


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int, _size: int) -> References:
    def take(stream: Any) -> References:
        found: dict[fields.Identity, list[list[Any]]] = {}
        for name, orders, line in Records.from_stream(stream).each(_record, exact=True):
            if name in found:
                raise fields.bad_field(line, "id", f"names {name!r} a second time")
            found[name] = orders
        return found

    return reading(path, take)


def _record(line: int, record: Mapping[str, Any]) -> tuple[fields.Identity, list[list[Any]], int]:
    name = fields.identity(record, "id", line)
    orders = fields.list_of(fields.required(record, "references", line), "references", line)
    if not orders:
        raise fields.bad_field(line, "references", "has no order")
    numbers_of(orders, numbered_items(orders[0], "references[0]", line), "references", line)
    return name, orders, line
