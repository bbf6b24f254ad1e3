"""Actions and walks as JSON without loss: the wire form of the contract with the sizes that its pixels refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from stepscope.core.domain.action import Action, Target, action_end, action_point, action_target
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.walk import GoalCheck, WalkAnswer, WalkEnd, WalkStep, World
from stepscope.core.domain.wire import action_from_json, action_to_json

_NO_SIZE = Size(1, 1)
"""Stands in for actions without a place, which refer to no size."""


def sized_action_to_json(action: Action) -> dict[str, Any]:
    """`{"action": wire form, "size": [w, h] or null}`; `sizes` names the places that refer to another size."""
    sizes = _sizes(action)
    if not sizes:
        return {"action": action_to_json(action), "size": None}
    main = next(iter(sizes.values()))
    form: dict[str, Any] = {"action": action_to_json(action), "size": _pair(main)}
    others = {name: _pair(size) for name, size in sizes.items() if size != main}
    return {**form, "sizes": others} if others else form


def sized_action_from_json(form: Mapping[str, Any]) -> Action:
    """The reverse of `sized_action_to_json`."""
    size = Size(*form["size"]) if form["size"] else _NO_SIZE
    action = action_from_json(form["action"], size)
    for name, other in form.get("sizes", {}).items():
        action = _resized(action, name, Size(*other))
    return action


def walk_to_json(walk: WalkAnswer) -> dict[str, Any]:
    """A walk with all its steps; `does` is an action with its sizes."""
    return {
        "world": walk.world.value,
        "check": walk.check.value,
        "end": walk.end.value,
        "last": walk.last,
        "reached": walk.reached,
        "goal_at": walk.goal_at,
        "way_on": walk.way_on,
        "human": list(walk.human),
        "human_actions": walk.human_actions,
        "steps": [_walk_step_to_json(step) for step in walk.steps],
    }


def _walk_step_to_json(step: WalkStep) -> dict[str, Any]:
    """What a step has nothing of is left out."""
    form: dict[str, Any] = {"place": step.place, "led": step.led}
    if step.action is not None:
        form["does"] = sized_action_to_json(step.action)
    optional = {"why": step.why, "confidence": step.confidence, "latency_ms": step.latency_ms, "raw": step.raw}
    return form | {name: value for name, value in optional.items() if value not in ("", None)}


def walk_from_json(form: Any) -> WalkAnswer:
    """The reverse of `walk_to_json`. Raises ValueError for what is no walk."""
    try:
        walk = _walk(form)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("it is no walk as an export writes it") from error
    if not is_sound_walk(walk):
        raise ValueError("a walk is not what it should be")
    return walk


def _walk(form: Mapping[str, Any]) -> WalkAnswer:
    return WalkAnswer(
        steps=tuple(_walk_step_from_json(one) for one in form["steps"]),
        end=WalkEnd(form["end"]),
        last=form["last"],
        human=tuple(form["human"]),
        human_actions=form["human_actions"],
        reached=form["reached"],
        goal_at=form["goal_at"],
        way_on=form["way_on"],
        world=World(form["world"]),
        check=GoalCheck(form["check"]),
    )


def _walk_step_from_json(form: Mapping[str, Any]) -> WalkStep:
    return WalkStep(
        form["place"],
        sized_action_from_json(form["does"]) if "does" in form else None,
        form["led"],
        form.get("why", ""),
        form.get("confidence"),
        form.get("latency_ms"),
        form.get("raw", ""),
    )


def is_sound_walk(walk: WalkAnswer) -> bool:
    """Whether its parts are of the kinds that they are said to be."""
    words = (walk.last, *walk.human, *(word for step in walk.steps for word in (step.place, step.why, step.raw)))
    numbers = tuple(number for step in walk.steps for number in (step.confidence, step.latency_ms))
    flags = (walk.reached, *(step.led for step in walk.steps))
    return (
        all(isinstance(word, str) for word in words)
        and all(number is None or type(number) in (int, float) for number in numbers)
        and all(type(flag) is bool for flag in flags)
        and type(walk.human_actions) is int
        and (walk.goal_at is None or type(walk.goal_at) is int)
        and (walk.way_on is None or type(walk.way_on) is bool)
    )


def _pair(size: Size) -> list[int]:
    return [size.width, size.height]


def _sizes(action: Action) -> dict[str, Size]:
    places = {"point": action_point(action), "to": action_end(action)}
    sizes = {name: place.size for name, place in places.items() if place}
    target = action_target(action)
    return {**sizes, "target": target.box.size} if target and target.box else sizes


def _resized(action: Action, place: str, size: Size) -> Action:
    """The action with one place's numbers referring to another size."""
    value = getattr(action, place)
    if isinstance(value, Target):
        if value.box is None:
            return action
        return _with(action, place, replace(value, box=replace(value.box, size=size)))
    return _with(action, place, replace(value, size=size))


def _with(action: Action, field: str, value: object) -> Action:
    changes: dict[str, Any] = {field: value}
    return replace(action, **changes)
