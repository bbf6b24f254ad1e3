"""What two texts of an ambiguous task have in common: the goal as it was and as it was told, and two questions."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_TOKEN = re.compile(r"\w+(?:['\u2019]\w+)*")
_LITTLE = frozenset(
    ("a", "an", "the", "to", "of", "in", "on", "at", "for", "is", "are", "be", "do", "does", "did", "i", "you", "it",
     "this", "that", "my", "your", "and", "or", "shall", "should", "would", "will", "can", "could", "please", "me", "s")
)  # fmt: skip
"""Words that say nothing when they are all that two questions share (ours)."""
_MOST = 400
"""Words of a text that are compared; more are no goal and no question."""


def removed_words(whole: str | None, told: str) -> tuple[tuple[str, bool], ...]:
    """The goal in pieces, each with whether it was removed from the whole one: "Set a timer" kept, "for 45 minutes"
    removed. All is kept where no whole goal is known."""
    if whole is None or whole == told:
        return ((told, False),)
    old, new = whole.split()[:_MOST], told.split()[:_MOST]
    pieces: list[tuple[str, bool]] = []
    for kind, first, last, start, end in SequenceMatcher(None, _plain(old), _plain(new), autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append((" ".join(new[start:end]), False))
            continue
        if first < last:
            pieces.append((" ".join(old[first:last]), True))
        if start < end:
            pieces.append((" ".join(new[start:end]), False))
    return tuple(pieces) or ((told, False),)


def _plain(words: list[str]) -> list[str]:
    """For comparing: a full stop that moved on to the word before is no change."""
    return [word.casefold().strip(".,;:!?") for word in words]


def shared_pieces(text: str, other: str) -> tuple[tuple[str, bool], ...]:
    """The text in pieces, each with whether its words stand in the other one too, in the same order. Little words
    alone are not worth a mark."""
    mine, theirs = list(_TOKEN.finditer(text))[:_MOST], list(_TOKEN.finditer(other))[:_MOST]
    matcher = SequenceMatcher(
        None, [one.group().casefold() for one in mine], [one.group().casefold() for one in theirs], autojunk=False
    )
    pieces: list[tuple[str, bool]] = []
    done = 0
    for place, _theirs, length in matcher.get_matching_blocks():
        block = mine[place : place + length]
        while block and block[0].group().casefold() in _LITTLE:
            block = block[1:]
        while block and block[-1].group().casefold() in _LITTLE:
            block = block[:-1]
        if not block:
            continue
        start, end = block[0].start(), block[-1].end()
        if start > done:
            pieces.append((text[done:start], False))
        pieces.append((text[start:end], True))
        done = end
    if done < len(text):
        pieces.append((text[done:], False))
    return tuple(pieces)


def says(goal: str, answer: str) -> bool:
    """Whether all telling words of an answer stand in the goal, one after the other."""
    told = [one.casefold() for one in _TOKEN.findall(goal)]
    wanted = [one.casefold() for one in _TOKEN.findall(answer) if one.casefold() not in _LITTLE]
    return bool(wanted) and any(told[at : at + len(wanted)] == wanted for at in range(len(told)))
