"""What the phone shows and how that changes: a recording that is walked through, or a drawn page that remembers."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.action import Action, OpenApp, PressKey, Swipe, Type, action_point
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.resampling import resized

Pixels = NDArray[np.uint8]
SMALL = Size(360, 800)


class Screens(Protocol):
    """The content of the screen. Places are in pixels of the screen as it is turned."""

    size: Size
    """Upright."""

    def picture(self, turned: bool) -> Pixels:
        """Height × width × 3, red green blue; wide where `turned`."""
        ...

    def tree(self, turned: bool) -> UITree: ...

    @property
    def activity(self) -> str:
        """`package/activity` in front."""
        ...

    @property
    def version(self) -> int:
        """Another one whenever the picture may be another one."""
        ...

    def perform(self, action: Action) -> bool:
        """Whether it did anything."""
        ...


class RecordedScreens:
    """Moves along a recording's steps: an action that fits the recorded one leads to the next screen, any other does
    nothing. Pictures are shown at `size`, which has the shape of the recorded ones."""

    def __init__(self, episode: Episode, size: Size | None = None) -> None:
        self._steps = [step for step in episode.steps if step.observation.screenshot is not None]
        self.size = size or self._steps[0].observation.size
        self._at = 0
        self._lock = threading.Lock()
        self._pictures: dict[int, Pixels] = {}

    @classmethod
    def from_folder(cls, folder: Path, size: Size | None = None) -> RecordedScreens:
        from stepscope.core.sources.recording import read_recording

        return cls(read_recording(folder), size)

    @property
    def place(self) -> int:
        """Index of the step that is shown."""
        return self._at

    @property
    def version(self) -> int:
        return self._at

    @property
    def activity(self) -> str:
        return self._step.observation.activity

    def picture(self, turned: bool) -> Pixels:
        at = self._at
        with self._lock:
            known = self._pictures.get(at)
        if known is None:
            shot = self._steps[at].observation.screenshot
            assert shot is not None
            known = resized(decode(shot), self.size)
            with self._lock:
                self._pictures = {at: known}
        return np.ascontiguousarray(np.rot90(known)) if turned else known

    def tree(self, turned: bool) -> UITree:
        tree = self._step.observation.tree
        assert tree is not None
        return rescaled(tree, self.size)

    def perform(self, action: Action) -> bool:
        with self._lock:
            while self._at < len(self._steps) - 1 and self._step.action is not None:
                fits = _fits(action, self._step)
                if fits is False:
                    return False
                self._at += 1
                if fits:
                    return True
            return False

    @property
    def _step(self) -> Step:
        return self._steps[self._at]


def _fits(action: Action, step: Step) -> bool | None:
    """Whether it is the step's action; None for a step that is no touch of the phone, which is passed by."""
    recorded = step.action
    if recorded is None or recorded.kind in ("ask", "say", "wait", "finish"):
        return None
    if isinstance(recorded, Type):
        return isinstance(action, Type) and action.text.casefold() == recorded.text.casefold()
    if isinstance(recorded, PressKey | OpenApp):
        return type(action) is type(recorded)
    if isinstance(action, Swipe):
        wanted = getattr(recorded, "direction", None)
        return recorded.kind in ("swipe", "scroll", "drag") and wanted in (None, action.direction, *_against(action))
    point = action_point(action)
    if action.kind != recorded.kind or point is None:
        return False
    place = point.rescaled(step.observation.size)
    target = getattr(recorded, "target", None)
    if target is not None and target.box is not None:
        return bool(target.box.contains(place))
    aimed = action_point(recorded)
    return aimed is not None and place.distance_in_fractions(aimed) < 0.05


def _against(swipe: Swipe) -> tuple[object, ...]:
    """A scroll is told by where the view goes, a swipe by where the finger goes."""
    return (Swipe(swipe.to, swipe.point).direction,)


def rescaled(tree: UITree, size: Size) -> UITree:
    """The tree with boxes in a picture of another size."""
    from dataclasses import replace

    if tree.size == size:
        return tree
    return UITree(tuple(replace(e, box=e.box.rescaled(size)) for e in tree), tree.origin, size, tree.activity)


class NotePad:
    """A drawn page with one text field, a button that counts, and a line that follows swipes. It remembers what was
    done, so that a test can compare; other texts and taps are kept in `typed` and `taps`."""

    FIELD, BUTTON = (0.1, 0.1, 0.9, 0.25), (0.1, 0.4, 0.9, 0.55)
    """Left, top, right and bottom as shares of the screen."""

    def __init__(self, size: Size = SMALL, package: str = "com.example.notes") -> None:
        self.size, self.package = size, package
        self.typed, self.count = "", 0
        self.taps: list[Point] = []
        self.done: list[Action] = []
        self.focused = False
        self._version = 0
        self._lock = threading.Lock()

    @property
    def version(self) -> int:
        return self._version

    @property
    def activity(self) -> str:
        return f"{self.package}/.MainActivity"

    def picture(self, turned: bool) -> Pixels:
        size = _turned(self.size, turned)
        pixels = np.full((size.height, size.width, 3), 240, np.uint8)
        for share, colour in ((self.FIELD, (250, 250, 200)), (self.BUTTON, self.button_colour)):
            box = _box(share, size)
            pixels[round(box.top) : round(box.bottom), round(box.left) : round(box.right)] = colour
        return pixels

    @property
    def button_colour(self) -> tuple[int, int, int]:
        """Another one after every press, far enough from the last one to survive the encoder."""
        return ((40, 90, 200), (200, 60, 40), (40, 170, 70))[self.count % 3]

    def tree(self, turned: bool) -> UITree:
        size = _turned(self.size, turned)
        whole = Box(0, 0, size.width, size.height, size)
        field = UIElement(
            1, _box(self.FIELD, size), 0, 1, text=self.typed, class_name="android.widget.EditText", editable=True,
            resource_id=f"{self.package}:id/field", focused=self.focused,
            package=self.package, clickable=True,
        )  # fmt: skip
        button = UIElement(
            2, _box(self.BUTTON, size), 0, 1, text=f"Pressed {self.count} times", class_name="android.widget.Button",
            resource_id=f"{self.package}:id/button", package=self.package, clickable=True,
        )  # fmt: skip
        root = UIElement(0, whole, class_name="android.widget.FrameLayout", package=self.package)
        return UITree((root, field, button), TreeOrigin.DUMP, size)

    def perform(self, action: Action) -> bool:
        with self._lock:
            self.done.append(action)
            point = action_point(action)
            if isinstance(action, Type) and self.focused:
                self.typed += action.text
            elif action.kind == "tap" and point is not None:
                self.taps.append(point)
                self.focused = _box(self.FIELD, point.size).contains(point)
                self.count += _box(self.BUTTON, point.size).contains(point)
            elif isinstance(action, PressKey) and action.key == "del":
                self.typed = self.typed[:-1]
            self._version += 1
            return True


def _turned(size: Size, turned: bool) -> Size:
    return Size(size.height, size.width) if turned else size


def _box(share: tuple[float, float, float, float], size: Size) -> Box:
    left, top, right, bottom = share
    return Box(
        round(left * size.width), round(top * size.height), round(right * size.width), round(bottom * size.height), size
    )
