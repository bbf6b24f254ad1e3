"""wikiHow goal-step, the order annotations: one CSV row per procedure, its steps in one text.

`goal,steps,"ordered?"`: goal "How to X - method", the step headlines joined by spaces, 1 where people said that the
steps have an order in time. The joined text is split at the ends of sentences; a headline of two sentences becomes two
steps. Checked on the real 1,000 rows. Facts: Zhang, Lyu and Callison-Burch, EMNLP 2020;
github.com/zharry29/wikihow-goal-step, `ordering_annotation/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.errors import SourceError
from stepscope.core.sources.csv_table import TableRow, read_table
from stepscope.core.sources.files import shortened, text_of
from stepscope.core.sources.procedures import row_of
from stepscope.core.sources.record_source import ProcedureRecords, procedure_records
from stepscope.core.sources.sniffers.wikihow_goal_step import FORMAT, HEADER, locate

_ORDERED = {"1": True, "0": False}

_END = re.compile(r"""(?<![.!?…])[.!?…]++["”’')\]]*+(?=\s+[^\sa-z]|\s*$)""")
_AFTER_LAST_GAP = re.compile(r"[^\s(]*$")
_NEAR = 12
"""Characters on each side of a full stop in which the words that decide about it lie."""

_INITIAL = re.compile(r"[A-Z]\.")
_SHORTENED = frozenset({"approx", "cf", "dr", "e.g", "i.e", "mr", "mrs", "ms", "prof", "vs"})
"""Words whose full stop ends no sentence. "etc." and single letters ("Vitamin C.") do end one in this text."""


def split_steps(text: str) -> tuple[str, ...]:
    """The sentences of `text`, whole and in order.

    One ends with ".", "!" or "?", quotation marks and brackets behind it included, where white space and then no small
    letter follows. "e.g." and its kin, dots that trail off, initials ("J. K.") and decimals end none.
    """
    text = text.strip()
    steps, start = [], 0
    for match in _END.finditer(text):
        if match.end() == len(text) or _ends(match, text):
            steps.append(text[start : match.end()].strip())
            start = match.end()
    steps.append(text[start:].strip())
    return tuple(step for step in steps if step)


def _ends(match: re.Match[str], text: str) -> bool:
    mark = match[0].rstrip("\"”’')]")
    if mark != ".":
        return mark not in ("...", "…")
    before, after = text[max(0, match.start() - _NEAR) : match.start()], text[match.end() : match.end() + _NEAR]
    last = _AFTER_LAST_GAP.search(before)
    word = last[0].strip("\"“‘'") if last else ""
    if len(word) == 1 and word.isupper():
        return not any(_INITIAL.fullmatch(near) for near in (*before.split()[-2:-1], *after.split()[:1]))
    return word.lower() not in _SHORTENED


def outline(file: Path) -> Iterator[EpisodeSummary | Problem]:
    """Every row as a procedure; a row without steps or label comes as a problem."""
    for row in _rows(file):
        try:
            yield row_of(_procedure(row, str(row.number), file), str(row.number))
        except SourceError as error:
            yield Problem(f"row {row.number}: {error.message}", field=error.field, file=str(file))


def load(file: Path, place: str, procedure_id: str) -> Procedure:
    """The procedure of the row whose number is `place`."""
    for row in _rows(file):
        if str(row.number) == place:
            return _procedure(row, procedure_id, file)
    raise SourceError(f"the table has no row {shortened(place)!r}", place=file)


def _rows(file: Path) -> Iterator[TableRow]:
    header, rows = read_table(file)
    if header[: len(HEADER)] != HEADER:
        raise SourceError(f"the header is not {','.join(HEADER)}", place=file)
    return rows


def _procedure(row: TableRow, procedure_id: str, file: Path) -> Procedure:
    if row.damaged:
        raise SourceError("is not UTF-8 text", place=file, record=row.number)
    if len(row.cells) < len(HEADER):
        raise SourceError(f"{len(row.cells)} cells instead of {len(HEADER)}", place=file, record=row.number)
    goal, text, label = (text_of(cell).strip() for cell in row.cells[: len(HEADER)])
    if label not in _ORDERED:
        message = f"{shortened(label)!r} is neither 1 nor 0"
        raise SourceError(message, place=file, record=row.number, field="ordered?")
    steps = split_steps(text)
    if not steps:
        raise SourceError("there are no steps", place=file, record=row.number, field="steps")
    return Procedure(
        id=procedure_id,
        format=FORMAT.name,
        goal=goal,
        steps=tuple(ProcedureStep(str(number), words) for number, words in enumerate(steps, start=1)),
        ordered=_ORDERED[label],
    )


def open_wikihow_goal_step(path: Path) -> ProcedureRecords:
    """The folder of the table, or the table; ids are the rows' numbers, the header not counted."""
    return procedure_records(FORMAT.name, path, locate=locate, outline=outline, load=load)
