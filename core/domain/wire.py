"""The JSON forms of actions, predictions and episodes (the headless contract: `episode --json`, imported predictions).

Reading raises ValueError with the field and what is wrong with it; the caller adds file and line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from stepscope.core.domain.action import (
    ACTION_TYPES,
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    FinishStatus,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
    action_end,
    action_point,
    action_target,
    action_text,
)
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.geometry import Box, Direction, Point, Size

Json = Mapping[str, Any]


def action_to_json(action: Action) -> dict[str, Any]:
    """All fields of the contract, null where the kind has none; numbers in pixels of the screenshot."""
    target = action_target(action)
    point, end = action_point(action), action_end(action)
    direction = action.direction.value if isinstance(action, (Swipe, Scroll)) else None
    form: dict[str, Any] = {
        "kind": action.kind,
        "point": [point.x, point.y] if point else None,
        "to": [end.x, end.y] if end else None,
        "text": action_text(action),
        "direction": direction,
        "key": action.key if isinstance(action, PressKey) else None,
        "target": target_to_json(target) if target else None,
    }
    if isinstance(action, Finish):
        form["status"] = action.status.value
    return form


def target_to_json(target: Target) -> dict[str, Any]:
    """`{"box", "text", "id"}`; box is [left, top, right, bottom] in pixels of the screenshot, null without a place."""
    box = target.box
    edges = [box.left, box.top, box.right, box.bottom] if box else None
    return {"box": edges, "text": target.text, "id": target.id}


def action_from_json(form: object, size: Size) -> Action:
    """An action from its JSON form; `size` is the screenshot that its pixels refer to.

    Fields that the kind does not use are ignored. A tap without a point but with a target's box means the box's centre;
    with a target that has no box it names an element without a place.
    """
    if not isinstance(form, Mapping):
        raise ValueError("action must be an object")
    kind = form.get("kind")
    if not isinstance(kind, str) or kind not in ACTION_TYPES:
        raise ValueError(f"action.kind {kind!r} is not one of {', '.join(ACTION_TYPES)}")
    target = _target(form.get("target"), size)
    recorded = _point(form, "point", size)
    point = recorded or (target.box.centre if target and target.box else None)
    named = target is not None and target.box is None
    match kind:
        case "tap":
            return Tap(point if named else _needed(point, kind), target)
        case "long_press":
            return LongPress(point if named else _needed(point, kind), target)
        case "double_tap":
            return DoubleTap(point if named else _needed(point, kind), target)
        case "hover":
            return Hover(point if named else _needed(point, kind), target)
        case "swipe":
            start = _needed(point, kind)
            return Swipe(start, _point(form, "to", size) or _swipe_end(form, start), target)
        case "drag":
            end = _point(form, "to", size)
            if end is None:
                raise ValueError("action.to is missing: a drag needs where it ends")
            return Drag(_needed(point, kind), end, target)
        case "scroll":
            return Scroll(_direction(form), recorded, target)
        case "type":
            return Type(_text(form), recorded, target)
        case "select":
            return Select(_text(form), recorded, target)
        case "press_key":
            return PressKey(_text(form, "key"))
        case "open_app":
            return OpenApp(_text(form))
        case "wait":
            return Wait()
        case "ask":
            return AskUser(_text(form))
        case "say":
            return Say(_text(form))
        case _:
            return Finish(_finish_status(form))


def episode_to_json(episode: Episode) -> dict[str, Any]:
    """The normalised form of `stepscope episode --json`."""
    feasibility = episode.feasibility
    return {
        "id": episode.id,
        "format": episode.format,
        "platform": episode.platform.value,
        "goal": episode.goal,
        "app": episode.app,
        "feasibility": {
            "label": feasibility.label.value if feasibility.label else None,
            "reason": feasibility.reason.value if feasibility.reason else None,
            "follow_up": list(feasibility.follow_up),
        },
        "original_goal": episode.original_goal,
        "splits": list(episode.splits),
        "asks": [
            {"step": ask.step, "question": ask.question, "answer": ask.answer, "kind": ask.kind} for ask in episode.asks
        ],
        "steps": [step_to_json(step) for step in episode.steps],
    }


def step_to_json(step: Step) -> dict[str, Any]:
    """The step as `episode --json` prints it: the screenshot by name, its size [width, height] in pixels, and how many
    elements its UI tree has (0 without one); the action is null where none was recorded."""
    seen = step.observation
    return {
        "index": step.index,
        "instruction": step.instruction,
        "observation": {
            "screenshot": seen.screenshot.name if seen.screenshot else None,
            "size": [seen.size.width, seen.size.height],
            "elements": len(seen.tree) if seen.tree else 0,
        },
        "action": action_to_json(step.action) if step.action else None,
    }


def _needed(point: Point | None, kind: str) -> Point:
    if point is None:
        raise ValueError(f"action.point is missing: a {kind} needs [x, y] in pixels, or a target with a box")
    return point


def numbers(value: object, count: int, field: str) -> list[float]:
    """`count` finite numbers out of a JSON list, or ValueError naming `field`."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != count:
        raise ValueError(f"{field} must be a list of {count} numbers, not {value!r}")
    try:
        found = [float(number) for number in value if isinstance(number, (int, float)) and not isinstance(number, bool)]
    except OverflowError as error:
        raise ValueError(f"{field} holds a number beyond all bounds") from error
    if len(found) != count or not all(map(math.isfinite, found)):
        raise ValueError(f"{field} must be a list of {count} numbers, not {value!r}")
    return found


def _point(form: Json, field: str, size: Size) -> Point | None:
    value = form.get(field)
    if value is None:
        return None
    x, y = numbers(value, 2, f"action.{field}")
    return Point(x, y, size)


def _target(form: object, size: Size) -> Target | None:
    if form is None:
        return None
    if not isinstance(form, Mapping):
        raise ValueError("action.target must be an object")
    edges = None if form.get("box") is None else numbers(form["box"], 4, "action.target.box")
    text, identity = form.get("text") or "", form.get("id")
    if edges is None and not text and identity is None:
        raise ValueError("action.target has neither a box nor a text or id")
    return Target(
        Box(edges[0], edges[1], edges[2], edges[3], size) if edges else None,
        str(text),
        None if identity is None else str(identity),
    )


def _text(form: Json, field: str = "text") -> str:
    value = form.get(field)
    if not isinstance(value, str):
        raise ValueError(f"action.{field} must be text, not {value!r}")
    return value


def _direction(form: Json) -> Direction:
    value = form.get("direction")
    if value not in list(Direction):
        raise ValueError(f"action.direction must be up, down, left or right, not {value!r}")
    return Direction(value)


def _swipe_end(form: Json, start: Point) -> Point:
    """End of a swipe given by direction only: a third of the screen along the finger's way (ours)."""
    if form.get("direction") is None:
        raise ValueError("action.to is missing: a swipe needs where it ends, or a direction")
    return _moved(start, _direction(form))


def _moved(start: Point, direction: Direction) -> Point:
    """`start` moved by a third of the screen in `direction`."""
    dx, dy = {
        Direction.UP: (0.0, -1 / 3),
        Direction.DOWN: (0.0, 1 / 3),
        Direction.LEFT: (-1 / 3, 0.0),
        Direction.RIGHT: (1 / 3, 0.0),
    }[direction]
    return Point(start.x + dx * start.size.width, start.y + dy * start.size.height, start.size)


def _finish_status(form: Json) -> FinishStatus:
    value = form.get("status", "complete")
    if value not in list(FinishStatus):
        raise ValueError(f"action.status must be complete or impossible, not {value!r}")
    return FinishStatus(value)
