"""Sentences with places in them: made out of goals, filled out of trajectories, chosen for a model.

Source: ours. A goal whose words were also typed, touched or are the app's name keeps places for them: "Delete the note
{item}".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from stepscope.core.scoring.web_fields_rouge import words_of
from stepscope.models.goal.pieces import ROLES, Pieces

Gains = NDArray[np.float32]

MOST = 400
"""Templates that a model knows at most."""
LONGEST = 24
"""Words of a template at most: a longer one tells a story of its own."""
_PLACE = re.compile(r"\{([a-z ]+)\}")
_WORD = re.compile(r"[^\W_]+(?:[:.,'’&-][^\W_]+)*")
_SPOKEN = {
    "typed": "this text",
    "typed first": "that text",
    "item": "this item",
    "item first": "that item",
    "button": "this option",
    "button before": "that option",
    "app": "this app",
}
_LITTLE = "a an and all at for from in it my new no not of off on or out set the then to up with you"
_FIRST_LETTER = 0x10000
_WORDS_KNOWN: dict[str, int] = {}
_COMMON = frozenset(_LITTLE.split())
"""Words too small to be filled in for alone."""


def induced_template(goal: str, pieces: Pieces) -> str:
    """The goal with a place wherever it has a piece's words: the whole piece, else the longest run of its words that
    begins it or is at least half of it. Pieces with more words first, each once."""
    sentence = " ".join(goal.split())
    for role in sorted(pieces, key=lambda one: (-len(pieces[one].split()), ROLES.index(one))):
        found = _run(sentence, pieces[role])
        if found is not None:
            start, end = found
            sentence = f"{sentence[:start]}{{{role}}}{sentence[end:]}"
    return sentence


def roles_of(template: str) -> tuple[str, ...]:
    """The names of the places in the template, in their order, one that comes twice twice."""
    return tuple(_PLACE.findall(template))


def fill(template: str, pieces: Pieces) -> str | None:
    """The sentence, its first letter large; None where a place has nothing to be filled with."""
    if any(role not in pieces for role in roles_of(template)):
        return None
    sentence = _PLACE.sub(lambda found: _inside(found.group(1), pieces[found.group(1)]), template).strip()
    return sentence[:1].upper() + sentence[1:]


def literal(template: str) -> str:
    """The template without its places."""
    return _PLACE.sub(" ", template)


def template_words(template: str) -> str:
    """The template as words, for a sentence model."""
    return _PLACE.sub(lambda found: _SPOKEN[found.group(1)], template).lower()


@lru_cache(maxsize=8192)
def gains(goal: str, pieces: tuple[tuple[str, str], ...], templates: tuple[str, ...]) -> Gains:
    """ROUGE-L between the goal and each template once filled, 0..1; −1 where it cannot be filled. Every epoch asks."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    known = {role: _letters(text) for role, text in pieces}
    filled = [_filled(template, known) for template in templates]
    wanted = _letters(goal)
    common = cdist([wanted], [one or "" for one in filled], scorer=LCSseq.similarity)[0].astype(np.float64)
    precision = common / np.array([max(1, len(one or "")) for one in filled])
    recall = common / max(1, len(wanted))
    both = precision + recall
    worth = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
    worth[[one is None for one in filled]] = -1.0
    found: Gains = worth.astype(np.float32)
    return found


def chosen_templates(
    candidates: Sequence[str], of_app: Sequence[str], table: Gains, apps: Sequence[str], most: int = MOST
) -> list[int]:
    """Places of the templates that together serve the items best, taken one by one.

    `table` (items, candidates) has their gains, `apps` the app of each item, `of_app` that of each candidate. Counted
    is the best template of an item, and again the best out of other apps: all that a new app will have.
    """
    near = np.maximum(table, 0)
    far = np.where(np.array(apps)[:, None] != np.array(of_app)[None, :], near, 0)
    best = [np.zeros(len(table), np.float32), np.zeros(len(table), np.float32)]
    taken: list[int] = []
    while len(taken) < min(most, len(candidates)):
        more = sum(np.maximum(part - top[:, None], 0).sum(axis=0) for part, top in zip((near, far), best, strict=True))
        at = int(np.argmax(more))
        if more[at] <= 0:
            break
        taken.append(at)
        best = [np.maximum(top, part[:, at]) for part, top in zip((near, far), best, strict=True)]
    return sorted(taken)


def _filled(template: str, pieces: dict[str, str]) -> str | None:
    """The filled template in `_letters`; None where a place has nothing to be filled with."""
    parts = _parts(template)
    if any(role is not None and role not in pieces for _, role in parts):
        return None
    return "".join(letters if role is None else pieces[role] for letters, role in parts)


@lru_cache(maxsize=8192)
def _parts(template: str) -> tuple[tuple[str, str | None], ...]:
    """What stands between the places in `_letters`, and the places by their roles. A place takes the room of whole
    words, so words never run into what is filled in."""
    split = _PLACE.split(template)
    return tuple(("", one) if at % 2 else (_letters(one), None) for at, one in enumerate(split))


@lru_cache(maxsize=8192)
def _letters(text: str) -> str:
    """One letter for each word that ROUGE compares: rapidfuzz is quickest on strings."""
    return "".join(chr(_FIRST_LETTER + _WORDS_KNOWN.setdefault(word, len(_WORDS_KNOWN))) for word in words_of(text))


def _run(sentence: str, piece: str) -> tuple[int, int] | None:
    """Where the sentence has the piece, in letters; None where not enough of it is there."""
    said = [(found.group().lower(), found.start(), found.end()) for found in _WORD.finditer(_hidden(sentence))]
    wanted = [word.lower() for word in _WORD.findall(piece)]
    for size in range(len(wanted), 0, -1):
        for first in range(len(wanted) - size + 1):
            words = wanted[first : first + size]
            if (first and 2 * size < len(wanted)) or all(word in _COMMON or len(word) < 2 for word in words):
                continue
            for place in range(len(said) - size + 1):
                if [word for word, _, _ in said[place : place + size]] == words:
                    return said[place][1], said[place + size - 1][2]
    return None


def _hidden(sentence: str) -> str:
    """The sentence with its places blotted out, letter for letter."""
    return _PLACE.sub(lambda found: "_" * len(found.group()), sentence)


def _inside(role: str, piece: str) -> str:
    """A button's words begin small inside a sentence, unless they are a sign of their own (PIN)."""
    plain = role.startswith("button") and piece[1:2].islower()
    return piece[:1].lower() + piece[1:] if plain else piece
