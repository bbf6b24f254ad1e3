"""torchvision's ResNets of 18, 50 and 152 layers as encoders of pictures, from a file of their weights.

Pictures are made ready as torchvision does it for the published weights that the file is (`tag`, IMAGENET1K_V1 unless
said otherwise). Three outputs. `pooled`: the numbers before the classes, the mean over the last map (512 of ResNet-18,
else 2048). `ten-crop`: the mean of these over ten crops: the four corners and the middle of the reduced screen, and
their mirror images, as MoTIF has its screens (Burns et al. 2022). `map`: the last map of convolutions, a sequence of 49
places, row by row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.core.imaging.parts import Pixels
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.encoders import networks
from stepscope.models.encoders.preparation import Preparation, less_narrow
from stepscope.models.encoders.torch_encoders import TorchViews, told
from stepscope.models.runtimes.torch_runtime import TorchRuntime
from stepscope.models.runtimes.weight_digest import digest_of_files
from stepscope.models.runtimes.weights import first_line, read_state

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module
else:
    torch = lazy_module("torch")

BLOCKS = {18: (2, 2, 2, 2), 50: (3, 4, 6, 3), 152: (3, 8, 36, 3)}
"""Blocks in each of the four layers (He et al. 2016, table 1), by the number of layers."""
SIZES = {18: 512, 50: 2048, 152: 2048}
_USUAL = "IMAGENET1K_V1"
_VERSION = 1
_CLASSES = ("fc.weight", "fc.bias")
_BLOCK = re.compile(r"layer([1-4])\.(\d{1,4})\.conv1\.weight")


def files(path: Path) -> tuple[Path, ...]:
    """The file of weights."""
    return (path,)


def load_18(path: Path, *, device: str, output: str = "pooled", tag: str = "") -> TorchViews:
    """ResNet-18. Raises UnavailableError without torchvision, UsageError for a tag that it does not know, UserError
    naming the file when it is gone or not its weights."""
    return _load(18, path, device, output, tag)


def load_50(path: Path, *, device: str, output: str = "pooled", tag: str = "") -> TorchViews:
    """ResNet-50. Errors as those of `load_18`."""
    return _load(50, path, device, output, tag)


def load_152(path: Path, *, device: str, output: str = "pooled", tag: str = "") -> TorchViews:
    """ResNet-152. Errors as those of `load_18`."""
    return _load(152, path, device, output, tag)


def depth_of(names: Mapping[str, Any]) -> int | None:
    """How many layers the ResNet has whose weights have these names; None where it is none of those above."""
    found = [match for match in map(_BLOCK.fullmatch, names) if match]
    blocks = tuple(sum(match[1] == str(layer) for match in found) for layer in (1, 2, 3, 4))
    three = "layer1.0.conv3.weight" in names
    return next((depth for depth, wanted in BLOCKS.items() if wanted == blocks and (depth > 34) == three), None)


def _load(depth: int, path: Path, device: str, output: str, tag: str) -> TorchViews:
    preparation = _preparation(depth, tag or _USUAL)
    body = _network(_filled(depth, path), output)
    network = networks.from_bytes(body, preparation.mean, preparation.std)
    if output == "ten-crop":
        network = _mean_of_crops(network)
    digest = digest_of_files(files(path))
    fingerprint = f"resnet-{depth} {_VERSION}, sha256 {digest}, {output}, preparation {preparation.name}"
    with told(path, "does not work on a picture"):
        runtime = TorchRuntime(network, weights=digest, preparation=preparation.name, device=device)
        prepare: Callable[[Pixels], Pixels] = preparation.apply if output != "ten-crop" else _crops(preparation)
        return TorchViews(runtime, prepare, fingerprint, sequence=output == "map")


def _filled(depth: int, path: Path) -> Any:
    """The network with the weights of the file; those of its classes are not wanted."""
    models = _torchvision_models()
    state = {name: value for name, value in read_state(path).items() if name not in _CLASSES}
    model = models.get_model(f"resnet{depth}", weights=None)
    model.fc = torch.nn.Identity()
    try:
        model.load_state_dict(state)
    except RuntimeError as error:
        why = f"holds no weights of ResNet-{depth}: {first_line(error)}"
        raise UserError(why, place=path, hint="Choose another file.") from error
    return model


def _torchvision_models() -> Any:
    try:
        from torchvision import models
    except ImportError as error:
        hint = "Install it with pip install 'stepscope[models]'."
        raise UnavailableError(f"ResNets need the package {error.name}.", hint=hint) from error
    return models


def _preparation(depth: int, tag: str) -> Preparation:
    published = _torchvision_models().get_model_weights(f"resnet{depth}").__members__
    if tag not in published:
        hint = f"{did_you_mean(tag, published)}There are {', '.join(published)}."
        raise UsageError(f"torchvision knows no weights {tag!r} of ResNet-{depth}.", hint=hint)
    recipe = published[tag].transforms()
    cut, side = recipe.crop_size[0], recipe.resize_size[0]
    return Preparation(cut, cut, side, tuple(recipe.mean), tuple(recipe.std), "bilinear")


def _crops(preparation: Preparation) -> Callable[[Pixels], Pixels]:
    """The corners and the middle of the picture, reduced as torchvision reduces it, and the middle of its mirror image,
    which may lie a pixel beside: 6 × height × width × 3 bytes."""
    from PIL import Image

    side, height, width = preparation.side or preparation.width, preparation.height, preparation.width

    def prepare(pixels: Pixels) -> Pixels:
        pixels = less_narrow(pixels)
        rows, columns = pixels.shape[:2]
        short = min(rows, columns)
        size = (int(side * columns / short), int(side * rows / short))
        whole = np.asarray(Image.fromarray(np.ascontiguousarray(pixels)).resize(size, Image.Resampling.BILINEAR))
        right, bottom = size[0] - width, size[1] - height
        down, along = round(bottom / 2), round(right / 2)
        starts = ((0, 0), (0, right), (bottom, 0), (bottom, right), (down, along), (down, right - along))
        return np.stack([whole[top : top + height, left : left + width] for top, left in starts])

    return prepare


def _network(model: Any, output: str) -> Module:
    class ResNet(torch.nn.Module):
        """n × 3 × height × width numbers in; (n, d) out, or (n, 49, d) of `map`."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, pixels: Tensor) -> Tensor:
            if output != "map":
                found: Tensor = self.model(pixels)
                return found
            now = self.model.maxpool(self.model.relu(self.model.bn1(self.model.conv1(pixels))))
            for layer in (self.model.layer1, self.model.layer2, self.model.layer3, self.model.layer4):
                now = layer(now)
            last: Tensor = now
            return last.flatten(2).transpose(1, 2)

    return ResNet()


def _mean_of_crops(network: Module) -> Module:
    class MeanOfCrops(torch.nn.Module):
        """n × 6 × height × width × 3 bytes in, n × d numbers out: the mean over five crops and five mirrored ones."""

        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, crops: Tensor) -> Tensor:
            corners, middle, mirrored = crops[:, :4], crops[:, 4:5], crops[:, 5:]
            every = torch.cat((corners, middle, corners.flip(3), mirrored.flip(3)), dim=1)
            found = self.network(every.flatten(0, 1))
            return found.unflatten(0, (crops.shape[0], every.shape[1])).mean(1)  # type: ignore[no-any-return]

    return MeanOfCrops()
