"""Programs as a person has them: keys pressed on a screen of their own, and the screen looked at until it rests.

Nothing of the program is known: it is a command and what it shows. So one stick measures the workbench and what people
would use in its place. The screen is the memory of an Xvfb, compared some 500 times a second with what it was before.
"""

from __future__ import annotations

import mmap
import os
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path

import numpy as np

WIDTH, HEIGHT = 1600, 1000
POLL_S = 0.002
REPEATS_S = 0.25
"""A held key repeats itself by then."""
MOST_S = 120.0
EVERY = 4
"""Rows of the screen of which one is compared."""
Region = tuple[int, int, int, int]
WHOLE: Region = (0, 0, WIDTH, HEIGHT)
"""Left, top, right, bottom."""


class Screen:
    """A screen without a window manager."""

    def __init__(self, number: str, pixels: np.ndarray) -> None:
        self.environment = {**os.environ, "DISPLAY": number, "QT_QPA_PLATFORM": "xcb"}
        self._pixels = pixels
        self._hands = subprocess.Popen(["xdotool", "-"], stdin=subprocess.PIPE, env=self.environment, text=True)

    def hand(self, words: str) -> None:
        """A line of xdotool's, done at once."""
        assert self._hands.stdin is not None
        self._hands.stdin.write(words + "\n")
        self._hands.stdin.flush()

    def has_window(self, title: str) -> bool:
        return bool(self._windows(title))

    def give_keys_to(self, title: str) -> str:
        """The newest visible window whose title has these words gets the keyboard; its number."""
        window = self._windows(title)[-1]
        subprocess.run(["xdotool", "windowfocus", "--sync", window], env=self.environment, check=True)
        return window

    def fill_with(self, title: str) -> None:
        """Such a window takes up the whole screen and gets the keyboard."""
        window = self.give_keys_to(title)
        self.hand(f"windowmove {window} 0 0 windowsize {window} {WIDTH} {HEIGHT}")

    def held(self, key: str, seconds: float, region: Region) -> list[float]:
        """Milliseconds from one change of the region to the next while a key is held, repeated 40 times a second. What
        the first press changes is left out, and the wait before the key repeats itself."""
        subprocess.run(["xset", "r", "rate", "200", "40"], env=self.environment, check=True)  # of x11-xserver-utils
        begin = time.perf_counter() + REPEATS_S
        end = begin + seconds
        self.hand(f"keydown {key}")
        times = []
        for moment in self.changes(2.0, region):
            if moment > begin:
                times.append(moment)
            if moment > end:
                break
        self.hand(f"keyup {key}")
        return [1e3 * (after - before) for before, after in pairwise(times)]

    def _windows(self, title: str) -> list[str]:
        return subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", title],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        ).stdout.split()

    def picture(self, region: Region = WHOLE) -> np.ndarray:
        """Height × width × 4 bytes (blue, green, red, unused)."""
        left, top, right, bottom = region
        return self._pixels[top:bottom, left:right].copy()

    def changes(self, seconds: float, region: Region = WHOLE) -> Iterator[float]:
        """When the region looked otherwise than at the look before; ends after so many seconds without a change, and
        where something blinks for ever, such as a cursor, after `MOST_S`."""
        left, top, right, bottom = region
        seen = self._pixels[top:bottom:EVERY, left:right]
        before, last = seen.copy(), time.perf_counter()
        end = last + MOST_S
        while (now := time.perf_counter()) - last < seconds and now < end:
            if np.array_equal(before, seen):
                time.sleep(POLL_S)
                continue
            before, last = seen.copy(), now
            yield now

    def rest(self, quiet: float, region: Region = WHOLE) -> float | None:
        """Wait until the region looks the same for `quiet` seconds: when it changed last, None if it did not."""
        return max(self.changes(quiet, region), default=None)

    def after(self, words: str, quiet: float, region: Region = WHOLE) -> tuple[float, float] | None:
        """Milliseconds from something done with hands to the first change of the region, and to the last before it
        rests; None where nothing changed."""
        began = time.perf_counter()
        self.hand(words)
        times = list(self.changes(quiet, region))
        return (1e3 * (times[0] - began), 1e3 * (times[-1] - began)) if times else None

    def close(self) -> None:
        assert self._hands.stdin is not None
        self._hands.stdin.close()
        self._hands.wait(10)


@contextmanager
def screen() -> Iterator[Screen]:
    with ExitStack() as kept:
        folder = Path(kept.enter_context(tempfile.TemporaryDirectory()))
        read, write = os.pipe()
        size = f"{WIDTH}x{HEIGHT}x24"
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-fbdir", str(folder), "-nolisten", "tcp"],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        kept.callback(_end, server)
        os.close(write)
        with os.fdopen(read) as stream:
            number = stream.readline().strip()
        assert number, "Xvfb did not start"
        with (folder / "Xvfb_screen0").open("r+b") as file:
            memory = mmap.mmap(file.fileno(), 0)
        header, *_ = struct.unpack(">25I", memory[:100])
        colours = struct.unpack(">25I", memory[:100])[19]
        pixels = np.frombuffer(memory, np.uint8, WIDTH * HEIGHT * 4, header + 12 * colours)
        one = Screen(f":{number}", pixels.reshape(HEIGHT, WIDTH, 4))
        kept.callback(one.close)
        yield one


@contextmanager
def program(
    on: Screen, command: Sequence[str], more: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A program on this screen; it is ended at the end."""
    running = subprocess.Popen(
        command, env={**on.environment, **(more or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield running
    finally:
        _end(running)


def _end(running: subprocess.Popen[bytes]) -> None:
    running.terminate()
    try:
        running.wait(5)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
