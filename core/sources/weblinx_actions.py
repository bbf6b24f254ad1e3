"""WebLINX's turns as actions: what the navigator says, and the browser's intents with their arguments.

The mouse's place is `metadata.mouseX`, `mouseY` in pixels of the viewport; a scroll tells the position it came to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from stepscope.core.domain.action import Action, Hover, OpenApp, PressKey, Say, Scroll, Select, Tap, Target, Type
from stepscope.core.domain.geometry import Box, Direction, Point
from stepscope.core.sources.files import mapping_of, shortened, text_of
from stepscope.core.sources.tree_builder import Placement, edge_numbers

_UID = "data-webtasks-id"
_SIDES = ("x", "y", "width", "height")
_TICKED = ("checkbox", "radio")
_LONGEST = 200
"""Characters of an element's text that name it; a container's text is the whole page's (ours)."""

_ActionPlace = tuple[Point | None, Target | None]


@dataclass
class ScrollPositions:
    """The scroll position of each tab's page, by its last scroll; a page that is loaded stands at its top."""

    at: dict[object, tuple[float, float]] = field(default_factory=dict)


def number_of(value: object) -> float | None:
    """A finite number, None for anything else."""
    if type(value) not in (int, float):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def arguments_of(turn: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of the turn's action, empty where it has none."""
    return mapping_of(mapping_of(turn.get("action")).get("arguments"))


def metadata_of(turn: Mapping[str, Any]) -> Mapping[str, Any]:
    """The metadata among the action's arguments, empty where there are none."""
    return mapping_of(arguments_of(turn).get("metadata"))


def action_of(turn: Mapping[str, Any], placement: Placement, scrolled: ScrollPositions) -> Action:
    """What was done in a turn of the navigator's; ValueError for what is not known."""
    if turn.get("type") == "chat":
        return Say(text_of(turn.get("utterance")))
    intent = text_of(mapping_of(turn.get("action")).get("intent"))
    make = _INTENTS.get(intent.lower())
    if make is None:
        raise ValueError(f"the intent {shortened(intent)!r} is not known" if intent else "no intent")
    return make(turn, placement, scrolled)


def _place(turn: Mapping[str, Any], placement: Placement) -> _ActionPlace:
    """The mouse's place, else the middle of the element; and the element."""
    target = _target(mapping_of(arguments_of(turn).get("element")), placement)
    x, y = (number_of(metadata_of(turn).get(name)) for name in ("mouseX", "mouseY"))
    if x is not None and y is not None and x >= 0 and y >= 0:
        left, top, _, _ = edge_numbers((x, y, x, y))
        return placement.box(left, top, left, top).centre, target
    return (target.box.centre if target and target.box else None), target


def _target(element: Mapping[str, Any], placement: Placement) -> Target | None:
    if not element:
        return None
    text = " ".join(text_of(element.get("textContent")).split())
    identity = text_of(mapping_of(element.get("attributes")).get(_UID)) or None
    return Target(box_of(mapping_of(element.get("bbox")), placement), text[:_LONGEST], identity)


def box_of(form: Mapping[str, Any], placement: Placement) -> Box | None:
    """x, y, width, height in pixels of the viewport; None when they are no box."""
    x, y, width, height = (number_of(form.get(name)) for name in _SIDES)
    if x is None or y is None or width is None or height is None:
        return None
    try:
        return placement.box(*edge_numbers((x, y, x + width, y + height)))
    except ValueError:
        return None


def _change(turn: Mapping[str, Any], placement: Placement) -> Action:
    """A field that got another value: an option of a list, a tick, or text."""
    element = mapping_of(arguments_of(turn).get("element"))
    value = arguments_of(turn).get("value")
    text = str(value) if type(value) in (int, float, bool) else text_of(value)
    place = _at_element(turn, placement)
    kind = text_of(mapping_of(element.get("attributes")).get("type")).lower()
    if kind in _TICKED:
        return Tap(*place)
    tag = text_of(element.get("tagName")).lower()
    return Select(text, *place) if tag in ("select", "option") else Type(text, *place)


def _at_element(turn: Mapping[str, Any], placement: Placement) -> _ActionPlace:
    """The element's middle: where the mouse stands says nothing of typing."""
    target = _target(mapping_of(arguments_of(turn).get("element")), placement)
    return (target.box.centre if target and target.box else None), target


def _scroll(turn: Mapping[str, Any], scrolled: ScrollPositions) -> Action:
    """Towards where the page came to, as against where it stood before."""
    x, y = (number_of(arguments_of(turn).get(name)) for name in ("scrollX", "scrollY"))
    if x is None and y is None:
        raise ValueError("a scroll to nowhere")
    tab = _tab(turn)
    old = scrolled.at.get(tab, (0.0, 0.0))
    new = (old[0] if x is None else x, old[1] if y is None else y)
    scrolled.at[tab] = new
    right, down = new[0] - old[0], new[1] - old[1]
    if abs(right) > abs(down):
        return Scroll(Direction.RIGHT if right > 0 else Direction.LEFT)
    return Scroll(Direction.UP if down < 0 or (down == 0 and new[1] <= 0) else Direction.DOWN)


def _load(turn: Mapping[str, Any], scrolled: ScrollPositions) -> Action:
    arguments = arguments_of(turn)
    scrolled.at.pop(_tab(turn), None)
    return OpenApp(text_of(mapping_of(arguments.get("properties")).get("url")) or text_of(arguments.get("url")))


def _tab(turn: Mapping[str, Any]) -> object:
    tab = metadata_of(turn).get("tabId")
    return tab if isinstance(tab, int | str) else None


_Make = Callable[[Mapping[str, Any], Placement, ScrollPositions], Action]
_INTENTS: dict[str, _Make] = {
    "click": lambda turn, placement, _: Tap(*_place(turn, placement)),
    "hover": lambda turn, placement, _: Hover(*_place(turn, placement)),
    "textinput": lambda turn, placement, _: Type(
        text_of(arguments_of(turn).get("text")), *_at_element(turn, placement)
    ),
    "paste": lambda turn, placement, _: Type(text_of(arguments_of(turn).get("pasted")), *_at_element(turn, placement)),
    "change": lambda turn, placement, _: _change(turn, placement),
    "scroll": lambda turn, _, scrolled: _scroll(turn, scrolled),
    "load": lambda turn, _, scrolled: _load(turn, scrolled),
    "say": lambda turn, placement, _: Say(text_of(arguments_of(turn).get("text"))),
    **{
        name: (lambda turn, placement, _, name=name: PressKey(name))  # type: ignore[misc]
        for name in ("submit", "copy", "tabcreate", "tabremove", "tabswitch")
    },
}
