"""The `android_control` protocol: four rules in use for steps of AndroidControl and released scorers as they are, for
record files and for evaluations.

Rules and their sources: `android_control_match` (code), `android_control_released` (code, with its oddities),
`android_control_actions` (ours where the rules are silent), docs/protocols/android_control.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stepscope.core.domain.action import DoubleTap, Hover, LongPress, Tap
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Box, Ellipse, Point, Region, Shape, Size, smallest_shape
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score
from stepscope.core.scoring.android_control_actions import encode, screen_of
from stepscope.core.scoring.android_control_match import (
    ENLARGED,
    F1_LIMIT,
    NEAR_LIMIT,
    NEAREST,
    PLACED,
    RADIUS,
    RADIUS_LIMIT,
    RULE_NAMES,
    SMALLEST,
    BoolArray,
    ComparedAction,
    FloatArray,
    ScreenMeasures,
    Taps,
    candidates_around,
    compare,
    enlarged,
    measure,
    named,
    nearest_boxes,
    smallest_around,
)
from stepscope.core.scoring.android_control_records import (
    NO_PLACE,
    AndroidControlRecords,
    RuleColumns,
    judged_by,
    pair_of,
    read_sheet,
    released_by,
)
from stepscope.core.scoring.android_control_released import (
    AGENTCPM,
    GENESIS_LIMIT,
    GUI_R1,
    INFIGUI,
    OS_ATLAS,
    OS_GENESIS,
    QWEN,
    RELEASED,
    UI_S1,
    grid_place,
    infigui_size,
)
from stepscope.core.scoring.grouping import STEP_METRICS, numbered, step_tally, widened_sums
from stepscope.core.scoring.names import digits_beside
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import (
    FINISHES,
    LAST_SCREEN,
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
    "grounding_accuracy": ratio(6, 7),
    "partial_match": STEP_METRICS["partial_match"],
    "complete_match": STEP_METRICS["complete_match"],
}
"""Columns: those of `episode_sums`, then steps of the right kind, of these those tapped right, of these all taps."""

INFO = ProtocolInfo(
    name="android_control",
    title="AndroidControl step matching",
    task=Task.AUTOMATION,
    version="2",
    source="AndroidControl (Li et al. 2024) has no official evaluator: UGround's, Qwen2.5-VL's, AgentCPM-GUI's, "
    "OS-Atlas's, InfiGUI-R1's, UI-S1's, GUI-R1's, OS-Genesis's",
    options=(
        Option("rule", SMALLEST, "which of the four rules decides, or which released scorer as it is; details and "
               "by_rule show all four", "code", (*RULE_NAMES, *RELEASED)),
        Option(LAST_SCREEN, "skip", "whether an evaluation asks about the screen that an episode ends on, where "
               "nothing was done on it: finishing is right there, as in AgentCPM-GUI's data", "code",
               ("skip", FINISHES), of_run=True),
    ),
    metrics=tuple(_METRICS),
    unit="episode",
    main="step_accuracy",
    rules=(
        Rule("smallest_box (UGround): a tap is right inside the smallest box around the reference point, edges "
             "included, the first of equal ones; texts must be equal.", "code"),
        Rule("smallest_box: a tap and open_app match when the tapped node names the app, a tap and the back key when "
             "it says back; case aside.", "code"),
        Rule("enlarged_box (Qwen2.5-VL): a tap is right inside a candidate box, 1.2 times as large, or at most 0.04 of "
             "the screen's longer side off; one text is part of the other, case and outer spaces aside.", "code"),
        Rule("nearest5 (AgentCPM-GUI): a tap is right inside one of the five boxes nearest by centre, 1.2 times as "
             "large, or at most 0.04 off in fractions of the screen; texts as under enlarged_box.", "code"),
        Rule("radius14 (OS-Atlas): a tap is right at most 0.14 off in fractions of the screen; texts are equal or "
             "share words with an F1 above 0.5.", "code"),
        Rule("os_atlas, agentcpm, qwen_vl, infigui_r1, ui_s1, gui_r1, os_genesis: the released scorers as they are, "
             "with their oddities and the kinds of steps that each leaves out.", "code"),
        Rule("os_atlas: 140 of 1000 away at most; of texts only the first word counts. qwen_vl: 1.2 times a candidate "
             "of the data or 0.04 of the screen; infigui_r1: 0.04 of the resized picture's longer side; ui_s1: any "
             "swipe is right.", "code"),
        Rule("agentcpm: a recorded long press is a click, wait and finish are one kind, open_app is not counted. "
             "gui_r1: places and texts count under a wrong kind, waits and keys are not counted. os_genesis: 368.5 px "
             "on any screen.", "code"),
        Rule("Different kinds do not match; a scroll needs its direction, a key its name.", "code"),
        Rule("Swipe, drag and scroll are one kind; finish needs its status, wait, ask and say only their kind. Whole "
             "texts are compared, and the place of typed text is not.", "ours"),
        Rule("Candidates are those of the data, else boxes that hold the reference and cover at most half the screen.",
             "ours"),
        Rule("Without any boxes smallest_box leaves a tap unscored; for the other rules only the distance counts.",
             "ours"),
        Rule("grounding_accuracy: of the taps that were predicted as the right kind, those in the right place.",
             "code"),
        Rule("A null prediction is wrong; a null reference is unscored and left out of its episode.", "ours"),
    ),
)  # fmt: skip

_NO_BOXES = "The data has no boxes, which this rule needs for a tap."
_NAMES_NO_PLACE = "The prediction names no place."


class AndroidControlScorer(RecordScorer, StepScorer):
    """Record scorer and step scorer of `android_control`."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        name = _rule(options)
        sheet = read_sheet(records, name if name in RELEASED else "")
        found = sheet.under(name)
        scored = found.scored
        group, _ = numbered(sheet.episodes)
        tally = _tally(group, scored, found.right, found.same_kind, found.ground)
        n = int(scored.sum())
        null = int((scored & ~sheet.answered).sum())
        flips = _flips(sheet)
        return RecordScores(
            tally=tally,
            n=n,
            unscored=len(scored) - n,
            malformed=null,
            null=null,
            details=LazyDetails(len(scored), lambda row: _detail(sheet, found, flips, name, row)),
            extra={"by_rule": _by_rule(sheet, name, found), "flips": int(flips.sum())},
            counts=_counts(tally, int((scored & found.ground).sum())),
        )

    def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
        if step.action is None:
            return Score.unscored(NO_REFERENCE)
        name = _rule(options)
        size = step.observation.size
        reference, screen = encode(step.action, size), screen_of(step.observation, step.action)
        if name in RELEASED:
            return _released_score(name, reference, screen, prediction, step)
        rule = RULE_NAMES.index(name)
        if not judged_by(reference, screen)[rule]:
            return Score.unscored(NO_PLACE if reference.place is None else _NO_BOXES)
        if prediction.action is None:
            return unusable(prediction, type=0.0)
        answer = encode(prediction.action, size)
        words = compare(reference, answer, screen)
        pair = pair_of(reference, answer, screen)
        if pair is not None:
            taps = measure([pair])
            good = bool(taps.right()[rule, 0])
            why = _why_of_taps(taps, rule, 0)
            return Score.scored(good, why, type=1.0, ground=float(good), distance=float(taps.distance[0]))
        if words.same_kind and reference.kind in PLACED:
            return Score.scored(0, _NAMES_NO_PLACE, type=1.0, ground=0.0)
        good = words.agree[rule]
        why = _why_of_words(good, words.same_kind, words.f1, rule, (named(answer), named(reference)))
        return Score.scored(good, why, type=float(words.same_kind))

    def region(self, step: Step, options: Options) -> Region | None:
        """Where a tap of the reference's kind counts as right; what opens an app or goes back besides is not shown."""
        if not isinstance(step.action, (Tap, LongPress, DoubleTap, Hover)) or step.action.point is None:
            return None
        size = step.observation.size
        point = step.action.point.rescaled(size)
        rule = _rule(options)
        shapes = _shapes(rule, point, screen_of(step.observation, step.action), size)
        return Region(shapes, _REGIONS[rule], smallest_shape(shapes, point)) if shapes else None

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, dict[str, int]]:
        every = np.ones(len(items), dtype=np.bool_)
        ground = ~np.isnan(items.part("ground"))
        tally = _tally(items.unit, every, items.right, items.part("type") == 1.0, ground)
        return tally, _counts(tally, int(ground.sum()))


def _released_score(
    name: str, reference: ComparedAction, screen: ScreenMeasures, prediction: Prediction, step: Step
) -> Score:
    answer = encode(prediction.action, step.observation.size) if prediction.action is not None else None
    found = released_by(name, reference, answer, screen, step.instruction or "")
    if isinstance(found, str):
        return Score.unscored(found)
    same_kind = float(found.same_kind)
    if answer is None:
        return unusable(prediction, type=0.0) if found.ground is None else unusable(prediction, type=0.0, ground=0.0)
    if found.ground is None:
        return Score.scored(found.right, found.why, type=same_kind)
    return Score.scored(found.right, found.why, type=same_kind, ground=float(found.ground))


_NEAR_CANDIDATES = f"inside an enlarged candidate box of the data, or within {NEAR_LIMIT} of"
_REGIONS = {
    SMALLEST: "inside the smallest box around the reference",
    ENLARGED: f"inside an enlarged candidate box, or within {NEAR_LIMIT} of the longer side",
    NEAREST: f"inside one of the five nearest boxes, enlarged, or within {NEAR_LIMIT} of the screen",
    RADIUS: f"within {RADIUS_LIMIT} of the screen",
    OS_ATLAS: f"within {RADIUS_LIMIT} of the screen",
    GUI_R1: f"nearer than {RADIUS_LIMIT} of the screen",
    AGENTCPM: f"inside one of the five nearest boxes, enlarged, or within {NEAR_LIMIT} of the screen",
    QWEN: f"{_NEAR_CANDIDATES} the screen",
    UI_S1: f"{_NEAR_CANDIDATES} the screen",
    INFIGUI: f"{_NEAR_CANDIDATES} the resized picture's longer side",
    OS_GENESIS: f"within {GENESIS_LIMIT:.1f} px",
}


def _rule(options: Options) -> str:
    return str(options["rule"])


def _tally(group: IntArray, scored: BoolArray, right: BoolArray, same_kind: BoolArray, ground: BoolArray) -> Tally:
    """One entry a step; `ground` marks two taps of one kind."""
    plain = step_tally(group, scored, right)
    sums = widened_sums(plain, *(column.astype(np.float64) for column in (same_kind, ground & right, ground)))
    yes_no = {
        **plain.yes_no,
        "type_accuracy": np.where(scored, same_kind, np.nan),
        "grounding_accuracy": np.where(scored & ground, right, np.nan),
    }
    return Tally(sums, _METRICS, plain.unit_of, yes_no=yes_no)


def _counts(tally: Tally, taps: int) -> dict[str, int]:
    return {"grounding_accuracy": taps, "partial_match": tally.units, "complete_match": tally.units}


def _flips(sheet: AndroidControlRecords) -> BoolArray:
    """Steps that some rule finds right and another, which can judge them too, finds wrong."""
    right = (sheet.judged & sheet.right).sum(axis=0)
    flips: BoolArray = (right > 0) & (right < sheet.judged.sum(axis=0))
    return flips


def _by_rule(sheet: AndroidControlRecords, chosen: str, found: RuleColumns) -> dict[str, dict[str, float | int | None]]:
    """The four rules, and the released scorer where that was chosen; GUI-R1's with the two averages that it prints."""
    columns = {name: sheet.under(name) for name in RULE_NAMES} | {chosen: found}
    table: dict[str, dict[str, float | int | None]] = {}
    for name, one in columns.items():
        count = int(one.scored.sum())
        table[name] = {"n": count, "step_accuracy": float(one.right[one.scored].mean()) if count else None}
    if chosen == GUI_R1:
        table[chosen] |= {"all_step": _met(sheet, found, found.scored), "all_gr": _met(sheet, found, found.ground)}
    return table


def _met(sheet: AndroidControlRecords, found: RuleColumns, counted: BoolArray) -> float | None:
    """GUI-R1's averages (`eval_omni.py`, ALL Step and ALL GR): over the kinds of which any step is right, since its
    table has no entry for the others. Its groups are those of its data, here all steps are of one."""
    kinds = np.array([reference.partition(" ")[0] for reference, _answer in sheet.sides])
    right = counted & found.right
    met = counted & np.isin(kinds, kinds[right])
    return float(right.sum() / met.sum()) if met.any() else None


def _detail(
    sheet: AndroidControlRecords, found: RuleColumns, flips: BoolArray, rule: str, row: int
) -> Mapping[str, Any]:
    scored, answered = bool(found.scored[row]), bool(sheet.answered[row])
    good = bool(found.right[row])
    return {
        "record": int(sheet.lines[row]),
        "episode": sheet.episodes[row],
        "step": int(sheet.steps[row]),
        "status": "scored" if scored else "unscored",
        "score": float(good) if scored else None,
        "type": float(found.same_kind[row]) if scored else None,
        "ground": float(good) if scored and found.ground[row] else None,
        "rules": {
            name: float(one.right[row]) if one.scored[row] else None
            for name, one in ({name: sheet.under(name) for name in RULE_NAMES} | {rule: found}).items()
        },
        "flips": bool(flips[row]),
        "malformed": scored and not answered,
        "null": scored and not answered,
        "why": _why(sheet, rule, row),
    }


def _why(sheet: AndroidControlRecords, name: str, row: int) -> str:
    if sheet.released:
        found = sheet.released[row]
        return found if isinstance(found, str) else found.why
    rule = RULE_NAMES.index(name)
    reference, answer = sheet.sides[row]
    if not sheet.judged[rule, row]:
        if not reference:
            return NO_REFERENCE
        return _NO_BOXES if sheet.judged[:, row].any() else NO_PLACE
    if not sheet.answered[row]:
        return NO_PREDICTION
    if sheet.taps.tap[row]:
        return _why_of_taps(sheet.taps, rule, row)
    if sheet.ground[row]:
        return _NAMES_NO_PLACE
    good, same = bool(sheet.right[rule, row]), bool(sheet.same_kind[row])
    return _why_of_words(good, same, float(sheet.f1[row]), rule, (answer, reference))


def _why_of_words(good: bool, same_kind: bool, f1: float, rule: int, names: tuple[str, str]) -> str:
    """`names` are those of prediction and reference."""
    if not same_kind:
        return f"The {names[0]} stands for the {names[1]}." if good else _differ(names)
    if np.isnan(f1):
        return f"Both are {names[1]}." if good else _differ(names)
    if RULE_NAMES[rule] == RADIUS:
        return f"Words shared with F1 {digits_beside(f1, F1_LIMIT)}, needed: more than {F1_LIMIT} or equal texts."
    if RULE_NAMES[rule] == SMALLEST:
        return f"Both are {names[1]}{'.' if good else ', but the text differs.'}"
    return "One text is part of the other." if good else "Neither text is part of the other."


def _differ(names: tuple[str, str]) -> str:
    return f"Action differs: {names[0]}, reference {names[1]}."


def _why_of_taps(taps: Taps, rule: int, row: int) -> str:
    away = digits_beside(float(taps.distance[row]), RADIUS_LIMIT)
    match RULE_NAMES[rule]:
        case "smallest_box":
            if not taps.around[row]:
                return f"{away} away. No box holds the reference point."
            return (
                f"{away} away. {'Inside' if taps.smallest[row] else 'Outside'} the smallest box around the reference."
            )
        case "enlarged_box":
            far = digits_beside(float(taps.far[row]), NEAR_LIMIT)
            beside = "Inside a candidate box." if taps.candidate[row] else "In no candidate box."
            return f"{far} of the longer side away, limit {NEAR_LIMIT}. {beside}"
        case "nearest5":
            beside = "Inside one of the nearest boxes." if taps.nearest[row] else "In none of the nearest boxes."
            return f"{digits_beside(float(taps.distance[row]), NEAR_LIMIT)} away, limit {NEAR_LIMIT}. {beside}"
        case _:
            return f"{away} away, limit {RADIUS_LIMIT}."


def _shapes(rule: str, point: Point, screen: ScreenMeasures, size: Size) -> tuple[Shape, ...]:
    edges = np.array(screen.boxes or ()).reshape(-1, 4)
    owner = np.zeros(len(edges), dtype=np.int64)
    place, extent = np.array([[point.x, point.y]]), np.array([[size.width, size.height]], dtype=np.float64)
    if rule == SMALLEST:
        return _as_boxes(edges[smallest_around(edges, owner, place)], size)
    if rule in (QWEN, UI_S1, INFIGUI):
        return (
            _near_disc(rule, point, size),
            *_as_boxes(enlarged(np.array(screen.candidates or ()).reshape(-1, 4)), size),
        )
    if rule == OS_GENESIS:
        return (Ellipse(point, GENESIS_LIMIT, GENESIS_LIMIT),)
    if rule == ENLARGED:
        given = screen.candidates
        around = edges[candidates_around(edges, owner, place, extent)]
        boxes = enlarged(around if given is None else np.array(given).reshape(-1, 4))
        radius = NEAR_LIMIT * max(size.width, size.height)
        return (Ellipse(point, radius, radius), *_as_boxes(boxes, size))
    if rule in (NEAREST, AGENTCPM):
        near, _ = nearest_boxes(edges, owner, place, extent)
        disc = Ellipse(point, NEAR_LIMIT * size.width, NEAR_LIMIT * size.height)
        return (disc, *_as_boxes(near * np.tile(extent, 2), size))
    if rule == OS_ATLAS:
        point = Point(*grid_place((point.x, point.y), (size.width, size.height)), size)
    return (Ellipse(point, RADIUS_LIMIT * size.width, RADIUS_LIMIT * size.height),)


def _near_disc(rule: str, point: Point, size: Size) -> Ellipse:
    if rule != INFIGUI:
        return Ellipse(point, NEAR_LIMIT * size.width, NEAR_LIMIT * size.height)
    sent = infigui_size(size)
    radius = NEAR_LIMIT * max(sent.width, sent.height)
    return Ellipse(point, radius * size.width / sent.width, radius * size.height / sent.height)


def _as_boxes(edges: FloatArray, size: Size) -> tuple[Box, ...]:
    return tuple(Box(left, top, right, bottom, size) for left, top, right, bottom in edges.tolist())
