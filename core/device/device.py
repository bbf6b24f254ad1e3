"""The device protocol: one phone, seen and touched. An adb device, the simulated phone and a replayed recording are all
this to the rest.

Every place is in pixels of the screen as it is turned now. Methods block and may be called from any thread but the
window's; one at a time unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from stepscope.core.device.frames import Frame
from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass


class DeviceError(UserError):
    """The device did not do what was asked; it is still there."""


class DeviceLost(DeviceError):  # noqa: N818 - a fact
    """The device cannot be reached any more: unplugged, switched off, the connection cut."""


class DeviceTimeout(DeviceError):  # noqa: N818
    """The device did not answer in time."""


class UITreeUnavailableError(DeviceError):
    """The present screen has no UI tree, however often one asks: it never rests, or the app gives none."""


class DeviceKind(StrEnum):
    """The way in which a device is reached."""

    SIMULATED = "simulated"
    USB = "USB"
    NETWORK = "network"
    REPLAY = "replay"


class DeviceState(StrEnum):
    """Whether a device in the list can be used."""

    READY = "ready"
    UNAUTHORISED = "unauthorised"
    OFFLINE = "offline"
    NO_PERMISSION = "no permission"
    UNKNOWN = "unknown"


class DeviceCapability(StrEnum):
    """An ability that not every device has."""

    INSTALL = "install"
    ROTATE = "rotate"
    POWER = "power"
    ANY_TEXT = "any text"


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """A device as a list shows it. `serial` names it to commands; `detail` is "Android 14 · 1080 × 2400" or the like;
    `hint` says what to do where it is not ready."""

    serial: str
    name: str
    kind: DeviceKind
    state: DeviceState = DeviceState.READY
    detail: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ScreenGeometry:
    """The screen now: `size` of its pictures as it is turned, `rotation` in quarter turns against the clock."""

    size: Size
    rotation: int = 0
    on: bool = True


@dataclass(frozen=True, slots=True)
class InstalledApp:
    """`package` names it to the device, `title` to people."""

    package: str
    title: str


class Video(Protocol):
    """The screen's pictures as they come. One thread iterates; `fit` and `close` are called from any."""

    def __iter__(self) -> Iterator[Frame]:
        """Frames until the video is closed; raises DeviceLost when the device goes, DeviceError when what it sends is
        no video. Ends of its own are bridged inside (a time limit of the sender, a turned screen)."""
        ...

    def fit(self, size: Size | None) -> None:
        """Make later frames' images fit into `size`, in which they are shown; None: as large as the screen."""
        ...

    def close(self) -> None: ...


class Device(Protocol):
    """One device that is open. `close` may be called from any thread and ends what waits."""

    @property
    def info(self) -> DeviceInfo: ...

    @property
    def abilities(self) -> frozenset[DeviceCapability]: ...

    @property
    def condition(self) -> str:
        """What a person must know of the picture now ("The screen is off"), "" when all is well. Never blocks."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found on the way, oldest first, for the log. Never blocks."""
        ...

    def screen(self) -> ScreenGeometry: ...

    def video(self) -> Video:
        """Start sending pictures. Raises DeviceLost."""
        ...

    def screenshot(self) -> bytes:
        """A picture file (PNG, JPEG or WebP) of the screen as it is now, at its full size."""
        ...

    def tree(self) -> UITree:
        """The UI tree of the screen as it is now. Raises NoTree."""
        ...

    def perform(self, action: Action, *, milliseconds: int | None = None) -> None:
        """Do it and return when it is done, not when the screen shows it. `milliseconds` is how long the finger takes.
        Raises DeviceError for what the device cannot do; the message says what can be done instead."""
        ...

    def apps(self) -> tuple[InstalledApp, ...]: ...

    def foreground(self) -> str:
        """`package/activity` in front, "" where it is not known."""
        ...

    def install(self, path: Path, progress: Callable[[float], object]) -> None:
        """Install an app file; `progress` is told shares 0..1 while it is sent."""
        ...

    def rotate(self) -> None:
        """Turn the screen by a quarter, or back upright."""
        ...

    def reconnect(self) -> None:
        """Make the connection anew after a loss. Raises DeviceLost as long as the device is not there."""
        ...

    def facts(self) -> Mapping[str, str]:
        """What a recording notes of the device (model, Android version, screen, …); nothing that names its owner."""
        ...

    def close(self) -> None: ...
