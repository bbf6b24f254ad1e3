"""The thread that keeps a device's picture coming, and comes back after a loss."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from stepscope.core.device.device import Device, DeviceLost, Video
from stepscope.core.device.frames import Frame, NewestFrame, Pixels
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np

    from stepscope.core.imaging import resampling
else:
    np = lazy_module("numpy")
    resampling = lazy_module("stepscope.core.imaging.resampling")

RETRY_SECONDS = (1.0, 2.0, 4.0, 8.0)
"""Waits before the first, second, … attempt to come back; the last one repeats."""


_ROUNDED = 8
"""Pixels by which a decoder may make an image narrower than it fits."""


class MirrorPhase(StrEnum):
    """`connecting`: no picture yet; `failed`: what the device sends is no picture, and asking again will not help."""

    CONNECTING = "connecting"
    LIVE = "live"
    LOST = "lost"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class MirrorState:
    """`attempt` counts the attempts to come back since the loss, `wait` the seconds until the next; `why` is words."""

    phase: MirrorPhase
    attempt: int = 0
    wait: float = 0.0
    why: str = ""


class Mirror:
    """Runs from `start` to `stop`. `on_frame` is called in a thread of the mirror whenever a frame lies in `newest` and
    the one who shows has to be woken; `on_state` likewise for each change of state."""

    def __init__(
        self,
        device: Device,
        on_frame: Callable[[], object],
        on_state: Callable[[MirrorState], object],
        *,
        retry: tuple[float, ...] = RETRY_SECONDS,
    ) -> None:
        self.newest = NewestFrame()
        self.state = MirrorState(MirrorPhase.CONNECTING)
        self._device, self._on_frame, self._on_state, self._retry = device, on_frame, on_state, retry
        self._size: Size | None = None
        self._video: Video | None = None
        self._lock = threading.Lock()
        self._stopping = False
        self._hurry = threading.Event()
        self._thread: threading.Thread | None = None
        self._scaling: list[threading.Thread] = []

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="mirror", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it and wait for its thread; from any other thread."""
        with self._lock:
            self._stopping = True
            video = self._video
        self._hurry.set()
        if video is not None:
            video.close()
        for thread in (self._thread, *self._scaling):
            if thread is not None:
                thread.join()

    def fit(self, size: Size | None) -> None:
        """Images of later frames fit into `size`. A screen that stands still sends none: its last one is made anew."""
        with self._lock:
            self._size = size
            video, frame = self._video, self.newest.latest
            if frame is not None and not self._stopping and not _is_fitted(frame, size):
                scaling = threading.Thread(target=self._scale, args=(frame, size), name="mirror scaling", daemon=True)
                self._scaling = [*(one for one in self._scaling if one.is_alive()), scaling]
                scaling.start()
        if video is not None:
            video.fit(size)

    def reconnect(self) -> None:
        """Try to come back now instead of after the wait; a picture that runs is begun anew."""
        self._hurry.set()
        with self._lock:
            video = self._video
        if video is not None:
            video.close()

    def _scale(self, frame: Frame, size: Size | None) -> None:
        """The frame again at another size, where it is still the newest and that size still wanted."""
        try:
            image = _image_in(frame, size)
        except UserError:
            return  # the device is gone: the mirror's own thread tells
        now = time.monotonic()
        if size == self._size and self.newest.replace(frame, replace(frame, image=image, arrived=now, decoded=now)):
            self._on_frame()

    def _run(self) -> None:
        attempt = 0
        while not self._stopping:
            try:
                if attempt:
                    self._device.reconnect()
                why = "" if self._show() else "no picture came"
            except DeviceLost as error:
                why = error.message
            except UserError as error:
                self._tell(MirrorState(MirrorPhase.FAILED, why=str(error)))
                self._wait(None)
                why = ""
            if self._stopping:
                break
            attempt = 0 if not why or self.state.phase is MirrorPhase.LIVE else attempt
            if why:
                wait = self._retry[min(attempt, len(self._retry) - 1)]
                attempt += 1
                self._tell(MirrorState(MirrorPhase.LOST, attempt, wait, why))
                self._wait(wait)
        self._tell(MirrorState(MirrorPhase.STOPPED))

    def _show(self) -> bool:
        """Frames until the video ends; whether there was one."""
        video = self._device.video()
        with self._lock:
            self._video = video
            stopping = self._stopping
        came = False
        try:
            video.fit(self._size)
            if stopping:
                return False
            for frame in video:
                if not came:
                    came = True
                    self._tell(MirrorState(MirrorPhase.LIVE))
                if self.newest.put(frame):
                    self._on_frame()
        finally:
            with self._lock:
                self._video = None
            video.close()
        return came

    def _wait(self, seconds: float | None) -> None:
        self._hurry.wait(seconds)
        if not self._stopping:
            self._hurry.clear()

    def _tell(self, state: MirrorState) -> None:
        self.state = state
        self._on_state(state)


def _is_fitted(frame: Frame, size: Size | None) -> bool:
    """Whether the frame's image is about as large as one that is made for `size`: decoders round in their ways."""
    goal = frame.size if size is None else resampling.fitted(frame.size, size)
    width: int = frame.image.shape[1]
    return abs(width - goal.width) <= _ROUNDED


def _image_in(frame: Frame, size: Size | None) -> Pixels:
    """The frame's image made anew to fit into `size`."""
    goal = frame.size if size is None else resampling.fitted(frame.size, size)
    pixels = resampling.resized(np.ascontiguousarray(frame.whole()), goal)
    image = np.empty((goal.height, goal.width, 4), np.uint8)
    resampling.write_bgra(pixels, image)
    return image
