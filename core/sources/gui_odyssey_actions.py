"""The steps of GUI-Odyssey as actions: `action` is the kind, `info` its place, key or text, `sam2_bbox` its target.

The kinds are those of both releases and of the released converter: it calls typing TEXT, the documentation TYPE; the
documentation lists HOME, BACK and IMPOSSIBLE, the data have CLICK with `KEY_HOME` and so on, and INCOMPLETE.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stepscope.core.domain.action import (
    Action,
    Finish,
    FinishStatus,
    Key,
    LongPress,
    PressKey,
    Swipe,
    Tap,
    Target,
    Type,
)
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.sources.files import json_words, shortened, text_of

_SCALE = 1000
"""Places are thousandths of the screenshot's width and height."""
_FARTHEST = 10 * _SCALE
"""A gesture may leave the screen a little; ten screens away is a broken number (ours)."""

_KEYS = {
    "KEY_HOME": Key.HOME,
    "KEY_BACK": Key.BACK,
    "KEY_APPSELECT": Key.RECENTS,
    "KEY_RECENT": Key.RECENTS,
    "HOME": Key.HOME,
    "BACK": Key.BACK,
    "RECENT": Key.RECENTS,
}
_ENDS = {
    "COMPLETE": FinishStatus.COMPLETE,
    "INCOMPLETE": FinishStatus.IMPOSSIBLE,
    "IMPOSSIBLE": FinishStatus.IMPOSSIBLE,
}


def step_action(fields: Mapping[str, Any], size: Size) -> tuple[Action, str]:
    """The step's action in pixels of `size` and a note ("": none) on a target box that could not be used.

    Raises ValueError saying what is wrong with the action.
    """
    kind, info = text_of(fields.get("action")).strip().upper(), fields.get("info")
    if kind in _ENDS:
        return Finish(_ENDS[kind]), ""
    if kind in _KEYS:
        return PressKey(_KEYS[kind]), ""
    if kind in ("TEXT", "TYPE"):
        if not isinstance(info, str):
            raise ValueError(f"{kind} needs a text in info, not {json_words(info)}")
        return Type(text_of(info)), ""
    if kind == "SCROLL":
        start, end = _points(info, 2, size, kind)
        return Swipe(start, end), ""
    if kind in ("CLICK", "LONG_PRESS"):
        if isinstance(info, str) and info.strip().upper() in _KEYS:
            return PressKey(_KEYS[info.strip().upper()]), ""
        (point,) = _points(info, 1, size, kind)
        target, note = _target(fields.get("sam2_bbox"), size)
        return (Tap(point, target) if kind == "CLICK" else LongPress(point, target)), note
    raise ValueError(f"the action {shortened(kind)!r} is not known" if kind else "the step names no action")


def _points(info: object, count: int, size: Size, kind: str) -> list[Point]:
    """The first `count` points of [[x, y], …]; the first release repeats a click's point."""
    found = info[:count] if isinstance(info, list) else []
    if len(found) != count:
        wanted = "a point or a key" if kind == "CLICK" else "a point" if count == 1 else "two points"
        raise ValueError(f"{kind} needs {wanted} in info, not {json_words(info)}")
    return [_point(pair, size) for pair in found]


def _point(pair: object, size: Size) -> Point:
    x, y = _fractions(pair, 2, "a point")
    return Point.from_fraction(x, y, size)


def _target(box: object, size: Size) -> tuple[Target | None, str]:
    if not box:
        return None, ""
    try:
        left, top, right, bottom = _fractions(box, 4, "a box")
        width, height = size.width, size.height
        return Target(Box(left * width, top * height, right * width, bottom * height, size)), ""
    except ValueError as error:
        return None, f"the target's box is left out: {error}"


def _fractions(numbers: object, count: int, what: str) -> list[float]:
    """`count` thousandths as fractions of one."""
    if not isinstance(numbers, list) or len(numbers) != count:
        raise ValueError(f"{what} has {count} numbers, not {json_words(numbers)}")
    for number in numbers:
        if type(number) not in (int, float) or not -_FARTHEST <= number <= _FARTHEST:
            raise ValueError(f"{what} with numbers of a screen is needed, not {json_words(numbers)}")
    return [number / _SCALE for number in numbers]
