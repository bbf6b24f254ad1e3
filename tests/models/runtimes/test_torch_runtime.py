"""torch behind numpy arrays: values, memory that runs out, files of weights."""

from __future__ import annotations

import gc
import hashlib
import pickle
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.errors import OutOfMemory, UsageError, UserError
from stepscope.core.evaluation.batches import BatchSizer
from stepscope.core.lazy import lazy_module
from stepscope.models.runtimes import devices, driver
from stepscope.models.runtimes.driver import Gpu, Gpus
from stepscope.models.runtimes.torch_runtime import TorchRuntime, choose_device
from stepscope.models.runtimes.weights import read_state, sha256

torch = lazy_module("torch")
safetensors_torch = lazy_module("safetensors.torch")
pytestmark = pytest.mark.needs("torch")


def calling(function: Callable[..., Any]) -> Any:
    """A module around a function."""

    class Calling(torch.nn.Module):
        def forward(self, *inputs: Any) -> Any:
            return function(*inputs)

    return Calling()


def runtime(module: Any) -> TorchRuntime:
    return TorchRuntime(module, weights="abc", preparation="1", device="cpu")


def test_a_layer_gives_what_its_numbers_say() -> None:
    layer = torch.nn.Linear(2, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        layer.bias.copy_(torch.tensor([10.0, 20.0]))
    (found,) = runtime(layer).run(np.array([[1, 1], [2, 0]], dtype=np.float32))
    assert found.tolist() == [[13.0, 27.0], [12.0, 26.0]]
    assert found.dtype == np.float32


def test_dropout_and_gradients_are_off() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.9))
    loaded = runtime(module)
    ones = np.ones((3, 4), dtype=np.float32)
    assert np.array_equal(loaded.run(ones)[0], loaded.run(ones)[0])
    assert not any(one.requires_grad for one in module.parameters())


def test_several_inputs_and_outputs_and_whole_numbers() -> None:
    loaded = runtime(calling(lambda a, b: (a + b, (a > b).sum(), a.to(torch.bfloat16))))
    frozen = np.arange(4, dtype=np.uint8)
    frozen.flags.writeable = False  # as decoded pictures are
    total, larger, half = loaded.run(frozen, np.ones(4, dtype=np.uint8))
    assert total.tolist() == [1, 2, 3, 4]
    assert total.dtype == np.uint8
    assert larger.item() == 2
    assert half.dtype == np.float32


def test_the_fingerprint_names_what_answers_depend_on() -> None:
    text = runtime(torch.nn.Identity()).fingerprint
    assert text == f"weights abc; torch {torch.__version__}; float32 on cpu; preparation 1"


def test_memory_of_the_processor_runs_out() -> None:
    loaded = runtime(calling(lambda x: torch.empty(2**60)))
    with pytest.raises(OutOfMemory, match="does not fit into memory") as caught:
        loaded.run(np.zeros(1))
    assert caught.value.place == "cpu"
    assert caught.value.hint.startswith("Choose a smaller batch or another device.")


CUDA_FULL = (
    "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 139.81 GiB of which 1.2 GiB is free."
)


@pytest.mark.parametrize(
    "error",
    [
        lambda: torch.OutOfMemoryError(CUDA_FULL),
        lambda: torch.AcceleratorError("CUDA error: out of memory", 2),
        lambda: RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
        lambda: RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"),
        MemoryError,
    ],
)
def test_memory_of_a_gpu_runs_out(error: Callable[[], Exception]) -> None:
    def full(batch: Any) -> Any:
        if len(batch) > 3:
            raise error()
        return batch * 2

    loaded, sizer = runtime(calling(full)), BatchSizer(16)
    assert sizer.run(range(10), lambda batch: loaded.run(np.array(batch))[0].tolist()) == list(range(0, 20, 2))
    assert sizer.size == 2
    with pytest.raises(OutOfMemory):
        loaded.run(np.arange(4))


def test_nothing_of_a_batch_that_did_not_fit_stays_in_memory() -> None:
    kept: list[weakref.ref[Any]] = []

    def full(batch: Any) -> Any:
        large = torch.zeros(1000)
        kept.append(weakref.ref(large))
        raise torch.OutOfMemoryError(CUDA_FULL)

    gc.disable()  # it must go at once, not at some time
    try:
        with pytest.raises(OutOfMemory) as caught:
            runtime(calling(full)).run(np.zeros(1))
        assert caught.value.__context__ is None
        assert kept[0]() is None
    finally:
        gc.enable()


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(RuntimeError, match="mat1 and mat2 shapes cannot be multiplied"):
        runtime(torch.nn.Linear(2, 2)).run(np.zeros((1, 3), dtype=np.float32))


def test_a_closed_model_has_let_its_weights_go() -> None:
    module = torch.nn.Linear(2, 2)
    gone = weakref.ref(module)
    loaded = runtime(module)
    del module
    loaded.close()
    assert gone() is None
    with pytest.raises(RuntimeError, match="closed"):
        loaded.run(np.zeros((1, 2), dtype=np.float32))


def test_half_precision_is_refused_on_the_processor() -> None:
    with pytest.raises(UsageError, match="float16 needs a GPU"):
        TorchRuntime(torch.nn.Identity(), weights="", device="cpu", dtype="float16")


def test_a_driver_that_torch_cannot_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "gpus", lambda: Gpus((Gpu("Tesla T4", 2**34),)))
    monkeypatch.setattr(devices, "torch_lack", lambda: None)

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("The NVIDIA driver on your system is too old (found version 11040).\nPlease update.")

    monkeypatch.setattr("torch.empty", refuse)
    found = choose_device("auto")
    assert found.kind == "cpu"
    assert found.why == (
        "CPU: torch cannot use the GPU: The NVIDIA driver on your system is too old (found version 11040)."
    )
    with pytest.raises(UserError, match="cuda:0 cannot be used by torch: The NVIDIA driver"):
        choose_device("cuda:0")


def test_weights_as_safetensors_and_as_torch_writes_them(tmp_path: Path) -> None:
    wanted = {"a": torch.arange(3.0)}
    safetensors_torch.save_file(wanted, tmp_path / "a.safetensors")
    torch.save(wanted, tmp_path / "a.pt")
    torch.save({"state_dict": wanted, "epoch": 3}, tmp_path / "checkpoint.pt")
    for name in ("a.safetensors", "a.pt", "checkpoint.pt"):
        assert read_state(tmp_path / name)["a"].tolist() == [0.0, 1.0, 2.0]


class Ran:
    """A pickle of this would write a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.file,))


def test_code_inside_a_file_of_weights_is_not_run(tmp_path: Path) -> None:
    torch.save({"a": Ran(tmp_path / "ran")}, tmp_path / "evil.pt")
    (tmp_path / "evil.pkl").write_bytes(pickle.dumps(Ran(tmp_path / "ran")))
    for name in ("evil.pt", "evil.pkl"):
        with pytest.raises(UserError, match="is no model that can be loaded") as caught:
            read_state(tmp_path / name)
        assert caught.value.place == str(tmp_path / name)
    assert not (tmp_path / "ran").exists()


def test_files_that_are_gone_cut_or_something_else(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the model file is not there") as caught:
        sha256(tmp_path / "gone.pt")
    assert caught.value.place == str(tmp_path / "gone.pt")
    assert caught.value.hint == "Choose another file, or put it back."
    for suffix in (".pt", ".safetensors"):
        with pytest.raises(UserError, match="the model file is not there"):
            read_state(tmp_path / f"gone{suffix}")
        cut = tmp_path / f"cut{suffix}"
        cut.write_bytes(b"PK\x03\x04 and no more")
        with pytest.raises(UserError, match="is no model that can be loaded"):
            read_state(cut)
    torch.save([1, 2], tmp_path / "list.pt")
    with pytest.raises(UserError, match="holds no table of tensors"):
        read_state(tmp_path / "list.pt")


def test_the_checksum_is_the_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"weights")
    assert sha256(tmp_path / "file") == hashlib.sha256(b"weights").hexdigest()


def test_the_machine_is_asked_as_it_is() -> None:
    """Whatever is in this machine, one of both happens, with a reason."""
    driver.gpus.cache_clear()
    found = choose_device("auto")
    assert found.why.startswith("CUDA 0: " if found.kind == "cuda" else "CPU: ")
