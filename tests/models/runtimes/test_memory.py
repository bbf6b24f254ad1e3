"""What a process may take in which models run: the system bounds it where no GPU is, it ends itself where one is."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is known on Linux")

BEGIN = """
import sys, tempfile, time
from pathlib import Path
from stepscope.models.runtimes import driver, memory
memory.machine_bytes = lambda: 1 << 30
memory.gpus = lambda: driver.Gpus((driver.Gpu("a", 1),) if sys.argv[1] == "gpu" else ())
memory.bound_models()
"""
HUNGRY = """
import numpy as np, onnx
from stepscope.core.errors import OutOfMemory
from onnx import TensorProto, helper
from stepscope.models.runtimes.onnx_runtime import OnnxRuntime
node = helper.make_node("ConstantOfShape", ["x"], ["y"])
given = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.INT64, ["n"])], [given])
file = Path(tempfile.mkdtemp()) / "model.onnx"
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), file)
loaded = OnnxRuntime(file, device="cpu")
try:
    loaded.run(np.array([10 << 28]))
except OutOfMemory as error:
    print(error)
print(loaded.run(np.array([2]))[0].tolist())
"""
GROWING = """
kept = []
while len(kept) < 40:
    kept.append(bytearray(b"x") * (50 << 20))
    time.sleep(0.05)
"""


def said(kind: str, code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BEGIN + code, kind]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_model_that_wants_10_gigabytes_is_told_and_the_next_batch_goes_on() -> None:
    done = said("processor", HUNGRY)
    first, second = done.stdout.strip().splitlines()
    assert "model.onnx: the model does not fit into memory" in first
    assert "--limit-model-share 150" in first and second == "[0.0, 0.0]"


def test_with_a_gpu_a_process_that_grows_ends_in_words() -> None:
    done = said("gpu", GROWING)
    assert done.returncode == 75
    assert "took more than 75 percent of this machine's memory" in done.stderr and "--limit-model-share" in done.stderr
