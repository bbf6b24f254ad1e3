"""The `gui_odyssey` protocol: GUI-Odyssey's own action matching, for record files and for evaluations.

Source (code): OpenGVLab/GUI-Odyssey src/eval_mm/GUIOdyssey_action_matching.py and evaluate_GUIOdyssey.py;
docs/protocols/gui_odyssey.md. Places in pixels of each step's own screen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from stepscope.core.domain.action import LongPress, Tap
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Ellipse, Region, smallest_shape
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score
from stepscope.core.frozen import dataclass
from stepscope.core.scoring import fields
from stepscope.core.scoring.android_control_actions import encode, screen_of
from stepscope.core.scoring.android_control_match import (
    RADIUS_LIMIT,
    BoolArray,
    ComparedAction,
    Place,
    ScreenMeasures,
    named,
)
from stepscope.core.scoring.android_control_records import NO_PLACE, ControlRecord, read_record
from stepscope.core.scoring.grouping import STEP_METRICS, numbered, step_tally, widened_sums
from stepscope.core.scoring.names import digits_beside
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

LIKE_LIMIT = 0.5
"""One minus the Levenshtein distance over the longer text, at least (code)."""
_CLICKS = ("tap", "long_press")
_METRICS: dict[str, Statistic] = {
    "step_accuracy": STEP_METRICS["step_accuracy"],
    "type_accuracy": ratio(5, 1),
    "partial_match": STEP_METRICS["partial_match"],
    "complete_match": STEP_METRICS["complete_match"],
}
"""Columns: those of `episode_sums`, then steps of the right kind. step_accuracy is the paper's AMS, complete_match its
SR."""

INFO = ProtocolInfo(
    name="gui_odyssey",
    title="GUI-Odyssey action matching",
    task=Task.AUTOMATION,
    version="1",
    source="GUI-Odyssey (Lu et al. 2025), released action matching",
    options=(),
    metrics=tuple(_METRICS),
    unit="episode",
    main="step_accuracy",
    rules=(
        Rule("A tap or long press is right inside the box of the data (SAM 2's), edges included, or at most 0.14 of "
             "the screen off.", "code"),
        Rule("Typed text is right when one text is part of the other or 1 minus the Levenshtein distance over the "
             "longer text is 0.5 or more; case counts, outer spaces do not.", "code"),
        Rule("A scroll needs its direction; of keys, endings and the rest the kind decides, where each key and each "
             "ending is a kind.", "code"),
        Rule("step_accuracy is the paper's AMS over all steps, complete_match its SR; by_category gives both for each "
             "of the six categories, and macro their means.", "code"),
        Rule("A swipe's direction is that along the axis on which it goes farther in fractions; app names are compared "
             "as typed text is.", "ours"),
        Rule("A null prediction is wrong; a null reference is unscored and left out of its episode.", "ours"),
    ),
)  # fmt: skip


class OdysseyVerdict(NamedTuple):
    right: bool
    same_kind: bool
    why: str


def verdict(reference: ComparedAction, prediction: ComparedAction, screen: ScreenMeasures) -> OdysseyVerdict:
    """Compare two actions on one screen; the reference of a click has a place."""
    if _kind(reference) != _kind(prediction):
        return OdysseyVerdict(False, False, f"Action differs: {named(prediction)}, reference {named(reference)}.")
    if reference.kind in _CLICKS:
        assert reference.place is not None
        return _click(reference.place, prediction.place, screen)
    if reference.text is not None and prediction.text is not None:
        right, share = text_matches(reference.text, prediction.text)
        why = "One text is part of the other." if share is None else f"Texts alike by {share:.2f}, limit {LIKE_LIMIT}."
        return OdysseyVerdict(right, True, why)
    right = reference.detail == prediction.detail
    words = f"Both are {named(reference)}." if right else f"Directions differ: {prediction.detail}, {reference.detail}."
    return OdysseyVerdict(right, True, words)


def text_matches(reference: str, prediction: str) -> tuple[bool, float | None]:
    """Whether the texts count as equal, and how like they are where neither is part of the other (code)."""
    text, other = reference.strip(), prediction.strip()
    if text in other or other in text:
        return True, None
    share = 1 - Levenshtein.distance(text, other) / max(len(text), len(other))
    return share >= LIKE_LIMIT, share


def _kind(side: ComparedAction) -> str:
    """Keys and endings are kinds of their own; directions are compared later."""
    return side.kind if side.kind == "scroll" else named(side)


def _click(reference: Place, prediction: Place | None, screen: ScreenMeasures) -> OdysseyVerdict:
    if prediction is None:
        return OdysseyVerdict(False, True, "The prediction names no place.")
    boxes = screen.candidates or ()
    for start in range(0, len(boxes), 4):
        left, top, right, bottom = boxes[start : start + 4]
        if left <= prediction[0] <= right and top <= prediction[1] <= bottom:
            return OdysseyVerdict(True, True, "Inside the box of the data.")
    width, height = screen.size
    away = math.hypot(prediction[0] / width - reference[0] / width, prediction[1] / height - reference[1] / height)
    words = f"{digits_beside(away, RADIUS_LIMIT)} away, limit {RADIUS_LIMIT}."
    return OdysseyVerdict(
        away <= RADIUS_LIMIT, True, f"{words} {'Outside the box' if boxes else 'No box'} of the data."
    )


def _judged(
    reference: ComparedAction | None, prediction: ComparedAction | None, screen: ScreenMeasures
) -> OdysseyVerdict | str:
    """The verdict, or why there is none."""
    if reference is None:
        return NO_REFERENCE
    if reference.kind in _CLICKS and reference.place is None:
        return NO_PLACE
    if prediction is None:
        return OdysseyVerdict(False, False, NO_PREDICTION)
    return verdict(reference, prediction, screen)


@dataclass(frozen=True, slots=True)
class _OdysseyStep:
    line: int
    episode: fields.Identity
    step: int
    category: str
    answered: bool
    found: OdysseyVerdict | str


class GuiOdysseyScorer(RecordScorer, StepScorer):
    """Record scorer and step scorer of `gui_odyssey`."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        steps = list(records.each(_read))
        found = [None if isinstance(step.found, str) else step.found for step in steps]
        scored = np.array([one is not None for one in found], dtype=np.bool_)
        right = np.array([one is not None and one.right for one in found], dtype=np.bool_)
        same_kind = np.array([one is not None and one.same_kind for one in found], dtype=np.bool_)
        null = sum(one is not None and not step.answered for one, step in zip(found, steps, strict=True))
        group, _ = numbered(step.episode for step in steps)
        tally = _tally(group, scored, right, same_kind)
        n = int(scored.sum())
        return RecordScores(
            tally=tally,
            n=n,
            unscored=len(steps) - n,
            malformed=null,
            null=null,
            details=LazyDetails(len(steps), lambda row: _detail(steps[row])),
            extra=_by_category(steps, group, scored, right, same_kind),
            counts={"partial_match": tally.units, "complete_match": tally.units},
        )

    def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
        if step.action is None:
            return Score.unscored(NO_REFERENCE)
        size = step.observation.size
        answer = None if prediction.action is None else encode(prediction.action, size)
        found = _judged(encode(step.action, size), answer, screen_of(step.observation, step.action))
        if isinstance(found, str):
            return Score.unscored(found)
        if answer is None:
            return unusable(prediction, type=0.0)
        return Score.scored(found.right, found.why, type=float(found.same_kind))

    def region(self, step: Step, options: Options) -> Region | None:
        """The box of the data and the ellipse around the reference."""
        if not isinstance(step.action, (Tap, LongPress)) or step.action.point is None:
            return None
        size = step.observation.size
        centre = step.action.point.rescaled(size)
        disc = Ellipse(centre, RADIUS_LIMIT * size.width, RADIUS_LIMIT * size.height)
        target = step.action.target
        box = target.box.rescaled(size) if target and target.box else None
        shapes = (disc,) if box is None else (disc, box)
        rule = f"inside the box of the data, or within {RADIUS_LIMIT} of the screen"
        return Region(shapes, rule, smallest_shape(shapes, centre))

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, dict[str, int]]:
        every = np.ones(len(items), dtype=np.bool_)
        tally = _tally(items.unit, every, items.right, items.part("type") == 1.0)
        return tally, {"partial_match": tally.units, "complete_match": tally.units}


def _read(line: int, record: Mapping[str, Any]) -> _OdysseyStep:
    form: ControlRecord = read_record(line, record)
    category = record.get("category")
    name = "" if category is None else fields.text(category, "category", line)
    found = _judged(form.reference, form.prediction, form.screen)
    return _OdysseyStep(line, form.episode, form.step, name, form.prediction is not None, found)


def _tally(group: IntArray, scored: BoolArray, right: BoolArray, same_kind: BoolArray) -> Tally:
    plain = step_tally(group, scored, right)
    sums = widened_sums(plain, same_kind.astype(np.float64))
    return Tally(
        sums, _METRICS, plain.unit_of, yes_no={**plain.yes_no, "type_accuracy": np.where(scored, same_kind, np.nan)}
    )


def _by_category(
    steps: Sequence[_OdysseyStep], group: IntArray, scored: BoolArray, right: BoolArray, same_kind: BoolArray
) -> dict[str, Any]:
    """AMS and SR of each category and their means; nothing where no step names a category."""
    names = np.array([step.category for step in steps], dtype=object)
    table: dict[str, dict[str, float | int | None]] = {}
    for name in dict.fromkeys(step.category for step in steps if step.category):
        part = scored & (names == name)
        values = dict(_tally(group, part, right, same_kind).values())
        table[name] = {"n": int(part.sum()), **{key: values[key] for key in ("step_accuracy", "complete_match")}}
    if not table:
        return {}
    macro = {}
    for key in ("step_accuracy", "complete_match"):
        known = [row[key] for row in table.values() if row[key] is not None]
        macro[key] = sum(known) / len(known) if known else None  # type: ignore[arg-type]
    return {"by_category": table, "macro": macro}


def _detail(step: _OdysseyStep) -> Mapping[str, Any]:
    scored = not isinstance(step.found, str)
    return {
        "record": step.line,
        "episode": step.episode,
        "step": step.step,
        "status": "scored" if scored else "unscored",
        "score": float(step.found.right) if not isinstance(step.found, str) else None,
        "type": float(step.found.same_kind) if not isinstance(step.found, str) else None,
        "malformed": scored and not step.answered,
        "null": scored and not step.answered,
        "why": step.found if isinstance(step.found, str) else step.found.why,
    }
