"""Memory of decoded pictures, used again once nobody has the picture: fresh memory takes longer to get than to fill.

On a virtual machine the 7.8 MB of a phone's screen took 12 to 20 ms to get, beside 5 to decode into them. So one block
more than there are pictures is kept, got ahead by whoever decodes ahead.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stepscope.core.imaging.parts import Pixels
else:
    np = lazy_module("numpy")

LEAST = 2**17
"""Bytes from which memory is kept; less comes from where Python's own does."""
MOST_UNUSED = 48 * 2**20
"""Bytes that are kept though no picture lies in them; what was used last goes last."""
_STEP = 2**16
"""Blocks are as long as a multiple of this, so that pictures of nearly the same size share them."""
_ROOM = 1.25
"""A block may be so many times as long as what is put there."""


class PixelMemory:
    """Blocks of bytes. Every method may be called from any thread.

    Whether a picture is still had by anyone Python knows: an array, and each view of it, refers to the block that it
    lies in.
    """

    def __init__(self) -> None:
        self._blocks: list[NDArray[np.uint8]] = []
        self._state = threading.Lock()

    def take(self, height: int, width: int, channels: int = 3) -> Pixels:
        """Memory for height × width × channels bytes, with anything in it."""
        size = height * width * channels
        if size < LEAST:
            return np.empty((height, width, channels), np.uint8)
        with self._state:
            unused = self._unused()
            fitting = [place for place in unused if self._fits(place, size)]
            if fitting:
                block = self._blocks.pop(fitting[-1])
            else:
                block = _block(size)
                self._drop(unused)
            self._blocks.append(block)
            return cast("Pixels", block[:size].reshape(height, width, channels))

    def get_ready(self, size: int) -> None:
        """Have a block for another picture of so many bytes, if it is within the bound."""
        with self._state:
            if not LEAST <= size <= MOST_UNUSED or any(self._fits(place, size) for place in self._unused()):
                return
        import ctypes  # not at the start of a window, which decodes nothing

        block = _block(size)
        ctypes.memset(block.ctypes.data, 0, block.size)  # lets other threads run meanwhile
        with self._state:
            self._drop(self._unused())
            self._blocks.append(block)

    @property
    def unused_bytes(self) -> int:
        """Bytes that are kept though no picture lies in them."""
        with self._state:
            return sum(self._blocks[place].size for place in self._unused())

    def _fits(self, place: int, size: int) -> bool:
        return size <= self._blocks[place].size <= _ROOM * size

    def _unused(self) -> list[int]:
        """Places of the blocks that nobody but this refers to."""
        return [place for place, count in enumerate(_references(self._blocks)) if count <= _ALONE]

    def _drop(self, unused: list[int]) -> None:
        """Give back what is beyond the bound, the longest unused first."""
        kept = 0
        for place in reversed(unused):
            kept += self._blocks[place].size
            if kept > MOST_UNUSED:
                del self._blocks[place]


def _block(size: int) -> NDArray[np.uint8]:
    return np.empty(-(-size // _STEP) * _STEP, np.uint8)


def _references(blocks: Sequence[object]) -> list[int]:
    """What Python counts for each: who has it, and who counts."""
    return [sys.getrefcount(block) for block in blocks]


(_ALONE,) = _references([object()])
"""What it counts where only the list has it."""

pixel_memory = PixelMemory()
"""The memory of all pictures of this process."""
