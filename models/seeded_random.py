"""Random numbers that belong to a place: the same seed and place give the same draws on every machine."""

from __future__ import annotations

import hashlib
import random


def drawn_for(purpose: str, seed: int, *place: str) -> random.Random:
    """`place` is an episode, or an episode and a step; `purpose` (the model's name) keeps two models with one seed
    apart."""
    text = "\x1f".join((purpose, str(seed), *place))
    return random.Random(int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()))
