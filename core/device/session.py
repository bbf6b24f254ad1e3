"""A device in use: one mirror, one thread that touches it, and what its screen showed before each touch.

Whoever records or acts for a person (a recorder, an agent) goes through `act`, so that every action has the screen and
the UI tree *before* it.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

import numpy as np

from stepscope.core.device.device import Device, DeviceLost, DeviceTimeout, UITreeUnavailableError
from stepscope.core.device.frames import Frame
from stepscope.core.device.mirror import Mirror, MirrorState
from stepscope.core.domain.action import Action, DoubleTap, LongPress, Swipe, Tap, Target, Type
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import probe_bytes
from stepscope.core.listeners import Listeners

T = TypeVar("T")

TRIES = 3
"""Looks at a screen that does not rest, before it is taken as it is."""
REST_SECONDS = 0.3
"""A screen that has not changed for so long after a touch is looked at ahead of the next one."""
PATIENCE_SECONDS = 3.0
"""No longer is waited for a screen to come to rest."""
CARET_SHARE = 0.0005
"""Two pictures of which fewer pixels than this differ show the same screen: a caret blinks, the clock goes on."""
_DIFFERENT = 24
"""Levels of a channel by which a pixel must differ to count; less is the video's loss."""


@dataclass(frozen=True, slots=True, eq=False)
class ScreenSnapshot:
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
class PerformedAction:
    """An action that was done: `before` is what the screen showed, None where nobody needed it."""

    action: Action
    before: ScreenSnapshot | None
    at: float


class LiveSession:
    """Owns `device`. Futures are fulfilled in the session's own threads: touch no widget in their callbacks.

    `watch_screen`: look at the screen before every action, as recording and agents need; while nobody acts the session
    looks ahead, so that the next action need not wait. `performed` tells what was done, in the session's thread, before
    whoever waits for it hears of it.
    """

    def __init__(
        self,
        device: Device,
        on_frame: Callable[[], object] = lambda: None,
        on_state: Callable[[MirrorState], object] = lambda state: None,
        *,
        rest: float = REST_SECONDS,
    ) -> None:
        """`rest` is how many seconds a touched screen must stand still before it is looked at."""
        self.device = device
        self._rest_seconds = rest
        self.mirror = Mirror(device, on_frame, on_state)
        self.watch_screen = False
        self.performed = Listeners[PerformedAction]()
        self._hands = ThreadPoolExecutor(1, "device input")
        self._eyes = ThreadPoolExecutor(1, "device looks")
        self._known: tuple[ScreenSnapshot, Frame | None] | None = None
        self._touched = 0.0
        self._pause = threading.Event()
        """set when all waiting is to end"""

    def start(self) -> None:
        self.mirror.start()

    def close(self) -> None:
        """End everything; what waits for the device ends with DeviceLost or is dropped."""
        self._pause.set()
        for threads in (self._hands, self._eyes):
            threads.shutdown(wait=False, cancel_futures=True)
        self.device.close()
        self.mirror.stop()
        for threads in (self._hands, self._eyes):
            threads.shutdown(wait=True)

    # Doing -----------------------------------------------------------------------------------------------------------

    def act(
        self,
        action: Action,
        *,
        milliseconds: int | None = None,
        check: Callable[[Action, ScreenSnapshot], object] | None = None,
    ) -> Future[PerformedAction]:
        """Do the action behind those before it. Where the screen is watched it is looked at first, and the action's
        target is the element under it. `check` has it looked at in any case and is called in the session's thread with
        what will be done and what was seen: what it raises stops the action."""
        return self._hands.submit(self._act, action, milliseconds, check)

    def do(self, work: Callable[[Device], T]) -> Future[T]:
        """Do any other work in turn with the actions (install, rotate, list of apps)."""
        return self._hands.submit(self._do, work)

    def _do(self, work: Callable[[Device], T]) -> T:
        try:
            return work(self.device)
        finally:
            self._touched = time.monotonic()

    def _act(
        self, action: Action, milliseconds: int | None, check: Callable[[Action, ScreenSnapshot], object] | None
    ) -> PerformedAction:
        seen = self.look().result() if self.watch_screen or check is not None else None
        if seen is not None:
            action = with_target(action, seen)
            if check is not None:
                check(action, seen)
        self._do(lambda device: device.perform(action, milliseconds=milliseconds))
        if self.watch_screen:
            self._eyes.submit(self._look_ahead)
        acted = PerformedAction(action, seen, self._touched)
        self.performed.tell(acted)
        return acted

    # Looking ---------------------------------------------------------------------------------------------------------

    def look(self, *, fresh: bool = False) -> Future[ScreenSnapshot]:
        """What the screen shows; the last look where nothing has changed since, unless `fresh`. After a touch the
        screen is first let come to rest, `PATIENCE_SECONDS` at most."""
        return self._eyes.submit(self._look, fresh)

    def is_current(self, seen: ScreenSnapshot) -> bool:
        """Whether `seen` is the last look and nothing has changed on the screen since; from any thread."""
        known = self._known
        return known is not None and known[0] is seen and self._is_current(*known)

    def _look_ahead(self) -> None:
        """Look before somebody asks; what goes wrong is told to who asks."""
        with contextlib.suppress(UserError):
            self._look(False)

    def _look(self, fresh: bool) -> ScreenSnapshot:
        if self._known is not None and not fresh and self._is_current(*self._known):
            return self._known[0]
        self._rest()
        seen = observe(self.device, lambda: self.mirror.newest.latest)
        self._known = seen, self.mirror.newest.latest
        return seen

    def _is_current(self, seen: ScreenSnapshot, frame: Frame | None) -> bool:
        return seen.matched and seen.at > self._touched and alike(frame, self.mirror.newest.latest)

    def _rest(self) -> None:
        """Wait until the screen has come to rest after the last touch."""
        until = self._touched + PATIENCE_SECONDS
        frame, since = self.mirror.newest.latest, max(self._touched, 0.0)
        while (now := time.monotonic()) < until and now - since < self._rest_seconds:
            self._pause.wait(min(self._rest_seconds / 4, until - now))
            latest = self.mirror.newest.latest
            if latest is not frame and not alike(frame, latest):
                frame, since = latest, time.monotonic()


def alike(before: Frame | None, after: Frame | None) -> bool:
    """Whether two frames show the same screen but for a caret or the clock; frames scaled differently are not
    compared: they count as different."""
    if before is None or after is None or before is after:
        return before is after
    if before.image.shape != after.image.shape or before.size != after.size:
        return False
    differs = np.abs(before.image.astype(np.int16) - after.image.astype(np.int16)).max(axis=2) > _DIFFERENT
    return float(differs.mean()) < CARET_SHARE


def observe(device: Device, newest: Callable[[], Frame | None], tries: int = TRIES) -> ScreenSnapshot:
    """Picture and tree of one and the same screen: taken again while it changed between them, `tries` times at most.

    Raises DeviceLost; a tree that cannot be had is left out, with the reason.
    """
    while True:
        tries -= 1
        before = newest()
        picture = device.screenshot()
        tree, problem = _tree(device)
        activity = tree.activity if tree is not None and tree.activity else device.foreground()
        after = newest()
        size = probe_bytes(picture, device.info.name).size
        turned = tree is not None and tree.size != size
        matched = alike(before, after) and not turned
        if matched or tries <= 0:
            number = after.number if after is not None else -1
            if turned:
                tree, problem = None, "the UI tree is of a screen of another size"
            return ScreenSnapshot(picture, size, tree, activity, time.monotonic(), number, matched, problem)


def _tree(device: Device) -> tuple[UITree | None, str]:
    try:
        return device.tree(), ""
    except DeviceLost:
        raise
    except (UITreeUnavailableError, DeviceTimeout) as error:
        return None, error.message


def with_target(action: Action, seen: ScreenSnapshot) -> Action:
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
