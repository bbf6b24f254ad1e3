"""What was left out of a text and put into it, word by word: for a goal that a model or a person wrote anew."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from enum import StrEnum
from typing import NamedTuple

from stepscope.core.domain.ambiguous_task import Cut

_WORD = re.compile(r"\w+(?:['’.:,/@&+\-]\w+)*|[^\w\s]")
"""A word, a number with its points, a time, an address; or a mark of punctuation."""
MOST_WORDS = 2_000
"""Longer texts are compared as a whole: nobody reads them word by word (ours)."""


class PartState(StrEnum):
    """What became of a part of the original text."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


class GoalPart(NamedTuple):
    """A part of the original text or, ADDED, of the new one. All kept and removed parts in a row are the original text,
    all kept and added ones the new text, but for spaces and the case of letters."""

    state: PartState
    text: str


class WordSpan(NamedTuple):
    """A word and where it stands in its text, in characters."""

    text: str
    start: int
    end: int


def words_in(text: str) -> list[WordSpan]:
    """The words and marks of a text in order."""
    return [WordSpan(found[0], found.start(), found.end()) for found in _WORD.finditer(text)]


def is_word(span: WordSpan) -> bool:
    """Whether it is a word, not a mark of punctuation."""
    return span.text[0].isalnum() or span.text[0] == "_"


def cuts_between(original: str, goal: str) -> tuple[Cut, ...]:
    """The fewest cuts, word by word, that make `goal` of `original`; the case of letters does not count."""
    one, other = words_in(original), words_in(goal)
    if max(len(one), len(other)) > MOST_WORDS:
        return () if original == goal else (Cut(0, len(original), goal),)
    matcher = SequenceMatcher(None, [word.text.casefold() for word in one], [word.text.casefold() for word in other],
                              autojunk=False)  # fmt: skip
    cuts = []
    for state, first, last, other_first, other_last in matcher.get_opcodes():
        if state == "equal":
            continue
        start = one[first].start if first < len(one) else len(original)
        end = one[last - 1].end if last > first else start
        instead = goal[other[other_first].start : other[other_last - 1].end] if other_last > other_first else ""
        cuts.append(Cut(start, end, _apart(original, start, end, instead)))
    return tuple(cuts)


def _apart(original: str, start: int, end: int, instead: str) -> str:
    """What is put in, with a space where it would run into the word beside it."""
    if not instead:
        return " " if original[start - 1 : start].strip() and original[end : end + 1].strip() else ""
    before, after = original[:start][-1:], original[end:][:1]
    left = " " if before.strip() and instead[0].isalnum() else ""
    return left + instead + (" " if after.isalnum() else "")


def parts_of(original: str, cuts: Iterable[Cut]) -> tuple[GoalPart, ...]:
    """The original text with what was removed and added in its places, to be shown struck through and underlined."""
    parts: list[GoalPart] = []
    place = 0
    for cut in sorted(cuts):
        parts += [
            GoalPart(PartState.KEPT, original[place : cut.start]),
            GoalPart(PartState.REMOVED, original[max(place, cut.start) : cut.end]),
            GoalPart(PartState.ADDED, cut.instead),
        ]
        place = max(place, cut.end)
    parts.append(GoalPart(PartState.KEPT, original[place:]))
    return tuple(part for part in parts if part.text)


def goal_parts(original: str, goal: str) -> tuple[GoalPart, ...]:
    """`parts_of` for a goal of which only the words are known."""
    return parts_of(original, cuts_between(original, goal))


def with_cuts(original: str, cuts: Iterable[Cut]) -> str:
    """The text that the cuts make, spaces as they are. Raises ValueError for cuts that overlap or lie outside."""
    found, place = [], 0
    for cut in sorted(cuts):
        if not place <= cut.start <= cut.end <= len(original):
            raise ValueError("cuts lie in the text, one after another")
        found += [original[place : cut.start], cut.instead]
        place = cut.end
    return "".join((*found, original[place:]))
