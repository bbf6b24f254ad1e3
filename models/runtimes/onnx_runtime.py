"""An ONNX file that takes numpy arrays and gives numpy arrays."""

from __future__ import annotations

import gc
import io
import os
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from stepscope.core.background_call import call_in_thread
from stepscope.core.errors import OutOfMemory, UnavailableError, UserError
from stepscope.core.limits import SECONDS, exceeded, limit, written_figure
from stepscope.core.process import children
from stepscope.core.progress import CancelToken
from stepscope.models.runtimes import devices, onnx_file
from stepscope.models.runtimes.devices import ComputeDevice, UnavailableReason
from stepscope.models.runtimes.memory import in_memory, ran_out
from stepscope.models.runtimes.runtime import Array, TensorFact
from stepscope.models.runtimes.weights import damaged, first_line, sha256

CPU, CUDA, TENSORRT = "CPUExecutionProvider", "CUDAExecutionProvider", "TensorrtExecutionProvider"

_NUMBERS = {"float": "float32", "double": "float64"}
"""What ONNX Runtime calls otherwise than numpy."""

Providers = list[tuple[str, dict[str, Any]]]
"""Names with options, the preferred one first."""

_INSTALL = "Install it with pip install 'stepscope[models]'."
_NOT_BUILT = UnavailableReason("this onnxruntime was built without CUDA", "Install onnxruntime-gpu in its place.")
_ONLY_FATAL = 4
"""Its warnings and errors are told by exceptions; on the terminal they are of no use."""

_LOOK_SECONDS = 0.2


class OnnxRuntime:
    """A session on the best provider that works: TensorRT, CUDA, the processor. See `Runtime` for the methods.

    `providers` are those in use, the first preferred; `device.why` tells why a GPU's is not among them. `inputs` are
    the names that `run` takes arrays for, `metadata` is the table of words inside the file, `weights` its SHA-256.
    """

    def __init__(self, file: Path, *, preparation: str = "", device: str = "auto", engines: Path | None = None) -> None:
        """`preparation` is the version of what makes the inputs. TensorRT keeps the engines that it builds in the
        folder `engines`; without one it is not used, for it would take minutes at every start.

        Raises UnavailableError without onnxruntime, UserError when file or device cannot be used, OutOfMemory.
        """
        self.version = f"onnxruntime {_imported().__version__}"
        beside = onnx_file.check(file)
        self.weights = "+".join(sha256(one) for one in (file, *beside))
        self._file = file
        self._token = CancelToken()
        self._open = partial(_opened, file, device, engines)
        self._session, self.device = self._open()
        self.providers: tuple[str, ...] = tuple(self._session.get_providers())
        self.metadata: Mapping[str, str] = self._session.get_modelmeta().custom_metadata_map
        self.inputs: tuple[str, ...] = tuple(one.name for one in self._session.get_inputs())
        self.computed_by = f"{self.version} on {self.device.kind}"
        self.fingerprint = f"weights {self.weights}; {self.version} {self.providers[0]}; preparation {preparation}"

    @property
    def takes(self) -> tuple[TensorFact, ...]:
        """What the file tells of its inputs."""
        return _facts(self._session.get_inputs())

    @property
    def gives(self) -> tuple[TensorFact, ...]:
        """What the file tells of its outputs."""
        return _facts(self._session.get_outputs())

    def run(self, *inputs: Array) -> list[Array]:
        """Raises UserError naming the file where it does not take these inputs, breaks on them, or takes longer than
        `model-seconds`; OutOfMemory."""
        if self._session is None:
            raise RuntimeError("the model was closed")
        if len(inputs) != len(self.inputs):
            raise UserError(f"takes {len(self.inputs)} inputs, not {len(inputs)}.", place=self._file)
        try:
            return in_memory(partial(self._run, inputs), str(self.device), self._file)
        except OutOfMemory:
            # What it keeps for reuse grows to as much as was asked for, and would take all that is left next time.
            self.close()
            self._session, _ = self._open()
            raise

    def warm_up(self, *inputs: Array) -> None:
        self.run(*inputs)

    def set_token(self, token: CancelToken) -> None:
        """A batch ends soon after the token is cancelled."""
        self._token = token

    def close(self) -> None:
        self._session = None
        gc.collect()

    def _run(self, inputs: Sequence[Array]) -> list[Array]:
        options, seconds = _imported().RunOptions(), limit("model-seconds")
        given = dict(zip(self.inputs, inputs, strict=True))
        due = time.monotonic() + seconds
        # Beside this thread, which goes on to hear signals, the clock and the token: a model's loop need not end.
        running: Future[list[Array]] = call_in_thread(partial(self._session.run, None, given, options), "model")
        try:
            while not wait((running,), _LOOK_SECONDS).done:
                if self._token.cancelled or time.monotonic() > due:
                    options.terminate = True
            return running.result()
        except Exception as error:  # classes of its own, of no common kind
            if options.terminate and self._token.cancelled:
                raise UserError("the model was stopped.", place=self._file) from error
            if options.terminate:
                words = f"the model took more than {written_figure(SECONDS, seconds)} over one batch."
                raise exceeded("model-seconds", words, place=self._file) from error
            if ran_out(error):
                raise
            raise UserError(f"the model cannot answer: {first_line(error)}", place=self._file) from error
        finally:
            options.terminate = True  # where this thread was interrupted


def choose_device(wanted: str) -> ComputeDevice:
    """The device for ONNX Runtime, as far as can be told without a model. Raises as `devices.resolve` does."""
    listed = _imported().get_available_providers()
    return devices.resolve(wanted, None if CUDA in listed else _NOT_BUILT)


def _imported() -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise UnavailableError("ONNX models need the package onnxruntime.", hint=_INSTALL) from error
    onnxruntime.set_default_logger_severity(_ONLY_FATAL)
    return onnxruntime


def _opened(file: Path, wanted: str, engines: Path | None) -> tuple[Any, ComputeDevice]:
    """A session and where it runs."""
    device = choose_device(wanted)
    if device.kind == "cpu":
        return _on_cpu(file), device
    onnxruntime = _imported()
    with redirect_stdout(io.StringIO()):  # it prints what it does not find
        onnxruntime.preload_dlls()  # those in packages beside it, which the loader would not find
    refused: list[str] = []
    for providers in _chains(onnxruntime.get_available_providers(), device.index, engines):
        first = providers[0][0]
        try:
            session = _session(file, providers)
            if first in session.get_providers():
                return session, replace(device, why="; ".join([device.why, *refused]))
            why = _why_skipped(file, first) or "ONNX Runtime does not say why"
        except OutOfMemory:
            raise
        except Exception as error:  # noqa: BLE001 - classes of its own, of no common kind
            why = _why_skipped(file, first) or first_line(error)
        refused.append(f"{first} did not load: {why}")
    if wanted == "auto":
        return _on_cpu(file), devices.on_cpu("; ".join(refused))
    raise UserError(
        f"{wanted} cannot be used here: {'; '.join(refused)}.",
        hint="Install the CUDA and cuDNN that this onnxruntime was built for. Say auto or cpu to run on the processor.",
    )


def _chains(listed: Sequence[str], index: int, engines: Path | None) -> list[Providers]:
    """Providers with their options, the best first; each chain is what to try when the one before did not load."""
    cuda: Providers = [(CUDA, {"device_id": index}), (CPU, {})]
    if engines is None or TENSORRT not in listed:
        return [cuda]
    options = {"device_id": index, "trt_engine_cache_enable": True, "trt_engine_cache_path": str(engines)}
    return [[(TENSORRT, options), *cuda], cuda]


def _on_cpu(file: Path) -> Any:
    """A session on the processor. Raises UserError naming the file."""
    try:
        return _session(file, [(CPU, {})])
    except OutOfMemory:
        raise
    except Exception as error:
        raise damaged(file, error) from error


def _session(file: Path, providers: Providers) -> Any:
    """A session, as ONNX Runtime makes it: a provider whose libraries are missing may be left out without a word."""
    onnxruntime = _imported()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _ONLY_FATAL
    options.intra_op_num_threads = threads_allowed()
    make = partial(onnxruntime.InferenceSession, str(file), options, providers=providers, enable_fallback=0)
    return in_memory(make, "loading it", file)


def _facts(told: Sequence[Any]) -> tuple[TensorFact, ...]:
    """Inputs or outputs; what is no tensor has no kind of number."""
    found = []
    for one in told:
        kind = re.fullmatch(r"tensor\((\w+)\)", one.type)
        dtype = _NUMBERS.get(kind[1], kind[1]) if kind else ""
        # A session tells no dimensions both of a lone number and of a shape that is not known.
        shape = tuple(length if type(length) is int and length >= 0 else None for length in one.shape or ()) or None
        found.append(TensorFact(one.name, dtype, shape))
    return tuple(found)


def threads_allowed() -> int:
    """How many threads `OMP_NUM_THREADS` allows one computation, as torch understands it; 0 when it says nothing. ONNX
    Runtime does not look at it, and its threads wait for work by spinning, at the cost of whatever runs beside it."""
    told = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(told) if told.isdecimal() else 0


def _why_skipped(file: Path, provider: str) -> str:
    """What ONNX Runtime logs when a provider does not load, "" when it logs nothing. It says so nowhere else, so a
    process is asked."""
    command = children.command("stepscope.models.runtimes.provider_child", "load", str(file), provider)
    try:
        told = subprocess.run(
            command, env=children.environment(), capture_output=True, text=True, check=False, timeout=60
        ).stderr
    except (OSError, subprocess.TimeoutExpired):
        told = ""
    found = re.search(r"with error: (.+)", told)
    return found[1] if found else ""
