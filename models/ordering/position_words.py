"""The words of a step as numbers of buckets: how it begins, and which words it has. Source: ours."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np

from stepscope.models.learned.recipe import Array

BUCKETS = 4096
"""Into which words are sorted by CRC-32; two words in one bucket count as the same, and no vocabulary has to be
kept."""
_MOST = 32
"""Words of a step that are read."""
WORDS = _MOST + 2
"""Numbers of a step: its words, each once, its first word and its first two as such."""
_WORD = re.compile(r"\w+")


def buckets(texts: Sequence[str]) -> Array:
    """(texts, WORDS) numbers from 1 to BUCKETS, 0 behind the last."""
    found = np.zeros((len(texts), WORDS), np.int64)
    for row, text in enumerate(texts):
        words = _WORD.findall(text.lower())[:_MOST]
        begins = [f"1 {words[0]}"] if words else []
        if len(words) > 1:
            begins.append(f"2 {words[0]} {words[1]}")
        codes = [_bucket(one) for one in (*begins, *dict.fromkeys(words))]
        found[row, : len(codes)] = codes
    return found


def _bucket(piece: str) -> int:
    return 1 + zlib.crc32(piece.encode("utf-8", "replace")) % BUCKETS
