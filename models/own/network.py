"""The network of a manifest, loaded: takes arrays in the manifest's order of inputs, gives them in that of outputs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.models.own import transformers_folder
from stepscope.models.own.manifest import Manifest
from stepscope.models.runtimes import onnx_file
from stepscope.models.runtimes.devices import ComputeDevice
from stepscope.models.runtimes.runtime import Array, Runtime, TensorFact
from stepscope.models.runtimes.weight_digest import digest_of_files
from stepscope.models.runtimes.weights import first_line


class _SignedRuntime(Runtime, Protocol):
    """A runtime whose file tells the names of inputs and outputs."""

    @property
    def takes(self) -> tuple[TensorFact, ...]: ...

    @property
    def gives(self) -> tuple[TensorFact, ...]: ...


class OwnNetwork:
    """`fingerprint` as that of `Runtime`."""

    def __init__(self, manifest: Manifest, folder: Path, *, preparation: str, device: str) -> None:
        """`folder` is the manifest's. Raises UserError naming the file where it is not the manifest's or lacks an input
        or output that the manifest names; what the runtimes raise."""
        self._manifest, self._file = manifest, folder / manifest.file
        digest = digest_of_files(model_files(manifest, folder))
        if manifest.sha256 and digest != manifest.sha256:
            raise UserError(
                f"is not the file that was added: its SHA-256 is {digest[:16]}…, not {manifest.sha256[:16]}….",
                place=self._file,
                hint="Put that file back, or remove the model and add this one.",
            )
        self._names = tuple(one.name for one in manifest.inputs)
        self._runtime, takes, gives = self._opened(digest, preparation, device)
        self._order = _places(self._file, "input", takes, self._names)
        self._given = _chosen(self._file, gives, [one.name for one in manifest.outputs])
        self.device: ComputeDevice = self._runtime.device
        self.fingerprint = self._runtime.fingerprint

    def run(self, arrays: Sequence[Array]) -> list[Array]:
        """Raises UserError naming the file where the network breaks on these arrays; OutOfMemory."""
        try:
            found = self._runtime.run(*(arrays[place] for place in self._order))
        except (UserError, MemoryError):
            raise
        except Exception as error:  # torch's errors are of many kinds
            raise UserError(f"the model cannot answer: {first_line(error)}", place=self._file) from error
        rows = len(arrays[0])
        outputs = [np.asarray(found[place]) for place in self._given]
        for output, array in zip(self._manifest.outputs, outputs, strict=True):
            if array.dtype.kind not in "fiub" or array.ndim == 0 or len(array) != rows:
                raise UserError(
                    f"its output {output.name} has the shape {list(array.shape)} for {rows} rows.",
                    place=self._file,
                    hint="The first axis of every input and output must count the rows of a batch.",
                )
        return [array.astype(np.float64) for array in outputs]

    def set_token(self, token: CancelToken) -> None:
        self._runtime.set_token(token)

    def close(self) -> None:
        self._runtime.close()

    def _opened(
        self, digest: str, preparation: str, device: str
    ) -> tuple[Runtime, tuple[TensorFact, ...], tuple[TensorFact, ...]]:
        """The runtime, and the names that it takes and gives."""
        manifest = self._manifest
        if manifest.runtime == "transformers":
            facts = transformers_folder.look(self._file)
            given = transformers_folder.gives(facts)
            named = tuple(TensorFact(one) for one in self._names)
            loaded = transformers_folder.load(
                facts, self._names, weights=digest, preparation=preparation, device=device, precision=manifest.precision
            )
            return loaded, named, given
        signed: _SignedRuntime
        if manifest.runtime == "torchscript":
            from stepscope.models.own.torchscript import TorchScriptRuntime

            signed = TorchScriptRuntime(
                self._file, preparation=preparation, device=device, precision=manifest.precision
            )
        else:
            from stepscope.models.runtimes.onnx_runtime import OnnxRuntime

            signed = OnnxRuntime(self._file, preparation=preparation, device=device)
        return signed, signed.takes, signed.gives


def model_files(manifest: Manifest, folder: Path) -> tuple[Path, ...]:
    """The files that the answers hang on: the network's, then tokenizers that lie elsewhere. Raises UserError naming
    one that is not there or cannot be used."""
    file = folder / manifest.file
    if manifest.runtime == "transformers":
        files: tuple[Path, ...] = transformers_folder.look(file).files
    elif manifest.runtime == "onnx":
        files = (file, *onnx_file.check(file))
    else:
        files = (file,)
    tokenizers = dict.fromkeys(folder / one.tokenizer for one in manifest.texts)
    for one in (*files, *tokenizers):
        if not one.is_file():
            raise UserError("is not there.", place=one, hint="Put it back, or remove the model and add it again.")
    known = {one.resolve() for one in files}
    return (*files, *(one for one in tokenizers if one.resolve() not in known))


def _places(file: Path, what: str, told: Sequence[TensorFact], named: Sequence[str]) -> list[int]:
    """For each of the file's, its place among those that the manifest names; both must have the same."""
    names = [one.name for one in told]
    if sorted(names) != sorted(named):
        raise UserError(
            f"has the {what}s {', '.join(names)}, and its manifest names {', '.join(named)}.",
            place=file,
            hint="Name those of the file in the manifest.",
        )
    return [named.index(one) for one in names]


def _chosen(file: Path, told: Sequence[TensorFact], named: Sequence[str]) -> list[int]:
    """For each output that the manifest names, its place among the file's; the others are left alone."""
    names = [one.name for one in told]
    for one in named:
        if one not in names:
            hint = "Name those of the file in the manifest."
            raise UserError(f"has the outputs {', '.join(names)}, and no {one}.", place=file, hint=hint)
    return [names.index(one) for one in named]
