"""Actions in the several forms that samples built on AndroidControl and Mind2Web may have.

An object ({"action_type": "click", "x": …}), a code ("CLICK(302, 1544)", "ASK(Which date?)", "TYPE: tides"), or
Mind2Web's "[button] Search -> CLICK". Which keys hold what is `Keys`' business.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    FinishStatus,
    Hover,
    Key,
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
)
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import json_words, parse_json, shortened, text_of
from stepscope.core.sources.sniffers.navi_plus_keys import Keys, plain_name

_CODE = re.compile(r"([A-Za-z][A-Za-z_ ]{0,40}?)\s*(?:\((.*)\)|\[(.*)\]|:(.*))?", re.DOTALL)
_ROLE = re.compile(r"\[[^\]]*\]")
_DONE = re.compile(r"([A-Za-z_]{1,40})\s*(?::(.*))?", re.DOTALL)

_PLACED: dict[str, type[Tap | LongPress | DoubleTap | Hover]] = {
    "click": Tap, "tap": Tap, "leftclick": Tap, "longpress": LongPress, "longclick": LongPress,
    "doubletap": DoubleTap, "doubleclick": DoubleTap, "hover": Hover,
}  # fmt: skip
_KEYS = {
    "navigateback": Key.BACK, "back": Key.BACK, "goback": Key.BACK, "pressback": Key.BACK,
    "navigatehome": Key.HOME, "home": Key.HOME, "gohome": Key.HOME, "presshome": Key.HOME,
    "enter": Key.ENTER, "pressenter": Key.ENTER, "keyboardenter": Key.ENTER,
    "recents": Key.RECENTS, "recent": Key.RECENTS, "pressrecent": Key.RECENTS,
}  # fmt: skip
_TYPED = ("type", "typetext", "input", "inputtext")
_WITH_PLACES = (*_PLACED, *_TYPED, "select", "swipe", "scroll", "drag")
_OPENED = ("openapp", "open", "launch", "launchapp")
_ASKED = ("ask", "askuser", "followup", "followupquestion")
_SAID = ("say", "answer")
_ENDED = ("complete", "finish", "finished", "done", "stop", "end", "status", "taskcomplete", "statustaskcomplete")
_GIVEN_UP = ("impossible", "infeasible", "taskimpossible", "statustaskimpossible")

_UNKNOWN = ("unknown", "none", "null")


@dataclass(frozen=True, slots=True)
class _ActionParts:
    """The parts that an action is made of; places in pixels."""

    kind: str
    text: str = ""
    point: Point | None = None
    to: Point | None = None
    target: Target | None = None
    direction: str = ""


def read_action(step: Mapping[str, Any], keys: Keys, size: Size) -> Action | None:
    """The step's action in pixels of `size`; None where it has none. ValueError says what is wrong with it."""
    form = keys.find("step.action", step)
    if isinstance(form, str) and form.lstrip().startswith("{"):
        form = _parsed(form)
    if form is None:
        return _action(_of_object(step, step, keys, size)) if keys.own_kind(step) else None
    if isinstance(form, dict):
        return _action(_of_object(form, step, keys, size))
    if isinstance(form, str):
        return _action(_of_code(form, step, keys, size))
    raise ValueError(f"the action must be an object or a code, not {json_words(form)}")


def _parsed(text: str) -> object:
    try:
        return parse_json(text)
    except SourceError as error:
        raise ValueError(f"the action is {error.message}") from error


def _of_object(form: Mapping[str, Any], step: Mapping[str, Any], keys: Keys, size: Size) -> _ActionParts:
    """The parts of an action given key by key; places may lie beside the action as well."""
    kind = keys.find("action.kind", form)
    if not isinstance(kind, str):
        raise ValueError(
            f"the action names no kind but {json_words(kind)}" if kind is not None else "the action has no kind"
        )
    return _places(_ActionParts(kind, _words(keys.find("action.text", form))), form, step, keys, size)


def _of_code(code: str, step: Mapping[str, Any], keys: Keys, size: Size) -> _ActionParts:
    """The parts of a code; what it leaves out may lie beside it."""
    code = code.strip()
    if code.startswith("["):
        return _places(_of_arrow(code), step, step, keys, size)
    match = _CODE.fullmatch(code)
    if match is None:
        raise ValueError(f"{shortened(text_of(code))!r} is no action")
    argument = next((group for group in match.groups()[1:] if group is not None), None)
    if argument is None:
        parts = _ActionParts(match[1], _words(keys.find("action.text", step)))
    else:
        parts = _with_argument(_ActionParts(match[1]), argument, keys, size)
    return _places(parts, step, step, keys, size)


def _of_arrow(code: str) -> _ActionParts:
    """Mind2Web's way of writing: "[role] element -> KIND: value"."""
    element, _, done = code.rpartition(" -> ")
    match = _DONE.fullmatch(done.strip())
    if match is None:
        raise ValueError(f"{shortened(text_of(code))!r} is no action")
    return _ActionParts(match[1], _bare(match[2] or ""), target=_named(_ROLE.sub("", element, count=1)))


def _with_argument(parts: _ActionParts, argument: str, keys: Keys, size: Size) -> _ActionParts:
    """The code's argument: places, an element's text, a direction or words, by the action's kind."""
    kind, words = plain_name(parts.kind), _bare(argument)
    numbers = numbers_in(argument) if kind in _WITH_PLACES and kind not in _TYPED else []
    if len(numbers) == 2:
        return _ActionParts(parts.kind, point=point_of(numbers, keys, size))
    if len(numbers) == 4 and kind in _PLACED:
        return _ActionParts(parts.kind, target=Target(box_of(numbers, keys, size)))
    if len(numbers) == 4:
        return _ActionParts(parts.kind, point=point_of(numbers[:2], keys, size), to=point_of(numbers[2:], keys, size))
    if kind in _PLACED:
        return _ActionParts(parts.kind, target=_named(words))
    if kind in ("swipe", "scroll"):
        return _ActionParts(parts.kind, direction=words)
    return _ActionParts(parts.kind, text=words)


def _places(
    parts: _ActionParts, form: Mapping[str, Any], step: Mapping[str, Any], keys: Keys, size: Size
) -> _ActionParts:
    """`parts` with the places, the element and the direction that `form`, or else the step, names."""
    if plain_name(parts.kind) not in _WITH_PLACES:
        return parts

    def find(name: str) -> Any:
        found = keys.find(name, form)
        return found if found is not None else keys.find(name, step)

    point = parts.point or point_or_none(find("action.point"), find("action.x"), find("action.y"), keys, size)
    to = parts.to or point_or_none(find("action.to"), None, None, keys, size)
    edges, element = find("action.box"), find("action.element")
    target = parts.target
    if edges is not None or isinstance(element, str):
        box = None if edges is None else box_of(edges, keys, size)
        target = Target(box, text_of(element) or (target.text if target else ""))
    direction = parts.direction or text_of(find("action.direction"))
    if point is None and target is not None and target.box is not None:
        point = target.box.centre
    return _ActionParts(parts.kind, parts.text, point, to, target, direction)


def _action(parts: _ActionParts) -> Action:
    kind, text, point, target = plain_name(parts.kind), parts.text, parts.point, parts.target
    if kind in _PLACED:
        if point is None and target is None:
            raise ValueError(f"{shortened(parts.kind)} needs a place or an element")
        return _PLACED[kind](point, target)
    if kind in ("swipe", "drag") and point is not None and parts.to is not None:
        return Swipe(point, parts.to, target) if kind == "swipe" else Drag(point, parts.to, target)
    if kind == "scroll" and point is not None and parts.to is not None:
        return Swipe(point, parts.to, target)
    if kind in ("scroll", "swipe"):
        towards = _direction(parts)
        return Scroll(towards.opposite if kind == "swipe" else towards, point, target)
    if kind in _TYPED:
        return Type(text, point, target)
    if kind == "select":
        return Select(text, point, target)
    return _plain_action(kind, parts)


def _plain_action(kind: str, parts: _ActionParts) -> Action:
    """Actions without a place."""
    text = parts.text
    if kind in _KEYS:
        return PressKey(_KEYS[kind])
    if kind in ("presskey", "key", "press") and text:
        return PressKey(_KEYS.get(plain_name(text), text))
    if kind in _OPENED:
        return OpenApp(text)
    if kind in _ASKED:
        return AskUser(text)
    if kind in _SAID:
        return Say(text)
    if kind == "wait":
        return Wait()
    if kind in _GIVEN_UP or (kind in _ENDED and plain_name(text) in _GIVEN_UP):
        return Finish(FinishStatus.IMPOSSIBLE)
    if kind in _ENDED:
        return Finish()
    raise ValueError(f"the action {shortened(parts.kind)!r} is not known, or lacks what it needs")


def _direction(parts: _ActionParts) -> Direction:
    try:
        return Direction(parts.direction.strip().lower() or parts.text.strip().lower())
    except ValueError as error:
        raise ValueError(f"{shortened(parts.kind)} needs two places or a direction") from error


def _words(value: object) -> str:
    return text_of(value) if isinstance(value, str) else ""


def _bare(argument: str) -> str:
    """An argument without the quotation marks around it."""
    words = text_of(argument).strip()
    quoted = len(words) > 1 and words[0] == words[-1] and words[0] in "\"'"
    return words[1:-1] if quoted else words


def _named(text: str) -> Target | None:
    words = _bare(text)
    return Target(None, words) if words and words.lower() not in _UNKNOWN else None


_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,12})?")
_FARTHEST = 1e7
"""A coordinate beyond ten million pixels is a broken number, not a place (ours)."""
_EDGES = ("left", "top", "right", "bottom")
_CORNER_AND_SIZE = ("x", "y", "width", "height")


def numbers_in(text: str) -> list[float]:
    """The numbers of a text that holds nothing else but brackets, commas and white space."""
    if _NUMBER.sub("", text).strip("()[], \t\n<>"):
        return []
    return [float(number) for number in _NUMBER.findall(text)]


def _finite(number: object) -> float:
    if not isinstance(number, int | float) or isinstance(number, bool) or not -_FARTHEST <= number <= _FARTHEST:
        raise ValueError(f"{json_words(number)} is no number of a screen")
    return float(number)


def point_or_none(pair: object, x: object, y: object, keys: Keys, size: Size) -> Point | None:
    """The place that a pair or else two numbers name; None where there are none."""
    if isinstance(pair, str):
        pair = numbers_in(pair)
    if pair is None and (x is not None or y is not None):
        pair = [x, y]
    if pair is None:
        return None
    if not isinstance(pair, list) or len(pair) != 2:
        raise ValueError(f"a place has two numbers, not {json_words(pair)}")
    return point_of(pair, keys, size)


def point_of(numbers: Sequence[object], keys: Keys, size: Size) -> Point:
    """x and y in the space that `keys` names, as pixels of `size`. ValueError for what is no number of a screen."""
    x, y = _scaled([_finite(number) for number in numbers], keys, size)
    return Point(x, y, size)


def box_of(value: object, keys: Keys, size: Size) -> Box:
    """A box of four numbers: a list, a text, or an object of edges or of a corner and a size."""
    has_size = keys.box_has_size
    if isinstance(value, dict):
        has_size = all(name in value for name in _CORNER_AND_SIZE)
        value = [value.get(name) for name in (_CORNER_AND_SIZE if has_size else _EDGES)]
    numbers = numbers_in(value) if isinstance(value, str) else value
    if not isinstance(numbers, list) or len(numbers) != 4:
        raise ValueError(f"a box has four numbers, not {json_words(value)}")
    left, top, right, bottom = _scaled([_finite(number) for number in numbers], keys, size)
    return Box.from_xywh(left, top, right, bottom, size) if has_size else Box(left, top, right, bottom, size)


def _scaled(numbers: list[float], keys: Keys, size: Size) -> list[float]:
    """x, y, x, y … of the data's own space in pixels."""
    if keys.space == "pixels":
        return numbers
    whole = 1000 if keys.space == "thousandths" else 1
    sides = (size.width / whole, size.height / whole)
    return [number * sides[place % 2] for place, number in enumerate(numbers)]
