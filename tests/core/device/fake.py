"""A phone of a few scripted pages, in memory: what tests of recorders, agents and windows touch instead of a real one.

    phone = FakeDevice(shop())
    phone.perform(Tap(phone.place("Buy")))     # follows the link of that element
    phone.lose(); phone.come_back()            # unplugged and plugged in again
    phone.before = hook                        # called with a method's name before it works: may block or raise

Everything done is in `phone.done`; `phone.page` is where it stands; `phone.show()` sends one more frame by hand.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from stepscope.core.device.device import (
    DeviceCapability,
    DeviceError,
    DeviceInfo,
    DeviceKind,
    DeviceLost,
    InstalledApp,
    ScreenGeometry,
    UITreeUnavailableError,
)
from stepscope.core.device.frames import Frame, Pixels
from stepscope.core.domain.action import Action, DoubleTap, LongPress, OpenApp, PressKey, Tap, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Point, Size

SIZE = Size(108, 240)
ROW = 20
"""Elements are rows of this height, one under the other."""


@dataclass(frozen=True, slots=True)
class Row:
    """One element of a page: `kind` button, field, password or words; `to` is the page that a tap on it opens."""

    text: str
    to: str = ""
    kind: str = "button"


@dataclass(frozen=True, slots=True)
class Page:
    """`app` is the package in front, `title` its name for people."""

    rows: tuple[Row, ...]
    app: str = "org.example.shop"
    colour: int = 200


def shop() -> dict[str, Page]:
    """A start page, an app of three pages, and a login with a password field."""
    return {
        "home": Page((Row("Shop", "list"), Row("Clock", "clock")), "org.example.launcher", 90),
        "list": Page((Row("Search", kind="field"), Row("Kettle", "kettle"), Row("Log in", "login")), colour=230),
        "kettle": Page((Row("Buy now", "bought"), Row("Steel, 1.7 l", kind="words")), colour=200),
        "bought": Page((Row("Thank you", kind="words"),), colour=170),
        "login": Page((Row("Name", kind="field"), Row("Secret", kind="password"), Row("Enter", "list")), colour=140),
        "clock": Page((Row("07:00", kind="words"),), "org.example.clock", 120),
    }


APPS = (InstalledApp("org.example.shop", "Shop"), InstalledApp("org.example.clock", "Clock"))
FIRST = {"Shop": "list", "Clock": "clock"}


@dataclass
class FakeDevice:
    """A `Device`. `sends_frames` False: no frame comes but by `show`, so that looks are never out of step."""

    pages: Mapping[str, Page] = field(default_factory=shop)
    page: str = "home"
    size: Size = SIZE
    serial: str = "fake"
    sends_frames: bool = True
    has_tree: bool = True
    before: Callable[[str], object] = lambda name: None

    def __post_init__(self) -> None:
        self.info = DeviceInfo(self.serial, "Fake phone", DeviceKind.SIMULATED, detail=str(self.size))
        self.abilities = frozenset({DeviceCapability.ANY_TEXT, DeviceCapability.ROTATE})
        self.condition = ""
        self.notes: tuple[str, ...] = ()
        self.done: list[Action] = []
        self.typed: dict[str, str] = {}
        self.focus = ""
        self.turned = False
        self.lost = self.closed = False
        self.installed: list[Path] = []
        self._past: list[str] = []
        self._videos: list[FakeVideo] = []
        self._frames = 0
        self._lock = threading.RLock()

    # What tests do with it --------------------------------------------------------------------------------------------

    def place(self, text: str) -> Point:
        """The middle of the row that was written with that text, on the page that is shown."""
        place = next(place for place, row in enumerate(self._rows(), start=1) if row.text == text)
        return self._elements()[place].box.centre

    def go(self, page: str) -> None:
        """The page changes by itself, as when a message arrives."""
        with self._lock:
            self.page = page
            self._changed()

    def lose(self) -> None:
        """Unplugged: every call raises DeviceLost, the video ends with it."""
        with self._lock:
            self.lost = True
            for video in self._videos:
                video.put(DeviceLost("the device was unplugged"))

    def come_back(self) -> None:
        """Plugged in again; `reconnect` works."""
        self.lost = False

    def show(self) -> None:
        """Send one frame of what is on the screen."""
        with self._lock:
            self._frames += 1
            for video in self._videos:
                video.put(self._pixels())

    # What a device does -----------------------------------------------------------------------------------------------

    def screen(self) -> ScreenGeometry:
        self._reach("screen")
        return ScreenGeometry(self._turned_size, 1 if self.turned else 0)

    def video(self) -> FakeVideo:
        self._reach("video")
        video = FakeVideo()
        with self._lock:
            self._videos.append(video)
            video.put(self._pixels())
        return video

    def screenshot(self) -> bytes:
        self._reach("screenshot")
        return cv2.imencode(".png", self._pixels()[:, :, ::-1])[1].tobytes()

    def tree(self) -> UITree:
        self._reach("tree")
        if not self.has_tree:
            raise UITreeUnavailableError("the screen never rests")
        return UITree(tuple(self._elements()), TreeOrigin.DUMP, self._turned_size, self.foreground())

    def perform(self, action: Action, *, milliseconds: int | None = None) -> None:
        self._reach("perform")
        with self._lock:
            self.done.append(action)
            match action:
                case Tap() | LongPress() | DoubleTap():
                    self._touch(action.point)
                case Type():
                    self._type(action)
                case PressKey(key="back"):
                    self.page, self.focus = (self._past.pop() if self._past else "home"), ""
                case PressKey(key="home"):
                    self._open("home")
                case OpenApp():
                    if action.text not in FIRST:
                        raise DeviceError(f"there is no app {action.text!r}", hint="Name one that is installed.")
                    self._open(FIRST[action.text])
            self._changed()

    def apps(self) -> tuple[InstalledApp, ...]:
        self._reach("apps")
        return APPS

    def foreground(self) -> str:
        return f"{self.pages[self.page].app}/.{self.page.title()}"

    def install(self, path: Path, progress: Callable[[float], object]) -> None:
        self._reach("install")
        progress(1.0)
        self.installed.append(path)

    def rotate(self) -> None:
        self._reach("rotate")
        with self._lock:
            self.turned = not self.turned
            self._changed()

    def reconnect(self) -> None:
        self._reach("reconnect")

    def facts(self) -> dict[str, str]:
        return {"model": "Fake phone", "android": "0", "screen": str(self.size)}

    def close(self) -> None:
        self.closed = True
        for video in list(self._videos):
            video.close()

    # Inside -----------------------------------------------------------------------------------------------------------

    def _reach(self, name: str) -> None:
        self.before(name)
        if self.lost or self.closed:
            raise DeviceLost("the device is not there")

    def _changed(self) -> None:
        if self.sends_frames:
            self.show()

    def _open(self, page: str) -> None:
        self._past.append(self.page)
        self.page, self.focus = page, ""

    def _touch(self, point: Point | None) -> None:
        found = [row for row, element in zip(self._rows(), self._elements()[1:], strict=True)
                 if point is not None and element.box.contains(point)]  # fmt: skip
        if found and found[0].kind in ("field", "password"):
            self.focus = found[0].text
        elif found and found[0].to:
            self._open(found[0].to)

    def _type(self, action: Type) -> None:
        if action.point is not None:
            self._touch(action.point)
        if not self.focus:
            raise DeviceError("no field has the focus", hint="Tap a field first.")
        self.typed[self.focus] = self.typed.get(self.focus, "") + action.text

    def _rows(self) -> tuple[Row, ...]:
        return self.pages[self.page].rows

    @property
    def _turned_size(self) -> Size:
        return Size(self.size.height, self.size.width) if self.turned else self.size

    def _elements(self) -> list[UIElement]:
        size, app = self._turned_size, self.pages[self.page].app
        root = UIElement(0, Box(0, 0, size.width, size.height, size), class_name="android.widget.FrameLayout")
        found = [replace(root, package=app)]
        for place, row in enumerate(self._rows(), start=1):
            box = Box(4, place * ROW, size.width - 4, place * ROW + ROW - 4, size)
            found.append(self._element(place, row, box, app))
        return found

    def _element(self, index: int, row: Row, box: Box, app: str) -> UIElement:
        editable = row.kind in ("field", "password")
        return UIElement(
            index,
            box,
            0,
            1,
            text=self.typed.get(row.text, row.text if row.kind != "password" else ""),
            content_description=row.text if row.kind == "password" else "",
            resource_id=f"{app}:id/{row.text.lower().replace(' ', '_')}",
            class_name="android.widget.EditText" if editable else "android.widget.Button",
            package=app,
            clickable=editable or bool(row.to),
            editable=editable,
            focused=self.focus == row.text,
            password=row.kind == "password",
        )

    def _pixels(self) -> Pixels:
        """Red, green, blue: each element's box dark, with a stripe as long as its text."""
        size = self._turned_size
        pixels = np.full((size.height, size.width, 3), self.pages[self.page].colour, np.uint8)
        for element in self._elements()[1:]:
            box = element.box
            left, top, right, bottom = int(box.left), int(box.top), int(box.right), int(box.bottom)
            pixels[top:bottom, left:right] = 40
            pixels[top + 6 : top + 10, left + 4 : min(left + 4 + 3 * len(element.text), right - 2)] = (255, 255, 0)
        return pixels


class FakeVideo:
    """Frames as they are put; ends when it is closed, or raises the error that was put."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Pixels | DeviceError | None] = queue.Queue()

    def put(self, what: Pixels | DeviceError) -> None:
        self._waiting.put(what)

    def __iter__(self) -> Iterator[Frame]:
        number = 0
        while (what := self._waiting.get()) is not None:
            if isinstance(what, DeviceError):
                raise what
            now = time.monotonic()
            image = np.dstack([what[:, :, ::-1], np.zeros(what.shape[:2], np.uint8)])
            yield Frame(
                np.ascontiguousarray(image),
                Size(what.shape[1], what.shape[0]),
                number,
                now,
                now,
                lambda what=what: what,
            )
            number += 1

    def fit(self, size: Size | None) -> None:
        """Its images are small already."""

    def close(self) -> None:
        self._waiting.put(None)
