"""What a model's file or folder tells of itself before anybody is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.models.learned.card import CARD
from stepscope.models.own import transformers_folder
from stepscope.models.own.refusals import TORCHSCRIPT, kind_of, no_model
from stepscope.models.own.transformers_folder import CONFIG, FolderFacts
from stepscope.models.runtimes import onnx_file
from stepscope.models.runtimes.runtime import TensorFact
from stepscope.models.runtimes.weight_digest import digest_of_files

_MOST_CANDIDATES = 20


@dataclass(frozen=True, slots=True)
class FileFacts:
    """`file` is what the manifest names: the file, or the folder itself. `files` are those that its answers hang on,
    `sha256` theirs. `ends` says which operator of an ONNX file makes each output; `words` is the table inside such a
    file; `folder` what a transformers folder tells."""

    file: Path
    runtime: str
    files: tuple[Path, ...]
    sha256: str
    inputs: tuple[TensorFact, ...]
    outputs: tuple[TensorFact, ...]
    ends: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    folder: FolderFacts | None = None


def look(path: Path) -> FileFacts:
    """What is at the path: an ONNX file, a TorchScript file, or a folder with one of them or with a network of
    transformers. Loads files of the first two kinds on the processor, for their signature.

    Raises UserError naming the file, with what to do, for all else; OutOfMemory, UnavailableError.
    """
    place = path.expanduser().resolve()
    if place.is_dir():
        if (place / CONFIG).is_file():
            return _transformers(place)
        place = _single(place)
    if not place.exists():
        raise UserError("is not there.", place=path, hint="Name the model's file or folder.")
    return _torchscript(place) if kind_of(place) == TORCHSCRIPT else _onnx(place)


def is_trained(path: Path) -> bool:
    """Whether the path is a folder that `stepscope models train` wrote."""
    return (path.expanduser() / CARD).is_file()


def _single(folder: Path) -> Path:
    """The one ONNX file in the folder, else the one file of torch's."""
    for endings in ((".onnx",), (".pt", ".pth", ".ts", ".pt2", ".bin", ".ckpt", ".pkl")):
        found = sorted(one for one in folder.iterdir() if one.is_file() and one.suffix.lower() in endings)
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(one.name for one in found[:_MOST_CANDIDATES])
            raise UserError("has several models in it.", place=folder, hint=f"Name one of them: {names}.")
    raise no_model(folder)


def _onnx(file: Path) -> FileFacts:
    from stepscope.models.runtimes.onnx_runtime import OnnxRuntime

    beside = onnx_file.check(file)
    runtime = OnnxRuntime(file, device="cpu")
    try:
        takes, gives, words = runtime.takes, runtime.gives, dict(runtime.metadata)
    finally:
        runtime.close()
    files = (file, *beside)
    return FileFacts(file, "onnx", files, digest_of_files(files), takes, gives, _ends(file), words)


def _ends(file: Path) -> dict[str, str]:
    """The operator that makes each output; nothing where the package that tells is not here."""
    try:
        import onnx
    except ImportError:
        return {}
    graph = onnx.load_model(str(file), load_external_data=False).graph
    outputs = {one.name for one in graph.output}
    return {name: node.op_type for node in graph.node for name in node.output if name in outputs}


def _torchscript(file: Path) -> FileFacts:
    from stepscope.models.own.torchscript import TorchScriptRuntime

    runtime = TorchScriptRuntime(file, device="cpu")
    runtime.close()
    return FileFacts(file, TORCHSCRIPT, (file,), digest_of_files((file,)), runtime.takes, runtime.gives)


def _transformers(folder: Path) -> FileFacts:
    told = transformers_folder.look(folder)
    takes = tuple(TensorFact(name) for name in told.takes)
    digest = digest_of_files(told.files)
    return FileFacts(folder, "transformers", told.files, digest, takes, transformers_folder.gives(told), folder=told)
