"""The icon classifier as an encoder of pictures: an icon's vector is the layer before the classes (MoTIF, section 4.1,
after Liu et al. 2018; paper). `icon_training` trains one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UsageError
from stepscope.core.imaging.parts import Pixels
from stepscope.models.encoders.own_weights import fill, read_weights, told_by
from stepscope.models.encoders.preparation import Preparation
from stepscope.models.runtimes.torch_runtime import TorchRuntime, choose_device

FILE_NAME, KEY, VERSION = "icons.safetensors", "stepscope.icons", 1
OUTPUTS = ("pooled",)
PREPARATION = Preparation(32, 32, None, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), "bilinear")
"""Squashed to 32 × 32 (MoTIF, released code); greys and their normalising are the network's part."""
_MOST_CLASSES = 10_000
_BATCH = 256

Vectors = NDArray[np.float32]


class IconEncoder:
    """A loaded classifier; see `ViewEncoder`. `classes` are the kinds that it tells apart."""

    size = 128
    sequence = False

    def __init__(self, classes: tuple[str, ...], runtime: TorchRuntime, fingerprint: str) -> None:
        self.classes = classes
        self.fingerprint, self.computed_by = fingerprint, runtime.computed_by
        self._runtime = runtime

    def prepared(self, pixels: Pixels) -> Pixels:
        """32 × 32 × 3 bytes."""
        return PREPARATION.apply(pixels)

    def embed(self, prepared: Sequence[Pixels]) -> Vectors:
        """n × 128 numbers, none below 0."""
        return self._run(prepared, 0, self.size)

    def kinds(self, prepared: Sequence[Pixels]) -> list[str]:
        """The likeliest kind of each."""
        return [self.classes[place] for place in self._run(prepared, 1, len(self.classes)).argmax(1)]

    def _run(self, prepared: Sequence[Pixels], output: int, size: int) -> Vectors:
        parts = [
            self._runtime.run(np.stack(prepared[at : at + _BATCH]))[output] for at in range(0, len(prepared), _BATCH)
        ]
        return np.concatenate(parts) if parts else np.empty((0, size), np.float32)


def load(path: Path, *, device: str = "auto", output: str = "pooled") -> IconEncoder:
    """The classifier in a file that `train_icons` wrote, or in the folder that it wrote into.

    Raises UnavailableError without torch, UsageError for another output or device than there is, UserError naming the
    file where it is not there, damaged or of other things.
    """
    if output not in OUTPUTS:
        raise UsageError(f"Icons have no output {output!r}.", hint=f"They have {', '.join(OUTPUTS)}.")
    choose_device(device)  # told before anything is read
    from stepscope.models.encoders.icon_network import IconNetwork

    weights = read_weights(path, FILE_NAME, KEY, VERSION)
    with told_by(weights.file):
        classes, mean, deviation = _told(weights.config)
    network = IconNetwork(len(classes), mean, deviation)
    fill(network, weights)
    name = f"icon classifier, sha256 {weights.sha256}, preparation {PREPARATION.name}"
    runtime = TorchRuntime(network, weights=weights.sha256, preparation=PREPARATION.name, device=device)
    return IconEncoder(classes, runtime, name)


def _told(config: Mapping[str, Any]) -> tuple[tuple[str, ...], float, float]:
    """Classes, mean and deviation. Raises what `told_by` tells."""
    classes = config["classes"]
    if not isinstance(classes, list) or not 2 <= len(classes) <= _MOST_CLASSES:
        raise ValueError("it needs two classes or more")
    if not all(isinstance(one, str) for one in classes) or len(set(classes)) != len(classes):
        raise ValueError("its classes have no names of their own")
    mean, deviation = float(config["mean"]), float(config["deviation"])
    if not math.isfinite(mean) or not (math.isfinite(deviation) and deviation > 0):
        raise ValueError("its greys have no mean or no deviation")
    return tuple(classes), mean, deviation
