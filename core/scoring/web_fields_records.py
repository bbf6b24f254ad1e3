"""Records of `stepscope score fields`. The format is in docs/protocols/fields.md; it is read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from stepscope.core.domain.webtask import FieldType
from stepscope.core.scoring import fields
from stepscope.core.scoring.web_fields_match import Answer

TYPES = tuple(kind.value for kind in FieldType)


class WebFieldRecord(NamedTuple):
    """`reference` has one answer for each worker; None: unscored. `prediction` None: malformed."""

    line: int
    task: fields.Identity
    instance: fields.Identity
    field: fields.Identity
    type: str
    reference: list[Answer] | None
    prediction: Answer


def read_record(line: int, record: Mapping[str, Any]) -> WebFieldRecord:
    """Raises UserError with the line and the bad field."""
    kind = fields.one_of(fields.needed(record, "type", line), TYPES, "type", line)
    reference = fields.needed(record, "reference", line)
    prediction = fields.needed(record, "prediction", line)
    several = kind == FieldType.CHECKBOX
    if reference is not None:
        for place, answer in enumerate(fields.listed(reference, "reference", line)):
            _check(answer, f"reference[{place}]", line, several)
    _check(prediction, "prediction", line, several)
    return WebFieldRecord(
        line,
        fields.identity(record, "task", line),
        fields.identity(record, "instance", line),
        fields.identity(record, "field", line),
        kind,
        reference,
        prediction,
    )


def _check(answer: object, name: str, line: int, several: bool) -> None:
    """Refuse what is no value; `several`: a list of values is one too."""
    if answer is None or type(answer) is str:
        return
    if several and type(answer) is list:
        for place, value in enumerate(answer):
            _check(value, f"{name}[{place}]", line, several=False)
    elif type(answer) is int or type(answer) is float:
        fields.number(answer, name, line)
    else:
        allowed = "text, a number, a list of them or null" if several else "text, a number or null"
        raise fields.bad_field(line, name, f"must be {allowed}, not {fields.shown(answer)}")
