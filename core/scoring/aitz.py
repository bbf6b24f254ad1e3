"""The `aitz` protocol: step matching as released with Android in the Zoo, for record files and for evaluations.

Rules and their sources: `aitz_match` (code), `aitz_actions` (ours where AitZ is silent), docs/protocols/aitz.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stepscope.core.domain.action import DoubleTap, LongPress, Tap
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Box, Ellipse, Region, Shape, smallest_shape
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score
from stepscope.core.scoring import aitz_actions
from stepscope.core.scoring.aitw_actions import is_placeless
from stepscope.core.scoring.aitz_match import (
    CLICK,
    GRID,
    KINDS,
    OVERLAP_LIMIT,
    RATIO_LIMIT,
    TAP_LIMIT,
    TYPE,
    AitzAgreement,
    AitzMeasures,
    BoolArray,
    FloatArray,
    clicks_of,
    compare,
    enlarged,
    is_click,
    measure,
)
from stepscope.core.scoring.aitz_records import AitzRecords, read_sheet
from stepscope.core.scoring.grouping import STEP_METRICS, numbered, step_tally, widened_sums
from stepscope.core.scoring.names import action_name, digits_beside
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
from stepscope.core.scoring.statistics import Statistic, ratio
from stepscope.core.scoring.tally import IntArray, Tally

_METRICS: dict[str, Statistic] = {
    "step_accuracy": STEP_METRICS["step_accuracy"],
    "type_accuracy": ratio(5, 1),
    "goal_progress": ratio(6, 4),
    "complete_match": STEP_METRICS["complete_match"],
}
"""Columns: those of `episode_sums`, then steps of the right kind and the episode's progress."""

INFO = ProtocolInfo(
    name="aitz",
    title="AitZ step matching",
    task=Task.AUTOMATION,
    version="1",
    source="Android in the Zoo (Zhang et al. 2024), released evaluation; predicted points as AgentCPM-GUI's",
    options=(),
    metrics=tuple(_METRICS),
    unit="episode",
    main="step_accuracy",
    rules=(
        Rule("Places lie on a grid of 0..1000 over the screen. Kinds: click, type, scroll, press, stop; different "
             "kinds do not match.", "code"),
        Rule("A predicted box is right when it, 1.2 times as large, holds the reference point, edges included.",
             "code"),
        Rule("Or when some UI box, 1.2 times as large, holds the reference point and overlaps the enlarged prediction "
             "by more than 0.5 (intersection over union).", "code"),
        Rule("A predicted point is right at most 0.14 of the screen off, or when some UI box, 1.2 times as large, "
             "holds it and the reference point (AgentCPM-GUI's evaluator for AitZ; AitZ's own has no rule for points).",
             "code"),
        Rule("Typed text is right when one text is part of the other, or their Levenshtein ratio is above 0.8; case "
             "counts, and an empty text is part of every text.", "code"),
        Rule("Scroll direction (the finger's) and pressed key must be equal; stop matches stop, whatever the outcome.",
             "code"),
        Rule("goal_progress is the mean over episodes of the steps before the first wrong one, divided by all; "
             "complete_match the share of episodes that are right throughout.", "code"),
        Rule("Boxes are not rounded to pixels; steps are put in order by their number; a prediction with a box and a "
             "point is judged by the box, one with neither is wrong.", "ours"),
        Rule("A null prediction is wrong; a null reference is unscored and left out of its episode.", "ours"),
    ),
)  # fmt: skip

_NO_PLACE = "The data names the element of the reference, but not where it is."
_NAMES_NO_PLACE = "The prediction names no place."


class AitzScorer(RecordScorer, StepScorer):
    """Record scorer and step scorer of `aitz`."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        sheet = read_sheet(records)
        right = sheet.agree | sheet.measures.right
        group, _ = numbered(sheet.episodes)
        tally = _tally(group, sheet.steps, sheet.scored, right, sheet.same_kind)
        n = int(sheet.scored.sum())
        null = int((sheet.scored & ~sheet.answered).sum())
        return RecordScores(
            tally=tally,
            n=n,
            unscored=len(sheet.scored) - n,
            malformed=null,
            null=null,
            details=LazyDetails(len(sheet.scored), lambda row: _detail(sheet, right, row)),
            extra={"by_kind": _by_kind(sheet, right)},
            counts={"goal_progress": tally.units, "complete_match": tally.units},
        )

    def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
        if step.action is None:
            return Score.unscored(NO_REFERENCE)
        if is_placeless(step.action):
            return Score.unscored(_NO_PLACE)
        if prediction.action is None:
            return unusable(prediction, type=0.0)
        reference, answer = aitz_actions.encode(step.action), aitz_actions.encode(prediction.action)
        words = compare(reference, answer)
        if not is_click(reference, answer):
            names = action_name(prediction.action), action_name(step.action)
            return Score.scored(words.agree, _why_of_words(words, reference.kind, names), type=float(words.same_kind))
        found = measure(clicks_of([(reference, answer, aitz_actions.grid_boxes(step.observation))]))
        why = _why_of_clicks(found, 0)
        if found.boxed[0]:
            return Score.scored(bool(found.right[0]), why, type=1.0, overlap=float(found.overlap[0]))
        return Score.scored(bool(found.right[0]), why, type=1.0, distance=float(found.distance[0]))

    def region(self, step: Step, options: Options) -> Region | None:
        """Where a predicted point counts as right; a predicted box is another matter."""
        if not isinstance(step.action, (Tap, LongPress, DoubleTap)) or step.action.point is None:
            return None
        size = step.observation.size
        centre = step.action.point.rescaled(size)
        disc = Ellipse(centre, TAP_LIMIT * size.width, TAP_LIMIT * size.height)
        edges = enlarged(np.array(aitz_actions.grid_boxes(step.observation)).reshape(-1, 4))
        width, height = size.width / GRID, size.height / GRID
        boxes = [Box(l * width, t * height, r * width, b * height, size) for l, t, r, b in edges.tolist()]  # noqa: E741
        shapes: tuple[Shape, ...] = (disc, *(box for box in boxes if box.contains(centre)))
        rule = f"within {TAP_LIMIT} of the screen, or in an enlarged box with the reference"
        return Region(shapes, rule, smallest_shape(shapes, centre))

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, dict[str, int]]:
        every = np.ones(len(items), dtype=np.bool_)
        tally = _tally(items.unit, items.step, every, items.right, items.part("type") == 1.0)
        return tally, {"goal_progress": tally.units, "complete_match": tally.units}


def _tally(group: IntArray, steps: IntArray, scored: BoolArray, right: BoolArray, same_kind: BoolArray) -> Tally:
    """One entry a step; `right` and `same_kind` are False where there is nothing to compare."""
    plain = step_tally(group, scored, right)
    sums = widened_sums(plain, same_kind.astype(np.float64))
    progress = _prefixes(plain.unit_of, steps, right, plain.units) / np.maximum(sums[:, 1], 1.0)
    kinds = np.where(scored, same_kind, np.nan)
    yes_no = {**plain.yes_no, "type_accuracy": kinds}
    return Tally(np.column_stack([sums, progress]), _METRICS, plain.unit_of, yes_no=yes_no)


def _prefixes(unit_of: IntArray, steps: IntArray, right: BoolArray, units: int) -> FloatArray:
    """How many scored steps of each unit come before its first wrong one; equal step numbers stand as they come."""
    order = np.lexsort((steps, unit_of))
    order = order[unit_of[order] >= 0]
    unit = unit_of[order]
    wrong = np.cumsum(~right[order])
    first = np.searchsorted(unit, np.arange(units))
    before = np.concatenate([[0], wrong])[first]
    return np.bincount(unit, weights=wrong == before[unit], minlength=units).astype(np.float64)


def _by_kind(sheet: AitzRecords, right: BoolArray) -> dict[str, dict[str, float | int | None]]:
    """AitZ's table: both accuracies by the reference's kind, null over nothing."""
    kinds = np.array([kind for kind, _ in sheet.kinds], dtype=object)
    table: dict[str, dict[str, float | int | None]] = {}
    for kind in dict.fromkeys([*KINDS, *(kind for kind, _ in sheet.kinds if kind)]):
        rows = kinds == kind
        count = int(rows.sum())
        table[kind] = {
            "n": count,
            "type_accuracy": float(sheet.same_kind[rows].mean()) if count else None,
            "step_accuracy": float(right[rows].mean()) if count else None,
        }
    return table


def _detail(sheet: AitzRecords, right: BoolArray, row: int) -> Mapping[str, Any]:
    scored, answered = bool(sheet.scored[row]), bool(sheet.answered[row])
    return {
        "record": int(sheet.lines[row]),
        "episode": sheet.episodes[row],
        "step": int(sheet.steps[row]),
        "status": "scored" if scored else "unscored",
        "score": float(right[row]) if scored else None,
        "type": float(sheet.same_kind[row]) if scored else None,
        "malformed": scored and not answered,
        "null": scored and not answered,
        "why": _why(sheet, row) if scored and answered else NO_PREDICTION if scored else NO_REFERENCE,
    }


def _why(sheet: AitzRecords, row: int) -> str:
    if sheet.measures.click[row]:
        return _why_of_clicks(sheet.measures, row)
    words = AitzAgreement(bool(sheet.same_kind[row]), bool(sheet.agree[row]), float(sheet.ratio[row]))
    kind, answer = sheet.kinds[row]
    return _why_of_words(words, kind, (answer, kind))


def _why_of_words(words: AitzAgreement, kind: str, names: tuple[str, str]) -> str:
    """`kind` is the reference's, `names` are those of prediction and reference."""
    if not words.same_kind:
        return f"Kind differs: {names[0]}, reference {names[1]}."
    if kind == CLICK:
        return _NAMES_NO_PLACE
    if kind == TYPE:
        alike = f"Texts {digits_beside(words.ratio, RATIO_LIMIT)} alike, needed: more than {RATIO_LIMIT}"
        if words.ratio > RATIO_LIMIT or not words.agree:
            return f"{alike}."
        return f"{alike}, but one is part of the other."
    if words.agree:
        return f"Both are {names[1]}."
    what = {"scroll": "direction", "press": "key"}[kind]
    return f"Both are {kind}, but the {what} differs."


def _why_of_clicks(found: AitzMeasures, row: int) -> str:
    if found.boxed[row]:
        if found.holds[row]:
            return "The enlarged box holds the reference point."
        overlap = digits_beside(float(found.overlap[row]), OVERLAP_LIMIT)
        beside = f"overlaps by {overlap} with a UI box there, needed: more than {OVERLAP_LIMIT}."
        return f"The enlarged box misses the reference point; it {beside}"
    away = f"{digits_beside(float(found.distance[row]), TAP_LIMIT)} away, limit {TAP_LIMIT}"
    if found.distance[row] <= TAP_LIMIT:
        return f"{away}. {'Inside a shared box too.' if found.shared[row] else 'Not inside a shared box.'}"
    return f"{away}, but inside a shared box." if found.shared[row] else f"{away}. No shared box."
