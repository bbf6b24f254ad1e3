"""ONNX files of strangers: what they claim, name and nest is looked at before ONNX Runtime reads them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from stepscope.core import limits  # noqa: E402
from stepscope.core.errors import UserError  # noqa: E402
from stepscope.core.progress import CancelToken  # noqa: E402
from stepscope.models.runtimes import onnx_file  # noqa: E402
from stepscope.models.runtimes.onnx_runtime import OnnxRuntime  # noqa: E402
from stepscope.models.runtimes.weights import sha256  # noqa: E402

X = np.array([[1, 2, 3, 4]], np.float32)
linux = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and links as POSIX has them")


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    yield
    limits.choose({})


def model(*nodes: Any, tensors: Any = (), functions: Any = (), sparse: Any = ()) -> Any:
    taken = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])
    given = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(list(nodes), "g", [taken], [given], list(tensors), sparse_initializer=list(sparse))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("f", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=list(functions))


def plus(tensor: Any) -> Any:
    return model(helper.make_node("Add", ["x", "c"], ["y"]), tensors=[tensor])


def claiming(*dimensions: int, data: bytes = b"", kind: int = TensorProto.FLOAT) -> Any:
    return TensorProto(name="c", data_type=kind, dims=dimensions, raw_data=data)


def beside(location: str, dimensions: int = 4, **told: str) -> Any:
    tensor = TensorProto(name="c", data_type=TensorProto.FLOAT, dims=[dimensions], data_location=TensorProto.EXTERNAL)
    for key, value in {"location": location, **told}.items():
        tensor.external_data.add(key=key, value=value)
    return tensor


def function(name: str, *called: str) -> Any:
    nodes = [helper.make_node(one, ["a"], ["b"], domain="f") for one in called]
    return helper.make_function("f", name, ["a"], ["b"], nodes, [helper.make_opsetid("f", 1)])


def fields(number: int, *data: bytes) -> bytes:
    return b"".join(varint(number << 3 | 2) + varint(len(one)) + one for one in data)


def varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def nested(depth: int) -> bytes:
    """An If within an If, which the library makes to a depth only."""
    given = helper.make_tensor_value_info("z", TensorProto.FLOAT, None)
    flat = helper.make_graph([helper.make_node("Identity", ["x"], ["z"])], "g", [], [given]).SerializeToString()
    graph = flat
    for _ in range(depth):
        ways = fields(5, *(fields(1, name) + fields(6, one) for name, one in ((b"a", graph), (b"b", flat))))
        graph = fields(1, fields(4, b"If") + ways)
    return fields(7, graph)


CLAIMS = {
    "2^40 numbers of which none is there": plus(claiming(1 << 40)),
    "2^40 numbers of 16 bytes": plus(claiming(1 << 40, data=b"\0" * 16)),
    "a product that overflows": plus(claiming(1 << 32, 1 << 32, data=b"\0" * 16)),
    "a negative length": plus(claiming(-4, data=b"\0" * 16)),
    "2^30 texts": plus(claiming(1 << 30, kind=TensorProto.STRING)),
    "a constant within an operation": model(
        helper.make_node("Constant", [], ["c"], value=claiming(1 << 36)), helper.make_node("Add", ["x", "c"], ["y"])
    ),
    "a tensor of few values": model(
        helper.make_node("Identity", ["c"], ["y"]),
        sparse=[
            onnx.SparseTensorProto(
                dims=[1 << 31],
                values=numpy_helper.from_array(np.ones(1, np.float32), "c"),
                indices=numpy_helper.from_array(np.zeros(1, np.int64), "i"),
            )
        ],
    ),
    "65 dimensions": plus(claiming(*[1] * 65, data=b"\0" * 4)),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_numbers_that_are_not_there(claim: str, tmp_path: Path) -> None:
    refused(tmp_path, CLAIMS[claim], r"a tensor has .*(too short|holds few|negative|more than 64 dimensions)")


def refused(folder: Path, made: Any, words: str) -> UserError:
    """The error, which names the file."""
    file = folder / "model.onnx"
    file.write_bytes(made if isinstance(made, bytes) else made.SerializeToString())
    with pytest.raises(UserError, match=words) as caught:
        OnnxRuntime(file, device="cpu")
    assert caught.value.place == str(file) and len(str(caught.value)) < 600
    return caught.value


@linux
@pytest.mark.parametrize(
    "location",
    ["../outside.bin", "/etc/passwd", "link.bin", "pipe", "folder", "", "gone.bin", "side.bin\0", "*/_ORT_MEM_ADDR_/*"],
)
def test_weights_lie_in_the_models_own_folder(location: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    (folder / "folder").mkdir(parents=True)
    for place in (tmp_path / "outside.bin", folder / "side.bin", folder / "*/_ORT_MEM_ADDR_/*"):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(X.tobytes())
    (folder / "link.bin").symlink_to(tmp_path / "outside.bin")
    os.mkfifo(folder / "pipe")
    refused(folder, plus(beside(location, length="16")), "its weights are in .*, which is no file of its folder")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"offset": str(1 << 40), "length": "16"}, "behind the end of 'side.bin'"),
        ({"offset": str((1 << 63) - 1)}, "behind the end of 'side.bin'"),
        ({"length": str(1 << 40)}, "behind the end of 'side.bin'"),
        ({"offset": "-4"}, "the offset of its weights is '-4'"),
        ({"length": "9" * 100}, "the length of its weights is"),
    ],
)
def test_places_in_another_file_lie_in_it(told: dict[str, str], words: str, tmp_path: Path) -> None:
    (tmp_path / "side.bin").write_bytes(X.tobytes())
    refused(tmp_path, plus(beside("side.bin", **told)), words)


def test_a_file_beside_it_is_read_and_told_in_the_fingerprint(tmp_path: Path) -> None:
    file, side = tmp_path / "model.onnx", tmp_path / "side.bin"
    side.write_bytes(X.tobytes())
    file.write_bytes(plus(beside("side.bin", offset="0", length="16")).SerializeToString())
    loaded = OnnxRuntime(file, device="cpu")
    assert loaded.run(X)[0].tolist() == [[2, 4, 6, 8]]
    assert loaded.weights == f"{sha256(file)}+{sha256(side)}"
    twice = beside("side.bin")
    twice.external_data.add(key="location", value="other.bin")
    refused(tmp_path, plus(twice), "the location of its weights is told twice")


def test_functions_that_multiply_or_never_end(tmp_path: Path) -> None:
    call = helper.make_node("F29", ["x"], ["y"], domain="f")
    doubling = [function("F0"), *(function(f"F{at}", f"F{at - 1}", f"F{at - 1}") for at in range(1, 30))]
    error = refused(tmp_path, model(call, functions=doubling), "more than 50,000 operations and tensors")
    assert "--limit-model-nodes 100000" in error.hint
    chain = [function("F0"), *(function(f"F{at}", f"F{at - 1}") for at in range(1, 3000))]
    refused(tmp_path, model(call, functions=chain), "call one another more than 100 times deep")
    refused(tmp_path, model(call, functions=[function("F29", "F29")]), "a function of it calls itself")


def test_subgraphs_end_at_a_depth(tmp_path: Path) -> None:
    (tmp_path / "fine.onnx").write_bytes(nested(10))
    assert onnx_file.check(tmp_path / "fine.onnx") == ()
    refused(tmp_path, nested(40), "nested more than 100 times")


def test_operations_and_fields_end_at_a_number(tmp_path: Path) -> None:
    plain = model(helper.make_node("Identity", ["x"], ["y"])).SerializeToString()
    limits.choose({"model-nodes": 1000, "model-fields": 20_000})
    many = fields(7, fields(1, *[b""] * 2000))
    assert "--limit-model-nodes 2000" in refused(tmp_path, many, "more than 1,000 operations and tensors").hint
    crowded = plain + fields(14, *[b""] * 30_000)
    assert "--limit-model-fields 40000" in refused(tmp_path, crowded, "more than 20,000 fields").hint
    refused(tmp_path, plain + fields(7, b""), "several messages where one belongs")
    limits.choose({"model-nodes": 1, "model-fields": 20_000})
    (tmp_path / "model.onnx").write_bytes(plain)
    assert OnnxRuntime(tmp_path / "model.onnx", device="cpu").run(X)[0].tolist() == X.tolist()


def test_cut_anywhere_it_is_told_as_damaged_or_still_runs(tmp_path: Path) -> None:
    whole = plus(numpy_helper.from_array(np.ones(4, np.float32), "c")).SerializeToString()
    file = tmp_path / "model.onnx"
    loaded = []
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        try:
            OnnxRuntime(file, device="cpu")
            loaded.append(end)
        except UserError as error:
            assert "is no model that can be loaded" in error.message and error.place == str(file), end
    assert len(loaded) < 3, "between the last fields, where the graph is whole"
    for made in (b"", b"\0" * 1000, b"<html>", b"\x08" + b"\xff" * 1000, b"\x3a" + b"\xff" * 9 + b"\x7f"):
        refused(tmp_path, made, "is no model that can be loaded")


@linux
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    for name in ("pipe", "folder", "device", "loop"):
        file = tmp_path / name
        {
            "pipe": lambda file=file: os.mkfifo(file),
            "folder": lambda file=file: file.mkdir(),
            "device": lambda file=file: file.symlink_to("/dev/zero"),
            "loop": lambda file=file: file.symlink_to(file),
        }[name]()
        for read in (lambda file=file: OnnxRuntime(file, device="cpu"), lambda file=file: sha256(file)):
            with pytest.raises(UserError, match=r"no file|symbolic links|Is a directory") as caught:
                read()
            assert caught.value.place == str(file)


def test_a_file_of_3_gigabytes_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.onnx").open("wb") as stream:
        stream.truncate(3 << 30)
    began = time.monotonic()
    with pytest.raises(UserError, match="it has 3 GB, and an ONNX file ends at 2 GB"):
        OnnxRuntime(tmp_path / "large.onnx", device="cpu")
    assert time.monotonic() - began < 5
    limits.choose({"model-bytes": 1 << 30})
    with pytest.raises(UserError, match=r"this model has 3 GB\..*--limit-model-bytes 2GB"):
        sha256(tmp_path / "large.onnx")


def looping() -> Any:
    """A loop of 2^62 turns."""
    names = [("i", TensorProto.INT64, []), ("c", TensorProto.BOOL, []), ("a", TensorProto.FLOAT, None)]
    taken = [helper.make_tensor_value_info(*one) for one in names]
    given = [
        helper.make_tensor_value_info("d", TensorProto.BOOL, []),
        helper.make_tensor_value_info("b", TensorProto.FLOAT, None),
    ]
    nodes = [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Identity", ["a"], ["b"])]
    body = helper.make_graph(nodes, "body", taken, given)
    tensors = [numpy_helper.from_array(np.int64(1 << 62), "t"), numpy_helper.from_array(np.array(True), "k")]
    return model(helper.make_node("Loop", ["t", "k", "x"], ["y"], body=body), tensors=tensors)


def test_a_loop_without_end_has_one(tmp_path: Path) -> None:
    file = tmp_path / "loop.onnx"
    file.write_bytes(looping().SerializeToString())
    limits.choose({"model-seconds": 1})
    loaded = OnnxRuntime(file, device="cpu")
    with pytest.raises(UserError, match=r"took more than 1 s over one batch\..*--limit-model-seconds 2") as caught:
        loaded.run(X)
    assert caught.value.place == str(file)


def test_inputs_that_it_does_not_take_are_told_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(plus(numpy_helper.from_array(np.ones(4, np.float32), "c")).SerializeToString())
    loaded = OnnxRuntime(file, device="cpu")
    with pytest.raises(UserError, match="takes 1 inputs, not 2") as caught:
        loaded.run(X, X)
    assert caught.value.place == str(file)
    with pytest.raises(UserError, match="the model cannot answer: ") as caught:
        loaded.run(X.astype(np.int64))
    assert caught.value.place == str(file)
    assert loaded.run(X)[0].tolist() == [[2, 3, 4, 5]]


def test_a_loop_without_end_is_left_when_the_run_is_cancelled(tmp_path: Path) -> None:
    file = tmp_path / "loop.onnx"
    file.write_bytes(looping().SerializeToString())
    loaded, token = OnnxRuntime(file, device="cpu"), CancelToken()
    loaded.set_token(token)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(loaded.run, X)
        token.cancel()
        with pytest.raises(UserError, match="the model was stopped"):
            running.result(20)
