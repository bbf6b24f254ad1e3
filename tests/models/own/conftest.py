"""Small networks as files: what they compute can be worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.draw import encode_png
from stepscope.models.own.manifest import parse
from stepscope.models.own.own_models import OwnModel
from tests.models.own.forms import SCREEN, form_of


@pytest.fixture
def own_model(tmp_path: Path) -> Callable[..., OwnModel]:
    """A model by the tables of `form_of`, its manifest in the test's folder."""

    def made(**changes: Any) -> OwnModel:
        return OwnModel(parse(form_of(**changes), "stepscope-model.toml"), tmp_path / "stepscope-model.toml")

    return made


@pytest.fixture
def onnx_file(tmp_path: Path) -> Callable[..., Path]:
    """An ONNX file `net.onnx` of these nodes; inputs and outputs are (name, shape) with float32 numbers, or (name,
    shape, kind)."""
    onnx = pytest.importorskip("onnx")

    def made(nodes: list[Any], inputs: list[Any], outputs: list[Any], tensors: Any = (), name: str = "net.onnx",
             words: dict[str, str] | None = None) -> Path:  # fmt: skip
        helper = onnx.helper

        def info(told: Any) -> Any:
            kind = told[2] if len(told) > 2 else onnx.TensorProto.FLOAT
            return helper.make_tensor_value_info(told[0], kind, told[1])

        held = [onnx.numpy_helper.from_array(array, key) for key, array in dict(tensors).items()]
        graph = helper.make_graph(
            [helper.make_node(*one[:-1], **one[-1]) for one in nodes],
            "g",
            list(map(info, inputs)),
            list(map(info, outputs)),
            held,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        helper.set_model_props(model, words or {})
        file = tmp_path / name
        onnx.save(model, file)
        return file

    return made


@pytest.fixture
def brightness(onnx_file: Callable[..., Path]) -> Callable[..., Path]:
    """A network whose output `p` (n, 1) is the mean of the picture's numbers."""

    def made(**more: Any) -> Path:
        nodes = [("ReduceMean", ["image"], ["m"], {"axes": [1, 2, 3], "keepdims": 0})]
        nodes += [("Reshape", ["m", "one"], ["p"], {})]
        return onnx_file(nodes, [("image", ["n", 3, 8, 8])], [("p", ["n", 1])], {"one": np.array([-1, 1])}, **more)

    return made


@pytest.fixture
def picture(tmp_path: Path) -> Callable[..., Picture]:
    """A picture file of one colour, or of the pixels given."""

    def made(colour: Any = (255, 255, 255), pixels: Any = None, size: Size = SCREEN) -> Picture:
        if pixels is None:
            pixels = np.empty((size.height, size.width, 3), np.uint8)
            pixels[:] = colour
        file = tmp_path / f"{abs(hash(pixels.tobytes()))}.png"
        file.write_bytes(encode_png(pixels))
        return Picture(file, Size(pixels.shape[1], pixels.shape[0]))

    return made
