"""Actions in the words of an agent: what it would have answered, for the history that it is told.

The counterpart of `adapter.read_answer`: what is written here is read back there (a test of every adapter).
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from stepscope.core.domain.action import (
    ACTION_TYPES,
    Action,
    Finish,
    FinishStatus,
    Key,
    PressKey,
    Scroll,
    Swipe,
    action_end,
    action_point,
    action_text,
)
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.models.agents.prompts import put_in
from stepscope.models.agents.spaces import Space, extent

WORDS = frozenset((*ACTION_TYPES, *(f"{kind}_at" for kind in ACTION_TYPES), *Key, "impossible"))
"""What templates are about: kinds of actions, with a place of their own where they have one, keys, and the ending of a
task that cannot be done."""
_REACH = 0.25
"""Half the way of the finger, as a share of the screen, where a scroll has to be written as a swipe (ours)."""
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n"})


def written(
    action: Action,
    words: Mapping[str, str],
    *,
    space: Space,
    screen: Size,
    sent: Size,
    finger: bool,
    quoting: str,
    decimals: int,
) -> str | None:
    """The action by these templates (see `Adapter.writes`); None where they have no words for it. `screen` is the
    recorded screen's size and `sent` the picture's; `finger`: directions are those of the finger."""
    template, action = _template(action, words)
    if template is None:
        return None
    values: dict[str, str] = {}
    for names, place in ((("x", "y"), action_point(action)), (("x2", "y2"), action_end(action))):
        if place is not None:
            values |= zip(names, _numbers(place, space, screen, sent, decimals), strict=True)
    text = action_text(action)
    if text is not None:
        values["text"] = _quoted(text, quoting)
    if isinstance(action, PressKey):
        values["key"] = action.key
    if isinstance(action, Scroll):
        values["direction"] = (action.direction.opposite if finger else action.direction).value
    if isinstance(action, Swipe):
        values["direction"] = (action.direction if finger else action.direction.opposite).value
    done = put_in(template, values)
    needed = [name for name in ("x", "y", "x2", "y2", "text", "key", "direction") if name not in values]
    return None if any(f"{{{name}}}" in template for name in needed) else done


def _template(action: Action, words: Mapping[str, str]) -> tuple[str | None, Action]:
    """The template for the action, and the action as the template's kind: agents that only swipe scroll by swiping, and
    those that only scroll the other way round."""
    if isinstance(action, PressKey):
        return words.get(action.key, words.get("press_key")), action
    if isinstance(action, Finish):
        name = "impossible" if action.status is FinishStatus.IMPOSSIBLE else "finish"
        return words.get(name), action
    if action_point(action) is not None and f"{action.kind}_at" in words:
        return words[f"{action.kind}_at"], action
    if action.kind in words:
        return words[action.kind], action
    if isinstance(action, Scroll) and "swipe" in words and action.point is not None:
        return words["swipe"], _as_swipe(action.direction, action.point)
    if isinstance(action, Swipe) and "scroll" in words:
        return words["scroll"], Scroll(action.direction.opposite, action.point)
    return None, action


def _as_swipe(side: Direction, middle: Point) -> Swipe:
    """The finger's way that brings what lies on that side into view."""
    dx, dy = {
        Direction.DOWN: (0, _REACH),
        Direction.UP: (0, -_REACH),
        Direction.RIGHT: (_REACH, 0),
        Direction.LEFT: (-_REACH, 0),
    }[side]
    x, y = middle.fraction
    ends = [(min(max(x + sign * dx, 0), 1), min(max(y + sign * dy, 0), 1)) for sign in (1, -1)]
    start, end = (Point.from_fraction(*one, middle.size) for one in ends)
    return Swipe(start, end)


def _numbers(place: Point, space: Space, screen: Size, sent: Size, decimals: int) -> tuple[str, str]:
    shares = (min(max(share, 0.0), 1.0) for share in place.fraction)
    found = [share * whole for share, whole in zip(shares, extent(space, screen, sent), strict=True)]
    if space is Space.UNIT:
        return f"{found[0]:.{decimals}f}", f"{found[1]:.{decimals}f}"
    return f"{found[0]:.0f}", f"{found[1]:.0f}"


def _quoted(text: str, quoting: str) -> str:
    match quoting:
        case "json":
            return json.dumps(text, ensure_ascii=False)[1:-1]
        case "python":
            return text.translate(_ESCAPES)
        case _:
            return text
