"""MoTIF's task automation rule: action, grounding, both; complete and partial, over sequences of steps.

Sources: MoTIF section 5 and Li et al. 2020 (paper) for complete and partial and for the point and box rules; the
released evaluation (code) for `partial=position` and the object tolerance. Knows neither files nor domain actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from stepscope.core.scoring.rule import Options

IOU_LIMIT = 0.5
"""Grounding by box is right above this intersection over union (paper, section 5.1, the rule for MOCA)."""

ASPECTS = ("action", "ground", "both")
METRIC_NAMES = tuple(f"{aspect}_{extent}" for aspect in ASPECTS for extent in ("complete", "partial"))

Place = tuple[float, ...]


class MotifStep(NamedTuple):
    """`box` is (left, top, right, bottom), `point` (x, y), in one frame; `object` an index into the screen's objects.

    None: the step has no such place.
    """

    action: str
    object: int | None = None
    box: Place | None = None
    point: Place | None = None


class MotifStepVerdict(NamedTuple):
    """One step's action and grounding; `both` when the two are right."""

    action: bool
    ground: bool

    @property
    def both(self) -> bool:
        return self.action and self.ground


class SequenceScores(NamedTuple):
    """The six values of one sequence, in the order of `METRIC_NAMES`."""

    action_complete: float
    action_partial: float
    ground_complete: float
    ground_partial: float
    both_complete: float
    both_partial: float


NOTHING_RIGHT = SequenceScores(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def judge_step(reference: MotifStep, prediction: MotifStep, options: Options) -> MotifStepVerdict:
    """Whether the step's action is the reference's by name, and its place right under `options` (MoTIF, section 5)."""
    return MotifStepVerdict(reference.action == prediction.action, grounded(reference, prediction, options))


def grounded(reference: MotifStep, prediction: MotifStep, options: Options) -> bool:
    """Whether the predicted place is right. A reference without the place wants a prediction without it (ours)."""
    match options["grounding"]:
        case "object":
            if reference.object is None or prediction.object is None:
                return reference.object is prediction.object
            return abs(reference.object - prediction.object) <= int(options["object_tolerance"])
        case "point":
            if reference.box is None or prediction.point is None:
                return reference.box is None and prediction.point is None
            return holds(reference.box, prediction.point)
        case _:
            if reference.box is None or prediction.box is None:
                return reference.box is prediction.box
            return intersection_over_union(reference.box, prediction.box) > IOU_LIMIT


def holds(box: Place, point: Place) -> bool:
    """Whether the point lies in the box, edges included."""
    (left, top, right, bottom), (x, y) = box, point
    return left <= x <= right and top <= y <= bottom


def intersection_over_union(a: Place, b: Place) -> float:
    """0 when the union has no area."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    shared = max(width, 0.0) * max(height, 0.0)
    union = _area(a) + _area(b) - shared
    return shared / union if union > 0 else 0.0


def score_sequence(
    verdicts: Sequence[MotifStepVerdict], references: int, predictions: int, options: Options
) -> SequenceScores:
    """Six values from the verdicts over the common length of a reference and a prediction."""
    values: list[float] = []
    for aspect in ASPECTS:
        good = [bool(getattr(verdict, aspect)) for verdict in verdicts]
        values += [complete(good, references, predictions), partial(good, references, options)]
    return SequenceScores(*values)


def complete(good: Sequence[bool], references: int, predictions: int) -> float:
    """1 when both sequences are equally long and every step is right (paper)."""
    return float(references == predictions and all(good))


def partial(good: Sequence[bool], references: int, options: Options) -> float:
    """Right steps over the reference's length: by position (code), or only those before the first wrong one."""
    if options["partial"] == "position":
        return sum(good) / references
    return (good.index(False) if False in good else len(good)) / references


def _area(box: Place) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
