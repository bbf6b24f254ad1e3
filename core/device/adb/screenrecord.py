"""Video by Android's own `screenrecord`, which every phone has since 4.4: raw H.264 out of `exec-out`.

It ends by itself after three minutes, and it keeps the picture's size: a turned screen comes with black bars. In both
cases a second recording is begun beside the first, and takes over with its first picture: no gap is seen.
It sends nothing while the screen rests, so the last picture is taken to be whole after a short silence.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from stepscope.core.device.adb import annexb
from stepscope.core.device.adb.link import AdbConnection, AdbStream, any_waiting, quoted
from stepscope.core.device.adb.packets import Backlog, Packet, UnsupportedVideoError
from stepscope.core.device.device import DeviceError
from stepscope.core.domain.geometry import Size

BIT_RATE = 12_000_000
LIMIT_SECONDS = 180
"""The longest that `screenrecord` takes before Android 14."""
LEAD_SECONDS = 6.0
"""A successor is begun so long before the end."""
START_SECONDS = 8.0
SILENCE_SECONDS = 0.012
_SILENCE_LIMIT = 0.2
_TRIES = 3
_PAUSE = 0.25
_IDLE = 0.5
_WORDS = 2000
_CHUNK = 1 << 16
"""Read at once: half a second of small pictures, so that a backlog is noticed in time."""


class Screenrecord:
    """Source of packets. `is_on` is asked when nothing comes: a dark screen sends nothing, which is no fault."""

    def __init__(
        self,
        link: AdbConnection,
        *,
        is_on: Callable[[], bool] = lambda: True,
        bit_rate: int = BIT_RATE,
        size: Size | None = None,
        limit: int = LIMIT_SECONDS,
        lead: float = LEAD_SECONDS,
    ) -> None:
        self._link, self._is_on, self._limit, self._lead = link, is_on, limit, min(lead, limit / 2)
        words = ["screenrecord", "--output-format=h264", "--bit-rate", str(bit_rate), "--time-limit", str(limit)]
        if size is not None:
            words += ["--size", f"{size.width}x{size.height}"]
        self._command = quoted(*words, "-")
        self._closed = threading.Event()
        self._renew = False
        self._backlog = Backlog()
        self._silence = SILENCE_SECONDS
        self._current: _ScreenRecording | None = None
        self._coming: _ScreenRecording | None = None
        self.restarts = 0
        """Recordings that followed another."""

    def renew(self) -> None:
        """Begin a new recording, of the screen as it is now: it was turned. From any thread."""
        self._renew = True

    def close(self) -> None:
        self._closed.set()
        for recording in (self._current, self._coming):
            if recording is not None:
                recording.stream.close()

    def packets(self) -> Iterator[Packet]:
        try:
            failures = 0
            while not self._closed.is_set():
                self._current = current = self._begun()
                yield from self._follow()
                if self._closed.is_set():
                    return
                self._link.check_there()
                failures = 0 if current.pictures else failures + 1
                if failures >= _TRIES:
                    raise self._failed(current)
                self.restarts += 1
                if time.monotonic() - current.started < 1.0:
                    self._closed.wait(_PAUSE * (1 + failures))
        finally:
            self.close()

    def _begun(self) -> _ScreenRecording:
        recording = _ScreenRecording(self._link.open(f"exec:{self._command}"))
        if self._closed.is_set():
            recording.stream.close()
        return recording

    def _follow(self) -> Iterator[Packet]:
        """Packets until there is no recording any more."""
        while self._current is not None and not self._closed.is_set():
            yield from self._step(self._current)
            self._prepare()

    def _step(self, current: _ScreenRecording) -> Iterator[Packet]:
        recordings = [current] if self._coming is None else [current, self._coming]
        held = any(recording.splitter.pending for recording in recordings)
        if self._backlog.is_late(current.stream.waiting(0)):
            self._renew = True
        ready = any_waiting([each.stream for each in recordings], self._silence if held else _IDLE)
        if not ready:
            for recording in recordings:  # the successor's too: of a screen at rest it sends one picture
                unit = recording.splitter.flush()
                if unit is not None:
                    if recording is self._coming:
                        self._take_over()
                    yield recording.packet(*unit)
        self._check_begins(current)
        for recording in recordings:
            if recording.stream not in ready:
                continue
            for unit in recording.read():
                if recording is self._coming:
                    self._take_over()
                yield recording.packet(*unit)
        self._bury_ended()

    def _take_over(self) -> None:
        """The successor has its first picture: the one before is over."""
        if self._current is not None:
            self._link.drop(self._current.stream)
        self._current, self._coming = self._coming, None
        self.restarts += 1

    def _bury_ended(self) -> None:
        """Forget recordings that have ended; the successor takes the place of the first."""
        if self._coming is not None and self._coming.ended:
            self._link.drop(self._coming.stream)
            self._coming = None
        if self._current is not None and self._current.ended:
            self._link.drop(self._current.stream)
            self._current, self._coming = self._coming, None

    def _prepare(self) -> None:
        """Begin the successor where one is due."""
        current = self._current
        if current is None or self._coming is not None:
            return
        if current.splitter.cut_short:  # a pause within a picture: the decoder needs a new beginning
            current.splitter.cut_short = 0
            self._silence = min(2 * self._silence, _SILENCE_LIMIT)
            self._renew = True
        due = current.started + self._limit - self._lead
        if self._renew or (time.monotonic() >= due and not current.succeeded):
            self._renew = False
            current.succeeded = True
            self._coming = self._begun()

    def _check_begins(self, current: _ScreenRecording) -> None:
        silent = time.monotonic() - current.started
        if not current.pictures and silent > START_SECONDS and self._is_on():
            raise UnsupportedVideoError(f"screenrecord sent no picture within {START_SECONDS:g} s")

    def _failed(self, last: _ScreenRecording) -> DeviceError:
        words = last.words.decode("utf-8", "replace").strip().splitlines()
        return UnsupportedVideoError(f"screenrecord does not work here: {words[-1] if words else 'it ends at once'}")


class _ScreenRecording:
    """One run of the program `screenrecord`."""

    def __init__(self, stream: AdbStream) -> None:
        self.stream = stream
        self.splitter = annexb.Splitter()
        self.started = time.monotonic()
        self.pictures = 0
        self.ended = self.succeeded = False
        self.words = b""

    def read(self) -> list[tuple[bytes, float]]:
        """Pictures that are whole now. Raises DeviceError when what comes is no video."""
        data = self.stream.read(1.0, _CHUNK)
        if not data:
            self.ended = True
            last = self.splitter.flush()
            return [last] if last is not None else []
        if not self.pictures and not self.splitter.pending:
            self._check_first(data)
        return self.splitter.feed(data, time.monotonic()) if not self.words else []

    def _check_first(self, data: bytes) -> None:
        """The program's own words come where the video should; anything else is garbage."""
        if not self.words and not self.splitter.empty:
            return
        if not self.words and annexb.looks_like_video(data):
            return
        self.words += data
        if len(self.words) > _WORDS or sum(byte < 9 or byte > 126 for byte in self.words) > len(self.words) // 10:
            raise DeviceError("what the device sends is no H.264 video")

    def packet(self, data: bytes, arrived: float) -> Packet:
        self.pictures += 1
        return Packet(data, arrived, begins=self.pictures == 1)
