"""What is to be drawn over a step: its reference action, the runs' predictions, the tolerance, the UI tree.

Pure: values in, marks out. Knows neither colours nor pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Type,
    Wait,
    action_point,
    action_target,
)
from stepscope.core.domain.affordance import Affordance, AffordanceAnswer, told_by
from stepscope.core.domain.element_search import ElementFilter
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Box, Direction, Point, Region, Size
from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer, Layers, run_layer
from stepscope.core.domain.mark import (
    AffordanceMark,
    ArrowKind,
    ArrowMark,
    AttachedMark,
    AttentionHeat,
    AttentionMark,
    BoxMark,
    BubbleKind,
    BubbleMark,
    CandidateMark,
    ChangeMark,
    EvidenceMark,
    FlagMark,
    LabelMark,
    Mark,
    MarkVerdict,
    MissLine,
    NumberMark,
    PillKind,
    PillMark,
    PointMark,
    RegionMark,
    TreeMark,
)
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    Candidate,
    Evidence,
    FeasibilityAnswer,
    GoalAnswer,
    Prediction,
)
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.affordances import affordance_marks

PASSWORD_DOTS = "●" * 8
"""Shown for a typed password, whatever its length."""
SCROLL_SHARE = 0.25
"""Length of a scroll arrow as a share of the screen along it (ours: a scroll has no length of its own)."""
TYPED_LIMIT = 60
"""Characters of typed text that a pill shows."""
MOST_CANDIDATES = 9
"""The best of a run's candidates that are numbered (ours: more would cover the screen)."""


@dataclass(frozen=True, slots=True)
class RunMarks:
    """One run's answer on a step, or on the whole episode. `index` 0 is run A; `score` None: not judged. `attention` is
    where its model looked, as far as it is to be drawn."""

    index: int
    prediction: Prediction
    score: Score | None = None
    attention: tuple[AttentionHeat | AttentionMark, ...] = ()

    @property
    def verdict(self) -> MarkVerdict:
        if self.score is None or self.score.status is not ScoreStatus.SCORED:
            return MarkVerdict.UNSCORED
        return MarkVerdict.HIT if self.score.right else MarkVerdict.MISS


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements that have boxes, labels and numbers: those of `tree` (None: the step's own), boxes only those that
    `shown` lets through. `changes` are marks of what is other than on the step before. `told` are the kinds of action
    that the tree declares of its elements, None: as its origin says."""

    tree: UITree | None = None
    shown: ElementFilter = ElementFilter.ALL
    changes: Sequence[ChangeMark] = ()
    told: Sequence[Affordance] | None = None


OWN_ELEMENTS = Elements()


def build_marks(
    step: Step,
    runs: Sequence[RunMarks],
    region: Region | None = None,
    layers: Layers = DEFAULT_LAYERS,
    *,
    lit: Evidence | None = None,
    elements: Elements = OWN_ELEMENTS,
) -> tuple[Mark, ...]:
    """Marks of a step in drawing order, all in pixels of its observation.

    Below: attached pictures (all that the predictions bring), heat of attention, tree, changes, tolerance, target,
    element labels and numbers; then elements of attention, what elements allow, evidence (`lit` stands out) and
    candidates, lines, the reference, the runs. Where a run has candidates, they have the numbers instead of the
    elements.
    """
    shown = [run for run in runs if run_layer(run.index) in layers]
    numbered = [mark for run in shown for mark in _candidate_marks(step, run)] if Layer.NUMBERS in layers else []
    marks: list[Mark] = []
    if Layer.SALIENCY in layers:
        marks += [mark for run in shown for mark in _attached_marks(step, run)]
    looked = [mark for run in shown for mark in run.attention] if Layer.ATTENTION in layers else []
    marks += [mark for mark in looked if isinstance(mark, AttentionHeat)]
    marks += _ground(step, region, layers.without(Layer.NUMBERS) if numbered else layers, elements)
    marks += [mark for mark in looked if isinstance(mark, AttentionMark)]
    if Layer.AFFORDANCE in layers:
        marks += [mark for run in shown for mark in _allowed_marks(step, run, elements.told)]
    if Layer.EVIDENCE in layers:
        marks += [mark for run in shown for mark in _evidence_marks(step, run, lit)]
    marks += numbered
    marks += [line for run in shown for line in _miss_line(step, run)]
    if step.action is not None and Layer.REFERENCE in layers:
        marks += _action_marks(step, step.action, Layer.REFERENCE, MarkVerdict.NONE)
    for run in shown:
        marks += _run_marks(step, run)
    return tuple(marks)


def distance_text(start: Point, end: Point) -> str:
    """How far two points are apart, in shares of the screen: "0.47 away", "0.084 away"."""
    distance = start.distance_in_fractions(end)
    return f"{distance:.2f} away" if distance >= 0.1 else f"{distance:.2g} away"


def bounds_of(marks: Iterable[Mark]) -> Box | None:
    """The box, in pixels, around what the actions' marks touch (not tree, tolerance and words); None for none."""
    points: list[Point] = []
    for mark in marks:
        if isinstance(mark, PointMark):
            points.append(mark.point)
        elif isinstance(mark, (ArrowMark, MissLine)):
            points += (mark.start, mark.end)
        elif isinstance(mark, BoxMark):
            box = mark.box
            points += (Point(box.left, box.top, box.size), Point(box.right, box.bottom, box.size))
    if not points:
        return None
    xs, ys = [point.x for point in points], [point.y for point in points]
    return Box(min(xs), min(ys), max(xs), max(ys), points[0].size)


def _attached_marks(step: Step, run: RunMarks) -> Iterator[AttachedMark]:
    """The pictures that the run's answer brings for this step; one without a box covers the whole screen."""
    size = step.observation.size
    for one in run.prediction.pictures_at(step.index):
        box = Box(0, 0, size.width, size.height, size) if one.box is None else one.box.rescaled(size)
        if box.area > 0:
            yield AttachedMark(run.index, one, box)


def _ground(step: Step, region: Region | None, layers: Layers, elements: Elements) -> Iterator[Mark]:
    """What lies under the actions' marks."""
    tree, size = elements.tree or step.observation.tree, step.observation.size
    if tree is not None and Layer.TREE in layers:
        lets_through = elements.shown.lets_through
        boxes = (_clipped(element, size) for element in tree if element.visible and lets_through(element))
        yield TreeMark(tuple(box for box in boxes if box is not None))
    if Layer.DIFF in layers:
        yield from elements.changes
    if region is not None and region.shapes and Layer.TOLERANCE in layers:
        yield RegionMark(region)
    if Layer.TARGET in layers and step.action is not None and (box := _target_box(step, step.action)) is not None:
        yield BoxMark(box)
    if tree is not None and (Layer.LABELS in layers or Layer.NUMBERS in layers):
        yield from _element_marks(tree, size, layers)


def _clipped(element: UIElement, size: Size) -> Box | None:
    return element.box.rescaled(size).clipped()


def _element_marks(tree: UITree, size: Size, layers: Layers) -> Iterator[Mark]:
    wanted = {e.index: e for e in tree.leaves} | {e.index: e for e in tree if e.visible and e.clickable}
    boxes = [(element, _clipped(element, size)) for _, element in sorted(wanted.items())]
    seen = [(element, box) for element, box in boxes if box is not None]
    if Layer.LABELS in layers:
        yield from (LabelMark(" ".join(e.label.split()), box) for e, box in seen if e.label)
    if Layer.NUMBERS in layers:
        usable = [box for e, box in seen if e.clickable or e.editable]
        yield from (NumberMark(number, box) for number, box in enumerate(usable, 1))


def _target_box(step: Step, action: Action) -> Box | None:
    """The box of the element that the action is on: as recorded, else found in the UI tree."""
    target = action_target(action)
    if target is not None and target.box is not None:
        return target.box.rescaled(step.observation.size).clipped()
    element = _element(step, action)
    return _clipped(element, step.observation.size) if element else None


def _element(step: Step, action: Action) -> UIElement | None:
    """The element of the UI tree that the action is on; text without a place goes to the focused element."""
    tree = step.observation.tree
    if tree is None:
        return None
    target, point = action_target(action), action_point(action)
    if target is not None and target.box is not None:
        box = target.box.rescaled(tree.size)
        same = [element for element in tree if element.visible and element.box == box]
        return same[-1] if same else tree.target_at(box.centre)
    if point is not None:
        return tree.target_at(point)
    if isinstance(action, (Type, Select)):
        return next((element for element in tree if element.focused and element.visible), None)
    return None


def _allowed_marks(step: Step, run: RunMarks, told: Sequence[Affordance] | None) -> Iterator[AffordanceMark]:
    tree = step.observation.tree
    if isinstance(run.prediction.answer, AffordanceAnswer) and tree is not None:
        declared = told_by(tree) if told is None else told
        yield from affordance_marks(tree, step.observation.size, run.index, run.prediction.answer, declared)


def _evidence_marks(step: Step, run: RunMarks, lit: Evidence | None) -> Iterator[EvidenceMark]:
    """What on this screen spoke for the run's answer; something without a box is the whole screen."""
    answer, size = run.prediction.answer, step.observation.size
    if not isinstance(answer, FeasibilityAnswer):
        return
    heaviest = max((abs(one.weight) for one in answer.evidence), default=0.0) or 1.0
    for one in answer.evidence:
        if one.step == step.index:
            box = (one.box.rescaled(size) if one.box else Box(0, 0, size.width, size.height, size)).clipped()
            if box is not None:
                yield EvidenceMark(run.index, box, abs(one.weight) / heaviest, evidence_text(one), one == lit)


def evidence_text(one: Evidence) -> str:
    """What spoke for the answer, and how much: "Log in, weight 0.21"."""
    words = " ".join(one.text.split()) or ("an element without words" if one.box else "the whole screen")
    return f"{_shortened(words)}, weight {one.weight:.2f}"


def _candidate_marks(step: Step, run: RunMarks) -> Iterator[CandidateMark]:
    answer = run.prediction.answer
    candidates = answer.candidates if isinstance(answer, ActionAnswer) else ()
    for number, candidate in enumerate(candidates[:MOST_CANDIDATES], 1):
        box = _candidate_box(step, candidate)
        if box is not None:
            words = f"{number}: {candidate.action.kind.replace('_', ' ')}, {candidate.score:.2f}"
            yield CandidateMark(run.index, number, box, words, candidate.score)


def _candidate_box(step: Step, candidate: Candidate) -> Box | None:
    """The box of the candidate's element, else its bare point; None for an action without a place."""
    box = _target_box(step, candidate.action)
    point = action_point(candidate.action)
    if box is not None or point is None:
        return box
    point = point.rescaled(step.observation.size)
    return Box(point.x, point.y, point.x, point.y, step.observation.size)


def _miss_line(step: Step, run: RunMarks) -> Iterator[MissLine]:
    action = run.prediction.action
    if run.verdict is not MarkVerdict.MISS or action is None or step.action is None:
        return
    start, end = action_point(action), action_point(step.action)
    if start is None or end is None:
        return
    size = step.observation.size
    start, end = start.rescaled(size), end.rescaled(size)
    if start != end:
        yield MissLine(run_layer(run.index), start, end, distance_text(start, end))


def _run_marks(step: Step, run: RunMarks) -> Iterator[Mark]:
    layer, answer = run_layer(run.index), run.prediction.answer
    if answer is None:
        yield PillMark(layer, PillKind.MALFORMED, run.prediction.status.value, None, run.verdict)
    elif isinstance(answer, AskAnswer):
        if answer.question is not None:
            yield BubbleMark(layer, BubbleKind.ASK, answer.question, run.verdict)
        if answer.action is not None:  # the verdict is about asking
            yield from _action_marks(step, answer.action, layer, MarkVerdict.UNSCORED)
    elif isinstance(answer, FeasibilityAnswer):
        yield PillMark(layer, PillKind.GUESS, feasibility_words(answer, step.index), None, run.verdict)
    elif isinstance(answer, GoalAnswer):
        yield BubbleMark(layer, BubbleKind.SAY, " ".join(answer.text.split()), run.verdict)
    elif run.prediction.action is not None:
        yield from _action_marks(step, run.prediction.action, layer, run.verdict)


def feasibility_words(answer: FeasibilityAnswer, step: int) -> str:
    """The guess as it was after this step: "infeasible, P(infeasible) 0.83", or "P(infeasible) 0.21 so far" before the
    last one that the model looked at."""
    if step < len(answer.curve) - 1:
        return f"P(infeasible) {answer.curve[step]:.2f} so far"
    return answer.label.value if answer.score is None else f"{answer.label.value}, P(infeasible) {answer.score:.2f}"


def _action_marks(step: Step, action: Action, layer: Layer, verdict: MarkVerdict) -> Iterator[Mark]:
    size = step.observation.size
    match action:
        case Swipe() | Drag():
            kind = ArrowKind.DRAG if isinstance(action, Drag) else ArrowKind.SWIPE
            start = action.point.rescaled(size)
            yield ArrowMark(layer, kind, start, action.to.rescaled(size), verdict)
            yield PointMark(layer, start, verdict)
        case Scroll():
            yield from _scroll_marks(action, size, layer, verdict)
        case Type() | Select():
            yield from _text_marks(step, action, layer, verdict)
        case PressKey(key=key):
            yield PillMark(layer, PillKind.KEY, key, None, verdict)
        case OpenApp(text=name):
            yield PillMark(layer, PillKind.APP, name, None, verdict)
        case Wait():
            yield PillMark(layer, PillKind.WAIT, "wait", None, verdict)
        case AskUser(text=text):
            yield BubbleMark(layer, BubbleKind.ASK, text, verdict)
        case Say(text=text):
            yield BubbleMark(layer, BubbleKind.SAY, text, verdict)
        case Finish(status=status):
            yield FlagMark(layer, status, verdict)
        case _:
            double = isinstance(action, (LongPress, DoubleTap))
            if action.point is not None:
                yield PointMark(layer, action.point.rescaled(size), verdict, double)
            elif action.target is not None:
                words = f"{action.kind.replace('_', ' ')} {action.target.text or action.target.id or ''}"
                yield PillMark(layer, PillKind.ELEMENT, words.strip(), None, verdict)


def _scroll_marks(action: Scroll, size: Size, layer: Layer, verdict: MarkVerdict) -> Iterator[Mark]:
    """An arrow through the scroll's point (else its target's or the screen's centre), and the direction in words."""
    middle = action.point or (action.target.box.centre if action.target and action.target.box else None)
    middle = middle.rescaled(size) if middle else Point.from_fraction(0.5, 0.5, size)
    dx, dy = {
        Direction.UP: (0.0, -1.0),
        Direction.DOWN: (0.0, 1.0),
        Direction.LEFT: (-1.0, 0.0),
        Direction.RIGHT: (1.0, 0.0),
    }[action.direction]
    reach_x, reach_y = dx * size.width * SCROLL_SHARE / 2, dy * size.height * SCROLL_SHARE / 2
    start = Point(middle.x - reach_x, middle.y - reach_y, size)
    yield ArrowMark(layer, ArrowKind.SCROLL, start, Point(middle.x + reach_x, middle.y + reach_y, size), verdict)
    yield PointMark(layer, middle, verdict)
    words = f"scroll {action.direction.value}"
    yield PillMark(layer, PillKind.SCROLL, words, None, verdict)


def _text_marks(step: Step, action: Type | Select, layer: Layer, verdict: MarkVerdict) -> Iterator[Mark]:
    size = step.observation.size
    element = _element(step, action)
    kind = PillKind.TYPED if isinstance(action, Type) else PillKind.CHOSEN
    secret = kind is PillKind.TYPED and element is not None and element.password
    text = PASSWORD_DOTS if secret else f"“{_shortened(action.text)}”"
    box = _target_box(step, action)
    if action.point is not None:
        point = action.point.rescaled(size)
        yield PointMark(layer, point, verdict)
        box = box or Box(point.x, point.y, point.x, point.y, size)
    yield PillMark(layer, kind, text, box, verdict)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= TYPED_LIMIT else line[: TYPED_LIMIT - 1] + "…"
