"""Records of `stepscope score mind2web`. The format is in docs/protocols/mind2web.md; it is read strictly.

Records are read many at once; a batch with anything unusual in it is read one by one, which also words what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from stepscope.core.scoring import fields
from stepscope.core.scoring.mind2web_match import Mind2WebColumns, predicted_text, reference_text
from stepscope.core.scoring.records import RecordBatch, Records, UnusualBatchError, require_types

_ID: frozenset[type] = frozenset((str, int))
_NOTHING: frozenset[type] = frozenset((type(None),))

_NO_REFERENCE: Mapping[str, Any] = {"elements": [], "operation": "", "value": ""}
_NO_PREDICTION: Mapping[str, Any] = {"element": None, "operation": "", "value": ""}


class Mind2WebRecord(NamedTuple):
    """`referenced` and `answered` tell whether there is a reference and a prediction; the next two mean something only
    then. Ids are text, operations in words; `chosen` is None when the prediction has no element."""

    line: int
    task: fields.Identity
    step: int
    referenced: bool
    positives: Sequence[str]
    reference: str
    answered: bool
    chosen: str | None
    prediction: str


class Part(NamedTuple):
    """Some records by columns, in the order of `Mind2WebRecord`."""

    lines: Sequence[int]
    tasks: Sequence[fields.Identity]
    steps: Sequence[int]
    referenced: Sequence[bool]
    positives: Sequence[Sequence[str]]
    references: Sequence[str]
    answered: Sequence[bool]
    chosen: Sequence[str | None]
    predictions: Sequence[str]

    @property
    def columns(self) -> Mind2WebColumns:
        return Mind2WebColumns(self.positives, self.references, self.chosen, self.predictions)


NO_RECORDS = Part((), (), (), (), (), (), (), (), ())


def read_parts(records: Records) -> Iterator[Part]:
    """All records. Raises UserError with the line of the first bad one."""
    for batch in records.batches():
        part = _quick(batch)
        if part is not None and records.accept(batch):
            yield part
        elif found := list(records.checked(batch, read_record)):
            yield Part(*zip(*found, strict=True))


def read_record(line: int, record: Mapping[str, Any]) -> Mind2WebRecord:
    """The format, field by field. Raises UserError with the line and the bad field."""
    task = fields.identity(record, "task", line)
    step = fields.whole(fields.required(record, "step", line), "step", line)
    fields.identity(record, "website", line)
    reference = _side(record, "reference", _NO_REFERENCE, line)
    prediction = _side(record, "prediction", _NO_PREDICTION, line)
    return Mind2WebRecord(
        line,
        task,
        step,
        record["reference"] is not None,
        _positives(reference, line),
        reference_text(*_operation(reference, "reference", line)),
        record["prediction"] is not None,
        _chosen(prediction, line),
        predicted_text(*_operation(prediction, "prediction", line)),
    )


def _side(record: Mapping[str, Any], side: str, absent: Mapping[str, Any], line: int) -> Mapping[str, Any]:
    value = fields.required(record, side, line)
    return absent if value is None else fields.mapping(value, side, line)


def _positives(reference: Mapping[str, Any], line: int) -> list[str]:
    elements = fields.list_of(_field(reference, "reference", "elements", line), "reference.elements", line)
    return [_id(one, f"reference.elements[{place}]", line) for place, one in enumerate(elements)]


def _chosen(prediction: Mapping[str, Any], line: int) -> str | None:
    element = _field(prediction, "prediction", "element", line)
    return None if element is None else _id(element, "prediction.element", line)


def _id(value: object, name: str, line: int) -> str:
    if type(value) not in _ID:
        raise fields.bad_field(line, name, f"must be text or a whole number, not {fields.quoted_value(value)}")
    return str(value)


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


# By columns ----------------------------------------------------------------------------------------------------------


_FIELDS = itemgetter("task", "step", "website", "reference", "prediction")
_OF_REFERENCE = itemgetter("elements", "operation", "value")
_OF_PREDICTION = itemgetter("element", "operation", "value")


def _quick(batch: RecordBatch) -> Part | None:
    try:
        return _part(batch)
    except (UnusualBatchError, KeyError, ValueError):
        return None


def _part(batch: RecordBatch) -> Part:
    tasks, steps, websites, references, predictions = zip(*map(_FIELDS, batch.forms), strict=True)
    require_types(_ID, chain(tasks, websites))
    require_types({int}, steps)
    if not -(2**31) <= min(steps) <= max(steps) < 2**31:
        raise UnusualBatchError
    referenced, answered = _present(references), _present(predictions)
    elements, operations, values = _split(references, _NO_REFERENCE, _OF_REFERENCE)
    chosen, answers, answer_values = _split(predictions, _NO_PREDICTION, _OF_PREDICTION)
    require_types({list}, elements)
    return Part(
        lines=batch.lines,
        tasks=tasks,
        steps=steps,
        referenced=referenced,
        positives=_id_lists(elements),
        references=list(map(reference_text, _words(operations), _words(values))),
        answered=answered,
        chosen=_ids(chosen),
        predictions=list(map(predicted_text, _words(answers), _words(answer_values))),
    )


def _present(sides: Sequence[Any]) -> list[bool]:
    require_types({dict} | _NOTHING, sides)
    return [side is not None for side in sides]


def _split(sides: Sequence[Any], absent: Mapping[str, Any], get: Callable[[Any], Any]) -> Iterator[tuple[Any, ...]]:
    return zip(*(get(absent if side is None else side) for side in sides), strict=True)


def _id_lists(lists: Sequence[list[Any]]) -> Sequence[Sequence[str]]:
    kinds = set(map(type, chain.from_iterable(lists)))
    if kinds <= {str}:
        return lists
    require_types(_ID, chain.from_iterable(lists))
    return [list(map(str, ids)) for ids in lists]


def _ids(values: Sequence[Any]) -> Sequence[str | None]:
    require_types(_ID | _NOTHING, values)
    return [None if value is None else str(value) for value in values]


def _words(texts: Sequence[Any]) -> Sequence[str]:
    """Null is empty."""
    require_types({str} | _NOTHING, texts)
    return ["" if text is None else text for text in texts] if None in texts else texts
