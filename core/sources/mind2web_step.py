"""An action of Mind2Web as a step, the same in all releases: operation, candidates, cleaned HTML.

`op` (CLICK, TYPE, SELECT) is what is scored. `original_op` also says HOVER and ENTER, which the release maps to CLICK:
a hover is kept as one, since it keeps its element; an ENTER is the tap on its field that `op` says, since a key press
has no element to be scored by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from stepscope.core.domain.action import Action, Hover, PressKey, Select, Tap, Target, Type
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Observation, Picture, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.frozen import dataclass
from stepscope.core.json_bounds import bounded_loads
from stepscope.core.sources.files import mapping_of, shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.mind2web_page import (
    Mind2WebCandidate,
    candidates_of,
    chosen_of,
    page_size,
    page_tree,
    words_of,
)
from stepscope.core.sources.tree_builder import Placement

_KINDS = {"CLICK": "tap", "TYPE": "type", "SELECT": "select", "HOVER": "hover", "ENTER": "press_key"}


@dataclass(frozen=True, slots=True)
class Operation:
    """`kind` is that of our actions, "" for an operation that is not known; `word` is what the data calls it."""

    kind: str
    word: str
    value: str


def operation_of(value: object) -> Operation:
    """An operation that is an object or its JSON text."""
    if isinstance(value, str):
        try:
            value = bounded_loads(value)
        except (ValueError, RecursionError):
            value = None
    form = mapping_of(value)
    op, original = text_of(form.get("op")).upper(), text_of(form.get("original_op")).upper()
    word = original if not op or (op == "CLICK" and original == "HOVER") else op
    return Operation(_KINDS.get(word, ""), word, text_of(form.get("value")))


def action_counts(operations: Iterable[Operation]) -> tuple[tuple[str, int], ...]:
    """Actions by kind for an index row, in order of first appearance."""
    return tuple(Counter(operation.kind for operation in operations if operation.kind).items())


@dataclass(frozen=True, slots=True)
class StepFrame:
    """The frame in which a step is seen: its picture, None where there is none, and how far down the page the picture
    begins.

    `size` is that of the page where the data tells it without a picture.
    """

    picture: Picture | None = None
    size: Size | None = None
    top: float = 0.0


NO_FRAME = StepFrame()


def step_of(index: int, record: Mapping[str, Any], frame: StepFrame, findings: Findings) -> Step:
    """The step of one action's record."""
    slips: list[str] = []
    candidates = candidates_of(record, slips)
    size = frame.picture.size if frame.picture else frame.size or page_size(candidates)
    placement = Placement(size, shift_y=-frame.top)
    reading = page_tree(candidates, record.get("cleaned_html"), placement)
    for slip, times in Counter(slips).items():
        findings.add(slip if times == 1 else f"{slip} ({times} times)", step=index, field="candidates")
    notes = [note for note in reading.notes if candidates or note != "no elements in it"]
    tree = findings.tree(reading.tree if candidates else None, notes, step=index)
    target = _target(chosen_of(candidates), tree, placement)
    action = _action(operation_of(record.get("operation")), target, index, findings)
    return Step(index, Observation(size, frame.picture, tree), action)


def _target(chosen: Mind2WebCandidate | None, tree: UITree | None, placement: Placement) -> Target | None:
    """The labelled element; None where cleaning the page lost it, which is no error of the data."""
    if chosen is None:
        return None
    box = None
    if chosen.rect is not None:
        x, y, width, height = chosen.rect
        box = placement.box(x, y, x + width, y + height)
    return Target(box, words_of(tree, chosen.id) or chosen.named, chosen.id)


def _action(operation: Operation, target: Target | None, index: int, findings: Findings) -> Action | None:
    """The action at the middle of its target: where in it the pointer was is not recorded."""
    box: Box | None = target.box if target else None
    point: Point | None = box.centre if box else None
    match operation.kind:
        case "tap":
            return Tap(point, target)
        case "hover":
            return Hover(point, target)
        case "type":
            return Type(operation.value, point, target)
        case "select":
            return Select(operation.value, point, target)
        case "press_key":
            return PressKey("enter")
        case _:
            told = f"the operation {shortened(operation.word)!r} is not known" if operation.word else "no operation"
            findings.add(told, step=index, field="operation")
            return None
