"""What the wording of a step says of its place: words that begin and end, and what is spoken of as known already.

Source: ours. A thing is first "a pan" and then "the pan" or "it"; instructions begin by deciding, getting and opening
and end by checking, serving and saving.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from stepscope.core.frozen import dataclass
from stepscope.models.learned.recipe import Array

_FIRST_WORDS = (
    "begin start first choose decide determine find get gather prepare purchase buy select open preheat go visit "
    "understand know identify learn obtain research make consider take remove wash clean look download locate collect "
    "pick set turn fill measure",
    "finally last finish enjoy serve repeat continue keep wait let save check test review confirm end store complete "
    "restart replace reassemble follow maintain apply cool submit send practice allow",
)
"""Verbs that steps at the beginning and at the end of instructions begin with."""
_ANYWHERE = (
    "first begin start initial beginning",
    "finally last final lastly finish finished done end",
    "again repeat continue keep",
    "once after when",
    "then next",
    "until",
    "it them this these they that",
    "if",
    "ready completely",
    "serve enjoy store",
    "wait let allow",
    "open launch",
    "save ok confirm submit",
    "new another additional",
    "not don't avoid",
)
"""Words that tell of what comes before or after, wherever they stand."""
_HEADS = tuple(frozenset(words.split()) for words in _FIRST_WORDS)
_GROUPS = tuple(frozenset(words.split()) for words in _ANYWHERE)
CUES = len(_HEADS) + len(_GROUPS) + 1
"""Numbers of a step: first word of either list, words of each group, length."""
THINGS = 32
"""Words that two steps of an item share, at most."""
_LONG = 15
"""Words; the length of a step counts in these."""
_KNOWN = frozenset(("the", "your", "this", "that", "each", "these", "its"))
_REACH = 2
"""So many words before a noun its article is looked for: "the old pan"."""
_FORM_WORDS = (
    "the a an of on in at to for with and or this that it is are from by into as your you if not be can will do all "
    "any up out"
)
_SMALL = frozenset(_FORM_WORDS.split())


@dataclass(frozen=True, slots=True)
class StepWording:
    """`cues` (steps, CUES). Of the words that several steps share, the commonest first: `named` (steps, THINGS) where a
    step has it not spoken of as known, `known` where it has."""

    cues: Array
    named: Array
    known: Array


def wording(texts: Sequence[str]) -> StepWording:
    """The wording of the steps of one item, in any language that is English."""
    steps = [re.findall(r"[a-z']+", text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")) for text in texts]
    things = [_things(words) for words in steps]
    counts = Counter(word for one in things for word in one)
    shared = [word for word, count in counts.most_common() if count > 1][:THINGS]
    named, known = np.zeros((2, len(steps), THINGS), np.float32)
    for place, one in enumerate(things):
        for column, word in enumerate(shared):
            if word in one:
                (known if one[word] else named)[place, column] = 1
    cues = np.array([_cues(words) for words in steps], np.float32).reshape(len(steps), CUES)
    return StepWording(cues, named, known)


def _cues(words: Sequence[str]) -> list[float]:
    said = frozenset(words)
    heads = [float(bool(words) and words[0] in head) for head in _HEADS]
    return [*heads, *(float(not said.isdisjoint(group)) for group in _GROUPS), len(words) / _LONG]


def _things(words: Sequence[str]) -> dict[str, bool]:
    """The words of a step without endings of the plural, each with whether it is spoken of as known."""
    found: dict[str, bool] = {}
    for place, word in enumerate(words):
        if word not in _SMALL:
            before = words[max(0, place - _REACH) : place]
            name = word.rstrip("s")
            found[name] = found.get(name, False) or not _KNOWN.isdisjoint(before)
    return found
