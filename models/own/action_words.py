"""Kinds of action as a model's labels name them: the kind, and behind it what it needs besides a place ("scroll down",
"press_key back", "finish complete"). The words are those of `models.automation.tower_features.KINDS`."""

from __future__ import annotations

from stepscope.core.domain.action import (
    Action,
    Finish,
    FinishStatus,
    Key,
    LongPress,
    PressKey,
    Scroll,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.geometry import Direction, Point

_PLACED = (Tap.kind, LongPress.kind, Type.kind)


def needs_place(word: str) -> bool:
    """Whether the action is done at a place."""
    return word in _PLACED


def action_of_word(word: str) -> Action | None:
    """The action that a label without a place names, None for one with a place and for no kind of action."""
    kind, _, detail = word.partition(" ")
    try:
        if kind == Scroll.kind:
            return Scroll(Direction(detail))
        if kind == PressKey.kind:
            return PressKey(Key(detail))
        if kind == Finish.kind:
            return Finish(FinishStatus(detail))
    except ValueError:
        return None
    return Wait() if word == Wait.kind else None


def placed_action(word: str, point: Point, target: Target | None, text: str) -> Action:
    """The action of such a label at a place; `text` is what is typed."""
    if word == Type.kind:
        return Type(text, point, target)
    return LongPress(point, target) if word == LongPress.kind else Tap(point, target)
