"""Encoders of pictures out of folders of transformers: DINOv2, ViT, the image parts of SigLIP and CLIP, convolutional
networks.

Pictures are made ready by the folder's own image processor; what it does to the numbers (factor, mean, spread) is done
in the network, so that prepared pictures stay bytes. Two outputs. `pooled`: what the network itself makes of a picture
(`pooler_output`); where its file has no weights for that, the last layer at the first token ([CLS]). `tokens`: the last
layer at every token, in the network's order ([CLS] and registers first where it has them, then the patches, row by
row; of convolutional networks the places of the last map).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import networks
from stepscope.models.encoders.folders import CONFIG, INDEX, PROCESSOR, present, tensors_in
from stepscope.models.encoders.torch_encoders import TorchViews, told
from stepscope.models.encoders.transformers_folder import (
    check,
    library,
    load_model,
    load_processor,
    prepared_by,
    runtime_of,
    scaled,
)
from stepscope.models.runtimes.weight_digest import digest_of_files

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module
else:
    torch = lazy_module("torch")

_VERSION = 1


def files(path: Path) -> tuple[Path, ...]:
    """All files that decide about vectors."""
    return (*tensors_in(path), *present(path, CONFIG, INDEX, PROCESSOR, "processor_config.json"))


def load(path: Path, *, device: str, output: str = "pooled") -> TorchViews:
    """Raises UnavailableError without transformers, UserError naming the folder and what keeps it from being used."""
    check(path)
    processor = load_processor(path)
    model, whole = load_model(path)
    if hasattr(model, "get_image_features"):
        raise UserError("reads texts too.", place=path, hint="Add it as transformers-joint.")
    network = networks.from_bytes(_network(model, output, whole=whole), *scaled(processor, path))
    fingerprint = f"transformers-image {_VERSION}, sha256 {digest_of_files(files(path))}, {output}, {library()}"
    with told(path, "does not work on a picture"):
        return TorchViews(
            runtime_of(network, files(path), device),
            prepared_by(processor, path),
            fingerprint,
            sequence=output == "tokens",
        )


def places(states: Tensor) -> Tensor:
    """(n, places, d) of tokens, or of maps (n, d, rows, columns)."""
    return states.flatten(2).transpose(1, 2) if states.ndim == 4 else states


def _network(model: Any, output: str, *, whole: bool) -> Module:
    class ImageNetwork(torch.nn.Module):
        """n × 3 × height × width numbers in; (n, d) out, or (n, places, d) of `tokens`."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, pixels: Tensor) -> Tensor:
            found = self.model(pixel_values=pixels)
            if output == "tokens":
                return places(found.last_hidden_state)
            pooled: Tensor | None = getattr(found, "pooler_output", None) if whole else None
            return places(found.last_hidden_state)[:, 0] if pooled is None else pooled.flatten(1)

    return ImageNetwork()
