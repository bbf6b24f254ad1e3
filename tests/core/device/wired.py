"""Opening a test device as the program does, and eyes that watch its mirror."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from stepscope.core.device.adb.device import AdbDevice
from stepscope.core.device.adb.scrcpy_file import ServerFile
from stepscope.core.device.adb.server import AdbServer as AdbAccess
from stepscope.core.device.adb.video import VideoKind
from stepscope.core.device.device import DeviceInfo
from stepscope.core.device.frames import Frame
from stepscope.core.device.mirror import Mirror, MirrorPhase, MirrorState
from stepscope.core.domain.action import Tap
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.tree_builder import Placement
from stepscope.core.sources.ui_dumps import parse_uiautomator
from tests.device_side.device import DeviceSide
from tests.device_side.phone import Phone
from tests.device_side.screens import NotePad

SECONDS = 20.0
RETRY = (0.05, 0.1)

BUTTON = 0.5, 0.5
"""Where the note pad's button lies, and the colours that it goes through."""

BLUE, RED, GREEN = (40, 90, 200), (200, 60, 40), (40, 170, 70)


def listed(device: DeviceSide) -> DeviceInfo:
    return next(info for info in AdbAccess().devices() if info.serial == device.address)


def opened(device: DeviceSide, *ways: VideoKind) -> AdbDevice:
    """The device as the program opens it, with these ways to a video (all)."""
    return AdbDevice(AdbAccess(), listed(device), tree_of, ways=ways or tuple(VideoKind))


def tree_of(data: bytes, size: Size) -> UITree:
    tree = parse_uiautomator(data, Placement(size)).tree
    if tree is None:
        raise SourceError("no tree")
    return tree


def stand_in_server() -> ServerFile:
    """The test device runs no program; any file does for scrcpy's server."""
    return ServerFile(b"not the real one")


class Eyes:
    """A mirror that is watched: `frame` is the newest one, `states` all that was told."""

    def __init__(self, device: AdbDevice) -> None:
        self._news = threading.Condition()
        self.states: list[MirrorState] = []
        self.numbers: list[int] = []
        self.mirror = Mirror(device, self._came, self._told, retry=RETRY)

    @property
    def frame(self) -> Frame | None:
        return self.mirror.newest.latest

    def see(self, wanted: Callable[[Frame], bool], what: str = "the picture") -> Frame:
        """Wait for a frame like that."""
        with self._news:
            seen = self._news.wait_for(lambda: self.frame is not None and wanted(self.frame), SECONDS)
        assert seen and self.frame is not None, f"{what} did not come; states: {self.states}"
        return self.frame

    def hear(self, phase: MirrorPhase, after: int = 0) -> MirrorState:
        """Wait for a state of that phase among those told from place `after` on."""
        with self._news:
            heard = self._news.wait_for(lambda: any(s.phase is phase for s in self.states[after:]), SECONDS)
        assert heard, f"{phase} was not told; states: {self.states}"
        return next(state for state in self.states[after:] if state.phase is phase)

    def _came(self) -> None:
        frame = self.mirror.newest.take()
        with self._news:
            if frame is not None:
                self.numbers.append(frame.number)
            self._news.notify_all()

    def _told(self, state: MirrorState) -> None:
        with self._news:
            self.states.append(state)
            self._news.notify_all()


def press(phone: Phone, place: tuple[float, float] = BUTTON) -> None:
    """A finger of the phone's owner."""
    phone.perform(Tap(phone.point(place[0] * phone.size.width, place[1] * phone.size.height)))


def note_pad(phone: Phone) -> NotePad:
    assert isinstance(phone.screens, NotePad)
    return phone.screens


@contextmanager
def watched(device: AdbDevice) -> Iterator[Eyes]:
    eyes = Eyes(device)
    eyes.mirror.start()
    try:
        yield eyes
    finally:
        device.close()
        eyes.mirror.stop()


def shows(colour: tuple[int, int, int], x: float, y: float) -> Callable[[Frame], bool]:
    """Whether a frame has about this colour (red, green, blue) at these shares of its width and height."""

    def looks(frame: Frame) -> bool:
        height, width = frame.image.shape[:2]
        pixel = frame.image[int(y * height), int(x * width), 2::-1].astype(int)
        return bool(np.abs(pixel - colour).max() < 24)

    return looks
