"""Fuzzy finding: the query as it stands, else its words in order, else its letters in order, better the closer they
stand and the more words they begin."""

from __future__ import annotations

from stepscope.core.frozen import dataclass

WORD_START, ADJACENT, FIRST = 8, 5, 6
"""Bonus for a letter that begins a word, that follows the one before, that begins the text."""
GAP_COST = 0.15
WHOLE, WORDS, WITHIN = 600, 400, 8
"""Bonus for the query as it stands at a word's beginning, and for its words at words' beginnings in order, each more
than scattered letters come to; and for the query within a word."""


@dataclass(frozen=True, slots=True)
class FuzzyMatch:
    """The quality of a match, and the places of the text that matched."""

    score: float
    places: tuple[int, ...]


def find(query: str, text: str) -> FuzzyMatch | None:
    """None when the letters do not all occur in order; an empty query fits everything alike."""
    wanted, lower = query.casefold().replace(" ", ""), text.casefold()
    if len(lower) != len(text):  # a letter that folds to two would shift the places
        lower = text.lower() if len(text.lower()) == len(text) else text
    if not wanted:
        return FuzzyMatch(0.0, ())
    whole = lower.find(query.casefold().strip())
    if whole >= 0:
        bonus = WHOLE if _begins_word(text, whole) else WITHIN
        places = tuple(range(whole, whole + len(query.strip())))
        return FuzzyMatch(bonus + len(places) * ADJACENT - GAP_COST * whole, places)
    return _in_order(query.casefold().split(), lower, text) or _scattered(wanted, lower, text)


def _in_order(words: list[str], lower: str, text: str) -> FuzzyMatch | None:
    """Every word of several at the beginning of one of the text's, one after the other."""
    if len(words) < 2:
        return None
    places: list[int] = []
    start = 0
    for word in words:
        place = lower.find(word, start)
        while place >= 0 and not _begins_word(text, place):
            place = lower.find(word, place + 1)
        if place < 0:
            return None
        places += range(place, place + len(word))
        start = place + len(word)
    return FuzzyMatch(WORDS + len(places) * ADJACENT - GAP_COST * (start - len(places)), tuple(places))


def _scattered(wanted: str, lower: str, text: str) -> FuzzyMatch | None:
    """Each letter at a word's beginning if there is one that leaves the rest findable, else at its next place."""
    places: list[int] = []
    score, start = 0.0, 0
    for position, letter in enumerate(wanted):
        place = _best_place(letter, wanted[position + 1 :], lower, text, start)
        if place < 0:
            return None
        if places and place == places[-1] + 1:
            score += ADJACENT
        else:
            score -= GAP_COST * (place - start)
        score += WORD_START if _begins_word(text, place) else 0
        score += FIRST if place == 0 else 0
        places.append(place)
        start = place + 1
    return FuzzyMatch(score, tuple(places))


def _best_place(letter: str, rest: str, lower: str, text: str, start: int) -> int:
    first = lower.find(letter, start)
    if first < 0 or first == start:
        return first
    place = first
    while place >= 0:
        if _begins_word(text, place) and _occurs(rest, lower, place + 1):
            return place
        place = lower.find(letter, place + 1)
    return first


def _occurs(letters: str, lower: str, start: int) -> bool:
    for letter in letters:
        start = lower.find(letter, start) + 1
        if start == 0:
            return False
    return True


def _begins_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum() or (text[place].isupper() and text[place - 1].islower())
