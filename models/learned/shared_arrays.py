"""Arrays of a batch that lie where both processes see them, so that a batch is not copied on its way to the network."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from stepscope.core.lazy import lazy_module
from stepscope.models.learned.recipe import Array

if TYPE_CHECKING:
    import torch
    from torch import Tensor
else:
    torch = lazy_module("torch")


def batch_zeros(shape: tuple[int, ...], kind: DTypeLike) -> Array:
    """Zeros of this shape and kind; in a process that makes batches for another, in memory that they share."""
    if "torch" not in sys.modules or torch.utils.data.get_worker_info() is None:
        return np.zeros(shape, kind)
    wanted = np.dtype(kind)
    shared: Any = torch.UntypedStorage._new_shared(max(1, math.prod(shape)) * wanted.itemsize)  # type: ignore[no-untyped-call]
    flat = torch.empty(0, dtype=torch.uint8).set_(shared)
    found: Array = flat.numpy()[: math.prod(shape) * wanted.itemsize].view(wanted).reshape(shape)
    return found


def as_tensor(array: Array) -> Tensor:
    """The array as a tensor without a copy where it can be; one of `batch_zeros` stays in shared memory."""
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    whole = base.base
    if isinstance(whole, torch.Tensor) and whole.is_shared() and array.flags.c_contiguous:
        begin = array.ctypes.data - whole.data_ptr()
        kind = torch.from_numpy(np.empty(0, array.dtype)).dtype
        return whole[begin : begin + array.nbytes].view(kind).reshape(array.shape)
    return torch.from_numpy(np.require(array, requirements=["C", "W"]))
