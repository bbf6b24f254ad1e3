"""An action in words and with its icon, the same everywhere it is told."""

from __future__ import annotations

from stepscope.core.domain.action import (
    Action,
    AskUser,
    Finish,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Type,
    action_end,
    action_point,
    action_target,
    action_text,
)
from stepscope.core.domain.geometry import Point
from stepscope.core.frozen import dataclass

KEY_ICONS = {"back": "back", "home": "home"}
ICONS = {"open_app": "app", "press_key": "key"}
WORDS = {"press_key": "Key", "open_app": "Open app", "long_press": "Long press", "double_tap": "Double tap"}


@dataclass(frozen=True, slots=True)
class ActionWords:
    """`word` names the kind, `detail` what it was done to or with, `exact` is the whole with its coordinates."""

    icon: str
    word: str
    detail: str
    exact: str


def action_words(action: Action | None, *, element: str = "") -> ActionWords:
    """The action in words; `element` names the element under it where the action itself does not."""
    if action is None:
        return ActionWords("info", "No action", "", "no action")
    kind = action.kind
    icon = ICONS.get(kind, kind)
    word = WORDS.get(kind, kind.capitalize())
    if isinstance(action, PressKey):
        icon, word = KEY_ICONS.get(action.key, "key"), action.key.capitalize()
    return ActionWords(icon, word, _detail(action, element), _exact(action))


def _detail(action: Action, element: str) -> str:
    if isinstance(action, PressKey):
        return "key"
    if isinstance(action, Finish):
        return action.status.value
    if isinstance(action, Type | Select | OpenApp | AskUser | Say):
        return action.text
    if isinstance(action, Swipe | Scroll):
        return action.direction.value
    target = action_target(action)
    named = (target.text or (target.id or "").rsplit("/", 1)[-1]) if target else ""
    return named or element


def _exact(action: Action) -> str:
    parts = [action.kind.replace("_", " ")]
    if isinstance(action, PressKey):
        parts.append(action.key)
    if isinstance(action, Finish):
        parts.append(action.status.value)
    if isinstance(action, Scroll):
        parts.append(action.direction.value)
    text = action_text(action)
    if text is not None:
        parts.append(f"“{text}”")
    point, end = action_point(action), action_end(action)
    if point is not None:
        parts.append(_place(point))
    if end is not None:
        parts.append(f"to {_place(end)}")
    if isinstance(action, Swipe):
        parts.append(f"({action.direction.value})")
    return " ".join(parts)


def _place(point: Point) -> str:
    return f"{point.x:.0f}, {point.y:.0f}"
