"""torchvision's MobileNetV2 as an ONNX file, made out of its weights without torch.

The graph is the paper's (Sandler et al. 2018, table 2) up to the mean over the last 1280 maps, or up to the map of the
last bottleneck (320 numbers in each of 7 × 7 places); batch normalisation is folded into the convolutions before it,
which changes no answer beyond rounding. The weights' file is a pickle in torch's old layout; it is read by an unpickler
that knows the four names such a file needs and refuses any other.
"""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    import onnx
else:
    onnx = lazy_module("onnx")

Weights = Mapping[str, NDArray[Any]]

_BLOCKS = ((1, 1, 1), (6, 2, 2), (6, 3, 2), (6, 4, 2), (6, 3, 1), (6, 3, 2), (6, 1, 1))
"""Expansion, how many times, stride of the first: table 2 of the paper; the widths stand in the weights."""
MAP_SIZE = 320
"""Numbers of a place of the last bottleneck's map (table 2)."""
_EPSILON = 1e-5
_OPSET = 17
_IR = 8
_KINDS: dict[str, np.dtype[Any]] = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}


def read_weights(file: Path) -> Weights:
    """The arrays in a file of torch's old layout, by name. Raises UserError naming the file."""
    try:
        return _read(file.read_bytes())
    except (OSError, pickle.UnpicklingError, EOFError, ValueError, KeyError, TypeError, IndexError) as error:
        raise UserError(f"holds no weights that can be read: {error}", place=file) from error


def build(
    weights: Weights,
    mean: tuple[float, ...],
    std: tuple[float, ...],
    metadata: Mapping[str, str],
    *,
    places: bool = False,
) -> bytes:
    """The ONNX file: n × height × width × 3 bytes in, n × 1280 numbers out, or n × 49 × 320 with `places`, row by
    row; colours of 0..1 are normalised by `mean` and `std`. Raises UnavailableError without the package onnx,
    UserError when a weight is missing."""
    try:
        import onnx
    except ImportError as error:
        hint = "Install it with pip install 'stepscope[onnx]'."
        raise UnavailableError("MobileNetV2 needs the package onnx to be made ready once.", hint=hint) from error
    graph = _GraphBuilder(weights)
    try:
        last = _network(graph, mean, std, places=places)
    except KeyError as error:
        raise UserError(f"the weights of MobileNetV2 lack {error}.") from error
    helper = onnx.helper
    taken = helper.make_tensor_value_info("pixels", onnx.TensorProto.UINT8, ["batch", "height", "width", 3])
    shape: list[str | int | None] = ["batch", "places", MAP_SIZE] if places else ["batch", 1280]
    given = helper.make_tensor_value_info(last, onnx.TensorProto.FLOAT, shape)
    whole = helper.make_graph(graph.nodes, "MobileNetV2", [taken], [given], graph.constants)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)
    helper.set_model_props(model, dict(metadata))
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


class _GraphBuilder:
    """Nodes and constants as they are added; every `add` gives the name of its output."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, array: NDArray[Any]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(onnx.numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(onnx.helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def convolution(self, before: str, conv: str, norm: str, stride: int = 1, *, cut: bool = True) -> str:
        """A convolution with its batch normalisation, and ReLU6 where `cut`."""
        kernel = self.weights[f"{conv}.weight"].astype(np.float64)
        scale, bias, average, spread = (
            self.weights[f"{norm}.{name}"].astype(np.float64)
            for name in ("weight", "bias", "running_mean", "running_var")
        )
        factor = scale / np.sqrt(spread + _EPSILON)
        folded = self.constant((kernel * factor[:, None, None, None]).astype(np.float32))
        shift = self.constant((bias - average * factor).astype(np.float32))
        size = kernel.shape[2]
        groups = kernel.shape[0] if kernel.shape[1] == 1 and size > 1 else 1
        pads, strides = [size // 2] * 4, [stride] * 2
        found = self.add("Conv", before, folded, shift, group=groups, pads=pads, strides=strides)
        if not cut:
            return found
        return self.add("Clip", found, self.constant(np.array(0, np.float32)), self.constant(np.array(6, np.float32)))


def _network(graph: _GraphBuilder, mean: tuple[float, ...], std: tuple[float, ...], *, places: bool) -> str:
    colours = graph.add("Cast", graph.add("Transpose", "pixels", perm=[0, 3, 1, 2]), to=onnx.TensorProto.FLOAT)
    shape = (1, 3, 1, 1)
    spread = np.array(std, np.float32)
    scale, shift = 255 * spread, np.array(mean, np.float32) / spread
    normal = graph.add("Div", colours, graph.constant(scale.reshape(shape)))
    now = graph.add("Sub", normal, graph.constant(shift.reshape(shape)))
    now = graph.convolution(now, "features.0.0", "features.0.1", 2)
    number = 1
    for expansion, times, first in _BLOCKS:
        for turn in range(times):
            now = _block(graph, now, f"features.{number}.conv", expansion, first if turn == 0 else 1, joined=turn > 0)
            number += 1
    if places:
        flat = graph.add("Reshape", now, graph.constant(np.array([0, MAP_SIZE, -1], np.int64)))
        return graph.add("Transpose", flat, perm=[0, 2, 1])
    now = graph.convolution(now, f"features.{number}.0", f"features.{number}.1")
    return graph.add("Flatten", graph.add("GlobalAveragePool", now), axis=1)


def _block(graph: _GraphBuilder, before: str, name: str, expansion: int, stride: int, *, joined: bool) -> str:
    now, part = before, 0
    if expansion > 1:
        now = graph.convolution(now, f"{name}.0.0", f"{name}.0.1")
        part = 1
    now = graph.convolution(now, f"{name}.{part}.0", f"{name}.{part}.1", stride)
    now = graph.convolution(now, f"{name}.{part + 1}", f"{name}.{part + 2}", cut=False)
    return graph.add("Add", before, now) if joined else now


def _read(data: bytes) -> Weights:
    """Torch's old layout: magic number, version, facts of the machine, the tensors, names of storages, storages."""
    stream = io.BytesIO(data)
    for _ in range(3):
        _TensorUnpickler(stream).load()
    found = _TensorUnpickler(stream).load()
    storages: dict[str, NDArray[Any]] = {}
    kinds = {one.key: one.kind for one, *_ in found.values()}
    for key in _TensorUnpickler(stream).load():
        count = int.from_bytes(stream.read(8), "little")
        kind = _KINDS[kinds[key]]
        storages[key] = np.frombuffer(stream.read(count * kind.itemsize), kind)
    arrays = {}
    for name, (storage, offset, size, _stride) in found.items():
        length = int(np.prod(size)) if size else 1
        arrays[name] = storages[storage.key][offset : offset + length].reshape(size)
    return arrays


class _TensorStorage:
    def __init__(self, kind: str, key: str) -> None:
        self.kind, self.key = kind, key


class _TensorUnpickler(pickle.Unpickler):
    """Knows tensors by name only; anything else in the file is refused, and nothing of it is called."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _tensor
        if module == "torch" and name in _KINDS:
            return name
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a file of weights")

    def persistent_load(self, told: Any) -> Any:
        _, kind, key, *_ = told
        return _TensorStorage(kind, key)


def _tensor(storage: _TensorStorage, offset: int, size: tuple[int, ...], stride: tuple[int, ...], *_rest: Any) -> Any:
    return storage, offset, size, stride
