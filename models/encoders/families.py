"""The families of encoders that a person can add: what each makes vectors of, what is recognised as one, and who loads
it. Nothing of a family is imported before one of it is added or loaded.

A new family is a row of `FAMILIES` and a module with its loader.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from stepscope.core.errors import UnavailableError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.encoders import recognise
from stepscope.models.encoders.encoder import EncoderKind, TextEncoder, ViewEncoder
from stepscope.models.encoders.recognise import Guess, Recogniser

_HERE = "stepscope.models.encoders"


@dataclass(frozen=True, slots=True)
class Family:
    """`texts` and `views` name the loaders as `module:function`, "" where it reads none. A loader is called with the
    path, `device`, `output` and the options that the person gave. `files` names a function from the path to all files
    that decide about vectors; "" for the file itself, or that of the name `own_file` in a folder. `check` names one
    that is called with the path and the options before it is added, and raises UserError for what can never be loaded.
    `options` are those that a person may give.
    """

    name: str
    title: str
    kind: EncoderKind
    recognise: Recogniser
    texts: str = ""
    views: str = ""
    files: str = ""
    own_file: str = ""
    check: str = ""
    outputs: tuple[str, ...] = ("pooled",)
    options: tuple[str, ...] = ()


def _of_transformers(
    kind: EncoderKind, name: str, outputs: tuple[str, ...], title: str, recogniser: Recogniser
) -> Family:
    module = f"{_HERE}.transformers_{name}"
    joint = kind is EncoderKind.JOINT
    return Family(
        f"transformers-{name}",
        title,
        kind,
        recogniser,
        texts="" if kind is EncoderKind.IMAGE else f"{module}:{'load_texts' if joint else 'load'}",
        views="" if kind is EncoderKind.TEXT else f"{module}:{'load_views' if joint else 'load'}",
        files=f"{module}:files",
        check=f"{_HERE}.transformers_folder:check",
        outputs=outputs,
    )


def _resnet(depth: int) -> Family:
    module = f"{_HERE}.resnet"
    return Family(
        f"resnet-{depth}",
        f"ResNet-{depth} of torchvision",
        EncoderKind.IMAGE,
        recognise.resnet(depth),
        views=f"{module}:load_{depth}",
        outputs=("pooled", "ten-crop", "map"),
        options=("tag",),
    )


_ALL = (
    Family(
        "clip",
        "CLIP of open_clip",
        EncoderKind.JOINT,
        recognise.clip,
        texts=f"{_HERE}.clip:load_texts",
        views=f"{_HERE}.clip:load_views",
        files=f"{_HERE}.clip:files",
        check=f"{_HERE}.clip:check",
        options=("architecture", "tag"),
    ),
    _of_transformers(
        EncoderKind.JOINT, "joint", ("pooled", "tokens"), "CLIP, SigLIP of transformers", recognise.transformers_joint
    ),
    _of_transformers(
        EncoderKind.IMAGE, "image", ("pooled", "tokens"), "DINOv2, ViT of transformers", recognise.transformers_image
    ),
    _of_transformers(
        EncoderKind.TEXT, "text", ("pooled", "cls", "tokens"), "BERT, RoBERTa of transformers",
        recognise.transformers_text,
    ),
    *(_resnet(depth) for depth in (18, 50, 152)),
    Family(
        "icons", "icon classifier, trained here", EncoderKind.ICON, recognise.icons,
        views=f"{_HERE}.icons:load", own_file=recognise.ICONS,
    ),
    Family(
        "screen2vec", "Screen2Vec, trained here", EncoderKind.TREE, recognise.screen2vec, own_file=recognise.SCREEN2VEC
    ),
    Family(
        "fasttext", "word vectors of fastText", EncoderKind.TEXT, recognise.fasttext,
        texts=f"{_HERE}.word_vectors:load", outputs=("pooled", "tokens"),
    ),
    Family(
        "glove", "word vectors of GloVe", EncoderKind.TEXT, recognise.glove,
        texts=f"{_HERE}.word_vectors:load", outputs=("pooled", "tokens"),
    ),
    Family(
        "regions", "regions of pictures, by a detector", EncoderKind.REGIONS, recognise.region_features,
        check="stepscope.models.features.region_file:check",
    ),
)  # fmt: skip

FAMILIES: Mapping[str, Family] = {one.name: one for one in _ALL}
"""In the order in which they are asked whether something is theirs."""


def family(name: str) -> Family:
    """Raises UsageError naming the nearest."""
    if name not in FAMILIES:
        hint = f"{did_you_mean(name, FAMILIES)}Families: {', '.join(FAMILIES)}."
        raise UsageError(f"There is no family {name!r} of encoders.", hint=hint)
    return FAMILIES[name]


def recognised(path: Path) -> tuple[Family, Guess] | None:
    """The first family that the thing at the path is of. Raises UserError for what cannot be read."""
    for one in _ALL:
        guess = one.recognise(path)
        if guess is not None:
            return one, guess
    return None


def files_of(one: Family, path: Path) -> tuple[Path, ...]:
    """All files that decide about vectors. Raises UserError where some are not there."""
    if one.files:
        return cast("tuple[Path, ...]", _function(one.files)(path))
    return (path / one.own_file if path.is_dir() else path,)


def check(one: Family, path: Path, options: Mapping[str, str]) -> None:
    """Raises UsageError or UserError for what can never be loaded; loads nothing."""
    if one.check:
        _function(one.check)(path, **options)


def load_texts(one: Family, path: Path, *, device: str, output: str, options: Mapping[str, str]) -> TextEncoder:
    """The encoder of texts."""
    return cast("TextEncoder", _function(one.texts)(path, device=device, output=output, **options))


def load_views(one: Family, path: Path, *, device: str, output: str, options: Mapping[str, str]) -> ViewEncoder:
    """The encoder of pictures."""
    return cast("ViewEncoder", _function(one.views)(path, device=device, output=output, **options))


def _function(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    try:
        return cast("Callable[..., Any]", getattr(importlib.import_module(module), name))
    except ImportError as error:
        hint = "Install it with pip install 'stepscope[models]'."
        raise UnavailableError(f"these encoders need {error.name}.", hint=hint) from error
