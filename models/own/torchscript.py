"""A TorchScript file that takes numpy arrays and gives numpy arrays, its program looked through first."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from concurrent.futures import wait
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.background_call import call_in_thread
from stepscope.core.errors import OutOfMemory, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import SECONDS, exceeded, limit, written_figure
from stepscope.core.progress import CancelToken
from stepscope.models.own import torchscript_program
from stepscope.models.runtimes.memory import in_memory
from stepscope.models.runtimes.runtime import Array, TensorFact
from stepscope.models.runtimes.torch_runtime import TorchRuntime
from stepscope.models.runtimes.weights import damaged, sha256

if TYPE_CHECKING:
    import torch
else:
    torch = lazy_module("torch")

_LOOK_SECONDS = 0.2
_TENSOR = "Tensor"


class TorchScriptRuntime:
    """See `Runtime`. `takes` are the arguments of `forward`, `gives` its values, both without shapes: the file tells
    none. A batch that takes longer than `model-seconds` is left to itself, and nothing is run any more: torch cannot
    stop it."""

    def __init__(self, file: Path, *, preparation: str = "", device: str = "auto", precision: str = "auto") -> None:
        """Raises UserError naming the file for a program that is not only arithmetic or that cannot be loaded,
        UnavailableError without torch, OutOfMemory."""
        torchscript_program.check(file)
        module = in_memory(partial(_loaded, file), "loading it", file)
        self.takes, self.gives = _signature(file, module)
        self._file = file
        self._inner = TorchRuntime(
            _plain(module), weights=sha256(file), preparation=preparation, device=device, dtype=precision
        )
        self._token = CancelToken()
        self._lost = False
        self.device, self.computed_by = self._inner.device, self._inner.computed_by
        self.fingerprint = f"TorchScript; {self._inner.fingerprint}"

    def run(self, *inputs: Array) -> list[Array]:
        if self._lost:
            raise UserError("still works on a batch that took too long.", place=self._file, hint="Load it again.")
        seconds = limit("model-seconds")
        due = time.monotonic() + seconds
        running = call_in_thread(partial(self._inner.run, *inputs), "model")
        while not wait((running,), _LOOK_SECONDS).done:
            if self._token.cancelled or time.monotonic() > due:
                self._lost = True
                if self._token.cancelled:
                    raise UserError("the model was stopped.", place=self._file)
                words = f"the model took more than {written_figure(SECONDS, seconds)} over one batch."
                raise exceeded("model-seconds", words, place=self._file)
        return running.result()

    def warm_up(self, *inputs: Array) -> None:
        self.run(*inputs)

    def set_token(self, token: CancelToken) -> None:
        self._token = token

    def close(self) -> None:
        self._inner.close()


def _loaded(file: Path) -> Any:
    """The module, on the processor. Raises UserError naming the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that TorchScript is no longer worked on
            load: Any = torch.jit.load
            return load(str(file), map_location="cpu")
    except (MemoryError, OutOfMemory):
        raise
    except Exception as error:
        raise damaged(file, error) from error


def _plain(program: Any) -> torch.nn.Module:
    """The program within a module of the usual kind: its own kind cannot be told that no gradients are wanted."""

    class WithinModule(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = program

        def forward(self, *given: torch.Tensor) -> Any:
            return self.inner(*given)

    return WithinModule()


def _signature(file: Path, module: Any) -> tuple[tuple[TensorFact, ...], tuple[TensorFact, ...]]:
    """Names of inputs and of outputs. Raises UserError for what is called otherwise than with tensors."""
    schema = module.forward.schema
    given = [one for one in schema.arguments[1:] if not one.has_default_value()]
    values = _values(schema.returns)
    if any(str(one.type) != _TENSOR for one in given) or not given or not values:
        hint = "Trace it with tensors in and tensors out, or export it to ONNX."
        raise UserError("does not take tensors and give tensors.", place=file, hint=hint)
    takes = tuple(TensorFact(one.name) for one in given)
    return takes, tuple(TensorFact(f"output {place + 1}") for place in range(values))


def _values(returns: Sequence[Any]) -> int:
    """How many tensors are given, 0 where something else is."""
    (kind,) = [one.type for one in returns] if len(returns) == 1 else [None]
    if kind is None:
        return 0
    if str(kind) == _TENSOR:
        return 1
    if kind.kind() == "TupleType" and all(str(one) == _TENSOR for one in kind.elements()):
        return len(kind.elements())
    return 0
