"""The AitZ matching rule on columns: one entry a step, many steps at once.

Sources: boxes, texts, scrolls, keys and stops as in the evaluation released with AitZ (`coat/evaluate.py`); predicted
points as in AgentCPM-GUI's released evaluator for AitZ, which that code has no rule for. All places are (x, y), all
boxes (left, top, right, bottom), on a grid of 0..1000 over the screen. Knows neither files nor domain actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stepscope.core.frozen import dataclass

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Edges = tuple[float, float, float, float]
Place = tuple[float, float]

CLICK, TYPE, SCROLL, PRESS, STOP = KINDS = ("click", "type", "scroll", "press", "stop")
"""AitZ's own kinds (code)."""
GRID = 1000.0
GROWTH = 1.2
"""Predicted boxes and UI boxes are this much larger about their centre (code)."""
OVERLAP_LIMIT = 0.5
"""The enlarged boxes must overlap by more than this, intersection over union (code)."""
RATIO_LIMIT = 0.8
"""Texts must be more alike than this, Levenshtein ratio (code)."""
TAP_LIMIT = 0.14
"""A predicted point at most this far off is right, in fractions of the screen (code: AgentCPM-GUI)."""


class AitzAction(NamedTuple):
    """`detail` is the direction, key or text; None where the prediction lacks it, which is never right."""

    kind: str
    point: Place | None = None
    box: Edges | None = None
    detail: str | None = None


class AitzAgreement(NamedTuple):
    """The agreement of actions without their places: kinds, and whether the details agree; `ratio` is NaN unless both
    type."""

    same_kind: bool
    agree: bool
    ratio: float


@dataclass(frozen=True, slots=True)
class Clicks:
    """Columns of steps. `click` marks those with two placed clicks; the other columns mean something only there.

    `reference` is (n, 2), `predicted` (n, 4): a point is a box without extent, `boxed` tells them apart. Row k of
    `boxes` (m, 4) is a UI box of step `owner[k]`.
    """

    click: BoolArray
    reference: FloatArray
    predicted: FloatArray
    boxed: BoolArray
    boxes: FloatArray
    owner: IntArray


@dataclass(frozen=True, slots=True)
class AitzMeasures:
    """The measures of two clicks that the rule looks at, one entry a step. `holds` and `overlap` (the largest) are of a
    predicted box, `distance` (fractions of the screen) and `shared` of a predicted point."""

    click: BoolArray
    boxed: BoolArray
    holds: BoolArray
    overlap: FloatArray
    distance: FloatArray
    shared: BoolArray

    @property
    def right(self) -> BoolArray:
        """Whether two clicks match; False for steps without two of them."""
        by_box = self.holds | (self.overlap > OVERLAP_LIMIT)
        by_point = self.shared | (self.distance <= TAP_LIMIT)
        return self.click & np.where(self.boxed, by_box, by_point)


def compare(reference: AitzAction, prediction: AitzAction) -> AitzAgreement:
    """Compare all but the places of two clicks; `agree` is False for a click that has no place."""
    if reference.kind != prediction.kind:
        return AitzAgreement(False, False, np.nan)
    if reference.kind == CLICK:
        return AitzAgreement(True, False, np.nan)
    if reference.kind == TYPE:
        ratio = text_ratio(prediction.detail, reference.detail)
        return AitzAgreement(True, _same_text(prediction.detail, reference.detail, ratio), ratio)
    if reference.kind in (SCROLL, PRESS):
        return AitzAgreement(True, prediction.detail is not None and prediction.detail == reference.detail, np.nan)
    return AitzAgreement(True, True, np.nan)


def text_ratio(text: str | None, other: str | None) -> float:
    """Levenshtein ratio: 1 - insertions and deletions / both lengths together; two empty texts are alike."""
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(text, other)) if text is not None and other is not None else 0.0


def _same_text(text: str | None, other: str | None, ratio: float) -> bool:
    if text is None or other is None:
        return False
    return text in other or other in text or ratio > RATIO_LIMIT


def is_click(reference: AitzAction, prediction: AitzAction) -> bool:
    """Whether both are clicks, and the prediction says where."""
    return reference.kind == prediction.kind == CLICK and (prediction.box or prediction.point) is not None


def clicks_of(pairs: Sequence[tuple[AitzAction, AitzAction, Sequence[float]] | None]) -> Clicks:
    """Columns of reference, prediction and the numbers of all UI boxes in a row; None where there are no two clicks."""
    count = len(pairs)
    reference, predicted = np.zeros((count, 2)), np.zeros((count, 4))
    click, boxed = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    boxes: list[float] = []
    counts = np.zeros(count, dtype=np.int64)
    for row, pair in enumerate(pairs):
        if pair is None:
            continue
        wanted, answer, around = pair
        click[row] = True
        boxed[row] = answer.box is not None
        reference[row] = wanted.point or (0.0, 0.0)
        predicted[row] = answer.box or (*(answer.point or (0.0, 0.0)),) * 2
        boxes.extend(around)
        counts[row] = len(around) // 4
    owner = np.repeat(np.arange(count), counts)
    return Clicks(click, reference, predicted, boxed, np.array(boxes, dtype=np.float64).reshape(-1, 4), owner)


def measure(clicks: Clicks) -> AitzMeasures:
    """One entry a step. Boxes are enlarged first, predicted ones and the screen's; of the screen's only those that hold
    the reference count (code)."""
    count = len(clicks.click)
    with np.errstate(over="ignore", invalid="ignore"):
        predicted = enlarged(clicks.predicted)
        holding = enlarged(clicks.boxes)
        inside = _inside(holding, clicks.reference[clicks.owner])
        holding, owner = holding[inside], clicks.owner[inside]
        overlap, shared = np.zeros(count), np.zeros(count, dtype=np.bool_)
        np.maximum.at(overlap, owner, _overlaps(predicted[owner], holding))
        shared[owner[_inside(holding, clicks.predicted[owner, :2])]] = True
        away = (clicks.predicted[:, :2] - clicks.reference) / GRID
        return AitzMeasures(
            click=clicks.click,
            boxed=clicks.boxed,
            holds=_inside(predicted, clicks.reference),
            overlap=overlap,
            distance=np.sqrt((away * away).sum(axis=1)),
            shared=shared,
        )


def joined(parts: Sequence[AitzMeasures]) -> AitzMeasures:
    """The columns of all parts in a row, in their order."""
    return AitzMeasures(
        *(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(AitzMeasures))
    )


def enlarged(boxes: FloatArray) -> FloatArray:
    """Boxes (n, 4) about their centres, neither rounded nor cut to the screen (code)."""
    centre = (boxes[:, :2] + boxes[:, 2:]) / 2
    half = (boxes[:, 2:] - boxes[:, :2]) * GROWTH / 2
    return np.concatenate([centre - half, centre + half], axis=1)


def _inside(boxes: FloatArray, points: FloatArray) -> BoolArray:
    """Row by row, edges included."""
    within: BoolArray = (boxes[:, :2] <= points) & (points <= boxes[:, 2:])
    return within[:, 0] & within[:, 1]


def _overlaps(boxes: FloatArray, others: FloatArray) -> FloatArray:
    """Intersection over union row by row, 0 where the union has no area."""
    shared = np.maximum(np.minimum(boxes[:, 2:], others[:, 2:]) - np.maximum(boxes[:, :2], others[:, :2]), 0)
    common = shared[:, 0] * shared[:, 1]
    union = _areas(boxes) + _areas(others) - common
    found: FloatArray = np.where(union > 0, common / np.where(union > 0, union, 1.0), 0.0)
    return found


def _areas(boxes: FloatArray) -> FloatArray:
    sides = boxes[:, 2:] - boxes[:, :2]
    found: FloatArray = sides[:, 0] * sides[:, 1]
    return found
