"""How many tokens a text takes, told before it is sent.

Which tokenizer a served model has is not known: 4 characters are taken for a token, a common rule of thumb for English;
HTML and other languages take more. Counts of what was sent are the server's own (`Exchange.tokens_in`).
"""

from __future__ import annotations

import math
from collections.abc import Callable

CHARACTERS = 4
PICTURE = 1_000
"""Tokens that are set aside for a picture of 1,024 pixels a side (ours; models take 250 to 1,600)."""

Count = Callable[[str], int]


def estimated(text: str) -> int:
    """Rounded up."""
    return math.ceil(len(text) / CHARACTERS)
