"""The similarity of a place in words and an element, by their tokens.

Source: ours. Seq2Act learns this similarity (MoTIF, section 5.1); counting shared words is its plain form, and has the
failure that the paper shows in figure 4: "my" in an instruction draws the tap to an element like "My favorite". For
that reason "my" is no stop word here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from stepscope.core.domain.elements import UIElement
from stepscope.core.frozen import dataclass

_STOP = "the a an of on in at to for with and or this that it is are from by into as your please"
STOP_WORDS = frozenset(_STOP.split())

FIELD_WEIGHTS = (("text", 1.0), ("content_description", 0.9), ("short_id", 0.7), ("short_class", 0.3))
"""What a word of the place counts when the element has it in this field; the best field counts."""
PRECISION_SHARE = 0.25
"""Of the likeness, how much depends on the element having no other words."""
CLICKABLE_BONUS = 0.05
EDITABLE_BONUS = 0.2
"""Only for typing."""
AREA_PENALTY = 0.05
"""For an element as large as the screen; smaller ones in proportion."""

_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class WordSimilarity:
    """`words` are the shared tokens; `score` 0 when there are none."""

    score: float
    words: tuple[str, ...]


@lru_cache(maxsize=16_384)  # classes, ids and words of an app come back on every screen
def tokens(text: str) -> tuple[str, ...]:
    """Stems of the words of a text: split at camelCase, underscores, digits and punctuation; stop words left out."""
    words = map(str.lower, _WORD.findall(_HUMP.sub(" ", text)))
    return tuple(stem(word) for word in words if word not in STOP_WORDS)


def stem(word: str) -> str:
    """Light stemming: -ies to -y; -ing and -ed fall from words of six letters on, -s (not -ss) from four on."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending, least in (("ing", 6), ("ed", 6)):
        if len(word) >= least and word.endswith(ending):
            return word[: -len(ending)]
    if len(word) >= 4 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def likeness(place: tuple[str, ...], element: UIElement) -> WordSimilarity:
    """Share of the place's tokens that the element has, weighted by field, and how few others it has; 0..1."""
    weights: dict[str, float] = {}
    for name, weight in reversed(FIELD_WEIGHTS):
        weights.update(dict.fromkeys(tokens(getattr(element, name)), weight))
    wanted = dict.fromkeys(place)
    shared = tuple(word for word in wanted if word in weights)
    if not shared:
        return WordSimilarity(0.0, ())
    coverage = sum(weights[word] for word in shared) / len(wanted)
    label = set(tokens(element.label))
    precision = len(label.intersection(shared)) / len(label) if label else 0.0
    return WordSimilarity(coverage * (1 - PRECISION_SHARE + PRECISION_SHARE * precision), shared)
