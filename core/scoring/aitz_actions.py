"""Domain actions as AitZ writes them, so that one rule judges records and evaluations.

Sources: click, type, scroll, press, stop are AitZ's own, and the direction of a scroll is the finger's (code). Ours:
long press and double tap count as clicks; a predicted target's box is the predicted box; kinds that AitZ lacks keep
their names and match by them.
"""

from __future__ import annotations

from stepscope.core.domain.action import Action, DoubleTap, Drag, Finish, LongPress, PressKey, Scroll, Swipe, Tap, Type
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box, Direction, Point
from stepscope.core.scoring.aitw_actions import boxes_of
from stepscope.core.scoring.aitz_match import CLICK, GRID, PRESS, SCROLL, STOP, TYPE, AitzAction, Edges, Place

OWN_KINDS = ("select", "hover", "open_app", "wait", "ask", "say")
"""Kinds that AitZ lacks (ours)."""

_VERTICAL = 0.9
"""A swipe is vertical when it goes at least this share of its horizontal way up or down, in fractions (code)."""


def encode(action: Action) -> AitzAction:
    """The action in AitZ's words; places on the grid of their own screenshot."""
    match action:
        case Tap() | LongPress() | DoubleTap():
            box = action.target.box if action.target else None
            return AitzAction(CLICK, _place(action.point) if action.point else None, _edges(box) if box else None)
        case Swipe() | Drag():
            return AitzAction(SCROLL, detail=_direction(action.point, action.to))
        case Scroll():
            return AitzAction(SCROLL, detail=action.direction.opposite)
        case Type():
            return AitzAction(TYPE, detail=action.text)
        case PressKey():
            return AitzAction(PRESS, detail=key_name(action.key))
        case Finish():
            return AitzAction(STOP)
        case _:
            return AitzAction(action.kind)


def key_name(key: str) -> str:
    """Case and spaces around it do not tell keys apart (ours)."""
    return key.strip().lower()


def grid_boxes(observation: Observation) -> list[float]:
    """The numbers of all UI boxes in a row: those that `aitw` takes."""
    return [
        edge * GRID for top, left, height, width in boxes_of(observation)
        for edge in (left, top, left + width, top + height)
    ]  # fmt: skip


def _direction(start: Point, end: Point) -> str:
    """The finger's way (code); no way at all is down."""
    (x, y), (to_x, to_y) = start.fraction, end.fraction
    if abs(to_y - y) >= _VERTICAL * abs(to_x - x):
        return Direction.UP if to_y < y else Direction.DOWN
    return Direction.LEFT if to_x < x else Direction.RIGHT


def _place(point: Point) -> Place:
    x, y = point.fraction
    return x * GRID, y * GRID


def _edges(box: Box) -> Edges:
    width, height = box.size.width / GRID, box.size.height / GRID
    return box.left / width, box.top / height, box.right / width, box.bottom / height
