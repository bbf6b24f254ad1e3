"""The key in what a server says: found in the shapes in which it may come back, and replaced before anything is kept,
shown, logged or exported."""

from __future__ import annotations

import base64
import re
from functools import lru_cache

MARKER = "•••key•••"
SHORT = 8
"""Letters below which a key is looked for as a word of its own only: some servers take any word for a key, and "mine"
must not be found in "determine" (ours)."""
_LEAST = 8
"""A piece of base64 with fewer letters stands in ordinary text by chance (ours)."""


def without_key(text: str, key: str | None) -> str:
    """The text with `MARKER` in place of the key, as it is or in capitals, with its letters as JSON, a URL or HTML may
    escape them, in hex, or in base64 alone or within more (`Bearer KEY`). Whole texts only: half a key is not found."""
    if not key:
        return text
    for shape in _shapes(key):
        text = text.replace(shape, MARKER)
    return _escaped(key).sub(MARKER, text)


@lru_cache(maxsize=16)
def _shapes(key: str) -> tuple[str, ...]:
    """The texts in which a key may stand, to be found letter by letter."""
    if len(key) < SHORT:
        return ()
    data = key.encode()
    found = {data.hex(), data.hex().upper()}
    for before in range(3):  # bytes before the key decide which three of its bytes become four letters
        packed = base64.b64encode(bytes(before) + data).decode()
        whole = packed[-(-before * 4 // 3) : (before + len(data)) * 4 // 3]  # letters made of the key alone
        if len(whole) >= _LEAST:
            found |= {whole, whole.replace("+", "-").replace("/", "_"), whole.replace("/", "\\/")}
    return tuple(sorted(found, key=len, reverse=True))


@lru_cache(maxsize=16)
def _escaped(key: str) -> re.Pattern[str]:
    """Each letter as it is or escaped."""
    one = "".join(
        rf"(?:{re.escape(letter)}|\\+u00{ord(letter):02x}|%{ord(letter):02x}|&\#(?:x0*{ord(letter):x}|0*{ord(letter)});"
        + (r"|\\/" if letter == "/" else "")
        + ")"
        for letter in key
    )
    return re.compile(one if len(key) >= SHORT else rf"(?<![^\W_]){one}(?![^\W_])", re.IGNORECASE)
