"""The AitW matching rule on columns: one entry a step, many steps at once.

Source of the rule (code): the action matching released with Android in the Wild, computed here in double precision
(the released code uses float32 and fails on an empty list of boxes). Every place is (y, x) in fractions of the screen,
every box (y, x, height, width). Knows neither files nor domain actions.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stepscope.core.frozen import dataclass

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Text = Literal["ignore", "exact"]
Along = Literal["axis", "exact"]

DUAL_POINT = 4
TAP_LIMIT = 0.14
"""Two taps this near to each other match (code)."""
GESTURE_LIMIT = 0.04
"""A touch and a lift no further apart are a tap (code)."""
BOX_SHIFT = 0.7
BOX_GROWTH = 2.4
"""An annotation box starts 0.7 of its extent earlier and is 2.4 times as large (code: 1.4 more, half a side)."""


def _square_of(limit: float) -> float:
    """The largest number whose root, rounded to double precision, is within the limit."""
    square = limit * limit
    while math.sqrt(square) > limit:
        square = math.nextafter(square, 0.0)
    while math.sqrt(math.nextafter(square, 1.0)) <= limit:
        square = math.nextafter(square, 1.0)
    return square


_TAP_SQUARE, _GESTURE_SQUARE = _square_of(TAP_LIMIT), _square_of(GESTURE_LIMIT)
"""Squares are held against these, which gives exactly what roots against the limits give, and sooner."""

_STEPS_AT_ONCE = 1 << 15
_BOXES_AT_ONCE = 1 << 18
"""So many steps with so many boxes stay in the processor's cache; with half as many the threads wait for each other
more than they work."""
_WORTH_THREADS = 1 << 17
"""So many steps and more are judged on several cores, since numpy lets other threads run."""
_MOST_THREADS = 4

Found = TypeVar("Found")
Place = tuple[float, float]


class AitwAction(NamedTuple):
    """`touch` and `lift` as (y, x) fractions, None for an action without a gesture."""

    type: int
    touch: Place | None = None
    lift: Place | None = None
    text: str = ""


class Gestures(NamedTuple):
    """Columns of one side: action types, and places of shape (4, n): touch y, touch x, lift y, lift x."""

    types: IntArray
    places: FloatArray


@dataclass(frozen=True, slots=True)
class AitwColumns:
    """Steps to be judged. The boxes of step i are `boxes[:, first[i]:first[i + 1]]`; `boxes` has the shape (4, m)."""

    reference: Gestures
    prediction: Gestures
    same_text: BoolArray
    boxes: FloatArray
    first: IntArray

    def __len__(self) -> int:
        return len(self.first) - 1


@dataclass(frozen=True, slots=True)
class AitwMeasures:
    """The measures that the rule looks at, one entry a step. All but `same_type` and `same_text` mean something only
    where `points`.

    `square` is the squared distance between the touches, `near` whether that is within the limit. `in_box` is looked up
    for two taps only, and unless `measure` was asked for all, only for those that are not near.
    `…_axis_y` and `same_sign` (the same way along the main axis) are about lift minus touch.
    """

    points: BoolArray
    same_type: BoolArray
    same_text: BoolArray
    reference_tap: BoolArray
    prediction_tap: BoolArray
    square: FloatArray
    near: BoolArray
    in_box: BoolArray
    reference_axis_y: BoolArray
    prediction_axis_y: BoolArray
    same_sign: BoolArray

    def distance(self, step: int) -> float:
        """Between the touches of one step, in fractions of the screen."""
        return math.sqrt(self.square[step])


def measure(columns: AitwColumns, *, all_boxes: bool = False) -> AitwMeasures:
    """`all_boxes` looks up shared boxes where the distance settles the matter too, for explanations."""
    parts = _each_portion(columns, lambda portion: _measure(portion, all_boxes))
    return AitwMeasures(
        *(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(AitwMeasures))
    )


def judge(columns: AitwColumns, *, text: Text = "ignore", direction: Along = "axis") -> BoolArray:
    """Whether each step is right; what `right` makes of `measure`, without keeping the measures of all steps."""
    return np.concatenate(
        _each_portion(columns, lambda portion: right(_measure(portion, False), text=text, direction=direction))
    )


def right(found: AitwMeasures, *, text: Text, direction: Along) -> BoolArray:
    """Whether each step's prediction is right under the rule."""
    others = found.same_type & found.same_text if text == "exact" else found.same_type
    taps = found.reference_tap & found.prediction_tap & (found.near | found.in_box)
    drags = ~(found.reference_tap | found.prediction_tap) & (found.reference_axis_y == found.prediction_axis_y)
    if direction == "exact":
        drags &= found.same_sign
    verdicts: BoolArray = (found.points & (taps | drags)) | (~found.points & others)
    return verdicts


def enlarged(boxes: ArrayLike) -> FloatArray:
    """Boxes (4, m) as the rule enlarges and clips them, as (top, left, bottom, right)."""
    y, x, height, width = np.asarray(boxes, dtype=np.float64).reshape(4, -1)
    (top, bottom), (left, right_edge) = _span(y, height), _span(x, width)
    return np.stack([top, left, bottom, right_edge])


def columns_of(reference: AitwAction, prediction: AitwAction, boxes: list[tuple[float, ...]]) -> AitwColumns:
    """The columns of a single step."""
    return AitwColumns(
        reference=_gestures_of(reference),
        prediction=_gestures_of(prediction),
        same_text=np.array([reference.text == prediction.text]),
        boxes=np.array(boxes, dtype=np.float64).reshape(-1, 4).T,
        first=np.array([0, len(boxes)]),
    )


def _gestures_of(action: AitwAction) -> Gestures:
    places = [*(action.touch or (0.0, 0.0)), *(action.lift or (0.0, 0.0))]
    return Gestures(np.array([action.type]), np.array(places).reshape(4, 1))


def _each_portion(columns: AitwColumns, work: Callable[[AitwColumns], Found]) -> list[Found]:
    """What `work` makes of each portion, in their order."""
    portions = _portions(columns)
    threads = min(os.cpu_count() or 1, _MOST_THREADS)
    if threads == 1 or len(columns) < _WORTH_THREADS:
        return list(map(work, portions))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, portions))


def _portions(columns: AitwColumns) -> Iterator[AitwColumns]:
    """All steps, some at a time; at least one portion, though it be empty."""
    boxes = int(columns.first[-1] - columns.first[0])
    at_once = min(_STEPS_AT_ONCE, max(1, _BOXES_AT_ONCE * len(columns) // boxes)) if boxes else _STEPS_AT_ONCE
    for start in range(0, max(len(columns), 1), at_once):
        yield _cut(columns, start, start + at_once)


def _cut(columns: AitwColumns, start: int, stop: int) -> AitwColumns:
    """The columns of some of the steps, as views."""
    reference, prediction = (
        Gestures(side.types[start:stop], side.places[:, start:stop]) for side in (columns.reference, columns.prediction)
    )
    return AitwColumns(
        reference, prediction, columns.same_text[start:stop], columns.boxes, columns.first[start : stop + 1]
    )


def _measure(columns: AitwColumns, all_boxes: bool) -> AitwMeasures:
    reference, prediction = columns.reference, columns.prediction
    points = (reference.types == DUAL_POINT) & (prediction.types == DUAL_POINT)
    with np.errstate(over="ignore", invalid="ignore"):
        gone_r, gone_p = (side.places[2:] - side.places[:2] for side in (reference, prediction))
        (reference_axis_y, forward_r), (prediction_axis_y, forward_p) = map(_main_axis, (gone_r, gone_p))
        reference_tap, prediction_tap = (_into_squares(gone) <= _GESTURE_SQUARE for gone in (gone_r, gone_p))
        square = _into_squares(prediction.places[:2] - reference.places[:2])
        near = square <= _TAP_SQUARE
        taps = points & reference_tap & prediction_tap
        in_box = _share_a_box(columns, taps if all_boxes else taps & ~near)
    return AitwMeasures(
        points=points,
        same_type=reference.types == prediction.types,
        same_text=columns.same_text,
        reference_tap=reference_tap,
        prediction_tap=prediction_tap,
        square=square,
        near=near,
        in_box=in_box,
        reference_axis_y=reference_axis_y,
        prediction_axis_y=prediction_axis_y,
        same_sign=forward_r == forward_p,
    )


def _main_axis(gone: FloatArray) -> tuple[BoolArray, BoolArray]:
    """Whether the main axis is y, and whether the way along it is towards larger values."""
    y, x = gone
    axis_y: BoolArray = np.abs(y) >= np.abs(x)
    return axis_y, np.where(axis_y, y, x) > 0


def _into_squares(vectors: FloatArray) -> FloatArray:
    """The squared length of each vector (2, n); the vectors are lost, for new memory costs more than the sums."""
    vectors *= vectors
    squares: FloatArray = vectors[0]
    squares += vectors[1]
    return squares


def _span(start: FloatArray, extent: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Both ends of one side of a box, enlarged.

    Start and extent are clipped each by itself (code): a box at the upper edge reaches further down.
    """
    low = extent * BOX_SHIFT
    np.subtract(start, low, out=low)
    np.maximum(low, 0.0, out=low)
    high = extent * BOX_GROWTH
    np.minimum(high, 1.0, out=high)
    high += low
    return low, high


def _share_a_box(columns: AitwColumns, steps: BoolArray) -> BoolArray:
    """Whether reference and predicted touch lie in one same enlarged box, edges included; False outside `steps`."""
    found = np.zeros(len(columns), dtype=np.bool_)
    chosen = np.flatnonzero(steps)
    first = columns.first.take(chosen)
    counts = columns.first[1:].take(chosen) - first
    touches = [side.places[:2].take(chosen, axis=1) for side in (columns.reference, columns.prediction)]
    lower, upper = np.minimum(*touches), np.maximum(*touches)
    # One entry a box from here on; y first: few boxes are left to be looked at for x.
    owner = np.repeat(np.arange(len(chosen)), counts)
    box = (first - np.cumsum(counts) + counts).take(owner)
    box += np.arange(len(box))
    low, high = _span(columns.boxes[0].take(box), columns.boxes[2].take(box))
    inside = np.flatnonzero((low <= lower[0].take(owner)) & (upper[0].take(owner) <= high))
    owner, box = owner.take(inside), box.take(inside)
    low, high = _span(columns.boxes[1].take(box), columns.boxes[3].take(box))
    owner = owner[(low <= lower[1].take(owner)) & (upper[1].take(owner) <= high)]
    found[chosen[owner]] = True
    return found
