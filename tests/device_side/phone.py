"""The phone behind the wire: its screen, what it remembers, and what was done to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stepscope.core.domain.action import Action, OpenApp, PressKey
from stepscope.core.domain.geometry import Point, Size
from tests.device_side.faults import Faults
from tests.device_side.screens import Pixels, Screens

ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
KEYBOARD = "com.example.keyboard/.Keyboard"


@dataclass(frozen=True, slots=True)
class App:
    """An app on the phone; `activity` is the one that is started."""

    package: str
    activity: str = ".MainActivity"
    system: bool = False


@dataclass
class Phone:
    """Everything that commands look at and change. `done` is each action as it reached the screen, `commands` each
    command line that was run, in order."""

    screens: Screens
    serial: str = "STEPSCOPE1"
    model: str = "Stepscope Test Phone"
    release: str = "14"
    sdk: int = 34
    faults: Faults = field(default_factory=Faults)
    apps: list[App] = field(default_factory=lambda: [App("com.example.notes"), App("com.android.settings", "", True)])
    keyboards: list[str] = field(default_factory=lambda: [KEYBOARD])
    settings: dict[tuple[str, str], str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    rotation: int = 0
    on: bool = True
    clipboard: str = ""
    done: list[Action] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    sockets: dict[str, Callable[[Any], None]] = field(default_factory=dict)
    """Abstract sockets that programs listen on, by name."""

    unplug: Callable[[], object] = lambda: None

    def __post_init__(self) -> None:
        self.changed = threading.Condition()
        self._touched = 0
        self.settings.setdefault(("secure", "default_input_method"), self.keyboards[0])
        self.settings.setdefault(("system", "accelerometer_rotation"), "1")
        self.settings.setdefault(("system", "user_rotation"), "0")

    @property
    def turned(self) -> bool:
        return self.rotation % 2 == 1

    @property
    def size(self) -> Size:
        """As the screen is turned."""
        upright = self.screens.size
        return Size(upright.height, upright.width) if self.turned else upright

    @property
    def claimed_size(self) -> Size:
        """Upright, what the phone says of itself."""
        return self.faults.claimed_size or self.screens.size

    @property
    def version(self) -> tuple[int, int]:
        """Another one whenever the picture may be another one."""
        return self._touched, self.screens.version

    def picture(self) -> Pixels:
        """The screen as anything but the eye sees it: black where it is off or pictures are forbidden."""
        if self.on and not self.faults.black:
            return self.screens.picture(self.turned)
        return np.zeros((self.size.height, self.size.width, 3), np.uint8)

    def point(self, x: float, y: float) -> Point:
        return Point(x, y, self.size)

    def perform(self, action: Action) -> None:
        """Do it on the screen, if that is on."""
        if isinstance(action, PressKey) and action.key in ("power", "sleep", "wakeup"):
            self.on = action.key == "wakeup" or (action.key == "power" and not self.on)
        elif self.on:
            self.screens.perform(action)
        with self.changed:
            self.done.append(action)
        self.touch()

    def start(self, package: str) -> bool:
        """Whether there is such an app."""
        if all(app.package != package for app in self.apps):
            return False
        self.perform(OpenApp(package))
        return True

    def rotate(self, rotation: int) -> None:
        if not self.faults.no_turn:
            self.rotation = rotation % 4
        self.settings["system", "user_rotation"] = str(rotation % 4)
        self.touch()

    def put(self, space: str, name: str, value: str) -> None:
        """A setting, and what follows from it."""
        self.settings[space, name] = value
        if (space, name) == ("system", "user_rotation") and value.isdigit():
            self.rotate(int(value))

    def touch(self) -> None:
        """The picture may be another one: whoever encodes looks."""
        with self.changed:
            self._touched += 1
            self.changed.notify_all()

    def wait(self, until: Callable[[], bool], seconds: float = 10.0) -> bool:
        """Wait for something that a command does; for tests."""
        end = time.monotonic() + seconds
        with self.changed:
            while not until():
                rest = end - time.monotonic()
                if rest <= 0:
                    return False
                self.changed.wait(min(rest, 0.05))
            return True
