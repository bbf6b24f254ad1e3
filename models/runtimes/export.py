"""A torch module as an ONNX file."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UnavailableError, UserError
from stepscope.models.runtimes.runtime import Array

if TYPE_CHECKING:
    from torch.nn import Module

_LARGEST = 2_000_000_000
"""Bytes of weights: an ONNX file is one protobuf message, which ends at 2 GiB."""


def export_onnx(
    module: Module,
    example: Array | Sequence[Array],
    file: Path,
    metadata: Mapping[str, str],
    *,
    lengths: Sequence[Mapping[int, str]] | None = None,
) -> None:
    """Write the module with `metadata` inside. The file is there whole or not at all.

    `example` is what it takes, an array or several: a batch of at least two items (one would be taken for a constant);
    any number may be given later. `lengths` names for each input the axes that vary, {0: "batch"} where it is left out;
    axes of one name vary together.
    Raises UnavailableError without torch's exporter, UserError when the model is too large or cannot be written.
    """
    try:
        import onnxscript  # noqa: F401 - torch's exporter asks for it late and in many words
        import torch
    except ImportError as error:
        hint = "Install it with pip install 'stepscope[models]'."
        raise UnavailableError(f"exporting to ONNX needs the package {error.name}.", hint=hint) from error
    if not file.parent.is_dir():  # told now, not after the half minute that exporting takes
        raise UserError("cannot be written: there is no such folder.", place=file)
    size = sum(one.numel() * one.element_size() for one in module.parameters())
    if size > _LARGEST:
        raise UserError(f"the model has {size / 1e9:.1f} GB of weights, too many for an ONNX file of 2 GB.", place=file)
    inputs = (example,) if isinstance(example, np.ndarray) else tuple(example)
    names = {name: torch.export.Dim(name, min=1) for one in lengths or ({0: "batch"},) for name in one.values()}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="# The axis name", category=UserWarning)  # inputs share their batch
        program = torch.onnx.export(
            module.eval(),
            tuple(torch.from_numpy(one) for one in inputs),
            input_names=["inputs"] if len(inputs) == 1 else [f"inputs_{place}" for place in range(len(inputs))],
            dynamic_shapes=tuple(
                {axis: names[name] for axis, name in one.items()} for one in lengths or ({0: "batch"},) * len(inputs)
            ),
            dynamo=True,
            verbose=False,
        )
    assert program is not None  # as it is with dynamo
    for node in program.model.graph.all_nodes():
        node.metadata_props.clear()  # where in torch's and our files each came from, with the folders of this machine
    program.model.metadata_props.update(metadata)
    try:
        write_whole(file, program.model_proto.SerializeToString())
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}", place=file, hint=advice(error)) from error
