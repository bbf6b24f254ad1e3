"""Records of `stepscope score aitz`. The format is in docs/protocols/aitz.md; it is read strictly.

Steps are measured some at a time, so that the boxes of a large file are never all in memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np

from stepscope.core.frozen import dataclass
from stepscope.core.scoring import fields
from stepscope.core.scoring.aitz_actions import OWN_KINDS, key_name
from stepscope.core.scoring.aitz_match import (
    CLICK,
    KINDS,
    PRESS,
    SCROLL,
    TYPE,
    AitzAction,
    AitzMeasures,
    BoolArray,
    Edges,
    FloatArray,
    IntArray,
    clicks_of,
    compare,
    is_click,
    joined,
    measure,
)
from stepscope.core.scoring.records import Records

Side = Literal["reference", "prediction"]

_KINDS = (*KINDS, *OWN_KINDS)
_DIRECTIONS = ("up", "down", "left", "right")
_STEPS_AT_ONCE = 1 << 12


class AitzRecord(NamedTuple):
    """`reference` None: unscored. `prediction` None: null. `boxes` are the numbers of all boxes in a row."""

    line: int
    episode: fields.Identity
    step: int
    reference: AitzAction | None
    prediction: AitzAction | None
    boxes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class AitzRecords:
    """A file of records, measured. `scored` and `answered` say which have a reference and a prediction; `same_kind`,
    `agree` and `ratio` are those of `Words`; `kinds` are reference's and prediction's, "" where there is none."""

    lines: IntArray
    episodes: Sequence[fields.Identity]
    steps: IntArray
    scored: BoolArray
    answered: BoolArray
    kinds: Sequence[tuple[str, str]]
    same_kind: BoolArray
    agree: BoolArray
    ratio: FloatArray
    measures: AitzMeasures


@dataclass
class _AitzColumnBuilder:
    """Columns that grow."""

    lines: array[int] = field(default_factory=lambda: array("q"))
    steps: array[int] = field(default_factory=lambda: array("q"))
    scored: array[int] = field(default_factory=lambda: array("b"))
    answered: array[int] = field(default_factory=lambda: array("b"))
    same_kind: array[int] = field(default_factory=lambda: array("b"))
    agree: array[int] = field(default_factory=lambda: array("b"))
    ratio: array[float] = field(default_factory=lambda: array("d"))
    episodes: list[fields.Identity] = field(default_factory=list)
    kinds: list[tuple[str, str]] = field(default_factory=list)

    def add(self, record: AitzRecord) -> tuple[AitzAction, AitzAction, Sequence[float]] | None:
        """Note all but places; returns what is to be measured where there are two clicks."""
        wanted, answer = record.reference, record.prediction
        self.lines.append(record.line)
        self.steps.append(record.step)
        self.episodes.append(record.episode)
        self.scored.append(wanted is not None)
        self.answered.append(answer is not None)
        self.kinds.append((wanted.kind if wanted else "", answer.kind if answer else ""))
        if wanted is None or answer is None:
            same_kind, agree, ratio = False, False, np.nan
        else:
            same_kind, agree, ratio = compare(wanted, answer)
        self.same_kind.append(same_kind)
        self.agree.append(agree)
        self.ratio.append(ratio)
        return (wanted, answer, record.boxes) if wanted and answer and is_click(wanted, answer) else None

    def sheet(self, parts: Sequence[AitzMeasures]) -> AitzRecords:
        def flags(values: array[int]) -> BoolArray:
            return np.array(values, dtype=np.bool_)

        return AitzRecords(
            lines=np.array(self.lines, dtype=np.int64),
            episodes=self.episodes,
            steps=np.array(self.steps, dtype=np.int64),
            scored=flags(self.scored),
            answered=flags(self.answered),
            kinds=self.kinds,
            same_kind=flags(self.same_kind),
            agree=flags(self.agree),
            ratio=np.array(self.ratio, dtype=np.float64),
            measures=joined(parts),
        )


def read_sheet(records: Records) -> AitzRecords:
    """All records. Raises UserError with the line of the first bad one."""
    gathered = _AitzColumnBuilder()
    parts = [measure(clicks_of([gathered.add(record) for record in some])) for some in _some_at_a_time(records)]
    return gathered.sheet(parts or [measure(clicks_of([]))])


def read_record(line: int, record: Mapping[str, Any]) -> AitzRecord:
    """The format, field by field. Raises UserError with the line and the bad field."""
    return AitzRecord(
        line,
        fields.identity(record, "episode", line),
        fields.whole(fields.required(record, "step", line), "step", line),
        _action(fields.required(record, "reference", line), "reference", line),
        _action(fields.required(record, "prediction", line), "prediction", line),
        fields.boxes(record, "boxes", line) or (),
    )


def _some_at_a_time(records: Records) -> Iterator[list[AitzRecord]]:
    each = records.each(read_record)
    while some := list(islice(each, _STEPS_AT_ONCE)):
        yield some


def _action(form: object, side: Side, line: int) -> AitzAction | None:
    """One side of a record; None for null. What tells the action from others of its kind may lack in a prediction."""
    if form is None:
        return None
    action = fields.mapping(form, side, line)
    kind = fields.one_of(action.get("kind"), _KINDS, f"{side}.kind", line)
    if kind == CLICK:
        return _click(action, side, line)
    name = {TYPE: "text", SCROLL: "direction", PRESS: "key"}.get(kind)
    if name is None:
        return AitzAction(kind)
    value = action.get(name)
    if value is None and side == "prediction":
        return AitzAction(kind)
    if kind == SCROLL:
        return AitzAction(kind, detail=fields.one_of(value, _DIRECTIONS, f"{side}.{name}", line))
    text = fields.text(value, f"{side}.{name}", line)
    return AitzAction(kind, detail=key_name(text) if kind == PRESS else text)


def _click(action: Mapping[str, Any], side: Side, line: int) -> AitzAction:
    point, box = action.get("point"), action.get("box")
    place = None if point is None and side == "prediction" else fields.numbers(point, 2, f"{side}.point", line)
    edges: Edges | None = None
    if box is not None:
        left, top, right, bottom = fields.box(box, f"{side}.box", line)
        edges = left, top, right, bottom
    return AitzAction(CLICK, (place[0], place[1]) if place else None, edges)
