"""Records of `stepscope score aitw` into columns. The format is in docs/protocols/aitw.md; it is read strictly.

A block of lines is decoded into typed values and taken apart by columns, with no statement of Python for each record. A
block with more in it than the format has, and records from memory, are taken apart as forms. Whatever is unusual in
them, right or wrong, sends all of them to `read_record`, which is the format's definition.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import chain, compress
from operator import attrgetter, eq, itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring import fields
from stepscope.core.scoring.aitw_match import DUAL_POINT, AitwColumns, BoolArray, FloatArray, Gestures, IntArray
from stepscope.core.scoring.records import Form, Records, UnusualBatchError, one_a_line, require_types

if TYPE_CHECKING:
    import msgspec
else:
    msgspec = lazy_module("msgspec")

Side = Literal["reference", "prediction"]

_NO_PLACE = (0.0, 0.0)
_NUMBERS: frozenset[type] = frozenset((float, int))
_NAMES: frozenset[type] = frozenset((str, int))
_INTEGERS: frozenset[type] = frozenset((int,))
_TEXTS: frozenset[type] = frozenset((str,))
_LISTS: frozenset[type] = frozenset((list,))
_TWO, _FOUR_LONG = frozenset((2,)), frozenset((4,))


class ParsedSide(NamedTuple):
    """One side of a record; `places` is touch and lift as (y, x, y, x)."""

    type: int
    places: tuple[float, ...]
    text: str


ABSENT = ParsedSide(-1, (0.0, 0.0, 0.0, 0.0), "")


class AitwRecord(NamedTuple):
    """`reference` None: unscored. `prediction` None: null. `boxes` are the numbers of all boxes in a row."""

    line: int
    episode: fields.Identity
    step: int
    reference: ParsedSide | None
    prediction: ParsedSide | None
    boxes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class AitwRecords:
    """A file of records. `scored` and `answered` say which have a reference and a prediction.

    `group` numbers the episodes in order of first appearance, `names` are theirs.
    """

    columns: AitwColumns
    scored: BoolArray
    answered: BoolArray
    group: IntArray
    names: Sequence[fields.Identity]
    lines: IntArray
    steps: IntArray


class _AitwPart(NamedTuple):
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


def read_sheet(records: Records) -> AitwRecords:
    """All records as columns. Raises UserError with the line of the first bad one."""
    numbers: dict[fields.Identity, int] = {}
    sheets = [_numbered(sheet, numbers, more) for sheet, more in records.in_parts(_read)]
    return sheets[0] if len(sheets) == 1 else _one_sheet(sheets, tuple(numbers))


def _read(records: Records) -> AitwRecords:
    parts: list[_AitwPart] = []
    numbers: dict[fields.Identity, int] = {}
    groups: list[IntArray] = []
    lines: list[IntArray] = []
    for batch in records.blocks(_typed):
        if isinstance(batch, _AitwPart):
            part = batch
        else:
            quick = _quick(batch.lines, batch.forms)
            if quick is None or not records.accept(batch):
                quick = _part_of(list(records.checked(batch, read_record)))
            part = quick
            del quick
        for name in dict.fromkeys(part.episodes):
            numbers.setdefault(name, len(numbers))
        groups.append(np.fromiter(map(numbers.__getitem__, part.episodes), dtype=np.int64, count=len(part.episodes)))
        lines.append(np.array(part.lines, dtype=np.int64))
        parts.append(part._replace(lines=(), episodes=()))
        del batch, part  # their memory serves the next ones
    return _sheet(parts, tuple(numbers), groups, lines)


def read_record(line: int, record: Mapping[str, Any]) -> AitwRecord:
    """The format, field by field. Raises UserError with the line and the bad field."""
    return AitwRecord(
        line,
        fields.identity(record, "episode", line),
        fields.whole(fields.required(record, "step", line), "step", line),
        _action(fields.required(record, "reference", line), "reference", line),
        _action(fields.required(record, "prediction", line), "prediction", line),
        _boxes(record.get("boxes"), line),
    )


def _boxes(value: object, line: int) -> tuple[float, ...]:
    if value is None:
        return ()
    if type(value) is not list:
        raise fields.bad_field(line, "boxes", f"must be a list of [y, x, h, w], not {fields.quoted_value(value)}")
    if all(type(box) is list and len(box) == 4 for box in value):
        flat = list(chain.from_iterable(value))
        with suppress(UserError):  # the search below tells which box it is
            return fields.numbers(flat, len(flat), "boxes", line)
    return tuple(chain.from_iterable(fields.numbers(box, 4, f"boxes[{i}]", line) for i, box in enumerate(value)))


def _action(form: object, side: Side, line: int) -> ParsedSide | None:
    """One side of a record; None for null. Touch and lift may lack unless the type is 4, the text only when it is."""
    if form is None:
        return None
    action = fields.mapping(form, side, line)
    kind = fields.whole(fields.required_in(action, "type", side, line), f"{side}.type", line)
    if kind == DUAL_POINT:
        fields.required_in(action, "touch", side, line)
        fields.required_in(action, "lift", side, line)
    else:
        fields.required_in(action, "text", side, line)
    touch = _place(action.get("touch"), kind, f"{side}.touch", line)
    lift = _place(action.get("lift"), kind, f"{side}.lift", line)
    text = action.get("text")
    if text is None and kind == DUAL_POINT:
        text = ""
    return ParsedSide(kind, touch + lift, fields.text(text, f"{side}.text", line))


def _place(value: object, kind: int, name: str, line: int) -> tuple[float, ...]:
    if value is None and kind != DUAL_POINT:
        return _NO_PLACE
    return fields.numbers(value, 2, name, line)


# By columns, out of lines --------------------------------------------------------------------------------------------

_Pair = tuple[float, float]
_NOWHERE = (math.nan, math.nan)
"""The place of an action that says none; JSON has no such number."""
_ROW = attrgetter("episode", "step", "reference", "prediction", "boxes")
_SIDE = attrgetter("type", "touch", "lift", "text")


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    """Of lines that say what the format knows and no more, for what is passed over is not looked at closely."""
    side = msgspec.defstruct(
        "AitwSide",
        [
            ("type", int),
            ("touch", _Pair | None, _NOWHERE),
            ("lift", _Pair | None, _NOWHERE),
            ("text", str | None, None),
        ],
        forbid_unknown_fields=True,
        gc=False,
    )
    boxes = list[tuple[float, float, float, float]] | None
    row = msgspec.defstruct(
        "AitwRow",
        [
            ("episode", str | int),
            ("step", int),
            ("reference", side | None),
            ("prediction", side | None),
            ("boxes", boxes, None),
        ],
        forbid_unknown_fields=True,
        gc=False,
    )
    return msgspec.json.Decoder(row)


def _typed(data: bytes, first: int) -> _AitwPart | None:
    """The records of whole lines; None when anything is unusual in them."""
    try:
        rows = _decoder().decode_lines(data)
        if not one_a_line(data, len(rows)):
            return None
        return _columns_of_rows(range(first, first + len(rows)), rows)
    except (msgspec.MsgspecError, UnusualBatchError, struct.error, ValueError, RecursionError):
        return None


def _columns_of_rows(lines: Sequence[int], rows: Sequence[Any]) -> _AitwPart:
    count = len(rows)
    episodes, steps, references, predictions, some_boxes = zip(*map(_ROW, rows), strict=True)
    actions = references + predictions
    some = [action for action in actions if action is not None]
    kinds, touches, lifts, texts = zip(*map(_SIDE, some), strict=True)
    whole = _packed(steps + kinds)
    gesture = whole[count:] == DUAL_POINT
    words = _filled(texts, "", needed=(~gesture).tolist())
    points = [_NOWHERE if point is None else point for point in touches + lifts]
    boxes = [() if of_one is None else of_one for of_one in some_boxes]
    flat = list(chain.from_iterable(chain(points, chain.from_iterable(boxes))))
    numbers = np.frombuffer(struct.pack(f"{len(flat)}d", *flat))
    places = np.concatenate(numbers[: 2 * len(points)].reshape(2, -1, 2), axis=1)
    nowhere = np.isnan(places)
    if nowhere[gesture].any():
        raise UnusualBatchError
    places[nowhere] = 0.0
    return _part(lines, episodes, whole, actions, places, words, numbers[2 * len(points) :], boxes)


# By columns, out of forms ---------------------------------------------------------------------------------------------


def _quick(lines: Sequence[int], forms: Sequence[Form]) -> _AitwPart | None:
    try:
        return _columns(lines, forms)
    except (UnusualBatchError, struct.error, KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None


_FOUR = itemgetter("episode", "step", "reference", "prediction")
_TYPE = itemgetter("type")


def _columns(lines: Sequence[int], forms: Sequence[Form]) -> _AitwPart:
    """A batch taken apart. What is alike, of both sides, is checked and converted at once: each call counts here."""
    count = len(forms)
    episodes, steps, references, predictions = zip(*map(_FOUR, forms), strict=True)
    require_types(_NAMES, episodes)
    actions = references + predictions
    some = [action for action in actions if action is not None]
    whole = _whole([*steps, *map(_TYPE, some)])
    gesture = whole[count:] == DUAL_POINT
    texts = _filled([action.get("text") for action in some], "", needed=(~gesture).tolist())
    require_types(_TEXTS, texts)
    said = [action.get("touch") for action in some] + [action.get("lift") for action in some]
    points = _filled(said, _NO_PLACE, needed=gesture.tolist() * 2)
    boxes = [[] if some_boxes is None else some_boxes for some_boxes in [form.get("boxes") for form in forms]]
    require_types(_LISTS, boxes)
    flat_points, flat_boxes = _numbers(points, list(chain.from_iterable(boxes)))
    places = np.concatenate(flat_points.reshape(2, -1, 2), axis=1)
    return _part(lines, episodes, whole, actions, places, texts, flat_boxes, boxes)


def _part(
    lines: Sequence[int],
    episodes: Sequence[fields.Identity],
    whole: IntArray,
    actions: Sequence[object],
    places: FloatArray,
    texts: Sequence[str],
    flat_boxes: FloatArray,
    boxes: Sequence[Sequence[Any]],
) -> _AitwPart:
    """`whole` are the steps and then the types; `actions` are the references and then the predictions, of which types,
    places and texts leave out what is None."""
    count, types = len(lines), whole[len(lines) :]
    present = np.ones(2 * count, dtype=np.bool_)
    if len(texts) < len(actions):
        present = np.array([action is not None for action in actions], dtype=np.bool_)
        types, places, texts = _spread(types, present, -1), _spread(places, present, 0.0), _with_gaps(texts, present)
    return _AitwPart(
        lines=lines,
        episodes=episodes,
        steps=whole[:count],
        scored=present[:count],
        answered=present[count:],
        types=(types[:count], types[count:]),
        places=(places[:count], places[count:]),
        same_text=np.fromiter(map(eq, texts[:count], texts[count:]), dtype=np.bool_, count=count),
        boxes=flat_boxes,
        counts=np.fromiter(map(len, boxes), dtype=np.int64, count=count),
    )


def _numbers(points: Sequence[Any], boxes: Sequence[Any]) -> tuple[FloatArray, FloatArray]:
    """All numbers of points and of boxes in a row each: lists of two and of four finite numbers."""
    if not (_TWO.issuperset(map(len, points)) and _FOUR_LONG.issuperset(map(len, boxes))):
        raise UnusualBatchError
    flat = list(chain.from_iterable(chain(points, boxes)))
    require_types(_NUMBERS, flat)
    found = np.frombuffer(struct.pack(f"{len(flat)}d", *flat))
    if not np.isfinite(found).all():
        raise UnusualBatchError
    return found[: 2 * len(points)], found[2 * len(points) :]


def _filled(values: Sequence[Any], filling: object, *, needed: Sequence[bool]) -> Sequence[Any]:
    """The values with nulls replaced, which may stand only where none is needed."""
    if None not in values:
        return values
    if None in compress(values, needed):
        raise UnusualBatchError
    return [filling if value is None else value for value in values]


def _spread(values: NDArray[Any], present: BoolArray, empty: float) -> NDArray[Any]:
    """The values in their places, `empty` in the others."""
    whole = np.full((len(present), *values.shape[1:]), empty, dtype=values.dtype)
    whole[present] = values
    return whole


def _with_gaps(texts: Sequence[str], present: BoolArray) -> list[str]:
    words = iter(texts)
    return [next(words) if is_there else "" for is_there in present.tolist()]


def _whole(values: Sequence[Any]) -> IntArray:
    require_types(_INTEGERS, values)
    return _packed(values)


def _packed(values: Sequence[int]) -> IntArray:
    """Whole numbers of 32 bits; packing refuses larger ones."""
    return np.frombuffer(struct.pack(f"={len(values)}i", *values), dtype=np.int32).astype(np.int64)


# Record by record ----------------------------------------------------------------------------------------------------


def _part_of(records: Sequence[AitwRecord]) -> _AitwPart:
    references = [record.reference or ABSENT for record in records]
    predictions = [record.prediction or ABSENT for record in records]
    same = [a.text == b.text for a, b in zip(references, predictions, strict=True)]
    types, places = zip(*map(_parsed_columns, (references, predictions)), strict=True)
    return _AitwPart(
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


def _parsed_columns(actions: Sequence[ParsedSide]) -> tuple[IntArray, FloatArray]:
    types = np.array([action.type for action in actions], dtype=np.int64)
    return types, np.array([action.places for action in actions], dtype=np.float64).reshape(-1, 4)


def _sheet(
    parts: Sequence[_AitwPart], names: Sequence[fields.Identity], groups: Sequence[IntArray], lines: Sequence[IntArray]
) -> AitwRecords:
    reference, prediction = (
        Gestures(_joined([part.types[side] for part in parts]), _upright([part.places[side] for part in parts]))
        for side in (0, 1)
    )
    counts = _joined([part.counts for part in parts])
    columns = AitwColumns(
        reference=reference,
        prediction=prediction,
        same_text=_joined([part.same_text for part in parts], np.bool_),
        boxes=_upright([part.boxes.reshape(-1, 4) for part in parts]),
        first=np.concatenate([[0], np.cumsum(counts)]),
    )
    return AitwRecords(
        columns=columns,
        scored=_joined([part.scored for part in parts], np.bool_),
        answered=_joined([part.answered for part in parts], np.bool_),
        group=_joined(groups),
        names=names,
        lines=_joined(lines),
        steps=_joined([part.steps for part in parts]),
    )


def _numbered(sheet: AitwRecords, numbers: dict[fields.Identity, int], more: int) -> AitwRecords:
    """A part of a file with the numbers that its episodes have in the whole, and line numbers that are so much higher.
    Names that are new get the next numbers."""
    of_names = np.array([numbers.setdefault(name, len(numbers)) for name in sheet.names], dtype=np.int64)
    return replace(sheet, group=of_names[sheet.group], lines=sheet.lines + more)


def _one_sheet(sheets: Sequence[AitwRecords], names: Sequence[fields.Identity]) -> AitwRecords:
    """The parts of a file as one sheet."""
    columns = [sheet.columns for sheet in sheets]
    counts = _joined([np.diff(one.first) for one in columns])
    return AitwRecords(
        columns=AitwColumns(
            reference=_one_side([one.reference for one in columns]),
            prediction=_one_side([one.prediction for one in columns]),
            same_text=_joined([one.same_text for one in columns], np.bool_),
            boxes=np.concatenate([one.boxes for one in columns], axis=1),
            first=np.concatenate([[0], np.cumsum(counts)]),
        ),
        scored=_joined([sheet.scored for sheet in sheets], np.bool_),
        answered=_joined([sheet.answered for sheet in sheets], np.bool_),
        group=_joined([sheet.group for sheet in sheets]),
        names=names,
        lines=_joined([sheet.lines for sheet in sheets]),
        steps=_joined([sheet.steps for sheet in sheets]),
    )


def _one_side(parts: Sequence[Gestures]) -> Gestures:
    return Gestures(_joined([one.types for one in parts]), np.concatenate([one.places for one in parts], axis=1))


def _joined(arrays: Sequence[NDArray[Any]], kind: type = np.int64) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.zeros(0, kind)


def _upright(blocks: Sequence[FloatArray]) -> FloatArray:
    """Blocks of rows of four as four long columns, without a copy in between."""
    whole = np.empty((4, sum(map(len, blocks))))
    start = 0
    for block in blocks:
        whole[:, start : start + len(block)] = block.T
        start += len(block)
    return whole
