"""The `aitw` protocol: step matching as released with Android in the Wild, for record files and for evaluations.

Rules and their sources: `aitw_match` (code), `aitw_actions` (ours where AitW is silent), docs/protocols/aitw.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np

from stepscope.core.domain.action import DoubleTap, LongPress, Tap
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Box, Ellipse, Point, Region, Shape, Size, smallest_shape
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score
from stepscope.core.scoring import aitw_actions
from stepscope.core.scoring.aitw_match import (
    TAP_LIMIT,
    AitwMeasures,
    Along,
    BoolArray,
    Text,
    columns_of,
    enlarged,
    judge,
    measure,
    right,
)
from stepscope.core.scoring.aitw_records import AitwRecords, read_sheet
from stepscope.core.scoring.grouping import STEP_METRICS, step_tally, step_tally_of
from stepscope.core.scoring.names import action_name, digits_beside
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import (
    NO_PREDICTION,
    NO_REFERENCE,
    LazyDetails,
    Options,
    ProtocolInfo,
    RecordScorer,
    RecordScores,
    Rule,
    StepScorer,
    unusable,
)
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.tally import Tally

INFO = ProtocolInfo(
    name="aitw",
    title="AitW step matching",
    task=Task.AUTOMATION,
    version="2",
    source="Android in the Wild (Rawles et al. 2023), released action matching, in double precision",
    options=(
        Option("text", "ignore", "whether the text of two actions that are not gestures must be equal", "code",
               ("ignore", "exact")),
        Option("direction", "axis", "what two swipes must share: the main axis, or the way along it too", "code",
               ("axis", "exact")),
    ),
    metrics=tuple(STEP_METRICS),
    unit="episode",
    main="step_accuracy",
    rules=(
        Rule("A gesture is a tap when touch and lift are at most 0.04 apart (Euclid in fractions), else a drag.",
             "code"),
        Rule("If either type is not 4: right when the types are equal; typed text is not compared.", "code"),
        Rule("Two taps match at most 0.14 apart, or when both lie in one same annotation box enlarged: corner less 0.7 "
             "of the extent, not below 0; extent times 2.4, at most 1; edges included.", "code"),
        Rule("Two drags match when the main axis of lift minus touch is the same; a tie is y.", "code"),
        Rule("A tap and a drag do not match.", "code"),
        Rule("partial_match is the mean over episodes of the right share, complete_match the share of episodes that "
             "are right throughout.", "code"),
        Rule("Double precision throughout; without boxes only the distance counts.", "ours"),
        Rule("A null prediction is wrong; a null reference is unscored and left out of its episode.", "ours"),
    ),
)  # fmt: skip

_NO_PLACE = "The data names the element of the reference, but not where it is."


class AitwScorer(RecordScorer, StepScorer):
    """Record scorer and step scorer of `aitw`."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        sheet = read_sheet(records)
        text, direction = _settings(options)
        verdicts = judge(sheet.columns, text=text, direction=direction) & sheet.answered
        tally = step_tally(sheet.group, sheet.scored, verdicts)
        null = int((sheet.scored & ~sheet.answered).sum())
        n = int(sheet.scored.sum())
        details = _AitwDetails(sheet, verdicts)
        return RecordScores(
            tally=tally,
            n=n,
            unscored=len(sheet.scored) - n,
            malformed=null,
            null=null,
            details=LazyDetails(len(sheet.scored), details.row),
            counts={"partial_match": tally.units, "complete_match": tally.units},
        )

    def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
        if step.action is None:
            return Score.unscored(NO_REFERENCE)
        if aitw_actions.is_placeless(step.action):
            return Score.unscored(_NO_PLACE)
        if prediction.action is None:
            return unusable(prediction)
        if aitw_actions.is_placeless(prediction.action):
            return Score.scored(0, "The prediction names no place.")
        reference, answer = aitw_actions.encode(step.action), aitw_actions.encode(prediction.action)
        boxes = aitw_actions.boxes_of(step.observation)
        measures = measure(columns_of(reference, answer, boxes), all_boxes=True)
        text, direction = _settings(options)
        good = bool(right(measures, text=text, direction=direction)[0])
        names = action_name(prediction.action), action_name(step.action)
        why = _why(measures, 0, good, names)
        if not _two_taps(measures, 0):
            return Score.scored(good, why)
        return Score.scored(good, why, distance=measures.distance(0), in_box=float(measures.in_box[0]))

    def region(self, step: Step, options: Options) -> Region | None:
        if not isinstance(step.action, (Tap, LongPress, DoubleTap)) or step.action.point is None:
            return None
        size = step.observation.size
        centre = step.action.point.rescaled(size)
        disc = Ellipse(centre, TAP_LIMIT * size.width, TAP_LIMIT * size.height)
        boxes = _boxes_around(centre, aitw_actions.boxes_of(step.observation), size)
        shapes: tuple[Shape, ...] = (disc, *boxes)
        rule = f"within {TAP_LIMIT} of the screen, or in an enlarged box with the reference"
        return Region(shapes, rule, smallest_shape(shapes, centre))

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, dict[str, int]]:
        return step_tally_of(items)


class _AitwDetails:
    """The lines of details, one a record."""

    def __init__(self, sheet: AitwRecords, verdicts: BoolArray) -> None:
        self._sheet, self._verdicts = sheet, verdicts

    @cached_property
    def _measures(self) -> AitwMeasures:
        return measure(self._sheet.columns, all_boxes=True)

    def row(self, row: int) -> Mapping[str, Any]:
        sheet = self._sheet
        scored, answered = bool(sheet.scored[row]), bool(sheet.answered[row])
        return {
            "record": int(sheet.lines[row]),
            "episode": sheet.names[sheet.group[row]],
            "step": int(sheet.steps[row]),
            "status": "scored" if scored else "unscored",
            "score": float(self._verdicts[row]) if scored else None,
            "malformed": scored and not answered,
            "null": scored and not answered,
            "why": self._why(row) if scored and answered else NO_PREDICTION if scored else NO_REFERENCE,
        }

    def _why(self, row: int) -> str:
        columns = self._sheet.columns
        names = tuple(
            ("tap" if tap[row] else "swipe") if side.types[row] == 4 else aitw_actions.type_name(int(side.types[row]))
            for side, tap in (
                (columns.prediction, self._measures.prediction_tap),
                (columns.reference, self._measures.reference_tap),
            )
        )
        return _why(self._measures, row, bool(self._verdicts[row]), (names[0], names[1]))


def _settings(options: Options) -> tuple[Text, Along]:
    return cast(Text, options["text"]), cast(Along, options["direction"])


def _why(found: AitwMeasures, row: int, good: bool, names: tuple[str, str]) -> str:
    """The verdict in words; `names` are those of prediction and reference."""
    if not found.points[row]:
        if not found.same_type[row]:
            return f"Type differs: {names[0]}, reference {names[1]}."
        if good:
            return f"Both are {names[1]}."
        return f"Both are {names[1]}, but the text differs."
    if _two_taps(found, row):
        return _why_of_taps(found.distance(row), bool(found.in_box[row]))
    if found.reference_tap[row] or found.prediction_tap[row]:
        return "One is a tap, the other a swipe."
    return _why_of_swipes(found, row, good)


def _two_taps(found: AitwMeasures, row: int) -> bool:
    return bool(found.points[row] and found.reference_tap[row] and found.prediction_tap[row])


def _why_of_taps(distance: float, in_box: bool) -> str:
    away = f"{digits_beside(distance, TAP_LIMIT)} away, limit {TAP_LIMIT}"
    if distance <= TAP_LIMIT:
        return f"{away}. Inside a shared box too." if in_box else f"{away}. Not inside a shared box."
    return f"{away}, but inside a shared box." if in_box else f"{away}. No shared box."


def _why_of_swipes(found: AitwMeasures, row: int, good: bool) -> str:
    words = {True: "vertical", False: "horizontal"}
    answer, reference = words[bool(found.prediction_axis_y[row])], words[bool(found.reference_axis_y[row])]
    if answer != reference:
        return f"Main axis differs: {answer}, reference {reference}."
    return f"Both swipes are {reference}." if good else f"Both swipes are {reference}, but the other way."


def _boxes_around(point: Point, boxes: Sequence[tuple[float, ...]], size: Size) -> list[Box]:
    """The enlarged boxes that hold the point, in pixels."""
    x, y = point.fraction
    return [
        Box(left * size.width, top * size.height, right_edge * size.width, bottom * size.height, size)
        for top, left, bottom, right_edge in enlarged(np.array(boxes).reshape(-1, 4).T).T.tolist()
        if top <= y <= bottom and left <= x <= right_edge
    ]
