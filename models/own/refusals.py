"""Files that are no model which can be added, told by their first bytes: each with the reason and the way out.

Pickled weights are not read at all: to unpickle is to run what the file says.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from stepscope.core.errors import UserError
from stepscope.models.runtimes.weights import open_weights, unreadable

_PARTIAL = (".part", ".partial", ".crdownload", ".incomplete", ".download", ".aria2")
_POINTER = b"version https://git-lfs"
_KNOWN = "Name an ONNX or TorchScript file, a transformers folder, or a folder that `stepscope models train` wrote."
_TO_ONNX = 'torch.onnx.export(network, (example,), "model.onnx", dynamo=True)'
_TO_SAFETENSORS = (
    "from safetensors.torch import save_file; "
    'save_file(torch.load("pytorch_model.bin", weights_only=True), "model.safetensors")'
)

TORCHSCRIPT = "torchscript"


def kind_of(file: Path) -> str:
    """ "torchscript" or "onnx" (as it may be: nothing marks such a file). Raises UserError naming the file, with
    what to do, for all that is neither."""
    if file.suffix.lower() in _PARTIAL:
        raise UserError("is half a download.", place=file, hint="Let it finish, or fetch the file again.")
    with open_weights(file) as stream:
        head = stream.read(64)
    if not head:
        raise UserError("is empty: perhaps half a download.", place=file, hint="Fetch the file again.")
    if head.startswith(_POINTER):
        raise UserError("is a pointer of Git LFS, not the file itself.", place=file, hint="Fetch it: git lfs pull.")
    if head.startswith(b"GGUF"):
        raise UserError("is a GGUF file.", place=file, hint=f"Name page:local/{file.name} as the model.")
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _packed(file)
    if head[:1] == b"\x80" and 2 <= head[1] <= 5:
        raise pickled(file)
    if file.suffix.lower() == ".safetensors":
        raise UserError(
            "holds weights and no network.",
            place=file,
            hint=f"Name the transformers folder that it lies in, or export the network: {_TO_ONNX}.",
        )
    if head.lstrip()[:1] in (b"{", b"<", b"["):
        raise UserError("is a text and no model.", place=file, hint=_KNOWN)
    return "onnx"


def _packed(file: Path) -> str:
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name.partition("/")[2] or name for name in archive.namelist()]
    except OSError as error:
        raise unreadable(file, error) from error
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        hint = "Fetch the file again."
        raise UserError("is cut off or damaged: perhaps half a download.", place=file, hint=hint) from error
    if "archive_format" in names or any(one.startswith("models/") and one.endswith(".json") for one in names):
        raise exported_program(file)
    if "constants.pkl" in names and any(one.startswith("code/") for one in names):
        return TORCHSCRIPT
    if any(one.endswith("data.pkl") for one in names):
        raise pickled(file)
    raise UserError("is an archive and no model.", place=file, hint=_KNOWN)


def pickled(file: Path) -> UserError:
    """The refusal of pickled weights."""
    return UserError(
        "holds pickled weights, and to read a pickle is to run what it says.",
        place=file,
        hint=f"Convert it where you trust it: of a transformers folder by {_TO_SAFETENSORS}; else load your network "
        f"and export it by {_TO_ONNX}.",
    )


def exported_program(file: Path) -> UserError:
    """The refusal of `torch.export`'s archives: torch 2.14 unpickles their example inputs and constants without
    `weights_only`, and evaluates the expressions of their shapes."""
    return UserError(
        "is an exported program of torch, which torch reads by unpickling parts of it.",
        place=file,
        hint='Convert it where you trust it: torch.onnx.export(torch.export.load("model.pt2"), f="model.onnx").',
    )


def no_model(folder: Path) -> UserError:
    """The refusal of a folder without a model in it."""
    return UserError("has no model in it that can be added.", place=folder, hint=_KNOWN)
