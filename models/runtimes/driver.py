"""What GPUs there are, asked of NVIDIA's driver itself: it takes milliseconds where importing torch takes seconds.

The driver counts as torch and ONNX Runtime do (CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER hold), and no memory of a GPU
is taken.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

from stepscope.core.frozen import dataclass

_LIBRARIES = {"linux": "libcuda.so.1", "win32": "nvcuda.dll"}
_NO_DEVICE = 100  # CUDA_ERROR_NO_DEVICE


@dataclass(frozen=True, slots=True)
class Gpu:
    """`memory` in bytes, all of it."""

    name: str
    memory: int


@dataclass(frozen=True, slots=True)
class Gpus:
    """`trouble` says in words why there are none; "" when there are some."""

    found: tuple[Gpu, ...] = ()
    trouble: str = ""


@cache
def gpus() -> Gpus:
    """The GPUs in CUDA's order. Asked once a process: a driver does not come or go while one runs."""
    library = load_library()
    if library is None:
        return Gpus(trouble="no NVIDIA driver answers")
    if code := library.cuInit(0):
        return Gpus(trouble="the NVIDIA driver sees no GPU" if code == _NO_DEVICE else _words(library, code))
    count = ctypes.c_int()
    if code := library.cuDeviceGetCount(ctypes.byref(count)):
        return Gpus(trouble=_words(library, code))
    found = tuple(_gpu(library, index) for index in range(count.value))
    return Gpus(found, "" if found else "the NVIDIA driver sees no GPU")


def load_library() -> Any:
    """The driver's library; None where there is none."""
    try:
        return ctypes.CDLL(_LIBRARIES[sys.platform]) if sys.platform in _LIBRARIES else None
    except OSError:
        return None


def _gpu(library: Any, index: int) -> Gpu:
    handle, name, memory = ctypes.c_int(), ctypes.create_string_buffer(256), ctypes.c_size_t()
    library.cuDeviceGet(ctypes.byref(handle), index)
    library.cuDeviceGetName(name, len(name), handle)
    library.cuDeviceTotalMem_v2(ctypes.byref(memory), handle)
    return Gpu(name.value.decode(errors="replace") or "GPU", memory.value)


def _words(library: Any, code: int) -> str:
    text = ctypes.c_char_p()
    library.cuGetErrorString(code, ctypes.byref(text))
    return f"the NVIDIA driver reports error {code}, {(text.value or b'unknown').decode(errors='replace')}"
