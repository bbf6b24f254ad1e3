"""Video encoded beforehand, with each picture's number painted into it: what comes out of the encoder when is known to
the microsecond, and making it takes no time of the machine that is measured."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Size
from tests.device_side import timecode
from tests.device_side.encoder import Encoder, Packet
from tests.device_side.screens import NotePad, Pixels

BEHIND_SECONDS = 0.5


class CodedScreens:
    """A page that scrolls at `fps`, `frames` pictures round and round. `sent[n]` is when the picture with the number
    `n` last left the encoder, in seconds of `time.monotonic`; `share_clock` puts it into a file for another process.
    Taps do nothing; the tree is a note pad's.
    """

    def __init__(self, size: Size, fps: int, frames: int = 120, packets: list[Packet] | None = None) -> None:
        """`packets`: made before with the same size, instead of encoding them now."""
        self.size, self.fps = size, fps
        self._page = _drawn(size)
        self._pad = NotePad(size)
        self.packets = packets if packets is not None else list(self._encoded(frames))
        self.sent: NDArray[np.float64] = np.zeros(len(self.packets) - 1)

    def share_clock(self, path: Path) -> None:
        self.sent = np.memmap(path, np.float64, "w+", shape=self.sent.shape)

    @property
    def version(self) -> int:
        return 0

    @property
    def activity(self) -> str:
        return self._pad.activity

    def picture(self, turned: bool) -> Pixels:
        return self._painted(0)

    def tree(self, turned: bool) -> UITree:
        return self._pad.tree(turned)

    def perform(self, action: Action) -> bool:
        return False

    def video(self) -> Iterator[Packet]:
        """Packets at their time, without end. A consumer too slow by half a second delays what follows."""
        config, *pictures = self.packets
        yield config
        start, number = time.monotonic(), 0
        while True:
            wait = start + number / self.fps - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            elif wait < -BEHIND_SECONDS:
                start -= wait
            place = number % len(pictures)
            self.sent[place] = time.monotonic()
            packet = pictures[place]
            yield Packet(packet.data, False, packet.is_key, number * 1_000_000 // self.fps)
            number += 1

    def _encoded(self, frames: int) -> Iterator[Packet]:
        encoder = Encoder(self.size, fps=self.fps)
        for number in range(frames):
            yield from encoder.encode(self._painted(number), number * 1_000_000 // self.fps)

    def _painted(self, number: int) -> Pixels:
        step = max(2, self.size.height // 200)
        pixels = np.roll(self._page, -step * number, axis=0)
        _stir(pixels, number)
        timecode.paint(pixels, number)
        return pixels


def save(packets: list[Packet], path: Path) -> None:
    """Coded pictures in a file, for `load`."""
    path.write_bytes(pickle.dumps([astuple(packet) for packet in packets]))


def load(path: Path) -> list[Packet]:
    return [Packet(*values) for values in pickle.loads(path.read_bytes())]


def _stir(pixels: Pixels, number: int) -> None:
    """Something that no motion explains, so that a picture costs what a picture of a phone in use costs."""
    height, width = pixels.shape[:2]
    grain = np.random.default_rng(number).integers(0, 255, (height // 96, width // 24, 3), np.uint8)
    grain = grain.repeat(8, 0).repeat(8, 1)
    top = height // 2
    pixels[top : top + grain.shape[0], : grain.shape[1]] = grain


def _drawn(size: Size) -> Pixels:
    random = np.random.default_rng(3)
    rows = random.integers(40, 220, (size.height // 24 + 1, 1, 3), np.uint8).repeat(24, 0)[: size.height]
    pixels = rows.repeat(size.width, 1)
    pixels[::7, ::5] = random.integers(0, 255, pixels[::7, ::5].shape, np.uint8)
    return np.ascontiguousarray(pixels)
