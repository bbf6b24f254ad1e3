"""An Android device behind the adb server, as a `Device`."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from stepscope.core.device.adb import pictures, reports, scrcpy_file
from stepscope.core.device.adb.apps import Apps, Title
from stepscope.core.device.adb.input import DeviceInput
from stepscope.core.device.adb.link import quoted
from stepscope.core.device.adb.packets import UnsupportedVideoError
from stepscope.core.device.adb.scrcpy import Scrcpy
from stepscope.core.device.adb.server import AdbServer
from stepscope.core.device.adb.tree import Dumper, Parse
from stepscope.core.device.adb.video import AdbVideo, VideoKind, screen_size_of
from stepscope.core.device.device import (
    DeviceCapability,
    DeviceError,
    DeviceInfo,
    DeviceKind,
    DeviceLost,
    DeviceState,
    InstalledApp,
    ScreenGeometry,
)
from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UnavailableError

SCREEN_SECONDS = 4.0
_TURN_TRIES = 15
_TURN_PAUSE = 0.2


class AdbDevice:
    """One device; nothing is sent before it is asked for something. `parse` reads a dump's XML, `title` names apps for
    people, `ways` are the ways to a video that may be tried, in order."""

    def __init__(
        self,
        server: AdbServer,
        info: DeviceInfo,
        parse: Parse,
        title: Title = lambda package: "",
        ways: tuple[VideoKind, ...] = tuple(VideoKind),
    ) -> None:
        if info.state is not DeviceState.READY:
            raise DeviceError(f"{info.name} is {info.state}", hint=info.hint)
        self._server, self._info, self._ways = server, info, ways
        self._closed = threading.Event()
        self._link = server.link(info.serial)
        self._dumper = Dumper(self._link, parse, self._closed)
        self._apps = Apps(self._link, title)
        self._hands = DeviceInput(self._link, self._apps, self._control, self._size_for, self._closed)
        self._video: AdbVideo | None = None
        self._helper: Scrcpy | None = None
        self._helper_refused = False
        self._screen: ScreenGeometry | None = None
        self._own_size: Size | None = None
        self._notes: list[str] = []

    @property
    def info(self) -> DeviceInfo:
        return self._info

    @property
    def abilities(self) -> frozenset[DeviceCapability]:
        """Any text counts only where scrcpy's server is here; ADBKeyBoard on the device is asked for when it is due."""
        abilities = {DeviceCapability.INSTALL, DeviceCapability.ROTATE, DeviceCapability.POWER}
        try:
            scrcpy_file.find()
            abilities.add(DeviceCapability.ANY_TEXT)
        except UnsupportedVideoError:
            pass
        return frozenset(abilities)

    @property
    def condition(self) -> str:
        """What a person should know of the picture now ("The screen is off. …"), "" when all is well."""
        return self._video.condition if self._video is not None else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found on the way, for the log: ways to a video that do not work, sizes that are wrong."""
        return tuple(self._notes)

    # Looking ----------------------------------------------------------------------------------------------------------

    def screen(self) -> ScreenGeometry:
        """The size that the device tells, or the true one as soon as a screenshot showed it."""
        found = reports.screen(self._link.text(quoted("dumpsys", "display"), seconds=SCREEN_SECONDS))
        found = found or self._screen_by_parts()
        if self._own_size is not None:
            found = ScreenGeometry(reports.turned(self._own_size, found.rotation), found.rotation, found.on)
        self._screen = found
        return found

    def _screen_by_parts(self) -> ScreenGeometry:
        upright = reports.physical_size(self._link.text(quoted("wm", "size"), seconds=SCREEN_SECONDS))
        if upright is None:
            raise DeviceError("the device does not tell the size of its screen")
        turn = reports.rotation(self._link.text(quoted("dumpsys", "input"), seconds=SCREEN_SECONDS)) or 0
        off = reports.is_off(self._link.text(quoted("dumpsys", "power"), seconds=SCREEN_SECONDS))
        return ScreenGeometry(reports.turned(upright, turn), turn, not off)

    def video(self) -> AdbVideo:
        self._link.check_there()
        self._video = AdbVideo(self._link, self.screen, self._size_of_picture, self._notes, self._ways)
        return self._video

    def _size_of_picture(self, picture: Size) -> Size:
        return screen_size_of(picture, self._screen.size if self._screen is not None else None)

    def screenshot(self) -> bytes:
        data, size = pictures.take(self._link)
        known = self._screen or self.screen()
        if size not in (known.size, Size(known.size.height, known.size.width)):
            known = self.screen()
            if size != known.size:
                self._own_size = reports.turned(size, known.rotation)
                self._screen = ScreenGeometry(size, known.rotation, known.on)
                self._notes.append(
                    f"the device says its screen has {known.size}, its pictures have {size}: those count"
                )
        return data

    def tree(self) -> UITree:
        return self._dumper.tree(self.screen().size)

    def foreground(self) -> str:
        found = reports.front(self._link.text(quoted("dumpsys", "activity", "activities")))
        return found or reports.front(self._link.text(quoted("dumpsys", "window")))

    def facts(self) -> Mapping[str, str]:
        """Model, manufacturer, Android's version and API level, size and density of the screen. Not: serial number,
        accounts, network."""
        known = reports.properties(self._link.text(quoted("getprop")))
        screen = self.screen()
        facts = {
            "model": known.get(reports.MODEL, ""),
            "manufacturer": known.get(reports.MAKER, ""),
            "android": known.get(reports.RELEASE, ""),
            "sdk": known.get(reports.SDK, ""),
            "size": f"{screen.size.width}x{screen.size.height}",
            "density": reports.density(self._link.text(quoted("wm", "density"))),
            "video": self._video.video_kind or "" if self._video is not None else "",
        }
        return {name: str(value) for name, value in facts.items() if value}

    # Doing ------------------------------------------------------------------------------------------------------------

    def perform(self, action: Action, *, milliseconds: int | None = None) -> None:
        self._hands.perform(action, milliseconds)

    def apps(self) -> tuple[InstalledApp, ...]:
        return self._apps.all()

    def install(self, path: Path, progress: Callable[[float], object]) -> None:
        self._apps.install(path, progress)

    def rotate(self) -> None:
        """Raises DeviceError where the app in front, or the phone, stays as it is."""
        wanted = 0 if self.screen().rotation else 1
        self._link.text(quoted("settings", "put", "system", "accelerometer_rotation", "0"))
        self._link.text(quoted("settings", "put", "system", "user_rotation", str(wanted)))
        if self._turns_to(wanted):
            return
        self._link.text(quoted("wm", "user-rotation", "lock", str(wanted)))
        if not self._turns_to(wanted):
            raise DeviceError("the screen does not turn", hint="The app in front may forbid it; try another.")

    def _turns_to(self, rotation: int) -> bool:
        for _ in range(_TURN_TRIES):
            if self.screen().rotation == rotation:
                return True
            if self._closed.wait(_TURN_PAUSE):
                break
        return False

    def _size_for(self, size: Size) -> Size:
        """The screen's size for a point of `size`; the device is asked only where the last answer does not fit."""
        known = self._screen
        if known is None or (known.size.width > known.size.height) != (size.width > size.height):
            known = self.screen()
        return known.size

    def _control(self, start: bool) -> Scrcpy | None:
        """scrcpy's control channel: that of the video, or (`start`) one of its own."""
        running = self._video.scrcpy if self._video is not None else None
        if running is not None or not start:
            return running
        if self._helper is not None and self._helper.alive:
            return self._helper
        if self._helper_refused:
            return None
        try:
            helper = Scrcpy(self._link, video=False)
            helper.start(scrcpy_file.find())
        except UnsupportedVideoError as reason:
            self._helper_refused = True
            if (note := f"scrcpy: {reason.message}") not in self._notes:
                self._notes.append(note)
            return None
        self._helper = helper
        return helper

    # Connection -------------------------------------------------------------------------------------------------------

    def reconnect(self) -> None:
        try:
            self._server.ensure()
            if self._info.kind is DeviceKind.NETWORK and ":" in self._info.serial and not self._is_there():
                with contextlib.suppress(DeviceError):  # a connection that is offline counts as one
                    self._server.disconnect(self._info.serial)
                self._server.connect(self._info.serial)
        except DeviceLost:
            raise
        except (DeviceError, UnavailableError) as error:
            raise DeviceLost(error.message, hint=error.hint) from error
        self._link.check_there()
        self._helper_refused = False

    def _is_there(self) -> bool:
        try:
            return self._link.state() == "device"
        except DeviceError:
            return False

    def close(self) -> None:
        self._closed.set()
        for part in (self._video, self._helper):
            if part is not None:
                part.close()
        self._link.close()
