"""ONNX Runtime behind numpy arrays: values, providers that do not load, memory that runs out, other files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

onnxruntime = pytest.importorskip("onnxruntime")

from stepscope.core.errors import OutOfMemory, UserError  # noqa: E402
from stepscope.core.evaluation.batches import BatchSizer  # noqa: E402
from stepscope.models.runtimes import devices, onnx_runtime  # noqa: E402
from stepscope.models.runtimes.driver import Gpu, Gpus  # noqa: E402
from stepscope.models.runtimes.onnx_runtime import CPU, CUDA, TENSORRT, OnnxRuntime  # noqa: E402
from stepscope.models.runtimes.weights import sha256  # noqa: E402

Maker = Callable[..., Path]
ALL = [TENSORRT, CUDA, CPU]


def test_values_names_and_words_of_a_file(onnx_file: Maker) -> None:
    loaded = OnnxRuntime(onnx_file(), device="cpu", preparation="7")
    assert loaded.run(np.array([1, 2.5], dtype=np.float32))[0].tolist() == [2.0, 3.5]
    assert loaded.inputs == ("x",)
    assert loaded.metadata["maker"] == "a test"
    assert loaded.providers == (CPU,)
    assert str(loaded.device) == "cpu"
    assert loaded.device.why == "CPU: asked for"
    assert loaded.fingerprint == (
        f"weights {sha256(onnx_file())}; onnxruntime {onnxruntime.__version__} {CPU}; preparation 7"
    )


def test_a_closed_model_runs_no_more(onnx_file: Maker) -> None:
    loaded = OnnxRuntime(onnx_file(), device="cpu")
    loaded.warm_up(np.zeros(3, dtype=np.float32))
    loaded.close()
    with pytest.raises(RuntimeError, match="closed"):
        loaded.run(np.zeros(3, dtype=np.float32))


def test_memory_really_runs_out(onnx_file: Maker) -> None:
    loaded = OnnxRuntime(onnx_file("ConstantOfShape"), device="cpu")
    assert loaded.run(np.array([3]))[0].tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(OutOfMemory, match="does not fit into memory") as caught:
        loaded.run(np.array([2**50]))
    assert caught.value.place.endswith("plus-one.onnx") and "(cpu)" in caught.value.message
    assert loaded.run(np.array([2]))[0].tolist() == [0.0, 0.0]  # and goes on


@pytest.mark.parametrize(
    "words",
    [
        "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : BFCArena::AllocateRawInternal(size_t, bool, Stream*) Failed to "
        "allocate memory for requested buffer of size 4194304000",
        "[ONNXRuntimeError] : 1 : FAIL : CUDA failure 2: out of memory ; GPU=0 ; hostname=a ; expr=cudaMalloc",
        "[ONNXRuntimeError] : 1 : FAIL : CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED ; GPU=0",
        "std::bad_alloc",
    ],
)
def test_memory_of_a_gpu_runs_out(onnx_file: Maker, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = OnnxRuntime(onnx_file(), device="cpu")
    session = loaded._session

    def run(outputs: Any, feed: dict[str, Any], options: Any) -> Any:
        if len(feed["x"]) > 2:
            raise onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException(words)
        return session.run(outputs, feed, options)

    loaded._session = SimpleNamespace(run=run)
    monkeypatch.setattr(loaded, "_open", lambda: (SimpleNamespace(run=run), loaded.device))
    sizer = BatchSizer(8)
    found = sizer.run(range(5), lambda batch: loaded.run(np.array(batch, dtype=np.float32))[0].tolist())
    assert found == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert sizer.size == 2


def test_files_that_are_gone_or_no_models(tmp_path: Path, onnx_file: Maker) -> None:
    with pytest.raises(UserError, match="the model file is not there") as caught:
        OnnxRuntime(tmp_path / "gone.onnx")
    assert caught.value.place == str(tmp_path / "gone.onnx")
    cut = tmp_path / "cut.onnx"
    cut.write_bytes(onnx_file().read_bytes()[:40])
    with pytest.raises(UserError, match="is no model that can be loaded") as caught:
        OnnxRuntime(cut, device="cpu")
    assert caught.value.place == str(cut)
    assert not isinstance(caught.value, OutOfMemory)


def test_a_build_without_cuda(onnx_file: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "gpus", lambda: Gpus((Gpu("NVIDIA H200", 2**37),)))
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: [CPU])
    assert OnnxRuntime(onnx_file()).device.why == "CPU: this onnxruntime was built without CUDA"
    with pytest.raises(UserError, match="cuda cannot be used here: this onnxruntime was built without") as caught:
        OnnxRuntime(onnx_file(), device="cuda")
    assert "onnxruntime-gpu" in caught.value.hint


class Session:
    """A session of a machine with a GPU: `refusing` raises for a provider, `skipping` leaves it out without a word, as
    ONNX Runtime does for TensorRT and CUDA where their libraries are missing."""

    refusing: tuple[str, ...] = ()
    skipping: tuple[str, ...] = ()
    asked: ClassVar[list[list[tuple[str, dict[str, Any]]]]]

    def __init__(self, file: str, options: Any, *, providers: Any, enable_fallback: int) -> None:
        assert enable_fallback == 0
        self.asked.append(providers)
        names = [name for name, _options in providers]
        for name in names:
            if name in self.refusing:
                raise RuntimeError("Please install TensorRT libraries as mentioned")
        self.names = [name for name in names if name not in self.skipping]

    def get_providers(self) -> list[str]:
        return self.names

    def get_inputs(self) -> list[Any]:
        return []

    def get_modelmeta(self) -> Any:
        return SimpleNamespace(custom_metadata_map={})


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> type[Session]:
    class Own(Session):
        asked: ClassVar[list[list[tuple[str, dict[str, Any]]]]] = []

    monkeypatch.setattr(devices, "gpus", lambda: Gpus((Gpu("NVIDIA H200", 139 * 2**30), Gpu("Tesla T4", 2**34))))
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ALL)
    monkeypatch.setattr(onnxruntime, "InferenceSession", Own)
    monkeypatch.setattr(onnx_runtime, "_why_skipped", lambda file, name: "libcublasLt.so.13: cannot open")
    return Own


def test_cuda_on_the_gpu_that_was_named(onnx_file: Maker, gpu: type[Session]) -> None:
    loaded = OnnxRuntime(onnx_file(), device="cuda:1")
    assert loaded.providers == (CUDA, CPU)
    assert loaded.device.why == "CUDA 1: Tesla T4, 16 GiB"
    assert gpu.asked == [[(CUDA, {"device_id": 1}), (CPU, {})]]
    assert CUDA in loaded.fingerprint


def test_tensorrt_where_it_may_keep_its_engines(onnx_file: Maker, gpu: type[Session], tmp_path: Path) -> None:
    loaded = OnnxRuntime(onnx_file(), engines=tmp_path)
    assert loaded.providers == (TENSORRT, CUDA, CPU)
    assert gpu.asked[0][0][1]["trt_engine_cache_path"] == str(tmp_path)


def test_tensorrt_that_does_not_load_leaves_cuda_and_the_reason(
    onnx_file: Maker, gpu: type[Session], tmp_path: Path
) -> None:
    gpu.refusing = (TENSORRT,)
    loaded = OnnxRuntime(onnx_file(), engines=tmp_path)
    assert loaded.providers == (CUDA, CPU)
    assert loaded.device.why == (
        "CUDA 0: NVIDIA H200, 139 GiB; TensorrtExecutionProvider did not load: libcublasLt.so.13: cannot open"
    )


def test_cuda_that_is_listed_and_does_not_load(onnx_file: Maker, gpu: type[Session]) -> None:
    gpu.skipping = (CUDA,)
    loaded = OnnxRuntime(onnx_file())
    assert loaded.providers == (CPU,)
    assert loaded.device.kind == "cpu"
    assert loaded.device.why == "CPU: CUDAExecutionProvider did not load: libcublasLt.so.13: cannot open"
    with pytest.raises(UserError, match="CUDAExecutionProvider did not load: libcublasLt") as caught:
        OnnxRuntime(onnx_file(), device="cuda")
    assert "Install the CUDA and cuDNN" in caught.value.hint


def test_a_model_larger_than_the_gpu(onnx_file: Maker, gpu: type[Session]) -> None:
    def full(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("CUDA failure 2: out of memory")

    gpu.__init__ = full  # type: ignore[method-assign]
    with pytest.raises(OutOfMemory):
        OnnxRuntime(onnx_file())


def test_why_a_provider_was_skipped_is_asked_of_a_process(onnx_file: Maker) -> None:
    """The processor's provider always loads, so there is nothing to say."""
    assert onnx_runtime._why_skipped(onnx_file(), CPU) == ""
