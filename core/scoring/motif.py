"""The `motif` protocol: task automation as MoTIF reports it, for record files and for evaluations.

Rules and their sources: `motif_match` (paper, code), `motif_actions` (code, ours), docs/protocols/motif.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Box, Patch, Region, Shape
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score
from stepscope.core.scoring import fields
from stepscope.core.scoring.fields import Identity
from stepscope.core.scoring.motif_actions import encode, nearest_leaf, places_of_leaf
from stepscope.core.scoring.motif_match import (
    ASPECTS,
    IOU_LIMIT,
    METRIC_NAMES,
    NOTHING_RIGHT,
    MotifStep,
    MotifStepVerdict,
    Place,
    SequenceScores,
    intersection_over_union,
    judge_step,
    score_sequence,
)
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
from stepscope.core.scoring.statistics import ratio
from stepscope.core.scoring.tally import IntArray, Tally

INFO = ProtocolInfo(
    name="motif",
    title="MoTIF task automation",
    task=Task.AUTOMATION,
    version="1",
    source="MoTIF (Burns et al. 2022), section 5, and its released evaluation",
    options=(
        Option("partial", "position", "right steps counted position by position, or up to the first wrong one", "code",
               ("position", "prefix")),
        Option("grounding", "object", "place judged by object index, by point in box, or by overlap of boxes", "code",
               ("object", "point", "box")),
        Option("object_tolerance", 1, "how far the object index may be off with grounding=object; 0 is exact", "code",
               low=0),
    ),
    metrics=METRIC_NAMES,
    main="both_partial",
    rules=(
        Rule("complete is 1 when prediction and reference are equally long and every step is right, else 0; partial is "
             "the share of right steps; each for action, grounding and both, means over episodes.", "paper"),
        Rule("partial=position compares position by position and divides by the reference's length; further predicted "
             "steps cost nothing there.", "code"),
        Rule("grounding=object: the predicted object's index is within object_tolerance of the reference's.", "code"),
        Rule("grounding=point (Seq2Seq): the predicted point lies in the reference box, edges included.", "paper"),
        Rule("grounding=box (MOCA): intersection over union above 0.5.", "paper"),
        Rule("A null or empty prediction is wrong; a null one is malformed too. A null or empty reference is unscored.",
             "ours"),
        Rule("A reference step without the place that the grounding rule needs is right only when the prediction has "
             "none either.", "ours"),
    ),
)  # fmt: skip

_STATISTICS = {name: ratio(column, len(METRIC_NAMES)) for column, name in enumerate(METRIC_NAMES)}
_NEEDED = {"object": "object", "point": "box", "box": "box"}
"""The place of a reference step that each grounding rule needs."""


class MotifScorer(RecordScorer, StepScorer):
    """Record scorer and step scorer of `motif`."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        found = [_judged(record, options) for record in records.each(read_record)]
        scored = np.array([one.scores is not None for one in found], dtype=np.bool_)
        unit_of = np.where(scored, np.cumsum(scored) - 1, -1)
        null = sum(one.null for one in found)
        return RecordScores(
            tally=_tally([one.scores for one in found if one.scores is not None], unit_of),
            n=int(scored.sum()),
            unscored=int((~scored).sum()),
            malformed=null,
            null=null,
            details=LazyDetails(len(found), lambda row: _detail(found[row])),
        )

    def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
        if step.action is None:
            return Score.unscored(NO_REFERENCE)
        reference = encode(step.action, step.observation)
        missing = _missing_place(reference, options)
        if missing:
            return Score.unscored(missing)
        if prediction.action is None:
            return unusable(prediction, **dict.fromkeys(ASPECTS, 0.0))
        answer = encode(prediction.action, step.observation)
        verdict = judge_step(reference, answer, options)
        why = f"{_why_action(reference, answer)} {_why_ground(reference, answer, verdict, options)}"
        parts = {aspect: float(getattr(verdict, aspect)) for aspect in ASPECTS}
        return Score.scored(verdict.both, why, malformed=False, **parts)

    def region(self, step: Step, options: Options) -> Region | None:
        """The places that `grounding=object` takes for right: all whose object is the reference's or one that the
        tolerance lets pass: of the leaves' boxes where no other leaf is nearer, and of what lies between boxes."""
        if not isinstance(step.action, Tap) or options["grounding"] == "box":
            return None
        shapes: tuple[Shape, ...]
        if options["grounding"] == "point":
            shapes, rule = _reference_box(step.action, step.observation), "inside the reference element"
        else:
            tolerance = int(options["object_tolerance"])
            shapes, rule = _tolerated(step.action, step.observation, tolerance), f"leaf of the UI tree, {tolerance} off"
        return Region(shapes, rule) if shapes else None

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, dict[str, int]]:
        """Each episode's scored steps are one sequence; the prediction has one answer for each of them."""
        verdicts: list[list[MotifStepVerdict]] = [[] for _ in range(items.episodes)]
        order = np.argsort(items.step, kind="stable")
        good = [(items.part(name) == 1.0)[order].tolist() for name in ("action", "ground")]
        for unit, *verdict in zip(items.unit[order].tolist(), *good, strict=True):
            verdicts[unit].append(MotifStepVerdict(*verdict))
        scores = [score_sequence(found, len(found), len(found), options) for found in verdicts]
        return _tally(scores, items.unit), dict.fromkeys(self.info.metrics, items.episodes)


class _MotifRecordVerdict(NamedTuple):
    """A record that was judged: its six values, None when unscored; how many steps are right, there are, and were
    predicted."""

    line: int
    id: Identity
    scores: SequenceScores | None
    null: bool
    right: int = 0
    steps: int = 0
    predicted: int = 0


def _judged(record: MotifRecord, options: Options) -> _MotifRecordVerdict:
    references, predictions = record.reference, record.prediction
    if not references:
        return _MotifRecordVerdict(record.line, record.id, None, False)
    if predictions is None:
        return _MotifRecordVerdict(record.line, record.id, NOTHING_RIGHT, True)
    verdicts = [judge_step(*pair, options) for pair in zip(references, predictions, strict=False)]
    scores = score_sequence(verdicts, len(references), len(predictions), options)
    right = sum(verdict.both for verdict in verdicts)
    return _MotifRecordVerdict(record.line, record.id, scores, False, right, len(references), len(predictions))


def _detail(found: _MotifRecordVerdict) -> Mapping[str, Any]:
    return {
        "record": found.line,
        "id": found.id,
        "status": "unscored" if found.scores is None else "scored",
        "malformed": found.null,
        "null": found.null,
        **(found.scores._asdict() if found.scores else dict.fromkeys(METRIC_NAMES)),
        "why": _why_record(found),
    }


def _why_record(found: _MotifRecordVerdict) -> str:
    if found.scores is None:
        return "No reference steps."
    if found.null:
        return NO_PREDICTION
    why = f"{found.right} of {found.steps} steps right."
    return why if found.predicted == found.steps else f"{why} {found.predicted} steps predicted."


def _tally(scores: Sequence[SequenceScores], unit_of: IntArray) -> Tally:
    """Unweighted means over sequences."""
    sums = np.ones((len(scores), len(METRIC_NAMES) + 1))
    sums[:, :-1] = np.array(scores, dtype=np.float64).reshape(-1, len(METRIC_NAMES))
    yes_no = {name: sums[:, column] for column, name in enumerate(METRIC_NAMES) if name.endswith("_complete")}
    return Tally(sums, _STATISTICS, unit_of, yes_no=yes_no)


def _missing_place(reference: MotifStep, options: Options) -> str:
    """Why the step cannot be judged: it touches a place but the data does not tell what is there (ours)."""
    needed = _NEEDED[str(options["grounding"])]
    if reference.point is None or getattr(reference, needed) is not None:
        return ""
    return f"The reference touches a place, but without a UI tree its {needed} is not known."


def _why_action(reference: MotifStep, answer: MotifStep) -> str:
    if answer.action == reference.action:
        return f"Both {answer.action}."
    return f"Action differs: {answer.action}, reference {reference.action}."


def _why_ground(reference: MotifStep, answer: MotifStep, verdict: MotifStepVerdict, options: Options) -> str:
    rule = str(options["grounding"])
    wanted = getattr(reference, _NEEDED[rule])
    got = getattr(answer, rule)
    if wanted is None or got is None:
        return _why_placeless(wanted is not None, got is not None)
    match rule:
        case "object":
            return f"Object {got}, reference {wanted}: {abs(got - wanted)} off, limit {options['object_tolerance']}."
        case "point":
            return "Inside the reference box." if verdict.ground else _why_outside(wanted, got)
        case _:
            overlap = intersection_over_union(wanted, got)
            return f"Boxes overlap by {overlap:.2g}, needed: more than {IOU_LIMIT}."


def _why_outside(box: tuple[float, ...], point: tuple[float, ...]) -> str:
    x, y = point
    dx, dy = max(box[0] - x, x - box[2], 0.0), max(box[1] - y, y - box[3], 0.0)
    away = float(np.hypot(dx, dy))
    shown = f"{away:.0f}" if away >= 10 else f"{away:.2g}"
    return f"Outside the reference box, {shown} px from its edge."


def _why_placeless(wanted: bool, got: bool) -> str:
    if not wanted and not got:
        return "Neither has a place."
    return "The reference has a place, the prediction none." if wanted else "The reference has no place."


def _reference_box(action: Tap, seen: Observation) -> tuple[Box, ...]:
    box = encode(action, seen).box
    if box is None:
        return ()
    left, top, right, bottom = box
    return (Box(left, top, right, bottom, seen.size),)


def _tolerated(action: Tap, seen: Observation, tolerance: int) -> tuple[Patch, ...]:
    """Where a gesture is about the reference's leaf, and where about one whose index is near enough, in pixels of the
    observation."""
    index = nearest_leaf(seen.tree, action.point) if seen.tree and action.point else None
    if seen.tree is None or index is None:
        return ()
    tree, wide, tall = seen.tree, seen.size.width / seen.tree.size.width, seen.size.height / seen.tree.size.height
    near = range(max(0, index - tolerance), min(len(tree.leaves), index + tolerance + 1))

    def patch(leaves: Iterable[int]) -> Patch:
        pieces = (piece for leaf in leaves for piece in places_of_leaf(tree, leaf))
        return Patch(tuple(tuple((x * wide, y * tall) for x, y in piece) for piece in pieces), seen.size)

    others = patch(leaf for leaf in near if leaf != index)
    return (patch((index,)), others) if others.pieces else (patch((index,)),)


class MotifRecord(NamedTuple):
    """`reference` empty: unscored. `prediction` None: malformed; empty: simply wrong."""

    line: int
    id: fields.Identity
    reference: tuple[MotifStep, ...]
    prediction: tuple[MotifStep, ...] | None


def read_record(line: int, record: Mapping[str, Any]) -> MotifRecord:
    """Raises UserError with the line and the bad field."""
    return MotifRecord(
        line,
        fields.identity(record, "id", line),
        _steps(fields.required(record, "reference", line), "reference", line) or (),
        _steps(fields.required(record, "prediction", line), "prediction", line),
    )


def _steps(value: object, name: str, line: int) -> tuple[MotifStep, ...] | None:
    if value is None:
        return None
    if type(value) is not list:
        raise fields.bad_field(line, name, f"must be a list of steps or null, not {fields.quoted_value(value)}")
    return tuple(_step(step, f"{name}[{place}]", line) for place, step in enumerate(value))


def _step(value: object, name: str, line: int) -> MotifStep:
    step = fields.mapping(value, name, line)
    number, box, point = step.get("object"), step.get("box"), step.get("point")
    return MotifStep(
        fields.text(fields.required_in(step, "action", name, line), f"{name}.action", line),
        None if number is None else fields.whole(number, f"{name}.object", line),
        None if box is None else _box(box, f"{name}.box", line),
        None if point is None else fields.numbers(point, 2, f"{name}.point", line),
    )


def _box(value: object, name: str, line: int) -> Place:
    box = fields.numbers(value, 4, name, line)
    if box[2] < box[0] or box[3] < box[1]:
        raise fields.bad_field(line, name, f"must be [left, top, right, bottom], not {fields.quoted_value(value)}")
    return box
