"""The lines of LlamaTouch's `eventStructs.txt` as actions.

`[Click] Screen Resolution (320, 720), Click Position (204, 170)` and its kin; places are in the frame that the line
itself names. The kinds are those that the web recorder writes (Click, Long Click, Swipe, Drag, Input, keys); its older
release wrote the same in Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from stepscope.core.domain.action import Action, Drag, Key, LongPress, PressKey, Swipe, Tap, Type
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.sources.files import shortened
from stepscope.core.sources.tree_builder import target_at

_LINE = re.compile(r"[\[【]\s*([^\]】]+?)\s*[\]】]\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"-?\d{1,7}(?:\.\d{1,9})?")

_KEYS = {
    "home": Key.HOME,
    "back": Key.BACK,
    "enter": Key.ENTER,
    "recents": Key.RECENTS,
    "app switch": Key.RECENTS,
    "home键": Key.HOME,
    "back键": Key.BACK,
}

_OnePlace = Callable[[Point, UITree | None], Action]
_TwoPlaces = Callable[[Point, Point, UITree | None], Action]

_AT_ONE: dict[str, _OnePlace] = {
    "click": lambda point, tree: Tap(point, target_at(tree, point)),
    "点击事件": lambda point, tree: Tap(point, target_at(tree, point)),
    "long click": lambda point, tree: LongPress(point, target_at(tree, point)),
}
_FROM_TO: dict[str, _TwoPlaces] = {
    "swipe": lambda start, end, tree: Swipe(start, end, target_at(tree, start)),
    "滑动事件": lambda start, end, tree: Swipe(start, end, target_at(tree, start)),
    "drag": lambda start, end, tree: Drag(start, end, target_at(tree, start)),
}
_TYPED = ("input", "键盘输入")


def event_action(line: str, size: Size, tree: UITree | None) -> Action:
    """The action of one line on a screenshot of `size`, its target out of `tree`; ValueError for unknown lines."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"{shortened(line)!r} is no event" if line else "no event on this line")
    kind, rest = match[1].lower(), match[2]
    if kind in _KEYS:
        return PressKey(_KEYS[kind])
    if kind in _TYPED:
        return Type(rest.strip())
    if kind in _AT_ONE:
        return _AT_ONE[kind](_places(rest, 1, size)[0], tree)
    if kind in _FROM_TO:
        start, end = _places(rest, 2, size)
        return _FROM_TO[kind](start, end, tree)
    raise ValueError(f"the event [{shortened(match[1])}] is not known")


def _places(text: str, count: int, size: Size) -> list[Point]:
    """`count` places, scaled from the resolution that stands first to `size`."""
    numbers = [float(number) for number in _NUMBER.findall(text)]
    if len(numbers) != 2 + 2 * count:
        raise ValueError(f"{shortened(text)!r} does not name a resolution and {count} position{'s'[: count - 1]}")
    width, height, *places = numbers
    if width <= 0 or height <= 0:
        raise ValueError(f"the screen resolution {width:g} × {height:g} is empty")
    return [
        Point(x / width * size.width, y / height * size.height, size)
        for x, y in zip(places[::2], places[1::2], strict=True)
    ]
