"""Files of weights: told by their SHA-256, and read so that nothing inside them is executed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import UserError

if TYPE_CHECKING:
    from torch import Tensor

_CHOOSE = "Choose another file, or put it back."


def sha256(file: Path) -> str:
    """The file's SHA-256 in hex. Raises UserError naming the file when it is gone or cannot be read."""
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(file, error) from error


def read_state(file: Path) -> Mapping[str, Tensor]:
    """The tensors in a safetensors file, or in one that torch.save wrote, on the processor.

    No code in the file is run: torch reads with `weights_only`. Raises UserError naming the file.
    """
    import torch
    from safetensors.torch import load_file

    try:
        if file.suffix == ".safetensors":
            return load_file(file)
        found = torch.load(file, map_location="cpu", weights_only=True)
    except OSError as error:
        raise unreadable(file, error) from error
    except Exception as error:  # both readers raise many kinds, pickle's among them
        raise damaged(file, error) from error
    state = found.get("state_dict", found) if isinstance(found, dict) else None
    if not isinstance(state, dict) or not all(isinstance(one, torch.Tensor) for one in state.values()):
        raise UserError("holds no table of tensors.", place=file, hint=_CHOOSE)
    return state


def unreadable(file: Path, error: OSError) -> UserError:
    """A file that is gone or that may not be read."""
    why = "is not there" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror or error}"
    return UserError(f"the model file {why}.", place=file, hint=_CHOOSE)


def damaged(file: Path, error: Exception) -> UserError:
    """A file that is there and is no model that this runtime reads."""
    return UserError(f"is no model that can be loaded: {first_line(error)}", place=file, hint="Choose another file.")


def first_line(error: Exception) -> str:
    """What an error of a runtime says, without its stack and lists of a page's length."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
