"""The simulated phone: pages of the sample apps in a browser of their own process, a phone that needs no hardware.

This is the client. The process is `resources.sample.device_server`; pictures come through shared memory.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

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
from stepscope.core.device.dom import tree_from_dump
from stepscope.core.device.frames import Frame, Pixels
from stepscope.core.device.ring import RingFrame
from stepscope.core.device.simulated_process import PhoneProcess
from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Type,
    Wait,
)
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.errors import UserError
from stepscope.core.imaging.opencv import cv2

SERIAL = "simulated"
SCREEN_OFF = "The screen is off"
_PNG = (cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE)
"""Even areas of one colour need no filter: so it takes a third of the time, and the files are smaller."""


class SimulatedDevice:
    """A `Device`. Nothing is started before it is first needed, or `connect`. `seed` fills the apps, `theme` is light,
    dark or "" (the seed's own). `progress` is told in words, in another thread, how far the start is."""

    def __init__(
        self,
        *,
        seed: int = 1,
        theme: str = "",
        serial: str = SERIAL,
        progress: Callable[[str], object] = lambda words: None,
    ) -> None:
        self._seed, self._theme, self._serial, self._progress = seed, theme, serial, progress
        self._process: PhoneProcess | None = None
        self._closed = False
        self._starting = threading.Lock()
        self._lock = threading.Lock()

    @property
    def info(self) -> DeviceInfo:
        return device_info(self._serial)

    @property
    def abilities(self) -> frozenset[DeviceCapability]:
        return frozenset({DeviceCapability.ROTATE, DeviceCapability.POWER, DeviceCapability.ANY_TEXT})

    @property
    def condition(self) -> str:
        process = self._process
        return "" if process is None or process.screen.on else SCREEN_OFF

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def pid(self) -> int | None:
        """The process id of the phone while it lives."""
        process = self._process
        return process.pid if process is not None else None

    def connect(self) -> None:
        """Start it now. Takes seconds. Raises UnavailableError without a browser, DeviceLost when closed meanwhile."""
        self._running()

    def screen(self) -> ScreenGeometry:
        return self._running().screen

    def video(self) -> SimulatedVideo:
        return SimulatedVideo(self._running())

    def screenshot(self) -> bytes:
        """A PNG file."""
        process = self._running()
        process.ask("picture")
        shot = process.ring.newest()
        if shot is None:
            raise DeviceError("The simulated phone has no picture.")
        return _png(shot)

    def tree(self) -> UITree:
        """The page's elements; raises NoTree while the screen is off."""
        process = self._running()
        dump = process.ask("tree")
        return tree_from_dump(dump, process.screen.size)

    def perform(self, action: Action, *, milliseconds: int | None = None) -> None:
        """Places in pixels of another size are taken relatively. Text may be in any script."""
        process = self._running()
        do, what = _command(action, process.screen.size)
        try:
            process.ask(do, extra=(milliseconds or 0) / 1000, ms=milliseconds, **what)
        except UITreeUnavailableError as error:
            raise DeviceError(error.message, hint=error.hint) from None

    def apps(self) -> tuple[InstalledApp, ...]:
        return tuple(InstalledApp(package, title) for package, title in self._running().ask("apps"))

    def foreground(self) -> str:
        return str(self._running().ask("foreground"))

    def install(self, path: Path, progress: Callable[[float], object]) -> None:
        raise DeviceError(
            "The simulated phone takes no other apps.", hint="Connect an Android device to install one there."
        )

    def rotate(self) -> None:
        self._running().ask("rotate")

    def state(self) -> dict[str, Any]:
        """The app's own account of itself: page, dialog, keyboard, and its data."""
        found: dict[str, Any] = self._running().ask("state")
        return found

    def reset(
        self, *, seed: int | None = None, theme: str | None = None, app: str = "launcher", without: str = ""
    ) -> None:
        """Put the phone back to how it was at first, with another content or theme if given, at `app` (its short
        name), and without the elements of these short ids, separated by commas."""
        self._seed = self._seed if seed is None else seed
        self._theme = self._theme if theme is None else theme
        self._running().ask("reset", seed=self._seed, theme=self._theme, app=app, without=without)

    def reconnect(self) -> None:
        """Start it anew, at the home screen, where it has ended."""
        with self._starting:
            process = self._process
            if process is not None and (process.over or process.pid is None):
                process.close()
                self._process = None
        self._running()

    def facts(self) -> Mapping[str, str]:
        size = self.screen().size
        return {
            "model": "Simulated phone",
            "system": "sample apps",
            "screen": str(size),
            "seed": str(self._seed),
            "theme": self._theme or "of the seed",
        }

    def close(self) -> None:
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.close()

    def _running(self) -> PhoneProcess:
        """The process, started if there is none. One that has ended stays so until `reconnect`."""
        process = self._process
        if process is not None and process.started:
            return process
        with self._starting:
            with self._lock:
                if self._closed:
                    raise DeviceLost("The simulated phone was closed.")
                if self._process is None:
                    self._process = PhoneProcess(seed=self._seed, theme=self._theme)
                process = self._process
            if not process.started:
                try:
                    process.start(self._progress)
                except UserError:
                    self._process = None
                    process.close()
                    raise
            return process


class SimulatedVideo:
    """Pictures as the page is painted; between two looks only the newest counts, and the numbers tell what was left
    out. When another size is wanted the last one comes again in it, with the same number."""

    def __init__(self, process: PhoneProcess) -> None:
        self._process = process
        self._size: Size | None = None
        self._last: RingFrame | None = None
        self._resized = self._closed = False
        self._closing = threading.Lock()
        self._first = process.watch()

    def __iter__(self) -> Iterator[Frame]:
        while not self._closed:
            after = self._last.number if self._last is not None else self._first - 1
            self._last = self._process.next_picture(after, self._interrupted) or self._last
            if self._last is not None and not self._closed:
                self._resized = False
                yield _frame(self._last, self._last.number - self._first, self._size)

    def fit(self, size: Size | None) -> None:
        if size == self._size:
            return
        self._size = size
        self._resized = self._last is not None
        self._wake()

    def close(self) -> None:
        with self._closing:
            if self._closed:
                return
            self._closed = True
        self._process.unwatch()
        self._wake()

    def _interrupted(self) -> bool:
        return self._closed or self._resized

    def _wake(self) -> None:
        with self._process.pictures:
            self._process.pictures.notify_all()


def device_info(serial: str = SERIAL) -> DeviceInfo:
    """The simulated phone as a list shows it, running or not."""
    return DeviceInfo(serial, "Simulated phone", DeviceKind.SIMULATED, detail="1080 × 2400")


def _frame(shot: RingFrame, number: int, into: Size | None) -> Frame:
    size = Size(shot.pixels.shape[1], shot.pixels.shape[0])
    image = _reduced(shot.pixels, _fitted(size, into))
    return Frame(image, size, number, shot.at, time.monotonic(), lambda: _rgb(shot.pixels))


def _reduced(pixels: Pixels, size: Size) -> Pixels:
    """Halved as often as it can be, the rest between pixels: every pixel counts, in a tenth of the time that OpenCV
    takes over the mean of areas that are no whole pixels."""
    height, width = pixels.shape[:2]
    while width >= 2 * size.width and height >= 2 * size.height:
        width, height = width // 2, height // 2
        pixels = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    if (width, height) == (size.width, size.height):
        return pixels
    return np.asarray(cv2.resize(pixels, (size.width, size.height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _fitted(size: Size, into: Size | None) -> Size:
    """`size` made to fit into `into`, never larger."""
    if into is None:
        return size
    share = min(into.width / size.width, into.height / size.height, 1.0)
    return Size(max(1, round(size.width * share)), max(1, round(size.height * share)))


def _rgb(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGB))


def _png(shot: RingFrame) -> bytes:
    fine, data = cv2.imencode(".png", shot.pixels[:, :, :3], _PNG)
    if not fine:
        raise DeviceError("The picture of the simulated phone could not be written as PNG.")
    return data.tobytes()


def _command(action: Action, size: Size) -> tuple[str, dict[str, object]]:
    """The command of the process for an action, and its arguments. Raises DeviceError for what a phone cannot do."""
    match action:
        case Tap() | LongPress() | DoubleTap():
            return action.kind, {"at": _at(action.point, size, action.kind)}
        case Swipe() | Drag():
            return action.kind, {"at": _at(action.point, size), "to": _at(action.to, size)}
        case Scroll():
            at = _at(action.point, size) if action.point is not None else None
            return "scroll", {"way": action.direction.value, "at": at}
        case Type():
            return "type", {"text": action.text, "at": _at(action.point, size) if action.point is not None else None}
        case PressKey():
            return "press_key", {"key": str(action.key)}
        case OpenApp():
            return "open_app", {"app": action.text}
        case Wait():
            return "wait", {}
        case Select() | Hover():
            raise DeviceError(f"A phone cannot {action.kind}.", hint="Tap the option or the element instead.")
        case AskUser() | Say() | Finish():
            raise DeviceError(f"“{action.kind}” is between the agent and the person; a device has no part in it.")


def _at(point: Point | None, size: Size, kind: str = "touch") -> list[float]:
    """Pixels of the screen as it is turned, on the screen."""
    if point is None:
        raise DeviceError(f"A {kind.replace('_', ' ')} needs a place on the screen.")
    place = point.rescaled(size)
    return [min(max(place.x, 0.0), size.width - 1.0), min(max(place.y, 0.0), size.height - 1.0)]
