"""Records of `stepscope score aitw` into columns. The format is in docs/protocols/aitw.md; it is read strictly.

A batch is taken apart by columns, with no statement of Python for each record. Whatever is unusual in it, right or
wrong, sends the whole batch to `read_record`, which is the format's definition.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import numpy as np

from core.errors import UserError
from core.scoring import fields
from core.scoring.aitw_match import DUAL_POINT, BoolArray, Columns, FloatArray, Gestures, IntArray
from core.scoring.records import Form, Records

Side = Literal["reference", "prediction"]

_NO_PLACE = (0.0, 0.0)
_NUMBERS = frozenset((float, int))
_NAMES = frozenset((str, int))


class Parsed(NamedTuple):
    """One side of a record; `places` is touch and lift as (y, x, y, x)."""

    type: int
    places: tuple[float, ...]
    text: str


ABSENT = Parsed(-1, (0.0, 0.0, 0.0, 0.0), "")


class AitwRecord(NamedTuple):
    """`reference` None: unscored. `prediction` None: null. `boxes` are the numbers of all boxes in a row."""

    line: int
    episode: fields.Identity
    step: int
    reference: Parsed | None
    prediction: Parsed | None
    boxes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file of records. `scored` and `answered` say which have a reference and a prediction.

    `group` numbers the episodes in order of first appearance, `names` are theirs.
    """

    columns: Columns
    scored: BoolArray
    answered: BoolArray
    group: IntArray
    names: Sequence[fields.Identity]
    lines: IntArray
    steps: IntArray


class _Part(NamedTuple):
    """Some records as columns; `places` is (n, 4) a side, `boxes` all numbers in a row, `counts` boxes a record."""

    lines: Sequence[int]
    episodes: Sequence[fields.Identity]
    steps: IntArray
    scored: BoolArray
    answered: BoolArray
    types: tuple[IntArray, IntArray]
    places: tuple[FloatArray, FloatArray]
    same_text: BoolArray
    boxes: FloatArray
    counts: IntArray


def read_sheet(records: Records) -> Sheet:
    """All records as columns. Raises UserError with the line of the first bad one."""
    parts: list[_Part] = []
    numbers: dict[fields.Identity, int] = {}
    groups: list[array[int]] = []
    lines: list[array[int]] = []
    for batch in records.batches():
        part = _quick(batch.lines, batch.forms)
        if part is None or not records.accept(batch):
            part = _part_of(list(records.checked(batch, read_record)))
        groups.append(array("q", [numbers.setdefault(name, len(numbers)) for name in part.episodes]))
        lines.append(array("q", part.lines))
        parts.append(part._replace(lines=(), episodes=()))
    return _sheet(parts, tuple(numbers), groups, lines)


def read_record(line: int, record: Mapping[str, Any]) -> AitwRecord:
    """The format, field by field. Raises UserError with the line and the bad field."""
    return AitwRecord(
        line,
        fields.identity(record, "episode", line),
        fields.whole(fields.needed(record, "step", line), "step", line),
        _action(fields.needed(record, "reference", line), "reference", line),
        _action(fields.needed(record, "prediction", line), "prediction", line),
        _boxes(record.get("boxes"), line),
    )


def _boxes(value: object, line: int) -> tuple[float, ...]:
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
    return Parsed(kind, touch + lift, fields.text(text, f"{side}.text", line))


def _place(value: object, kind: int, name: str, line: int) -> tuple[float, ...]:
    if value is None and kind != DUAL_POINT:
        return _NO_PLACE
    return fields.numbers(value, 2, name, line)


# By columns ----------------------------------------------------------------------------------------------------------


class _UnusualError(Exception):
    """The batch is to be read record by record."""


def _quick(lines: Sequence[int], forms: Sequence[Form]) -> _Part | None:
    try:
        return _columns(lines, forms)
    except (_UnusualError, KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None


_FOUR = itemgetter("episode", "step", "reference", "prediction")


class _Actions(NamedTuple):
    """One side of a batch; `texts` are words, "" where there are none."""

    present: BoolArray
    types: IntArray
    places: FloatArray
    texts: Sequence[str]


def _columns(lines: Sequence[int], forms: Sequence[Form]) -> _Part:
    episodes, steps, references, predictions = zip(*map(_FOUR, forms), strict=True)
    _only(_NAMES, episodes)
    reference, prediction = _side(references), _side(predictions)
    boxes, counts = _box_columns([form.get("boxes") for form in forms])
    same = [a == b for a, b in zip(reference.texts, prediction.texts, strict=True)]
    return _Part(
        lines=lines,
        episodes=episodes,
        steps=_whole(steps),
        scored=reference.present,
        answered=prediction.present,
        types=(reference.types, prediction.types),
        places=(reference.places, prediction.places),
        same_text=np.array(same, dtype=np.bool_),
        boxes=boxes,
        counts=counts,
    )


def _side(actions: Sequence[Any]) -> _Actions:
    present = np.array([action is not None for action in actions], dtype=np.bool_)
    some = actions if present.all() else [action for action in actions if action is not None]
    types = _whole([action["type"] for action in some])
    gesture = types == DUAL_POINT
    places = np.concatenate([_points(some, name, gesture) for name in ("touch", "lift")], axis=1)
    texts = [action.get("text") for action in some]
    if None in texts:
        if any(text is None for text, bare in zip(texts, gesture.tolist(), strict=True) if not bare):
            raise _UnusualError
        texts = ["" if text is None else text for text in texts]
    _only({str}, texts)
    if some is actions:
        return _Actions(present, types, places, texts)
    whole = _Actions(present, np.full(len(actions), -1), np.zeros((len(actions), 4)), [""] * len(actions))
    whole.types[present], whole.places[present] = types, places
    for place, text in zip(np.flatnonzero(present).tolist(), texts, strict=True):
        whole.texts[place] = text  # type: ignore[index]
    return whole


def _points(actions: Sequence[Any], name: str, needed: BoolArray) -> FloatArray:
    """One place of each action as rows of y and x."""
    points = [action.get(name) for action in actions]
    if None in points:
        if any(point is None for point, must in zip(points, needed.tolist(), strict=True) if must):
            raise _UnusualError
        points = [_NO_PLACE if point is None else point for point in points]
    return _rows(points, 2)


def _box_columns(boxes: Sequence[Any]) -> tuple[FloatArray, IntArray]:
    """All numbers of all boxes in a row, and how many boxes each record has."""
    lists = [[] if some is None else some for some in boxes]
    _only({list}, lists)
    counts = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    return _rows(list(chain.from_iterable(lists)), 4).reshape(-1), counts


def _rows(values: Sequence[Any], width: int) -> FloatArray:
    """Lists of `width` finite numbers each as rows."""
    if not {width}.issuperset(map(len, values)):
        raise _UnusualError
    flat = list(chain.from_iterable(values))
    _only(_NUMBERS, flat)
    found = np.array(flat, dtype=np.float64)
    if not np.isfinite(found).all():
        raise _UnusualError
    return found.reshape(-1, width)


def _whole(values: Sequence[Any]) -> IntArray:
    _only({int}, values)
    found = np.array(values, dtype=np.int64)
    if len(found) and not (found.min() >= -(2**31) and found.max() < 2**31):
        raise _UnusualError
    return found


def _only(types: Collection[type], values: Iterable[Any]) -> None:
    if not frozenset(types).issuperset(map(type, values)):
        raise _UnusualError


# Record by record ----------------------------------------------------------------------------------------------------


def _part_of(records: Sequence[AitwRecord]) -> _Part:
    references = [record.reference or ABSENT for record in records]
    predictions = [record.prediction or ABSENT for record in records]
    same = [a.text == b.text for a, b in zip(references, predictions, strict=True)]
    types, places = zip(*map(_parsed_columns, (references, predictions)), strict=True)
    return _Part(
        lines=[record.line for record in records],
        episodes=[record.episode for record in records],
        steps=np.array([record.step for record in records], dtype=np.int64),
        scored=np.array([record.reference is not None for record in records], dtype=np.bool_),
        answered=np.array([record.prediction is not None for record in records], dtype=np.bool_),
        types=(types[0], types[1]),
        places=(places[0], places[1]),
        same_text=np.array(same, dtype=np.bool_),
        boxes=np.array(list(chain.from_iterable(record.boxes for record in records)), dtype=np.float64),
        counts=np.array([len(record.boxes) // 4 for record in records], dtype=np.int64),
    )


def _parsed_columns(actions: Sequence[Parsed]) -> tuple[IntArray, FloatArray]:
    types = np.array([action.type for action in actions], dtype=np.int64)
    return types, np.array([action.places for action in actions], dtype=np.float64).reshape(-1, 4)


def _sheet(
    parts: Sequence[_Part],
    names: Sequence[fields.Identity],
    groups: Sequence[array[int]],
    lines: Sequence[array[int]],
) -> Sheet:
    def joined(of: Callable[[_Part], Any], empty: Any) -> Any:
        return np.concatenate([of(part) for part in parts]) if parts else empty

    flags, whole, places = np.zeros(0, np.bool_), np.zeros(0, np.int64), np.zeros((0, 4))
    counts = joined(lambda part: part.counts, whole)
    sides = [
        Gestures(
            joined(lambda part: part.types[side], whole),  # noqa: B023 - called at once
            np.ascontiguousarray(joined(lambda part: part.places[side], places).T),  # noqa: B023
        )
        for side in (0, 1)
    ]
    boxes = joined(lambda part: part.boxes, np.zeros(0)).reshape(-1, 4)
    columns = Columns(
        reference=sides[0],
        prediction=sides[1],
        same_text=joined(lambda part: part.same_text, flags),
        boxes=np.ascontiguousarray(boxes.T),
        first=np.concatenate([[0], np.cumsum(counts)]),
    )
    return Sheet(
        columns=columns,
        scored=joined(lambda part: part.scored, flags),
        answered=joined(lambda part: part.answered, flags),
        group=np.array(array("q", chain.from_iterable(groups)), dtype=np.int64),
        names=names,
        lines=np.array(array("q", chain.from_iterable(lines)), dtype=np.int64),
        steps=joined(lambda part: part.steps, whole),
    )
