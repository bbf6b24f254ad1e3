"""Fuzzy finding: the letters of the query in order, better the closer they stand and the more words they begin."""

from __future__ import annotations

from dataclasses import dataclass

WORD_START, ADJACENT, FIRST = 8, 5, 6
"""Bonus for a letter that begins a word, that follows the one before, that begins the text."""
GAP_COST = 0.15
WHOLE, WITHIN = 40, 8
"""Bonus for the query as it stands at a word's beginning, within a word."""


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
    return _scattered(wanted, lower, text)


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
