"""What Android in the Wild and the sets made of it share: action numbers, gestures in fractions, boxes, the last word.

Touch and lift are (y, x) in fractions of the screen, (-1, -1) where there is no gesture; boxes are (y, x, height,
width). Facts: Rawles et al., arXiv:2307.10088, and its released `action_type.py` and `action_matching.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from stepscope.core.domain.action import Action, Finish, FinishStatus, Key, PressKey, Swipe, Tap, Type
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.tree_builder import target_at

TAP_DISTANCE = 0.04
"""Touch and lift at most this far apart, in fractions, are a tap (AITW's released action matching)."""

TYPE, DUAL_POINT, PRESS_BACK, PRESS_HOME, PRESS_ENTER, COMPLETE, IMPOSSIBLE = 3, 4, 5, 6, 7, 10, 11
"""AITW's action numbers; the others are not used."""

_KEYS = {PRESS_BACK: Key.BACK, PRESS_HOME: Key.HOME, PRESS_ENTER: Key.ENTER}
_ENDS = {COMPLETE: FinishStatus.COMPLETE, IMPOSSIBLE: FinishStatus.IMPOSSIBLE}

_BEYOND = 0.05
"""A gesture may begin or end this far outside the screen, in fractions (ours)."""

_LAST_STEP = 10_000
"""A larger step_id is a broken number: the longest episodes have some 100 steps (ours)."""

Place = tuple[float, float]
"""(x, y) in fractions of the screen."""

Record = TypeVar("Record")


def place_of(y: float, x: float, field: str) -> Place:
    """A recorded (y, x) as (x, y); ValueError where it is not on the screen, as (-1, -1) is not."""
    if not (-_BEYOND <= x <= 1 + _BEYOND and -_BEYOND <= y <= 1 + _BEYOND):
        raise ValueError(f"{field} [{y:g}, {x:g}] is not on the screen")
    return x, y


def is_gesture(kind: int) -> bool:
    """Whether the action number stands for a touch and a lift."""
    return kind == DUAL_POINT


def action_without_place(kind: int, text: str) -> Action:
    """The action of a number that stands for no gesture; `text` is what was typed. ValueError for unused numbers."""
    if kind == TYPE:
        return Type(text)
    if kind in _KEYS:
        return PressKey(_KEYS[kind])
    if kind in _ENDS:
        return Finish(_ENDS[kind])
    raise ValueError(f"action type {kind} is not one that AITW uses")


def gesture(touch: Place, lift: Place, size: Size, tree: UITree | None) -> Action:
    """A tap where touch and lift lie close together, else a swipe, in pixels of a picture of `size`."""
    start, end = Point.from_fraction(*touch, size), Point.from_fraction(*lift, size)
    if math.dist(touch, lift) <= TAP_DISTANCE:
        return Tap(start, target_at(tree, start))
    return Swipe(start, end, target_at(tree, start))


def edges(y: float, x: float, height: float, width: float) -> list[float]:
    """(y, x, height, width) as [left, top, right, bottom]."""
    return [x, y, x + width, y + height]


def feasibility_of(steps: Sequence[Step]) -> Feasibility:
    """The annotator's last word: complete means feasible, impossible infeasible; no last word, no label."""
    last = steps[-1].action
    if not isinstance(last, Finish):
        return Feasibility()
    if last.status is FinishStatus.IMPOSSIBLE:
        return Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.IMPOSSIBLE)
    return Feasibility(FeasibilityLabel.FEASIBLE)


def in_order(
    records: Sequence[Record], ids: Sequence[object], length: object, findings: Findings, file: Path | str = ""
) -> list[tuple[int, Record]]:
    """Steps by their `step_id`, which is their number: a missing one leaves a gap, so that the others keep theirs.

    As they stand where one lacks it, counted where two have the same. Gaps, doubles and a wrong length are findings.
    """
    numbered = [number for number in ids if type(number) is int]
    if len(numbered) < len(records):
        findings.add("a step has no step_id: the steps are taken as they stand", field="step_id", file=file)
        return list(enumerate(records))
    ordered = sorted(zip(numbered, records, strict=True), key=lambda pair: pair[0])
    numbers = [number for number, _ in ordered]
    if numbers != list(range(len(numbers))):
        findings.add("the step_ids are not 0, 1, 2, …: steps are missing or double", field="step_id", file=file)
    if type(length) is int and length != len(records):
        findings.add(f"episode_length says {length}, there are {len(records)} steps", field="step_id", file=file)
    if len(set(numbers)) < len(numbers) or not all(0 <= number <= _LAST_STEP for number in numbers):
        return list(enumerate(record for _, record in ordered))
    return ordered
