"""Choosing devices and precisions, against a driver that is played: it fills in what the real one would."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stepscope.core.errors import UsageError, UserError
from stepscope.models.runtimes import devices, driver
from stepscope.models.runtimes.devices import ComputeDevice, UnavailableReason, precision, resolve

H200 = ("NVIDIA H200", 150_121_545_728)
T4 = ("Tesla T4", 15_655_829_504)


class Driver:
    """libcuda's functions as far as they are called; every one gives `code`."""

    def __init__(self, *gpus: tuple[str, int], code: int = 0) -> None:
        self.gpus, self.code = gpus, code

    def cuInit(self, flags: int) -> int:
        return self.code

    def cuDeviceGetCount(self, count: Any) -> int:
        count._obj.value = len(self.gpus)
        return self.code

    def cuDeviceGet(self, handle: Any, index: int) -> int:
        handle._obj.value = index + 10  # a handle is no index
        return self.code

    def cuDeviceGetName(self, name: Any, length: int, handle: ctypes.c_int) -> int:
        name.value = self.gpus[handle.value - 10][0].encode()[: length - 1]
        return self.code

    def cuDeviceTotalMem_v2(self, memory: Any, handle: ctypes.c_int) -> int:
        memory._obj.value = self.gpus[handle.value - 10][1]
        return self.code

    def cuGetErrorString(self, code: int, text: Any) -> int:
        text._obj.value = b"forward compatibility was attempted on non supported HW"
        return 0


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Driver | None], None]]:
    """Puts a driver into the machine, or takes it out."""

    def put(played: Driver | None) -> None:
        monkeypatch.setattr(driver, "load_library", lambda: played)
        driver.gpus.cache_clear()

    yield put
    driver.gpus.cache_clear()


def test_the_first_gpu_is_taken_where_there_is_one(machine: Callable[[Driver | None], None]) -> None:
    machine(Driver(H200, T4))
    found = resolve("auto")
    assert (found.kind, found.index, found.name, found.memory) == ("cuda", 0, *H200)
    assert found.why == "CUDA 0: NVIDIA H200, 139 GiB"
    assert resolve("cuda") == resolve("cuda:0") == found
    assert str(found) == "cuda:0"
    assert resolve("cuda:1").why == "CUDA 1: Tesla T4, 14 GiB"


def test_the_processor_can_be_asked_for(machine: Callable[[Driver | None], None]) -> None:
    machine(Driver(H200))
    found = resolve("cpu")
    assert (found.kind, str(found), found.why) == ("cpu", "cpu", "CPU: asked for")


@pytest.mark.parametrize(
    ("played", "why"),
    [
        (None, "no NVIDIA driver answers"),
        (Driver(code=100), "the NVIDIA driver sees no GPU"),
        (Driver(), "the NVIDIA driver sees no GPU"),
        (
            Driver(code=804),
            "the NVIDIA driver reports error 804, forward compatibility was attempted on non supported HW",
        ),
    ],
)
def test_the_reason_for_the_processor_is_told(
    machine: Callable[[Driver | None], None], played: Driver | None, why: str
) -> None:
    machine(played)
    assert devices.no_gpu() == why
    assert resolve("auto").why == f"CPU: {why}"
    with pytest.raises(UserError) as caught:
        resolve("cuda:0")
    assert not isinstance(caught.value, UsageError)
    assert caught.value.message == f"cuda:0 cannot be used here: {why}."
    assert "Install NVIDIA's driver" in caught.value.hint
    assert "Say auto or cpu" in caught.value.hint


def test_what_the_runtime_lacks_counts_before_the_gpu(machine: Callable[[Driver | None], None]) -> None:
    machine(Driver(H200))
    lack = UnavailableReason("this torch was built without CUDA", "Install a build of torch for CUDA.")
    assert resolve("auto", lack).why == "CPU: this torch was built without CUDA"
    assert resolve("cpu", lack).why == "CPU: asked for"
    with pytest.raises(UserError, match="cuda cannot be used here: this torch was built without CUDA") as caught:
        resolve("cuda", lack)
    assert caught.value.hint.startswith("Install a build of torch for CUDA.")


def test_an_index_beyond_the_last_gpu(machine: Callable[[Driver | None], None]) -> None:
    machine(Driver(H200, T4))
    with pytest.raises(UserError, match="there is no cuda:2 here") as caught:
        resolve("cuda:2")
    assert caught.value.hint == "There is cuda:0 (NVIDIA H200), cuda:1 (Tesla T4)."


@pytest.mark.parametrize("wanted", ["", "gpu", "CUDA", "cuda:", "cuda:x", "cuda:-1", "cpu:0", "auto ", "cuda:1\n"])
def test_what_is_no_device(wanted: str) -> None:
    with pytest.raises(UsageError, match="There is no device") as caught:
        resolve(wanted)
    assert caught.value.hint == "Say auto, cpu, cuda or cuda:0."


def test_all_devices_are_listed_with_the_processor_last(machine: Callable[[Driver | None], None]) -> None:
    machine(Driver(H200, T4))
    *gpus, processor = devices.available()
    assert [one.why for one in gpus] == ["CUDA 0: NVIDIA H200, 139 GiB", "CUDA 1: Tesla T4, 14 GiB"]
    assert processor.kind == "cpu"
    assert processor.why.startswith(f"CPU: {processor.name}")
    machine(None)
    assert [one.kind for one in devices.available()] == ["cpu"]


def test_listing_imports_no_runtime() -> None:
    code = (
        "import sys; from stepscope.models.runtimes import devices; devices.available(); devices.resolve('auto', "
        "devices.torch_lack()); print(sorted({'torch', 'onnxruntime', 'open_clip', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_torch_without_cuda_is_told_by_its_version_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(devices, "find_spec", lambda name: spec)
    version = tmp_path / "version.py"
    version.write_text("__version__ = '2.14.1+cpu'\ncuda: Optional[str] = None\nhip: Optional[str] = None\n")
    lack = devices.torch_lack()
    assert lack is not None
    assert lack.why == "this torch was built without CUDA"
    version.write_text("__version__ = '2.14.1+cu130'\ncuda: Optional[str] = '13.0'\n")
    assert devices.torch_lack() is None
    monkeypatch.setattr(devices, "find_spec", lambda name: None)
    lack = devices.torch_lack()
    assert lack is not None
    assert lack.why == "torch is not installed"


def test_precision() -> None:
    cpu, gpu = ComputeDevice("cpu"), ComputeDevice("cuda")
    assert precision("auto", cpu).name == "float32"
    assert precision("float32", cpu).why == "float32: asked for"
    assert precision("auto", gpu).name == "float16"
    assert precision("bfloat16", gpu).name == "bfloat16"
    for name in ("float16", "bfloat16"):
        with pytest.raises(UsageError, match=f"{name} needs a GPU"):
            precision(name, cpu)
    for device in (cpu, gpu):
        with pytest.raises(UsageError, match="no precision 'int8'"):
            precision("int8", device)
