"""Domain actions as Android in the Wild writes them, so that one rule judges records and evaluations.

Sources: types 3, 4, 5, 6, 7, 10, 11 are AitW's own (code). Ours: long press and double tap count as taps; a scroll is a
finger's way against the scroll direction; kinds that AitW lacks have codes from 100 on, equal for equal kinds.
"""

from __future__ import annotations

import zlib

from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Drag,
    Finish,
    FinishStatus,
    Key,
    LongPress,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Type,
    action_text,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.scoring.aitw_match import DUAL_POINT, AitwAction, Place

TYPE_TEXT = 3
PRESS = {Key.BACK: 5, Key.HOME: 6, Key.ENTER: 7}
FINISH = {FinishStatus.COMPLETE: 10, FinishStatus.IMPOSSIBLE: 11}
OWN_KINDS = {"select": 100, "hover": 101, "open_app": 102, "wait": 103, "ask": 104, "say": 105}
"""Kinds that AitW lacks (ours)."""
OWN_KEYS = 1000
"""Codes of other keys start here; a key's code is this plus the CRC-32 of its name (ours)."""

SCROLL_LENGTH = 1 / 3
"""Way of the finger for a scroll without a gesture, in fractions of the screen (ours); the rule reads its axis only."""

LARGEST = 0.1
"""Largest share of the screen that a text or icon of a UI tree covers (ours)."""

_FINGER: dict[Direction, Place] = {
    Direction.DOWN: (-SCROLL_LENGTH, 0.0),
    Direction.UP: (SCROLL_LENGTH, 0.0),
    Direction.RIGHT: (0.0, -SCROLL_LENGTH),
    Direction.LEFT: (0.0, SCROLL_LENGTH),
}
_CENTRE: Place = (0.5, 0.5)

_TYPE_NAMES = {
    TYPE_TEXT: "type",
    **{code: f"press_key {key}" for key, code in PRESS.items()},
    **{code: f"finish {status}" for status, code in FINISH.items()},
}


def encode(action: Action) -> AitwAction:
    """The action with AitW's type, places as (y, x) in fractions of their own screenshot."""
    match action:
        case Tap() | LongPress() | DoubleTap() if action.point is not None:
            place = _place(action.point)
            return AitwAction(DUAL_POINT, place, place)
        case Swipe() | Drag():
            return AitwAction(DUAL_POINT, _place(action.point), _place(action.to))
        case Scroll():
            y, x = _place(action.point) if action.point else _CENTRE
            dy, dx = _FINGER[action.direction]
            return AitwAction(DUAL_POINT, (y, x), (y + dy, x + dx))
        case Type():
            return AitwAction(TYPE_TEXT, text=action.text)
        case PressKey():
            return AitwAction(_key_code(action.key))
        case Finish():
            return AitwAction(FINISH[action.status])
        case _:
            return AitwAction(OWN_KINDS[action.kind], text=action_text(action) or "")


def is_placeless(action: Action) -> bool:
    """Whether it is a tap on an element whose place nobody knows: AitW's rule cannot speak of it."""
    return isinstance(action, (Tap, LongPress, DoubleTap)) and action.point is None


def boxes_of(observation: Observation) -> list[tuple[float, ...]]:
    """Boxes of texts and icons as (y, x, height, width) in fractions, cut to the screen.

    A detector's or OCR's boxes are AitW's own and all count. In any other UI tree the leaves that such a detector would
    find stand in for them (ours): those with words, a class of a picture, or something to press, and at most LARGEST of
    the screen. Without that bound a background that fills the screen would make every tap right.
    """
    tree = observation.tree
    if tree is None:
        return []
    detected = tree.origin in (TreeOrigin.DETECTOR, TreeOrigin.OCR)
    leaves = tree.leaves if detected else [leaf for leaf in tree.leaves if _is_text_or_icon(leaf, tree.size)]
    width, height = tree.size.width, tree.size.height
    shapes = (leaf.box.rescaled(tree.size).clipped() for leaf in leaves)
    return [(s.top / height, s.left / width, s.height / height, s.width / width) for s in shapes if s]


def _is_text_or_icon(leaf: UIElement, screen: Size) -> bool:
    shows = leaf.text or leaf.content_description or "Image" in leaf.short_class or "Icon" in leaf.short_class
    works = leaf.clickable or leaf.long_clickable or leaf.checkable or leaf.editable
    return bool(shows or works) and leaf.box.area <= LARGEST * screen.width * screen.height


def type_name(code: int) -> str:
    """An AitW type other than 4 in the words of the workbench."""
    return _TYPE_NAMES.get(code, f"type {code}")


def _place(point: Point) -> Place:
    x, y = point.fraction
    return y, x


def _key_code(key: str) -> int:
    name = key.strip().lower()
    known = PRESS.get(Key(name)) if name in list(Key) else None
    return known or OWN_KEYS + zlib.crc32(name.encode())
