"""Files of weights: told by their SHA-256, and read so that nothing inside them is executed."""

from __future__ import annotations

import hashlib
import pickle
import struct
import warnings
import zipfile
from collections.abc import Mapping
from io import BufferedReader
from pathlib import Path
from typing import IO, TYPE_CHECKING

from stepscope.core.errors import UserError
from stepscope.core.limits import exceeded, limit, written_figure
from stepscope.core.plain_text import safe
from stepscope.core.regular_files import open_regular

if TYPE_CHECKING:
    from torch import Tensor

_CHOOSE = "Choose another file, or put it back."


_SAFETENSORS = ".safetensors"
_HEADER = 8
"""Bytes of the number that says how long the header of a safetensors file is."""


def sha256(file: Path) -> str:
    """The file's SHA-256 in hex. Raises UserError naming the file when it is gone, no file, larger than `model-bytes`
    or cannot be read."""
    with open_weights(file) as stream:
        try:
            return hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise unreadable(file, error) from error


def open_weights(file: Path) -> BufferedReader:
    """A model's file for reading; a folder, a pipe or a device is none. Errors as those of `sha256`."""
    try:
        stream = open_regular(file)
    except OSError as error:
        raise unreadable(file, error) from error
    size, most = stream.seek(0, 2), limit("model-bytes")
    stream.seek(0)
    if size > most:
        stream.close()
        raise exceeded("model-bytes", f"this model has {written_figure('bytes', size)}.", place=file)
    return stream


def read_state(file: Path) -> Mapping[str, Tensor]:
    """The tensors in a safetensors file, or in one that torch.save wrote, on the processor.

    No code in the file is run: torch reads with `weights_only`. Raises UserError naming the file.
    """
    import torch
    from safetensors.torch import load_file

    check_weights(file)
    try:
        if file.suffix == _SAFETENSORS:
            return load_file(file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a pickle's version: it is refused or read
            found = torch.load(file, map_location="cpu", weights_only=True)
    except OSError as error:
        raise unreadable(file, error) from error
    except pickle.UnpicklingError as error:  # in torch's words it says how to load the file in spite of it
        raise damaged_by(file, "it is not whole, or holds more than tensors, which is not read") from error
    except Exception as error:  # both readers raise many kinds
        raise damaged(file, error) from error
    state = found.get("state_dict", found) if isinstance(found, dict) else None
    if not isinstance(state, dict) or not all(isinstance(one, torch.Tensor) for one in state.values()):
        raise UserError("holds no table of tensors.", place=file, hint=_CHOOSE)
    return state


def check_weights(file: Path) -> None:
    """A look at the file before anything reads it. Raises UserError naming it for what is no file, what is packed, and
    tables beyond `model-table-bytes`."""
    with open_weights(file) as stream:
        try:
            (_check_header if file.suffix == _SAFETENSORS else _check_members)(file, stream)
        except OSError as error:
            raise unreadable(file, error) from error
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            raise damaged(file, error) from error


def _check_header(file: Path, stream: IO[bytes]) -> None:
    """The reader holds 100 MB of header as texts and lists; those of real files are short."""
    start = stream.read(_HEADER)
    length = struct.unpack("<Q", start)[0] if len(start) == _HEADER else 0
    if length > stream.seek(0, 2):
        raise damaged_by(file, "it is shorter than its header")
    _check_size(file, length, "its header")


def _check_members(file: Path, stream: IO[bytes]) -> None:
    """torch.save packs nothing: what is packed would be larger than the file says, and is read whole."""
    if not zipfile.is_zipfile(stream):
        return
    with zipfile.ZipFile(stream) as archive:
        members = archive.infolist()
    for member in members:
        if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
            raise damaged_by(file, f"{member.filename[:60]!r} in it is packed")
        if member.filename.endswith(".pkl"):
            _check_size(file, member.file_size, "its table of tensors")


def _check_size(file: Path, size: int, what: str) -> None:
    if size > (most := limit("model-table-bytes")):
        words = f"{what} has {written_figure('bytes', size)}, more than {written_figure('bytes', most)}."
        raise exceeded("model-table-bytes", words, place=file)


def unreadable(file: Path, error: OSError) -> UserError:
    """A file that is gone or that may not be read."""
    why = "is not there" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror or error}"
    return UserError(f"the model file {why}.", place=file, hint=_CHOOSE)


def damaged(file: Path, error: Exception) -> UserError:
    """A file that is there and is no model that this runtime reads."""
    return damaged_by(file, first_line(error))


def damaged_by(file: Path, why: str) -> UserError:
    """The error about damaged weights, `why` in words."""
    return UserError(f"is no model that can be loaded: {why.rstrip('.')}.", place=file, hint="Choose another file.")


def first_line(error: BaseException) -> str:
    """What an error of a runtime says, without its stack and lists of a page's length."""
    return safe((str(error).strip().splitlines() or [type(error).__name__])[0][:200])
