"""What encoders of tests have in common, and encoders that one can follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class PlainTexts:
    """384 numbers a text, all 0."""

    fingerprint = "no words"
    computed_by = "tests"
    size = 384
    sequence = False

    def embed(self, texts: Sequence[str]) -> Any:
        return np.zeros((len(texts), self.size), np.float32)


class Letters(PlainTexts):
    """Counts of letters, of length 1."""

    fingerprint = "letters"

    def embed(self, texts: Sequence[str]) -> Any:
        found = np.zeros((len(texts), self.size), np.float32)
        for row, text in enumerate(texts):
            for letter in text.lower():
                found[row, ord(letter) % self.size] += 1
        return found / np.linalg.norm(found, axis=1, keepdims=True)
