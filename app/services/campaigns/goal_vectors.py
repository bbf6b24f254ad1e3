"""Goals to vectors: all-MiniLM-L6-v2 of this project (ours), or means of FastText's word vectors out of a file that you
have (MoTIF, section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_LOOK_EVERY = 10_000
"""Lines of the file between two looks at the token."""
_HINT = "It is a text file of a word and its numbers a line, such as wiki-news-300d-1M.vec; .bin files are not read."


def sentence_vectors(texts: Sequence[str]) -> tuple[NDArray[np.float32], str]:
    """384 numbers of length 1 a text, and what they are from. Raises UnavailableError with what to install."""
    from stepscope.models.encoders.sentences import load

    encoder = load(device="cpu")
    return encoder.embed(list(texts)), encoder.name


def fasttext_vectors(
    file: Path, texts: Sequence[str], token: CancelToken
) -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """The mean over the words of a text that the file has, and the texts of which it has none: they get zeros.

    Words are tried as they are written, then in small letters. Raises UserError for a file that is not of this kind.
    """
    words = [_WORD.findall(text) for text in texts]
    wanted = {form for text in words for word in text for form in (word, word.lower())}
    known, size = _read(file, wanted, token)
    found, unknown = np.zeros((len(texts), size), np.float32), []
    for row, text in enumerate(words):
        vectors = [known[form] for word in text if (form := word if word in known else word.lower()) in known]
        if vectors:
            found[row] = np.mean(vectors, axis=0)
        else:
            unknown.append(texts[row])
    return found, tuple(unknown)


def _read(file: Path, wanted: set[str], token: CancelToken) -> tuple[dict[str, NDArray[np.float32]], int]:
    known: dict[str, NDArray[np.float32]] = {}
    size = 0
    try:
        with file.open(encoding="utf-8", errors="replace", newline="\n") as stream:
            for number, line in enumerate(stream, start=1):
                parts = line.rstrip().split(" ")
                if number == 1 and len(parts) == 2:
                    continue  # how many words, how many numbers
                size = size or len(parts) - 1
                if parts[0] in wanted:
                    known[parts[0]] = _vector(parts[1:], size, file, number)
                if number % _LOOK_EVERY == 0 and (token.cancelled or len(known) == len(wanted)):
                    break
    except OSError as error:
        raise UserError(f"cannot be read: {(error.strerror or str(error)).lower()}.", place=file) from error
    if size < 2:
        raise UserError("has no word vectors.", place=file, hint=_HINT)
    return known, size


def _vector(cells: Sequence[str], size: int, file: Path, line: int) -> NDArray[np.float32]:
    try:
        found = np.array(cells, np.float32)
    except ValueError:
        found = np.empty(0, np.float32)
    if len(found) != size or not np.isfinite(found).all():
        raise UserError(f"is not a word and {size} numbers.", place=file, record=line, hint=_HINT)
    return found
