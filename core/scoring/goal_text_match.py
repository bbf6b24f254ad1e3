"""How like two sentences about a goal are, by their letters and words. All of it is ours but ROUGE-L.

No measure here knows meaning: "Turn the Wi-Fi on" and "Turn the Wi-Fi off" share nearly all of their words.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from stepscope.core.scoring.web_fields_rouge import rouge_l

METRICS = ("exact", "rouge_l", "token_f1")
_TEXTS = 1 << 12


class TextSimilarity(NamedTuple):
    """`exact` is 0 or 1; the others 0..1, and 1 where `exact` is."""

    exact: float
    rouge_l: float
    token_f1: float


def likeness(reference: str, prediction: str) -> TextSimilarity:
    """Letters are compared without case, words without the punctuation and white space around them."""
    wanted, got = words(reference), words(prediction)
    if (wanted == got and wanted) or reference == prediction:
        return TextSimilarity(1.0, 1.0, 1.0)
    common = sum((Counter(wanted) & Counter(got)).values())
    f1 = 2 * common / (len(wanted) + len(got)) if common else 0.0
    return TextSimilarity(0.0, rouge_l(reference, prediction), f1)


@lru_cache(maxsize=_TEXTS)
def words(text: str) -> tuple[str, ...]:
    """The words in order: case folded, every mark of punctuation (Unicode category P) a gap."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return tuple("".join(" " if unicodedata.category(letter)[0] == "P" else letter for letter in folded).split())
