"""A torch module that takes numpy arrays and gives numpy arrays."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.errors import OutOfMemory, UnavailableError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.runtimes import devices
from stepscope.models.runtimes.devices import ComputeDevice
from stepscope.models.runtimes.memory import in_memory
from stepscope.models.runtimes.runtime import Array
from stepscope.models.runtimes.weights import first_line

if TYPE_CHECKING:
    import torch
else:
    torch = lazy_module("torch")

_INSTALL = "Install it with pip install 'stepscope[models]'."


class TorchRuntime:
    """A module in inference mode on a device. See `Runtime` for the methods."""

    def __init__(
        self, module: torch.nn.Module, *, weights: str, preparation: str = "", device: str = "auto", dtype: str = "auto"
    ) -> None:
        """`weights` is the SHA-256 of the file that the module was filled from, `preparation` the version of what makes
        its inputs. In half precision operations run under autocast; the weights stay as they are.

        Raises UsageError or UserError for a device or precision that is not to be had, OutOfMemory when the weights do
        not fit.
        """
        self.device = choose_device(device)
        self.precision = devices.precision(dtype, self.device)
        self.computed_by = f"torch {torch.__version__}; {self.precision.name} on {self.device.kind}"
        self.fingerprint = f"weights {weights}; {self.computed_by}; preparation {preparation}"
        module.eval().requires_grad_(False)
        self._module: torch.nn.Module | None = in_memory(partial(module.to, str(self.device)), str(self.device))

    @property
    def module(self) -> torch.nn.Module:
        """The network itself, for a training that begins with it."""
        if self._module is None:
            raise RuntimeError("the model was closed")
        return self._module

    def run(self, *inputs: Array) -> list[Array]:
        try:
            return in_memory(partial(self._run, inputs), str(self.device))
        except OutOfMemory:
            self._give_back()  # what was kept for reuse is in pieces of the wrong size
            raise

    def warm_up(self, *inputs: Array) -> None:
        self.run(*inputs)

    def set_token(self, token: CancelToken) -> None:
        """Does nothing: the modules are this program's own and have no loops without end."""

    def close(self) -> None:
        self._module = None
        gc.collect()
        self._give_back()

    def _run(self, inputs: Sequence[Array]) -> list[Array]:
        if self._module is None:
            raise RuntimeError("the model was closed")
        half = self.precision.name != "float32"
        number = getattr(torch, self.precision.name) if half else None
        chosen = torch.cuda.device(self.device.index) if self.device.kind == "cuda" else nullcontext()
        with chosen, torch.inference_mode(), torch.autocast(self.device.kind, dtype=number, enabled=half):
            found = self._module(*(self._moved(one) for one in inputs))
        outputs = found if isinstance(found, tuple | list) else (found,)
        return [(one.float() if one.is_floating_point() else one).cpu().numpy() for one in outputs]

    def _moved(self, array: Array) -> torch.Tensor:
        tensor = torch.from_numpy(np.require(array, requirements=["C", "W"]))
        if self.device.kind == "cpu":
            return tensor
        # Out of pinned memory the copy runs beside what the GPU still computes.
        return tensor.pin_memory().to(str(self.device), non_blocking=True)

    def _give_back(self) -> None:
        if self.device.kind == "cuda":
            torch.cuda.empty_cache()


def choose_device(wanted: str) -> ComputeDevice:
    """The device for torch, tried out. Raises UnavailableError without torch, else what `devices.resolve` raises."""
    try:
        import torch
    except ImportError as error:
        raise UnavailableError(f"torch models need the package {error.name}.", hint=_INSTALL) from error
    device = devices.resolve(wanted, devices.torch_lack())
    if device.kind == "cpu":
        return device
    try:
        torch.empty(0, device=str(device))  # starts CUDA there, and on no other GPU, which would cost memory
    except (RuntimeError, AssertionError) as error:
        first = first_line(error)
        if wanted == "auto":
            return devices.on_cpu(f"torch cannot use the GPU: {first}")
        raise UserError(f"{wanted} cannot be used by torch: {first}", hint="Say auto or cpu.") from error
    return device
