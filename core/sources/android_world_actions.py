"""AndroidWorld's actions (`JSONAction`, `json_action.py`) as done by `actuation.py`.

An action names an element by its index in the step's list or a place x, y in pixels of the screen. An element is acted
on in the middle of its bounds, rounded down; a swipe crosses the whole screen through its middle.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Finish,
    FinishStatus,
    Key,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.sources.android_world_values import AndroidWorldScreen, fields_of, number_of
from stepscope.core.sources.files import shortened, text_of
from stepscope.core.sources.tree_builder import target_at

_ENDS = {"complete": FinishStatus.COMPLETE, "infeasible": FinishStatus.IMPOSSIBLE}
_KEYS = {"navigate_home": Key.HOME, "navigate_back": Key.BACK, "keyboard_enter": Key.ENTER}
_TOUCHES: dict[str, Callable[[Point | None, Target | None], Action]] = {
    "click": Tap,
    "double_tap": DoubleTap,
    "long_press": LongPress,
}
_SWIPES = {
    "down": ((0.5, 0.0), (0.5, 1.0)),
    "up": ((0.5, 1.0), (0.5, 0.0)),
    "left": ((0.0, 0.5), (1.0, 0.5)),
    "right": ((1.0, 0.5), (0.0, 0.5)),
}
"""From and to, in fractions. A swipe "left" moves the finger to the right: so does the released code."""
_REASON, _ACTION = "Reason:", "Action:"


def reason_and_action(output: str) -> tuple[str, Mapping[str, Any]]:
    """The two parts of what an agent wrote, `Reason: … Action: {…}`; an empty action where there is none."""
    before, told, words = output.partition(_ACTION)
    if not told:
        return "", {}
    try:
        form, _ = json.JSONDecoder().raw_decode(words[max(words.find("{"), 0) :])
    except (ValueError, RecursionError):
        form = {}
    return before.partition(_REASON)[2].strip(), fields_of(form)


def action_of(form: Mapping[str, Any], screen: AndroidWorldScreen) -> Action:
    """The action with the fields of a JSONAction; ValueError for one that could not be done or is not known."""
    kind = text_of(form.get("action_type"))
    if kind in _TOUCHES:
        return _TOUCHES[kind](*_place(form, screen))
    if kind == "input_text":
        return Type(_text(form), *_place(form, screen, needed=False))
    if kind == "scroll":
        return Scroll(_direction(form), *_place(form, screen, needed=False))
    if kind == "swipe":
        size = screen.placement.size
        start, end = (Point.from_fraction(*share, size) for share in _SWIPES[_direction(form)])
        return Swipe(start, end)
    if kind in _KEYS:
        return PressKey(_KEYS[kind])
    if kind == "open_app":
        return OpenApp(text_of(form.get("app_name")))
    if kind == "answer":
        return Say(_text(form))
    if kind == "wait":
        return Wait()
    if kind == "press_keyboard" and text_of(form.get("keycode")):
        return PressKey(text_of(form["keycode"]))
    if kind == "status":
        status = text_of(form.get("goal_status"))
        if status in _ENDS:
            return Finish(_ENDS[status])
        raise ValueError(f"the goal status {shortened(status)!r} is not known")
    raise ValueError(f"the action {shortened(kind)!r} is not known" if kind else "no action could be understood")


def _text(form: Mapping[str, Any]) -> str:
    value = form.get("text")
    return str(value) if type(value) in (int, float) else text_of(value)


def _direction(form: Mapping[str, Any]) -> Direction:
    try:
        return Direction(text_of(form.get("direction")))
    except ValueError:
        raise ValueError(f"the direction {shortened(text_of(form.get('direction')))!r} is not known") from None


def _place(
    form: Mapping[str, Any], screen: AndroidWorldScreen, needed: bool = True
) -> tuple[Point | None, Target | None]:
    """Where, and on what. An index whose element was not recorded gives a target with nothing but the index."""
    index = number_of(form.get("index"))
    if index is None and text_of(form.get("index")).isdecimal():
        index = float(text_of(form["index"])[:9])
    if index is not None:
        if not 0 <= index < 1e9:
            raise ValueError("the element's index is none")
        target = screen.target(int(index))
        if target.box is None:
            return None, target
        centre = target.box.centre
        return Point(float(int(centre.x)), float(int(centre.y)), centre.size), target
    x, y = number_of(form.get("x")), number_of(form.get("y"))
    if x is None or y is None:
        if needed:
            raise ValueError("neither an element nor a place")
        return None, None
    point = screen.point(x, y)
    return point, target_at(screen.tree, point)
