"""Actions of a person or an agent, done on the device.

Touches go through scrcpy's control channel where that runs: it takes them at once. Android's own `input` starts a
program for each, which costs some 50 to 500 ms, and is everywhere.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from stepscope.core.device.adb import keys
from stepscope.core.device.adb.apps import Apps
from stepscope.core.device.adb.link import AdbConnection, quoted
from stepscope.core.device.adb.scrcpy import Scrcpy
from stepscope.core.device.adb.text import TextInjector
from stepscope.core.device.device import DeviceError
from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Drag,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from stepscope.core.domain.geometry import Direction, Point, Size

TAP_MS, LONG_PRESS_MS, SWIPE_MS, SCROLL_MS, DRAG_MS, WAIT_MS = 40, 800, 300, 400, 1200, 1000
LONGEST_MS = 60_000
_BETWEEN_TAPS = 0.09
_FOCUS_SECONDS = 0.3
"""Between the tap into a field and the text: the field takes the focus."""
_SCROLL_SHARE = 0.35
_EDGE = 0.08
"""Swipes of our own keep away from the edges, where they mean something else (back, notifications)."""
_COMPLAINTS = ("error", "exception", "not found", "denied", "usage:", "unknown")
_WAYS = {Direction.DOWN: (0, -1), Direction.UP: (0, 1), Direction.RIGHT: (-1, 0), Direction.LEFT: (1, 0)}
"""Where the finger goes to show what lies in a direction."""


class Control(Protocol):
    def __call__(self, start: bool) -> Scrcpy | None: ...


class DeviceInput:
    """Does actions on one device; one at a time. `screen_size` gives the screen as it is turned now."""

    def __init__(
        self,
        link: AdbConnection,
        apps: Apps,
        control: Control,
        screen_size: Callable[[Size], Size],
        closed: threading.Event,
    ) -> None:
        self._link, self._apps, self._control, self._screen_size = link, apps, control, screen_size
        self._closed = closed
        self._typist = TextInjector(link, control, self.press, self._input, closed)

    def perform(self, action: Action, milliseconds: int | None = None) -> None:
        """Raises DeviceError for what cannot be done on Android, DeviceLost."""
        if milliseconds is not None:
            milliseconds = min(max(milliseconds, 0), LONGEST_MS)
        match action:
            case Tap(point=Point() as point):
                self._tap(point, milliseconds)
            case LongPress(point=Point() as point):
                self._stroke(point, point, milliseconds or LONG_PRESS_MS)
            case DoubleTap(point=Point() as point):
                self._double_tap(point)
            case Swipe(point=point, to=to):
                self._stroke(point, to, milliseconds or SWIPE_MS)
            case Drag(point=point, to=to):
                self._drag(point, to, milliseconds or DRAG_MS)
            case Scroll():
                self._scroll(action, milliseconds or SCROLL_MS)
            case Type(text=text, point=at):
                if at is not None:
                    self._tap(at, None)
                    self._closed.wait(_FOCUS_SECONDS)
                self._typist.type(text)
            case PressKey(key=key):
                self.press(key)
            case OpenApp(text=name):
                self._apps.launch(name)
            case Wait():
                self._closed.wait((milliseconds or WAIT_MS) / 1000)
            case Tap() | LongPress() | DoubleTap():
                raise DeviceError(f"a {action.kind.replace('_', ' ')} needs a place", hint="Point at the screen.")
            case _:
                raise DeviceError(
                    f"{action.kind!r} is nothing that can be done on an Android screen",
                    hint="Tap, swipe, type, press a key or open an app instead.",
                )

    def press(self, key: str) -> None:
        """A key by its name, pressed and let go."""
        number = keys.code(key)
        control = self._control(False)
        if control is not None:
            control.key(number)
        else:
            self._input("keyevent", str(number))

    def _tap(self, point: Point, milliseconds: int | None) -> None:
        control = self._control(False)
        if control is not None:
            control.finger([point.fraction], (milliseconds or TAP_MS) / 1000)
        elif milliseconds:
            self._stroke(point, point, milliseconds)
        else:
            self._input("tap", *self._place(point))

    def _double_tap(self, point: Point) -> None:
        control = self._control(False)
        if control is not None:
            control.finger([point.fraction], TAP_MS / 1000)
            self._closed.wait(_BETWEEN_TAPS)
            control.finger([point.fraction], TAP_MS / 1000)
            return
        tap = quoted("input", "tap", *self._place(point))
        self._checked(self._link.text(f"{tap}; {tap}"))  # one command: two would come too late after each other

    def _stroke(self, start: Point, end: Point, milliseconds: int) -> None:
        control = self._control(False)
        if control is not None:
            path = [start.fraction] if start == end else [start.fraction, end.fraction]
            control.finger(path, milliseconds / 1000)
        else:
            self._input("swipe", *self._place(start), *self._place(end), str(milliseconds), longer=milliseconds)

    def _drag(self, start: Point, end: Point, milliseconds: int) -> None:
        control = self._control(False)
        if control is not None:  # the first half it is held, which picks it up
            control.finger([start.fraction, start.fraction, end.fraction], milliseconds / 1000)
        else:
            self._input("draganddrop", *self._place(start), *self._place(end), str(milliseconds), longer=milliseconds)

    def _scroll(self, action: Scroll, milliseconds: int) -> None:
        start, end = scroll_stroke(action, action.point.size if action.point else self._screen_size(Size(1, 2)))
        self._stroke(start, end, milliseconds)

    def _place(self, point: Point) -> tuple[str, str]:
        """The nearest whole pixel on the screen as it is now."""
        size = self._screen_size(point.size)
        x, y = point.fraction
        return (
            str(min(max(round(x * size.width), 0), size.width - 1)),
            str(min(max(round(y * size.height), 0), size.height - 1)),
        )

    def _input(self, *words: str, longer: int = 0) -> None:
        self._checked(self._link.text(quoted("input", *words), seconds=15.0 + longer / 1000))

    def _checked(self, said: str) -> None:
        """Raise DeviceError where `input` complains; warnings of the system's loader are none."""
        if "INJECT_EVENTS" in said:
            raise DeviceError("the phone does not let a computer touch it", hint=keys.ALLOW_HINT)
        if any(word in said.lower() for word in _COMPLAINTS):
            raise DeviceError(f"the device refused: {said.splitlines()[0][:300]}")


def scroll_stroke(action: Scroll, size: Size) -> tuple[Point, Point]:
    """The finger's way for a scroll on a screen of `size`, around the action's point or the middle."""
    dx, dy = _WAYS[action.direction]
    x, y = action.point.fraction if action.point is not None else (0.5, 0.5)
    half = _SCROLL_SHARE / 2
    start, end = (x - dx * half, y - dy * half), (x + dx * half, y + dy * half)
    shift_x, shift_y = (_shift(start[0], end[0]), 0.0) if dx else (0.0, _shift(start[1], end[1]))
    return (
        Point.from_fraction(start[0] + shift_x, start[1] + shift_y, size),
        Point.from_fraction(end[0] + shift_x, end[1] + shift_y, size),
    )


def _shift(a: float, b: float) -> float:
    """What brings both between the edges."""
    low, high = min(a, b), max(a, b)
    return max(_EDGE - low, 0.0) or min(1 - _EDGE - high, 0.0)
