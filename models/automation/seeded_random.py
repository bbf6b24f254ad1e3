"""Random numbers that belong to a place: the same seed, episode and step give the same draws on every machine."""

from __future__ import annotations

import hashlib
import random

from stepscope.core.evaluation.predictor import StepRequest


def seeded_random(request: StepRequest, seed: int, purpose: str) -> random.Random:
    """`purpose` (the model's name) keeps two models with one seed apart."""
    text = "\x1f".join((purpose, str(seed), request.episode, str(request.step)))
    return random.Random(int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()))
