"""Weights that this program trained for an encoder: one safetensors file whose metadata say what is needed beside the
tensors. One file is whole or not there; two could be of two trainings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import parsed_json
from stepscope.models.runtimes.weights import damaged, damaged_by, first_line, read_state, sha256

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

SUFFIX = ".safetensors"


@dataclass(frozen=True, slots=True)
class OwnWeights:
    """A file that was read: its SHA-256, the tensors by name, what stands beside them."""

    file: Path
    sha256: str
    state: Mapping[str, Tensor]
    config: Mapping[str, Any]


def write_weights(file: Path, key: str, state: Mapping[str, Tensor], config: Mapping[str, Any]) -> None:
    """Write the file whole, and the folders above it. Raises UserError where that cannot be done."""
    from safetensors.torch import save

    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in state.items()}
    try:
        write_whole(file, save(tensors, metadata={key: json.dumps(dict(config))}))
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}", place=file, hint=advice(error)) from error


def read_weights(path: Path, name: str, key: str, version: int) -> OwnWeights:
    """The weights in a file, or in the file called `name` in a folder. Raises UserError naming the file where it is not
    there, damaged, of another program or version, or holds what is no number."""
    import torch
    from safetensors import safe_open

    file = path / name if path.is_dir() else path
    digest = sha256(file)
    if file.suffix != SUFFIX:
        raise damaged_by(file, f"weights of this kind end in {SUFFIX}")
    state = read_state(file)
    try:
        with safe_open(file, "pt") as stream:
            told = (stream.metadata() or {}).get(key)
    except Exception as error:  # the reader raises many kinds
        raise damaged(file, error) from error
    if told is None:
        raise damaged_by(file, f"it does not say that it holds {key}")
    try:
        config = parsed_json(told)
    except ValueError as error:
        raise damaged_by(file, f"what it says of itself cannot be read: {first_line(error)}") from error
    if not isinstance(config, dict) or config.get("version") != version:
        raise damaged_by(file, f"it is not of version {version} of {key}; train it again")
    if not all(bool(torch.isfinite(one).all()) for one in state.values() if one.is_floating_point()):
        raise damaged_by(file, "its weights hold what is no number")
    return OwnWeights(file, digest, state, config)


def fill(module: Module, weights: OwnWeights) -> None:
    """Put the tensors into the network. Raises UserError where they are of another shape."""
    try:
        module.load_state_dict(dict(weights.state))
    except (RuntimeError, TypeError) as error:
        raise damaged_by(weights.file, f"its tensors do not fit: {first_line(error)}") from error


@contextmanager
def told_by(file: Path) -> Iterator[None]:
    """Around the reading of what a file says of itself: what cannot be is damage of the file."""
    try:
        yield
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise damaged_by(file, f"what it says of itself cannot be: {first_line(error)}") from error
