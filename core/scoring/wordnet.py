"""Synonyms out of the files of WordNet, of which only the lines that are asked for are looked at.

Source: the manual pages wndb(5WN) for the files and morphy(7WN) for base forms, as nltk's reader applies them (code):
rules of ending are used once, and not where the list of exceptions has the word. The lines of an index file are in the
order of their bytes, so that a word is found by halving; a line of it says where in the data file its synsets stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

_ENDINGS = {
    "noun": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
"""By part of speech what a word may end with, and what its base form has instead."""

FILES = tuple(name for part in _ENDINGS for name in (f"data.{part}", f"index.{part}", f"{part}.exc"))
_VERSION = re.compile(rb"Word[nN]et (\d+\+?|\d+\.\d+) Copyright")


class WordNet:
    """WordNet in files whose bytes `read` gives by name; each is read when it is first needed. Safe to share between
    threads."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._file = cache(read)
        self._exceptions = cache(self._read_exceptions)
        self.synonyms = cache(self._synonyms)
        """Single words that stand in one synset with a word in small letters or with a base form of it, the word itself
        among them where WordNet has it."""

    def version(self) -> str:
        """As the licence in the files names it; "" when it does not."""
        found = _VERSION.search(self._file("data.adj"), 0, 4000)
        return found[1].decode() if found else ""

    def _synonyms(self, word: str) -> frozenset[str]:
        return frozenset(
            name
            for part in _ENDINGS
            for form in self._forms(word, part)
            for place in self._synsets(form, part)
            for name in self._names(place, part)
        )

    def _forms(self, word: str, part: str) -> list[str]:
        """The word and what may be its base forms, in WordNet or not."""
        if word in self._exceptions(part):
            return [word, *self._exceptions(part)[word]]
        endings = _ENDINGS[part]
        return [word, *(word.removesuffix(old) + new for old, new in endings if word.endswith(old))]

    def _read_exceptions(self, part: str) -> dict[str, list[str]]:
        lines = map(str.split, self._file(f"{part}.exc").decode("utf-8", "replace").splitlines())
        return {form: bases for form, *bases in filter(None, lines)}

    def _synsets(self, form: str, part: str) -> list[int]:
        """Where in the data file the synsets of a form stand."""
        line = _line_of(self._file(f"index.{part}"), form.encode("utf-8", "surrogatepass"))
        return [int(place) for place in line[-int(line[2]) :]] if line else []

    def _names(self, place: int, part: str) -> Iterator[str]:
        """The single words of a synset; a mark such as (p) behind an adjective is no part of it."""
        data = self._file(f"data.{part}")
        columns = data[place : data.index(b"\n", place)].decode("utf-8", "replace").split(" ")
        for name in columns[4 : 4 + 2 * int(columns[3], 16) : 2]:
            if "_" not in name:
                yield name.partition("(")[0]


def _line_of(index: bytes, word: bytes) -> list[bytes] | None:
    """The columns of the word's line; None without one. The lines of the licence begin with a space."""
    low, high = 0, len(index)
    while low < high:
        start = index.rfind(b"\n", low, (low + high) // 2) + 1 or low
        columns = index[start : (index.find(b"\n", start) + 1 or high)].split()
        key = b"" if index.startswith(b" ", start) else columns[0]
        if key == word:
            return columns if key else None
        if key < word:
            low = index.find(b"\n", start) + 1 or high
        else:
            high = start
    return None
