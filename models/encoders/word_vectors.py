"""Word vectors as an encoder of texts: fastText's models and text tables of fastText, word2vec and GloVe.

`pooled` is a text's mean over its words, `tokens` a row a word. How a text is cut into words, and what the mean is
taken over, follows from the file: `FastTextFile` does as the library does, `WordTextFile` says its own rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UsageError
from stepscope.models.encoders.encoder import TextEncoder
from stepscope.models.encoders.fasttext_file import MAGIC, FastTextFile
from stepscope.models.encoders.word_text_file import WordTextFile
from stepscope.models.runtimes import devices
from stepscope.models.runtimes.weight_digest import digest_of_files
from stepscope.models.runtimes.weights import open_weights

OUTPUTS = ("pooled", "tokens")
_VERSION = 1
"""Raised when a text would be cut or pooled in another way."""

Vector = NDArray[np.float32]


class WordFile(Protocol):
    """A file of word vectors. `lengths_count`: the mean is of the vectors as they are, not of their directions."""

    @property
    def form(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def lengths_count(self) -> bool: ...

    def vectors(self, text: str) -> Sequence[Vector | None]:
        """One for each word of the text; None for a word that is not known. Raises UserError."""
        ...


class WordVectors:
    """A loaded file; see `TextEncoder`."""

    def __init__(self, file: WordFile, digest: str, output: str) -> None:
        self._file = file
        self.size = file.size
        self.sequence = output == "tokens"
        self.fingerprint = f"word vectors ({file.form}), sha256 {digest}, {output} {_VERSION}"
        self.computed_by = f"numpy {np.__version__}"

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """`pooled`: (size,), zeros where no word is known. `tokens`: (words, size), zeros for a word that is not known
        and one such row for no words. Raises UserError where the file holds what is no number."""
        return [self._rows(text) if self.sequence else self._mean(text) for text in texts]

    def _rows(self, text: str) -> Vector:
        none = np.zeros(self.size, np.float32)
        return np.stack([none if one is None else one for one in self._file.vectors(text)] or [none])

    def _mean(self, text: str) -> Vector:
        known = [one for one in self._file.vectors(text) if one is not None]
        if not self._file.lengths_count:
            lengths = [np.linalg.norm(one) for one in known]
            known = [one / length for one, length in zip(known, lengths, strict=True) if length > 0]
        return np.mean(known, axis=0, dtype=np.float32) if known else np.zeros(self.size, np.float32)


def load(path: Path, *, device: str = "auto", output: str = "pooled") -> TextEncoder:
    """The word vectors in a file; what kind of file it is, its content says. Whatever the device, they are looked up on
    the processor.

    Raises UsageError for an output or a device that there is not, UserError naming the file (and the line) for one that
    is of no such format, damaged, compressed or cut off.
    """
    devices.resolve("cpu" if device.startswith("cuda") else device)
    if output not in OUTPUTS:
        raise UsageError(f"Word vectors have no output {output!r}.", hint=f"They have {', '.join(OUTPUTS)}.")
    with open_weights(path) as stream:
        is_binary = stream.read(len(MAGIC)) == MAGIC
    file: WordFile = FastTextFile(path) if is_binary else WordTextFile(path)
    return WordVectors(file, digest_of_files([path]), output)
