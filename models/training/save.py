"""A trained network as a folder: weights, card, ONNX file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.models.learned.card import ONNX, WEIGHTS, ModelCard
from stepscope.models.learned.model_folders import TrainedModel
from stepscope.models.learned.predictor import blank
from stepscope.models.learned.recipe import Array, Example, Recipe, loaded
from stepscope.models.runtimes.module_state import take_state
from stepscope.models.runtimes.weights import read_state, sha256

if TYPE_CHECKING:
    from torch import Tensor

PRECISION, SHARE = 1e-4, 1e-5
"""How far an exported network may be from the one in torch: so much, and so much of the number (large ones stand for
what cannot be)."""


def shapes_of(examples: Sequence[Example], recipe: Recipe | None = None) -> dict[str, Any]:
    """The shape and kind of a typical example's arrays: that of the median length, for measuring and warming up. With
    `recipe` as it is when it is whole."""
    lengths = [sum(len(array) for array in example.values() if array.ndim) for example in examples]
    typical = examples[int(np.argsort(lengths)[len(lengths) // 2])]
    typical = typical if recipe is None else loaded(recipe, typical)
    return {name: [list(array.shape), str(array.dtype)] for name, array in typical.items()}


def save_weights(state: Mapping[str, Tensor], folder: Path) -> str:
    """Write the tensors; returns the file's SHA-256. Raises UserError."""
    from safetensors.torch import save

    file = folder / WEIGHTS
    try:
        write_whole(file, save({name: tensor.cpu().contiguous() for name, tensor in state.items()}))
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}", place=file, hint=advice(error)) from error
    return sha256(file)


def export(trained: TrainedModel, recipe: Recipe, file: Path | None = None) -> Path:
    """Write the network for ONNX Runtime, batch and lengths free, and compare it with torch on drawn inputs.

    Returns the file, by default beside the weights. Raises UnavailableError without torch's exporter, UserError when it
    cannot be written or does not agree with torch to `PRECISION`.
    """
    import torch

    from stepscope.models.runtimes.export import export_onnx
    from stepscope.models.runtimes.onnx_runtime import OnnxRuntime

    module = recipe.network(trained.card.config)
    take_state(module, read_state(trained.weights))
    module.eval()
    examples = _drawn(blank(recipe, trained))
    inputs = recipe.collate(examples)
    place = file or trained.folder / ONNX
    metadata = {"stepscope.name": trained.card.name, "stepscope.weights": trained.card.weights}
    export_onnx(module, inputs, place, metadata, lengths=_lengths(recipe, trained))
    with torch.inference_mode():
        found = module(*(torch.from_numpy(array) for array in inputs))
    wanted = [one.numpy() for one in (found if isinstance(found, tuple | list) else (found,))]
    made = OnnxRuntime(place, device="cpu").run(*inputs)
    worst = max(
        float((np.abs(one - other) - SHARE * np.abs(one)).max()) for one, other in zip(wanted, made, strict=True)
    )
    if worst > PRECISION:
        place.unlink(missing_ok=True)
        raise UserError(f"the exported network differs from torch by {worst:g}.", place=place)
    return place


def save(
    recipe: Recipe, name: str, state: Mapping[str, Tensor], folder: Path, card: ModelCard, *, onnx: bool = True
) -> TrainedModel:
    """Weights, ONNX file and card into `folder`; the card last, so that a folder with a card is whole."""
    from dataclasses import replace

    whole = replace(card, name=name, weights=save_weights(state, folder))
    trained = TrainedModel(folder, whole)
    if onnx:
        export(trained, recipe)
    whole.write(folder)
    return trained


def _drawn(blank: Example) -> list[Example]:
    """Three examples like the blank one, the second longer, filled with vectors drawn by a fixed seed: of a length of
    about 1, as those of the encoders are."""
    seeded_random = np.random.default_rng(0)
    found: list[Example] = []
    for more in (0, 2, 0):
        example: dict[str, Array] = {}
        for name, array in blank.items():
            shape = (array.shape[0] + more, *array.shape[1:]) if array.ndim > 1 else array.shape
            example[name] = _of_kind(seeded_random, shape, array.dtype)
        found.append(example)
    return found


def _of_kind(drawn: np.random.Generator, shape: tuple[int, ...], kind: np.dtype[Any]) -> Array:
    """Vectors of a length of about 1, any bytes of pictures, zeros of what is counted."""
    if kind.kind == "f":
        scale = 1 / max(1, shape[-1] if shape else 1) ** 0.5
        return drawn.normal(scale=scale, size=shape).astype(kind)
    return drawn.integers(0, 256, shape, np.uint8) if kind == np.uint8 else np.zeros(shape, kind)


def _lengths(recipe: Recipe, trained: TrainedModel) -> Sequence[Mapping[int, str]]:
    """The axes that vary, for each of the network's inputs: found by collating examples of two lengths."""
    one = blank(recipe, trained)
    longer = {
        name: np.concatenate([array, array[:1], array[:1], array[:1]]) if array.ndim > 1 and len(array) else array
        for name, array in one.items()
    }
    small, large = recipe.collate([one, one]), recipe.collate([longer, longer])
    found = []
    for first, second in zip(small, large, strict=True):
        axes: dict[int, str] = {0: "batch"}
        for axis in range(1, first.ndim):
            if first.shape[axis] != second.shape[axis]:  # axes of one length vary together: a mask with what it masks
                axes[axis] = f"length_{first.shape[axis]}"
        found.append(axes)
    return found
