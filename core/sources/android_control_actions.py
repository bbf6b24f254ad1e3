"""AndroidControl's actions: a JSON object with `action_type`, places in pixels of the screenshot.

The kinds are those of the data set's README; `type` is of its earlier release. The direction of `scroll` is the one in
which the view moves (down shows what is below), which makes it the opposite of the finger's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stepscope.core.domain.action import Action, Key, LongPress, OpenApp, PressKey, Scroll, Tap, Type, Wait
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.domain.wire import numbers
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import parse_json, shortened, text_of
from stepscope.core.sources.tree_builder import target_at

_FARTHEST = 1e7
"""A coordinate beyond ten million pixels is a broken number, not a place (ours)."""

Form = Mapping[str, Any]


def decode_action(text: str, size: Size, tree: UITree | None) -> Action:
    """The action that the JSON `text` tells, its target out of `tree`; ValueError for what is none."""
    try:
        form = parse_json(text)
    except SourceError as error:
        raise ValueError(error.message) from error
    if not isinstance(form, dict):
        raise ValueError("the action is no JSON object")
    kind = form.get("action_type")
    decode = _KINDS.get(kind) if isinstance(kind, str) else None
    if decode is None:
        raise ValueError(f"the action_type {shortened(repr(kind))} is not known")
    return decode(form, size, tree)


def _click(form: Form, size: Size, tree: UITree | None) -> Action:
    point = _point(form, size)
    return Tap(point, target_at(tree, point))


def _long_press(form: Form, size: Size, tree: UITree | None) -> Action:
    point = _point(form, size)
    return LongPress(point, target_at(tree, point))


def _scroll(form: Form, size: Size, tree: UITree | None) -> Action:
    direction = form.get("direction")
    if not isinstance(direction, str) or direction not in list(Direction):
        raise ValueError(f"the direction {shortened(repr(direction))} is not up, down, left or right")
    return Scroll(Direction(direction))


def _type(form: Form, size: Size, tree: UITree | None) -> Action:
    """The earlier release's typing: a click at the place, the text, and enter."""
    point = _point(form, size)
    return Type(_text(form, "text"), point, target_at(tree, point))


_KINDS: dict[str, Callable[[Form, Size, UITree | None], Action]] = {
    "click": _click,
    "long_press": _long_press,
    "scroll": _scroll,
    "open_app": lambda form, size, tree: OpenApp(_text(form, "app_name")),
    "input_text": lambda form, size, tree: Type(_text(form, "text")),
    "type": _type,
    "navigate_home": lambda form, size, tree: PressKey(Key.HOME),
    "navigate_back": lambda form, size, tree: PressKey(Key.BACK),
    "wait": lambda form, size, tree: Wait(),
}


def _point(form: Form, size: Size) -> Point:
    x, y = numbers([form.get("x"), form.get("y")], 2, "x and y")
    if max(abs(x), abs(y)) > _FARTHEST:
        raise ValueError(f"({x:g}, {y:g}) is no place on a screen")
    return Point(x, y, size)


def _text(form: Form, field: str) -> str:
    value = form.get(field)
    if not isinstance(value, str):
        raise ValueError(f"{field} must be text, not {shortened(repr(value))}")
    return text_of(value)
