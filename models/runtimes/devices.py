"""Which device a model runs on and in which precision, and why, in words. Imports no runtime: a window may ask."""

from __future__ import annotations

import os
import platform
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, cast, get_args

from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.models.runtimes.driver import Gpu, gpus

Kind = Literal["cpu", "cuda"]
PrecisionName = Literal["float32", "float16", "bfloat16"]

_PRECISIONS: tuple[PrecisionName, ...] = get_args(PrecisionName)
_NAME = re.compile(r"auto|cpu|cuda(?::(?P<index>\d{1,3}))?")
_DEVICES = "Say auto, cpu, cuda or cuda:0."
_USE_CPU = "Say auto or cpu to run on the processor."


@dataclass(frozen=True, slots=True)
class ComputeDevice:
    """A device on which a model runs. `name` is the maker's, `memory` in bytes (None: not known), `why` how it was
    chosen."""

    kind: Kind
    index: int = 0
    name: str = "CPU"
    memory: int | None = None
    why: str = ""

    def __str__(self) -> str:
        """The device as options name it: cpu or cuda:0."""
        return self.kind if self.kind == "cpu" else f"{self.kind}:{self.index}"


@dataclass(frozen=True, slots=True)
class UnavailableReason:
    """Why a runtime cannot use a GPU: `why` continues "CPU: ", `hint` says what to do."""

    why: str
    hint: str


@dataclass(frozen=True, slots=True)
class Precision:
    """The kind of number a network computes in; `why` how it was chosen."""

    name: PrecisionName
    why: str


def available() -> tuple[ComputeDevice, ...]:
    """Every GPU that the driver knows, then the processor, each with name and memory in `why`."""
    return (*(_gpu(index, gpu) for index, gpu in enumerate(gpus().found)), _processor())


def no_gpu() -> str:
    """Why there is no GPU, in words; "" where there is one."""
    return gpus().trouble


def resolve(wanted: str, lack: UnavailableReason | None = None) -> ComputeDevice:
    """The device for `auto`, `cpu`, `cuda` or `cuda:1`.

    `lack` is what keeps the runtime from using any GPU. Raises UsageError for what is no device, UserError for a GPU
    that cannot be used here.
    """
    index = _parsed(wanted)
    if wanted == "cpu":
        return on_cpu("asked for")
    trouble = lack or _no_gpu()
    if trouble is not None:
        if wanted == "auto":
            return on_cpu(trouble.why)
        raise UserError(f"{wanted} cannot be used here: {trouble.why}.", hint=f"{trouble.hint} {_USE_CPU}")
    found = gpus().found
    if index >= len(found):
        there = ", ".join(f"cuda:{place} ({gpu.name})" for place, gpu in enumerate(found))
        raise UserError(f"there is no {wanted} here.", hint=f"There is {there}.")
    return _gpu(index, found[index])


def on_cpu(why: str) -> ComputeDevice:
    """The processor, with the reason for it."""
    processor = _processor()
    return ComputeDevice("cpu", 0, processor.name, processor.memory, f"CPU: {why}")


def torch_lack() -> UnavailableReason | None:
    """The reason why the installed torch cannot use a GPU, found without importing it; None: nothing known."""
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        return UnavailableReason("torch is not installed", "Install it with pip install 'stepscope[models]'.")
    version = Path(spec.origin).with_name("version.py")
    built_for = (
        re.search(r"^cuda\b[^=]*=\s*(.+)$", version.read_text("utf-8"), re.MULTILINE) if version.exists() else None
    )
    if built_for is not None and built_for[1].strip() == "None":
        return UnavailableReason("this torch was built without CUDA", "Install a build of torch for CUDA.")
    return None


def precision(wanted: str, device: ComputeDevice) -> Precision:
    """The numbers for `auto`, `float32`, `float16` or `bfloat16`.

    Raises UsageError for another word, and for half precision on the processor, which has no use for it.
    """
    if wanted == "auto":
        if device.kind == "cpu":
            return Precision("float32", "float32: a processor gains nothing by less")
        return Precision("float16", "float16: a GPU computes it several times as fast as float32")
    if wanted not in get_args(PrecisionName):
        raise UsageError(f"There is no precision {wanted!r}.", hint="Say auto, float32, float16 or bfloat16.")
    if device.kind == "cpu" and wanted != "float32":
        raise UsageError(f"{wanted} needs a GPU, and this runs on the processor.", hint="Say auto or float32.")
    return Precision(cast(PrecisionName, wanted), f"{wanted}: asked for")


def _parsed(wanted: str) -> int:
    """The GPU's index, 0 where none is named."""
    match = _NAME.fullmatch(wanted)
    if match is None:
        raise UsageError(f"There is no device {wanted!r}.", hint=_DEVICES)
    return int(match["index"] or 0)


def _no_gpu() -> UnavailableReason | None:
    trouble = no_gpu()
    return UnavailableReason(trouble, "Install NVIDIA's driver, or free the GPU for this program.") if trouble else None


def _gpu(index: int, gpu: Gpu) -> ComputeDevice:
    return ComputeDevice("cuda", index, gpu.name, gpu.memory, f"CUDA {index}: {gpu.name}, {_gib(gpu.memory)}")


@cache
def _processor() -> ComputeDevice:
    name = _processor_name()
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        return ComputeDevice("cpu", 0, name, None, f"CPU: {name}")
    return ComputeDevice("cpu", 0, name, memory, f"CPU: {name}, {_gib(memory)}")


def _processor_name() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine() or "CPU"


def _gib(size: int) -> str:
    return f"{size // 2**30} GiB"
