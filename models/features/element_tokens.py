"""The tokens of a screen's UI tree in MoTIF's three kinds: texts (ET), resource ids (ID) and class names (CLS).

As MoTIF's released code reads them (`get_view_fts.py`, `data_loader.py`; code): every node of the tree, visible or not;
of a text its runs of letters and digits, of an id what stands behind its last slash, of a class what stands behind its
last dot, all lower-cased; tokens of 50 signs at most, each once; the first 100 of texts, 50 of ids and 50 of classes.
MoTIF's section 4 names the three kinds and takes the mean of their vectors (paper).

Ours: tokens stand in the tree's order, where the released code has the order of a Python set, so which of them are
kept beyond the limits is another matter; ids and classes are split at `_`, `-`, `.`, `/` and between the words of
camelCase, where the code keeps them whole and leaves it to fastText's parts of words; letters of every script count,
where the code keeps those of ASCII alone; there are no empty tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from stepscope.core.domain.episode import Observation
from stepscope.core.frozen import dataclass

MOST_TEXTS, MOST_IDS, MOST_CLASSES = 100, 50, 50
"""Tokens of a screen (MoTIF, released code)."""
LONGEST = 50
"""Signs of a token (MoTIF, released code)."""

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[^\W\dA-Z_])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^\W\dA-Z_])")
"""Between a small letter and a capital, and before the last of several capitals: parseURLNow is parse, URL, Now."""


@dataclass(frozen=True, slots=True)
class ElementTokens:
    """The tokens of one screen, each once, in the tree's order."""

    texts: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()


def element_tokens(observation: Observation) -> ElementTokens:
    """The tokens of the screen's UI tree; none without a tree. Descriptions are no texts (MoTIF, released code)."""
    if observation.tree is None:
        return ElementTokens()
    elements = observation.tree.elements
    texts = (word for one in elements for word in _WORD.findall(one.text))
    ids = (word for one in elements for word in name_words(one.short_id))
    classes = (word for one in elements for word in name_words(one.short_class))
    return ElementTokens(_first(texts, MOST_TEXTS), _first(ids, MOST_IDS), _first(classes, MOST_CLASSES))


def name_words(name: str) -> list[str]:
    """The words of a name out of code: `btn_search-bar` and `SearchBarButton`, as they stand there."""
    return [word for part in _WORD.findall(name) for word in _HUMP.split(part)]


def _first(tokens: Iterable[str], most: int) -> tuple[str, ...]:
    """The first distinct ones, lower-cased and shortened."""
    found: dict[str, None] = {}
    for token in tokens:
        found.setdefault(token.lower()[:LONGEST])
        if len(found) == most:
            break
    return tuple(found)
