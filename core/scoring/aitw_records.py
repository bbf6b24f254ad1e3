"""Records of `stepscope score aitw` into columns. The format is in docs/protocols/aitw.md; it is read strictly."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

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
    """Columns while the file is being read, in compact arrays."""

    types: dict[Side, array[int]] = field(default_factory=lambda: {"reference": array("q"), "prediction": array("q")})
    places: dict[Side, array[float]] = field(
        default_factory=lambda: {"reference": array("d"), "prediction": array("d")}
    )
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
        step = fields.whole(fields.needed(record, "step", line), "step", line)
        reference = _action(fields.needed(record, "reference", line), "reference", line)
        prediction = _action(fields.needed(record, "prediction", line), "prediction", line)
        _append(growing, reference, prediction)
        _append_boxes(growing, record.get("boxes"), line)
        growing.lines.append(line)
        growing.steps.append(step)
        growing.episodes.append(episode)
        growing.group.append(numbers.setdefault(episode, len(numbers)))
    return _sheet(growing, len(numbers))


def _append(growing: _Growing, reference: Parsed | None, prediction: Parsed | None) -> None:
    pairs: tuple[tuple[Side, Parsed | None], ...] = (("reference", reference), ("prediction", prediction))
    for side, action in pairs:
        kind, places, _ = action or _ABSENT
        growing.types[side].append(kind)
        growing.places[side].extend(places)
    growing.scored.append(reference is not None)
    growing.answered.append(prediction is not None)
    growing.same_text.append(reference is not None and prediction is not None and reference[2] == prediction[2])


def _append_boxes(growing: _Growing, boxes: object, line: int) -> None:
    if boxes is not None:
        if type(boxes) is not list:
            raise fields.bad_field(line, "boxes", f"must be a list of [y, x, h, w], not {fields.shown(boxes)}")
        for place, box in enumerate(boxes):
            growing.boxes.extend(fields.numbers(box, 4, f"boxes[{place}]", line))
    growing.ends.append(len(growing.boxes) // 4)


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


def _gestures(growing: _Growing, side: Side) -> Gestures:
    places: FloatArray = np.array(growing.places[side], dtype=np.float64).reshape(-1, 4)
    return Gestures(_integers(growing.types[side]), np.ascontiguousarray(places.T))


def _integers(values: array[int]) -> IntArray:
    return np.array(values, dtype=np.int64)


def _booleans(values: bytearray) -> BoolArray:
    return np.array(values, dtype=np.uint8).astype(np.bool_)


def _sheet(growing: _Growing, groups: int) -> Sheet:
    boxes: FloatArray = np.array(growing.boxes, dtype=np.float64).reshape(-1, 4)
    columns = Columns(
        reference=_gestures(growing, "reference"),
        prediction=_gestures(growing, "prediction"),
        same_text=_booleans(growing.same_text),
        boxes=np.ascontiguousarray(boxes.T),
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
