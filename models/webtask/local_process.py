"""llama.cpp in a process of its own: a file that breaks it ends that process and nothing else.

`python -m stepscope.models.webtask.local_process`: one line of JSON on stdin says what to load (`ModelServerSpec`),
one line on stdout says at which address it answers, or in `error` why not. The end of stdin ends the process.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import weakref
from dataclasses import asdict
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import limit
from stepscope.core.process import children
from stepscope.core.process.memory import bound_own_memory
from stepscope.core.process.own_streams import own_output
from stepscope.core.progress import CancelToken

_MODULE = "stepscope.models.webtask.local_process"
_POLL_SECONDS = 0.1
_LONGEST_LINE = 10_000
_HINT = "Is it a whole GGUF file of a language model, and is there memory for it?"


@dataclass(frozen=True, slots=True)
class ModelServerSpec:
    """`context` in tokens; `projector` "" for a model that reads text only. `key` is what requests are to bear."""

    file: str
    projector: str
    context: int
    gpu: bool
    key: str


class LocalProcess:
    """Runs until `close`, or until nobody holds it."""

    def __init__(self, wanted: ModelServerSpec, token: CancelToken) -> None:
        """Returns when the model is loaded. Raises UserError when it cannot be, or when the token is cancelled."""
        child = self._child = children.launch(children.command(_MODULE), errors=subprocess.DEVNULL, own_session=True)
        self.close = weakref.finalize(self, children.end, child)
        self.address = self._loaded(wanted, token)

    @property
    def ended(self) -> str:
        """How it ended, in words; "" while it lives."""
        status = self._child.poll()
        return "" if status is None else f"llama.cpp has ended (exit status {status})"

    def _loaded(self, wanted: ModelServerSpec, token: CancelToken) -> str:
        child = self._child
        assert child.stdin is not None and child.stdout is not None
        lines: SimpleQueue[bytes] = SimpleQueue()
        output = child.stdout
        Thread(target=lambda: lines.put(output.readline(_LONGEST_LINE)), name="local model", daemon=True).start()
        with contextlib.suppress(OSError):  # its end is noticed by its silence
            child.stdin.write(json.dumps(asdict(wanted)).encode() + b"\n")
            child.stdin.flush()
        while True:
            try:
                told = lines.get(timeout=_POLL_SECONDS)
                break
            except Empty:
                if token.cancelled:
                    self.close()
                    raise UserError("The run was cancelled before the model was loaded.") from None
        try:
            form = json.loads(told)
        except (ValueError, RecursionError):
            form = {}
        if not isinstance(form, dict):
            form = {}
        if isinstance(address := form.get("address"), str):
            return address
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(1)
        why = form.get("error") or self.ended
        self.close()
        raise UserError(f"llama.cpp cannot load this model{why and f': {why}'}.", place=wanted.file, hint=_HINT)


def main() -> int:
    """The exit status."""
    answers = own_output()
    line = sys.stdin.readline()
    if not line:
        return 0
    bound_own_memory(limit("model-memory"))
    try:
        engine = _engine(ModelServerSpec(**json.loads(line)))
        told = {"address": engine.listening_address}
    except (RuntimeError, MemoryError) as error:
        engine, told = None, {"error": str(error)[:200]}
    answers.write(json.dumps(told).encode() + b"\n")
    answers.flush()
    if engine is not None:
        sys.stdin.read()
    os._exit(0)  # whatever it still does is for nobody


def _engine(wanted: ModelServerSpec) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = wanted.file
    params.n_ctx, params.n_parallel, params.warmup = wanted.context, 1, False
    params.cpuparams.n_threads = os.cpu_count() or 1
    params.port, params.api_keys, params.ui, params.endpoint_slots, params.verbosity = 0, [wanted.key], False, False, -1
    if not wanted.gpu:
        params.n_gpu_layers = 0
    if wanted.projector:
        params.mmproj.path = wanted.projector
    return xllamacpp.Server(params)


if __name__ == "__main__":
    sys.exit(main())
