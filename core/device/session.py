"""A device in use: one mirror, one thread that touches it, and what its screen showed before each touch.

Whoever records or acts for a person (a recorder, an agent) goes through `act`, so that every action has the screen and
the UI tree *before* it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar

from core.device.device import Device, DeviceLost, DeviceTimeout, NoTree
from core.device.mirror import Mirror, MirrorState
from core.domain.action import Action, DoubleTap, LongPress, Swipe, Tap, Target, Type
from core.domain.elements import UITree
from core.domain.geometry import Point, Size

T = TypeVar("T")

TRIES = 3
"""Looks at a screen that does not rest, before it is taken as it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The screen at one time. `picture` is a PNG, JPEG or WebP file of `size`; `tree` None: `tree_problem` says why.
    `at` is a time of `time.monotonic`. `matched`: nothing changed on the screen while picture and tree were taken.
    `frame` is the number of the newest frame then, -1 without any."""

    picture: bytes
    size: Size
    tree: UITree | None
    activity: str
    at: float
    frame: int
    matched: bool = True
    tree_problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Acted:
    """An action that was done: `before` is what the screen showed, None where nobody needed it."""

    action: Action
    before: Seen | None
    at: float


class LiveSession:
    """Owns `device`. Futures are fulfilled in the session's own thread: touch no widget in their callbacks.

    `watch_screen`: look at the screen before every action, as recording and agents need. `before_act` is called in the
    session's thread with what will be done and what was seen, before it is done; what it raises stops the action.
    """

    def __init__(
        self, device: Device, on_frame: Callable[[], object], on_state: Callable[[MirrorState], object]
    ) -> None:
        self.device = device
        self.mirror = Mirror(device, on_frame, on_state)
        self.watch_screen = False
        self.before_act: Callable[[Action, Seen | None], object] = lambda action, seen: None
        self._hands = ThreadPoolExecutor(1, "device input")
        self._seen: Seen | None = None
        self._touched = 0.0
        self._lock = threading.Lock()

    def start(self) -> None:
        self.mirror.start()

    def close(self) -> None:
        """End everything; what waits for the device ends with DeviceLost or is dropped."""
        self._hands.shutdown(wait=False, cancel_futures=True)
        self.device.close()
        self.mirror.stop()
        self._hands.shutdown(wait=True)

    # Doing ------------------------------------------------------------------------------------------------------------

    def act(self, action: Action, *, milliseconds: int | None = None) -> Future[Acted]:
        """Do the action behind those before it. Where the screen is watched it is looked at first, and the action's
        target is the element under it."""
        return self._hands.submit(self._act, action, milliseconds)

    def look(self, *, fresh: bool = False) -> Future[Seen]:
        """What the screen shows; the last look where nothing has changed since, unless `fresh`."""
        return self._hands.submit(self._look, fresh)

    def do(self, work: Callable[[Device], T]) -> Future[T]:
        """Anything else, in turn with the actions (install, rotate, list of apps)."""
        return self._hands.submit(self._do, work)

    @property
    def last_seen(self) -> Seen | None:
        """The last look, however old."""
        return self._seen

    def _do(self, work: Callable[[Device], T]) -> T:
        value = work(self.device)
        self._touched = time.monotonic()
        return value

    def _act(self, action: Action, milliseconds: int | None) -> Acted:
        seen = self._look(False) if self.watch_screen else None
        if seen is not None:
            action = aimed(action, seen)
        self.before_act(action, seen)
        self.device.perform(action, milliseconds=milliseconds)
        self._touched = time.monotonic()
        return Acted(action, seen, self._touched)

    # Looking ----------------------------------------------------------------------------------------------------------

    def _look(self, fresh: bool) -> Seen:
        known = self._seen
        if known is not None and not fresh and known.matched and self._is_current(known):
            return known
        seen = observe(self.device, self._frame_number)
        self._seen = seen
        return seen

    def _is_current(self, seen: Seen) -> bool:
        return seen.frame == self._frame_number() and seen.at > self._touched

    def _frame_number(self) -> int:
        latest = self.mirror.newest.latest
        return latest.number if latest is not None else -1


def observe(device: Device, frame_number: Callable[[], int], tries: int = TRIES) -> Seen:
    """Picture and tree of one and the same screen: taken again while frames came between, `tries` times at most.

    Raises DeviceLost; a tree that cannot be had is left out, with the reason.
    """
    while True:
        tries -= 1
        before = frame_number()
        picture = device.screenshot()
        tree, problem = _tree(device)
        activity = tree.activity if tree is not None and tree.activity else device.foreground()
        matched = frame_number() == before
        if matched or tries <= 0:
            size = tree.size if tree is not None else device.screen().size
            return Seen(picture, size, tree, activity, time.monotonic(), frame_number(), matched, problem)


def _tree(device: Device) -> tuple[UITree | None, str]:
    try:
        return device.tree(), ""
    except DeviceLost:
        raise
    except (NoTree, DeviceTimeout) as error:
        return None, error.message


def aimed(action: Action, seen: Seen) -> Action:
    """The action with the element under it as its target; typed text goes to the field that has the focus. An action
    that has a target, or a screen without a tree, leaves it as it is."""
    if seen.tree is None or getattr(action, "target", None) is not None:
        return action
    if isinstance(action, Type) and action.point is None:
        field = next((e for e in seen.tree if e.focused and e.editable), None)
    elif isinstance(action, Tap | LongPress | DoubleTap | Swipe | Type) and isinstance(action.point, Point):
        field = seen.tree.target_at(action.point)
    else:
        return action
    if field is None:
        return action
    return replace(action, target=Target(field.box, field.label, field.resource_id or None))
