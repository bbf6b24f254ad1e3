"""Tables of assignments, as Mechanical Turk gives them: a row a worker, and rows with equal inputs are one item.

Facts: github.com/JHU-CLSP/turking-bench, `src/evaluation_class.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from stepscope.core.sources.csv_table import TableRow
from stepscope.core.sources.sniffers.plan_table import INPUT
from stepscope.core.sources.web_answers import PREFIX

_ASSIGNMENT = "AssignmentId"


def filled(rows: Iterable[TableRow]) -> list[TableRow]:
    """Rows with anything in them."""
    return [row for row in rows if any(row.cells)]


def whole_rows(header: Sequence[str], rows: Iterable[TableRow]) -> list[tuple[str, ...]]:
    """The cells of each row, as wide as the header at least."""
    return [(*row.cells, *("",) * (len(header) - len(row.cells))) for row in rows]


def input_columns(header: Sequence[str]) -> dict[str, int]:
    """Places of the inputs by the page's names for them: columns that are no answers; `Input.<name>` in Mechanical
    Turk's own tables, which tell of assignments too. Of columns of one name the first counts."""
    if _ASSIGNMENT in header or any(name.startswith(INPUT) for name in header):
        columns = [(name.removeprefix(INPUT), place) for place, name in enumerate(header) if name.startswith(INPUT)]
    else:
        columns = [(name, place) for place, name in enumerate(header) if not name.startswith(PREFIX)]
    return dict(reversed(columns))


def ordered_inputs(header: Sequence[str]) -> list[tuple[str, int]]:
    """Names and places of the inputs, in the order of the table."""
    return sorted(input_columns(header).items(), key=lambda column: column[1])


def grouped(header: Sequence[str], rows: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    """Places of the rows by their inputs, in order of first appearance."""
    inputs = ordered_inputs(header)
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, cells in enumerate(rows):
        groups.setdefault(tuple(cells[column] for _, column in inputs), []).append(place)
    return groups


def slips(row: TableRow, width: int) -> Iterator[str]:
    """What is wrong with a row of a table that is `width` cells wide."""
    if len(row.cells) != width:
        yield f"row {row.number} has {len(row.cells)} cells, its header {width}"
    if row.damaged:
        yield f"row {row.number} is not UTF-8 text"
