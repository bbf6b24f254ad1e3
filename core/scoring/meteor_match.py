"""The rule of METEOR: which words of two texts belong together, and the score. Knows neither files nor settings.

Source: Lavie and Agarwal 2007 in nltk's implementation, `single_meteor_score` (code). Words are matched exactly, then
by Porter stem, then by WordNet synonym, from the last word asked to the first, each with the last free word of the
reference. What the second stage leaves goes on as stems: nltk looks for synonyms of these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from stepscope.core.scoring.porter import stem

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""Weights of precision against recall, and shape and size of the penalty for fragments: nltk's defaults."""

Synonyms = Callable[[str], Collection[str]]
"""The words that a word in small letters may be exchanged for."""


def score(reference: Sequence[str], asked: Sequence[str], synonyms: Synonyms) -> float:
    """0..1 for two texts in words; 0 when no word matches."""
    pairs = sorted(_matched(asked, reference, synonyms))
    if not pairs:
        return 0.0
    count = len(pairs)
    precision, recall = count / len(asked), count / len(reference)
    mean = (precision * recall) / (ALPHA * precision + (1 - ALPHA) * recall)
    chunks = 1 + sum((a + 1, b + 1) != following for (a, b), following in pairwise(pairs))
    return float((1 - GAMMA * (chunks / count) ** BETA) * mean)


def _matched(asked: Sequence[str], reference: Sequence[str], synonyms: Synonyms) -> list[tuple[int, int]]:
    """Numbers of words that belong together, of the asked text and of the reference."""
    left = {place: word.lower() for place, word in enumerate(asked)}
    free = {place: word.lower() for place, word in enumerate(reference)}
    pairs = _pairs(left, free, lambda word: (word,))
    for words in (left, free):
        words.update({place: stem(word) for place, word in words.items()})
    pairs += _pairs(left, free, lambda word: (word,))
    return pairs + _pairs(left, free, lambda word: {word, *synonyms(word)})


def _pairs(left: dict[int, str], free: dict[int, str], fitting: Synonyms) -> list[tuple[int, int]]:
    """What one stage matches; it is taken out of what is left of both texts."""
    places: dict[str, list[int]] = {}
    for place, word in free.items():
        places.setdefault(word, []).append(place)
    pairs = []
    for place, word in reversed(list(left.items())):
        last = max((places[one][-1] for one in fitting(word) if places.get(one)), default=None)
        if last is not None:
            places[free.pop(last)].pop()
            del left[place]
            pairs.append((place, last))
    return pairs
