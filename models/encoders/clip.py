"""CLIP models of open_clip as encoders of texts and of pictures, into one space: vectors of length 1, as CLIP compares
them.

Weights are a file of an architecture that open_clip knows, or a folder with `open_clip_config.json` (as open_clip
writes them and as hubs keep them), whose tokenizer then lies there too. Nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import networks
from stepscope.models.encoders.folders import config_of, present, refuse_code, refuse_layers, tokenizer_files
from stepscope.models.encoders.preparation import Preparation
from stepscope.models.encoders.tokenizer_file import tokenizer_text
from stepscope.models.encoders.torch_encoders import TokenBatch, TorchTexts, TorchViews, told
from stepscope.models.runtimes.torch_runtime import TorchRuntime
from stepscope.models.runtimes.weight_digest import digest_of_files

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module
else:
    torch = lazy_module("torch")

CONFIG = "open_clip_config.json"
_PREFERRED = ("open_clip_model.safetensors", "open_clip_pytorch_model.safetensors")
"""What open_clip itself takes first out of a folder of several."""
_SUFFIXES = (".safetensors", ".bin", ".pth")
_TOKENIZER_OPTIONS = frozenset({"clean", "strip_sep_token", "language"})
"""The only ones that change how texts are taken apart and nothing else: others reach into the library that loads it."""
_VERSION = 1


def files(path: Path) -> tuple[Path, ...]:
    """All files that decide about vectors: the weights, and in a folder its description and tokenizer."""
    if not path.is_dir():
        return (path,)
    return (_weights_in(path), *present(path, CONFIG), *tokenizer_files(path))


def check(path: Path, *, architecture: str = "", tag: str = "") -> None:
    """Raises UsageError for an architecture or tag that open_clip does not know, UserError for a folder that is
    refused; loads no weights."""
    if path.is_dir():
        described(path)
        if architecture or tag:
            raise UsageError(
                "A folder says itself which architecture it is of.", hint="Leave architecture and tag out."
            )
        return
    networks.check_architecture(_stated(path, architecture), tag)


def load_texts(path: Path, *, device: str, output: str = "pooled", architecture: str = "", tag: str = "") -> TorchTexts:
    """The text part. Raises UnavailableError without open_clip, UsageError for an unknown architecture or tag,
    UserError naming what cannot be used."""
    tokens = _tokenizer(path, architecture)
    model, _preparation = _model(path, architecture, tag)
    del model.visual
    with told(path, "its text part does not work"):
        return TorchTexts(_runtime(_text_part(model), path, device), tokens, _fingerprint(path, architecture, output))


def load_views(path: Path, *, device: str, output: str = "pooled", architecture: str = "", tag: str = "") -> TorchViews:
    """The image part. Errors as those of `load_texts`."""
    model, preparation = _model(path, architecture, tag)
    network = _of_length_1(networks.from_bytes(model.visual, preparation.mean, preparation.std))
    fingerprint = f"{_fingerprint(path, architecture, output)}, preparation {preparation.name}"
    with told(path, "its image part does not work"):
        return TorchViews(_runtime(network, path, device), preparation.apply, fingerprint)


def described(folder: Path) -> dict[str, Any]:
    """What a folder's `open_clip_config.json` says. Raises UserError for what would load or run anything else."""
    whole = config_of(folder, CONFIG)
    model = whole.get("model_cfg")
    if not isinstance(model, dict) or not all(isinstance(model.get(one), dict) for one in ("text_cfg", "vision_cfg")):
        raise UserError("describes no CLIP model.", place=folder / CONFIG, hint="Choose another folder.")
    text, vision = model["text_cfg"], model["vision_cfg"]
    if "hf_model_name" in text or ":" in str(vision.get("timm_model_name", "")):
        raise UserError("names a network that would have to be downloaded.", place=folder / CONFIG)
    if strange := sorted(set(text.get("tokenizer_kwargs") or {}) - _TOKENIZER_OPTIONS):
        raise UserError(f"asks its tokenizer for {strange[0][:60]!r}, which is not allowed.", place=folder / CONFIG)
    refuse_layers(folder / CONFIG, whole)
    refuse_code(folder)
    return whole


def _model(path: Path, architecture: str, tag: str) -> tuple[Any, Preparation]:
    if not path.is_dir():
        return networks.clip_model(_stated(path, architecture), path, tag)
    told_of = described(path).get("preprocess_cfg")
    model = networks.quietly_built(f"local-dir:{path.resolve()}", _weights_in(path))
    size = networks.open_clip_library().get_model_preprocess_cfg(model)["size"]
    return model, networks.prepared_as(path.name, size, told_of if isinstance(told_of, dict) else {})


def _stated(path: Path, architecture: str) -> str:
    if not architecture:
        hint = "Say which of open_clip it is of: --architecture ViT-B-32, for one."
        raise UsageError(f"{path.name} does not tell which architecture its weights are of.", hint=hint)
    return architecture


def _tokenizer(path: Path, architecture: str) -> Any:
    """Texts to the numbers that the network takes: (n, context) each."""
    open_clip = networks.open_clip_library()
    name = architecture
    if path.is_dir():
        described(path)
        name = f"local-dir:{path.resolve()}"
        if (path / "tokenizer.json").exists():
            tokenizer_text(path / "tokenizer.json")
    elif architecture and (networks.clip_config(architecture)["text_cfg"].get("hf_tokenizer_name")):
        hint = f"Add a folder with {CONFIG} and the files of the tokenizer."
        raise UserError(f"the tokenizer of {architecture} would have to be downloaded.", place=path, hint=hint)
    with told(path, "its tokenizer cannot be loaded"):
        tokenizer = open_clip.get_tokenizer(name)

    def tokens(texts: Sequence[str]) -> TokenBatch:
        return TokenBatch((tokenizer(list(texts)).numpy().astype(np.int64),))

    return tokens


def _weights_in(folder: Path) -> Path:
    """The file that open_clip takes out of the folder. Raises UserError where there is none, or none before others."""
    for name in _PREFERRED:
        if (folder / name).is_file():
            return folder / name
    for suffix in _SUFFIXES:
        found = sorted(folder.glob(f"*{suffix}"))
        if len(found) == 1:
            return found[0]
        if found:
            hint = f"Leave one of them there, or name it {_PREFERRED[0]}."
            raise UserError(f"has {len(found)} files of weights ({suffix}).", place=folder, hint=hint)
    raise UserError("has no weights.", place=folder, hint=f"Put a .safetensors file beside its {CONFIG}.")


def _text_part(model: Any) -> Module:
    class TextPart(torch.nn.Module):
        """n × context numbers in, n × d numbers of length 1 out."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: Tensor) -> Tensor:
            found: Tensor = self.model.encode_text(ids, normalize=True)
            return found

    return TextPart()


def _of_length_1(network: Module) -> Module:
    class OfLength1(torch.nn.Module):
        """The vectors of a network, each brought to length 1."""

        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, pixels: Tensor) -> Tensor:
            return torch.nn.functional.normalize(self.network(pixels), dim=-1)

    return OfLength1()


def _runtime(network: Module, path: Path, device: str) -> TorchRuntime:
    return TorchRuntime(network, weights=digest_of_files(files(path)), device=device)


def _fingerprint(path: Path, architecture: str, output: str) -> str:
    return f"clip {_VERSION} {architecture}".rstrip() + f", sha256 {digest_of_files(files(path))}, {output}"
