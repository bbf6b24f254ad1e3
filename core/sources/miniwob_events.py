"""The low-level events of a MiniWoB++ demonstration, gathered into what the person did.

The recorder notes each event in the capture phase (timing 1, before the page reacts) and again in the bubble phase
(timing 3). Only the first is kept. Rules: mousedown, mouseup and click are one press; a press that is let go more than
5 pixels away is a drag; two presses with a dblclick are one double press; characters in a row are one text; a press
without a click during which something scrolls is a grip on a scroll bar. Of several scroll events in a row the recorder
keeps one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any, Literal

from stepscope.core.domain.action import Key
from stepscope.core.frozen import dataclass
from stepscope.core.sources.miniwob_dom import number_of

_BUBBLE = 3
_DRAG_PIXELS = 5.0
"""A hand moves the mouse a few pixels while clicking; browsers begin to drag at 3 to 5 (ours)."""

_SHIFT, _CTRL, _ALT = 16, 17, 18
_META = (91, 92, 93, 224)
_MODIFIERS = (_SHIFT, _CTRL, _ALT, *_META)

_KEYS: dict[int, str] = {
    8: "backspace",
    9: "tab",
    13: Key.ENTER,
    27: "escape",
    33: "page_up",
    34: "page_down",
    35: "move_end",
    36: "move_home",
    37: "left",
    38: "up",
    39: "right",
    40: "down",
    45: "insert",
    46: "delete",
}
"""Keys by the DOM's `keyCode`; the ends of a line have Android's names for them, since "home" is another key there."""

_FUNCTION_KEYS = range(112, 124)
_FIRST_PRINTABLE, _DELETE_CHARACTER, _SURROGATES, _LAST = 32, 127, range(0xD800, 0xE000), 0x10FFFF

Kind = Literal["press", "double", "drag", "text", "key", "scroll"]
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Event:
    """One event; `state` is the index of the snapshot that was taken as it arrived."""

    state: int
    kind: str
    place: Place | None = None
    key: int = 0
    character: int = 0


@dataclass(frozen=True, slots=True)
class Gesture:
    """Something the person did. `state` is the index of the last snapshot before it.

    `place` and `to` are in pixels of the page; `scrolled`: something scrolled and nothing was clicked meanwhile;
    `scroller` is then the snapshot that names what did.
    """

    kind: Kind
    state: int
    place: Place | None = None
    to: Place | None = None
    text: str = ""
    clicked: bool = False
    scroller: int | None = None


def read_event(index: int, action: object) -> Event | None:
    """The event of state `index`, None for its second note; ValueError when it is no event."""
    if not isinstance(action, dict) or not isinstance(action.get("type"), str):
        raise ValueError("an action without type")
    if action.get("timing") == _BUBBLE:
        return None
    kind = action["type"]
    if kind in ("mousedown", "mouseup", "click", "dblclick"):
        return Event(index, kind, _place(action))
    if kind in ("keydown", "keyup", "keypress"):
        return Event(index, kind, key=_code(action, "keyCode"), character=_code(action, "charCode"))
    if kind == "scroll":
        return Event(index, kind)
    raise ValueError(f"an event of unknown type {kind[:40]!r}")


def _place(action: Mapping[str, Any]) -> Place:
    """Flight pages tell the place in the window (cx, cy) too, and that is where their elements' boxes are measured."""
    windowed = "cx" in action and "cy" in action
    x, y = (number_of(action.get(name)) for name in (("cx", "cy") if windowed else ("x", "y")))
    if x is None or y is None:
        raise ValueError(f"a {action['type']} without a place")
    return x, y


def _code(action: Mapping[str, Any], name: str) -> int:
    code = action.get(name, 0)
    return code if type(code) is int and 0 <= code <= _LAST else 0


def gestures(events: Iterable[Event]) -> list[Gesture]:
    """The events, in their order, as gestures."""
    gathered = _GestureBuilder()
    for event in events:
        gathered.take(event)
    return gathered.done


@dataclass
class _GestureBuilder:
    done: list[Gesture] = field(default_factory=list)
    pressed: bool = False
    typing: bool = False
    held: set[int] = field(default_factory=set)

    def take(self, event: Event) -> None:
        match event.kind:
            case "mousedown":
                self.held.clear()  # a key let go while another window was in front is not noted
                self.pressed, self.typing = True, False
                self.done.append(Gesture("press", event.state, event.place))
            case "mouseup":
                self._release(event)
            case "click":
                self._click(event)
            case "dblclick":
                self._double(event)
            case "keydown":
                self._key_down(event)
            case "keyup":
                self.held.discard(event.key)
                self.typing = False
            case "keypress":
                self._character(event)
            case _:
                self._scroll(event)

    def _last(self, *kinds: Kind) -> Gesture | None:
        return self.done[-1] if self.done and self.done[-1].kind in kinds else None

    def _release(self, event: Event) -> None:
        press = self._last("press")
        if press is None or not self.pressed:
            return
        self.pressed = False
        if press.place and event.place and math.dist(press.place, event.place) > _DRAG_PIXELS:
            self.done[-1] = replace(press, kind="drag", to=event.place)

    def _click(self, event: Event) -> None:
        press = self._last("press", "drag")
        if press is not None:
            self.done[-1] = replace(press, clicked=True)
        elif not self.done:
            self.done.append(Gesture("press", event.state, event.place, clicked=True))

    def _double(self, event: Event) -> None:
        if len(self.done) >= 2 and self.done[-1].kind == self.done[-2].kind == "press":
            self.done.pop()
        press = self._last("press")
        if press is not None:
            self.done[-1] = replace(press, kind="double", clicked=True)
        else:
            self.done.append(Gesture("double", event.state, event.place, clicked=True))

    def _key_down(self, event: Event) -> None:
        self.typing = True
        if event.key in _MODIFIERS:
            self.held.add(event.key)
            return
        name = _key_name(event.key)
        if shortcut := self._shortcut():
            name = name or (chr(event.key).lower() if chr(event.key).isalnum() and event.key < 91 else "")
            name = name and "+".join((*shortcut, name))
        if name:
            self.done.append(Gesture("key", event.state, text=name))

    def _shortcut(self) -> list[str]:
        """Names of the held keys that turn a character into a command; Ctrl with Alt writes characters (AltGr)."""
        names = []
        if _CTRL in self.held and _ALT not in self.held:
            names.append("ctrl")
        if self.held.intersection(_META):
            names.append("meta")
        if names and _SHIFT in self.held:
            names.append("shift")
        return names

    def _character(self, event: Event) -> None:
        code = event.character
        printable = code >= _FIRST_PRINTABLE and code != _DELETE_CHARACTER and code not in _SURROGATES
        if not printable or self._shortcut():
            return
        text = self._last("text")
        if text is not None:
            self.done[-1] = replace(text, text=text.text + chr(code))
        else:
            self.done.append(Gesture("text", event.state, text=chr(code)))

    def _scroll(self, event: Event) -> None:
        """A scroll while a press is held is the press's doing, one while or after a key is pressed is the key's."""
        grip = self._last("press", "drag")
        if grip is not None and not grip.clicked:
            self.done[-1] = replace(grip, scroller=event.state if grip.scroller is None else grip.scroller)
        elif not self.typing and self._last("key", "scroll") is None:
            self.done.append(Gesture("scroll", max(event.state - 1, 0), scroller=event.state))


def _key_name(code: int) -> str:
    if code in _FUNCTION_KEYS:
        return f"f{code - _FUNCTION_KEYS.start + 1}"
    return _KEYS.get(code, "")
