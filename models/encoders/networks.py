"""Image networks as torch modules that take bytes: the image part of open_clip's models, torchvision's MobileNetV2."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.encoders.preparation import Network, Preparation
from stepscope.models.runtimes.weights import check_weights, first_line, read_state

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module
else:
    torch = lazy_module("torch")

_INSTALL = "Install it with pip install 'stepscope[models]'."


def clip(architecture: str, weights: Path, tag: str = "") -> Network:
    """The image part of a CLIP model of open_clip, with weights in a file. `clip_model` tells the rest."""
    model, preparation = clip_model(architecture, weights, tag)
    return Network(architecture, from_bytes(model.visual, preparation.mean, preparation.std), preparation)


def clip_model(architecture: str, weights: Path, tag: str = "") -> tuple[Any, Preparation]:
    """A CLIP model of open_clip with weights in a file of its layout or OpenAI's, and how pictures are made ready.

    `tag` is open_clip's name of the published weights that the file is (`laion2b_s34b_b79k`, say); needed only where
    weights of one architecture want their pictures made ready in different ways. Nothing is downloaded.

    Raises UnavailableError without open_clip, UsageError for an unknown architecture or tag, UserError naming the file
    when it is gone or not the architecture's weights.
    """
    published = check_architecture(architecture, tag)
    open_clip = open_clip_library()
    model = quietly_built(architecture, weights, pretrained=str(weights.resolve()))
    size = open_clip.get_model_preprocess_cfg(model)["size"]
    return model, prepared_as(architecture, size, published)


def check_architecture(architecture: str, tag: str = "") -> dict[str, Any]:
    """How pictures are made ready for the architecture's published weights; {} is open_clip's usual way. Raises as
    `clip_model` does; reads no weights."""
    if "hf_model_name" in clip_config(architecture)["text_cfg"]:
        raise UserError(f"{architecture} cannot be built: its text part would have to be downloaded.")
    return _published(open_clip_library(), architecture, tag)


def clip_config(architecture: str) -> dict[str, Any]:
    """What open_clip says of an architecture. Raises UsageError for one that it does not know."""
    open_clip = open_clip_library()
    config: dict[str, Any] | None = (
        open_clip.get_model_config(architecture) if architecture in open_clip.list_models() else None
    )
    if config is None:
        hint = did_you_mean(architecture, open_clip.list_models())
        raise UsageError(f"open_clip has no architecture {architecture!r}.", hint=hint)
    return config


def mobilenet(weights: Path) -> Network:
    """torchvision's MobileNetV2 up to the 1280 numbers from which it would name a class.

    Raises UnavailableError without torchvision, UserError naming the file when it is gone or not its weights.
    """
    try:
        import torch
        from torchvision.models import MobileNet_V2_Weights, mobilenet_v2
    except ImportError as error:
        raise UnavailableError(f"MobileNetV2 needs the package {error.name}.", hint=_INSTALL) from error
    model = mobilenet_v2(weights=None)
    state = read_state(weights)
    try:
        model.load_state_dict(state)
    except RuntimeError as error:
        raise UserError(
            f"holds no weights of MobileNetV2: {first_line(error)}", place=weights, hint="Choose another file."
        ) from error
    model.classifier = torch.nn.Identity()
    recipe = MobileNet_V2_Weights.IMAGENET1K_V1.transforms()
    cut, side = recipe.crop_size[0], recipe.resize_size[0]
    preparation = Preparation(cut, cut, side, tuple(recipe.mean), tuple(recipe.std), "bilinear")
    return Network("MobileNetV2", from_bytes(model, preparation.mean, preparation.std), preparation)


def open_clip_library() -> Any:
    """The package open_clip. Raises UnavailableError without it."""
    try:
        import open_clip
    except ImportError as error:
        raise UnavailableError(f"CLIP models need the package {error.name}.", hint=_INSTALL) from error
    return open_clip


def quietly_built(architecture: str, weights: Path, **told: Any) -> Any:
    """The model of open_clip, its weights read by torch with `weights_only` or by safetensors. Raises UserError naming
    the file of weights."""
    check_weights(weights)
    root, level = logging.getLogger(), logging.getLogger().level
    root.setLevel(logging.ERROR)  # open_clip logs each of its steps there
    try:
        return open_clip_library().create_model(architecture, weights_only=True, **told)
    except Exception as error:  # many kinds: of pickle, of shapes, of files
        name = architecture if "pretrained" in told else "the network that its folder describes"
        why = f"holds no weights of {name} that can be loaded: {first_line(error)}"
        raise UserError(why, place=weights, hint="Choose another file or architecture.") from error
    finally:
        root.setLevel(level)


def _published(open_clip: Any, architecture: str, tag: str) -> dict[str, Any]:
    """How pictures are made ready for the published weights `tag`, or for all of the architecture; {} is the ordinary
    way."""
    tags: Sequence[str] = open_clip.list_pretrained_tags_by_model(architecture)
    if tag and tag not in tags:
        hint = did_you_mean(tag, tags)
        raise UsageError(f"open_clip knows no weights {tag!r} of {architecture}.", hint=hint)
    ways: list[dict[str, Any]] = []
    for one in [tag] if tag else tags:
        config = open_clip.get_pretrained_cfg(architecture, one)
        way = {name: config.get(name) for name in ("mean", "std", "interpolation", "resize_mode")}
        if way not in ways:
            ways.append(way)
    if len(ways) > 1:
        raise UsageError(
            f"Weights of {architecture} want their pictures made ready in {len(ways)} ways.",
            hint=f"Say which published weights these are: {', '.join(tags)}.",
        )
    return ways[0] if ways else {}


def prepared_as(architecture: str, size: int | Sequence[int], published: dict[str, Any]) -> Preparation:
    """How open_clip makes pictures ready: what is said of the published weights, else its usual way. Raises UserError
    for a way that is not supported."""
    from open_clip.transform import PreprocessCfg

    usual = PreprocessCfg()
    height, width = (size, size) if isinstance(size, int) else size
    mode = published.get("resize_mode") or usual.resize_mode
    if mode not in ("shortest", "squash") or (mode == "shortest" and height != width):
        raise UserError(f"{architecture} wants its pictures made ready in a way that is not supported ({mode}).")
    return Preparation(
        width,
        height,
        width if mode == "shortest" else None,
        tuple(published.get("mean") or usual.mean),
        tuple(published.get("std") or usual.std),
        published.get("interpolation") or usual.interpolation,
    )


def from_bytes(network: Module, mean: Sequence[float], std: Sequence[float], scale: float = 1 / 255) -> Module:
    """The network behind the step from bytes to normalised colours; of several outputs the first."""

    class FromBytes(torch.nn.Module):
        """n × height × width × 3 bytes in, what the network gives out."""

        mean: Tensor
        std: Tensor

        def __init__(self) -> None:
            super().__init__()
            self.network = network
            self.register_buffer("mean", torch.tensor(mean).view(1, 3, 1, 1))
            self.register_buffer("std", torch.tensor(std).view(1, 3, 1, 1))

        def forward(self, pixels: Tensor) -> Tensor:
            colours = pixels.permute(0, 3, 1, 2).float() * scale
            found = self.network((colours - self.mean) / self.std)
            first: Tensor = found[0] if isinstance(found, tuple) else found
            return first

    return FromBytes()
