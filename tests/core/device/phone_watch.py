"""What tests of the simulated phone share: pictures as they come, elements by their ids, and processes that end."""

from __future__ import annotations

import io
import os
import select
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from stepscope.core.device.device import Device, DeviceError
from stepscope.core.device.frames import Frame, Pixels
from stepscope.core.domain.action import Tap
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.geometry import Size

PATIENCE = 30.0


class Watcher:
    """Takes a device's pictures in a thread until it is closed; keeps the newest."""

    def __init__(self, device: Device, fit: Size | None = None) -> None:
        self.video = device.video()
        self.video.fit(fit)
        self.newest: Frame | None = None
        self.numbers: list[int] = []
        self.error: DeviceError | None = None
        self.over = False
        self._came = threading.Condition()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def wait(self, fits: Callable[[Frame], bool]) -> Frame:
        """The first newest frame that `fits`."""
        with self._came:
            assert self._came.wait_for(lambda: self.newest is not None and fits(self.newest), PATIENCE)
        assert self.newest is not None
        return self.newest

    def wait_for_end(self) -> None:
        with self._came:
            assert self._came.wait_for(lambda: self.over, PATIENCE)

    def close(self) -> None:
        self.video.close()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def _watch(self) -> None:
        try:
            for frame in self.video:
                with self._came:
                    self.newest = frame
                    self.numbers.append(frame.number)
                    self._came.notify_all()
        except DeviceError as error:
            self.error = error
        with self._came:
            self.over = True
            self._came.notify_all()


def element(device: Device, short_id: str) -> UIElement:
    """The first element with this short id on the screen."""
    return next(e for e in device.tree() if e.short_id == short_id)


def tap(device: Device, short_id: str) -> None:
    device.perform(Tap(element(device, short_id).box.centre))


def picture(device: Device) -> Pixels:
    """The screenshot as height × width × 3."""
    return np.asarray(Image.open(io.BytesIO(device.screenshot())).convert("RGB"))


def wait_until_gone(pid: int) -> None:
    """Of any process, not only a child of ours."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([descriptor], [], [], PATIENCE)[0], f"process {pid} lives on"
    finally:
        os.close(descriptor)


def children(pid: int) -> list[int]:
    """All processes below this one."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:  # it has ended meanwhile
            continue
        if parent == pid:
            child = int(stat.parent.name)
            found += [child, *children(child)]
    return found
