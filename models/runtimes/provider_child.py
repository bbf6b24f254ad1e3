"""A process that asks ONNX Runtime about its providers, and bears one that breaks or that writes into its log.

list                    prints the providers that were built in
try GRAPH PROVIDER      runs the graph (in base64) that doubles a number; prints whether the provider did it
load FILE PROVIDER      loads a graph on the provider; why that was skipped stands in the log
"""

from __future__ import annotations

import base64
import contextlib
import io
import sys
from collections.abc import Callable

import numpy as np
import onnxruntime


def list_providers() -> None:
    print("\n".join(onnxruntime.get_available_providers()))


def try_provider(graph: str, provider: str) -> None:
    if hasattr(onnxruntime, "preload_dlls"):
        with contextlib.redirect_stdout(io.StringIO()):
            onnxruntime.preload_dlls()
    session = onnxruntime.InferenceSession(base64.b64decode(graph), providers=[provider])
    found = session.run(None, {"x": np.ones(1, np.float32)})[0]
    print("works" if provider in session.get_providers() and found[0] == 2 else "was left out")


def load_on(file: str, provider: str) -> None:
    onnxruntime.preload_dlls()
    onnxruntime.InferenceSession(file, providers=[provider])


ASKED: dict[str, Callable[..., None]] = {"list": list_providers, "try": try_provider, "load": load_on}

if __name__ == "__main__":
    ASKED[sys.argv[1]](*sys.argv[2:])
