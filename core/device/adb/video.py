"""The picture of an adb device by the best way that works: scrcpy, then `screenrecord`, then screenshots.

Why a better way was left is noted; `condition` says what a person should know of the picture.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from importlib.util import find_spec

from stepscope.core.bundled import possible
from stepscope.core.device.adb import scrcpy_file
from stepscope.core.device.adb.decoder import DecodedVideo
from stepscope.core.device.adb.link import AdbConnection
from stepscope.core.device.adb.pictures import ScreencapVideo
from stepscope.core.device.adb.scrcpy import Scrcpy
from stepscope.core.device.adb.screenrecord import Screenrecord
from stepscope.core.device.device import DeviceError, DeviceLost, DeviceTimeout, ScreenGeometry
from stepscope.core.device.frames import Frame, Pixels
from stepscope.core.domain.geometry import Size

WATCH_SECONDS = 1.5
_DARK = 8
_SPARSE = 16
_STEADY_SECONDS = 10.0
_AGAIN = 3
_SILENT_LOOKS = 2
SCREEN_OFF = "The screen is off. Press Power to light it."
BLACK = "The picture is black: the window in front forbids pictures of itself, or shows nothing. Look at the phone."


class VideoKind(StrEnum):
    """The way in which pictures come."""

    SCRCPY = "scrcpy"
    SCREENRECORD = "screenrecord"
    SCREENCAP = "screenshots"


class AdbVideo:
    """A `Video`. `screen` asks the device for its screen; `size_of` tells the screen's size by a picture's;
    `notes` gets why a better way was left."""

    def __init__(
        self,
        link: AdbConnection,
        screen: Callable[[], ScreenGeometry],
        size_of: Callable[[Size], Size],
        notes: list[str],
        ways: tuple[VideoKind, ...] = tuple(VideoKind),
        watch: float = WATCH_SECONDS,
    ) -> None:
        self._link, self._screen, self._size_of, self._ways, self._watch_seconds = link, screen, size_of, ways, watch
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._fit: Size | None = None
        self._way: DecodedVideo | ScreencapVideo | None = None
        self._source: Scrcpy | Screenrecord | None = None
        self._last_screen: ScreenGeometry | None = None
        self._black = False
        self._passed_skipped = self._passed_corrupt = 0
        self.video_kind: VideoKind | None = None
        self._notes = notes

    @property
    def condition(self) -> str:
        """What a person should know of the picture as it is now, "" when all is well."""
        screen = self._last_screen
        if screen is not None and not screen.on:
            return SCREEN_OFF
        return BLACK if self._black else ""

    @property
    def scrcpy(self) -> Scrcpy | None:
        """The server that takes touches too, while it runs."""
        source = self._source
        return source if isinstance(source, Scrcpy) and source.alive and source.video_size is not None else None

    @property
    def skipped(self) -> int:
        """Pictures decoded and dropped because their successor was there."""
        way = self._way
        return self._passed_skipped + (way.skipped if isinstance(way, DecodedVideo) else 0)

    @property
    def corrupt(self) -> int:
        """Packets that could not be decoded whole."""
        way = self._way
        return self._passed_corrupt + (way.corrupt if isinstance(way, DecodedVideo) else 0)

    def fit(self, size: Size | None) -> None:
        self._fit = size
        with self._lock:
            if self._way is not None:
                self._way.fit(size)

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            if self._way is not None:
                self._way.close()
            if self._source is not None:
                self._source.close()

    # Ways -------------------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Frame]:
        threading.Thread(target=self._watch, name="adb screen", daemon=True).start()
        number = 0
        try:
            for way in self._possible_ways():
                for frame in self._steadily(way):
                    yield replace(frame, number=number)
                    number += 1
                if self._closed.is_set():
                    return
            raise DeviceError("no way to a picture of this device works", hint="; ".join(self._notes))
        finally:
            self.close()

    def _steadily(self, way: VideoKind) -> Iterator[Frame]:
        """Frames of one way, begun again where it broke off; no more once it gives none, or breaks off all the time."""
        failures = 0
        while failures < _AGAIN and not self._closed.is_set():
            begun, came = time.monotonic(), False
            try:
                for frame in self._frames(way):
                    came = True
                    yield frame
            except DeviceLost:
                raise
            except DeviceError as reason:  # not possible here, or what comes is no video: another way may work
                if not self._closed.is_set():
                    self._note(f"{way}: {reason.message}")
            if not came:
                return
            failures = 0 if time.monotonic() - begun > _STEADY_SECONDS else failures + 1

    def _possible_ways(self) -> tuple[VideoKind, ...]:
        if find_spec("av") is not None:
            return self._ways
        why = possible("PyAV is not installed (pip install av)")
        self._note(f"{VideoKind.SCRCPY}, {VideoKind.SCREENRECORD}: {why}")
        return (VideoKind.SCREENCAP,)

    def _note(self, words: str) -> None:
        """Note the words once, however often the video is begun."""
        if words not in self._notes:
            self._notes.append(words)

    def _frames(self, way: VideoKind) -> Iterator[Frame]:
        video = self._begun(way)
        self.video_kind = way
        with self._lock:
            self._way = video
            video.fit(self._fit)
        if self._closed.is_set():
            video.close()
            return
        try:
            yield from video
        finally:
            video.close()
            with self._lock:
                if isinstance(video, DecodedVideo):
                    self._passed_skipped += video.skipped
                    self._passed_corrupt += video.corrupt
                self._way = self._source = None

    def _begun(self, way: VideoKind) -> DecodedVideo | ScreencapVideo:
        if way is VideoKind.SCREENCAP:
            return ScreencapVideo(self._link, self._looked)
        if way is VideoKind.SCREENRECORD:
            source: Scrcpy | Screenrecord = Screenrecord(self._link, is_on=self._is_on)
        else:
            file = scrcpy_file.find()
            source = Scrcpy(self._link)
            with self._lock:
                self._source = source  # `close` ends the start, too
            source.start(file)
        with self._lock:
            self._source = source
        return DecodedVideo(source, self._true_size, self._looked)

    def _true_size(self, size: Size) -> Size:
        source = self._source
        if isinstance(source, Scrcpy):
            source.video_size = size
        return self._size_of(size)

    def _looked(self, image: Pixels, size: Size) -> None:
        self._black = int(image[::_SPARSE, ::_SPARSE, :3].max(initial=0)) <= _DARK

    # The screen beside the picture ------------------------------------------------------------------------------------

    def _is_on(self) -> bool:
        return self._last_screen is None or self._last_screen.on

    def _watch(self) -> None:
        """Look at the screen's state from time to time: it is off or turned without a word in the video, and a device
        of the network may fall silent without the connection ending."""
        silent = 0
        while not self._closed.is_set():
            try:
                screen = self._screen()
                silent = 0
            except DeviceLost as error:
                self._fail(error)
                return
            except DeviceTimeout:
                silent += 1
                if silent >= _SILENT_LOOKS:
                    self._fail(DeviceLost("the device does not answer any more"))
                    return
            except DeviceError:
                pass
            else:
                self._note_screen(screen)
            self._closed.wait(self._watch_seconds)

    def _note_screen(self, screen: ScreenGeometry) -> None:
        before, self._last_screen = self._last_screen, screen
        source = self._source
        if before is not None and before.rotation % 2 != screen.rotation % 2 and isinstance(source, Screenrecord):
            source.renew()

    def _fail(self, error: DeviceLost) -> None:
        with self._lock:
            way = self._way
        if way is not None and not self._closed.is_set():
            way.fail(error)


def screen_size_of(picture: Size, claimed: Size | None) -> Size:
    """The screen's size by a video's: an encoder rounds to multiples of eight or sixteen, or makes the picture smaller.
    Where that does not explain the difference to what the device claims, the picture is right."""
    if claimed is None:
        return picture
    if (claimed.width > claimed.height) != (picture.width > picture.height):
        claimed = Size(claimed.height, claimed.width)
    near = abs(claimed.width - picture.width) < 16 and abs(claimed.height - picture.height) < 16
    smaller = picture.width < claimed.width and picture.height < claimed.height
    alike = abs(claimed.width * picture.height / (claimed.height * picture.width) - 1) < 0.02
    return claimed if near or (smaller and alike) else picture
