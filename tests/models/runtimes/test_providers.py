"""The trial of ONNX Runtime's providers: the processor's works, one whose library is missing says what is missing."""

from __future__ import annotations

import base64
import subprocess
from typing import Any

import pytest

from stepscope.models.runtimes import providers
from stepscope.models.runtimes.providers import ProviderTrial, package_problem, trials

pytestmark = pytest.mark.needs("onnxruntime")


def test_the_processor_works() -> None:
    assert ProviderTrial("CPUExecutionProvider") in trials()


@pytest.mark.needs("onnx")
def test_the_graph_is_one_addition() -> None:
    from onnx import TensorProto, checker, helper, load_from_string

    model = load_from_string(base64.b64decode(providers._GRAPH))
    checker.check_model(model)
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
    wanted = helper.make_graph([helper.make_node("Add", ["x", "x"], ["y"])], "double", value[:1], value[1:])
    assert model.graph == wanted


def test_a_provider_that_is_not_built_in_is_said_to_be_left_out() -> None:
    assert providers._why_not("NoSuchExecutionProvider")


LOADER = (
    "[E:onnxruntime:Default, provider_bridge_ort.cc] TryGetProviderInfo_CUDA onnxruntime::ProviderSharedLibrary "
    "Failed to load library libonnxruntime_providers_cuda.so with error: libcudnn.so.9: cannot open shared object "
    "file: No such file or directory\n"
)


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        ((0, "was left out\n", LOADER), "libcudnn.so.9: cannot open shared object file: No such file or directory"),
        ((0, "was left out\n", ""), "leaves it out and does not say why"),
        ((1, "", "Traceback\nRuntimeError: no device\n"), "RuntimeError: no device"),
        ((-11, "", ""), "ended by signal 11"),
        (None, "does not answer within 60 s"),
        ((0, "works\n", ""), ""),
    ],
)
def test_why_a_provider_does_not_work(monkeypatch: pytest.MonkeyPatch, ended: Any, words: str) -> None:
    def run(command: list[str], **_given: object) -> subprocess.CompletedProcess[str]:
        if ended is None:
            raise subprocess.TimeoutExpired(command, 60)
        status, out, err = ended
        return subprocess.CompletedProcess(command, status, out, err)

    monkeypatch.setattr(providers.subprocess, "run", run)
    found = providers._why_not("CUDAExecutionProvider")
    assert words in found if words else found == ""


def test_only_one_package_may_be_installed() -> None:
    assert package_problem([]) == package_problem(["onnxruntime 1.31.1"]) == ""
    both = package_problem(["onnxruntime 1.31.1", "onnxruntime-gpu 1.31.0"])
    assert both.startswith("onnxruntime and onnxruntime-gpu are installed together")
    assert "Uninstall all of them" in both


def test_nothing_is_listed_where_onnx_runtime_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, "", "ModuleNotFoundError")
    monkeypatch.setattr(providers.subprocess, "run", lambda *_args, **_given: failed)
    assert trials() == ()
