"""Domain actions as the four rules for AndroidControl see them.

Sources: kinds must be equal and the direction of a scroll too (code, all four). Ours: swipes and drags count as
scrolls, directions are the finger's; the candidate of `enlarged_box` in an evaluation is the reference's own target.
"""

from __future__ import annotations

from stepscope.core.domain.action import (
    Action,
    Drag,
    Finish,
    PressKey,
    Scroll,
    Swipe,
    action_point,
    action_target,
    action_text,
)
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.scoring.android_control_match import PLACED, ComparedAction, Place, ScreenMeasures

_COMPARED = ("type", "select", "open_app")
"""Kinds whose texts are compared; questions and answers match by kind (ours)."""


def encode(action: Action, size: Size) -> ComparedAction:
    """The action with its place in pixels of a screen of `size`."""
    match action:
        case Swipe() | Drag():
            return ComparedAction("scroll", detail=_direction(action.point, action.to))
        case Scroll():
            return ComparedAction("scroll", detail=action.direction.opposite.value)
        case PressKey():
            return ComparedAction("press_key", detail=action.key.strip().lower())
        case Finish():
            return ComparedAction("finish", detail=action.status.value)
        case _ if action.kind in PLACED:
            return ComparedAction(action.kind, _place(action_point(action), size))
        case _:
            return ComparedAction(action.kind, text=action_text(action) if action.kind in _COMPARED else None)


def screen_of(observation: Observation, reference: Action) -> ScreenMeasures:
    """Boxes and words of the UI tree's visible elements that have an area, in tree order; the reference's target."""
    size = observation.size
    target = action_target(reference)
    box = target.box.rescaled(size) if target and target.box else None
    candidates = (box.left, box.top, box.right, box.bottom) if box else None
    tree = observation.tree
    if tree is None:
        return ScreenMeasures((size.width, size.height), candidates=candidates)
    elements = [element for element in tree if element.visible and element.box.area > 0]
    boxes = [element.box.rescaled(tree.size).rescaled(size) for element in elements]
    return ScreenMeasures(
        (size.width, size.height),
        [edge for box in boxes for edge in (box.left, box.top, box.right, box.bottom)],
        [f"{element.text}\n{element.content_description}" for element in elements],
        candidates,
    )


def _place(point: Point | None, size: Size) -> Place | None:
    if point is None:
        return None
    place = point.rescaled(size)
    return place.x, place.y


def _direction(start: Point, end: Point) -> str:
    """The finger's way along the axis on which it goes farther, in fractions; a tie is vertical, no way at all is up
    (code: enlarged_box)."""
    (x, y), (to_x, to_y) = start.fraction, end.fraction
    if abs(to_x - x) > abs(to_y - y):
        return Direction.RIGHT if to_x > x else Direction.LEFT
    return Direction.DOWN if to_y > y else Direction.UP
