"""Encoders of texts and pictures into one space out of folders of transformers: CLIP, SigLIP and those built like them.

Two outputs. `pooled`: the projected vectors, of length 1, as these models compare them. `tokens`: the last layer of the
part that is asked, at every token of a text or place of a picture, before the projection; the two parts may differ in
size. Pictures are made ready as `transformers_image` says.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import networks, transformers_image
from stepscope.models.encoders.folders import tokenizer_files
from stepscope.models.encoders.torch_encoders import TorchTexts, TorchViews, told
from stepscope.models.encoders.transformers_folder import (
    check,
    library,
    load_model,
    load_processor,
    load_tokenizer,
    longest_text,
    prepared_by,
    runtime_of,
    scaled,
    tokens_of,
)
from stepscope.models.runtimes.weight_digest import digest_of_files

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module
else:
    torch = lazy_module("torch")

_VERSION = 1
_PADDED = ("siglip", "siglip2")
"""Trained on texts that are all padded to one length, and without a mask: asked otherwise they answer otherwise."""


def files(path: Path) -> tuple[Path, ...]:
    """All files that decide about vectors."""
    return (*transformers_image.files(path), *tokenizer_files(path))


def load_texts(path: Path, *, device: str, output: str = "pooled") -> TorchTexts:
    """The text part. Raises UnavailableError without transformers, UserError naming the folder and what keeps it from
    being used."""
    check(path)
    tokenizer = load_tokenizer(path)
    model = _model(path)
    most = longest_text(model.text_model, tokenizer)
    padded = model.config.model_type in _PADDED
    inputs = ["input_ids"] if padded else ["input_ids", "attention_mask"]
    with told(path, "its text part does not work"):
        return TorchTexts(
            runtime_of(_text_part(model, inputs, output), files(path), device),
            tokens_of(tokenizer, most, inputs, padded=padded),
            _fingerprint(path, output),
            sequence=output == "tokens",
        )


def load_views(path: Path, *, device: str, output: str = "pooled") -> TorchViews:
    """The image part. Errors as those of `load_texts`."""
    check(path)
    processor = load_processor(path)
    network = networks.from_bytes(_image_part(_model(path), output), *scaled(processor, path))
    with told(path, "its image part does not work"):
        return TorchViews(
            runtime_of(network, files(path), device),
            prepared_by(processor, path),
            _fingerprint(path, output),
            sequence=output == "tokens",
        )


def _model(path: Path) -> Any:
    model, _whole = load_model(path)
    if not all(hasattr(model, name) for name in ("get_text_features", "get_image_features", "text_model")):
        why = "is no model of texts and pictures in one space."
        raise UserError(why, place=path, hint="Add it as transformers-text or transformers-image.")
    return model


def _text_part(model: Any, inputs: list[str], output: str) -> Module:
    class JointTextPart(torch.nn.Module):
        """Inputs of (n, tokens) in; (n, d) of length 1 out, or (n, tokens, d) of `tokens`."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: Tensor) -> Tensor:
            named = dict(zip(inputs, given, strict=True))
            if output == "tokens":
                states: Tensor = self.model.text_model(**named).last_hidden_state
                return states
            return torch.nn.functional.normalize(_features(self.model.get_text_features(**named)), dim=-1)

    return JointTextPart()


def _image_part(model: Any, output: str) -> Module:
    class JointImagePart(torch.nn.Module):
        """n × 3 × height × width numbers in; (n, d) of length 1 out, or (n, places, d) of `tokens`."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, pixels: Tensor) -> Tensor:
            if output == "tokens":
                return transformers_image.places(self.model.vision_model(pixel_values=pixels).last_hidden_state)
            found = _features(self.model.get_image_features(pixel_values=pixels))
            return torch.nn.functional.normalize(found, dim=-1)

    return JointImagePart()


def _features(found: Any) -> Tensor:
    """The projected vectors: the library gives them by themselves, or (since 5) in the place of what is pooled."""
    features: Tensor = getattr(found, "pooler_output", found)
    return features


def _fingerprint(path: Path, output: str) -> str:
    return f"transformers-joint {_VERSION}, sha256 {digest_of_files(files(path))}, {output}, {library()}"
