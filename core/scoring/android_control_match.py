"""Four rules for steps of AndroidControl on columns: one entry a step, many steps at once, all rules in one go.

AndroidControl has no official evaluator. Sources (code): `smallest_box` is UGround's offline evaluation, `enlarged_box`
the one that Qwen2.5-VL's authors published, `nearest5` AgentCPM-GUI's, `radius14` OS-Atlas's. Places are (x, y), boxes
(left, top, right, bottom), in pixels of each step's own screen. Knows neither files nor domain actions.
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
Place = tuple[float, float]

SMALLEST, ENLARGED, NEAREST, RADIUS = RULE_NAMES = ("smallest_box", "enlarged_box", "nearest5", "radius14")
GROWTH = 1.2
"""Boxes are this much larger about their centre (code: enlarged_box, nearest5)."""
NEAR_LIMIT = 0.04
"""A tap this near is right too (code): of the longer side for enlarged_box, in fractions of the screen for nearest5."""
RADIUS_LIMIT = 0.14
"""In fractions of the screen (code: radius14)."""
NEAREST_BOXES = 5
F1_LIMIT = 0.5
"""Texts must share more than this, F1 over their sets of words (code: radius14)."""
LARGEST_CANDIDATE = 0.5
"""Without a list of candidates: boxes that hold the reference point and cover at most this share of the screen
(ours)."""

PLACED = ("tap", "long_press", "double_tap", "hover")
"""Kinds that are judged by their place."""


class ComparedAction(NamedTuple):
    """An action as the rules see it. `text` is compared as each rule compares texts, `detail` (direction, key, status)
    must be equal; `place` is None for kinds without one and for taps whose place nobody knows."""

    kind: str
    place: Place | None = None
    text: str | None = None
    detail: str = ""


class ScreenMeasures(NamedTuple):
    """The measures of a screen that a step's rules look up. `boxes` and `candidates` are the numbers of all boxes in a
    row, None where the data has none at all; `texts` are the words of each box."""

    size: Place
    boxes: Sequence[float] | None = None
    texts: Sequence[str] | None = None
    candidates: Sequence[float] | None = None


class AndroidControlAgreement(NamedTuple):
    """The agreement of actions without their places. `agree` has one entry a rule; `f1` is NaN where there are no
    texts."""

    same_kind: bool
    agree: tuple[bool, bool, bool, bool]
    f1: float = float("nan")


@dataclass(frozen=True, slots=True)
class Taps:
    """The measures of two taps of one kind that the rules look at, one entry a step; `tap` marks the steps that have
    them.

    `around`: some box holds the reference point. `smallest`, `candidate`, `nearest`: the predicted point lies in the
    box or boxes of that rule. `far` is the distance over the longer side, `distance` that in fractions of the screen.
    """

    tap: BoolArray
    around: BoolArray
    smallest: BoolArray
    candidate: BoolArray
    nearest: BoolArray
    far: FloatArray
    distance: FloatArray

    def right(self) -> BoolArray:
        """Rules by steps, (4, n); False for steps without two taps."""
        near = self.distance <= NEAR_LIMIT
        found = (
            self.smallest, self.candidate | (self.far <= NEAR_LIMIT), self.nearest | near, self.distance <= RADIUS_LIMIT
        )  # fmt: skip
        return self.tap & np.stack(found)


class TapPair(NamedTuple):
    """Two taps of one kind on one screen."""

    reference: Place
    prediction: Place
    screen: ScreenMeasures


def compare(reference: ComparedAction, prediction: ComparedAction, screen: ScreenMeasures) -> AndroidControlAgreement:
    """Compare all but the places of two taps; two placed kinds that are equal never agree by words alone."""
    if reference.kind != prediction.kind:
        return AndroidControlAgreement(False, (_stands_for(reference, prediction, screen), False, False, False))
    if reference.kind in PLACED:
        return AndroidControlAgreement(True, (False,) * 4)
    if reference.text is not None and prediction.text is not None:
        return _compare_texts(reference.text, prediction.text)
    same = reference.detail == prediction.detail
    return AndroidControlAgreement(True, (same,) * 4)


def named(side: ComparedAction | None) -> str:
    """The kind, with what tells it from others of its kind, as explanations call it."""
    return f"{side.kind} {side.detail}".rstrip() if side else ""


def word_f1(text: str, other: str) -> float:
    """F1 over the two sets of lower-case words; 0 when either is empty (code)."""
    words, others = set(text.lower().split()), set(other.lower().split())
    return 2 * len(words & others) / (len(words) + len(others)) if words and others else 0.0


def _compare_texts(reference: str, prediction: str) -> AndroidControlAgreement:
    exact = reference == prediction
    plain, other = reference.lower().strip(), prediction.lower().strip()
    part = plain in other or other in plain
    f1 = word_f1(reference, prediction)
    return AndroidControlAgreement(True, (exact, part, part, exact or f1 > F1_LIMIT), f1)


def _stands_for(reference: ComparedAction, prediction: ComparedAction, screen: ScreenMeasures) -> bool:
    """Whether one taps what the other names: an app to open, or the way back (code: smallest_box)."""
    for tapped, named in ((reference, prediction), (prediction, reference)):
        if tapped.kind == "tap" and tapped.place is not None:
            name = named.text if named.kind == "open_app" else named.detail if _is_back(named) else None
            if name and name.strip():
                return name.lower() in _text_at(tapped.place, screen).lower()
    return False


def _is_back(side: ComparedAction) -> bool:
    return side.kind == "press_key" and side.detail == "back"


def _text_at(place: Place, screen: ScreenMeasures) -> str:
    """The words of the smallest box that holds the place, "" where there is none."""
    if not screen.boxes or not screen.texts:
        return ""
    edges = np.array(screen.boxes).reshape(-1, 4)
    with np.errstate(over="ignore", invalid="ignore"):
        rows = smallest_around(edges, np.zeros(len(edges), dtype=np.int64), np.array([place]))
    return screen.texts[rows[0]] if len(rows) else ""


def measure(pairs: Sequence[TapPair | None]) -> Taps:
    """Measure pairs of taps; None stands for a step without two taps of one kind."""
    count = len(pairs)
    reference, prediction, size = np.zeros((count, 2)), np.zeros((count, 2)), np.ones((count, 2))
    tap = np.zeros(count, dtype=np.bool_)
    for row, pair in enumerate(pairs):
        if pair is not None:
            tap[row] = True
            reference[row], prediction[row], size[row] = pair.reference, pair.prediction, pair.screen.size
    boxes, owner = _boxes(pairs, "boxes")
    with np.errstate(over="ignore", invalid="ignore"):
        away = prediction - reference
        smallest, around = _in_smallest(boxes, owner, reference, prediction)
        near, near_owner = nearest_boxes(boxes, owner, reference, size)
        candidates, candidate_owner = _candidates(pairs, boxes, owner, reference, size)
        return Taps(
            tap=tap,
            around=around,
            smallest=smallest,
            candidate=_hit(enlarged(candidates), candidate_owner, prediction),
            nearest=_hit(near, near_owner, prediction / size),
            far=_lengths(away) / size.max(axis=1),
            distance=_lengths(away / size),
        )


def joined(parts: Sequence[Taps]) -> Taps:
    """The columns of all parts in a row, in their order."""
    return Taps(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Taps)))


def smallest_around(boxes: FloatArray, owner: IntArray, points: FloatArray) -> IntArray:
    """Rows of the smallest box that holds its step's point, the first of equal ones, for each step that has any.

    `boxes` (m, 4) belong to the steps `owner` (m), in ascending order; `points` is (n, 2).
    """
    rows = np.flatnonzero(_inside(boxes, points[owner]))
    rows = rows[np.lexsort((_areas(boxes[rows]), owner[rows]))]
    return rows[_firsts(owner[rows])]


def nearest_boxes(
    boxes: FloatArray, owner: IntArray, points: FloatArray, size: FloatArray
) -> tuple[FloatArray, IntArray]:
    """The five boxes of each step that are nearest to its point by their centres, enlarged, in fractions.

    As the released code does it: enlarged first, corner not below 0, extent at most 1; ties go to the earlier box.
    """
    span = size[owner]
    corner, extent = boxes[:, :2] / span, (boxes[:, 2:] - boxes[:, :2]) / span
    corner = np.maximum(0.0, corner - (GROWTH - 1) * extent / 2)
    extent = np.minimum(1.0, extent * GROWTH)
    away = _lengths(corner + extent / 2 - points[owner] / span)
    order = np.lexsort((away, owner))
    place = np.arange(len(order)) - np.searchsorted(owner, owner[order])
    chosen = order[place < NEAREST_BOXES]
    return np.concatenate([corner, corner + extent], axis=1)[chosen], owner[chosen]


def candidates_around(boxes: FloatArray, owner: IntArray, points: FloatArray, size: FloatArray) -> BoolArray:
    """Which boxes are candidates where the data names none (ours)."""
    small: BoolArray = _areas(boxes) <= LARGEST_CANDIDATE * size[owner].prod(axis=1)
    return _inside(boxes, points[owner]) & small


def enlarged(boxes: FloatArray) -> FloatArray:
    """Boxes (m, 4) about their centres, not cut to the screen (code: enlarged_box)."""
    centre = (boxes[:, :2] + boxes[:, 2:]) / 2
    half = (boxes[:, 2:] - boxes[:, :2]) * GROWTH / 2
    return np.concatenate([centre - half, centre + half], axis=1)


def _boxes(pairs: Sequence[TapPair | None], name: str) -> tuple[FloatArray, IntArray]:
    lists = [(getattr(pair.screen, name) or ()) if pair is not None else () for pair in pairs]
    owner = np.repeat(np.arange(len(pairs)), [len(some) // 4 for some in lists])
    return np.array([edge for some in lists for edge in some], dtype=np.float64).reshape(-1, 4), owner


def _in_smallest(
    boxes: FloatArray, owner: IntArray, reference: FloatArray, prediction: FloatArray
) -> tuple[BoolArray, BoolArray]:
    """Whether the prediction lies in the smallest box around the reference, and whether there is one."""
    rows = smallest_around(boxes, owner, reference)
    around = np.zeros(len(reference), dtype=np.bool_)
    around[owner[rows]] = True
    return _hit(boxes[rows], owner[rows], prediction), around


def _candidates(
    pairs: Sequence[TapPair | None], boxes: FloatArray, owner: IntArray, reference: FloatArray, size: FloatArray
) -> tuple[FloatArray, IntArray]:
    """The data's own, else those that take their place, and whose they are."""
    named = np.array([pair is not None and pair.screen.candidates is not None for pair in pairs], dtype=np.bool_)
    given, given_owner = _boxes(pairs, "candidates")
    rows = np.flatnonzero(candidates_around(boxes, owner, reference, size) & ~named[owner])
    return np.concatenate([given, boxes[rows]]), np.concatenate([given_owner, owner[rows]])


def _hit(boxes: FloatArray, owner: IntArray, points: FloatArray) -> BoolArray:
    """Which points lie in a box of their own."""
    found = np.zeros(len(points), dtype=np.bool_)
    found[owner[_inside(boxes, points[owner])]] = True
    return found


def _firsts(groups: IntArray) -> IntArray:
    """Where each run of equal numbers begins."""
    return np.flatnonzero(np.concatenate([[True], groups[1:] != groups[:-1]])) if len(groups) else groups


def _inside(boxes: FloatArray, points: FloatArray) -> BoolArray:
    """Row by row, edges included."""
    within: BoolArray = (boxes[:, :2] <= points) & (points <= boxes[:, 2:])
    return within[:, 0] & within[:, 1]


def _areas(boxes: FloatArray) -> FloatArray:
    sides = boxes[:, 2:] - boxes[:, :2]
    found: FloatArray = sides[:, 0] * sides[:, 1]
    return found


def _lengths(vectors: FloatArray) -> FloatArray:
    found: FloatArray = np.sqrt((vectors * vectors).sum(axis=1))
    return found
