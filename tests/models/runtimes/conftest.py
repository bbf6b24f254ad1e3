"""Small networks, made here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def onnx_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes an ONNX file that gives x + 1, or with the operator ConstantOfShape as many zeros as x says."""
    onnx = pytest.importorskip("onnx")

    def made(operator: str = "Add", name: str = "plus-one.onnx") -> Path:
        from onnx import TensorProto, helper

        one = helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0])
        if operator == "Add":
            x, nodes = TensorProto.FLOAT, [helper.make_node("Add", ["x", "one"], ["y"])]
        else:
            x, nodes = TensorProto.INT64, [helper.make_node("ConstantOfShape", ["x"], ["y"])]
        graph = helper.make_graph(
            nodes,
            "g",
            [helper.make_tensor_value_info("x", x, ["n"])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            initializer=[one] if operator == "Add" else [],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
        helper.set_model_props(model, {"maker": "a test"})
        onnx.save(model, tmp_path / name)
        return tmp_path / name

    return made
