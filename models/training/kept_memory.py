"""Memory of a process that makes batches, used again for each: on many machines a page of fresh memory costs more time
than filling it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.core.lazy import lazy_module
from stepscope.models.learned.recipe import Array

if TYPE_CHECKING:
    import torch
    from torch import Tensor
else:
    torch = lazy_module("torch")

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""`M_TRIM_THRESHOLD` and `M_MMAP_THRESHOLD` of glibc's mallopt(3)."""
_NEVER = 2**30
_ALIGNED = 64


def keep_freed_memory() -> None:
    """From now on this process keeps what it frees for what it takes next. Does nothing where the C library has no such
    choice."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(_TRIM_THRESHOLD, _NEVER)
            mallopt(_MMAP_THRESHOLD, _NEVER)


Layout = tuple[tuple[str, tuple[int, ...]], ...]
"""Kind and shape of each array that lies in a block."""


class SharedRing:
    """Arrays side by side in a block of memory that another process sees, in `count` blocks in turn: what was given
    first is written over by what is given `count` calls later."""

    def __init__(self, count: int) -> None:
        self._blocks: list[Tensor | None] = [None] * count
        self._next = 0

    def put(self, arrays: Sequence[Array]) -> tuple[Tensor, Layout]:
        """The next block, with these arrays in it (see `arrays_of`). Raises TypeError for arrays of Python objects,
        which mean nothing in another process."""
        if any(one.dtype.hasobject for one in arrays):
            raise TypeError("a batch holds numbers and texts of a fixed length")
        layout = tuple((one.dtype.str, one.shape) for one in arrays)
        block = self._block(sum(map(_room, arrays)))
        for place, array in zip(arrays_of(block, layout), arrays, strict=True):
            np.copyto(place, array)
        return block, layout

    def _block(self, size: int) -> Tensor:
        """The next one in turn, of `size` bytes at least."""
        place, self._next = self._next, (self._next + 1) % len(self._blocks)
        block = self._blocks[place]
        if block is None or len(block) < size:
            # As torch's own collation takes it.
            shared: Any = torch.UntypedStorage._new_shared(max(1, size))  # type: ignore[no-untyped-call]
            block = self._blocks[place] = torch.empty(0, dtype=torch.uint8).set_(shared)
        return block


def arrays_of(block: Tensor, layout: Layout) -> list[Array]:
    """The arrays that lie in a block, without a copy."""
    whole, at, found = block.numpy(), 0, []
    for kind, shape in layout:
        dtype = np.dtype(kind)
        one = np.ndarray(shape, dtype, whole.data, at)
        at += _room(one)
        found.append(one)
    return found


def _room(array: Array) -> int:
    """Bytes that an array takes in a block."""
    return -(-array.nbytes // _ALIGNED) * _ALIGNED
