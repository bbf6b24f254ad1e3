"""Records of `stepscope score mind2web`. The format is in docs/protocols/mind2web.md; it is read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.scoring import fields
from core.scoring.mind2web_match import predicted_text, reference_text

_IDS = frozenset((str, int))


class Wanted(NamedTuple):
    """Ids of the positives as text, and the operation in words."""

    elements: tuple[str, ...]
    operation: str


class Chosen(NamedTuple):
    """`element` is an id as text, None when no element was chosen."""

    element: str | None
    operation: str


class Mind2WebRecord(NamedTuple):
    """`reference` None: unscored. `prediction` None: malformed."""

    line: int
    task: fields.Identity
    step: int
    reference: Wanted | None
    prediction: Chosen | None


def read_record(line: int, record: Mapping[str, Any]) -> Mind2WebRecord:
    """Raises UserError with the line and the bad field."""
    fields.identity(record, "website", line)
    return Mind2WebRecord(
        line,
        fields.identity(record, "task", line),
        fields.whole(fields.needed(record, "step", line), "step", line),
        _reference(fields.needed(record, "reference", line), line),
        _prediction(fields.needed(record, "prediction", line), line),
    )


def _reference(value: object, line: int) -> Wanted | None:
    if value is None:
        return None
    form = fields.mapping(value, "reference", line)
    elements = fields.listed(_field(form, "reference", "elements", line), "reference.elements", line)
    if not _IDS.issuperset(map(type, elements)):
        place = next(place for place, one in enumerate(elements) if type(one) not in _IDS)
        _refuse_id(elements[place], f"reference.elements[{place}]", line)
    return Wanted(tuple(map(str, elements)), reference_text(*_operation(form, "reference", line)))


def _prediction(value: object, line: int) -> Chosen | None:
    if value is None:
        return None
    form = fields.mapping(value, "prediction", line)
    element = _field(form, "prediction", "element", line)
    if element is not None and type(element) not in _IDS:
        _refuse_id(element, "prediction.element", line)
    return Chosen(None if element is None else str(element), predicted_text(*_operation(form, "prediction", line)))


def _operation(form: Mapping[str, Any], side: str, line: int) -> tuple[str, str]:
    """Operation and value; null is empty."""
    operation, value = _field(form, side, "operation", line), _field(form, side, "value", line)
    return (
        "" if operation is None else fields.text(operation, f"{side}.operation", line),
        "" if value is None else fields.text(value, f"{side}.value", line),
    )


def _field(form: Mapping[str, Any], side: str, name: str, line: int) -> Any:
    try:
        return form[name]
    except KeyError:
        raise fields.bad_field(line, f"{side}.{name}", "is missing") from None


def _refuse_id(value: object, name: str, line: int) -> None:
    raise fields.bad_field(line, name, f"must be text or a whole number, not {fields.shown(value)}")
