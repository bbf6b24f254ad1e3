"""Weights fetched from a hub, when a person asks for it and at no other time.

Only tensors (safetensors), configs and tokenizers are fetched, by the library huggingface_hub: it shows how far it is
on stderr, and goes on where an earlier try ended. No token is sent but the one that the person keeps for that library.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.core.drafts import advice, reason
from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.settings import user_data_dir
from stepscope.models.runtimes.weights import first_line

if TYPE_CHECKING:
    import huggingface_hub
else:
    huggingface_hub = lazy_module("huggingface_hub")

PATTERNS = (
    "*.safetensors", "*.safetensors.index.json", "config.json", "open_clip_config.json", "preprocessor_config.json",
    "processor_config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "vocab.json", "vocab.txt", "merges.txt", "*.model", "modules.json", "1_Pooling/config.json",
    "sentence_bert_config.json", "README.md", "LICENSE*",
)  # fmt: skip
"""All that an encoder is loaded from, and what says its licence."""
_NOT_WANTED = ("onnx/*", "openvino/*", "*/*.safetensors", "*/*.model")
"""The same weights in other forms, and those of parts that are not used."""
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")


def folder_of(name: str) -> Path:
    """Where the files of HUB/NAME are kept. Raises UsageError for what is no such name."""
    if _NAME.fullmatch(name) is None or ".." in name:
        raise UsageError(f"{name!r} is no model of a hub.", hint="Write it as the hub does: intfloat/e5-small.")
    return user_data_dir() / "weights" / name.replace("/", "--")


def download(name: str, *, endpoint: str | None = None) -> Path:
    """The folder with the files of the model HUB/NAME. `endpoint`: the hub's address, None the library's own
    (`HF_ENDPOINT`). Raises UnavailableError without the library, UsageError for what is no name, UserError when they
    cannot be had; what was fetched by then is kept for the next try."""
    folder = folder_of(name)
    try:
        import huggingface_hub
    except ImportError as error:
        hint = "Install it with pip install 'stepscope[models]'."
        raise UnavailableError(f"downloads need the package {error.name}.", hint=hint) from error
    try:
        huggingface_hub.snapshot_download(
            name, local_dir=folder, allow_patterns=list(PATTERNS), ignore_patterns=list(_NOT_WANTED), endpoint=endpoint
        )
    except Exception as error:  # of the library, of the one that speaks HTTP for it, of the disk
        raise _told(name, error) from error
    if not any(folder.glob("*.safetensors")):
        hint = "Choose one that has its weights as safetensors."
        raise UserError("has no weights that are read (*.safetensors).", place=name, hint=hint)
    return folder


def _told(name: str, error: Exception) -> UserError:
    """The library wraps what happened in long advice about its own settings; the cause says it."""
    from huggingface_hub.errors import HfHubHTTPError

    if isinstance(error, OSError) and error.errno is not None:
        return UserError(f"cannot be downloaded: {reason(error)}", place=name, hint=advice(error))
    cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    why = first_line(cause).rstrip(".")
    if isinstance(cause, HfHubHTTPError):
        hint = "Check its name, and whether the hub wants you to log in (hf auth login)."
        return UserError(f"cannot be downloaded: the hub says {why}", place=name, hint=hint)
    hint = "Check the network, then try again: it goes on where it ended."
    return UserError(f"cannot be downloaded: {why}", place=name, hint=hint)
