"""The simulated phone as what an adb device shows: the same apps, reached by the long way round."""

from __future__ import annotations

import threading

from stepscope.core.device.device import DeviceError
from stepscope.core.device.frames import Frame
from stepscope.core.device.simulated import SimulatedDevice
from stepscope.core.domain.action import Action, OpenApp
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from tests.device_side.screens import Pixels

START_SECONDS = 60.0


class SimulatedScreens:
    """Starts the simulated phone and waits for its first picture. `close` it."""

    def __init__(self, seed: int = 1) -> None:
        self.device = SimulatedDevice(seed=seed)
        self.size: Size = self.device.screen().size
        self._turned = False
        self._frame: Frame | None = None
        self._came = threading.Condition()
        self._video = self.device.video()
        threading.Thread(target=self._watch, name="simulated screens", daemon=True).start()
        with self._came:
            assert self._came.wait_for(lambda: self._frame is not None, START_SECONDS), "no picture of the phone"

    def close(self) -> None:
        self._video.close()
        self.device.close()

    @property
    def packages(self) -> list[str]:
        return [app.package for app in self.device.apps()]

    @property
    def version(self) -> int:
        frame = self._frame
        return frame.number if frame is not None else -1

    @property
    def activity(self) -> str:
        return self.device.foreground()

    def picture(self, turned: bool) -> Pixels:
        self._turn(turned)
        frame = self._frame
        assert frame is not None
        return frame.whole()

    def tree(self, turned: bool) -> UITree:
        self._turn(turned)
        return self.device.tree()

    def perform(self, action: Action) -> bool:
        if isinstance(action, OpenApp):
            titles = {app.package: app.title for app in self.device.apps()}
            action = OpenApp(titles.get(action.text, action.text))
        try:
            self.device.perform(action)
        except DeviceError:  # a key that this phone has not, text without a field: nothing happens, as on a phone
            return False
        return True

    def _turn(self, turned: bool) -> None:
        if turned != self._turned:
            self._turned = turned
            self.device.rotate()

    def _watch(self) -> None:
        for frame in self._video:
            with self._came:
                self._frame = frame
                self._came.notify_all()
