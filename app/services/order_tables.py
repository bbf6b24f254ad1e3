"""What a run of step ordering gets wrong as tables, for the window, the command line and files: one set of words and
columns for all of them."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Any

from stepscope.app.services.order_results import OrderResults
from stepscope.core.evaluation.breakdown.orders import (
    FIRST_WRONG,
    LAST_WRONG,
    CategoryScore,
    ErrorShare,
    OrderDoubts,
    OrderFlips,
    ReferencePart,
)
from stepscope.core.evaluation.leaderboard_texts import marked_down
from stepscope.core.evaluation.report_numbers import MINUS, NONE, title_of_metric
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.bootstrap import Interval
from stepscope.core.scoring.order_errors import OrderErrorKind
from stepscope.core.scoring.paired_tests import Difference
from stepscope.core.spreadsheet import write_rows

KINDS, CATEGORIES, REFERENCES, FLIPS, CHANGES, DOUBTS = (
    "kinds", "categories", "references", "flips", "changes", "interchangeable",
)  # fmt: skip
FEW = 10
_SMALLEST_P = 0.001
_KIND_WORDS = {
    OrderErrorKind.RIGHT: "Exactly right",
    OrderErrorKind.SWAP: "Two neighbours swapped",
    OrderErrorKind.BLOCK: "One block moved",
    OrderErrorKind.OTHER: "Other",
    OrderErrorKind.MALFORMED: "Malformed",
    FIRST_WRONG: "First step wrong",
    LAST_WRONG: "Last step wrong",
}
NO_OTHER = "Choose another run or people on the same data to compare with."
NO_SEVERAL = "No procedure of this run has more than one right order, by the data or by people."
NO_CHANCES = "This model tells no chances of pairs of steps, so nothing is known of its doubts."

Cell = str | int | float | Interval | None


class Column(StrEnum):
    """What stands in a column, and so how it is written and set."""

    WORDS = "words"
    COUNT = "count"
    VALUE = "value"
    SHARE = "share"
    SIGNED = "signed"
    INTERVAL = "interval"
    P = "p"


@dataclass(frozen=True, slots=True)
class OrderTableRow:
    """`procedures` are those that the row is about, () for a row about none in particular; `said` names them."""

    cells: tuple[Cell, ...]
    procedures: tuple[str, ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class OrderTable:
    """`columns` are heads with what stands below; `note` says what the table is about, or why it is empty."""

    name: str
    title: str
    columns: tuple[tuple[str, Column], ...]
    rows: tuple[OrderTableRow, ...] = ()
    note: str = ""


def order_tables(found: OrderResults) -> tuple[OrderTable, ...]:
    return (
        _kinds(found),
        _categories(found),
        _references(found),
        _flips(found),
        _changes(found),
        _doubts(found.doubts),
    )


def cell_words(cell: Cell, column: Column) -> str:
    """0.641, 4,724, 12.0 %, +0.163, 0.521 – 0.699, < 0.001; a dash without a value, no minus at a 0."""
    if cell is None:
        return NONE
    if isinstance(cell, str):
        return cell
    if isinstance(cell, tuple):
        return f"{cell[0]:z.3f} – {cell[1]:z.3f}".replace("-", MINUS)
    if column is Column.P:
        return f"< {_SMALLEST_P}" if cell < _SMALLEST_P else f"{cell:.3f}"
    words = {Column.COUNT: ",", Column.SHARE: "z.1%", Column.SIGNED: "+z.3f"}.get(column, "z.3f")
    return f"{cell:{words}}".replace("-", MINUS).replace("%", " %")


def markdown_text(tables: Sequence[OrderTable], about: str) -> str:
    """A table under a heading each; `about` names run and program."""
    lines = [marked_down(about), ""]
    for one in tables:
        lines += [f"### {marked_down(one.title)}", ""]
        if one.note:
            lines += [marked_down(one.note), ""]
        if one.rows:
            lines.append(_piped([marked_down(head) for head, _ in one.columns]))
            lines.append(_piped([":--" if kind is Column.WORDS else "--:" for _, kind in one.columns]))
            lines += [_piped([marked_down(words) for words in words_of_row(one, row)]) for row in one.rows]
            lines.append("")
    return "\n".join(lines)


def csv_text(tables: Sequence[OrderTable], run: str) -> str:
    """A line for each number of each table, in full; of an interval `low` and `high`."""
    stream = io.StringIO(newline="")
    write_rows(stream, [["run", "table", "row", "column", "value", "low", "high"]])
    for one in tables:
        write_rows(stream, _csv_lines(one, run))
    return stream.getvalue()


def words_of_row(table: OrderTable, row: OrderTableRow) -> list[str]:
    return [cell_words(cell, kind) for cell, (_, kind) in zip(row.cells, table.columns, strict=True)]


def orders_json(found: OrderResults) -> dict[str, Any]:
    """All of it as one JSON object."""
    return {
        "run": found.run.id,
        "model": found.run.spec.model,
        "n": found.n,
        "unread": found.errors.unread,
        "against": None if found.other is None else {"party": found.other.key, "name": found.other.name},
        "errors": {one.kind: _share_json(one) for one in (*found.errors.kinds, *found.errors.flags)},
        "categories": [_category_json(one) for one in found.categories],
        "references": {
            "all": _part_json(found.references.every),
            "several": _part_json(found.references.several),
            "by_people": found.references.by_people,
        },
        "flips": None if found.flips is None else _flips_json(found.flips),
        "interchangeable": _doubts_json(found.doubts),
        "bootstrap": found.draws,
        "seed": found.seed,
    }


# Tables ---------------------------------------------------------------------------------------------------------------


def _kinds(found: OrderResults) -> OrderTable:
    columns = ("Kind", Column.WORDS), ("n", Column.COUNT), ("Share", Column.SHARE), ("95 % interval", Column.INTERVAL)
    rows = []
    for one in (*found.errors.kinds, *found.errors.flags):
        words = _KIND_WORDS[one.kind]
        rows.append(OrderTableRow((words, one.count, one.share, one.interval), one.procedures, words.lower()))
    note = "The first and the last step can be wrong beside any kind."
    if found.errors.unread:
        note = f"{_counted(found.errors.unread, 'procedure')} cannot be read: their kind is not known. {note}"
    return OrderTable(KINDS, "Kinds of mistakes", columns, tuple(rows), note)


def _categories(found: OrderResults) -> OrderTable:
    own = (("Category", Column.WORDS), ("n", Column.COUNT), ("PMR", Column.VALUE), ("95 % interval", Column.INTERVAL))
    theirs = (
        ("Common", Column.COUNT), ("PMR, other", Column.VALUE), ("Gap", Column.SIGNED),
        ("95 % of gap", Column.INTERVAL),
    )  # fmt: skip
    rows = []
    for one in found.categories:
        name = one.name or "unknown"
        cells: tuple[Cell, ...] = (name, one.n, one.pmr, one.interval)
        if found.other is not None:
            gap = one.gap
            cells += (one.common, *((None,) * 3 if gap is None else (gap.b, gap.difference, gap.ci)))
        rows.append(OrderTableRow(cells, one.procedures, f"category: {name}"))
    note = f"Worst first; of fewer than {FEW} procedures a share says little."
    if found.other is not None:
        note += f" Gap: this run less {found.other.name}, on common procedures."
    return OrderTable(CATEGORIES, "By category", own if found.other is None else own + theirs, tuple(rows), note)


def _references(found: OrderResults) -> OrderTable:
    columns = (
        ("Metric", Column.WORDS), ("Procedures", Column.WORDS), ("n", Column.COUNT), ("One reference", Column.VALUE),
        ("All references", Column.VALUE), ("Difference", Column.SIGNED), ("95 % interval", Column.INTERVAL),
    )  # fmt: skip
    rows: list[OrderTableRow] = []
    parts = (("all", found.references.every), ("with several", found.references.several))
    for words, part in parts:
        rows += [
            OrderTableRow(
                (title_of_metric(one.metric), words, part.n, one.b, one.a, one.difference, one.ci),
                part.procedures,
                f"procedures: {words}",
            )
            for one in part.differences
        ]
    people = found.references.by_people
    note = f"{_counted(found.references.several.n, 'procedure')} with several right orders"
    note += f", {people:,} of them by people's orders." if people else "."
    return OrderTable(REFERENCES, "One reference and several", columns, tuple(rows), note)


def _flips(found: OrderResults) -> OrderTable:
    columns = (
        ("Measure", Column.WORDS), ("n", Column.COUNT), ("Other", Column.VALUE), ("This run", Column.VALUE),
        ("Difference", Column.SIGNED), ("95 % interval", Column.INTERVAL), ("p", Column.P),
    )  # fmt: skip
    if found.flips is None or found.other is None:
        return OrderTable(FLIPS, "Flips", columns, (), NO_OTHER)
    flips = found.flips
    rows = [
        OrderTableRow((title_of_metric(one.metric), flips.n, one.b, one.a, one.difference, one.ci, one.p))
        for one in flips.differences
    ]
    for words, procedures in _flip_groups(flips):
        rows.append(OrderTableRow((words, len(procedures), *(None,) * 5), procedures, words.lower()))
    test = "McNemar's exact test" if any(one.test == "mcnemar" for one in flips.differences) else "paired draws"
    common = _counted(flips.n, "common procedure")
    note = f"Against {found.other.name} on {common}; p of PMR by {test}, of tau by paired draws."
    return OrderTable(FLIPS, "Flips", columns, tuple(rows), note)


def _flip_groups(flips: OrderFlips) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("Wrong → right", flips.flipped(1)),
        ("Right → wrong", flips.flipped(-1)),
        ("Tau higher", flips.moved(1)),
        ("Tau lower", flips.moved(-1)),
    )


def _changes(found: OrderResults) -> OrderTable:
    columns = (
        ("Procedure", Column.WORDS), ("Flip", Column.WORDS), ("Tau, other", Column.VALUE), ("Tau", Column.VALUE),
        ("Difference", Column.SIGNED),
    )  # fmt: skip
    if found.flips is None:
        return OrderTable(CHANGES, "Procedures that differ", columns, (), NO_OTHER)
    flip = {1: "wrong → right", -1: "right → wrong", 0: ""}
    rows = tuple(
        OrderTableRow(
            (found.goals.get(one.name) or one.name, flip[one.flip], one.other.tau, one.own.tau, one.tau),
            (one.name,),
            f"procedure: {found.goals.get(one.name) or one.name}",
        )
        for one in found.flips.changes
    )
    note = "Largest gain in tau first." if rows else "Both give the same tau everywhere."
    return OrderTable(CHANGES, "Procedures that differ", columns, rows, note)


def _doubts(found: OrderDoubts) -> OrderTable:
    columns = (
        ("Measure", Column.WORDS), ("Pairs", Column.COUNT), ("Value", Column.VALUE),
        ("95 % interval", Column.INTERVAL), ("Constant", Column.VALUE),
    )  # fmt: skip
    if not found.procedures:
        note = NO_CHANCES if found.silent else NO_SEVERAL
        return OrderTable(DOUBTS, "Interchangeable steps", columns, (), note)
    counts = {(said, meant): found.pairs(said=said, meant=meant) for said in (True, False) for meant in (True, False)}
    pairs = sum(count for count, _ in counts.values())
    value, ci = found.values, found.ci
    rows = [
        OrderTableRow(("Average precision", pairs, value["average_precision"], ci.get("average_precision"),
                  value["base_rate"])),
        OrderTableRow(("F1, doubt from 0.5", pairs, value["f1"], ci.get("f1"), value["constant_f1"])),
        OrderTableRow(("Base rate", pairs, value["base_rate"], ci.get("base_rate"), None)),
    ]  # fmt: skip
    for words, key in (("Doubted, and so", (True, True)), ("Doubted, not so", (True, False)),
                       ("Not doubted, but so", (False, True))):  # fmt: skip
        count, procedures = counts[key]
        rows.append(OrderTableRow((words, count, None, None, None), procedures, f"pairs {words.lower()}"))
    note = f"Pairs of {_counted(len(found.procedures), 'procedure')} with several right orders."
    if found.silent:
        note += f" {_counted(found.silent, 'answer')} more without chances left out."
    return OrderTable(DOUBTS, "Interchangeable steps", columns, tuple(rows), note)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _csv_lines(table: OrderTable, run: str) -> Iterator[list[str | int | float | None]]:
    words = [place for place, (_, kind) in enumerate(table.columns) if kind is Column.WORDS]
    for row in table.rows:
        name = " / ".join(str(row.cells[place]) for place in words if row.cells[place])
        for cell, (head, kind) in zip(row.cells, table.columns, strict=True):
            if kind is Column.WORDS or cell is None:
                continue
            low, high = cell if isinstance(cell, tuple) else (None, None)
            yield [run, table.name, name, head, None if isinstance(cell, tuple) else cell, low, high]


# JSON -----------------------------------------------------------------------------------------------------------------


def _share_json(one: ErrorShare) -> dict[str, Any]:
    return {"n": one.count, "share": one.share, "ci": _listed(one.interval), "procedures": list(one.procedures)}


def _category_json(one: CategoryScore) -> dict[str, Any]:
    gap = None if one.gap is None else {"n_common": one.common, **_difference_json(one.gap)}
    return {"category": one.name or None, "n": one.n, "pmr": one.pmr, "ci": _listed(one.interval), "gap": gap,
            "procedures": list(one.procedures)}  # fmt: skip


def _part_json(part: ReferencePart) -> dict[str, Any]:
    metrics = {
        one.metric: {"single": one.b, "all": one.a, "difference": one.difference, "ci": _listed(one.ci), "p": one.p}
        for one in part.differences
    }
    return {"n": part.n, "metrics": metrics}


def _flips_json(flips: OrderFlips) -> dict[str, Any]:
    return {
        "n_common": flips.n,
        "metrics": {one.metric: _difference_json(one) for one in flips.differences},
        "to_right": list(flips.flipped(1)),
        "to_wrong": list(flips.flipped(-1)),
        "procedures": [
            {"procedure": one.name, "flip": one.flip, "tau": one.own.tau, "other_tau": one.other.tau,
             "difference": one.tau}
            for one in flips.changes
        ],
    }  # fmt: skip


def _difference_json(one: Difference) -> dict[str, Any]:
    return {"own": one.a, "other": one.b, "difference": one.difference, "ci": _listed(one.ci), "p": one.p,
            "test": one.test}  # fmt: skip


def _doubts_json(found: OrderDoubts) -> dict[str, Any]:
    return {
        "procedures": len(found.procedures),
        "silent": found.silent,
        "pairs": sum(len(one.pairs) for one in found.procedures),
        "metrics": dict(found.values),
        "ci": {name: list(ends) for name, ends in found.ci.items()},
        "by_procedure": {one.name: [asdict(pair) for pair in one.pairs] for one in found.procedures},
    }


def _listed(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
