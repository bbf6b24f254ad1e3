"""Records of `stepscope score motif`. The format is in docs/protocols/motif.md; it is read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from stepscope.core.scoring import fields
from stepscope.core.scoring.motif_match import MotifStep, Place


class MotifRecord(NamedTuple):
    """`reference` empty: unscored. `prediction` None: malformed; empty: simply wrong."""

    line: int
    id: fields.Identity
    reference: tuple[MotifStep, ...]
    prediction: tuple[MotifStep, ...] | None


def read_record(line: int, record: Mapping[str, Any]) -> MotifRecord:
    """Raises UserError with the line and the bad field."""
    return MotifRecord(
        line,
        fields.identity(record, "id", line),
        _steps(fields.needed(record, "reference", line), "reference", line) or (),
        _steps(fields.needed(record, "prediction", line), "prediction", line),
    )


def _steps(value: object, name: str, line: int) -> tuple[MotifStep, ...] | None:
    if value is None:
        return None
    if type(value) is not list:
        raise fields.bad_field(line, name, f"must be a list of steps or null, not {fields.shown(value)}")
    return tuple(_step(step, f"{name}[{place}]", line) for place, step in enumerate(value))


def _step(value: object, name: str, line: int) -> MotifStep:
    step = fields.mapping(value, name, line)
    number, box, point = step.get("object"), step.get("box"), step.get("point")
    return MotifStep(
        fields.text(fields.needed_in(step, "action", name, line), f"{name}.action", line),
        None if number is None else fields.whole(number, f"{name}.object", line),
        None if box is None else _box(box, f"{name}.box", line),
        None if point is None else fields.numbers(point, 2, f"{name}.point", line),
    )


def _box(value: object, name: str, line: int) -> Place:
    box = fields.numbers(value, 4, name, line)
    if box[2] < box[0] or box[3] < box[1]:
        raise fields.bad_field(line, name, f"must be [left, top, right, bottom], not {fields.shown(value)}")
    return box
