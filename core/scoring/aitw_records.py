"""Records of `stepscope score aitw` into columns. The format is in docs/protocols/aitw.md; it is read strictly."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

import numpy as np

from core.errors import UserError
from core.scoring import fields
from core.scoring.aitw_match import DUAL_POINT, BoolArray, Columns, FloatArray, Gestures, IntArray

Side = Literal["reference", "prediction"]
Parsed = tuple[int, tuple[float, ...], str]
"""Type, touch and lift as (y, x, y, x), text."""

_NO_PLACE = (0.0, 0.0)
_ABSENT: Parsed = (-1, (0.0, 0.0, 0.0, 0.0), "")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file of records. `scored` and `answered` say which have a reference and a prediction.

    `group` numbers the episodes in order of first appearance.
    """

    columns: Columns
    scored: BoolArray
    answered: BoolArray
    group: IntArray
    groups: int
    lines: IntArray
    episodes: list[fields.Identity]
    steps: IntArray


@dataclass(slots=True)
class _Growing:
    """Columns while the file is being read, in compact arrays; types and places hold both sides of a record in turn."""

    types: array[int] = field(default_factory=lambda: array("q"))
    places: array[float] = field(default_factory=lambda: array("d"))
    same_text: bytearray = field(default_factory=bytearray)
    scored: bytearray = field(default_factory=bytearray)
    answered: bytearray = field(default_factory=bytearray)
    boxes: array[float] = field(default_factory=lambda: array("d"))
    ends: array[int] = field(default_factory=lambda: array("q", [0]))
    lines: array[int] = field(default_factory=lambda: array("q"))
    steps: array[int] = field(default_factory=lambda: array("q"))
    group: array[int] = field(default_factory=lambda: array("q"))
    episodes: list[fields.Identity] = field(default_factory=list)


def read_sheet(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Sheet:
    """All records as columns. Raises UserError with the line of the first bad one."""
    growing = _Growing()
    numbers: dict[fields.Identity, int] = {}
    for line, record in records:
        episode = fields.identity(record, "episode", line)
        growing.steps.append(fields.whole(fields.needed(record, "step", line), "step", line))
        reference = _action(fields.needed(record, "reference", line), "reference", line)
        prediction = _action(fields.needed(record, "prediction", line), "prediction", line)
        _append(growing, reference, prediction)
        growing.boxes.extend(_boxes(record.get("boxes"), line))
        growing.ends.append(len(growing.boxes) // 4)
        growing.lines.append(line)
        growing.episodes.append(episode)
        growing.group.append(numbers.setdefault(episode, len(numbers)))
    return _sheet(growing, len(numbers))


def _append(growing: _Growing, reference: Parsed | None, prediction: Parsed | None) -> None:
    r_type, r_places, r_text = reference or _ABSENT
    p_type, p_places, p_text = prediction or _ABSENT
    growing.types.extend((r_type, p_type))
    growing.places.extend(r_places + p_places)
    growing.scored.append(reference is not None)
    growing.answered.append(prediction is not None)
    growing.same_text.append(r_text == p_text)


def _boxes(value: object, line: int) -> tuple[float, ...]:
    """The numbers of all boxes in a row."""
    if value is None:
        return ()
    if type(value) is not list:
        raise fields.bad_field(line, "boxes", f"must be a list of [y, x, h, w], not {fields.shown(value)}")
    if all(type(box) is list and len(box) == 4 for box in value):
        flat = list(chain.from_iterable(value))
        with suppress(UserError):  # the search below tells which box it is
            return fields.numbers(flat, len(flat), "boxes", line)
    return tuple(chain.from_iterable(fields.numbers(box, 4, f"boxes[{i}]", line) for i, box in enumerate(value)))


def _action(form: object, side: Side, line: int) -> Parsed | None:
    """One side of a record; None for null. Touch and lift may lack unless the type is 4, the text only when it is."""
    if form is None:
        return None
    action = fields.mapping(form, side, line)
    kind = fields.whole(action.get("type"), f"{side}.type", line)
    touch = _place(action.get("touch"), kind, f"{side}.touch", line)
    lift = _place(action.get("lift"), kind, f"{side}.lift", line)
    text = action.get("text")
    if text is None and kind == DUAL_POINT:
        text = ""
    return kind, touch + lift, fields.text(text, f"{side}.text", line)


def _place(value: object, kind: int, name: str, line: int) -> tuple[float, ...]:
    if value is None and kind != DUAL_POINT:
        return _NO_PLACE
    return fields.numbers(value, 2, name, line)


def _integers(values: array[int]) -> IntArray:
    return np.array(values, dtype=np.int64)


def _booleans(values: bytearray) -> BoolArray:
    return np.array(values, dtype=np.uint8).astype(np.bool_)


def _columns(values: array[float], width: int) -> FloatArray:
    """Rows of `width` numbers, turned so that each column lies in one piece."""
    rows: FloatArray = np.array(values, dtype=np.float64).reshape(-1, width)
    return np.ascontiguousarray(rows.T)


def _sheet(growing: _Growing, groups: int) -> Sheet:
    types = _integers(growing.types).reshape(-1, 2).T.copy()
    places = _columns(growing.places, 8)
    columns = Columns(
        reference=Gestures(types[0], places[:4]),
        prediction=Gestures(types[1], places[4:]),
        same_text=_booleans(growing.same_text),
        boxes=_columns(growing.boxes, 4),
        first=_integers(growing.ends),
    )
    return Sheet(
        columns=columns,
        scored=_booleans(growing.scored),
        answered=_booleans(growing.answered),
        group=_integers(growing.group),
        groups=groups,
        lines=_integers(growing.lines),
        episodes=growing.episodes,
        steps=_integers(growing.steps),
    )
