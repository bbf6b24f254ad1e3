"""Texts as tokens, by the tokenizer's file that the manifest names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from stepscope.core.errors import UnavailableError, UserError
from stepscope.models.encoders.tokenizer_file import tokenizer_text
from stepscope.models.own.manifest import TokensInput
from stepscope.models.runtimes.runtime import Array
from stepscope.models.runtimes.weights import first_line

_HINT = "Name another tokenizer.json."
_ROWS = {"ids": "ids", "mask": "attention_mask", "types": "type_ids"}


class TextTokens:
    """A tokenizer set to one input's length and padding. Threads may share it."""

    def __init__(self, file: Path, wanted: TokensInput) -> None:
        """Raises UnavailableError without tokenizers, UserError naming the file."""
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            hint = "Install it with pip install 'stepscope[models]'."
            raise UnavailableError(f"texts need the package {error.name}.", hint=hint) from error
        self._file, self._wanted = file, wanted
        text = tokenizer_text(file)
        with self._told("the tokenizer cannot be loaded"):
            self._tokenizer: Any = Tokenizer.from_str(text)
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(wanted.length)

    def rows(self, texts: Sequence[str], pairs: Sequence[str] | None = None) -> Array:
        """One row of tokens a text (with its pair), all of one length."""
        first = [_whole(one) for one in texts]
        given: list[Any] = first if pairs is None else list(zip(first, map(_whole, pairs), strict=True))
        with self._told("the tokenizer cannot take a text apart"):
            encoded = self._tokenizer.encode_batch(given)
        rows = [getattr(one, _ROWS[self._wanted.part]) for one in encoded]
        fixed = self._wanted.padding == "fixed"
        length = self._wanted.length if fixed else max((len(row) for row in rows), default=1) or 1
        fill = self._wanted.pad if self._wanted.part == "ids" else 0
        return np.array([[*row, *[fill] * (length - len(row))] for row in rows], dtype=self._wanted.dtype)

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Around calls of the tokenizer, which raises bare Exceptions of its own and, where Rust gives up, what is no
        Exception."""
        try:
            yield
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            raise UserError(f"{what}: {first_line(error)}", place=self._file, hint=_HINT) from error


def _whole(text: str) -> str:
    """The text; half of a surrogate pair, which JSON may hold, is no character."""
    return text.encode("utf-8", "replace").decode()
