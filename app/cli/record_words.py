"""Actions in plain words, as a person types them: `tap "Buy now"`, `type hello`, `back`. JSON actions are taken too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial

from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Key,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.domain.wire import action_from_json
from stepscope.core.errors import UsageError

HELP = (
    'tap, long_press, double_tap "WORDS" or X Y; type TEXT; swipe X Y X Y; scroll up|down|left|right ["WORDS"]; back; '
    'home; enter; recents; key NAME; open "APP"; wait; or an action as JSON'
)
_TOUCHES: dict[str, type[Tap | LongPress | DoubleTap]] = {
    "tap": Tap,
    "long_press": LongPress,
    "double_tap": DoubleTap,
}
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_MOST_NAMED = 8


def action_of(line: str, seen: ScreenSnapshot) -> Action:
    """The action that a line means on this screen. Raises UsageError with what is wrong with it."""
    if line.startswith("{"):
        return _from_json(line, seen)
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    words: dict[str, Callable[[], Action]] = {
        "type": lambda: Type(_unquoted(_needed(rest, "the text"))),
        "swipe": lambda: _swipe(rest, seen),
        "scroll": lambda: _scroll(rest, seen),
        "key": lambda: PressKey(_needed(rest, "the key's name")),
        "open": lambda: OpenApp(_unquoted(_needed(rest, "the app's name"))),
        "wait": lambda: _alone(Wait(), rest),
    }
    for key in Key:
        words[key.value] = partial(_alone, PressKey(key.value), rest)
    for name, kind in _TOUCHES.items():
        words[name] = partial(_touch, kind, rest, seen)
    if word not in words:
        raise UsageError(f"{word!r} is no action.", hint=f"Actions: {HELP}.")
    return words[word]()


def find(words: str, seen: ScreenSnapshot) -> UIElement:
    """The element of these words: its text, description or id are equal, or else begin with them or hold them; case
    does not matter. Raises UsageError where there is none, or several that are equally good."""
    if seen.tree is None:
        raise UsageError("this screen has no UI tree.", hint="Give the place as X Y, in pixels.")
    shown = [one for one in seen.tree if one.visible and one.box.clipped() is not None]
    wanted = words.casefold()
    tests: tuple[Callable[[str], bool], ...] = (
        lambda name: name == wanted,
        lambda name: name.startswith(wanted),
        lambda name: wanted in name,
    )
    for test in tests:
        found = [one for one in shown if any(map(test, _names(one)))]
        touched = [one for one in found if one.clickable or one.editable] or found
        places = {seen.tree.target_at(one.box.centre) or one for one in touched}
        if len(places) == 1:
            return touched[0]
        if places:
            raise UsageError(f"{len(places)} elements are called {words!r}.", hint="Give the place as X Y, in pixels.")
    known = list(dict.fromkeys(one.label for one in shown if one.clickable and one.label))
    named = ", ".join(repr(name) for name in known[:_MOST_NAMED]) or "none"
    raise UsageError(f"there is no element {words!r} on this screen.", hint=f"There are: {named}.")


def _names(element: UIElement) -> list[str]:
    names = (element.text, element.content_description, element.short_id.replace("_", " "), element.short_id)
    return [name.casefold() for name in names if name]


def _from_json(line: str, seen: ScreenSnapshot) -> Action:
    try:
        return action_from_json(json.loads(line), seen.size)
    except (ValueError, RecursionError, OverflowError) as error:
        raise UsageError(
            f"this is no action: {error}.", hint="Give it as 'stepscope episode --json' prints it."
        ) from error


def _touch(kind: type[Tap | LongPress | DoubleTap], rest: str, seen: ScreenSnapshot) -> Action:
    numbers = _numbers(rest)
    if len(numbers) == 2:
        return kind(Point(numbers[0], numbers[1], seen.size))
    element = find(_unquoted(_needed(rest, 'what, as "WORDS" or X Y')), seen)
    return kind(_middle(element, seen), _target(element, seen))


def _swipe(rest: str, seen: ScreenSnapshot) -> Action:
    numbers = _numbers(rest)
    if len(numbers) != 4:
        raise UsageError("a swipe needs X Y X Y in pixels.", hint="Or say where to look: scroll down.")
    return Swipe(Point(numbers[0], numbers[1], seen.size), Point(numbers[2], numbers[3], seen.size))


def _scroll(rest: str, seen: ScreenSnapshot) -> Action:
    word, _, words = rest.partition(" ")
    try:
        direction = Direction(word)
    except ValueError as error:
        raise UsageError("scroll needs up, down, left or right.", hint="scroll down shows what is below.") from error
    if not words.strip():
        return Scroll(direction)
    element = find(_unquoted(words.strip()), seen)
    return Scroll(direction, _middle(element, seen), _target(element, seen))


def _middle(element: UIElement, seen: ScreenSnapshot) -> Point:
    box = element.box.clipped() or element.box
    return box.centre.rescaled(seen.size)


def _target(element: UIElement, seen: ScreenSnapshot) -> Target:
    return Target(element.box.rescaled(seen.size), element.label, element.resource_id or None)


def _numbers(text: str) -> list[float]:
    """The numbers, where the text has nothing else in it."""
    parts = text.replace(",", " ").split()
    return [float(part) for part in parts] if all(_NUMBER.fullmatch(part) for part in parts) else []


def _needed(rest: str, what: str) -> str:
    if not rest:
        raise UsageError(f"{what} is missing.", hint=f"Actions: {HELP}.")
    return rest


def _alone(action: Action, rest: str) -> Action:
    if rest:
        raise UsageError(f"{rest!r} is too much.", hint=f"Actions: {HELP}.")
    return action


def _unquoted(text: str) -> str:
    """The word without the quotes around it."""
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'" else text
